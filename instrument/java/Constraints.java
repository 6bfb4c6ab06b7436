import java.lang.annotation.Annotation;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Collection;
import java.util.Date;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Constraints of bean validation: how far a value is from fulfilling each.
 *
 * <p>{@link #validated} stands behind the one place where Hibernate Validator asks a validator. What it hands over is only asked
 * for names and attributes, and only when a constraint is seen for the first time; then it gets an index, by which the agent
 * gives it targets. {@link #begin} and {@link #end} stand around the validation of a bean, or of the parameters of a method. An object of this class is what is kept of a constraint.
 */
public final class Constraints {
    /** A mail address; a host may have no dot. */
    private static final String EMAIL = "[^@\\s]+@LABEL(\\.LABEL)*".replace("LABEL", "[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?");

    private static final String UUID = "HEX{8}-HEX{4}-HEX{4}-HEX{4}-HEX{12}".replace("HEX", "[0-9A-Fa-f]");

    private static final float UNKNOWN = Float.MAX_VALUE;

    /** Longer texts are not read as numbers. */
    private static final int LONGEST_NUMBER = 1000;

    /** By identity of their descriptors. */
    private static final Constraints[] KNOWN = new Constraints[1024];

    /** Beans and parameters that were validated as a whole, by identity of their classes. */
    private static final Constraints[] BEANS = new Constraints[256];

    /** The library's description of the constraint, or the class of the bean, held weakly. */
    private final WeakReference<Object> descriptor;

    /** Its place in {@link Probes#CONSTRAINTS}; -1 when it has none. */
    private final int index;

    /** The simple name of its annotation, empty for one that is not known. */
    private final String kind;

    /** Bounds of numbers or sizes. */
    private final double low;
    private final double high;

    /** What a text must match; null for none. */
    private final Automaton automaton;

    /** What was validated as a whole: {@code *} or the name of a method; empty for a constraint. */
    private final String whole;

    private Constraints(Object descriptor, int index, String name, Map<?, ?> attributes, String whole) {
        this.whole = whole;
        this.descriptor = new WeakReference<>(descriptor);
        this.index = index;
        boolean known = name.startsWith("javax.validation.constraints.") || name.startsWith("jakarta.validation.constraints.")
                || name.startsWith("org.hibernate.validator.constraints.");
        kind = known ? name.substring(name.lastIndexOf('.') + 1) : "";
        low = low(attributes);
        high = high(attributes);
        automaton = automaton(attributes);
    }

    // A validation as a whole: how far a bean is from fulfilling all its constraints. What is kept of it is one for the JVM.

    /** The thread that validates. */
    private static Thread validating;

    /** How many constraints were not fulfilled, weighed, and the least of their distances. */
    private static int failing;
    private static float nearest;

    /** By how much farther a bean is with one more of them; a bound of what the nearest adds to it. */
    private static final float ONE_MORE = 1 << 20;

    /** For how many stands one that a value does not fulfil which could hold others: left out, it would fail only once. */
    private static final int HOLDING = 64;

    /** A validation of this bean, or of the parameters of one of its methods, begins. */
    public static void begin(Object bean) {
        validating = bean == null ? null : Thread.currentThread();
        failing = 0;
        nearest = ONE_MORE;
    }

    /** The validation of this bean ends. */
    public static void end(Object bean) {
        end(bean, "*");
    }

    /** The validation of the parameters of this method of this bean ends. */
    public static void end(Object bean, Method method) {
        end(bean, method == null ? null : method.getName());
    }

    private static void end(Object bean, String what) {
        if (bean != null && what != null && validating == Thread.currentThread()) {
            validating = null;
            Class<?> type = bean.getClass();
            int slot = System.identityHashCode(type) + what.hashCode() & BEANS.length - 1;
            Constraints known = BEANS[slot];
            if (known == null || known.descriptor.get() != type || !known.whole.equals(what)) {
                known = new Constraints(type, index(type.getName(), what, "valid"), "", null, what);
                BEANS[slot] = known;
            }
            int id = known.id();
            if (id >= 0) {
                // The nearest is one that a line leads to, as a sum would not.
                Calls.settled(failing == 0, failing == 0 ? UNKNOWN : (failing - 1) * ONE_MORE + nearest, id);
            }
        }
    }

    /** In front of a validator, which asks one of the service how far it is from the other result. */
    public static void validating(Object descriptor, Object place) {
        Constraints constraint = of(descriptor, place);
        int id = constraint == null ? -1 : constraint.id();
        if (id >= 0 && constraint.kind.isEmpty() && (validating != null || Calls.wanted(id))) {
            Calls.ask(id);
        }
    }

    /** Behind a validator, with what it said of this value. */
    public static void validated(int result, Object descriptor, Object value, Object place) {
        Constraints constraint = of(descriptor, place);
        int id = constraint == null ? -1 : constraint.id();
        float distance = UNKNOWN;
        if (id >= 0) {
            boolean isTold = constraint.kind.isEmpty() && Probes.flagOf != Probes.NOBODY;
            distance = isTold ? Probes.flag : result != 0 ? UNKNOWN : constraint.distance(value);
            distance = distance > 0 ? distance : Distances.UNSURE;
            Calls.settled(result != 0, distance, id);
        }
        if (result == 0 && validating == Thread.currentThread()) {
            failing += holds(value) ? HOLDING : 1;
            nearest = Math.min(nearest, distance);
        }
    }

    /** Whether there may be constraints on what would be in a value. */
    private static boolean holds(Object value) {
        return value == null || value instanceof Collection || value instanceof Map || value instanceof Object[];
    }

    /** The id of the target of fulfilling it; -1 when it has none, or none yet. */
    private int id() {
        return index < 0 ? -1 : Probes.CONSTRAINT_IDS[index] - 1;
    }

    private static Constraints of(Object descriptor, Object place) {
        if (descriptor == null || place == null) {
            return null;
        }
        int slot = System.identityHashCode(descriptor) & KNOWN.length - 1;
        Constraints known = KNOWN[slot];
        if (known == null || known.descriptor.get() != descriptor) {
            known = read(descriptor, place);
            KNOWN[slot] = known;
        }
        return known;
    }

    /** Asks for names and attributes. */
    private static Constraints read(Object descriptor, Object place) {
        try {
            Object bean = get(place, "getCurrentBean");
            String path = String.valueOf(get(place, "getPropertyPath"));
            Class<?> type = ((Annotation) get(descriptor, "getAnnotation")).annotationType();
            int index = bean == null ? -1 : index(bean.getClass().getName(), path, type.getSimpleName());
            return new Constraints(descriptor, index, type.getName(), (Map<?, ?>) get(descriptor, "getAttributes"), "");
        } catch (Throwable unreadable) {
            return new Constraints(descriptor, -1, "", null, "");
        }
    }

    private static Object get(Object object, String getter) throws ReflectiveOperationException {
        return object.getClass().getMethod(getter).invoke(object);
    }

    /** The index of what has these names, one to a line; of a class that was made of another one, that of the other one. */
    private static int index(String bean, String path, String constraint) {
        int made = bean.indexOf("$$");
        String property = path.replaceAll("\\[[^\\]]*\\]", "").replaceAll("\\.<[^>]*>", "");
        property = property.substring(property.lastIndexOf('.') + 1).replace(':', '_');
        String name = (made > 0 ? bean.substring(0, made) : bean) + '\n' + property + '\n' + constraint;
        synchronized (KNOWN) {
            int n = Probes.constraints;
            for (int i = 0; i < n; i++) {
                if (name.equals(Probes.CONSTRAINTS[i])) {
                    return i;
                }
            }
            if (n == Probes.CONSTRAINTS.length) {
                return -1;
            }
            Probes.CONSTRAINTS[n] = name;
            Probes.constraints = n + 1;
            return n;
        }
    }

    private static double low(Map<?, ?> attributes) {
        Object bound = attribute(attributes, "min");
        double low = bound == null ? number(attribute(attributes, "value")) : number(bound);
        return Double.isNaN(low) ? number(attribute(attributes, "integer")) : low;
    }

    private static double high(Map<?, ?> attributes) {
        Object bound = attribute(attributes, "max");
        double high = bound == null ? number(attribute(attributes, "value")) : number(bound);
        return Double.isNaN(high) ? number(attribute(attributes, "fraction")) : high;
    }

    private static Object attribute(Map<?, ?> attributes, String name) {
        return attributes == null ? null : attributes.get(name);
    }

    private Automaton automaton(Map<?, ?> attributes) {
        if (kind.equals("Email")) {
            return new Automaton(EMAIL, 0);
        }
        if (kind.equals("UUID")) {
            return new Automaton(UUID, 0);
        }
        Object regex = attribute(attributes, "regexp");
        Object flags = attribute(attributes, "flags");
        if (!(kind.equals("Pattern") && regex instanceof String)) {
            return null;
        }
        int bits = 0;
        if (flags instanceof Object[]) {
            for (Object flag : (Object[]) flags) {
                bits |= flag instanceof Enum ? bit(((Enum<?>) flag).name()) : 0;
            }
        }
        return new Automaton((String) regex, bits);
    }

    private static int bit(String flag) {
        switch (flag) {
            case "UNIX_LINES":
                return Pattern.UNIX_LINES;
            case "CASE_INSENSITIVE":
                return Pattern.CASE_INSENSITIVE;
            case "COMMENTS":
                return Pattern.COMMENTS;
            case "MULTILINE":
                return Pattern.MULTILINE;
            case "DOTALL":
                return Pattern.DOTALL;
            case "UNICODE_CASE":
                return Pattern.UNICODE_CASE;
            case "CANON_EQ":
                return Pattern.CANON_EQ;
            default:
                return 0;
        }
    }

    /** How far a value is from fulfilling the constraint, which it does not. */
    private float distance(Object value) {
        try {
            return value == null ? UNKNOWN : of(value);
        } catch (Throwable failure) {
            return UNKNOWN;
        }
    }

    private float of(Object value) {
        switch (kind) {
            case "NotBlank":
            case "NotEmpty":
                return 1;
            case "Size":
            case "Length":
                return outside(Distances.empty(value), low, high);
            case "Min":
            case "DecimalMin":
                return outside(number(value), low, Double.NaN);
            case "Max":
            case "DecimalMax":
                return outside(number(value), Double.NaN, high);
            case "Range":
                return outside(number(value), low, high);
            case "Positive":
            case "PositiveOrZero":
                return outside(number(value), 0, Double.NaN);
            case "Negative":
            case "NegativeOrZero":
                return outside(number(value), Double.NaN, 0);
            case "Digits":
                return digits(value);
            case "Email":
            case "Pattern":
            case "UUID":
                String text = Distances.text(value);
                return text == null || automaton == null ? UNKNOWN : automaton.distance(text, 0, text.length(), Distances.MATCHES);
            case "URL":
                return Distances.format(Formats.URL, value);
            case "Past":
            case "PastOrPresent":
                return Distances.ordered(value, now(value), -1);
            case "Future":
            case "FutureOrPresent":
                return Distances.ordered(value, now(value), 1);
            default:
                return kind.isEmpty() ? UNKNOWN : 1;
        }
    }

    /** How far a number is from a range; a bound that is excluded is as far as the next whole number. NaN is no bound. */
    private static float outside(double number, double low, double high) {
        if (Double.isNaN(number) || number == UNKNOWN) {
            return UNKNOWN;
        }
        double distance = number <= low ? low - number : number >= high ? number - high : 0;
        return distance > 0 ? (float) Math.min(distance, UNKNOWN) : number == low || number == high ? 1 : Distances.UNSURE;
    }

    /** How many digits there are too many. */
    private float digits(Object value) {
        if (value instanceof String && ((String) value).length() > LONGEST_NUMBER) {
            return UNKNOWN;
        }
        BigDecimal number = value instanceof String ? new BigDecimal((String) value)
                : value.getClass() == BigDecimal.class ? (BigDecimal) value : BigDecimal.valueOf(number(value));
        if (!Values.isSmall(number)) {
            return UNKNOWN;
        }
        BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        double tooMany = Math.max(0, stripped.precision() - stripped.scale() - low) + Math.max(0, stripped.scale() - high);
        return (float) tooMany;
    }

    private static double number(Object object) {
        if (object instanceof String) {
            try {
                return ((String) object).length() > LONGEST_NUMBER ? Double.NaN : Double.parseDouble((String) object);
            } catch (NumberFormatException none) {
                return Double.NaN;
            }
        }
        Class<?> type = object == null ? null : object.getClass();
        boolean known = type == Integer.class || type == Long.class || type == Short.class || type == Byte.class
                || type == Double.class || type == Float.class || type == BigDecimal.class || type == BigInteger.class;
        boolean small = type != BigDecimal.class || Values.isSmall((BigDecimal) object);
        return known && small ? ((Number) object).doubleValue() : Double.NaN;
    }

    /** The present time as an object of the same class; null for others. */
    private static Object now(Object value) {
        Class<?> type = value.getClass();
        return type == LocalDate.class ? LocalDate.now()
                : type == LocalDateTime.class ? LocalDateTime.now()
                : type == Instant.class ? Instant.now()
                : type == OffsetDateTime.class ? OffsetDateTime.now()
                : type == ZonedDateTime.class ? ZonedDateTime.now()
                : type == LocalTime.class ? LocalTime.now()
                : type == OffsetTime.class ? OffsetTime.now()
                : type == Year.class ? Year.now()
                : type == YearMonth.class ? YearMonth.now()
                : value instanceof Date ? new Date()
                : value instanceof Calendar ? Calendar.getInstance() : null;
    }
}
