package org.example.doors;

import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import org.reactivestreams.Publisher;

/** Reactor Netty, which WebFlux uses. */
public final class ReactorDoor {
    private ReactorDoor() {
    }

    public static void main(String[] arguments) {
        HttpServer server = HttpServer.create().host("127.0.0.1").port(Integer.parseInt(arguments[0]));
        server.handle(ReactorDoor::answer).bindNow().onDispose().block();
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        String path = request.uri();
        // WebFlux answers for a handler that throws.
        int status = Door.fails(path) ? 500 : Door.status(path);
        response.status(status);
        if (Door.reads(path)) {
            return request.receive().aggregate().then(response.sendString(Mono.just("open")).then());
        }
        return Door.hasBody(status) ? response.sendString(Mono.just("open")) : response.send();
    }
}
