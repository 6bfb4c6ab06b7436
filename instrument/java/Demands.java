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

    /** Adds the keywords that follow from the annotations of a property of this type. */
    static void add(List<Annotation> annotations, Type type, TreeSet<String> keywords) {
        for (Annotation annotation : annotations) {
            if (isConstraint(annotation)) {
                try {
                    add(annotation, type, keywords);
                } catch (Throwable failure) {
                    // An annotation of another make.
                    continue;
                }
            }
        }
    }

    /** Whether a value must be there. */
    static boolean isRequiring(Annotation annotation) {
        String name = annotation.annotationType().getSimpleName();
        return isConstraint(annotation) && (name.equals("NotNull") || name.equals("NotBlank") || name.equals("NotEmpty"));
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
                digits((Integer) value(annotation, "integer"), keywords);
                break;
            case "AssertTrue":
                put(keywords, "enum", "[true]");
                break;
            case "AssertFalse":
                put(keywords, "enum", "[false]");
                break;
            case "Future":
            case "FutureOrPresent":
                day(type, "20[3-9][0-9]", keywords);
                break;
            case "Past":
            case "PastOrPresent":
                day(type, "(19[0-9]{2}|20[01][0-9])", keywords);
                break;
            default:
                break;
        }
    }

    /** A day of such a year where days are texts of their own. */
    private static void day(Type type, String years, TreeSet<String> keywords) {
        if (type instanceof Class && ((Class<?>) type).getName().equals("java.time.LocalDate")) {
            put(keywords, "pattern", Schemas.quoted("^" + years + "-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$"));
        }
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

    private static void digits(int integer, TreeSet<String> keywords) {
        if (integer >= 1 && integer <= 18) {
            String most = "999999999999999999".substring(0, integer);
            put(keywords, "minimum", "-" + most);
            put(keywords, "maximum", most);
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
