package org.example.doors;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.io.IOException;

/** Undertow. */
public final class UndertowDoor {
    private UndertowDoor() {
    }

    public static void main(String[] arguments) {
        BlockingHandler handler = new BlockingHandler(exchange -> answer(exchange));
        Undertow.builder().addHttpListener(Integer.parseInt(arguments[0]), "127.0.0.1").setHandler(handler).build().start();
    }

    private static void answer(HttpServerExchange exchange) throws IOException {
        String path = exchange.getRequestPath();
        if (Door.fails(path)) {
            throw Door.failure();
        }
        if (Door.reads(path)) {
            while (exchange.getInputStream().read() >= 0) {
            }
        }
        exchange.setStatusCode(Door.status(path));
        if (Door.hasBody(Door.status(path))) {
            exchange.getResponseSender().send("open");
        }
    }
}
