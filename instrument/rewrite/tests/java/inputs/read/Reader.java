package read;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;

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
            default: throw new IllegalArgumentException(use);
        }
    }

    private static String map(Map<String, String[]> map) {
        return map.get("first") + "" + map.getOrDefault("second", new String[0]).length + map.containsKey("first");
    }
}
