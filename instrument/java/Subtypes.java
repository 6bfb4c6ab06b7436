import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

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

    /** Whether the text is the first of two members of an array around, of which the value is the second. */
    boolean isInArray;

    /** Whether the property that holds the text stands beside the value, in the object that has it. */
    boolean isBeside;

    private static final String INFO = "com.fasterxml.jackson.annotation.JsonTypeInfo";

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

    /** What a property of this class stands for by annotations of its own; null when none says so. */
    static Subtypes of(Class<?> type, Iterable<Annotation> own) {
        for (Annotation annotation : own) {
            Subtypes subtypes = new Subtypes();
            boolean isTold = annotation.annotationType().getName().endsWith(INFO);
            if (isTold && subtypes.readsJackson(annotation, true)) {
                subtypes.addListed(own, 0);
                subtypes.add(type, null, 0);
                return subtypes.types.isEmpty() ? null : subtypes;
            }
        }
        return null;
    }

    /** What a class stands for where a factory of Gson was registered that says so, the one that is handed around as a source. */
    static Subtypes ofGson(Class<?> type) {
        for (Object factory : Registered.all()) {
            boolean isOne = factory.getClass().getSimpleName().equals("RuntimeTypeAdapterFactory");
            Object labels = isOne && Registered.field(factory, "baseType") == type ? Registered.field(factory, "labelToSubtype") : null;
            Object named = Registered.field(factory, "typeFieldName");
            if (labels instanceof LinkedHashMap && labels.getClass() == LinkedHashMap.class && named instanceof String) {
                Subtypes subtypes = new Subtypes();
                subtypes.property = (String) named;
                for (Map.Entry<?, ?> label : ((Map<?, ?>) labels).entrySet()) {
                    if (label.getValue() instanceof Class && subtypes.types.size() < MOST) {
                        subtypes.types.add((Class<?>) label.getValue());
                        subtypes.ids.add(String.valueOf(label.getKey()));
                    }
                }
                return subtypes;
            }
        }
        return null;
    }

    /** Whether annotations of a class say how those that it stands for are told apart. */
    private boolean reads(Class<?> type) {
        for (Annotation annotation : type.getAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.endsWith(INFO)) {
                return readsJackson(annotation, false);
            }
            if (name.endsWith(".json.bind.annotation.JsonbTypeInfo")) {
                property = String.valueOf(Demands.value(annotation, "key"));
                return true;
            }
        }
        return false;
    }

    private boolean readsJackson(Annotation annotation, boolean isOfProperty) {
        use = String.valueOf(Demands.value(annotation, "use"));
        String include = String.valueOf(Demands.value(annotation, "include"));
        Object named = Demands.value(annotation, "property");
        boolean isClass = use.equals("CLASS") || use.equals("MINIMAL_CLASS");
        String usual = use.equals("CLASS") ? "@class" : isClass ? "@c" : "@type";
        property = named instanceof String && !((String) named).isEmpty() ? (String) named : usual;
        isWrapped = include.equals("WRAPPER_OBJECT");
        isInArray = include.equals("WRAPPER_ARRAY");
        if (use.equals("DEDUCTION")) {
            property = null;
        }
        // Of a class that is no more than a property.
        boolean isExternal = include.equals("EXTERNAL_PROPERTY");
        isBeside = isExternal && isOfProperty && property != null;
        // What is told by code of the service is left to be any object.
        boolean isTold = include.equals("PROPERTY") || include.equals("EXISTING_PROPERTY") || isExternal || isWrapped
                || isInArray;
        return isTold && !use.equals("NONE") && !use.equals("CUSTOM");
    }

    /** Adds a class, unless it is abstract, and those that annotations name as its subclasses. */
    private void add(Class<?> type, String id, int depth) {
        if (types.size() >= MOST || depth > DEEPEST || types.contains(type)) {
            return;
        }
        boolean isMade = !type.isInterface() && !Modifier.isAbstract(type.getModifiers()) && type != Object.class;
        if (isMade) {
            types.add(type);
            ids.add(id == null || id.isEmpty() ? named(type) : id);
        }
        addListed(Arrays.asList(type.getAnnotations()), depth);
        if (depth == 0 && type != Object.class) {
            addRegistered(type);
        }
    }

    /** Adds classes that a mapper was told of, wherever that was. */
    private void addRegistered(Class<?> type) {
        for (Object registered : Registered.all()) {
            boolean isNamed = !(registered instanceof Class);
            Object subtype = isNamed ? Registered.get(registered, "getType") : registered;
            Object name = isNamed ? Registered.get(registered, "getName") : null;
            if (subtype instanceof Class && subtype != type && type.isAssignableFrom((Class<?>) subtype)) {
                add((Class<?>) subtype, name instanceof String ? (String) name : null, 1);
            }
        }
    }

    private void addListed(Iterable<Annotation> annotations, int depth) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getName();
            boolean isJackson = name.endsWith("com.fasterxml.jackson.annotation.JsonSubTypes");
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
            if (annotation.annotationType().getName().endsWith("com.fasterxml.jackson.annotation.JsonTypeName")) {
                Object told = Demands.value(annotation, "value");
                if (told instanceof String && !((String) told).isEmpty()) {
                    return (String) told;
                }
            }
        }
        return use.equals("SIMPLE_NAME") ? last.substring(last.lastIndexOf('$') + 1) : last;
    }
}
