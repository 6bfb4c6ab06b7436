import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Routes of Spring's router functions, which a mapping shows to whoever visits it: predicates of paths, methods, header fields
 * and parameters, that nest and are joined by *and* and *or*.
 *
 * <p>This is visitor of functions and of predicates at once. No predicate is tested, no handler is called.
 */
final class Functional implements InvocationHandler {
    /** How many ways there are to meet a predicate; the others are left out. */
    private static final int MOST_WAYS = 100;

    private final Routes routes;
    private final Collection<String> below;
    /** The ways to meet what is nested around the next route, the outermost last. */
    private final Deque<List<Way>> around = new ArrayDeque<List<Way>>();
    /** The ways to meet the parts of the predicate that is being visited, the latest first. */
    private final Deque<List<Way>> parts = new ArrayDeque<List<Way>>();

    private Functional(Collection<String> below, Routes routes) {
        this.below = below;
        this.routes = routes;
    }

    /** Whether the mapping is one of router functions. */
    static boolean is(Object mapping) {
        return Accessors.has(mapping, "getRouterFunction");
    }

    /** Tells the routes of a mapping, whose paths are below these. */
    static void read(Object mapping, Collection<String> below, Routes routes) throws Exception {
        Object functions = Accessors.call(mapping, "getRouterFunction");
        if (functions != null) {
            new Functional(below, routes).visit(functions, "RouterFunctions$Visitor");
        }
    }

    /** Has an object of Spring show itself to this. */
    private void visit(Object shown, String visitor) throws Exception {
        for (Class<?> type : interfaces(shown.getClass(), new ArrayList<Class<?>>())) {
            for (Method accept : type.getMethods()) {
                Class<?>[] taken = accept.getParameterTypes();
                if (accept.getName().equals("accept") && taken.length == 1 && taken[0].getName().endsWith("." + visitor)) {
                    accept.setAccessible(true);
                    accept.invoke(shown, Proxy.newProxyInstance(taken[0].getClassLoader(), new Class<?>[] {taken[0]}, this));
                    return;
                }
            }
        }
    }

    private static List<Class<?>> interfaces(Class<?> type, List<Class<?>> found) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                found.add(above);
                interfaces(above, found);
            }
        }
        return found;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Exception {
        switch (method.getName()) {
            case "startNested":
                List<Way> outer = around.isEmpty() ? Collections.singletonList(new Way()) : around.peek();
                around.push(joined(outer, ways(arguments[0])));
                break;
            case "endNested":
                around.pop();
                break;
            case "route":
                route(arguments[0], arguments[1]);
                break;
            case "method":
                part().verbs = Accessors.texts(arguments[0]);
                break;
            case "path":
                part().path = (String) arguments[0];
                break;
            case "header":
                demand("header", arguments);
                break;
            case "param":
            case "queryParam":
                demand("query", arguments);
                break;
            case "endAnd":
                List<Way> right = parts.pop();
                parts.push(joined(parts.pop(), right));
                break;
            case "endOr":
                List<Way> other = new ArrayList<Way>(parts.pop());
                other.addAll(0, parts.pop());
                parts.push(other.subList(0, Math.min(other.size(), MOST_WAYS)));
                break;
            case "endNegate":
                // What must not be is seldom met by chance.
                parts.pop();
                part();
                break;
            case "unknown":
                unknown(arguments[0], method.getParameterTypes()[0].getSimpleName().equals("RequestPredicate"));
                break;
            case "pathExtension":
            case "version":
                part();
                break;
            case "hashCode":
                return System.identityHashCode(this);
            case "equals":
                return proxy == arguments[0];
            case "toString":
                return "routes";
            default:
                break;
        }
        return null;
    }

    /** A part of a predicate that one way meets. */
    private Way part() {
        Way way = new Way();
        parts.push(Collections.singletonList(way));
        return way;
    }

    private void demand(String place, Object[] nameAndValue) {
        part().demands.add(new String[] {place, String.valueOf(nameAndValue[0]), String.valueOf(nameAndValue[1])});
    }

    private void unknown(Object shown, boolean isPredicate) {
        routes.note("spring: " + (isPredicate ? "a predicate of routes" : "a function of routes") + " is code, of "
                + Routes.className(shown));
        if (isPredicate) {
            part();
        }
    }

    /** The ways to meet a predicate. */
    private List<Way> ways(Object predicate) throws Exception {
        visit(predicate, "RequestPredicates$Visitor");
        return parts.isEmpty() ? Collections.singletonList(new Way()) : parts.pop();
    }

    private static List<Way> joined(List<Way> left, List<Way> right) {
        List<Way> all = new ArrayList<Way>();
        for (Way one : left) {
            for (Way other : right) {
                if (all.size() < MOST_WAYS) {
                    all.add(new Way(one, other));
                }
            }
        }
        return all;
    }

    private void route(Object predicate, Object handler) throws Exception {
        List<Way> outer = around.isEmpty() ? Collections.singletonList(new Way()) : around.peek();
        String served = Routes.className(handler);
        // What Kotlin's router makes of a function of the service is Spring's.
        served = served.startsWith("org.springframework.") ? "" : served;
        for (Way way : joined(outer, ways(predicate))) {
            if (way.path.isEmpty()) {
                routes.note("spring: a route of " + served + " has no path");
                continue;
            }
            String operation = way.operation();
            for (String verb : way.verbs.isEmpty() ? Arrays.asList("") : way.verbs) {
                for (String path : below) {
                    routes.add(Routes.joined(path, way.path), verb, served, "spring", operation);
                }
            }
        }
    }

    /** What meets a predicate. */
    private static final class Way {
        private String path = "";
        private List<String> verbs = Collections.emptyList();
        /** Place, name and value of what must be there. */
        private final List<String[]> demands = new ArrayList<String[]>();

        Way() { }

        Way(Way left, Way right) {
            boolean isSeparate = left.path.endsWith("/") || right.path.isEmpty() || right.path.startsWith("/");
            path = left.path + (isSeparate || left.path.isEmpty() ? "" : "/") + right.path;
            verbs = right.verbs.isEmpty() ? left.verbs : right.verbs;
            demands.addAll(left.demands);
            demands.addAll(right.demands);
        }

        private String operation() {
            List<String> consumed = new ArrayList<String>();
            for (String[] demand : demands) {
                if (demand[1].equalsIgnoreCase("Content-Type")) {
                    // One type, or several in brackets.
                    consumed.addAll(Arrays.asList(demand[2].replaceAll("[\\[\\] ]", "").split(",")));
                }
            }
            Operation operation = new Operation(consumed);
            if (!consumed.isEmpty()) {
                operation.takeAnyBody();
            }
            for (String[] demand : demands) {
                if (!demand[1].equalsIgnoreCase("Content-Type") && !demand[1].equalsIgnoreCase("Accept")) {
                    operation.demand(demand[1], demand[0], "{\"enum\":[" + Schemas.quoted(demand[2]) + "]}");
                }
            }
            return operation.toString();
        }
    }
}
