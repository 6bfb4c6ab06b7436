import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** Routes of Ktor, whose nodes know what selects them and the node above; and what its calls read bodies into. */
final class Ktor {
    /** How many nodes lie in each other. */
    private static final int DEEPEST = 100;

    /** How deep types are in others. */
    private static final int DEEPEST_TYPE = 4;

    private Ktor() { }

    /** Tells the routes of a node that has code of its own. */
    static void read(Object node, Routes routes) throws Exception {
        Deque<Object> selectors = new ArrayDeque<Object>();
        Object at = node;
        for (int i = 0; at != null && i < DEEPEST; i++) {
            selectors.push(Accessors.call(at, "getSelector"));
            at = Accessors.call(at, "getParent");
        }
        for (Object handler : handlers(node)) {
            tell(selectors, Routes.className(handler), routes);
        }
    }

    /** The code of a node; of another name in each release, as what is internal in Kotlin. */
    private static Collection<?> handlers(Object node) throws Exception {
        Object handlers = Accessors.field(node, "handlers", "handlers", "getHandlers$ktor_server_core", "getHandlers");
        return handlers instanceof Collection ? new ArrayList<Object>((Collection<?>) handlers) : Collections.emptyList();
    }

    private static void tell(Iterable<?> selectors, String handler, Routes routes) throws Exception {
        StringBuilder path = new StringBuilder();
        String verb = "";
        Operation operation = new Operation(new ArrayList<String>());
        List<String> paths = new ArrayList<String>();
        for (Object selector : selectors) {
            String kind = selector.getClass().getSimpleName();
            switch (kind) {
                case "PathSegmentConstantRouteSelector":
                    path.append('/').append(Accessors.call(selector, "getValue"));
                    break;
                case "PathSegmentOptionalParameterRouteSelector":
                case "PathSegmentTailcardRouteSelector":
                    // The path is whole without it, too.
                    paths.add(path.toString());
                    segment(selector, kind.contains("Tailcard") ? "{+" : "{", path);
                    break;
                case "PathSegmentParameterRouteSelector":
                    segment(selector, "{", path);
                    break;
                case "PathSegmentWildcardRouteSelector":
                    path.append("/{segment}");
                    break;
                case "HttpMethodRouteSelector":
                    verb = String.valueOf(Accessors.call(selector, "getMethod", "getValue"));
                    break;
                case "ConstantParameterRouteSelector":
                case "HttpHeaderRouteSelector":
                    String place = kind.startsWith("Http") ? "header" : "query";
                    String value = Schemas.quoted((String) Accessors.call(selector, "getValue"));
                    operation.demand((String) Accessors.call(selector, "getName"), place, "{\"enum\":[" + value + "]}");
                    break;
                case "ParameterRouteSelector":
                    operation.demand((String) Accessors.call(selector, "getName"), "query", "{\"type\":\"string\"}");
                    break;
                case "RootRouteSelector":
                    String root = String.valueOf(selector);
                    path.append(root.equals("/") ? "" : root);
                    break;
                case "PathSegmentRegexRouteSelector":
                    routes.note("ktor: `" + path + "` goes on with a pattern");
                    return;
                default:
                    // What is demanded beside paths and methods: accepted types, hosts, credentials.
                    break;
            }
        }
        paths.add(path.toString());
        for (String each : paths) {
            if (verb.isEmpty() || Routes.VERBS.contains(verb)) {
                routes.add(each, verb, handler, "ktor", operation.toString());
            }
        }
    }

    /** A parameter of a path, between what stands in front of it and behind it in its segment. */
    private static void segment(Object selector, String opening, StringBuilder path) throws Exception {
        path.append('/');
        for (String part : Arrays.asList("getPrefix", "getName", "getSuffix")) {
            Object text = Accessors.has(selector, part) ? Accessors.call(selector, part) : null;
            if (part.equals("getName")) {
                path.append(opening).append(text == null || text.equals("") ? "rest" : text).append('}');
            } else if (text != null) {
                path.append(text);
            }
        }
    }

    /** What a body is read into: a class of Kotlin with its arguments, or in earlier releases a type of Java. */
    static Type type(Object info) throws Exception {
        if (Accessors.has(info, "getReifiedType")) {
            return (Type) Accessors.call(info, "getReifiedType");
        }
        Object whole = Accessors.call(info, "getKotlinType");
        Type type = whole == null ? null : typeOf(whole, 0);
        return type != null ? type : (Type) Accessors.call(info, "getType", "getJClass");
    }

    /** A type of Kotlin as one of Java; null for what is no class. */
    private static Type typeOf(Object type, int depth) throws Exception {
        Object classifier = Accessors.call(type, "getClassifier");
        if (classifier == null || !Accessors.has(classifier, "getJClass") || depth > DEEPEST_TYPE) {
            return null;
        }
        Class<?> raw = (Class<?>) Accessors.call(classifier, "getJClass");
        Object[] projections = ((Collection<?>) Accessors.call(type, "getArguments")).toArray();
        Type[] arguments = new Type[projections.length];
        for (int i = 0; i < arguments.length; i++) {
            Object argument = Accessors.call(projections[i], "getType");
            Type known = argument == null ? null : typeOf(argument, depth + 1);
            arguments[i] = known == null ? Object.class : known;
        }
        return arguments.length == 0 || raw.isArray() ? raw : new Schemas.Parameterized(raw, arguments);
    }
}
