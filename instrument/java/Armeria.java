import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/** Routes of Armeria: services that are bound to paths, behind what decorates them, and methods with its annotations. */
final class Armeria {
    /** What the names of its classes begin with. */
    static final String PACKAGE = "com.linecorp.armeria.";

    /** How many services lie in each other. */
    private static final int MOST_DECORATORS = 50;

    private Armeria() { }

    /** Tells the routes of what is bound to a path. */
    static void read(Object config, Routes routes) throws Exception {
        Object route = Accessors.call(config, "route");
        String path = (String) Accessors.call(route, "patternString");
        if (String.valueOf(Accessors.call(route, "pathType")).startsWith("REGEX")) {
            routes.note("armeria: `" + path + "` is a pattern");
            return;
        }
        Object service = undecorated(Accessors.call(config, "service"));
        Object target = Accessors.has(service, "method") ? Accessors.call(service, "method") : null;
        Method method = target instanceof Method ? (Method) target : null;
        Operation operation = new Operation(Accessors.texts(Accessors.call(route, "consumes")));
        operation.inPath.addAll(Accessors.texts(Accessors.call(route, "paramNames")));
        if (method != null) {
            operation.addParameters(method, false);
        }
        String served =
                method != null ? method.getDeclaringClass().getName() + "." + method.getName() : Routes.className(service);
        String plain = path.replaceAll(":\\*?([A-Za-z_][A-Za-z0-9_]*)", "{$1}");
        List<String> verbs = Accessors.texts(Accessors.call(route, "methods"));
        for (String verb : verbs.containsAll(Routes.VERBS) ? Arrays.asList("") : verbs) {
            if (verb.isEmpty() || Routes.VERBS.contains(verb)) {
                routes.add(plain, verb, served, "armeria", operation.toString());
            }
        }
    }

    /** What a service of Armeria hands its requests to, behind all that stands around it. */
    private static Object undecorated(Object service) throws Exception {
        Object inner = service;
        for (int i = 0; i < MOST_DECORATORS && !Accessors.has(inner, "method"); i++) {
            Object next = Accessors.has(inner, "unwrap") ? Accessors.call(inner, "unwrap") : inner;
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
                if (above.getName().equals(PACKAGE + "server.HttpService") || isService(above)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it wants a value that has this annotation among these: unless it may be none, or has a default. */
    static boolean isDemanded(Annotation[] annotations, Annotation marked, java.lang.reflect.Type type) {
        boolean isOwn = marked != null && marked.annotationType().getName().startsWith(PACKAGE);
        if (!isOwn || Operation.name(type).equals("java.util.Optional")) {
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
}
