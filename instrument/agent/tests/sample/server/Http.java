package server;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Calls of the JDK's HTTP server. */
public final class Http {
    private Http() {
    }

    /** Starts it; gives its port. */
    public static int start(Function<String, String> answers) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            // Nobody wants it; who reads it is asked for.
            exchange.getRequestHeaders().getFirst("X-Mode");
            byte[] answer = answers.apply(exchange.getRequestURI().toString()).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(2, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        return server.getAddress().getPort();
    }
}
