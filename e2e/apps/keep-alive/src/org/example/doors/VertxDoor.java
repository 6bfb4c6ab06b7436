package org.example.doors;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;

/** Vert.x 3 to 5, and through it Netty. */
public final class VertxDoor {
    private VertxDoor() {
    }

    public static void main(String[] arguments) {
        int port = Integer.parseInt(arguments[0]);
        Vertx.vertx().createHttpServer().requestHandler(VertxDoor::answer).listen(port, "127.0.0.1");
    }

    private static void answer(HttpServerRequest request) {
        String path = request.path();
        // Without a router nobody answers for a handler that throws.
        int status = Door.fails(path) ? 500 : Door.status(path);
        request.response().setStatusCode(status);
        if (Door.reads(path)) {
            request.bodyHandler(body -> request.response().end("open"));
        } else if (Door.hasBody(status)) {
            request.response().end("open");
        } else {
            request.response().end();
        }
    }
}
