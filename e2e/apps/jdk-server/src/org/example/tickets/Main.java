package org.example.tickets;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/** The office's counter: reads requests, asks the office, writes answers. */
public final class Main {
    private interface Desk {
        int serve(Map<String, String> query);
    }

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/openapi.json", exchange -> answer(exchange, 200, Schema.TEXT));
        open(server, "/discounts", query -> Office.discount(number(query, "code")));
        open(server, "/seats", query -> Office.seat(number(query, "row"), number(query, "seat")));
        open(server, "/shares", query -> Office.share(number(query, "sum"), number(query, "among")));
        open(server, "/closing", query -> Office.close(number(query, "hour")));
        open(server, "/loops", query -> Office.loop(number(query, "times")));
        server.start();
    }

    private static void open(HttpServer server, String path, Desk desk) {
        server.createContext(path, exchange -> {
            int status;
            try {
                status = desk.serve(parse(exchange.getRequestURI().getRawQuery()));
            } catch (NumberFormatException e) {
                status = 400;
            } catch (Throwable e) {
                status = 500;
            }
            answer(exchange, status, "{\"status\": " + status + "}");
        });
    }

    private static int number(Map<String, String> query, String name) {
        return Integer.parseInt(query.getOrDefault(name, ""));
    }

    private static Map<String, String> parse(String query) {
        Map<String, String> values = new HashMap<>();
        for (String pair : (query == null ? "" : query).split("&")) {
            int end = pair.indexOf('=');
            if (end > 0) {
                values.put(pair.substring(0, end), pair.substring(end + 1));
            }
        }
        return values;
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, isHead ? -1 : bytes.length);
        if (!isHead) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }
}
