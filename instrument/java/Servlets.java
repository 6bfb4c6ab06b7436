import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Below which paths of the server servlets serve what frameworks have registered, and which of them register it when they are
 * called first.
 *
 * <p>A servlet is known by its name in its context, which knows its patterns also where no servlet is made yet. A context is an
 * application; a server may have several.
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

    /** Paths of applications of which routes do not know that they are below them. */
    final Set<String> bases = new TreeSet<String>();

    /** Paths at which servlets are that first a call begins, below their contexts. */
    final Set<String> lazy = new TreeSet<String>();

    /** Paths of Spring's mappings, by mapping: of those in the context of a servlet, and of those above it. */
    private final Map<Object, Set<String>> own = new IdentityHashMap<Object, Set<String>>();
    private final Map<Object, Set<String>> inherited = new IdentityHashMap<Object, Set<String>>();
    /** Paths of servlets for JAX-RS that do not say what they serve, by the path of their context. */
    private final Map<String, Set<String>> ofResources = new TreeMap<String, Set<String>>();
    /** Paths of those that do, by what they serve. */
    private final Map<Class<?>, Set<String>> ofClasses = new HashMap<Class<?>, Set<String>>();

    /** Paths below which filters for JAX-RS let calls come to what they serve, by that. */
    private final Map<Class<?>, Set<String>> ofFilters = new HashMap<Class<?>, Set<String>>();

    /** Paths that classes of JAX-RS say for the resources that the same loader has loaded. */
    private final Map<Object, Set<String>> ofApplications = new IdentityHashMap<Object, Set<String>>();
    /** Names of resources that the loader of a context has loaded. */
    private final Set<String> placed = new HashSet<String>();

    /** The servlets of each context by their names, by the path of the context. */
    private final Map<String, Map<?, ?>> registrations = new TreeMap<String, Map<?, ?>>();
    /** What loads the classes of each context, by its path. */
    private final Map<String, Object> loaders = new HashMap<String, Object>();
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
        for (Map.Entry<String, Map<?, ?>> context : registrations.entrySet()) {
            for (Object registration : context.getValue().values()) {
                try {
                    String name = String.valueOf(Accessors.call(registration, "getClassName"));
                    if (!isOf(SPRING, name) && !isOf(JAX_RS, name)) {
                        tell(context.getKey(), registration, name, routes);
                    }
                } catch (Throwable failure) {
                    routes.note("a servlet cannot be read: " + failure);
                }
            }
        }
    }

    private void tell(String context, Object registration, String name, Routes routes) throws Exception {
        for (String pattern : Accessors.texts(Accessors.call(registration, "getMappings"))) {
            List<String> paths = pattern.equals("/") || pattern.endsWith("/*")
                    ? Arrays.asList(below(pattern), below(pattern) + "/" + Routes.REST) : Collections.singletonList(pattern);
            for (String path : paths) {
                for (String verb : pattern.startsWith("*") ? NO_VERBS : verbs(types.get(name))) {
                    routes.add(context + path, verb, name, "servlet", "");
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

    /** Below which paths of the server a mapping of Spring is; empty texts for the root. */
    Set<String> of(Object mapping) {
        Set<String> paths = own.containsKey(mapping) ? own.get(mapping) : inherited.get(mapping);
        return paths == null || paths.isEmpty() ? Collections.singleton(onlyContext()) : paths;
    }

    /**
     * Below which paths of the server this resource of JAX-RS is: those of servlets that say so, else, where any does not say what it
     * serves, those of its context, and where nothing tells its context, of all.
     */
    Set<String> ofResource(Class<?> type) {
        Set<String> paths = new TreeSet<String>();
        for (Map.Entry<Class<?>, Set<String>> served : ofClasses.entrySet()) {
            if (isMadeOf(served.getKey(), type)) {
                paths.addAll(served.getValue());
            }
        }
        if (!paths.isEmpty() || !ofClasses.isEmpty() && ofResources.isEmpty()) {
            return paths;
        }
        for (Map.Entry<String, Object> context : loaders.entrySet()) {
            if (context.getValue() != null && context.getValue() == type.getClassLoader()) {
                Set<String> below = ofResources.get(context.getKey());
                paths.addAll(below == null ? inApplications(context.getKey(), type) : below);
            }
        }
        if (paths.isEmpty()) {
            for (Set<String> below : ofResources.values()) {
                paths.addAll(below);
            }
        }
        return paths.isEmpty() ? inApplications(onlyContext(), type) : paths;
    }

    /** Below which paths calls come to this resource of JAX-RS, wherever it is; an empty text where all do. */
    Set<String> within(Class<?> type) {
        Set<String> paths = new TreeSet<String>();
        for (Map.Entry<Class<?>, Set<String>> served : ofFilters.entrySet()) {
            if (isMadeOf(served.getKey(), type)) {
                paths.addAll(served.getValue());
            }
        }
        return paths.isEmpty() ? Collections.singleton("") : paths;
    }

    /** The paths in this context of the applications that a resource may be in; its own where there are none. */
    private Set<String> inApplications(String context, Class<?> type) {
        Set<String> below = ofApplications.get(type.getClassLoader());
        if (below == null) {
            return Collections.singleton(context);
        }
        Set<String> paths = new TreeSet<String>();
        for (String path : below) {
            paths.add(context + (path.equals("/") ? "" : path));
        }
        return paths;
    }

    /**
     * Takes in that this class says below which path resources are (JAX-RS 2.1, 2.3.2). A server of Jersey without servlets does not
     * ask for it, so that it may be there or not.
     */
    void application(Class<?> type, String path) {
        base(path);
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().startsWith("org.glassfish.jersey.")) {
                return;
            }
        }
        if (!ofApplications.containsKey(type.getClassLoader())) {
            ofApplications.put(type.getClassLoader(), new TreeSet<String>());
        }
        ofApplications.get(type.getClassLoader()).add(path);
    }

    /** Takes in whether a resource is in a context. */
    void place(Class<?> type) {
        if (isInContext(type)) {
            placed.add(type.getName());
        }
    }

    /** Whether a resource is one that a container has loaded only to look at it, while it serves another of the name. */
    boolean isCopy(Class<?> type) {
        return placed.contains(type.getName()) && !isInContext(type);
    }

    private boolean isInContext(Class<?> type) {
        for (Object loader : loaders.values()) {
            if (loader != null && loader == type.getClassLoader()) {
                return true;
            }
        }
        return false;
    }

    /** Whether all below this path is left to resources of JAX-RS. */
    boolean isOfApplication(String path) {
        for (Set<String> paths : ofApplications.values()) {
            if (paths.contains(path)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class is that of a resource, or what a container made below it. */
    private static boolean isMadeOf(Class<?> served, Class<?> type) {
        return served == type || served.getSuperclass() == type && served.getName().startsWith(type.getName());
    }

    /** The paths of all contexts but that of the root. */
    Set<String> contexts() {
        Set<String> contexts = new LinkedHashSet<String>(registrations.keySet());
        contexts.remove("");
        return contexts;
    }

    /** The path of the context, where there is one alone. */
    private String onlyContext() {
        return registrations.size() == 1 ? registrations.keySet().iterator().next() : "";
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
            if (isJaxRs && isFilter(servlet)) {
                filter(servlet);
            }
            return;
        }
        String context = context(Accessors.call(config, "getServletContext"));
        Object registration = context == null ? null : registrations.get(context).get(Accessors.call(config, "getServletName"));
        if (registration == null) {
            return;
        }
        begun.add(registration);
        List<String> paths = paths(context, registration);
        if (isJaxRs && !serveClasses(servlet, paths)) {
            serveResources(context, paths);
        }
        Object mappings = isSpring ? Accessors.call(servlet, "getHandlerMappings") : null;
        if (mappings instanceof Collection) {
            Object beans = Accessors.call(servlet, "getWebApplicationContext");
            for (Object mapping : ((Collection<?>) mappings).toArray()) {
                boolean isOwn = Accessors.has(mapping, "getApplicationContext")
                        && Accessors.call(mapping, "getApplicationContext") == beans;
                Map<Object, Set<String>> known = isOwn ? own : inherited;
                if (!known.containsKey(mapping)) {
                    known.put(mapping, new TreeSet<String>());
                }
                known.get(mapping).addAll(paths);
            }
        }
    }

    /** Whether a servlet was begun as a filter, which Jersey's are as well. */
    private static boolean isFilter(Object servlet) {
        try {
            return Accessors.field(servlet, "filterConfig") != null;
        } catch (Exception other) {
            return false;
        }
    }

    /** Takes in a filter for JAX-RS: what it serves has its path in the context, and patterns say which calls come to it. */
    private void filter(Object filter) throws Exception {
        Object config = Accessors.field(filter, "filterConfig");
        Object context = Accessors.call(config, "getServletContext");
        String path = context(context);
        Map<?, ?> filters = (Map<?, ?>) Accessors.call(context, "getFilterRegistrations");
        Object registration = filters.get(Accessors.call(config, "getFilterName"));
        List<String> within = new ArrayList<String>();
        for (String pattern : Accessors.texts(Accessors.call(registration, "getUrlPatternMappings"))) {
            if (pattern.endsWith("/*")) {
                within.add(path + below(pattern));
            }
        }
        for (Class<?> type : served(filter)) {
            put(ofClasses, type, Collections.singletonList(path));
            put(ofFilters, type, within);
        }
    }

    private static void put(Map<Class<?>, Set<String>> paths, Class<?> type, List<String> more) {
        if (!paths.containsKey(type)) {
            paths.put(type, new TreeSet<String>());
        }
        paths.get(type).addAll(more);
    }

    /** The path of a context, whose servlets are known from now on. */
    private String context(Object context) throws Exception {
        if (context == null) {
            return null;
        }
        String path = String.valueOf(Accessors.call(context, "getContextPath"));
        if (!registrations.containsKey(path)) {
            registrations.put(path, (Map<?, ?>) Accessors.call(context, "getServletRegistrations"));
            loaders.put(path, Accessors.call(context, "getClassLoader"));
        }
        return path;
    }

    /** Takes in what a servlet says that it serves. */
    private boolean serveClasses(Object servlet, List<String> paths) throws Exception {
        Set<Class<?>> classes = served(servlet);
        for (Class<?> type : classes) {
            put(ofClasses, type, paths);
        }
        return !classes.isEmpty();
    }

    /** What a servlet says that it serves, which Jersey's do. */
    private static Set<Class<?>> served(Object servlet) throws Exception {
        Object configuration =
                Accessors.has(servlet, "getConfiguration") ? Accessors.call(servlet, "getConfiguration") : null;
        Set<Class<?>> classes = new HashSet<Class<?>>();
        if (configuration == null) {
            return classes;
        }
        for (Object type : ((Collection<?>) Accessors.call(configuration, "getClasses")).toArray()) {
            classes.add((Class<?>) type);
        }
        for (Object instance : ((Collection<?>) Accessors.call(configuration, "getSingletons")).toArray()) {
            classes.add(instance.getClass());
        }
        return classes;
    }

    private void serveResources(String context, List<String> paths) {
        if (!ofResources.containsKey(context)) {
            ofResources.put(context, new TreeSet<String>());
        }
        ofResources.get(context).addAll(paths);
    }

    /** Takes in the servlets that make routes once they are called. */
    private void notBegun() {
        for (Map.Entry<String, Map<?, ?>> context : registrations.entrySet()) {
            for (Object registration : context.getValue().values()) {
                try {
                    String name = begun.contains(registration) ? "" : String.valueOf(Accessors.call(registration, "getClassName"));
                    if (isOf(JAX_RS, name)) {
                        serveResources(context.getKey(), paths(context.getKey(), registration));
                    }
                    if (isOf(JAX_RS, name) || isOf(SPRING, name)) {
                        for (String path : paths("", registration)) {
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

    /** The paths that the patterns of a servlet stand for in a context, each with what is below it. */
    private static List<String> paths(String context, Object registration) throws Exception {
        List<String> paths = new ArrayList<String>();
        for (String pattern : Accessors.texts(Accessors.call(registration, "getMappings"))) {
            if (pattern.equals("/") || pattern.endsWith("/*")) {
                paths.add(context + below(pattern));
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
