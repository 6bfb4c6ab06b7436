package read;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.gson.Gson;
import java.util.HashMap;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;

/** Reads inputs in all ways; gives what it did without hooks. */
public final class Reader {
    private Reader() {
    }

    public static String of(String use, HttpServletRequest request) {
        switch (use) {
            case "parameter": return request.getParameter("mode");
            case "header": return request.getHeader("X-Mode") + request.getHeader("X-Mode");
            case "cookies": return String.valueOf(request.getCookies().length);
            case "map": return map(request.getParameterMap());
            case "other": return map(new java.util.HashMap<>());
            case "gson": return String.valueOf(request.getInputStream()) + new Gson().fromJson("{}", Types.Fields.class);
            case "jackson": return "" + new ObjectMapper().readValue(new byte[1], 0, 1, Types.Demanding.class);
            case "text": return "" + new Gson().fromJson("x", String.class);
            case "nested": return nested(new ObjectMapper().readTree("{}"));
            case "pointed": return pointed(new ObjectMapper().readTree("{}"));
            case "missing": return missing(new ObjectMapper().readTree(""));
            case "unknown": return new ObjectNode().get("a").asText();
            case "byHand": return byHand(request.getQueryString());
            case "answers": return headers(new Exchange(), new Exchange());
            default: throw new IllegalArgumentException(use);
        }
    }

    private static String nested(JsonNode root) {
        JsonNode member = root.get("list").get(0);
        return root.get("a").get("b/c").asText() + member.get("-").asText() + new ObjectNode().get("mine").asText();
    }

    private static String pointed(JsonNode root) {
        String found = root.at("/a~1b/0/-").asText() + root.at("no pointer").asText() + new ObjectNode().at("/mine").asText();
        return found + root.findParent("deep").get("own").asText() + root.get("in").fieldNames().hasNext() + root.fieldNames().hasNext();
    }

    private static String missing(JsonNode root) {
        return root.at("/first").asText() + root.get("second").asText();
    }

    private static String byHand(String query) {
        Map<String, String> fields = new HashMap<>();
        for (String pair : query.split("&")) {
            fields.put(pair.split("=")[0], pair.split("=")[1]);
        }
        Map<String, String> others = new HashMap<>();
        return fields.get("word") + others.get("other");
    }

    private static String headers(ServerHttpRequest request, ServerHttpResponse response) {
        return request.getHeaders().getFirst("X-Asked") + response.getHeaders().getFirst("X-Given");
    }

    private static final class Exchange implements ServerHttpRequest, ServerHttpResponse {
        public HttpHeaders getHeaders() {
            return new HttpHeaders();
        }
    }

    private static String map(Map<String, String[]> map) {
        return map.get("first") + "" + map.getOrDefault("second", new String[0]).length + map.containsKey("first");
    }
}
