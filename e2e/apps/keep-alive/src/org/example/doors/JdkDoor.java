package org.example.doors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** The server of the JDK. */
public final class JdkDoor {
    private JdkDoor() {
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 0);
        server.createContext("/", JdkDoor::answer);
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (Door.reads(path)) {
            while (exchange.getRequestBody().read() >= 0) {
            }
        }
        // Nobody answers for a handler that throws.
        int status = Door.fails(path) ? 500 : Door.status(path);
        byte[] body = "open".getBytes();
        exchange.sendResponseHeaders(status, Door.hasBody(status) ? body.length : -1);
        if (Door.hasBody(status)) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }
}
