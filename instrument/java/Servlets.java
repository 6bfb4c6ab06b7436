import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Below which paths servlets serve what frameworks have registered, and which of them register it when they are called first.
 *
 * <p>A servlet is known by its name in its context, which knows its patterns also where no servlet is made yet.
 */
final class Servlets {
    private static final List<String> SPRING = Collections.singletonList("org.springframework.web.servlet.DispatcherServlet");

    /** Servlets of JAX-RS: Jersey's and RESTEasy's. */
    private static final List<String> JAX_RS = Arrays.asList("org.glassfish.jersey.servlet.ServletContainer",
            "org.jboss.resteasy.plugins.server.servlet.HttpServletDispatcher",
            "org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher");

    private static final List<String> ANY_VERB = Collections.singletonList("");
    private static final List<String> NO_VERBS = Collections.emptyList();

    /** How many paths are told of each kind. */
    private static final int MOST = 20;

    /** Paths of applications in their server. */
    final Set<String> bases = new TreeSet<String>();

    /** Paths at which servlets are that first a call begins. */
    final Set<String> lazy = new TreeSet<String>();

    /** Paths of Spring's mappings, by mapping: of those in the context of a servlet, and of those above it. */
    private final Map<Object, Set<String>> own = new IdentityHashMap<Object, Set<String>>();
    private final Map<Object, Set<String>> inherited = new IdentityHashMap<Object, Set<String>>();
    private final Set<String> ofResources = new TreeSet<String>();

    /** The servlets of each context by their names, by the path of the context. */
    private final Map<String, Map<?, ?>> registrations = new HashMap<String, Map<?, ?>>();
    private final Set<Object> begun = new HashSet<Object>();
    /** Classes of servlets that are there, by name. */
    private final Map<String, Class<?>> types = new HashMap<String, Class<?>>();

    private Servlets() { }

    /** What these objects say, as far as they are servlets or mappings of Spring; what cannot be read is noted. */
    static Servlets of(Object[] holders, Routes routes) {
        Servlets servlets = new Servlets();
        for (Object holder : holders) {
            try {
                if (isServlet(holder.getClass())) {
                    servlets.servlet(holder);
                } else if (Accessors.has(holder, "getApplicationContext")) {
                    Object context = Accessors.call(holder, "getApplicationContext");
                    servlets.context(context != null && Accessors.has(context, "getServletContext")
                            ? Accessors.call(context, "getServletContext") : null);
                }
            } catch (Throwable failure) {
                routes.note("a servlet cannot be read: " + failure);
            }
        }
        servlets.notBegun();
        return servlets;
    }

    /** Tells the routes of plain servlets: what a pattern stands for, and the methods of HTTP that a class has. */
    void tell(Routes routes) {
        for (Map<?, ?> known : registrations.values()) {
            for (Object registration : known.values()) {
                try {
                    String name = String.valueOf(Accessors.call(registration, "getClassName"));
                    if (!isOf(SPRING, name) && !isOf(JAX_RS, name)) {
                        tell(registration, name, routes);
                    }
                } catch (Throwable failure) {
                    routes.note("a servlet cannot be read: " + failure);
                }
            }
        }
    }

    private void tell(Object registration, String name, Routes routes) throws Exception {
        for (String pattern : Accessors.texts(Accessors.call(registration, "getMappings"))) {
            List<String> paths = pattern.equals("/") || pattern.endsWith("/*")
                    ? Arrays.asList(below(pattern), below(pattern) + "/" + Routes.REST) : Collections.singletonList(pattern);
            for (String path : paths) {
                for (String verb : pattern.startsWith("*") ? NO_VERBS : verbs(types.get(name))) {
                    routes.add(path, verb, name, "servlet", "");
                }
            }
        }
    }

    /** The methods of HTTP that a servlet has code for; an empty text where it tells them apart itself, or is not made yet. */
    private static List<String> verbs(Class<?> type) {
        Set<String> verbs = new TreeSet<String>();
        for (Class<?> at = type; at != null && !at.getName().endsWith(".servlet.http.HttpServlet"); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                String name = method.getName();
                String verb = name.startsWith("do") ? name.substring(2).toUpperCase(java.util.Locale.ROOT) : "";
                if (name.equals("service")) {
                    return ANY_VERB;
                }
                if (Routes.VERBS.contains(verb)) {
                    verbs.add(verb);
                }
            }
        }
        return verbs.isEmpty() ? ANY_VERB : new ArrayList<String>(verbs);
    }

    /** Below which paths a mapping of Spring is; empty texts for the root. */
    Set<String> of(Object mapping) {
        Set<String> paths = own.containsKey(mapping) ? own.get(mapping) : inherited.get(mapping);
        return paths == null || paths.isEmpty() ? Collections.singleton("") : paths;
    }

    /** Below which paths resources of JAX-RS are; an empty text where no servlet serves them. */
    Set<String> ofResources() {
        return ofResources.isEmpty() ? Collections.singleton("") : ofResources;
    }

    /** There is an application below this path. */
    void base(String path) {
        if (path.length() > 1 && bases.size() < MOST) {
            bases.add(path);
        }
    }

    private void servlet(Object servlet) throws Exception {
        boolean isSpring = isBelow(servlet.getClass(), SPRING);
        boolean isJaxRs = isBelow(servlet.getClass(), JAX_RS);
        types.put(servlet.getClass().getName(), servlet.getClass());
        Object config = Accessors.call(servlet, "getServletConfig");
        if (config == null) {
            return;
        }
        Object registration = context(Accessors.call(config, "getServletContext")).get(Accessors.call(config, "getServletName"));
        if (registration == null) {
            return;
        }
        begun.add(registration);
        List<String> paths = paths(registration);
        if (isJaxRs) {
            ofResources.addAll(paths);
        }
        Object mappings = isSpring ? Accessors.call(servlet, "getHandlerMappings") : null;
        if (mappings instanceof Collection) {
            Object context = Accessors.call(servlet, "getWebApplicationContext");
            for (Object mapping : ((Collection<?>) mappings).toArray()) {
                boolean isOwn = Accessors.has(mapping, "getApplicationContext")
                        && Accessors.call(mapping, "getApplicationContext") == context;
                Map<Object, Set<String>> known = isOwn ? own : inherited;
                if (!known.containsKey(mapping)) {
                    known.put(mapping, new TreeSet<String>());
                }
                known.get(mapping).addAll(paths);
            }
        }
    }

    /** The servlets of a context by their names. */
    private Map<?, ?> context(Object context) throws Exception {
        if (context == null) {
            return Collections.emptyMap();
        }
        String path = String.valueOf(Accessors.call(context, "getContextPath"));
        if (!registrations.containsKey(path)) {
            registrations.put(path, (Map<?, ?>) Accessors.call(context, "getServletRegistrations"));
            base(path);
        }
        return registrations.get(path);
    }

    /** Takes in the servlets that make routes once they are called. */
    private void notBegun() {
        for (Map<?, ?> known : registrations.values()) {
            for (Object registration : known.values()) {
                try {
                    String name = begun.contains(registration) ? "" : String.valueOf(Accessors.call(registration, "getClassName"));
                    boolean isJaxRs = isOf(JAX_RS, name);
                    if (isJaxRs || isOf(SPRING, name)) {
                        List<String> paths = paths(registration);
                        ofResources.addAll(isJaxRs ? paths : Collections.<String>emptyList());
                        for (String path : paths) {
                            boolean hasRoom = lazy.size() < MOST;
                            lazy.addAll(hasRoom ? Collections.singleton(path + "/") : Collections.<String>emptySet());
                        }
                    }
                } catch (Throwable failure) {
                    // One that does not say what it is makes no routes that are known.
                    continue;
                }
            }
        }
    }

    /** The paths that the patterns of a servlet stand for, each with what is below it. */
    private static List<String> paths(Object registration) throws Exception {
        List<String> paths = new ArrayList<String>();
        for (String pattern : Accessors.texts(Accessors.call(registration, "getMappings"))) {
            if (pattern.equals("/") || pattern.endsWith("/*")) {
                paths.add(below(pattern));
            }
        }
        return paths;
    }

    /** The path of a pattern that stands for all that is below it. */
    private static String below(String pattern) {
        return pattern.substring(0, pattern.length() - (pattern.equals("/") ? 1 : 2));
    }

    /** Whether a servlet of that class is one of these, which for one that is not made only its name tells. */
    private boolean isOf(List<String> names, String name) {
        return types.containsKey(name) ? isBelow(types.get(name), names) : names.contains(name);
    }

    /** Whether the class has one of these names, or is below one. */
    private static boolean isBelow(Class<?> type, List<String> names) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (names.contains(at.getName())) {
                return true;
            }
        }
        return false;
    }

    static boolean isServlet(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                String name = above.getName();
                if (name.equals("javax.servlet.Servlet") || name.equals("jakarta.servlet.Servlet")) {
                    return true;
                }
            }
        }
        return false;
    }
}
