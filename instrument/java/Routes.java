import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
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
 * The routes that HTTP frameworks have registered, read from their own objects: Spring's mappings, Micronaut's router, Javalin's
 * and Vert.x's entries, Armeria's services, contexts of the JDK's server, and the annotations of JAX-RS.
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

    /** How many services of Armeria lie in each other. */
    private static final int MOST_DECORATORS = 50;

    private static final String ARMERIA = "com.linecorp.armeria.";

    /** How deep resources of JAX-RS lie in others. */
    private static final int DEEPEST = 4;

    private static final List<String> VERBS =
            Arrays.asList("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final StringBuilder told = new StringBuilder();
    private final Set<String> seen = new LinkedHashSet<String>();
    private final Set<String> notes = new LinkedHashSet<String>();
    private int dropped;

    private Routes() {
    }

    /**
     * The routes that these objects know, and those of these classes of the service that are resources of JAX-RS: of each a 'R',
     * and path, verb, handler, framework and operation; then notes, each after a 'N'; then how many routes were left out, after
     * a 'D'. Texts stand there as their length and their chars.
     */
    public static String tell(Object[] holders, Class<?>[] resources) {
        Routes routes = new Routes();
        for (Object holder : holders) {
            routes.read(holder);
        }
        for (Class<?> resource : resources) {
            routes.resource(resource);
        }
        for (String note : routes.notes) {
            routes.told.append('N');
            append(routes.told, note);
        }
        append(routes.told.append('D'), String.valueOf(routes.dropped));
        return routes.told.toString();
    }

    private void read(Object holder) {
        String name = framework(holder.getClass());
        try {
            switch (name) {
                case "spring":
                    spring(holder);
                    break;
                case "http-server":
                    add((String) call(holder, "getPath"), "", className(call(holder, "getHandler")), name, "");
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
                    armeria(holder);
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
            if (name.startsWith(ARMERIA)) {
                return "armeria";
            }
        }
        return "";
    }

    // Frameworks.

    private void spring(Object mapping) throws Exception {
        Map<?, ?> methods = (Map<?, ?>) call(mapping, "getHandlerMethods");
        for (Map.Entry<?, ?> entry : methods.entrySet()) {
            Object info = entry.getKey();
            Object handler = entry.getValue();
            Method method = (Method) call(handler, "getMethod");
            String served = ((Class<?>) call(handler, "getBeanType")).getName() + "." + method.getName();
            Operation operation = new Operation(texts(call(call(info, "getConsumesCondition"), "getConsumableMediaTypes")));
            for (Object parameter : (Object[]) call(handler, "getMethodParameters")) {
                java.lang.reflect.Type type = (java.lang.reflect.Type) call(parameter, "getGenericParameterType");
                type = Demanded.ofParameter(type, overridden(method), (Integer) call(parameter, "getParameterIndex"));
                operation.add((Annotation[]) call(parameter, "getParameterAnnotations"), type,
                        springName(parameter, method), true);
            }
            demand(operation, call(info, "getParamsCondition"), "query");
            demand(operation, call(info, "getHeadersCondition"), "header");
            String described = operation.toString();
            List<String> verbs = texts(call(call(info, "getMethodsCondition"), "getMethods"));
            for (String path : springPaths(info)) {
                for (String verb : verbs.isEmpty() ? Arrays.asList("") : verbs) {
                    add(path, verb, served, "spring", described);
                }
            }
        }
    }

    /** Takes in what must be sent for this handler to be chosen among those of its path. */
    private static void demand(Operation operation, Object condition, String place) throws Exception {
        for (Object expression : (Collection<?>) call(condition, "getExpressions")) {
            if (!Boolean.TRUE.equals(call(expression, "isNegated"))) {
                Object value = call(expression, "getValue");
                String schema = value == null ? "{\"type\":\"string\"}" : "{\"enum\":[" + Schemas.quoted(String.valueOf(value)) + "]}";
                operation.demand((String) call(expression, "getName"), place, schema);
            }
        }
    }

    private static List<String> springPaths(Object info) throws Exception {
        for (String condition : new String[] {"getPathPatternsCondition", "getPatternsCondition"}) {
            Object held = has(info, condition) ? call(info, condition) : null;
            if (held != null) {
                return texts(call(held, has(held, "getPatternValues") ? "getPatternValues" : "getPatterns"));
            }
        }
        return new ArrayList<String>();
    }

    private static String springName(Object parameter, Method method) throws Exception {
        Object name = call(parameter, "getParameterName");
        return name != null ? (String) name : name(method, (Integer) call(parameter, "getParameterIndex"));
    }

    private void micronaut(Object router) throws Exception {
        Iterator<?> routes = ((java.util.stream.BaseStream<?, ?>) call(router, "uriRoutes")).iterator();
        while (routes.hasNext()) {
            Object route = routes.next();
            Object template = call(route, "getUriMatchTemplate");
            Object target = call(route, "getTargetMethod");
            Method method = target instanceof Method ? (Method) target : (Method) call(target, "getTargetMethod");
            Operation operation = operation(method, true);
            add((String) call(template, "toPathString"), String.valueOf(call(route, "getHttpMethod")),
                    method.getDeclaringClass().getName() + "." + method.getName(), "micronaut", operation.toString());
        }
    }

    private void javalin(Object entry) throws Exception {
        String verb = String.valueOf(field(entry, "type", "method", "getType", "getMethod"));
        String path = String.valueOf(field(entry, "path", "path", "getPath", "getPath"));
        if (VERBS.contains(verb)) {
            // Angle brackets take slashes as well; a colon is the form of earlier releases.
            add(path.replace('<', '{').replace('>', '}').replaceAll(":([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, "", "javalin", "");
        }
    }

    private void vertx(Object route) throws Exception {
        Object path = call(route, "getPath");
        if (path != null && !Boolean.TRUE.equals(has(route, "isRegexPath") ? call(route, "isRegexPath") : null)) {
            List<String> verbs = texts(call(route, "methods"));
            for (String verb : verbs.isEmpty() ? Arrays.asList("") : verbs) {
                add(((String) path).replaceAll(":([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, "", "vertx", "");
            }
        }
    }

    private void armeria(Object config) throws Exception {
        Object route = call(config, "route");
        String path = (String) call(route, "patternString");
        if (String.valueOf(call(route, "pathType")).startsWith("REGEX")) {
            note("armeria: `" + path + "` is a pattern");
            return;
        }
        Object service = undecorated(call(config, "service"));
        Object target = has(service, "method") ? call(service, "method") : null;
        Method method = target instanceof Method ? (Method) target : null;
        Operation operation = new Operation(texts(call(route, "consumes")));
        operation.inPath.addAll(texts(call(route, "paramNames")));
        if (method != null) {
            addParameters(operation, method, false);
        }
        String served = method != null ? method.getDeclaringClass().getName() + "." + method.getName() : className(service);
        List<String> verbs = texts(call(route, "methods"));
        for (String verb : verbs.containsAll(VERBS) ? Arrays.asList("") : verbs) {
            if (verb.isEmpty() || VERBS.contains(verb)) {
                add(path.replaceAll(":\\*?([A-Za-z_][A-Za-z0-9_]*)", "{$1}"), verb, served, "armeria", operation.toString());
            }
        }
    }

    /** What a service of Armeria hands its requests to, behind all that stands around it. */
    private static Object undecorated(Object service) throws Exception {
        Object inner = service;
        for (int i = 0; i < MOST_DECORATORS && !has(inner, "method"); i++) {
            Object next = has(inner, "unwrap") ? call(inner, "unwrap") : inner;
            next = next == inner ? held(inner) : next;
            if (next == null) {
                break;
            }
            inner = next;
        }
        return inner;
    }

    /** The only service that a field holds, as those of lambdas hold what they have captured; null when there is no one. */
    private static Object held(Object service) throws Exception {
        Object held = null;
        // The platform's own fields are closed, and hold no service.
        for (Class<?> at = service.getClass(); at != null && !at.getName().startsWith("java."); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    Object value = field.get(service);
                    if (value != null && isService(value.getClass())) {
                        if (held != null) {
                            return null;
                        }
                        held = value;
                    }
                }
            }
        }
        return held;
    }

    private static boolean isService(Class<?> type) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Class<?> above : at.getInterfaces()) {
                if (above.getName().equals(ARMERIA + "server.HttpService") || isService(above)) {
                    return true;
                }
            }
        }
        return false;
    }

    private void resource(Class<?> type) {
        try {
            Annotation path = onType(type, "Path");
            if (path != null && !type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
                resource(type, text(path), 0);
            }
        } catch (Throwable failure) {
            note("a resource cannot be read: " + failure);
        }
    }

    private void resource(Class<?> type, String base, int depth) {
        for (Method method : type.getMethods()) {
            List<Annotation> annotations = inherited(method);
            String verb = null;
            String path = null;
            List<String> consumed = new ArrayList<String>();
            for (Annotation annotation : annotations) {
                if (isJaxRs(annotation, "Path")) {
                    path = text(annotation);
                } else if (isJaxRs(annotation, "Consumes")) {
                    consumed = texts(Demands.value(annotation, "value"));
                } else if (verb == null) {
                    verb = designated(annotation);
                }
            }
            String whole = base + (path == null ? "" : "/" + path);
            if (verb != null) {
                Operation operation = new Operation(consumed);
                addParameters(operation, method, false);
                add(whole, verb, type.getName() + "." + method.getName(), "jax-rs", operation.toString());
            } else if (path != null && depth < DEEPEST) {
                resource(method.getReturnType(), whole, depth + 1);
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
        for (Method at : overridden(method)) {
            for (Annotation annotation : at.getAnnotations()) {
                if (annotation.annotationType().getName().contains(".ws.rs.")) {
                    return Arrays.asList(at.getAnnotations());
                }
            }
        }
        return new ArrayList<Annotation>();
    }

    /** A method, and those that it overrides. */
    private static List<Method> overridden(Method method) {
        List<Method> found = new ArrayList<Method>();
        for (Class<?> at = method.getDeclaringClass(); at != null && at != Object.class; at = at.getSuperclass()) {
            collect(at, method, found);
        }
        return found;
    }

    private static void collect(Class<?> type, Method method, List<Method> found) {
        try {
            found.add(type.getDeclaredMethod(method.getName(), method.getParameterTypes()));
        } catch (NoSuchMethodException absent) {
            // Inherited from further above.
        }
        for (Class<?> above : type.getInterfaces()) {
            collect(above, method, found);
        }
    }

    // Operations.

    private static Operation operation(Method method, boolean namesCount) {
        Operation operation = new Operation(new ArrayList<String>());
        addParameters(operation, method, namesCount);
        return operation;
    }

    private static void addParameters(Operation operation, Method method, boolean namesCount) {
        List<Method> declared = overridden(method);
        java.lang.reflect.Type[] types = method.getGenericParameterTypes();
        for (int i = 0; i < types.length; i++) {
            List<Annotation> annotations = new ArrayList<Annotation>();
            for (Method at : declared) {
                annotations.addAll(Arrays.asList(at.getParameterAnnotations()[i]));
            }
            java.lang.reflect.Type type = Demanded.ofParameter(types[i], declared, i);
            operation.add(annotations.toArray(new Annotation[0]), type, name(method, i), namesCount);
        }
    }

    /** The name of a parameter where the compiler kept it; null elsewhere. */
    private static String name(Method method, int idx) {
        java.lang.reflect.Parameter[] parameters = method.getParameters();
        return idx >= 0 && idx < parameters.length && parameters[idx].isNamePresent() ? parameters[idx].getName() : null;
    }

    /** An operation object of OpenAPI in the making. */
    private static final class Operation {
        private final StringBuilder parameters = new StringBuilder();
        private final StringBuilder form = new StringBuilder();
        private final List<String> consumed;
        private final Set<String> fields = new LinkedHashSet<String>();
        private final Set<String> placed = new LinkedHashSet<String>();
        /** Names of parameters of its path, where annotations do not tell these from others. */
        private final Set<String> inPath = new LinkedHashSet<String>();
        private boolean isMultipart;
        private String body;

        Operation(List<String> consumed) {
            this.consumed = consumed;
        }

        /** Takes in a parameter of a method; {@code name} is what it is called there, or null. */
        void add(Annotation[] annotations, java.lang.reflect.Type type, String name, boolean namesCount) {
            List<Beans.Filling> part = Beans.ofPart(annotations, type);
            if (!part.isEmpty()) {
                fill(part);
                return;
            }
            Annotation marked = null;
            String place = null;
            for (Annotation annotation : annotations) {
                String of = place(annotation.annotationType().getName());
                if (of != null) {
                    marked = annotation;
                    place = of;
                }
            }
            // Which parts there are is for the service's code to say.
            if (place == null && (isGiven(type) || Schemas.isParts(type) || !isService(annotations))) {
                return;
            }
            if (place == null) {
                // Without a word on it a value is of the query, and what is no value is the body for JAX-RS.
                place = isValue(type) ? "query" : namesCount ? "bean" : "body";
            }
            String own = marked == null ? null : named(marked);
            String called = own != null ? own : name;
            place = inPath.contains(called) ? "path" : place;
            String schema = schema(type, annotations, marked);
            if (place.equals("body")) {
                body = schema;
            } else if (place.equals("parts")) {
                fill(Beans.ofParts(type));
            } else if (place.equals("bean")) {
                boolean isAnnotated = !namesCount || marked != null && marked.annotationType().getSimpleName().equals("RequestBean");
                fill(isAnnotated ? Beans.ofJaxRs(type) : Beans.ofSpring(type));
            } else if (called != null && place.equals("form")) {
                separate(form).append(Schemas.quoted(called)).append(':').append(schema);
            } else if (called != null && !isCollector(type)) {
                parameter(called, place, isRequired(marked, place) || isDemanded(annotations, marked, type), schema);
            }
        }

        /** Takes in what must be there, unless a parameter of the method says what it is. */
        void demand(String name, String place, String schema) {
            if (!placed.contains(place + " " + name)) {
                parameter(name, place, true, schema);
            }
        }

        private void parameter(String name, String place, boolean isRequired, String schema) {
            placed.add(place + " " + name);
            separate(parameters).append("{\"name\":").append(Schemas.quoted(name)).append(",\"in\":\"").append(place).append("\"");
            parameters.append(isRequired ? ",\"required\":true" : "").append(",\"schema\":").append(schema).append('}');
        }

        /** What a bean is filled from. */
        private void fill(List<Beans.Filling> fillings) {
            for (Beans.Filling filling : fillings) {
                String place = filling.place();
                isMultipart |= filling.isPart();
                if (filling.isOfBody() && fields.add(filling.name)) {
                    separate(form).append(Schemas.quoted(filling.name)).append(':').append(filling.schema);
                } else if (place != null) {
                    parameter(filling.name, place, filling.isRequired, filling.schema);
                }
            }
        }

        private static StringBuilder separate(StringBuilder list) {
            return list.length() > 0 ? list.append(',') : list;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder("{\"parameters\":[").append(parameters).append(']');
            String content = body;
            if (form.length() > 0) {
                content = "{\"type\":\"object\",\"properties\":{" + form + "}}";
            }
            if (content != null) {
                text.append(",\"requestBody\":{\"content\":{");
                List<String> media = consumed;
                if (media.isEmpty() || media.get(0).startsWith("*")) {
                    String ofForm = isMultipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
                    media = Arrays.asList(form.length() > 0 ? ofForm : "application/json");
                }
                for (int i = 0; i < media.size(); i++) {
                    text.append(i > 0 ? "," : "").append(Schemas.quoted(media.get(i))).append(":{\"schema\":").append(content);
                    text.append('}');
                }
                text.append("}}");
            }
            return text.append('}').toString();
        }
    }

    /** Where an annotation says that a parameter comes from; null when it does not. */
    private static String place(String annotation) {
        String name = annotation.substring(annotation.lastIndexOf('.') + 1);
        boolean isSpring = annotation.startsWith("org.springframework.web.bind.annotation.");
        boolean isMicronaut = annotation.startsWith("io.micronaut.http.annotation.");
        boolean isParted = annotation.startsWith("org.jboss.resteasy.annotations.providers.multipart.");
        boolean isArmeria = annotation.startsWith(ARMERIA);
        if (!isSpring && !isMicronaut && !isParted && !isArmeria && !annotation.contains(".ws.rs.")) {
            return null;
        }
        switch (name) {
            case "RequestParam":
            case "QueryParam":
            case "QueryValue":
            case "Param":
                return "query";
            case "PathVariable":
            case "PathParam":
                return "path";
            case "RequestHeader":
            case "HeaderParam":
            case "Header":
                return "header";
            case "CookieValue":
            case "CookieParam":
                return "cookie";
            case "RequestBody":
            case "RequestObject":
            case "Body":
                return "body";
            case "FormParam":
            case "RequestPart":
            case "Part":
                return "form";
            case "ModelAttribute":
            case "BeanParam":
            case "RequestBean":
                return "bean";
            case "MultipartForm":
                return "parts";
            default:
                return null;
        }
    }

    /** Whether annotations leave it to the caller to send the value: not those that inject something else. */
    private static boolean isService(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getSimpleName();
            if (name.equals("Context") || name.equals("Suspended") || name.equals("Value") || name.endsWith("Attribute")
                    || name.equals("AuthenticationPrincipal") || name.equals("Auth") || name.equals("MatrixVariable")
                    || name.equals("MatrixParam")) {
                return false;
            }
        }
        return true;
    }

    /** Whether the framework gives such objects by itself. */
    private static boolean isGiven(java.lang.reflect.Type type) {
        String name = name(type);
        return name.startsWith("org.springframework.") || name.startsWith("javax.servlet.") || name.startsWith("jakarta.servlet.")
                || name.startsWith("javax.ws.rs.") || name.startsWith("jakarta.ws.rs.") || name.startsWith("java.security.")
                || name.startsWith("java.io.") || name.startsWith("io.micronaut.") || name.startsWith("kotlin.coroutines.")
                || name.startsWith(ARMERIA)
                || name.equals("java.util.Locale") || name.equals("java.util.TimeZone") || name.equals("java.time.ZoneId")
                || isCollector(type);
    }

    /** Whether all parameters of a place are collected in it. */
    private static boolean isCollector(java.lang.reflect.Type type) {
        String name = name(type);
        return name.startsWith("java.util.Map") || name.endsWith("MultiValueMap") || name.endsWith("HttpHeaders");
    }

    private static String name(java.lang.reflect.Type type) {
        String text = type instanceof Class ? ((Class<?>) type).getName() : type.toString();
        int generic = text.indexOf('<');
        return generic < 0 ? text : text.substring(0, generic);
    }

    private static boolean isValue(java.lang.reflect.Type type) {
        return !Schemas.of(type, Inputs.PARSED).contains("\"properties\"");
    }

    private static String schema(java.lang.reflect.Type type, Annotation[] annotations, Annotation marked) {
        String schema = Schemas.of(type, annotations, Inputs.PARSED);
        Object initial = marked == null ? null : Demands.value(marked, "defaultValue");
        // Spring says by a text that nobody would write that there is none.
        if (initial instanceof String && !((String) initial).isEmpty() && ((String) initial).indexOf('\uE000') < 0
                && schema.contains("\"type\":\"string\"")) {
            return schema.substring(0, schema.length() - 1) + ",\"default\":" + Schemas.quoted((String) initial) + "}";
        }
        return schema;
    }

    private static String named(Annotation annotation) {
        for (String element : new String[] {"name", "value"}) {
            Object value = Demands.value(annotation, element);
            if (value instanceof String && !((String) value).isEmpty()) {
                return (String) value;
            }
        }
        return null;
    }

    private static boolean isRequired(Annotation annotation, String place) {
        if (place.equals("path")) {
            return true;
        }
        if (annotation == null) {
            return false;
        }
        Object initial = Demands.value(annotation, "defaultValue");
        boolean hasDefault = initial instanceof String && ((String) initial).indexOf('\uE000') < 0;
        return Boolean.TRUE.equals(Demands.value(annotation, "required")) && !hasDefault;
    }

    /** Whether Armeria wants a value that has this annotation among these: unless it may be none, or has a default. */
    private static boolean isDemanded(Annotation[] annotations, Annotation marked, java.lang.reflect.Type type) {
        if (marked == null || !marked.annotationType().getName().startsWith(ARMERIA) || name(type).equals("java.util.Optional")) {
            return false;
        }
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getSimpleName();
            if (name.equals("Default") || name.equals("Nullable")) {
                return false;
            }
        }
        return true;
    }

    private static String text(Annotation annotation) {
        Object value = Demands.value(annotation, "value");
        return value instanceof String ? (String) value : "";
    }

    // What is told.

    private void add(String path, String verb, String handler, String framework, String operation) {
        String plain = plain(path);
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

    /**
     * A path as OpenAPI has it: from its slash on, without the expressions of its parameters. One that takes all segments that
     * are left is a parameter like others, for it takes one, too.
     */
    private static String plain(String path) {
        StringBuilder text = new StringBuilder("/");
        int depth = 0;
        boolean isExpression = false;
        for (int i = 0; i < path.length(); i++) {
            char next = path.charAt(i);
            depth += next == '{' ? 1 : next == '}' ? -1 : 0;
            isExpression = depth > 0 && (isExpression || next == ':' || depth > 1);
            char last = text.charAt(text.length() - 1);
            if (isExpression || next == '/' && last == '/' || depth > 0 && next == ' ' || last == '{' && next == '*') {
                continue;
            }
            text.append(next);
        }
        int end = text.length() > 1 && text.charAt(text.length() - 1) == '/' ? text.length() - 1 : text.length();
        return text.substring(0, end);
    }

    private void note(String note) {
        if (notes.size() < MOST_NOTES) {
            notes.add(note.length() > 300 ? note.substring(0, 300) : note);
        }
    }

    private static void append(StringBuilder told, String text) {
        told.append((char) text.length()).append(text);
    }

    /** The class of a handler; of a lambda the one that it is written in, for its own has another name in each JVM. */
    private static String className(Object object) {
        String name = object == null ? "" : object.getClass().getName();
        int lambda = name.indexOf("$$Lambda");
        return lambda < 0 ? name : name.substring(0, lambda);
    }

    // Objects of frameworks.

    private static boolean has(Object object, String method) {
        try {
            return find(object.getClass(), method) != null;
        } catch (Throwable failure) {
            return false;
        }
    }

    private static Object call(Object object, String name) throws Exception {
        Method method = find(object.getClass(), name);
        if (method == null) {
            throw new NoSuchMethodException(object.getClass().getName() + "." + name);
        }
        try {
            method.setAccessible(true);
        } catch (RuntimeException closed) {
            // A public method of a public class needs no leave.
            return method.invoke(object);
        }
        return method.invoke(object);
    }

    /** A method without arguments, as declared furthest above, where it is most likely to be public. */
    private static Method find(Class<?> type, String name) {
        Method found = null;
        for (Method method : type.getMethods()) {
            boolean isOne = method.getName().equals(name) && method.getParameterTypes().length == 0;
            if (isOne && (found == null || Modifier.isPublic(method.getDeclaringClass().getModifiers()))) {
                found = method;
            }
        }
        return found;
    }

    /** What one of these fields or accessors holds. */
    private static Object field(Object object, String one, String other, String getOne, String getOther) throws Exception {
        for (String getter : new String[] {getOne, getOther}) {
            if (has(object, getter)) {
                return call(object, getter);
            }
        }
        for (String name : new String[] {one, other}) {
            for (Class<?> at = object.getClass(); at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (field.getName().equals(name)) {
                        field.setAccessible(true);
                        return field.get(object);
                    }
                }
            }
        }
        throw new NoSuchFieldException(one);
    }

    private static List<String> texts(Object values) {
        List<String> texts = new ArrayList<String>();
        Object[] all = values instanceof Collection ? ((Collection<?>) values).toArray()
                : values instanceof Object[] ? (Object[]) values : new Object[0];
        for (Object value : all) {
            texts.add(String.valueOf(value));
        }
        return texts;
    }
}
