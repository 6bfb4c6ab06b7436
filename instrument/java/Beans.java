import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parameters from which a framework fills a bean: as Spring binds them, to setters and to a constructor, with the names of
 * properties in properties ({@code crew.name}, {@code stops[0].port}, {@code fees[adult]}); or as annotations of JAX-RS and Micronaut say it.
 *
 * <p>Classes are only looked at, as {@link Schemas} does.
 */
final class Beans {
    /** Parameters of a bean. */
    private static final int MOST = 32;

    /** Beans in beans. */
    private static final int DEEPEST = 3;

    /** Members of a list of beans, and keys of a map, that are named. */
    private static final int MEMBERS = 2;

    /** Beans that are known. */
    private static final int MOST_KNOWN = 256;

    /** The longest schema of a parameter, in chars. */
    private static final int LONGEST = 4000;

    private static final int QUERY = 0;
    private static final int HEADER = 1;
    private static final int COOKIE = 2;
    private static final int FORM = 3;
    private static final int PART = 4;
    private static final int FILE = 17;
    private static final int MATRIX = 22;
    private static final int KEY = 10;

    /** A key whose value is a text; those of the other kinds follow. */
    private static final int FIRST_KIND = 11;

    /** Where a member is sent that has nothing but its name; not a place that is told. */
    static final int NAMED = 98;

    /** What annotations of Quarkus begin with that say where a value comes from. */
    private static final String QUARKUS = "org.jboss.resteasy.reactive.Rest";

    private static final String FILE_SCHEMA = "{\"format\":\"binary\",\"type\":\"string\"}";

    /** Of the names of types what is told of them; the agent's thread alone comes here. */
    private static final HashMap<String, List<String>> KNOWN = new HashMap<String, List<String>>();

    /** A parameter: where it is sent, what it is called, its schema, and whether it must be there. */
    static final class Filling {
        final int place;
        final String name;
        final String schema;
        final boolean isRequired;

        Filling(int place, String name, String schema, boolean isRequired) {
            this.place = place;
            this.name = name;
            this.schema = schema;
            this.isRequired = isRequired;
        }

        /** Whether it is a part of a multipart body. */
        boolean isPart() {
            return place == PART || place == FILE;
        }

        /** Whether it is one of the body, in a form or alone. */
        boolean isOfBody() {
            return place == FORM || isPart();
        }

        /** As OpenAPI calls it; null for one of the body, and for those that it cannot say. */
        String place() {
            return place == QUERY ? "query" : place == HEADER ? "header" : place == COOKIE ? "cookie" : null;
        }
    }

    private final ArrayList<Filling> fillings = new ArrayList<Filling>();
    private final ArrayList<Class<?>> path = new ArrayList<Class<?>>();

    /** Whether forms are multipart bodies. */
    private final boolean isMultipart;

    /** Of which media type the next part is; null where it is not said. */
    private String media;

    private Beans(boolean isMultipart) {
        this.isMultipart = isMultipart;
    }

    /** Whether what a body is read into is a bean that is filled from the parts of one, as annotations of its members say. */
    static boolean isOfParts(Object read) {
        try {
            Type type = read instanceof Class ? (Class<?>) read : read instanceof Type ? (Type) read : null;
            List<String> told = type == null ? null : toldOf(type);
            return told != null && !told.isEmpty() && (told.get(0).charAt(0) == PART || told.get(0).charAt(0) == FILE);
        } catch (Throwable failure) {
            return false;
        }
    }

    /**
     * What is told of a bean by what a framework fills it for: a parameter of Spring or of Jersey, a class (of Micronaut, or one
     * that RESTEasy fills from parts), or the object itself. Of each parameter its place as a char, its name, a line break, its schema. Null when there are
     * too many beans.
     */
    static List<String> told(Object filled) throws Exception {
        String name = filled.getClass().getName();
        if (filled instanceof Type || name.startsWith("io.micronaut.")) {
            boolean isSpread = !(filled instanceof Type);
            Type bean = isSpread ? Schemas.type(filled) : (Type) filled;
            String key = (isSpread ? "Q" : "M") + Inputs.distinct(bean);
            if (!KNOWN.containsKey(key) && KNOWN.size() < MOST_KNOWN) {
                KNOWN.put(key, told(ofMicronaut(bean, isSpread)));
            }
            return KNOWN.get(key);
        }
        boolean isSpring = name.startsWith("org.springframework.");
        boolean isDescribed = isSpring || name.startsWith("org.glassfish.jersey.");
        if (isSpring && !isBinding((Annotation[]) get(filled, "getParameterAnnotations"))) {
            return new ArrayList<String>();
        }
        Type type = isDescribed ? (Type) get(filled, isSpring ? "getGenericParameterType" : "getType") : filled.getClass();
        List<Filling> part = isDescribed && !isSpring ? ofPart((Annotation[]) get(filled, "getAnnotations"), type) : null;
        if (part != null && !part.isEmpty()) {
            return told(part);
        }
        String key = (isSpring ? "S" : "J") + Inputs.distinct(type);
        List<String> known = KNOWN.get(key);
        if (known == null && KNOWN.size() < MOST_KNOWN) {
            known = told(isSpring ? ofSpring(type) : ofJaxRs(type));
            KNOWN.put(key, known);
        }
        return known;
    }

    /**
     * The same of a part: a parameter of Jersey that is read from one, as the body says, and not its annotation; or its name,
     * what it is read into, and its media type or null.
     */
    static List<String> toldOfPart(Object parameter) throws Exception {
        if (parameter instanceof Object[]) {
            Object[] part = (Object[]) parameter;
            String name = part[0] instanceof String ? (String) part[0] : (String) get(part[0], "getName");
            Type read = part[1] instanceof Type ? (Type) part[1] : (Type) get(part[1], "getType");
            Beans beans = new Beans(true);
            beans.media = part[2] == null ? null : get(part[2], "getType") + "/" + get(part[2], "getSubtype");
            beans.add(PART, name == null ? "" : name, partly(read), new ArrayList<Annotation>());
            return told(beans.fillings);
        }
        Type type = (Type) get(parameter, "getType");
        Annotation[] annotations = (Annotation[]) get(parameter, "getAnnotations");
        return told(ofPart(annotations, type, true));
    }

    /** What annotations of a class that a body is read into say that it is filled from: parts, or else parameters. */
    static List<String> toldOf(Type type) {
        String key = "A" + Inputs.distinct(type);
        List<String> known = KNOWN.get(key);
        if (known == null && KNOWN.size() < MOST_KNOWN) {
            List<Filling> parts = ofParts(type);
            known = told(parts.isEmpty() ? ofJaxRs(type) : parts);
            KNOWN.put(key, known);
        }
        return known;
    }

    private static List<String> told(List<Filling> fillings) {
        ArrayList<String> told = new ArrayList<String>();
        for (Filling filling : fillings) {
            told.add((char) filling.place + filling.name + "\n" + filling.schema);
        }
        return told;
    }

    static Object get(Object object, String getter) throws Exception {
        // The class may be hidden behind its public interface.
        Method method = object.getClass().getMethod(getter);
        method.setAccessible(true);
        return method.invoke(object);
    }

    /** Whether `@ModelAttribute(binding = false)` does not stand there. */
    private static boolean isBinding(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            if (annotation.annotationType().getSimpleName().equals("ModelAttribute")
                    && Boolean.FALSE.equals(Demands.value(annotation, "binding"))) {
                return false;
            }
        }
        return true;
    }

    /** The parameters that Spring fills a bean of this type from. */
    static List<Filling> ofSpring(Type type) {
        Beans beans = new Beans(false);
        beans.bind("", type);
        return beans.fillings;
    }

    /** The parameters that annotations of this class name for JAX-RS and Micronaut. */
    static List<Filling> ofJaxRs(Type type) {
        Beans beans = new Beans(false);
        beans.annotated(raw(type));
        return beans.fillings;
    }

    /** The same for Micronaut, and members without annotations; all are of the query where that is spread over the bean. */
    private static List<Filling> ofMicronaut(Type type, boolean isSpread) {
        Beans beans = new Beans(false);
        Class<?> raw = raw(type);
        if (!isSpread) {
            beans.annotated(raw);
        }
        boolean isBean = raw != null && !isForeign(raw) && !raw.isInterface() && !isValue(type);
        Map<String, Schemas.Property> properties =
                isBean ? properties(raw, arguments(type)) : new TreeMap<String, Schemas.Property>();
        beans.path.add(raw);
        for (Map.Entry<String, Schemas.Property> entry : properties.entrySet()) {
            Schemas.Property property = entry.getValue();
            Type known = Schemas.resolved(Demanded.of(property.type, property.uses), property.bound);
            known = raw(known) == java.util.Optional.class ? argument(known, 0) : known;
            boolean isMarked = false;
            for (Annotation annotation : property.annotations) {
                isMarked |= annotation.annotationType().getName().startsWith("io.micronaut.http.annotation.");
            }
            if (property.isSettable && isValue(known) && (isSpread || !isMarked)) {
                beans.add(isSpread ? QUERY : NAMED, entry.getKey(), known, property.annotations);
            }
        }
        return beans.fillings;
    }

    /** The place of a key that is read into what this says: of its value no more is known than its kind. */
    static int key(Object read) {
        try {
            Type type = Schemas.type(read);
            String schema = type == null ? "" : Schemas.of(type, Schemas.FROM_TEXTS);
            String[] kinds = {"string", "integer", "number", "boolean", "array", "object"};
            for (int i = 0; i < kinds.length; i++) {
                if (schema.contains("\"type\":\"" + kinds[i] + "\"}")) {
                    return FIRST_KIND + i;
                }
            }
        } catch (Throwable failure) {
            // It is a key all the same.
        }
        return KEY;
    }

    /** The parts of a body that annotations of this class name for RESTEasy. */
    static List<Filling> ofParts(Type type) {
        Beans beans = new Beans(true);
        beans.annotated(raw(type));
        for (int i = beans.fillings.size() - 1; i >= 0; i--) {
            if (beans.fillings.get(i).place != PART) {
                beans.fillings.remove(i);
            }
        }
        return beans.fillings;
    }

    /** The part of a body that a parameter of a method is for Jersey; none where it is none. */
    static List<Filling> ofPart(Annotation[] annotations, Type type) {
        return ofPart(annotations, type, type.toString().contains(".ws.rs.core.EntityPart"));
    }

    /** Whether an annotation of Quarkus says where a parameter of a method comes from, but for those of the path. */
    static boolean isOfQuarkus(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getName();
            if (name.startsWith(QUARKUS) && place(name.substring(name.lastIndexOf('.') + 1)) >= 0) {
                return true;
            }
        }
        return false;
    }

    /** What a parameter of a method is for Quarkus; none where it has no name. */
    static List<Filling> ofQuarkus(Annotation[] annotations, Type type, String name, boolean isMultipart) {
        Beans beans = new Beans(isMultipart);
        beans.annotated(annotations, type, name == null ? "" : name);
        return beans.fillings;
    }

    /** The same; {@code isForm} says whether a parameter of a form is one. */
    private static List<Filling> ofPart(Annotation[] annotations, Type type, boolean isForm) {
        Beans beans = new Beans(true);
        for (Annotation annotation : annotations) {
            String simpleName = annotation.annotationType().getSimpleName();
            boolean isPart = simpleName.equals("FormDataParam") || simpleName.equals("FormParam") && isForm;
            Object told = isPart ? Demands.value(annotation, "value") : null;
            if (told instanceof String) {
                beans.add(PART, (String) told, partly(type), Arrays.asList(annotations));
            }
        }
        return beans.fillings;
    }

    private void add(int place, String name, Type type, List<Annotation> annotations) {
        boolean isNone = name.isEmpty() || name.indexOf('\n') >= 0 || fillings.size() >= MOST;
        for (Filling filling : fillings) {
            isNone |= filling.place == place && filling.name.equals(name);
        }
        if (isNone) {
            return;
        }
        // What is demanded of a bean in a bean is so where that is there.
        boolean isRequired = false;
        for (Annotation annotation : annotations) {
            isRequired |= path.size() == 1 && Demands.isRequiring(annotation);
        }
        boolean isFile = place == FILE || place == PART && isContent(type);
        // A part may be of any media type: what is no value is JSON.
        boolean isJson = place == PART && !isValue(type);
        int rules = isJson ? Inputs.PARSED : Schemas.FROM_TEXTS;
        String schema = isFile ? FILE_SCHEMA : Schemas.of(type, annotations.toArray(new Annotation[0]), rules);
        String tooLong = isJson ? "{\"type\":\"object\"}" : "{\"type\":\"string\"}";
        schema = schema.length() > LONGEST ? tooLong : schema;
        fillings.add(new Filling(place, name, place == PART ? ofMedia(schema, type, isJson) : schema, isRequired));
    }

    /** The schema of a part, which says of which media type that is where nobody would guess it. */
    private String ofMedia(String schema, Type type, boolean isJson) {
        boolean isUsual = media == null || media.indexOf('*') >= 0 || (isJson ? media.endsWith("json") : media.equals("text/plain"));
        if (isUsual) {
            return schema;
        }
        String root = media.endsWith("xml") && isJson ? root(raw(type)) : null;
        String keywords = "{\"contentMediaType\":" + Schemas.quoted(media)
                + (root == null ? "" : ",\"xml\":{\"name\":" + Schemas.quoted(root) + "}");
        return keywords + (schema.length() > 2 ? "," : "") + schema.substring(1);
    }

    /** The name of the outermost element that JAXB reads a class from; null where the class does not say. */
    private static String root(Class<?> type) {
        for (Annotation annotation : type == null ? new Annotation[0] : type.getAnnotations()) {
            if (annotation.annotationType().getName().endsWith(".xml.bind.annotation.XmlRootElement")) {
                Object name = Demands.value(annotation, "name");
                return "##default".equals(name) ? decapitalized(type.getSimpleName()) : String.valueOf(name);
            }
        }
        return null;
    }

    /** Whether it is one text, or several. */
    private static boolean isValue(Type type) {
        Type member = member(type);
        return Schemas.isValue(raw(type)) || member != null && Schemas.isValue(raw(member));
    }

    /** Whether a parameter of this type is a file, or several, of a multipart body. */
    static boolean isUpload(Type type) {
        Type member = member(type);
        Type[] arguments = arguments(type);
        return isFile(raw(type)) || member != null && isFile(raw(member)) || arguments.length == 1 && isFile(raw(arguments[0]));
    }

    /** Whether a part is read as bytes, of whatever media type it is. */
    static boolean isContent(Type type) {
        Type member = member(type);
        Class<?> raw = raw(member == null || type == byte[].class ? type : member);
        String name = raw == null ? "" : raw.getName();
        return type == byte[].class || name.equals("java.io.InputStream") || name.equals("java.io.File") || isFile(raw)
                || name.equals("java.nio.file.Path") || name.endsWith("ContentDisposition") || name.endsWith(".BodyPartEntity");
    }

    /** What a part is read as: text where it is the framework's own object for it. */
    private static Type partly(Type type) {
        Type member = member(type);
        Class<?> raw = raw(member == null ? type : member);
        String name = raw == null ? "" : raw.getName();
        boolean isAny = name.endsWith("BodyPart") || name.endsWith(".EntityPart") || name.endsWith(".InputPart");
        return isAny ? String.class : type;
    }

    // Spring.

    /** The properties of a class, each behind what leads to it: first those that are values, then those that have properties. */
    private void bind(String prefix, Type type) {
        Class<?> raw = raw(type);
        if (raw == null || isForeign(raw) || raw.isInterface() || Modifier.isAbstract(raw.getModifiers())
                || path.contains(raw) || path.size() > DEEPEST) {
            return;
        }
        path.add(raw);
        Map<String, Schemas.Property> properties = properties(raw, arguments(type));
        for (boolean isDeep : new boolean[] {false, true}) {
            for (Map.Entry<String, Schemas.Property> entry : properties.entrySet()) {
                Schemas.Property property = entry.getValue();
                Type known = Schemas.resolved(Demanded.of(property.type, property.uses), property.bound);
                known = raw(known) == java.util.Optional.class ? argument(known, 0) : known;
                bind(prefix + entry.getKey(), known, property, isDeep);
            }
        }
        path.remove(path.size() - 1);
    }

    private void bind(String name, Type type, Schemas.Property property, boolean isDeep) {
        Class<?> raw = raw(type);
        Type member = member(type);
        if (raw != null && Map.class.isAssignableFrom(raw)) {
            if (isDeep) {
                bindMap(name, type);
            }
        } else if (isFile(raw(member == null ? type : member))) {
            if (!isDeep && property.isSettable) {
                add(FILE, name, type, property.annotations);
            }
        } else if (raw != null && Schemas.isValue(raw) || member != null && Schemas.isValue(raw(member))) {
            if (!isDeep && property.isSettable) {
                add(QUERY, name, type, property.annotations);
            }
        } else if (isDeep && member != null) {
            for (int i = 0; i < MEMBERS && property.isReadable; i++) {
                bind(name + "[" + i + "].", member);
            }
        } else if (isDeep && property.isReadable) {
            bind(name + ".", type);
        }
    }

    private void bindMap(String name, Type type) {
        Type value = argument(type, 1);
        Class<?> plain = raw(value);
        for (String key : keys(raw(argument(type, 0)))) {
            if (plain != null && Schemas.isValue(plain)) {
                add(QUERY, name + "[" + key + "]", value instanceof Demanded ? ((Demanded) value).type : value,
                        value instanceof Demanded ? ((Demanded) value).annotations : new ArrayList<Annotation>());
            } else {
                bind(name + "[" + key + "].", value);
            }
        }
    }

    /** Keys that a map may have. */
    private static List<String> keys(Class<?> type) {
        ArrayList<String> keys = new ArrayList<String>();
        if (type != null && type.isEnum()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.isEnumConstant() && keys.size() < MEMBERS) {
                    keys.add(field.getName());
                }
            }
            return keys;
        }
        boolean isText = type == null || type == Object.class || CharSequence.class.isAssignableFrom(type);
        return Arrays.asList(isText ? "a" : "0", isText ? "b" : "1");
    }

    /** What can be set of a class, or be led through: by its setters and getters, and by the constructor that Spring calls. */
    private static Map<String, Schemas.Property> properties(Class<?> type, Type[] arguments) {
        TreeMap<String, Schemas.Property> found = new TreeMap<String, Schemas.Property>();
        Map<String, Type> bound = Schemas.variables(type, arguments);
        constructor(type, bound, found);
        for (Class<?> at = type; at != null && at != Object.class && !isForeign(at); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                accessor(method, bound, found);
            }
            for (Field field : at.getDeclaredFields()) {
                Schemas.Property known = found.get(field.getName());
                if (known != null && !Modifier.isStatic(field.getModifiers())) {
                    known.add(field.getAnnotations());
                    Demanded.note(field, known.uses);
                }
            }
            bound = Schemas.parentVariables(at, bound);
        }
        return found;
    }

    private static void accessor(Method method, Map<String, Type> bound, Map<String, Schemas.Property> found) {
        String name = method.getName();
        int n = method.getParameterTypes().length;
        int modifiers = method.getModifiers();
        boolean isSetter = n == 1 && name.startsWith("set") && name.length() > 3;
        boolean isGetter = n == 0 && (name.startsWith("get") && name.length() > 3
                || name.startsWith("is") && name.length() > 2 && method.getReturnType() == boolean.class);
        if (!isSetter && !isGetter || !Modifier.isPublic(modifiers) || Modifier.isStatic(modifiers) || method.isSynthetic()
                || method.getReturnType() == void.class && isGetter) {
            return;
        }
        String property = decapitalized(name.substring(name.startsWith("is") ? 2 : 3));
        Schemas.Property known = Schemas.at(found, property);
        if (known.type == null || isSetter && !known.isSettable) {
            known.type = isSetter ? method.getGenericParameterTypes()[0] : method.getGenericReturnType();
            known.bound = bound;
        }
        known.isSettable |= isSetter;
        known.isReadable |= isGetter;
        known.add(method.getAnnotations());
        if (isSetter) {
            Demanded.note(method, 0, known.uses);
        } else {
            Demanded.note(method, known.uses);
        }
    }

    /** As the JDK's beans have it: a name that begins with two capital letters stays. */
    private static String decapitalized(String name) {
        boolean isAcronym = name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return isAcronym ? name : name.substring(0, 1).toLowerCase(java.util.Locale.ROOT) + name.substring(1);
    }

    /** What the constructor takes that Spring calls: the only public one, the only one, or the longest of a class of Kotlin. */
    private static void constructor(Class<?> type, Map<String, Type> bound, Map<String, Schemas.Property> found) {
        Constructor<?> chosen = chosen(type);
        Parameter[] parameters = chosen == null ? new Parameter[0] : chosen.getParameters();
        Type[] types = chosen == null ? new Type[0] : chosen.getGenericParameterTypes();
        List<String> names = names(type, chosen, parameters);
        for (int i = 0; i < parameters.length && i < names.size() && types.length == parameters.length; i++) {
            Schemas.Property property = Schemas.at(found, names.get(i));
            property.type = types[i];
            property.bound = bound;
            property.isSettable = true;
            property.isReadable = true;
            property.add(parameters[i].getAnnotations());
            Demanded.note(chosen, i, property.uses);
        }
    }

    private static Constructor<?> chosen(Class<?> type) {
        ArrayList<Constructor<?>> open = new ArrayList<Constructor<?>>();
        ArrayList<Constructor<?>> all = new ArrayList<Constructor<?>>();
        Constructor<?> longest = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.isSynthetic()) {
                continue;
            }
            all.add(constructor);
            if (Modifier.isPublic(constructor.getModifiers())) {
                open.add(constructor);
            }
            int n = constructor.getParameterTypes().length;
            longest = longest == null || n > longest.getParameterTypes().length ? constructor : longest;
        }
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
                return longest;
            }
        }
        return open.size() == 1 ? open.get(0) : open.isEmpty() && all.size() == 1 ? all.get(0) : null;
    }

    /**
     * What the parameters of a constructor are called: as an annotation says, as the compiler kept it, or as the fields that are
     * declared first where these have the same types; none where that is not known.
     */
    private static List<String> names(Class<?> type, Constructor<?> constructor, Parameter[] parameters) {
        ArrayList<String> names = new ArrayList<String>();
        for (Annotation annotation : constructor == null ? new Annotation[0] : constructor.getAnnotations()) {
            Object told = Demands.value(annotation, "value");
            if (annotation.annotationType().getSimpleName().equals("ConstructorProperties") && told instanceof String[]) {
                return Arrays.asList((String[]) told);
            }
        }
        ArrayList<Field> fields = new ArrayList<Field>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                fields.add(field);
            }
        }
        for (int i = 0; i < parameters.length; i++) {
            boolean isField = i < fields.size() && fields.get(i).getType() == parameters[i].getType();
            String name = parameters[i].isNamePresent() ? parameters[i].getName() : isField ? fields.get(i).getName() : null;
            for (Annotation annotation : parameters[i].getAnnotations()) {
                Object told = Demands.value(annotation, "value");
                boolean isRenaming = annotation.annotationType().getSimpleName().equals("BindParam");
                name = isRenaming && told instanceof String && !((String) told).isEmpty() ? (String) told : name;
            }
            if (name == null) {
                return new ArrayList<String>();
            }
            names.add(name);
        }
        return names;
    }

    // JAX-RS and Micronaut.

    /** What annotations of the fields, setters and constructors of a class say. */
    private void annotated(Class<?> type) {
        if (type == null || path.contains(type) || path.size() > DEEPEST) {
            return;
        }
        path.add(type);
        for (Class<?> at = type; at != null && at != Object.class && !isForeign(at); at = at.getSuperclass()) {
            for (Constructor<?> constructor : at == type ? at.getDeclaredConstructors() : new Constructor<?>[0]) {
                Annotation[][] annotations = constructor.getParameterAnnotations();
                Type[] types = constructor.getGenericParameterTypes();
                for (int i = 0; i < types.length && types.length == annotations.length; i++) {
                    ArrayList<AnnotatedType> uses = new ArrayList<AnnotatedType>();
                    Demanded.note(constructor, i, uses);
                    annotated(annotations[i], Demanded.of(types[i], uses), "");
                }
            }
            for (Field field : at.getDeclaredFields()) {
                ArrayList<AnnotatedType> uses = new ArrayList<AnnotatedType>();
                Demanded.note(field, uses);
                annotated(field.getAnnotations(), Demanded.of(field.getGenericType(), uses), field.getName());
            }
            Map<String, Method> setters = new TreeMap<String, Method>();
            for (Method method : at.getDeclaredMethods()) {
                boolean isSetter = method.getName().startsWith("set") && method.getName().length() > 3;
                if (isSetter && method.getParameterTypes().length == 1 && !method.isSynthetic()) {
                    setters.put(method.getName(), method);
                }
            }
            for (Method method : setters.values()) {
                ArrayList<Annotation> annotations = new ArrayList<Annotation>(Arrays.asList(method.getAnnotations()));
                annotations.addAll(Arrays.asList(method.getParameterAnnotations()[0]));
                ArrayList<AnnotatedType> uses = new ArrayList<AnnotatedType>();
                Demanded.note(method, 0, uses);
                annotated(annotations.toArray(new Annotation[0]), Demanded.of(method.getGenericParameterTypes()[0], uses),
                        decapitalized(method.getName().substring(3)));
            }
        }
        path.remove(path.size() - 1);
    }

    private void annotated(Annotation[] annotations, Type type, String usual) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getName();
            boolean isKnown = name.contains(".ws.rs.") || name.startsWith("org.jboss.resteasy.annotations.")
                    || name.startsWith(QUARKUS) || name.startsWith("io.micronaut.http.annotation.");
            int place = isKnown ? place(name.substring(name.lastIndexOf('.') + 1)) : -1;
            if (place == BEAN) {
                annotated(raw(type));
            } else if (place >= 0) {
                Object told = Demands.value(annotation, "value");
                // `Header` of Micronaut has its name elsewhere as well.
                told = "".equals(told) ? Demands.value(annotation, "name") : told;
                boolean isNamed = told instanceof String && !((String) told).isEmpty();
                media = place == FORM ? media(annotations) : null;
                boolean isPart = place == FORM && (isMultipart || media != null || isContent(type));
                Type sent = isPart ? partly(type) : isValue(type) ? type : String.class;
                String called = isNamed ? (String) told : name.endsWith(".RestHeader") ? field(usual) : usual;
                add(isPart ? PART : place, called, sent, Arrays.asList(annotations));
            }
        }
    }

    /** The header field that Quarkus reads for a member of a bean: `User-Agent` for `userAgent`. */
    static String field(String member) {
        StringBuilder field = new StringBuilder();
        for (int i = 0; i < member.length(); i++) {
            char letter = member.charAt(i);
            boolean isFirst = i == 0 || Character.isUpperCase(letter);
            field.append(isFirst && i > 0 ? "-" : "").append(isFirst ? Character.toUpperCase(letter) : letter);
        }
        return field.toString();
    }

    /** The media type that an annotation of RESTEasy, classic or reactive, demands of a part; null where none does. */
    private static String media(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            Object told = annotation.annotationType().getSimpleName().equals("PartType") ? Demands.value(annotation, "value") : null;
            if (told instanceof String && !((String) told).isEmpty()) {
                return (String) told;
            }
        }
        return null;
    }

    /** Not a place: a bean in a bean. */
    private static final int BEAN = 99;

    private static int place(String annotation) {
        switch (annotation) {
            case "QueryParam":
            case "RestQuery":
            case "QueryValue":
                return QUERY;
            case "HeaderParam":
            case "RestHeader":
            case "Header":
                return HEADER;
            case "CookieParam":
            case "RestCookie":
            case "CookieValue":
                return COOKIE;
            case "FormParam":
            case "RestForm":
                return FORM;
            case "MatrixParam":
            case "RestMatrix":
                return MATRIX;
            case "BeanParam":
            case "RequestBean":
            case "Form":
                return BEAN;
            default:
                return -1;
        }
    }

    // Types.

    private static Class<?> raw(Type type) {
        Type plain = type instanceof Demanded ? ((Demanded) type).type : type;
        Type raw = plain instanceof ParameterizedType ? ((ParameterizedType) plain).getRawType() : plain;
        return raw instanceof Class ? (Class<?>) raw : null;
    }

    private static Type[] arguments(Type type) {
        Type plain = type instanceof Demanded ? ((Demanded) type).type : type;
        return plain instanceof ParameterizedType ? ((ParameterizedType) plain).getActualTypeArguments() : new Type[0];
    }

    private static Type argument(Type type, int idx) {
        Type[] arguments = arguments(type);
        return idx < arguments.length ? Schemas.resolved(arguments[idx], new HashMap<String, Type>()) : Object.class;
    }

    /** The type of the members of an array or a collection; null for all others. */
    private static Type member(Type type) {
        Class<?> raw = raw(type);
        if (type instanceof GenericArrayType) {
            return ((GenericArrayType) type).getGenericComponentType();
        }
        return raw == null ? null
                : raw.isArray() && !Schemas.isValue(raw) ? raw.getComponentType()
                : Collection.class.isAssignableFrom(raw) ? argument(type, 0) : null;
    }

    private static boolean isFile(Class<?> type) {
        String name = type == null ? "" : type.getName();
        return name.endsWith(".multipart.MultipartFile") || name.endsWith(".codec.multipart.FilePart")
                || name.endsWith(".codec.multipart.Part") || name.endsWith(".servlet.http.Part")
                || name.endsWith(".multipart.FileUpload") || name.startsWith("io.micronaut.http.multipart.");
    }

    private static boolean isForeign(Class<?> type) {
        String name = type.getName();
        return Schemas.isForeign(type) || name.startsWith("org.springframework.") || name.startsWith("javax.")
                || name.startsWith("jakarta.") || name.startsWith("kotlin.");
    }
}
