import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.Date;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/** Differences of objects whose classes are the JDK's own and nothing but values; all are final or known exactly. */
public final class Values {
    /** Numbers with more bits are not looked at. */
    private static final int BITS = 4096;

    private Values() {
    }

    /** How far two objects are from being equal; neither is null. */
    static float equal(Object one, Object other) {
        Class<?> type = one.getClass();
        if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) {
            return type == other.getClass() ? gap(((Number) one).longValue(), ((Number) other).longValue()) : Distances.UNKNOWN;
        }
        if (type == Double.class || type == Float.class) {
            return type == other.getClass() ? gap(((Number) one).doubleValue(), ((Number) other).doubleValue()) : Distances.UNKNOWN;
        }
        if (type == Character.class) {
            return other instanceof Character ? gap((Character) one, (Character) other) : Distances.UNKNOWN;
        }
        if (type == UUID.class && other instanceof UUID) {
            return uuid((UUID) one, (UUID) other);
        }
        if (type == URI.class && other instanceof URI) {
            return one.equals(other) ? 0 : Math.max(Distances.UNSURE, Distances.equal(one.toString(), other.toString(), false));
        }
        if (type == Optional.class && other instanceof Optional) {
            boolean both = ((Optional<?>) one).isPresent() && ((Optional<?>) other).isPresent();
            return both ? inner(((Optional<?>) one).get(), ((Optional<?>) other).get()) : one == other ? 0 : Distances.UNKNOWN;
        }
        double difference = difference(one, other);
        if (difference == 0) {
            return one.equals(other) ? 0 : tie(one, other);
        }
        if (difference == difference) {
            return Distances.narrow(Math.abs(difference));
        }
        boolean same = one == other && (one instanceof Boolean || one instanceof Enum);
        return same || one instanceof Boolean && one.equals(other) ? 0 : Distances.UNKNOWN;
    }

    /** What is in an optional; not another one, so that this ends. */
    private static float inner(Object one, Object other) {
        return one instanceof Optional ? Distances.UNKNOWN : Distances.equal(one, other);
    }

    /** Not equal, but at the same place of their order. */
    private static float tie(Object one, Object other) {
        long difference = 1;
        if (one instanceof BigDecimal) {
            difference = (long) ((BigDecimal) one).scale() - ((BigDecimal) other).scale();
        } else if (one instanceof ZonedDateTime) {
            difference = ((ZonedDateTime) one).getOffset().getTotalSeconds() - ((ZonedDateTime) other).getOffset().getTotalSeconds();
        } else if (one instanceof OffsetDateTime) {
            difference = ((OffsetDateTime) one).getOffset().getTotalSeconds() - ((OffsetDateTime) other).getOffset().getTotalSeconds();
        }
        return Math.max(1, Math.abs((float) difference));
    }

    /** The distance of two whole numbers; no overflow at the ends of long. */
    static float gap(long one, long other) {
        long difference = one - other;
        // Hacker's Delight 2-13: the signs differ, and the result's is not the first one's.
        if (((one ^ other) & (one ^ difference)) < 0) {
            return (float) Math.abs((double) one - (double) other);
        }
        return Math.abs((float) difference);
    }

    static float gap(double one, double other) {
        if (Double.doubleToLongBits(one) == Double.doubleToLongBits(other)) {
            return 0;
        }
        double difference = Math.abs(one - other);
        // Zeros of both signs are not equal.
        return difference == 0 ? Float.MIN_VALUE : Distances.narrow(difference);
    }

    /** The sum over the digits of their differences as lower-case text. */
    private static float uuid(UUID one, UUID other) {
        return digits(one.getMostSignificantBits(), other.getMostSignificantBits())
                + digits(one.getLeastSignificantBits(), other.getLeastSignificantBits());
    }

    private static int digits(long one, long other) {
        int sum = 0;
        for (int i = 0; i < 64; i += 4) {
            sum += Math.abs(digit(one >>> i & 15) - digit(other >>> i & 15));
        }
        return sum;
    }

    private static int digit(long value) {
        return (int) (value < 10 ? '0' + value : 'a' - 10 + value);
    }

    /** By how much the first is above the other: days, milliseconds of {@code Date}, else seconds; NaN when it is not known. */
    static double difference(Object one, Object other) {
        if (one instanceof Date && other instanceof Date) {
            return isOfJdk(one) && isOfJdk(other) ? whole(((Date) one).getTime(), ((Date) other).getTime()) : Double.NaN;
        }
        if (one.getClass() != other.getClass()) {
            return Double.NaN;
        }
        if (one instanceof Number) {
            return number((Number) one, (Number) other);
        }
        if (one instanceof Character) {
            return (Character) one - (Character) other;
        }
        if (one instanceof LocalDate) {
            return whole(((LocalDate) one).toEpochDay(), ((LocalDate) other).toEpochDay());
        }
        if (one instanceof LocalTime) {
            return (((LocalTime) one).toNanoOfDay() - ((LocalTime) other).toNanoOfDay()) / 1e9;
        }
        return moment(one, other);
    }

    private static double moment(Object one, Object other) {
        if (one instanceof LocalDateTime) {
            LocalDateTime a = (LocalDateTime) one;
            LocalDateTime b = (LocalDateTime) other;
            long days = a.toLocalDate().toEpochDay() - b.toLocalDate().toEpochDay();
            return seconds(days * 86400 + a.toLocalTime().toSecondOfDay() - b.toLocalTime().toSecondOfDay(), a.getNano() - b.getNano());
        }
        if (one instanceof Instant) {
            Instant a = (Instant) one;
            Instant b = (Instant) other;
            return seconds(a.getEpochSecond() - b.getEpochSecond(), a.getNano() - b.getNano());
        }
        if (one instanceof ZonedDateTime) {
            ZonedDateTime a = (ZonedDateTime) one;
            ZonedDateTime b = (ZonedDateTime) other;
            return seconds(a.toEpochSecond() - b.toEpochSecond(), a.getNano() - b.getNano());
        }
        if (one instanceof OffsetDateTime) {
            OffsetDateTime a = (OffsetDateTime) one;
            OffsetDateTime b = (OffsetDateTime) other;
            return seconds(a.toEpochSecond() - b.toEpochSecond(), a.getNano() - b.getNano());
        }
        if (one instanceof OffsetTime) {
            OffsetTime a = (OffsetTime) one;
            OffsetTime b = (OffsetTime) other;
            long offset = b.getOffset().getTotalSeconds() - a.getOffset().getTotalSeconds();
            return seconds(a.toLocalTime().toSecondOfDay() - b.toLocalTime().toSecondOfDay() + offset, a.getNano() - b.getNano());
        }
        return rarer(one, other);
    }

    private static double rarer(Object one, Object other) {
        if (one instanceof Year) {
            return ((Year) one).getValue() - ((Year) other).getValue();
        }
        if (one instanceof YearMonth) {
            YearMonth a = (YearMonth) one;
            YearMonth b = (YearMonth) other;
            return (a.getYear() - b.getYear()) * 12L + a.getMonthValue() - b.getMonthValue();
        }
        if (one instanceof Duration) {
            Duration a = (Duration) one;
            Duration b = (Duration) other;
            return seconds(a.getSeconds(), b.getSeconds(), a.getNano() - b.getNano());
        }
        return Double.NaN;
    }

    private static double seconds(long seconds, int nanos) {
        return seconds + nanos / 1e9;
    }

    private static double seconds(long one, long other, int nanos) {
        return whole(one, other) + nanos / 1e9;
    }

    /** Exact as long as a double is. */
    private static double whole(long one, long other) {
        long difference = one - other;
        return ((one ^ other) & (one ^ difference)) < 0 ? (double) one - (double) other : difference;
    }

    private static double number(Number one, Number other) {
        Class<?> type = one.getClass();
        if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class) {
            return whole(one.longValue(), other.longValue());
        }
        if (type == Double.class || type == Float.class) {
            return one.doubleValue() - other.doubleValue();
        }
        if (type == BigInteger.class) {
            return big((BigInteger) one, (BigInteger) other);
        }
        if (type == BigDecimal.class && isSmall((BigDecimal) one) && isSmall((BigDecimal) other)) {
            return away(((BigDecimal) one).compareTo((BigDecimal) other), one.doubleValue() - other.doubleValue());
        }
        return Double.NaN;
    }

    private static double big(BigInteger one, BigInteger other) {
        if (one.bitLength() < 64 && other.bitLength() < 64) {
            return whole(one.longValue(), other.longValue());
        }
        if (one.bitLength() > BITS || other.bitLength() > BITS) {
            return Double.NaN;
        }
        return away(one.compareTo(other), one.doubleValue() - other.doubleValue());
    }

    /** The difference, which has the sign of the order even where doubles do not tell the numbers apart. */
    private static double away(int order, double difference) {
        if (order == 0) {
            return 0;
        }
        return difference * order > 0 ? difference : order * Float.MIN_VALUE;
    }

    /** Few enough digits to compute with. */
    static boolean isSmall(BigDecimal number) {
        return Math.abs((long) number.scale()) < BITS && number.unscaledValue().bitLength() < BITS;
    }

    /** No class loader of a service can define classes in these packages. */
    static boolean isOfJdk(Object object) {
        return object.getClass().getName().startsWith("java.");
    }

    static boolean isPresent(Object optional) {
        return optional instanceof Optional && ((Optional<?>) optional).isPresent()
                || optional instanceof OptionalInt && ((OptionalInt) optional).isPresent()
                || optional instanceof OptionalLong && ((OptionalLong) optional).isPresent()
                || optional instanceof OptionalDouble && ((OptionalDouble) optional).isPresent();
    }
}
