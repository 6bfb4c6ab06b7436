import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * JSON schemas of classes, as JSON libraries read them: which fields there are, what they are called, and what validation
 * demands of them.
 *
 * <p>Classes are only looked at: none is initialised, no constructor and no method of the service is called. What cannot be
 * found out (interfaces, abstract classes, classes whose own classes are missing) is any object.
 */
final class Schemas {
    /** Read by the rules of Gson and Moshi, which look at fields alone. */
    static final int BY_FIELDS = 7;

    /** Bound by the framework. */
    static final int BOUND = 8;

    /** Made of texts, of which enums are by the names of their constants. */
    static final int FROM_TEXTS = 18;

    /** Each value made of one text, by whatever the framework or a class has for that. */
    static final int OF_ONE_TEXT = -1;

    /** Levels of objects in objects. */
    private static final int DEEPEST = 6;

    /** How often a class stands within itself. */
    private static final int MOST_WITHIN = 2;

    /** Properties of the outermost object, and of all others together. */
    private static final int MOST_PROPERTIES = 400;

    /** Constants of an enum. */
    private static final int MOST_CONSTANTS = 256;

    /** The longest schema, in chars. */
    private static final int LONGEST = 60000;

    private static final String DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?";

    private final boolean byFields;
    private final boolean fromTexts;
    private final boolean ofOneText;
    /** What stands for objects of a class within others. */
    private final Map<Class<?>, String> links;
    private final StringBuilder out = new StringBuilder();
    private final ArrayList<Class<?>> path = new ArrayList<Class<?>>();
    private int properties;

    /** What the property that is written next stands for by annotations of its own. */
    private Subtypes ofProperty;

    private Schemas(int place) {
        this(place, Collections.<Class<?>, String>emptyMap());
    }

    private Schemas(int place, Map<Class<?>, String> links) {
        this.links = links;
        byFields = place == BY_FIELDS;
        ofOneText = place == OF_ONE_TEXT;
        fromTexts = place == FROM_TEXTS || ofOneText;
    }

    /** The schema of a type, read by the rules of a place as {@link Inputs} numbers them. */
    static String of(Type type, int place) {
        return of(type, place, Collections.<Class<?>, String>emptyMap());
    }

    /** The same where objects of some classes are referred to: what stands for one within another. */
    static String of(Type type, int place, Map<Class<?>, String> links) {
        Schemas schemas = new Schemas(place, links);
        schemas.write(type, new HashMap<String, Type>(), new TreeSet<String>());
        return schemas.out.length() > LONGEST ? "{\"type\":\"object\"}" : schemas.out.toString();
    }

    /** The same with what annotations beside the type demand. */
    static String of(Type type, Annotation[] annotations, int place) {
        Schemas schemas = new Schemas(place);
        TreeSet<String> keywords = new TreeSet<String>();
        Demands.add(Arrays.asList(annotations), type, keywords);
        schemas.write(type, new HashMap<String, Type>(), keywords);
        return schemas.out.length() > LONGEST ? "{\"type\":\"object\"}" : schemas.out.toString();
    }

    /** Whether values of a class are one text. */
    static boolean isValue(Class<?> type) {
        return type != null && (isEnum(type) || new Schemas(FROM_TEXTS).scalar(type) != null);
    }

    /** What a library is told to read a text into: a type, or an object that knows one; null when there is none. */
    static Type type(Object read) throws Exception {
        if (read instanceof Class) {
            return read == Object.class || read == String.class ? null : (Type) read;
        }
        Class<?> asked = read.getClass();
        if (isJackson(asked, "JavaType")) {
            return ofJackson(read, 0);
        }
        if (asked.getName().equals("org.springframework.core.ResolvableType")) {
            return (Type) asked.getMethod("getType").invoke(read);
        }
        if (read instanceof Type) {
            return (Type) read;
        }
        if (asked.getName().equals("io.ktor.util.reflect.TypeInfo")) {
            return Ktor.type(read);
        }
        if (asked.getName().startsWith("io.micronaut.core.convert.")) {
            return (Type) Beans.get(Beans.get(read, "getArgument"), "asType");
        }
        for (Class<?> at = asked; at != null && at != Object.class; at = at.getSuperclass()) {
            String name = at.getName();
            if (name.endsWith(".TypeReference") || name.endsWith(".TypeToken") || name.endsWith(".Argument")) {
                return argument(asked, at);
            }
            if (name.endsWith(".databind.ObjectReader")) {
                Field field = at.getDeclaredField("_valueType");
                field.setAccessible(true);
                Object type = field.get(read);
                return type == null ? null : ofJackson(type, 0);
            }
        }
        return null;
    }

    /**
     * The place of the raw body (5), of a form (3) or of parts (4) where a body is read into what has no properties; -1 for all
     * others.
     */
    static int untyped(Object read) throws Exception {
        Type type = read instanceof Class ? (Class<?>) read : type(read);
        Type raw = type instanceof ParameterizedType ? ((ParameterizedType) type).getRawType() : type;
        String name = raw instanceof Class ? ((Class<?>) raw).getName() : "";
        switch (name) {
            case "java.lang.String":
            case "[B":
            case "[C":
            case "java.io.InputStream":
            case "java.io.Reader":
            case "java.io.File":
            case "java.nio.ByteBuffer":
            case "io.ktor.utils.io.ByteReadChannel":
            case "org.springframework.core.io.Resource":
            case "org.springframework.core.io.buffer.DataBuffer":
                return 5;
            default:
                return type != null && isParts(type) ? 4
                        : name.endsWith(".MultivaluedMap") || name.endsWith(".MultiValueMap") || name.endsWith(".core.Form")
                                || name.equals("io.ktor.http.Parameters") || name.equals("io.helidon.common.parameters.Parameters") ? 3 : -1;
        }
    }

    /** Whether a framework keeps the parts of a body in it. */
    static boolean isParts(Type type) {
        String name = raw(type).getName();
        return name.endsWith(".multipart.FormDataMultiPart") || name.endsWith(".multipart.MultiPart")
                || name.equals("io.ktor.http.content.MultiPartData")
                || name.endsWith(".multipart.MultipartFormDataInput") || name.endsWith(".multipart.MultipartInput")
                || type instanceof ParameterizedType && type.toString().contains(".ws.rs.core.EntityPart>");
    }

    /** A name that tells a type from others. */
    static String name(Type type) {
        String name = type instanceof Class ? ((Class<?>) type).getName() : String.valueOf(type);
        return name.length() > 1000 ? name.substring(0, 1000) : name;
    }

    /** What stands in the place of the parameter of a generic class that is extended to say just that. */
    private static Type argument(Class<?> asked, Class<?> generic) throws Exception {
        Class<?> at = asked;
        while (at.getSuperclass() != null && at.getSuperclass() != generic) {
            at = at.getSuperclass();
        }
        Type parent = at.getGenericSuperclass();
        return parent instanceof ParameterizedType ? ((ParameterizedType) parent).getActualTypeArguments()[0] : null;
    }

    private static boolean isJackson(Class<?> type, String simpleName) {
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (at.getName().endsWith(".databind." + simpleName)) {
                return true;
            }
        }
        return false;
    }

    /** A type of Jackson's own as one of the JDK. */
    private static Type ofJackson(Object type, int depth) throws Exception {
        final Class<?> raw = (Class<?>) type.getClass().getMethod("getRawClass").invoke(type);
        int n = (Integer) type.getClass().getMethod("containedTypeCount").invoke(type);
        if (n == 0 || depth > DEEPEST) {
            return raw;
        }
        final Type[] contained = new Type[n];
        Method at = type.getClass().getMethod("containedType", int.class);
        for (int i = 0; i < n; i++) {
            contained[i] = ofJackson(at.invoke(type, i), depth + 1);
        }
        return new Parameterized(raw, contained);
    }

    /** A generic class with its arguments. */
    static final class Parameterized implements ParameterizedType {
        private final Class<?> raw;
        private final Type[] arguments;

        Parameterized(Class<?> raw, Type[] arguments) {
            this.raw = raw;
            this.arguments = arguments;
        }

        public Type[] getActualTypeArguments() {
            return arguments;
        }

        public Type getRawType() {
            return raw;
        }

        public Type getOwnerType() {
            return null;
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(raw.getName()).append('<');
            for (int i = 0; i < arguments.length; i++) {
                text.append(i == 0 ? "" : ", ").append(name(arguments[i]));
            }
            return text.append('>').toString();
        }
    }

    // Types.

    /** Writes the schema of a type, with these keywords of its own beside. */
    private void write(Type type, Map<String, Type> bound, TreeSet<String> keywords) {
        if (out.length() > LONGEST) {
            any(keywords);
        } else if (type instanceof Class) {
            writeClass((Class<?>) type, new Type[0], keywords);
        } else if (type instanceof ParameterizedType) {
            ParameterizedType generic = (ParameterizedType) type;
            Type[] given = generic.getActualTypeArguments();
            Type[] arguments = new Type[given.length];
            for (int i = 0; i < given.length; i++) {
                arguments[i] = resolved(given[i], bound);
            }
            writeClass((Class<?>) generic.getRawType(), arguments, keywords);
        } else if (type instanceof GenericArrayType) {
            writeArray(((GenericArrayType) type).getGenericComponentType(), bound, keywords);
        } else if (type instanceof Demanded) {
            Type known = resolved(((Demanded) type).type, bound);
            Demands.add(((Demanded) type).annotations, known, keywords);
            write(known, bound, keywords);
        } else if (type instanceof WildcardType || type instanceof TypeVariable) {
            Type known = resolved(type, bound);
            if (known instanceof WildcardType || known instanceof TypeVariable) {
                any(keywords);
            } else {
                write(known, new HashMap<String, Type>(), keywords);
            }
        } else {
            any(keywords);
        }
    }

    /** What a variable stands for, and of a wildcard its bound. */
    static Type resolved(Type type, Map<String, Type> bound) {
        return resolved(type, bound, 0);
    }

    private static Type resolved(Type type, Map<String, Type> bound, int depth) {
        Type at = type;
        for (int i = 0; i < DEEPEST; i++) {
            if (at instanceof TypeVariable) {
                Type known = bound.get(((TypeVariable<?>) at).getName());
                Type[] bounds = ((TypeVariable<?>) at).getBounds();
                at = known != null ? known : bounds.length > 0 && bounds[0] != at ? bounds[0] : Object.class;
            } else if (at instanceof WildcardType) {
                at = ((WildcardType) at).getUpperBounds()[0];
            } else if (at instanceof Demanded) {
                return new Demanded(resolved(((Demanded) at).type, bound, depth), ((Demanded) at).annotations);
            } else if (at instanceof ParameterizedType && !bound.isEmpty() && depth < DEEPEST) {
                ParameterizedType generic = (ParameterizedType) at;
                Type[] given = generic.getActualTypeArguments();
                Type[] arguments = new Type[given.length];
                for (int j = 0; j < given.length; j++) {
                    // A variable may be bound by what it stands in itself.
                    arguments[j] = resolved(given[j], bound, depth + 1);
                }
                return new Parameterized((Class<?>) generic.getRawType(), arguments);
            } else {
                return at;
            }
        }
        return Object.class;
    }

    private void writeClass(Class<?> type, Type[] arguments, TreeSet<String> keywords) {
        String scalar = scalar(type);
        if (scalar != null) {
            object(scalar, keywords);
        } else if (type.isArray()) {
            writeArray(type.getComponentType(), new HashMap<String, Type>(), keywords);
        } else if (isEnum(type)) {
            object("\"enum\":" + constants(type), keywords);
        } else if (Map.class.isAssignableFrom(type)) {
            boolean isGeneric = arguments.length == 2;
            writeMap(isGeneric ? arguments[0] : Object.class, isGeneric ? arguments[1] : Object.class, keywords);
        } else if (Iterable.class.isAssignableFrom(type) && !type.getName().endsWith("Node")) {
            writeArray(arguments.length == 1 ? arguments[0] : Object.class, new HashMap<String, Type>(), keywords);
        } else if (isWrapper(type) && arguments.length == 1) {
            write(arguments[0], new HashMap<String, Type>(), keywords);
        } else if (ofOneText) {
            object("\"type\":\"string\"", keywords);
        } else if (isForeign(type) && ofProperty == null) {
            any(keywords);
        } else {
            writeObject(type, arguments, keywords);
        }
    }

    private static boolean isEnum(Class<?> type) {
        return type.isEnum() || type.getSuperclass() != null && type.getSuperclass().isEnum();
    }

    private static boolean isWrapper(Class<?> type) {
        String name = type.getName();
        return name.equals("java.util.Optional") || name.equals("java.util.concurrent.atomic.AtomicReference")
                || name.endsWith(".ResponseEntity") || name.endsWith(".HttpEntity") || name.endsWith(".RequestEntity")
                || name.endsWith(".Mono") || name.endsWith(".CompletableFuture");
    }

    /** Whether the fields of a class say nothing of what it is read from. */
    static boolean isForeign(Class<?> type) {
        String name = type.getName();
        return type.isAnnotation() || type == Object.class || name.startsWith("java.") || begins(name, "javax.json")
                || begins(name, "jakarta.json") || begins(name, "org.json.") || begins(name, "com.google.gson.")
                || begins(name, "com.fasterxml.jackson.") || begins(name, "tools.jackson.") || name.startsWith("jdk.")
                || name.startsWith("sun.");
    }

    /** Whether the name of a class of a library begins so; jars that bring libraries along move all of them below a package. */
    static boolean begins(String name, String beginning) {
        return name.startsWith(beginning) || name.indexOf("." + beginning) >= 0;
    }

    /** The keywords of what is one value; null for everything else. */
    private String scalar(Class<?> type) {
        String name = type.getName();
        switch (name) {
            case "boolean":
            case "java.lang.Boolean":
            case "java.util.concurrent.atomic.AtomicBoolean":
                return "\"type\":\"boolean\"";
            case "byte":
            case "java.lang.Byte":
                return "\"maximum\":127,\"minimum\":-128,\"type\":\"integer\"";
            case "short":
            case "java.lang.Short":
                return "\"maximum\":32767,\"minimum\":-32768,\"type\":\"integer\"";
            case "int":
            case "java.lang.Integer":
            case "java.util.concurrent.atomic.AtomicInteger":
            case "java.util.OptionalInt":
                return "\"format\":\"int32\",\"type\":\"integer\"";
            case "long":
            case "java.lang.Long":
            case "java.util.concurrent.atomic.AtomicLong":
            case "java.util.OptionalLong":
                return "\"format\":\"int64\",\"type\":\"integer\"";
            case "java.math.BigInteger":
                return "\"type\":\"integer\"";
            case "float":
            case "java.lang.Float":
                return "\"format\":\"float\",\"type\":\"number\"";
            case "double":
            case "java.lang.Double":
            case "java.util.OptionalDouble":
                return "\"format\":\"double\",\"type\":\"number\"";
            case "java.math.BigDecimal":
            case "java.lang.Number":
                return "\"type\":\"number\"";
            case "char":
            case "java.lang.Character":
                return "\"maxLength\":1,\"minLength\":1,\"type\":\"string\"";
            case "[B":
            case "[Ljava.lang.Byte;":
                return byFields ? null : "\"format\":\"byte\",\"type\":\"string\"";
            case "java.lang.String":
            case "java.lang.CharSequence":
            case "java.lang.StringBuilder":
            case "java.util.Locale":
            case "java.time.ZoneId":
            case "java.time.ZoneOffset":
            case "java.util.TimeZone":
            case "java.io.File":
            case "java.nio.file.Path":
                return "\"type\":\"string\"";
            case "java.util.UUID":
                return "\"format\":\"uuid\",\"type\":\"string\"";
            case "java.net.URI":
            case "java.net.URL":
                return "\"format\":\"uri\",\"type\":\"string\"";
            case "java.util.Currency":
                return "\"enum\":[\"EUR\",\"USD\",\"JPY\",\"GBP\"]";
            case "java.time.LocalDate":
                return "\"format\":\"date\",\"type\":\"string\"";
            case "java.time.Instant":
            case "java.time.OffsetDateTime":
            case "java.time.ZonedDateTime":
            case "java.util.Date":
            case "java.util.Calendar":
            case "java.sql.Timestamp":
                // Gson reads dates as its locale writes them.
                return byFields ? "\"type\":\"string\"" : "\"format\":\"date-time\",\"type\":\"string\"";
            case "java.time.LocalDateTime":
                return "\"pattern\":\"^" + DAY + "T" + TIME + "$\",\"type\":\"string\"";
            case "java.time.LocalTime":
                return "\"pattern\":\"^" + TIME + "$\",\"type\":\"string\"";
            case "java.time.Duration":
                return "\"format\":\"duration\",\"type\":\"string\"";
            case "java.time.Year":
                return "\"maximum\":9999,\"minimum\":1,\"type\":\"integer\"";
            case "java.time.YearMonth":
                return "\"pattern\":\"^[0-9]{4}-(0[1-9]|1[0-2])$\",\"type\":\"string\"";
            default:
                return null;
        }
    }

    private String constants(Class<?> type) {
        Class<?> holder = type.isEnum() ? type : type.getSuperclass();
        StringBuilder text = new StringBuilder("[");
        int n = 0;
        for (Field field : holder.getDeclaredFields()) {
            if (field.isEnumConstant() && n < MOST_CONSTANTS) {
                String renamed = fromTexts ? null : renamed(field.getAnnotations());
                text.append(n == 0 ? "" : ",").append(quoted(renamed == null ? field.getName() : renamed));
                n++;
            }
        }
        return text.append(']').toString();
    }

    private void writeArray(Type member, Map<String, Type> bound, TreeSet<String> keywords) {
        begin(keywords);
        out.append("\"items\":");
        if (path.size() >= DEEPEST) {
            out.append("{}");
        } else {
            path.add(Array.class);
            write(member, bound, new TreeSet<String>());
            path.remove(path.size() - 1);
        }
        out.append(",\"type\":\"array\"}");
    }

    private void writeMap(Type key, Type value, TreeSet<String> keywords) {
        begin(keywords);
        writeNames(key);
        out.append("\"additionalProperties\":");
        if (path.size() >= DEEPEST) {
            out.append("{}");
        } else {
            path.add(Map.class);
            write(value, new HashMap<String, Type>(), new TreeSet<String>());
            path.remove(path.size() - 1);
        }
        out.append(",\"type\":\"object\"}");
    }

    /** What the keys of a map are, where not every text is one: they are texts, whatever is made of them. */
    private void writeNames(Type key) {
        Type plain = key instanceof Demanded ? ((Demanded) key).type : key;
        Class<?> type = plain instanceof Class ? (Class<?>) plain : Object.class;
        String scalar = scalar(type);
        boolean isText = scalar != null && scalar.contains("\"type\":\"string\"");
        if (isEnum(type) || isText && !(plain == key && scalar.equals("\"type\":\"string\""))) {
            out.append("\"propertyNames\":");
            write(key, new HashMap<String, Type>(), new TreeSet<String>());
            out.append(',');
        } else if (scalar != null && scalar.endsWith("\"type\":\"integer\"")) {
            out.append("\"propertyNames\":{\"pattern\":\"^(0|[1-9][0-9]?)$\",\"type\":\"string\"},");
        }
    }

    private void writeObject(Class<?> raw, Type[] arguments, TreeSet<String> keywords) {
        Subtypes subtypes = ofProperty;
        ofProperty = null;
        if (!path.isEmpty() && links.containsKey(raw)) {
            out.append(links.get(raw));
            return;
        }
        if (isTooDeep(raw)) {
            object("\"type\":\"object\"", keywords);
            return;
        }
        try {
            subtypes = subtypes != null ? subtypes : byFields ? Subtypes.ofGson(raw) : Subtypes.of(raw);
        } catch (Throwable missing) {
            unknown("a subtype is missing at run time", raw, keywords);
            return;
        }
        if (subtypes != null && subtypes.types.size() > 0) {
            writeChoice(subtypes, raw, keywords);
        } else if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers())) {
            unknown(raw.isInterface() ? "an interface" : "an abstract class", raw, keywords);
        } else {
            writeProperties(raw, arguments, keywords, null, null);
        }
    }

    private boolean isTooDeep(Class<?> raw) {
        int within = 0;
        for (Class<?> outer : path) {
            within += outer == raw ? 1 : 0;
        }
        return within >= MOST_WITHIN || path.size() >= DEEPEST || properties >= MOST_PROPERTIES;
    }

    /** Any object, and why no more is known. */
    private void unknown(String reason, Class<?> type, TreeSet<String> keywords) {
        object("\"type\":\"object\",\"x-restive-unknown\":" + quoted(type.getName() + ": " + reason), keywords);
    }

    /** One of several classes, told from each other as annotations say. */
    private void writeChoice(Subtypes subtypes, Class<?> raw, TreeSet<String> keywords) {
        begin(keywords);
        out.append("\"oneOf\":[");
        path.add(raw);
        for (int i = 0; i < subtypes.types.size(); i++) {
            Class<?> type = subtypes.types.get(i);
            String id = subtypes.ids.get(i);
            out.append(i == 0 ? "" : ",");
            if (subtypes.isWrapped) {
                out.append("{\"properties\":{").append(quoted(id)).append(':');
                writeProperties(type, new Type[0], new TreeSet<String>(), null, null);
                out.append("},\"required\":[").append(quoted(id)).append("],\"type\":\"object\"}");
            } else if (subtypes.isInArray) {
                out.append("{\"prefixItems\":[{\"enum\":[").append(quoted(id)).append("]},");
                writeProperties(type, new Type[0], new TreeSet<String>(), null, null);
                out.append("],\"maxItems\":2,\"minItems\":2,\"type\":\"array\"}");
            } else {
                writeProperties(type, new Type[0], new TreeSet<String>(), subtypes.property, id);
            }
        }
        path.remove(path.size() - 1);
        out.append("]}");
    }

    /** The properties of a class; with one that tells it from others where there is such. */
    private void writeProperties(Class<?> raw, Type[] arguments, TreeSet<String> keywords, String told, String id) {
        Map<String, Property> found;
        try {
            found = byFields ? fields(raw, arguments) : beans(raw, arguments);
        } catch (Throwable missing) {
            unknown("a class that it refers to is missing at run time", raw, keywords);
            return;
        }
        path.add(raw);
        begin(keywords);
        out.append("\"properties\":{");
        StringBuilder required = new StringBuilder();
        boolean isFirst = true;
        if (told != null) {
            out.append(quoted(told)).append(":{\"enum\":[").append(quoted(id)).append("]}");
            required.append(quoted(told));
            found.remove(told);
            isFirst = false;
        }
        int n = 0;
        LinkedHashMap<String, Subtypes> beside = beside(found);
        for (Map.Entry<String, Property> entry : found.entrySet()) {
            n++;
            properties += path.size() > 1 ? 1 : 0;
            if (n > MOST_PROPERTIES || properties > MOST_PROPERTIES) {
                break;
            }
            Property property = entry.getValue();
            out.append(isFirst ? "" : ",").append(quoted(entry.getKey())).append(':');
            isFirst = false;
            ofProperty = byFields ? null : Subtypes.of(raw(property.type), property.annotations);
            write(Demanded.of(property.type, property.uses), property.bound, property.keywords());
            ofProperty = null;
            if (property.isRequired) {
                required.append(required.length() == 0 ? "" : ",").append(quoted(entry.getKey()));
            }
        }
        out.append('}');
        if (required.length() > 0) {
            out.append(",\"required\":[").append(required).append(']');
        }
        writeBeside(beside);
        out.append(",\"type\":\"object\"}");
        path.remove(path.size() - 1);
    }

    /** Takes the properties out of which others, that are taken out as well, say what they are. */
    private LinkedHashMap<String, Subtypes> beside(Map<String, Property> found) {
        LinkedHashMap<String, Subtypes> beside = new LinkedHashMap<String, Subtypes>();
        for (Map.Entry<String, Property> entry : byFields ? new HashMap<String, Property>().entrySet() : found.entrySet()) {
            Class<?> type = raw(entry.getValue().type);
            Subtypes subtypes = Subtypes.of(type, entry.getValue().annotations);
            if (subtypes != null && subtypes.isBeside && !isTooDeep(type)) {
                beside.put(entry.getKey(), subtypes);
            }
        }
        for (Map.Entry<String, Subtypes> entry : beside.entrySet()) {
            found.remove(entry.getKey());
            found.remove(entry.getValue().property);
        }
        return beside;
    }

    /** Of each property that another one tells of the choice of both. */
    private void writeBeside(Map<String, Subtypes> beside) {
        if (beside.isEmpty()) {
            return;
        }
        out.append(",\"allOf\":[");
        boolean isFirst = true;
        for (Map.Entry<String, Subtypes> entry : beside.entrySet()) {
            Subtypes subtypes = entry.getValue();
            String told = quoted(subtypes.property);
            String name = quoted(entry.getKey());
            out.append(isFirst ? "" : ",").append("{\"oneOf\":[");
            isFirst = false;
            for (int i = 0; i < subtypes.types.size(); i++) {
                Class<?> type = subtypes.types.get(i);
                String plain = isTooDeep(type) ? "\"type\":\"object\"" : scalar(type);
                out.append(i == 0 ? "" : ",").append("{\"properties\":{").append(told).append(":{\"enum\":[");
                out.append(quoted(subtypes.ids.get(i))).append("]},").append(name).append(':');
                if (plain != null) {
                    object(plain, new TreeSet<String>());
                } else {
                    writeProperties(type, new Type[0], new TreeSet<String>(), null, null);
                }
                out.append("},\"required\":[").append(told).append(',').append(name).append("],\"type\":\"object\"}");
            }
            out.append("]}");
        }
        out.append(']');
    }

    private static Class<?> raw(Type type) {
        Type raw = type instanceof ParameterizedType ? ((ParameterizedType) type).getRawType() : type;
        return raw instanceof Class ? (Class<?>) raw : Object.class;
    }

    // Properties.

    /** A property of a class: its type, and what is demanded of it. */
    static final class Property {
        Type type;
        Map<String, Type> bound;
        boolean isRequired;
        boolean isSettable;
        boolean isReadable;
        boolean isNamed;
        boolean isIgnored;
        String renamed;
        final ArrayList<Annotation> annotations = new ArrayList<Annotation>();
        final ArrayList<AnnotatedType> uses = new ArrayList<AnnotatedType>();

        Property() {
        }

        void add(Annotation[] more) {
            for (Annotation annotation : more) {
                annotations.add(annotation);
            }
        }

        TreeSet<String> keywords() {
            TreeSet<String> keywords = new TreeSet<String>();
            Demands.add(annotations, type, keywords);
            return keywords;
        }
    }

    /** The fields of a class and of those that it extends, by the name that they have in JSON. */
    private Map<String, Property> fields(Class<?> type, Type[] arguments) {
        LinkedHashMap<String, Property> found = new LinkedHashMap<String, Property>();
        Map<String, Type> bound = variables(type, arguments);
        for (Class<?> at = type; at != null && at != Object.class && !isForeign(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                int left = Modifier.STATIC | Modifier.TRANSIENT;
                boolean isOut = (field.getModifiers() & left) != 0 || field.isSynthetic() || isHidden(field);
                if (!isOut) {
                    Property property = property(field.getGenericType(), bound, field.getAnnotations());
                    Demanded.note(field, property.uses);
                    String renamed = renamed(field.getAnnotations());
                    String name = renamed == null ? field.getName() : renamed;
                    if (!found.containsKey(name)) {
                        found.put(name, property);
                    }
                }
            }
            bound = parentVariables(at, bound);
        }
        return found;
    }

    /** Whether `@Expose(deserialize = false)`, `@Json(ignore = true)` or the like stands there. */
    private static boolean isHidden(Field field) {
        for (Annotation annotation : field.getAnnotations()) {
            String name = annotation.annotationType().getName();
            if (name.endsWith(".gson.annotations.Expose") && Boolean.FALSE.equals(Demands.value(annotation, "deserialize"))
                    || name.endsWith(".moshi.Json") && Boolean.TRUE.equals(Demands.value(annotation, "ignore"))) {
                return true;
            }
        }
        return false;
    }

    /** The properties of a class as Jackson and JSON-B set them, by the name that they have in JSON. */
    private Map<String, Property> beans(Class<?> type, Type[] arguments) {
        LinkedHashMap<String, Property> found = new LinkedHashMap<String, Property>();
        Map<String, Type> bound = variables(type, arguments);
        Map<String, Type> own = bound;
        boolean isRecord = type.getSuperclass() != null && type.getSuperclass().getName().equals("java.lang.Record");
        boolean sees = isRecord || seesFields(type);
        for (Class<?> at = type; at != null && at != Object.class && !isForeign(at); at = at.getSuperclass()) {
            for (Field field : at.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                Property property = at(found, field.getName());
                property.type = property.type == null ? field.getGenericType() : property.type;
                property.bound = property.bound == null ? bound : property.bound;
                boolean isTransient = Modifier.isTransient(field.getModifiers());
                property.isSettable |= (sees || Modifier.isPublic(field.getModifiers())) && !isTransient;
                learn(property, field.getAnnotations());
                Demanded.note(field, property.uses);
            }
            bound = parentVariables(at, bound);
        }
        for (Class<?> at = type; at != null && at != Object.class && !isForeign(at); at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                accessor(method, own, found);
            }
        }
        creators(type, own, found);
        return named(type, found);
    }

    /** What a method says of a property: a getter lets a field be set as well as a setter. */
    private void accessor(Method method, Map<String, Type> bound, Map<String, Property> found) {
        if (Modifier.isStatic(method.getModifiers()) || method.isSynthetic() || method.isBridge()) {
            return;
        }
        String name = method.getName();
        int n = method.getParameterTypes().length;
        boolean isPublic = Modifier.isPublic(method.getModifiers());
        boolean isSetter = n == 1 && name.startsWith("set") && name.length() > 3;
        boolean isGetter = n == 0 && method.getReturnType() != void.class
                && (name.startsWith("get") && name.length() > 3 || name.startsWith("is") && name.length() > 2);
        boolean isRenamed = renamed(method.getAnnotations()) != null;
        if (name.equals("getClass") || !isSetter && !isGetter) {
            return;
        }
        String property = decapitalized(name.substring(name.startsWith("is") ? 2 : 3));
        Property known = found.get(property);
        if (isSetter && (isPublic || isRenamed)) {
            known = at(found, property);
            known.type = method.getGenericParameterTypes()[0];
            known.bound = bound;
            known.isSettable = true;
            learn(known, method.getAnnotations());
            Demanded.note(method, 0, known.uses);
        } else if (isGetter && (isPublic || isRenamed)) {
            boolean isCollection = Collection.class.isAssignableFrom(method.getReturnType())
                    || Map.class.isAssignableFrom(method.getReturnType());
            if (known == null && !isCollection) {
                return;
            }
            known = at(found, property);
            known.type = known.type == null ? method.getGenericReturnType() : known.type;
            known.bound = known.bound == null ? bound : known.bound;
            known.isSettable = true;
            learn(known, method.getAnnotations());
            Demanded.note(method, known.uses);
        }
    }

    /** What constructors and factory methods take by name. */
    private void creators(Class<?> type, Map<String, Type> bound, Map<String, Property> found) {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            Annotation[][] annotations = constructor.getParameterAnnotations();
            Type[] types = constructor.getGenericParameterTypes();
            if (types.length != annotations.length) {
                continue;
            }
            for (int i = 0; i < types.length; i++) {
                String name = renamed(annotations[i]);
                if (name != null && !name.isEmpty()) {
                    Property property = at(found, name);
                    property.type = types[i];
                    property.bound = bound;
                    property.isSettable = true;
                    learn(property, annotations[i]);
                    Demanded.note(constructor, i, property.uses);
                }
            }
        }
    }

    /** The properties that can be set, under the names that they have in JSON. */
    private static Map<String, Property> named(Class<?> type, Map<String, Property> found) {
        TreeSet<String> ignored = new TreeSet<String>();
        String naming = "";
        for (Annotation annotation : type.getAnnotations()) {
            String name = annotation.annotationType().getSimpleName();
            Object value = Demands.value(annotation, "value");
            if (name.equals("JsonIgnoreProperties") && value instanceof String[]) {
                for (String text : (String[]) value) {
                    ignored.add(text);
                }
            } else if (name.equals("JsonNaming") && value instanceof Class) {
                naming = ((Class<?>) value).getSimpleName();
            }
        }
        LinkedHashMap<String, Property> named = new LinkedHashMap<String, Property>();
        for (Map.Entry<String, Property> entry : found.entrySet()) {
            Property property = entry.getValue();
            String name = property.renamed != null ? property.renamed : styled(entry.getKey(), naming);
            boolean isSet = (property.isSettable || property.isNamed) && property.type != null && !property.isIgnored;
            if (isSet && !ignored.contains(name)) {
                named.put(name, property);
            }
        }
        return named;
    }

    private static String styled(String name, String naming) {
        String between = naming.startsWith("SnakeCase") ? "_" : naming.startsWith("KebabCase") ? "-" : null;
        if (between == null) {
            return name;
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                text.append(i == 0 ? "" : between).append(Character.toLowerCase(c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Whether `@JsonAutoDetect` makes all fields properties. */
    private static boolean seesFields(Class<?> type) {
        for (Annotation annotation : type.getAnnotations()) {
            if (annotation.annotationType().getSimpleName().equals("JsonAutoDetect")) {
                return String.valueOf(Demands.value(annotation, "fieldVisibility")).equals("ANY");
            }
        }
        return false;
    }

    static Property at(Map<String, Property> found, String name) {
        Property property = found.get(name);
        if (property == null) {
            property = new Property();
            found.put(name, property);
        }
        return property;
    }

    private static Property property(Type type, Map<String, Type> bound, Annotation[] annotations) {
        Property property = new Property();
        property.type = type;
        property.bound = bound;
        learn(property, annotations);
        return property;
    }

    private static void learn(Property property, Annotation[] annotations) {
        property.add(annotations);
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getSimpleName();
            switch (name) {
                case "JsonIgnore":
                    property.isIgnored |= !Boolean.FALSE.equals(Demands.value(annotation, "value"));
                    break;
                case "JsonbTransient":
                    property.isIgnored = true;
                    break;
                case "JsonProperty":
                    property.isNamed = true;
                    property.isRequired |= Boolean.TRUE.equals(Demands.value(annotation, "required"));
                    property.isIgnored |= String.valueOf(Demands.value(annotation, "access")).equals("READ_ONLY");
                    break;
                default:
                    property.isRequired |= Demands.isRequiring(annotation);
            }
        }
        String renamed = renamed(annotations);
        property.renamed = renamed == null || renamed.isEmpty() ? property.renamed : renamed;
    }

    /** The name that an annotation gives in JSON; null when none does. */
    private static String renamed(Annotation[] annotations) {
        for (Annotation annotation : annotations) {
            String name = annotation.annotationType().getName();
            boolean isOfMoshi = name.endsWith("com.squareup.moshi.Json");
            if (!isOfMoshi && !name.endsWith("com.fasterxml.jackson.annotation.JsonProperty")
                    && !name.endsWith("com.google.gson.annotations.SerializedName")
                    && !name.endsWith(".json.bind.annotation.JsonbProperty")) {
                continue;
            }
            Object value = Demands.value(annotation, isOfMoshi ? "name" : "value");
            if (value instanceof String && !((String) value).isEmpty()) {
                return (String) value;
            }
        }
        return null;
    }

    private static String decapitalized(String name) {
        // As Jackson does it: all capital letters at the beginning.
        int n = 0;
        while (n < name.length() && Character.isUpperCase(name.charAt(n))) {
            n++;
        }
        return name.substring(0, n).toLowerCase(java.util.Locale.ROOT) + name.substring(n);
    }

    static Map<String, Type> variables(Class<?> type, Type[] arguments) {
        HashMap<String, Type> bound = new HashMap<String, Type>();
        TypeVariable<?>[] parameters = type.getTypeParameters();
        for (int i = 0; i < parameters.length && i < arguments.length; i++) {
            bound.put(parameters[i].getName(), arguments[i]);
        }
        return bound;
    }

    /** What the variables of the class that this one extends stand for. */
    static Map<String, Type> parentVariables(Class<?> type, Map<String, Type> bound) {
        Type parent = type.getGenericSuperclass();
        if (!(parent instanceof ParameterizedType)) {
            return new HashMap<String, Type>();
        }
        Type[] given = ((ParameterizedType) parent).getActualTypeArguments();
        Type[] arguments = new Type[given.length];
        for (int i = 0; i < given.length; i++) {
            arguments[i] = resolved(given[i], bound);
        }
        return variables((Class<?>) ((ParameterizedType) parent).getRawType(), arguments);
    }

    // Text.

    private void any(TreeSet<String> keywords) {
        begin(keywords);
        if (out.charAt(out.length() - 1) == ',') {
            out.setLength(out.length() - 1);
        }
        out.append('}');
    }

    private void object(String own, TreeSet<String> keywords) {
        begin(keywords);
        out.append(left(own, keywords)).append('}');
    }

    /** What a type says of its values as far as annotations do not say it. */
    private static String left(String own, TreeSet<String> keywords) {
        if (own.startsWith("\"enum\"") || own.contains("x-restive-unknown")) {
            return own;
        }
        if (own.startsWith("\"pattern\"")) {
            return isFree(keywords, "pattern") ? own : "\"type\":\"string\"";
        }
        StringBuilder left = new StringBuilder();
        for (String part : own.split(",")) {
            if (isFree(keywords, part.substring(1, part.indexOf('"', 1)))) {
                left.append(left.length() == 0 ? "" : ",").append(part);
            }
        }
        return left.toString();
    }

    private void begin(TreeSet<String> keywords) {
        out.append('{');
        for (String keyword : keywords) {
            out.append(keyword).append(',');
        }
    }

    /** A text as JSON. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                quoted.append("\\u").append(Integer.toHexString(0x10000 + c).substring(1));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** What {@link List} of keywords a schema has twice is not told: the second one would be lost. */
    static boolean isFree(Collection<String> keywords, String keyword) {
        for (String known : keywords) {
            if (known.startsWith("\"" + keyword + "\"")) {
                return false;
            }
        }
        return true;
    }
}
