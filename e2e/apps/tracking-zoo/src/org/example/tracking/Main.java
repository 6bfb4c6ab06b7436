package org.example.tracking;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Opens each row of the zoo as an operation: status 418 when its hidden side was reached, 400 for what it cannot use, else 204.
 * The first call of each row that reached it is told on standard output, with its number among all calls of rows. */
public final class Main {
    private static final int NOTHING_TO_SEE = 204;
    private static final int UNUSABLE = 400;
    private static final int SEEN = 418;
    private static final AtomicInteger CALLS = new AtomicInteger();
    private static final Set<String> SEEN_ROWS = ConcurrentHashMap.newKeySet();

    private Main() {
    }

    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/openapi.json", exchange -> answer(exchange, 200, schema()));
        for (Map.Entry<String, Zoo.Row> row : Zoo.ROWS.entrySet()) {
            server.createContext("/" + row.getKey(), exchange -> show(exchange, row.getKey(), row.getValue()));
        }
        server.start();
    }

    private static void show(HttpExchange exchange, String name, Zoo.Row row) throws IOException {
        int call = CALLS.incrementAndGet();
        int status;
        try {
            status = row.look.isSeen(values(exchange, row.place)) ? SEEN : NOTHING_TO_SEE;
        } catch (Exception e) {
            status = UNUSABLE;
        }
        if (status == SEEN && SEEN_ROWS.add(name)) {
            System.out.println(name + " was seen by call " + call);
        }
        answer(exchange, status, "");
    }

    private static String[] values(HttpExchange exchange, Place place) throws IOException {
        switch (place) {
            case HEADER: return new String[] {exchange.getRequestHeaders().getFirst("X-Value")};
            case COOKIE: return new String[] {after(exchange.getRequestHeaders().getFirst("Cookie"), '=')};
            case PATH: return new String[] {after(exchange.getRequestURI().getPath().substring(1), '/')};
            case FORM: return new String[] {decoded(after(body(exchange), '='))};
            case FIELD: return new String[] {text(fields(Json.read(body(exchange))).get("value"))};
            case NESTED: {
                Object inner = fields(fields(Json.read(body(exchange))).get("outer")).get("inner");
                return new String[] {text(fields(inner).get("value"))};
            }
            case MEMBER: return texts((List<?>) fields(Json.read(body(exchange))).get("values"));
            case ENTRY: return new String[] {text(fields(Json.read(body(exchange))).values().iterator().next())};
            case KEYS: return fields(Json.read(body(exchange))).keySet().toArray(new String[0]);
            case LABELS: return new String[] {text(fields(fields(Json.read(body(exchange))).get("labels")).get("habitat"))};
            case DETAILS: {
                Object nest = fields(fields(Json.read(body(exchange))).get("details")).get("nest");
                return new String[] {text(fields(nest).get("lining"))};
            }
            default: return query(exchange.getRequestURI().getRawQuery());
        }
    }

    private static String[] query(String query) throws IOException {
        String[] pairs = query.split("&");
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = decoded(after(pairs[i], '='));
        }
        return pairs;
    }

    private static String after(String text, char separator) {
        return text.substring(text.indexOf(separator) + 1);
    }

    private static String decoded(String text) throws IOException {
        return URLDecoder.decode(text, "UTF-8");
    }

    private static Map<?, ?> fields(Object json) {
        return (Map<?, ?>) json;
    }

    private static String text(Object json) {
        return (String) json;
    }

    private static String[] texts(List<?> json) {
        return json.toArray(new String[0]);
    }

    private static String body(HttpExchange exchange) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        InputStream body = exchange.getRequestBody();
        for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
            read.write(buffer, 0, n);
        }
        return new String(read.toByteArray(), StandardCharsets.UTF_8);
    }

    private static String schema() {
        StringBuilder paths = new StringBuilder();
        for (Map.Entry<String, Zoo.Row> row : Zoo.ROWS.entrySet()) {
            Place place = row.getValue().place;
            paths.append(paths.length() > 0 ? "," : "").append("\"/").append(row.getKey())
                    .append(place == Place.PATH ? "/{value}" : "")
                    .append("\":{\"").append(place.isBody() ? "post" : "get").append("\":{").append(place.operation())
                    .append(",\"responses\":{\"204\":{\"description\":\"nothing to see\"},")
                    .append("\"400\":{\"description\":\"of no use\"},\"418\":{\"description\":\"seen\"}}}}");
        }
        return "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Tracking zoo\",\"version\":\"1\"},\"paths\":{" + paths + "}}";
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
