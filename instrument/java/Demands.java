import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** What annotations of bean validation demand of a property, as keywords of a JSON schema. */
final class Demands {
    private Demands() {
    }

    /** How deep constraints are made of others. */
    private static final int DEEPEST = 3;

    private static final String YEARS_TO_COME = "20[3-9][0-9]";
    private static final String YEARS_GONE = "(19[0-9]{2}|20[01][0-9])";
    private static final String MONTH = "(0[1-9]|1[0-2])";
    private static final String DAY = "(0[1-9]|1[0-9]|2[0-8])";
    private static final String TIME = "T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";

    /** Adds the keywords that follow from the annotations of a property of this type. */
    static void add(List<Annotation> annotations, Type type, TreeSet<String> keywords) {
        for (Annotation annotation : annotations) {
            add(annotation, type, keywords, 0);
        }
    }

    /** Those of an annotation, or of the constraints that it is made of. */
    private static void add(Annotation annotation, Type type, TreeSet<String> keywords, int depth) {
        try {
            if (isConstraint(annotation)) {
                add(annotation, type, keywords);
            } else if (depth < DEEPEST && isMade(annotation)) {
                for (Annotation part : annotation.annotationType().getAnnotations()) {
                    add(part, type, keywords, depth + 1);
                }
            }
        } catch (Throwable failure) {
            // An annotation of another make tells nothing.
            keywords.size();
        }
    }

    /** Whether an annotation is a constraint of the service's own. */
    private static boolean isMade(Annotation annotation) {
        for (Annotation meta : annotation.annotationType().getAnnotations()) {
            String name = meta.annotationType().getName();
            if (name.equals("javax.validation.Constraint") || name.equals("jakarta.validation.Constraint")) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value must be there. */
    static boolean isRequiring(Annotation annotation) {
        String name = annotation.annotationType().getSimpleName();
        if (isConstraint(annotation)) {
            return name.equals("NotNull") || name.equals("NotBlank") || name.equals("NotEmpty");
        }
        boolean isRequiring = false;
        if (isMade(annotation)) {
            for (Annotation part : annotation.annotationType().getAnnotations()) {
                isRequiring |= isConstraint(part) && isRequiring(part);
            }
        }
        return isRequiring;
    }

    private static boolean isConstraint(Annotation annotation) {
        String name = annotation.annotationType().getName();
        return name.startsWith("javax.validation.constraints.") || name.startsWith("jakarta.validation.constraints.")
                || name.startsWith("org.hibernate.validator.constraints.");
    }

    private static void add(Annotation annotation, Type type, TreeSet<String> keywords) {
        switch (annotation.annotationType().getSimpleName()) {
            case "Size":
            case "Length":
                size(value(annotation, "min"), value(annotation, "max"), type, keywords);
                break;
            case "NotEmpty":
                size(1, Integer.MAX_VALUE, type, keywords);
                break;
            case "NotBlank":
                put(keywords, "pattern", "\"\\\\S\"");
                break;
            case "Pattern":
                put(keywords, "pattern", Schemas.quoted("^(?:" + flags(annotation) + value(annotation, "regexp") + ")$"));
                break;
            case "Email":
                put(keywords, "format", "\"email\"");
                break;
            case "URL":
                put(keywords, "format", "\"uri\"");
                break;
            case "UUID":
                put(keywords, "format", "\"uuid\"");
                break;
            case "Min":
            case "DecimalMin":
                bound("minimum", "exclusiveMinimum", annotation, keywords);
                break;
            case "Max":
            case "DecimalMax":
                bound("maximum", "exclusiveMaximum", annotation, keywords);
                break;
            case "Range":
                put(keywords, "minimum", String.valueOf(value(annotation, "min")));
                put(keywords, "maximum", String.valueOf(value(annotation, "max")));
                break;
            case "Positive":
                put(keywords, "exclusiveMinimum", "0");
                break;
            case "PositiveOrZero":
                put(keywords, "minimum", "0");
                break;
            case "Negative":
                put(keywords, "exclusiveMaximum", "0");
                break;
            case "NegativeOrZero":
                put(keywords, "maximum", "0");
                break;
            case "Digits":
                digits((Integer) value(annotation, "integer"), (Integer) value(annotation, "fraction"), type, keywords);
                break;
            case "AssertTrue":
                put(keywords, "enum", "[true]");
                break;
            case "AssertFalse":
                put(keywords, "enum", "[false]");
                break;
            case "Future":
            case "FutureOrPresent":
                moment(type, YEARS_TO_COME, keywords);
                break;
            case "Past":
            case "PastOrPresent":
                moment(type, YEARS_GONE, keywords);
                break;
            default:
                break;
        }
    }

    /** A moment of such a year where moments are texts. */
    private static void moment(Type type, String years, TreeSet<String> keywords) {
        String behind;
        switch (type instanceof Class ? ((Class<?>) type).getName() : "") {
            case "java.time.LocalDate":
                behind = "-" + MONTH + "-" + DAY;
                break;
            case "java.time.LocalDateTime":
                behind = "-" + MONTH + "-" + DAY + TIME;
                break;
            case "java.time.Instant":
            case "java.time.OffsetDateTime":
            case "java.time.ZonedDateTime":
            case "java.util.Date":
            case "java.util.Calendar":
                behind = "-" + MONTH + "-" + DAY + TIME + "Z";
                break;
            case "java.time.YearMonth":
                behind = "-" + MONTH;
                break;
            default:
                return;
        }
        put(keywords, "pattern", Schemas.quoted("^" + years + behind + "$"));
    }

    private static void size(Object min, Object max, Type type, TreeSet<String> keywords) {
        Class<?> raw = type instanceof Class ? (Class<?>) type : null;
        boolean isText = raw != null && CharSequence.class.isAssignableFrom(raw);
        boolean isMap = raw != null ? Map.class.isAssignableFrom(raw) : type.toString().contains("Map<");
        String what = isText ? "Length" : isMap ? "Properties" : "Items";
        if (min instanceof Integer && (Integer) min > 0) {
            put(keywords, "min" + what, String.valueOf(min));
        }
        if (max instanceof Integer && (Integer) max < Integer.MAX_VALUE) {
            put(keywords, "max" + what, String.valueOf(max));
        }
    }

    /** One of two keywords, by whether the limit itself is allowed. */
    private static void bound(String inclusive, String exclusive, Annotation annotation, TreeSet<String> keywords) {
        String number = new java.math.BigDecimal(String.valueOf(value(annotation, "value")).trim()).toPlainString();
        put(keywords, Boolean.FALSE.equals(value(annotation, "inclusive")) ? exclusive : inclusive, number);
    }

    private static void digits(int integer, int fraction, Type type, TreeSet<String> keywords) {
        if (integer < 1 || integer > 18 || fraction < 0 || fraction > 18) {
            return;
        }
        String name = type instanceof Class ? ((Class<?>) type).getName() : "";
        if (type instanceof Class && CharSequence.class.isAssignableFrom((Class<?>) type)) {
            String parts = fraction == 0 ? "" : "([.][0-9]{1," + fraction + "})?";
            put(keywords, "pattern", Schemas.quoted("^-?(0|[1-9][0-9]{0," + (integer - 1) + "})" + parts + "$"));
            return;
        }
        String most = "999999999999999999".substring(0, integer);
        put(keywords, "minimum", "-" + most);
        put(keywords, "maximum", most);
        boolean isWhole = name.endsWith("Integer") || name.endsWith("Long") || name.equals("int") || name.equals("long")
                || name.endsWith("hort") || name.endsWith("yte");
        if (!isWhole && fraction <= 9) {
            put(keywords, "multipleOf", fraction == 0 ? "1" : "0." + "00000000".substring(0, fraction - 1) + "1");
        }
    }

    private static String flags(Annotation annotation) {
        Object flags = value(annotation, "flags");
        StringBuilder text = new StringBuilder();
        if (flags instanceof Object[]) {
            for (Object flag : (Object[]) flags) {
                text.append(flag(String.valueOf(flag)));
            }
        }
        return text.length() == 0 ? "" : "(?" + text + ")";
    }

    private static String flag(String name) {
        switch (name) {
            case "CASE_INSENSITIVE":
                return "i";
            case "DOTALL":
                return "s";
            case "MULTILINE":
                return "m";
            case "COMMENTS":
                return "x";
            case "UNICODE_CASE":
                return "u";
            default:
                return "";
        }
    }

    private static void put(TreeSet<String> keywords, String keyword, String value) {
        if (Schemas.isFree(keywords, keyword)) {
            keywords.add("\"" + keyword + "\":" + value);
        }
    }

    /** An element of an annotation; null when it has none of that name. */
    static Object value(Annotation annotation, String element) {
        try {
            Method method = annotation.annotationType().getMethod(element);
            method.setAccessible(true);
            return method.invoke(annotation);
        } catch (Throwable failure) {
            return null;
        }
    }
}
