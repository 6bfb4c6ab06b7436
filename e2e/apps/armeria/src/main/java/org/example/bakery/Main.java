package org.example.bakery;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.logging.LoggingService;

/** A bakery, on the port that the first argument names. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        Server server = Server.builder()
                .http(Integer.parseInt(arguments[0]))
                .annotatedService("/shop", new Bakery(), LoggingService.newDecorator().andThen(Main::awake))
                .route().get("/open").build((context, request) -> HttpResponse.of("from six on"))
                .serviceUnder("/files", (context, request) -> HttpResponse.of(404))
                .build();
        server.start().join();
        System.out.println("a bakery at " + server.activeLocalPort());
    }

    /** A decorator that nobody can look through but by what it holds. */
    private static HttpService awake(HttpService baker) {
        return (context, request) -> context.method() == HttpMethod.TRACE ? HttpResponse.of(405) : baker.serve(context, request);
    }
}
