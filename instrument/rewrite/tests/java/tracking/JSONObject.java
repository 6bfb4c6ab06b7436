package a.org.json;

import java.util.HashMap;
import java.util.Map;

/** An object of a JSON library that its jar has below a package of its own. */
public final class JSONObject {
    private final Map<String, Object> map = new HashMap<>();

    public JSONObject put(String key, Object value) {
        map.put(key, value);
        return this;
    }

    public Object opt(String key) {
        return key == null ? null : map.get(key);
    }

    public boolean has(String key) {
        return map.containsKey(key);
    }
}
