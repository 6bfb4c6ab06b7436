import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An operation object of OpenAPI in the making: what a method that handles requests takes, by its parameters and annotations. */
final class Operation {
    /** Places of which a value is one text, or several such, whatever it is made into. */
    private static final List<String> ONE_TEXT = Arrays.asList("query", "path", "header", "cookie");

    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String OCTETS = "application/octet-stream";
    private static final String FILE = "{\"type\":\"string\",\"format\":\"binary\"}";

    /** What media types of bodies of several parts begin with. */
    private static final String PARTS = "multipart/";

    private final StringBuilder parameters = new StringBuilder();
    private final StringBuilder form = new StringBuilder();
    private final List<String> consumed;
    private final Set<String> fields = new LinkedHashSet<String>();
    private final Set<String> placed = new LinkedHashSet<String>();
    /** Names of parameters of its path, where annotations do not tell these from others. */
    final Set<String> inPath = new LinkedHashSet<String>();
    private final Template path;
    private boolean isMultipart;
    /** What it consumes is what all methods do that say nothing: it has a body where something is read into one alone. */
    boolean isUsual;
    private String body;
    /** What the body is read as where code takes it apart by itself; null where something does that for it. */
    private java.lang.reflect.Type raw;

    Operation(List<String> consumed) {
        this(consumed, new Template("", false));
    }

    /** An operation at {@code path}, whose expressions say what its parameters match. */
    Operation(List<String> consumed, Template path) {
        this.consumed = consumed;
        this.path = path;
    }

    /** Takes in the parameters of a method; {@code namesCount}: their names count where annotations say none. */
    void addParameters(Method method, boolean namesCount) {
        addParameters(method, namesCount, new ArrayList<String>());
    }

    /** The same, where the framework knows what the parameters are called; what it does not, the compiler may have kept. */
    void addParameters(Method method, boolean namesCount, List<String> names) {
        List<Method> declared = overridden(method);
        java.lang.reflect.Type[] types = method.getGenericParameterTypes();
        for (int i = 0; i < types.length; i++) {
            List<Annotation> annotations = new ArrayList<Annotation>();
            for (Method at : declared) {
                annotations.addAll(Arrays.asList(at.getParameterAnnotations()[i]));
            }
            java.lang.reflect.Type type = Demanded.ofParameter(types[i], declared, i);
            String name = i < names.size() ? names.get(i) : name(method, i);
            add(annotations.toArray(new Annotation[0]), type, name, namesCount);
        }
    }

    /** Takes in a parameter of a method; {@code name} is what it is called there, or null. */
    void add(Annotation[] annotations, java.lang.reflect.Type type, String name, boolean namesCount) {
        List<Beans.Filling> part = Beans.ofPart(annotations, type);
        if (part.isEmpty() && Beans.isOfQuarkus(annotations)) {
            part = Beans.ofQuarkus(annotations, type, name, isMultipart());
        }
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
        // Quarkus takes what is called as a parameter of the path for that.
        place = place == null && !namesCount && name != null && path.has(name) && isValue(type) ? "path" : place;
        java.lang.reflect.Type carried = place == null ? carried(type) : null;
        if (carried != null || place == null && isTaken(type, namesCount) && isService(annotations)) {
            type = carried == null ? type : carried;
            place = "body";
        }
        boolean isFile = Beans.isUpload(type);
        // A file is no parameter, whatever annotations say.
        if (isFile && (place == null || place.equals("query"))) {
            place = "form";
        }
        // JAX-RS gives no such objects by itself.
        if (place == null && !namesCount && name(type).startsWith("java.util.Map") && isService(annotations)) {
            place = "body";
        }
        // Which parts there are is for the service's code to say.
        if (place == null && (isGiven(type) || Schemas.isParts(type) || !isService(annotations))) {
            return;
        }
        if (place == null) {
            // Without a word on it a value is of the query, and what is no value is the body for JAX-RS.
            place = isValue(type) ? namesCount && isOfForms() ? "form" : "query" : namesCount ? "bean" : "body";
        }
        String own = marked == null ? null : named(marked);
        String called = own != null ? own : name;
        place = inPath.contains(called) ? "path" : place;
        String schema = schema(type, annotations, marked, place);
        if (place.equals("body")) {
            raw = isRaw(type) ? type : null;
            body = underRoot(type, schema);
        } else if (place.equals("parts")) {
            fill(Beans.ofParts(type));
        } else if (place.equals("bean")) {
            boolean isAnnotated = !namesCount || marked != null && marked.annotationType().getSimpleName().equals("RequestBean");
            fill(isAnnotated ? Beans.ofJaxRs(type) : Beans.ofSpring(type));
        } else if (called != null && place.equals("form")) {
            isMultipart |= isFile || marked != null && marked.annotationType().getSimpleName().endsWith("Part");
            boolean isContent = isFile || namesCount && isMultipart() && Beans.isContent(type);
            separate(form).append(Schemas.quoted(called)).append(':').append(isContent ? FILE : schema);
        } else if (called != null && !isCollector(type)) {
            parameter(called, place, isRequired(marked, place) || Armeria.isDemanded(annotations, marked, type), schema);
        }
    }

    private boolean isMultipart() {
        return isMultipart || !consumed.isEmpty() && consumed.get(0).startsWith(PARTS);
    }

    /** Whether a body of it is a form, in parts or not. */
    private boolean isOfForms() {
        return isMultipart() || !consumed.isEmpty() && consumed.get(0).equals(FORM);
    }

    /** Takes in what must be there, unless a parameter of the method says what it is. */
    void demand(String name, String place, String schema) {
        if (!placed.contains(place + " " + name)) {
            parameter(name, place, true, schema);
        }
    }

    /** It takes a body of which nothing is known. */
    void takeAnyBody() {
        take("{}");
    }

    /** It takes a body of this schema. */
    void take(String schema) {
        body = schema;
    }

    void parameter(String name, String place, boolean isRequired, String schema) {
        placed.add(place + " " + name);
        schema = place.equals("path") ? path.narrowed(name, schema) : schema;
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
        for (String name : path.matched()) {
            demand(name, "path", "{\"type\":\"string\"}");
        }
        StringBuilder text = new StringBuilder("{\"parameters\":[").append(parameters).append(']');
        String content = body;
        if (form.length() > 0) {
            content = "{\"type\":\"object\",\"properties\":{" + form + "}}";
        }
        boolean isAnyConsumed = consumed.isEmpty() || consumed.get(0).startsWith("*");
        if (content != null || !isAnyConsumed && !isUsual) {
            text.append(",\"requestBody\":{\"content\":{");
            List<String> media = consumed;
            if (isAnyConsumed) {
                String ofForm = isMultipart ? "multipart/form-data" : FORM;
                media = form.length() > 0 ? Arrays.asList(ofForm) : raw == null ? Arrays.asList(JSON)
                        : isText(raw) ? Arrays.asList(JSON, TEXT) : Arrays.asList(OCTETS, JSON, TEXT);
            }
            for (int i = 0; i < media.size(); i++) {
                text.append(i > 0 ? "," : "").append(Schemas.quoted(media.get(i))).append(":{\"schema\":");
                // Of parts a class says nothing that a form does not: something reads them for it.
                boolean isTold = content != null && (form.length() > 0 || !media.get(i).startsWith(PARTS));
                text.append(!isTold ? unknown(media.get(i)) : raw == null || form.length() > 0 ? content : taken(media.get(i)));
                text.append('}');
            }
            text.append("}}");
        }
        return text.append('}').toString();
    }

    /** A body of this media type of which no more is known: code takes it from the request by itself. */
    private static String unknown(String mediaType) {
        return mediaType.startsWith(PARTS) ? "{\"type\":\"object\",\"properties\":{\"file\":" + FILE + "}}" : "{}";
    }

    /** A body of this media type that is given to code as it comes. */
    private String taken(String mediaType) {
        return mediaType.contains("json") ? "{}" : isText(raw) ? body : mediaType.equals(OCTETS) ? FILE : "{\"type\":\"string\"}";
    }

    /** What the framework's object for a whole request has as body; null where it is no such object, or has any. */
    private static java.lang.reflect.Type carried(java.lang.reflect.Type type) {
        String name = name(type);
        boolean isRequest = name.equals("org.springframework.http.HttpEntity") || name.equals("io.micronaut.http.HttpRequest")
                || name.equals("org.springframework.http.RequestEntity");
        if (!isRequest || !(type instanceof java.lang.reflect.ParameterizedType)) {
            return null;
        }
        java.lang.reflect.Type body = ((java.lang.reflect.ParameterizedType) type).getActualTypeArguments()[0];
        boolean isKnown = body instanceof Class || body instanceof java.lang.reflect.ParameterizedType;
        return isKnown && body != Void.class && body != Object.class ? body : null;
    }

    /** Whether a parameter of this type without a word on it is the body as it comes. */
    private static boolean isTaken(java.lang.reflect.Type type, boolean namesCount) {
        return type == java.io.InputStream.class || type == java.io.Reader.class || !namesCount && isRaw(type);
    }

    /** Whether a body is given to code as it comes where it is read into this. */
    private static boolean isRaw(java.lang.reflect.Type type) {
        try {
            return type instanceof Class && Schemas.untyped(type) == Inputs.RAW;
        } catch (Exception unknown) {
            return false;
        }
    }

    private static boolean isText(java.lang.reflect.Type type) {
        return type == String.class || type == char[].class || type == java.io.Reader.class;
    }

    /** The name of a parameter where the compiler kept it; null elsewhere. */
    static String name(Method method, int idx) {
        java.lang.reflect.Parameter[] parameters = method.getParameters();
        return idx >= 0 && idx < parameters.length && parameters[idx].isNamePresent() ? parameters[idx].getName() : null;
    }

    /** A method, and those that it overrides. */
    static List<Method> overridden(Method method) {
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

    /** Where an annotation says that a parameter comes from; null when it does not. */
    private static String place(String annotation) {
        String name = annotation.substring(annotation.lastIndexOf('.') + 1);
        boolean isSpring = annotation.startsWith("org.springframework.web.bind.annotation.");
        boolean isMicronaut = annotation.startsWith("io.micronaut.http.annotation.");
        boolean isParted = annotation.startsWith("org.jboss.resteasy.annotations.providers.multipart.");
        boolean isArmeria = annotation.startsWith(Armeria.PACKAGE);
        boolean isData = annotation.startsWith("org.springframework.data.repository.query.");
        if (!isSpring && !isData && !isMicronaut && !isParted && !isArmeria && !annotation.contains(".ws.rs.")) {
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
                || name.startsWith(Armeria.PACKAGE)
                || name.equals("java.util.Locale") || name.equals("java.util.TimeZone") || name.equals("java.time.ZoneId")
                || isCollector(type);
    }

    /** Whether all parameters of a place are collected in it. */
    private static boolean isCollector(java.lang.reflect.Type type) {
        String name = name(type);
        return name.startsWith("java.util.Map") || name.endsWith("MultiValueMap") || name.endsWith("HttpHeaders");
    }

    /** The name of a type without what it is generic in. */
    static String name(java.lang.reflect.Type type) {
        String text = type instanceof Class ? ((Class<?>) type).getName() : type.toString();
        int generic = text.indexOf('<');
        return generic < 0 ? text : text.substring(0, generic);
    }

    private static boolean isValue(java.lang.reflect.Type type) {
        return !Schemas.of(type, Inputs.PARSED).contains("\"properties\"");
    }

    private static String schema(java.lang.reflect.Type type, Annotation[] annotations, Annotation marked, String place) {
        // Micronaut spreads a bean over several of them.
        boolean isOneText = ONE_TEXT.contains(place)
                && (marked == null || !marked.annotationType().getName().startsWith("io.micronaut."));
        String schema = Schemas.of(type, annotations, isOneText ? Schemas.OF_ONE_TEXT : Inputs.PARSED);
        Object initial = marked == null ? null : Demands.value(marked, "defaultValue");
        // Spring says by a text that nobody would write that there is none.
        if (initial instanceof String && !((String) initial).isEmpty() && ((String) initial).indexOf('\uE000') < 0
                && schema.contains("\"type\":\"string\"")) {
            return schema.substring(0, schema.length() - 1) + ",\"default\":" + Schemas.quoted((String) initial) + "}";
        }
        return schema;
    }

    /** The schema of a body, also as the only field of an object where its class names one: whoever reads it may want that. */
    private static String underRoot(java.lang.reflect.Type type, String schema) {
        for (Annotation annotation : type instanceof Class ? ((Class<?>) type).getAnnotations() : new Annotation[0]) {
            String root = annotation.annotationType().getName().endsWith(".JsonRootName") ? named(annotation) : null;
            if (root != null) {
                String name = Schemas.quoted(root);
                return "{\"anyOf\":[" + schema + ",{\"type\":\"object\",\"properties\":{" + name + ":" + schema
                        + "},\"required\":[" + name + "]}]}";
            }
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
}
