import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The routes that HTTP frameworks have registered, read from their own objects: Spring's mappings and repositories, Micronaut's router, Javalin's,
 * Vert.x's and Spark's entries, services of Armeria and Helidon, Ktor's nodes, contexts of the JDK's server, and the annotations of JAX-RS.
 *
 * <p>Called by the agent's thread, when it is asked and at no other time. It calls accessors of frameworks, none of the service.
 */
public final class Routes {
    /** How many routes are told. */
    private static final int MOST = 5000;

    /** How many notes are told. */
    private static final int MOST_NOTES = 20;

    /** The longest text of a route, in chars. */
    private static final int LONGEST = 60000;

    /** How deep resources of JAX-RS lie in others. */
    private static final int DEEPEST = 4;

    /** A parameter for all that is left of a path. */
    static final String REST = "{+path}";

    static final List<String> VERBS =
            Arrays.asList("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final StringBuilder told = new StringBuilder();
    private final Set<String> seen = new LinkedHashSet<String>();
    private final Set<String> notes = new LinkedHashSet<String>();
    private Servlets servlets;
    private int dropped;

    private Routes() {
    }

    /**
     * The routes that these objects know, and those of these classes of the service that are resources of JAX-RS: of each a 'R',
     * and path in the server, verb, handler, framework and operation; then notes, each after a 'N', paths of contexts, which
     * routes begin with, after a 'C', those of other applications after a 'B', those of servlets that are not begun after a 'L';
     * then how many routes were left out, after a 'D'. Texts stand there as their length and their chars.
     */
    public static String tell(Object[] holders, Class<?>[] resources) {
        Routes routes = new Routes();
        routes.servlets = Servlets.of(holders, routes);
        for (Class<?> resource : resources) {
            routes.application(resource);
        }
        for (Object holder : holders) {
            if (!Servlets.isServlet(holder.getClass())) {
                routes.read(holder);
            }
        }
        for (Class<?> resource : resources) {
            routes.resource(resource);
        }
        routes.servlets.tell(routes);
        tellAll('N', routes.notes, routes.told);
        tellAll('C', routes.servlets.contexts(), routes.told);
        tellAll('B', routes.servlets.bases, routes.told);
        tellAll('L', routes.servlets.lazy, routes.told);
        append(routes.told.append('D'), String.valueOf(routes.dropped));
        return routes.told.toString();
    }

    private void read(Object holder) {
        String name = framework(holder.getClass());
        try {
            switch (name) {
                case "spring":
                    if (Functional.is(holder)) {
                        Functional.read(holder, servlets.of(holder), this);
                    } else {
                        spring(holder);
                    }
                    if (DataRest.is(holder)) {
                        DataRest.read(holder, servlets.of(holder), this);
                    }
                    break;
                case "http-server":
                    httpServer(holder);
                    break;
                case "micronaut":
                    micronaut(holder);
                    break;
                case "javalin":
                    javalin(holder);
                    break;
                case "vertx":
                    vertx(holder);
                    break;
                case "armeria":
                    Armeria.read(holder, this);
                    break;
                case "ktor":
                    Ktor.read(holder, this);
                    break;
                case "helidon":
                    Helidon.read(holder, this);
                    break;
                case "spark":
                    spark(holder);
                    break;
                default:
                    break;
            }
        } catch (Throwable failure) {
            note("routes of " + name + " cannot be read: " + failure);
        }
    }

    /** Whose object it is, by the classes above it. */
    private static String framework(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            String name = at.getName();
            if (name.startsWith("org.springframework.web.")) {
                return "spring";
            }
            if (name.startsWith("com.sun.net.httpserver.") || name.startsWith("sun.net.httpserver.")) {
                return "http-server";
            }
            if (name.startsWith("io.micronaut.")) {
                return "micronaut";
            }
            if (name.startsWith("io.javalin.")) {
                return "javalin";
            }
            if (name.startsWith("io.vertx.")) {
                return "vertx";
            }
            if (name.startsWith("io.ktor.")) {
                return "ktor";
            }
            if (name.startsWith(Armeria.PACKAGE)) {
                return "armeria";
            }
            if (name.startsWith(Helidon.PACKAGE)) {
                return "helidon";
            }
            if (name.startsWith("spark.route.")) {
                return "spark";
            }
        }
        return "";
    }

    // Frameworks.

    private void spring(Object mapping) throws Exception {
        Map<?, ?> methods = (Map<?, ?>) Accessors.call(mapping, "getHandlerMethods");
        for (Map.Entry<?, ?> entry : methods.entrySet()) {
            Object info = entry.getKey();
            Object handler = entry.getValue();
            Method method = (Method) Accessors.call(handler, "getMethod");
            String served = ((Class<?>) Accessors.call(handler, "getBeanType")).getName() + "." + method.getName();
            List<String> verbs = Accessors.texts(Accessors.call(info, "getMethodsCondition", "getMethods"));
            for (String path : springPaths(info)) {
                if (DataRest.isOfAll(path)) {
                    continue;
                }
                String described = springOperation(info, handler, method, path).toString();
                for (String verb : verbs.isEmpty() ? Arrays.asList("") : verbs) {
                    for (String below : servlets.of(mapping)) {
                        add(joined(below, path), verb, served, "spring", described);
                    }
                }
            }
        }
    }

    private static Operation springOperation(Object info, Object handler, Method method, String path) throws Exception {
        List<String> consumed = Accessors.texts(Accessors.call(info, "getConsumesCondition", "getConsumableMediaTypes"));
        Operation operation = new Operation(consumed, new Template(path, false));
        for (Object parameter : (Object[]) Accessors.call(handler, "getMethodParameters")) {
            java.lang.reflect.Type type = (java.lang.reflect.Type) Accessors.call(parameter, "getGenericParameterType");
            int idx = (Integer) Accessors.call(parameter, "getParameterIndex");
            type = Demanded.ofParameter(type, Operation.overridden(method), idx);
            operation.add((Annotation[]) Accessors.call(parameter, "getParameterAnnotations"), type,
                    springName(parameter, method), true);
        }
        demand(operation, Accessors.call(info, "getParamsCondition"), "query");
        demand(operation, Accessors.call(info, "getHeadersCondition"), "header");
        return operation;
    }

    /** Takes in what must be sent for this handler to be chosen among those of its path. */
    private static void demand(Operation operation, Object condition, String place) throws Exception {
        for (Object expression : (Collection<?>) Accessors.call(condition, "getExpressions")) {
            if (!Boolean.TRUE.equals(Accessors.call(expression, "isNegated"))) {
                Object value = Accessors.call(expression, "getValue");
                String schema = value == null ? "{\"type\":\"string\"}" : "{\"enum\":[" + Schemas.quoted(String.valueOf(value)) + "]}";
                operation.demand((String) Accessors.call(expression, "getName"), place, schema);
            }
        }
    }

    static List<String> springPaths(Object info) throws Exception {
        for (String condition : new String[] {"getPathPatternsCondition", "getPatternsCondition"}) {
            Object held = Accessors.has(info, condition) ? Accessors.call(info, condition) : null;
            if (held != null) {
                String patterns = Accessors.has(held, "getPatternValues") ? "getPatternValues" : "getPatterns";
                return Accessors.texts(Accessors.call(held, patterns));
            }
        }
        return new ArrayList<String>();
    }

    private static String springName(Object parameter, Method method) throws Exception {
        Object name = Accessors.call(parameter, "getParameterName");
        return name != null ? (String) name : Operation.name(method, (Integer) Accessors.call(parameter, "getParameterIndex"));
    }

    /** A context serves its path and all below it. */
    private void httpServer(Object context) throws Exception {
        String path = (String) Accessors.call(context, "getPath");
        String handler = className(Accessors.call(context, "getHandler"));
        add(path, "", handler, "http-server", "");
        add(joined(path, REST), "", handler, "http-server", "");
    }

    private void micronaut(Object router) throws Exception {
        Iterator<?> routes = ((java.util.stream.BaseStream<?, ?>) Accessors.call(router, "uriRoutes")).iterator();
        while (routes.hasNext()) {
            Object route = routes.next();
            Object template = Accessors.call(route, "getUriMatchTemplate");
            String path = (String) Accessors.call(template, "toPathString");
            String verb = String.valueOf(Accessors.call(route, "getHttpMethod"));
            Object target = Accessors.call(route, "getTargetMethod");
            Method method = target instanceof Method ? (Method) target : (Method) Accessors.call(target, "getTargetMethod");
            Operation operation = micronautOperation(route, verb);
            for (String variable : Accessors.texts(Accessors.call(template, "getVariableNames"))) {
                if (new Template(path, false).has(variable)) {
                    operation.inPath.add(variable);
                }
            }
            boolean isNaming = Accessors.has(target, "getArgumentNames");
            operation.addParameters(method, true, Accessors.texts(isNaming ? Accessors.call(target, "getArgumentNames") : null));
            add(path, verb, method.getDeclaringClass().getName() + "." + method.getName(), "micronaut", operation.toString());
        }
    }

    /** An operation that takes what a route consumes, where a body is sent at all: JSON where nothing is said. */
    private static Operation micronautOperation(Object route, String verb) throws Exception {
        boolean hasBody = Arrays.asList("POST", "PUT", "PATCH").contains(verb) && Accessors.has(route, "getConsumes");
        List<String> consumed = Accessors.texts(hasBody ? Accessors.call(route, "getConsumes") : null);
        Operation operation = new Operation(consumed);
        operation.isUsual = consumed.equals(Arrays.asList("application/json"));
        return operation;
    }

    private void javalin(Object entry) throws Exception {
        String verb = String.valueOf(Accessors.field(entry, "type", "method", "getType", "getMethod"));
        String path = String.valueOf(Accessors.field(entry, "path", "path", "getPath", "getPath"));
        if (VERBS.contains(verb)) {
            // Angle brackets take slashes as well; a colon is the form of earlier releases.
            add(path.replace("<", "{+").replace('>', '}').replaceAll(":([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, "", "javalin", "");
        }
    }

    private void vertx(Object route) throws Exception {
        Object path = Accessors.call(route, "getPath");
        boolean isPattern = Accessors.has(route, "isRegexPath") && Boolean.TRUE.equals(Accessors.call(route, "isRegexPath"));
        if (path != null && !isPattern && !servlets.isOfApplication(new Template((String) path, false).plain)) {
            List<String> verbs = Accessors.texts(Accessors.call(route, "methods"));
            for (String verb : verbs.isEmpty() ? Arrays.asList("") : verbs) {
                add(((String) path).replaceAll(":([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, "", "vertx", "");
            }
        }
    }

    private void spark(Object table) throws Exception {
        for (Object entry : (Collection<?>) Accessors.field(table, "routes")) {
            String verb = String.valueOf(Accessors.field(entry, "httpMethod")).toUpperCase(java.util.Locale.ROOT);
            // Filters are entries as well.
            if (VERBS.contains(verb)) {
                String path = (String) Accessors.field(entry, "path");
                path = path.endsWith("*") ? path.substring(0, path.length() - 1) + REST : path;
                String handler = className(Accessors.field(Accessors.field(entry, "target"), "delegate", "val$route"));
                add(path.replaceAll(":([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, handler, "spark", "");
            }
        }
    }

    private void resource(Class<?> type) {
        try {
            Annotation path = onType(type, "Path");
            if (path != null && !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && !servlets.isCopy(type)) {
                for (String below : servlets.ofResource(type)) {
                    for (String within : servlets.within(type)) {
                        resource(type, joined(below, text(path)), within, 0);
                    }
                }
            }
        } catch (Throwable failure) {
            note("a resource cannot be read: " + failure);
        }
    }

    /** Takes in below which path a class says that resources are, and where resources are at all. */
    private void application(Class<?> type) {
        try {
            if (onType(type, "Path") != null) {
                servlets.place(type);
            }
            Annotation application = onType(type, "ApplicationPath");
            if (application != null) {
                servlets.application(type, new Template(text(application), false).plain);
            }
        } catch (Throwable failure) {
            note("an application cannot be read: " + failure);
        }
    }

    /** Takes in what a resource has at {@code base}, as far as it lies {@code within} another path. */
    private void resource(Class<?> type, String base, String within, int depth) {
        Annotation ofAll = onType(type, "Consumes");
        for (Method method : type.getMethods()) {
            List<Annotation> annotations = inherited(method);
            String verb = null;
            String path = null;
            List<String> consumed = ofAll == null ? new ArrayList<String>() : Accessors.texts(Demands.value(ofAll, "value"));
            for (Annotation annotation : annotations) {
                if (isJaxRs(annotation, "Path")) {
                    path = text(annotation);
                } else if (isJaxRs(annotation, "Consumes")) {
                    consumed = Accessors.texts(Demands.value(annotation, "value"));
                } else if (verb == null) {
                    verb = designated(annotation);
                }
            }
            String whole = base + (path == null ? "" : "/" + path);
            if (verb != null) {
                Operation operation = new Operation(consumed, new Template(whole, true));
                operation.addParameters(method, false);
                String plain = Template.within(new Template(whole, true).plain, within);
                if (plain != null) {
                    add(plain, verb, type.getName() + "." + method.getName(), "jax-rs", operation.toString());
                }
            } else if (path != null && depth < DEEPEST) {
                resource(method.getReturnType(), whole, within, depth + 1);
            }
        }
    }

    /** The HTTP method that an annotation such as `GET` stands for; null when it stands for none. */
    private static String designated(Annotation annotation) {
        for (Annotation above : annotation.annotationType().getAnnotations()) {
            if (isJaxRs(above, "HttpMethod")) {
                return text(above);
            }
        }
        return null;
    }

    private static boolean isJaxRs(Annotation annotation, String simpleName) {
        String name = annotation.annotationType().getName();
        return name.equals("javax.ws.rs." + simpleName) || name.equals("jakarta.ws.rs." + simpleName);
    }

    private static Annotation onType(Class<?> type, String simpleName) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Annotation annotation : at.getAnnotations()) {
                if (isJaxRs(annotation, simpleName)) {
                    return annotation;
                }
            }
            for (Class<?> above : at.getInterfaces()) {
                Annotation annotation = onType(above, simpleName);
                if (annotation != null) {
                    return annotation;
                }
            }
        }
        return null;
    }

    /** The annotations of a method, or of the one that it overrides where it has none of JAX-RS itself. */
    private static List<Annotation> inherited(Method method) {
        for (Method at : Operation.overridden(method)) {
            for (Annotation annotation : at.getAnnotations()) {
                if (annotation.annotationType().getName().contains(".ws.rs.")) {
                    return Arrays.asList(at.getAnnotations());
                }
            }
        }
        return new ArrayList<Annotation>();
    }

    private static String text(Annotation annotation) {
        Object value = Demands.value(annotation, "value");
        return value instanceof String ? (String) value : "";
    }

    // What is told.

    void add(String path, String verb, String handler, String framework, String operation) {
        String plain = new Template(path, framework.equals("jax-rs")).plain;
        if (plain.contains("*")) {
            note(framework + ": `" + path + "` stands for many paths");
        } else if (seen.add(verb + " " + plain + " " + handler + " " + operation)) {
            if (seen.size() > MOST || plain.length() + handler.length() > LONGEST) {
                dropped++;
                return;
            }
            told.append('R');
            append(told, plain);
            append(told, verb);
            append(told, handler);
            append(told, framework);
            append(told, operation.length() > LONGEST ? "" : operation);
        }
    }

    static String joined(String before, String path) {
        return path.startsWith("/") ? before + path : before + "/" + path;
    }

    void note(String note) {
        if (notes.size() < MOST_NOTES) {
            notes.add(note.length() > 300 ? note.substring(0, 300) : note);
        }
    }

    private static void tellAll(char letter, Set<String> texts, StringBuilder told) {
        for (String text : texts) {
            append(told.append(letter), text);
        }
    }

    private static void append(StringBuilder told, String text) {
        told.append((char) text.length()).append(text);
    }

    /** The class of a handler; of a lambda the one that it is written in, for its own has another name in each JVM. */
    static String className(Object object) {
        String name = object == null ? "" : object.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : name.substring(0, lambda);
    }
}
