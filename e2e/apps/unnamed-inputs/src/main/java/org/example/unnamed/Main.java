package org.example.unnamed;

import com.sun.net.httpserver.HttpServer;

/** A door: its framework is the first argument, its port the second. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        switch (arguments[0]) {
            case "jdk" -> JdkDoor.open(port);
            case "both" -> {
                HttpServer server = JerseyDoor.at(port, "jakarta/");
                ResteasyDoor.in(server, "/javax");
                server.start();
            }
            case "jersey" -> JerseyDoor.open(port);
            case "resteasy" -> ResteasyDoor.open(port);
            case "javalin" -> JavalinDoor.open(port);
            case "vertx" -> VertxDoor.open(port);
            case "webflux" -> WebFluxDoor.open(port);
            default -> throw new IllegalArgumentException("no such door: " + arguments[0]);
        }
    }
}
