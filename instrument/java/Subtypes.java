import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.ArrayList;

/**
 * Which classes a class stands for, and how a JSON library tells them apart: Jackson's `@JsonTypeInfo` and `@JsonSubTypes`,
 * JSON-B's `@JsonbTypeInfo`.
 */
final class Subtypes {
    /** Classes that one stands for. */
    private static final int MOST = 16;

    /** Classes between one and what it stands for. */
    private static final int DEEPEST = 4;

    /** The classes, and the text that stands for each. */
    final ArrayList<Class<?>> types = new ArrayList<Class<?>>();
    final ArrayList<String> ids = new ArrayList<String>();

    /** The property that holds the text; null when there is none. */
    String property;

    /** Whether the text is the only key of an object around. */
    boolean isWrapped;

    private String use = "NAME";

    private Subtypes() {
    }

    /** What a class stands for; null when no annotation says so. */
    static Subtypes of(Class<?> type) {
        Subtypes subtypes = new Subtypes();
        for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
            if (subtypes.reads(at)) {
                subtypes.add(type, null, 0);
                return subtypes;
            }
            for (Class<?> implemented : at.getInterfaces()) {
                if (subtypes.reads(implemented)) {
                    subtypes.add(type, null, 0);
                    return subtypes;
                }
            }
        }
        return null;
    }

    /** Whether annotations of a class say how those that it stands for are told apart. */
    private boolean reads(Class<?> type) {
        for (Annotation annotation : type.getAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.equals("com.fasterxml.jackson.annotation.JsonTypeInfo")) {
                return readsJackson(annotation);
            }
            if (name.endsWith(".json.bind.annotation.JsonbTypeInfo")) {
                property = String.valueOf(Demands.value(annotation, "key"));
                return true;
            }
        }
        return false;
    }

    private boolean readsJackson(Annotation annotation) {
        use = String.valueOf(Demands.value(annotation, "use"));
        String include = String.valueOf(Demands.value(annotation, "include"));
        Object named = Demands.value(annotation, "property");
        boolean isClass = use.equals("CLASS") || use.equals("MINIMAL_CLASS");
        String usual = use.equals("CLASS") ? "@class" : isClass ? "@c" : "@type";
        property = named instanceof String && !((String) named).isEmpty() ? (String) named : usual;
        isWrapped = include.equals("WRAPPER_OBJECT");
        if (use.equals("DEDUCTION")) {
            property = null;
        }
        // What stands in an array, beside the value or is told by code of the service is left to be any object.
        boolean isTold = include.equals("PROPERTY") || include.equals("EXISTING_PROPERTY") || isWrapped;
        return isTold && !use.equals("NONE") && !use.equals("CUSTOM");
    }

    /** Adds a class, unless it is abstract, and those that annotations name as its subclasses. */
    private void add(Class<?> type, String id, int depth) {
        if (types.size() >= MOST || depth > DEEPEST || types.contains(type)) {
            return;
        }
        if (!type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
            types.add(type);
            ids.add(id == null || id.isEmpty() ? named(type) : id);
        }
        for (Annotation annotation : type.getAnnotations()) {
            String name = annotation.annotationType().getName();
            boolean isJackson = name.equals("com.fasterxml.jackson.annotation.JsonSubTypes");
            if (isJackson || name.endsWith(".json.bind.annotation.JsonbTypeInfo")) {
                Object listed = Demands.value(annotation, "value");
                for (Object one : listed instanceof Annotation[] ? (Annotation[]) listed : new Annotation[0]) {
                    Object subtype = Demands.value((Annotation) one, isJackson ? "value" : "type");
                    Object told = Demands.value((Annotation) one, isJackson ? "name" : "alias");
                    if (subtype instanceof Class) {
                        add((Class<?>) subtype, told instanceof String ? (String) told : null, depth + 1);
                    }
                }
            }
        }
    }

    /** The text that stands for a class when nothing else is said. */
    private String named(Class<?> type) {
        String name = type.getName();
        if (use.equals("CLASS")) {
            return name;
        }
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (use.equals("MINIMAL_CLASS")) {
            return "." + last;
        }
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getName().equals("com.fasterxml.jackson.annotation.JsonTypeName")) {
                Object told = Demands.value(annotation, "value");
                if (told instanceof String && !((String) told).isEmpty()) {
                    return (String) told;
                }
            }
        }
        return use.equals("SIMPLE_NAME") ? last.substring(last.lastIndexOf('$') + 1) : last;
    }
}
