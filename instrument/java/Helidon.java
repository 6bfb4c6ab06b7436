import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Routes of Helidon SE, which lie in those of services; and what its header fields are called. */
final class Helidon {
    /** What the names of its classes begin with. */
    static final String PACKAGE = "io.helidon.";

    /** How many services lie in each other. */
    private static final int DEEPEST = 100;

    /** The end of a path that stands for all that is below it. */
    private static final String ALL = "/*";

    private Helidon() { }

    /** Tells the routes of a server. */
    static void read(Object routing, Routes routes) throws Exception {
        read(Accessors.field(routing, "rootRoute"), "", 0, routes);
    }

    private static void read(Object route, String above, int depth, Routes routes) throws Exception {
        String kind = route.getClass().getSimpleName();
        if (kind.equals("HttpRouteWrap") && depth < DEEPEST) {
            read(Accessors.field(route, "route"), above, depth + 1, routes);
        } else if (kind.equals("ServiceRoute") && depth < DEEPEST) {
            String path = path(Accessors.field(route, "pathMatcher"));
            // What is below a service is so with and without the end that says it.
            String below = path == null || !path.endsWith(ALL) ? path : path.substring(0, path.length() - 2);
            for (Object inner : (Collection<?>) Accessors.field(route, "routes")) {
                if (below != null) {
                    read(inner, above + below, depth + 1, routes);
                }
            }
        } else if (kind.equals("HttpRouteImpl")) {
            tell(route, above, routes);
        } else {
            routes.note("helidon: a route below `" + above + "/` is code, of " + route.getClass().getName());
        }
    }

    private static void tell(Object route, String above, Routes routes) throws Exception {
        String path = path(Accessors.field(route, "pathMatcher"));
        if (path == null) {
            routes.note("helidon: below `" + above + "/` a path is a pattern");
            return;
        }
        String handler = handler(Accessors.call(route, "handler"));
        Set<String> verbs = verbs(Accessors.field(route, "methodPredicate"));
        if (above.isEmpty() && path.equals(ALL) && verbs.isEmpty()) {
            // What sees all calls serves none.
            return;
        }
        for (String plain : ways(above + path)) {
            String described = new Operation(new ArrayList<String>(), new Template(plain, false)).toString();
            for (String verb : verbs.isEmpty() ? Arrays.asList("") : verbs) {
                if (verb.isEmpty() || Routes.VERBS.contains(verb)) {
                    routes.add(plain, verb, handler, "helidon", described);
                }
            }
        }
    }

    /** The path that a matcher was made of; null where it does not know. */
    private static String path(Object matcher) throws Exception {
        String kind = matcher.getClass().getSimpleName();
        Object known = Accessors.has(matcher, "matchingElement") ? Accessors.call(matcher, "matchingElement") : Optional.empty();
        if (kind.equals("AnyMatcher")) {
            return ALL;
        } else if (((Optional<?>) known).isPresent()) {
            return named((String) ((Optional<?>) known).get());
        }
        switch (kind) {
            case "ExactPathMatcher":
                return (String) Accessors.field(matcher, "path");
            case "PrefixPathMatcher":
                return Accessors.field(matcher, "exactMatch") + ALL;
            case "PatternPathMatcher":
                return written(matcher);
            default:
                return null;
        }
    }

    /** A path of an early release, which keeps nothing of it but an expression in which parameters are groups. */
    private static String written(Object matcher) throws Exception {
        String pattern = (String) Accessors.field(matcher, "patternString");
        for (Map.Entry<?, ?> group : ((Map<?, ?>) Accessors.field(matcher, "paramToGroupName")).entrySet()) {
            String opening = "(?<" + group.getValue() + ">";
            pattern = pattern.replace(opening + "[^/]+)", "{" + group.getKey() + "}");
            pattern = pattern.replace(opening + ".+)", "{+" + group.getKey() + "}");
        }
        // What may be missing, and signs that are quoted.
        pattern = pattern.replaceAll("\\(([^()?]*)\\)\\?", "[$1]").replaceAll("\\\\([^A-Za-z0-9])", "$1");
        return pattern.indexOf('(') < 0 && pattern.indexOf('\\') < 0 ? pattern : null;
    }

    /** A path whose parameters have names, which they need not have. */
    private static String named(String path) {
        return path.replace("{}", "{segment}").replace("{:", "{segment:");
    }

    /** What a path stands for, of which parts between brackets, and all behind its end, may be missing. */
    private static List<String> ways(String path) {
        int depth = 0;
        int start = -1;
        for (int i = 0; i < path.length(); i++) {
            depth += path.charAt(i) == '{' ? 1 : path.charAt(i) == '}' ? -1 : 0;
            start = path.charAt(i) == '[' && depth == 0 ? i : start;
        }
        int end = start < 0 ? -1 : path.indexOf(']', start);
        if (end < 0) {
            String below = path.endsWith(ALL) ? path.substring(0, path.length() - ALL.length()) : null;
            return below == null ? Arrays.asList(path) : Arrays.asList(below, below + "/" + Routes.REST);
        }
        String rest = path.substring(end + 1);
        List<String> ways = new ArrayList<String>(ways(path.substring(0, start) + rest));
        ways.addAll(ways(path.substring(0, start) + path.substring(start + 1, end) + rest));
        return ways;
    }

    /** The methods that are taken, in the order of their names; none where all are, or where the service's code says which. */
    private static Set<String> verbs(Object predicate) throws Exception {
        Set<String> verbs = new TreeSet<String>();
        if (predicate.getClass().getName().startsWith(PACKAGE) && Accessors.has(predicate, "acceptedMethods")) {
            for (Object method : (Collection<?>) Accessors.call(predicate, "acceptedMethods")) {
                verbs.add((String) Accessors.call(method, "text"));
            }
        }
        return verbs;
    }

    /** The class of what handles calls, also where Helidon has made a handler of a function. */
    private static String handler(Object handler) throws Exception {
        String name = Routes.className(handler);
        for (Field field : name.startsWith(PACKAGE) ? handler.getClass().getDeclaredFields() : new Field[0]) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                String held = Routes.className(field.get(handler));
                if (!held.isEmpty() && !held.startsWith(PACKAGE) && !held.startsWith("java.")) {
                    return held;
                }
            }
        }
        return name;
    }

    /** Whether this stands for a header field. */
    static boolean isField(Object name) {
        return name != null && name.getClass().getName().startsWith("io.helidon.http.Header");
    }

    /** What a header field is called; null where that cannot be found out. */
    static String field(Object name) {
        try {
            return (String) Accessors.call(name, "defaultCase");
        } catch (Exception unknown) {
            return null;
        }
    }
}
