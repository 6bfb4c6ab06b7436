package org.example.observatory;

import io.helidon.http.Method;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** An observatory. */
public final class Main {
    private Main() {
    }

    public static void main(String[] args) {
        int port = Integer.parseInt(args[0]);
        WebServer.builder().host("127.0.0.1").port(port).routing(Main::route).build().start();
    }

    private static void route(HttpRouting.Builder routing) {
        routing.any(Main::see)
                .register("/stars", new Stars())
                .get("/open", (request, response) -> response.send("at night"))
                .route(Method.GET, "/hours", () -> "22 to 4")
                .get("/photos/*", (request, response) -> response.send(request.path().path()))
                .get("/maps[/{sheet}]", (request, response) -> response.send("north"));
    }

    /** Sees all calls, and serves none. */
    private static void see(ServerRequest request, ServerResponse response) {
        response.next();
    }
}
