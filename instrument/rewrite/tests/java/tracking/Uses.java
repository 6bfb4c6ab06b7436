package tracked;

import a.org.json.JSONObject;
import java.math.BigDecimal;
import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/** What is done with a text; run plain, as a class of the service, and as one of a library. */
public final class Uses {
    enum Colour { OCHRE, INDIGO }

    private static final List<String> ANIMALS = Arrays.asList("walrus", "tapir");
    private static final Map<String, Integer> AGES = new HashMap<>();

    static {
        AGES.put("zebra", 7);
    }

    private Uses() {
    }

    /** The use of this name, on this text. */
    public static Object of(String use, String text) throws Exception {
        switch (use) {
            case "equals": return text.equals("parrot");
            case "turned": return "parrot".equals(text);
            case "objects": return Objects.equals(text, "heron");
            case "same": return text.equals(new String(text));
            case "null": return text.equals(null);
            case "other": return "parrot".equals("heron");
            case "compareTo": return text.compareTo("quail") == 0;
            case "case": return text.equalsIgnoreCase("Ostrich");
            case "begin": return text.startsWith("lynx") || text.startsWith("lynx", 1);
            case "beginMark": return text.startsWith("#{");
            case "end": return text.endsWith("hare");
            case "part": return text.contains("newt") || text.indexOf("moth", 1) >= 0;
            case "list": return ANIMALS.contains(text);
            case "set": return new TreeSet<>(ANIMALS).contains(text);
            case "inMap": return AGES.containsKey(text);
            case "default": return AGES.getOrDefault(text, 3);
            case "switch": return of(text);
            case "enum": return Colour.valueOf(text);
            case "matches": return text.matches("[a-f]{3}");
            case "static": return Pattern.matches("[a-f]+", text);
            case "matcher": return Pattern.compile("x.y", Pattern.CASE_INSENSITIVE | Pattern.DOTALL).matcher(text).matches();
            case "find": return Pattern.compile("x[0-9]y").matcher(text).find();
            case "boolean": return Boolean.parseBoolean(text);
            case "int": return Integer.parseInt(text);
            case "radix": return Long.parseLong(text, 16);
            case "decimal": return new BigDecimal(text);
            case "date": return LocalDate.parse(text);
            case "formatter": return LocalDate.parse(text, DateTimeFormatter.ofPattern("dd.MM.yyyy"));
            case "format": return new SimpleDateFormat("yyyy/MM").parse(text);
            case "uuid": return UUID.fromString(text);
            case "base64": return Base64.getDecoder().decode(text).length;
            case "split": return text.split(" ").length + (text.split(" ", 2).length << 4);
            case "splitting": return Pattern.compile("[ ,]").split(text).length;
            case "url": return java.net.URLDecoder.decode(text, "UTF-8");
            case "char": return text.indexOf('#') + text.lastIndexOf('#');
            case "region": return text.regionMatches(true, 8, "xVOLEx", 1, 4);
            case "short": return text.regionMatches(12, "a vole", 0, 6);
            case "piece": return text.substring(8).equals("moth");
            case "pieceIn": return new TreeSet<>(ANIMALS).contains(text.substring(0, 7));
            case "pieceOf": return text.substring(2, 6).matches("[a-f]+");
            case "holding": return ("<" + text + ">").equals("<moth>");
            case "holdingKey": return AGES.containsKey("zeb" + text);
            case "holdingOther": return ("<" + text + ">").equals("(moth)");
            case "holdingIn": return ("{\"a\":\"" + text + "\"}").contains("moth");
            case "holdingQuoted": return ("{\"a\":\"" + text + "\"}").contains("\"moth\"");
            case "tree": return tree(new JSONObject().put("restive-key:/a", 1)) + tree(new JSONObject().put("quail", 2));
            default: throw new IllegalArgumentException(use);
        }
    }

    private static String tree(JSONObject tree) {
        return tree.opt("beside") + ", " + tree.has("other") + ", " + tree.has("restive-key:/a");
    }

    private static String of(String text) {
        switch (text) {
            case "gnu": return "a gnu";
            case "yak": return "a yak";
            default: return "none";
        }
    }
}
