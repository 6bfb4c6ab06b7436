package sample;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A service without a framework; the comments say what the test expects of each line. */
public final class Sample {
    private Sample() {
    }

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer;
            int status = 200;
            try {
                answer = answer(exchange.getRequestURI().getPath(), exchange.getRequestURI().getQuery()).getBytes();
            } catch (Error stopped) {
                status = 500;
                answer = String.valueOf(stopped.getMessage()).getBytes();
            }
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(2, work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        System.out.println("port " + server.getAddress().getPort()); // boot
    }

    private static String answer(String path, String query) throws Error {
        switch (path) { // switch
            case "/number":
                return number(Integer.parseInt(query));
            case "/word":
                return word(query);
            case "/exit":
                System.exit(3); // exit
                return "not reached";
            case "/loop":
                return loop();
            default:
                return "nothing";
        }
    }

    private static String number(int x) {
        if (x == 42) { // jump
            return "found";
        }
        return "no"; // no
    }

    private static String word(String word) {
        return "hello " + word;
    }

    private static String loop() {
        long sum = 0;
        for (long round = 0; round < Long.MAX_VALUE; round++) { // loop
            sum += round % 7;
        }
        return "sum " + sum;
    }
}
