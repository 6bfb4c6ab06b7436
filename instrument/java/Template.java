import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/**
 * A path with parameters as frameworks write it, and as OpenAPI does.
 *
 * <p>Behind a colon stands the regular expression that a value matches (Jakarta RESTful Web Services 4.0, 3.4; Spring's
 * {@code PathPattern}).
 */
final class Template {
    /** Texts of which an expression that takes slashes takes one. */
    private static final String[] WITH_SLASHES = {"a/a", "a/", "/a", "1/1", "1/"};

    /**
     * As OpenAPI has it: from its slash on, without expressions. A parameter that takes slashes as well has a plus in front of its
     * name, as in RFC 6570; where expressions are of whole paths, they tell which these are. Any number of segments at the end are
     * such a parameter.
     */
    final String plain;

    /** The expressions of parameters by their names. */
    private final Map<String, String> expressions = new LinkedHashMap<String, String>();

    Template(String path, boolean isOfPaths) {
        StringBuilder text = new StringBuilder("/");
        int depth = 0;
        int expression = -1;
        for (int i = 0; i < path.length(); i++) {
            char next = path.charAt(i);
            depth += next == '{' ? 1 : next == '}' ? -1 : 0;
            if (expression < 0 && (depth > 0 && next == ':' || depth > 1)) {
                expression = i + 1;
            } else if (expression >= 0 && depth == 0) {
                String matched = path.substring(expression, i).trim();
                int name = text.lastIndexOf("{") + 1;
                expressions.put(text.substring(name), matched);
                if (isOfPaths && takesSlashes(matched)) {
                    text.insert(name, '+');
                }
                expression = -1;
            }
            char last = text.charAt(text.length() - 1);
            if (expression >= 0 || next == '/' && last == '/' || depth > 0 && next == ' ') {
                continue;
            }
            text.append(last == '{' && next == '*' ? '+' : next);
        }
        int end = text.length() > 1 && text.charAt(text.length() - 1) == '/' ? text.length() - 1 : text.length();
        String whole = text.substring(0, end);
        plain = whole.endsWith("/**") ? whole.substring(0, end - 2) + Routes.REST : whole;
    }

    /**
     * What of a path (see {@link #plain}) is below another one, which its parameters may stand for; null where nothing is. Below
     * {@code /v2}, for {@code /{version}/apps}, that is {@code /v2/apps}.
     */
    static String within(String path, String below) {
        String[] given = path.split("/");
        String[] wanted = below.split("/");
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < given.length || i < wanted.length; i++) {
            String segment = i < given.length ? given[i] : "";
            if (i < wanted.length) {
                boolean isParameter = segment.startsWith("{") && segment.indexOf('}') == segment.length() - 1;
                if (!segment.equals(wanted[i]) && (!isParameter || segment.startsWith("{+"))) {
                    return null;
                }
                segment = wanted[i];
            }
            text.append('/').append(segment);
        }
        return text.length() > 0 ? text.toString() : path;
    }

    /** Whether there is a parameter of this name. */
    boolean has(String name) {
        return plain.contains("{" + name + "}") || plain.contains("{+" + name + "}");
    }

    /** The names of parameters that have expressions. */
    Iterable<String> matched() {
        return expressions.keySet();
    }

    /** The schema of a parameter with what its expression says of texts of which nothing else is known, and of numbers. */
    String narrowed(String name, String schema) {
        String expression = expressions.get(name);
        boolean isText = schema.equals("{\"type\":\"string\"}");
        boolean isNumber = schema.endsWith("\"type\":\"integer\"}") && !schema.contains("\"minimum\"");
        if (expression == null || !isText && !isNumber || takes(expression, "%~") || isNumber && takes(expression, "-1")) {
            return schema;
        }
        String keyword = isText ? "\"pattern\":" + Schemas.quoted("^(?:" + expression + ")$") : "\"minimum\":0";
        return "{" + keyword + "," + schema.substring(1);
    }

    private static boolean takesSlashes(String expression) {
        for (String text : WITH_SLASHES) {
            if (takes(expression, text)) {
                return true;
            }
        }
        return false;
    }

    private static boolean takes(String expression, String text) {
        try {
            return text.matches(expression);
        } catch (PatternSyntaxException unreadable) {
            return false;
        }
    }
}
