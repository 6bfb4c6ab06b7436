package org.example.unnamed;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import jakarta.json.Json;
import jakarta.json.JsonNumber;
import jakarta.json.JsonObject;
import jakarta.json.JsonString;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.json.JSONObject;

/** The HTTP server of the JDK: everything is taken apart by hand. */
final class JdkDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Gson GSON = new GsonBuilder().registerTypeAdapterFactory(new RuntimeTypeAdapterFactory(
            Cargo.Load.class, "sort").with(Cargo.Fruit.class, "soft-fruit").with(Cargo.Steel.class, "old-steel")).create();

    static {
        MAPPER.registerSubtypes(Cargo.Fruit.class);
        MAPPER.registerSubtypes(new NamedType(Cargo.Steel.class, "bare-steel"));
    }

    private static final tools.jackson.databind.ObjectMapper LATER = new tools.jackson.databind.json.JsonMapper();

    /** What a library demands of an object; each part is asked for once those before are right. */
    private static final List<JsonSchema> DEMANDS = demands(
            "{'required': ['edition']}",
            "{'properties': {'edition': {'pattern': '^v[34]'}}}",
            "{'required': ['berth']}",
            "{'properties': {'berth': {'type': 'object'}}}");

    /** The same of each value of a map in it. */
    private static final List<JsonSchema> DEMANDS_OF_MAP = demands(
            "{'required': ['decks']}",
            "{'properties': {'decks': {'type': 'object', 'minProperties': 1}}}",
            "{'properties': {'decks': {'additionalProperties': {'type': 'object', 'required': ['hatches']}}}}");

    private static final JsonPointer HEIGHT = JsonPointer.compile("/crates/0/height");

    private interface Desk {
        int serve(HttpExchange exchange) throws IOException;
    }

    private JdkDoor() {
    }

    static void open(int port) throws IOException, ReflectiveOperationException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        put(server, "/query", exchange -> Rules.of("query", fields(exchange.getRequestURI().getQuery()).get("word")));
        put(server, "/query-loop", exchange -> loop(exchange.getRequestURI().getRawQuery()));
        put(server, "/header", exchange -> Rules.of("header", exchange.getRequestHeaders().getFirst("X-Deck")));
        put(server, "/cookie", exchange -> Rules.of("cookie", cookie(exchange, "crumb")));
        put(server, "/form", exchange -> Rules.of("form", fields(text(exchange)).get("sort")));
        put(server, "/text", exchange -> Rules.of("text", text(exchange)));
        put(server, "/body", exchange -> Rules.of(MAPPER.readValue(exchange.getRequestBody(), Crate.class)));
        put(server, "/tree/jackson", exchange -> jackson(MAPPER.readTree(text(exchange))));
        put(server, "/tree/gson", exchange -> gson(JsonParser.parseString(text(exchange)).getAsJsonObject()));
        put(server, "/tree/org-json", exchange -> orgJson(new JSONObject(text(exchange))));
        put(server, "/tree/pointer", exchange -> pointer(MAPPER.readTree(text(exchange))));
        put(server, "/tree/query/org-json", exchange -> query(new JSONObject(text(exchange))));
        put(server, "/tree/value/json-p", exchange -> value(Json.createReader(exchange.getRequestBody()).readObject()));
        put(server, "/tree/jackson-3", exchange -> jackson(LATER.readTree(text(exchange))));
        put(server, "/body/jackson-3", exchange -> Rules.of(LATER.readValue(exchange.getRequestBody(), Crate.class)));
        put(server, "/tree/inner/jackson", exchange -> loop(MAPPER.readTree(text(exchange)).get("stack").get(0)));
        put(server, "/tree/inner/jackson-3", exchange -> later(LATER.readTree(text(exchange)).get("crate")));
        put(server, "/tree/inner/gson",
                exchange -> loop(JsonParser.parseString(text(exchange)).getAsJsonObject().getAsJsonObject("crate")));
        put(server, "/tree/find", exchange -> find(MAPPER.readTree(text(exchange))));
        put(server, "/tree/loop/jackson", exchange -> loop(MAPPER.readTree(text(exchange))));
        put(server, "/tree/loop/gson", exchange -> loop(JsonParser.parseString(text(exchange)).getAsJsonObject()));
        put(server, "/tree/library", exchange -> demanded(DEMANDS, MAPPER.readTree(text(exchange)).get("details")));
        put(server, "/tree/library/map",
                exchange -> demanded(DEMANDS_OF_MAP, MAPPER.readTree(text(exchange)).get("details")));
        put(server, "/subtypes", exchange -> MAPPER.readValue(exchange.getRequestBody(), Vehicle.class).isHeavy() ? 418 : 200);
        put(server, "/valid", exchange -> Rules.ofValid(MAPPER.readValue(exchange.getRequestBody(), Guest.class)));
        put(server, "/members", exchange -> Rules.ofValid(MAPPER.readValue(exchange.getRequestBody(), Manifest.class)));
        put(server, "/beside", exchange -> status(MAPPER.readValue(exchange.getRequestBody(), Cargo.Box.class).content));
        put(server, "/in-array", exchange -> MAPPER.readValue(exchange.getRequestBody(), Cargo.Crane.class).status());
        put(server, "/registered/jackson", exchange -> status(MAPPER.readValue(exchange.getRequestBody(), Cargo.Load.class)));
        put(server, "/registered/gson", exchange -> status(GSON.fromJson(text(exchange), Cargo.Load.class)));
        put(server, "/keys", exchange -> keys(MAPPER.readValue(exchange.getRequestBody(), Map.class)));
        put(server, "/once", exchange -> Hold.crate(exchange.getRequestBody()));
        Method twice = Twice.loaded();
        put(server, "/twice", exchange -> {
            try {
                return (int) twice.invoke(null, exchange.getRequestBody());
            } catch (ReflectiveOperationException failure) {
                return 400;
            }
        });
        server.start();
    }

    private static void put(HttpServer server, String path, Desk desk) {
        server.createContext(path, exchange -> {
            int status;
            try {
                status = desk.serve(exchange);
            } catch (RuntimeException | IOException failure) {
                status = 400;
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
    }

    private static List<JsonSchema> demands(String... schemas) {
        JsonSchemaFactory factory = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7);
        return Stream.of(schemas).map(schema -> factory.getSchema(schema.replace('\'', '"'))).toList();
    }

    private static int demanded(List<JsonSchema> demands, JsonNode details) {
        boolean isMet = details.isObject() && demands.stream().allMatch(schema -> schema.validate(details).isEmpty());
        return isMet ? 418 : 400;
    }

    private static Map<String, String> fields(String query) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : (query == null ? "" : query).split("&")) {
            String[] halves = pair.split("=", 2);
            if (halves.length == 2) {
                fields.put(halves[0], URLDecoder.decode(halves[1], StandardCharsets.UTF_8));
            }
        }
        return fields;
    }

    private static int loop(String query) {
        int status = 400;
        for (String pair : (query == null ? "" : query).split("&")) {
            int end = pair.indexOf('=');
            String name = end < 0 ? pair : pair.substring(0, end);
            switch (name) {
                case "word" -> status = Rules.of("query", pair.substring(end + 1));
                case "other" -> status = 200;
                default -> {
                }
            }
        }
        return status;
    }

    private static String cookie(HttpExchange exchange, String name) {
        String field = exchange.getRequestHeaders().getFirst("Cookie");
        for (String cookie : (field == null ? "" : field).split("; ")) {
            String[] halves = cookie.split("=", 2);
            if (halves[0].equals(name) && halves.length == 2) {
                return halves[1];
            }
        }
        return null;
    }

    private static String text(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static int status(Cargo.Load load) {
        return load == null ? 400 : load.status();
    }

    /** Goes through whatever keys there are. */
    private static int keys(Map<?, ?> body) {
        int status = 200;
        for (Object key : body.keySet()) {
            status = body.get(key) == null ? 400 : status;
        }
        return status;
    }

    private static int jackson(JsonNode root) {
        JsonNode first = root.get("stack").get(0);
        return first.get("marks").get("owner").asText().equals("jonas") && root.get("stack").size() < 9 ? 418 : 200;
    }

    private static int pointer(JsonNode root) {
        boolean isHigh = root.at(HEIGHT).asInt() > 5;
        return root.at("/crate/marks/owner").asText().equals("jonas") && isHigh ? 418 : 200;
    }

    private static int query(JSONObject root) {
        Object height = root.optQuery("/crates/0/height");
        boolean isHigh = height instanceof Number && ((Number) height).intValue() > 5;
        return "jonas".equals(root.query("/crate/marks/owner")) && isHigh ? 418 : 200;
    }

    private static int value(JsonObject root) {
        boolean isHigh = ((JsonNumber) root.getValue("/crates/0/height")).intValue() > 5;
        return ((JsonString) root.getValue("/crate/marks/owner")).getString().equals("jonas") && isHigh ? 418 : 200;
    }

    private static int jackson(tools.jackson.databind.JsonNode root) {
        boolean isHigh = root.at("/crates/0/height").asInt() > 5;
        return root.get("stack").get(0).get("owner").asString().equals("jonas") && isHigh ? 418 : 200;
    }

    private static int later(tools.jackson.databind.JsonNode crate) {
        int status = 400;
        for (Map.Entry<String, tools.jackson.databind.JsonNode> property : crate.properties()) {
            if (property.getKey().equals("owner")) {
                status = property.getValue().asString().equals("jonas") ? 418 : 200;
            }
        }
        return status;
    }

    private static int find(JsonNode root) {
        List<JsonNode> owners = root.findValues("owner");
        return !owners.isEmpty() && owners.get(0).asText().equals("jonas") ? 418 : 200;
    }

    private static int loop(JsonNode root) {
        int status = 400;
        for (Iterator<Map.Entry<String, JsonNode>> fields = root.fields(); fields.hasNext();) {
            Map.Entry<String, JsonNode> field = fields.next();
            if (field.getKey().equals("owner")) {
                status = field.getValue().asText().equals("jonas") ? 418 : 200;
            }
        }
        return status;
    }

    private static int loop(com.google.gson.JsonObject root) {
        int status = 400;
        for (Map.Entry<String, JsonElement> field : root.entrySet()) {
            switch (field.getKey()) {
                case "owner" -> status = field.getValue().getAsString().equals("jonas") ? 418 : 200;
                case "other" -> status = 200;
                default -> {
                }
            }
        }
        return status;
    }

    private static int gson(com.google.gson.JsonObject root) {
        com.google.gson.JsonObject marks = root.getAsJsonObject("crate").getAsJsonObject("marks");
        return marks.get("owner").getAsString().equals("jonas") && marks.get("height").getAsInt() > 5 ? 418 : 200;
    }

    private static int orgJson(JSONObject root) {
        JSONObject marks = root.getJSONObject("crate").getJSONObject("marks");
        return marks.getString("owner").equals("jonas") && marks.getInt("height") > 5 ? 418 : 200;
    }
}
