package org.example.zoo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/** Opens each cage of the zoo as an operation: status 418 when its hidden side was reached, else 204. */
public final class Main {
    private static final int NOTHING_TO_SEE = 204;
    private static final int SEEN = 418;

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/openapi.json", exchange -> answer(exchange, 200, schema()));
        for (Map.Entry<String, Predicate<String>> cage : Zoo.TEXTS.entrySet()) {
            server.createContext("/" + cage.getKey(), exchange -> show(exchange, () -> cage.getValue().test(value(exchange))));
        }
        for (Map.Entry<String, Predicate<Integer>> cage : Zoo.NUMBERS.entrySet()) {
            server.createContext("/" + cage.getKey(), exchange -> show(exchange, () -> {
                return cage.getValue().test(Integer.valueOf(value(exchange)));
            }));
        }
        server.start();
    }

    private interface Look {
        boolean isSeen() throws IOException;
    }

    private static void show(HttpExchange exchange, Look look) throws IOException {
        int status;
        try {
            status = look.isSeen() ? SEEN : NOTHING_TO_SEE;
        } catch (NumberFormatException e) {
            status = 400;
        }
        answer(exchange, status, "");
    }

    /** The value of the query's only parameter; empty when there is none. */
    private static String value(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        int start = query == null ? -1 : query.indexOf('=');
        return start < 0 ? "" : URLDecoder.decode(query.substring(start + 1), "UTF-8");
    }

    private static String schema() {
        StringBuilder paths = new StringBuilder();
        for (String name : Zoo.TEXTS.keySet()) {
            path(paths, name, "{\"type\":\"string\",\"maxLength\":40}");
        }
        for (String name : Zoo.NUMBERS.keySet()) {
            path(paths, name, "{\"type\":\"integer\",\"format\":\"int32\"}");
        }
        return "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Flag zoo\",\"version\":\"1\"},\"paths\":{" + paths + "}}";
    }

    private static void path(StringBuilder paths, String name, String schema) {
        paths.append(paths.length() > 0 ? "," : "").append("\"/").append(name)
                .append("\":{\"get\":{\"parameters\":[{\"name\":\"value\",\"in\":\"query\",\"required\":true,\"schema\":")
                .append(schema).append("}],\"responses\":{\"204\":{\"description\":\"nothing to see\"},")
                .append("\"400\":{\"description\":\"no number\"},\"418\":{\"description\":\"seen\"}}}}");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
        }
        boolean isBare = bytes.length == 0 || exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isBare ? -1 : bytes.length);
        if (!isBare) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
