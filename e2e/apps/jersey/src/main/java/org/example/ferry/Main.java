package org.example.ferry;

import com.sun.net.httpserver.HttpServer;
import java.net.URI;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/** Ferries, on the port that the first argument names. */
public final class Main {
    private Main() {
    }

    public static void main(String[] arguments) {
        ResourceConfig config = new ResourceConfig(Ferries.class, Office.class, Signals.class).register(JacksonFeature.class);
        URI address = URI.create("http://127.0.0.1:" + Integer.parseInt(arguments[0]) + "/");
        HttpServer server = JdkHttpServerFactory.createHttpServer(address, config);
        System.out.println("ferries at " + server.getAddress());
    }
}
