import java.util.regex.Matcher;

/**
 * How far a call of a library is from returning true, or from returning where it may throw.
 *
 * <p>Distances are 0 when it does, and the higher the farther; {@link #UNKNOWN} says no more than that it does not (or that
 * nothing is known), {@link #UNSURE} that nothing was found in its way although something may be. What each function
 * computes stands, with its source, in {@code instrument/heuristics}; both run the same vectors.
 *
 * <p>Nothing here throws, calls code of the service, or keeps objects of it; work is bounded by constants. Runs on many
 * threads at once.
 */
public final class Distances {
    /** Nothing is known beyond that the call does not do it. */
    public static final float UNKNOWN = Float.MAX_VALUE;

    /** All that was looked at fits; the call may fail for other reasons. Less than any difference that was seen. */
    public static final float UNSURE = 0.5f;

    /** What a char costs that one of two texts lacks. */
    static final int MISSING = 65536;

    /** How many chars of a text are looked at. */
    static final int LOOK = 16384;

    /** Where it may take more comparisons than these, it is not found out whether a part is in a text. */
    private static final long SOUGHT = 1 << 22;

    /** How many chars are compared to find the nearest place of a part in a text. */
    private static final int STEPS = 100_000;

    private Distances() {
    }

    // Strings.

    /** {@code text.equals(other)}. */
    public static float equal(String text, Object other) {
        if (text == null || !(other instanceof String)) {
            return UNKNOWN;
        }
        return equal(text, (String) other, false);
    }

    /** {@code text.equalsIgnoreCase(other)}. */
    public static float equalIgnoreCase(String text, String other) {
        return text == null || other == null ? UNKNOWN : equal(text, other, true);
    }

    /** {@code text.contentEquals(content)}. */
    public static float contentEqual(String text, Object content) {
        return equal(text, (Object) text(content));
    }

    static float equal(String one, String other, boolean ignoreCase) {
        int n = one.length();
        int m = other.length();
        return span(one, 0, other, 0, n < m ? n : m, ignoreCase, n == m) + (long) MISSING * (n < m ? m - n : n - m);
    }

    /**
     * The differences of n chars of two texts; where these are all, it counts 1 that there is one behind the first
     * {@link #LOOK}.
     */
    private static long span(String one, int from, String other, int otherFrom, int n, boolean ignoreCase, boolean all) {
        long sum = 0;
        int seen = n < LOOK ? n : LOOK;
        for (int i = 0; i < seen; i++) {
            char a = one.charAt(from + i);
            char b = other.charAt(otherFrom + i);
            if (a != b) {
                int difference = ignoreCase ? fold(a) - fold(b) : a - b;
                sum += difference < 0 ? -difference : difference;
            }
        }
        if (all && sum == 0 && seen < n && !one.regionMatches(ignoreCase, from + seen, other, otherFrom + seen, n - seen)) {
            return 1;
        }
        return sum;
    }

    /** Two chars that differ in case only have the same. */
    static char fold(char c) {
        if (c < 128) {
            return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c;
        }
        return Character.toLowerCase(Character.toUpperCase(c));
    }

    /** The text of an object whose class is known to be nothing but text; null of any other. */
    static String text(Object object) {
        if (object instanceof String) {
            return (String) object;
        }
        try {
            // Both classes are final.
            if (object instanceof StringBuilder || object instanceof StringBuffer) {
                return ((CharSequence) object).length() <= 8 * LOOK ? object.toString() : null;
            }
        } catch (Throwable race) {
            return null;
        }
        return null;
    }

    /** {@code text.startsWith(prefix, offset)}. */
    public static float startsWith(String text, String prefix, int offset) {
        return prefix == null ? UNKNOWN : regionMatches(text, false, offset, prefix, 0, prefix.length());
    }

    /** {@code text.endsWith(suffix)}. */
    public static float endsWith(String text, String suffix) {
        if (text == null || suffix == null) {
            return UNKNOWN;
        }
        int start = text.length() - suffix.length();
        return regionMatches(text, false, start < 0 ? 0 : start, suffix, 0, suffix.length());
    }

    /** {@code text.regionMatches(ignoreCase, from, other, otherFrom, n)}. */
    public static float regionMatches(String text, boolean ignoreCase, int from, String other, int otherFrom, int n) {
        if (text == null || other == null) {
            return UNKNOWN;
        }
        if (n <= 0) {
            long outside = outside(from, 0, (long) text.length() - n) + outside(otherFrom, 0, (long) other.length() - n);
            return MISSING * outside;
        }
        long first = Math.max(0, Math.max(-(long) from, -(long) otherFrom));
        long last = Math.min(n, Math.min((long) text.length() - from, (long) other.length() - otherFrom));
        if (last <= first) {
            return (long) MISSING * n;
        }
        long common = last - first;
        long sum = span(text, (int) (from + first), other, (int) (otherFrom + first), (int) common, ignoreCase, common == n);
        return sum + MISSING * (n - common);
    }

    /** How far a number is from a range. */
    static long outside(long number, long low, long high) {
        return number < low ? low - number : number > high ? number - high : 0;
    }

    /** {@code text.contains(part)}, and {@code text.indexOf(part, from) >= 0}. */
    public static float contains(String text, Object content, int from) {
        String part = text(content);
        if (text == null || part == null) {
            return UNKNOWN;
        }
        int start = from < 0 ? 0 : from < text.length() ? from : text.length();
        int n = text.length() - start;
        int m = part.length();
        if (n < m) {
            return span(text, start, part, 0, n, false, false) + (long) MISSING * (m - n);
        }
        if ((long) (n - m) * m <= SOUGHT && text.indexOf(part, start) >= 0) {
            return 0;
        }
        long best = nearest(text, start, part);
        // Of a longer part not all chars were compared.
        return best > 0 || m <= LOOK ? best : 1;
    }

    /** The least difference of a part to what stands in the text from start on, as far as {@link #STEPS} reach. */
    private static long nearest(String text, int start, String part) {
        int m = part.length() < LOOK ? part.length() : LOOK;
        int end = text.length() - part.length();
        long best = Long.MAX_VALUE;
        int steps = 0;
        for (int at = start; at <= end && steps < STEPS && best > 0; at++) {
            long sum = 0;
            for (int i = 0; i < m && sum < best; i++, steps++) {
                int difference = text.charAt(at + i) - part.charAt(i);
                sum += difference < 0 ? -difference : difference;
            }
            if (sum < best) {
                best = sum;
            }
        }
        return best;
    }

    /** {@code text.indexOf(c, from) >= 0}. */
    public static float containsChar(String text, int c, int from) {
        if (text == null || c < 0 || c > 0x10ffff) {
            return UNKNOWN;
        }
        if (c >= 0x10000) {
            return contains(text, new String(Character.toChars(c)), from);
        }
        int start = from < 0 ? 0 : from;
        if (text.indexOf(c, start) >= 0) {
            return 0;
        }
        int best = MISSING;
        for (int i = start; i < text.length() && i - start < LOOK; i++) {
            int difference = text.charAt(i) - c;
            best = Math.min(best, difference < 0 ? -difference : difference);
        }
        return best > 0 ? best : 1;
    }

    /** {@code text.compareTo(other)}, or {@code compareToIgnoreCase}, to be below (side -1), equal (0) or above (1). */
    public static float compare(String text, String other, boolean ignoreCase, int side) {
        if (text == null || other == null) {
            return UNKNOWN;
        }
        if (side == 0) {
            return equal(text, other, ignoreCase);
        }
        return side(ignoreCase ? text.compareToIgnoreCase(other) : text.compareTo(other), side);
    }

    /** How far a difference is from being below, equal to or above 0. */
    static float side(double difference, int side) {
        if (difference != difference) {
            return UNKNOWN;
        }
        double distance = side == 0 ? Math.abs(difference) : 1 - side * difference;
        if (side != 0 && side * difference > 0) {
            return 0;
        }
        return narrow(distance);
    }

    /** A distance above 0 stays above 0, and what is too large is the largest. */
    static float narrow(double distance) {
        if (distance == 0) {
            return 0;
        }
        if (!(distance < UNKNOWN)) {
            return UNKNOWN;
        }
        float narrow = (float) distance;
        return narrow == 0 ? Float.MIN_VALUE : narrow;
    }

    /** {@code isEmpty()} of a text, collection, map or array; also its length. */
    public static float empty(Object object) {
        String text = text(object);
        int length = text == null ? Members.size(object) : text.length();
        return length < 0 ? UNKNOWN : length;
    }

    // Numbers, dates, and objects.

    /** {@code one.equals(other)} of objects whose classes are known. */
    public static float equal(Object one, Object other) {
        if (one == null || other == null) {
            return one == other ? 0 : UNKNOWN;
        }
        if (one instanceof String) {
            return equal((String) one, other);
        }
        try {
            return Values.equal(one, other);
        } catch (Throwable failure) {
            return UNKNOWN;
        }
    }

    /** Two numbers are the same. */
    public static float equal(long one, long other) {
        return Values.gap(one, other);
    }

    /** Two numbers are the same, as {@code Double.equals} says. */
    public static float equal(double one, double other) {
        return Values.gap(one, other);
    }

    /**
     * {@code compareTo}, {@code before}, {@code isAfter}, {@code isEqual}... of two objects whose class is known: the first
     * is to be below (side -1), equal (0), or above (1) the other.
     */
    public static float ordered(Object one, Object other, int side) {
        if (one instanceof String && other instanceof String) {
            return compare((String) one, (String) other, false, side);
        }
        try {
            return one == null || other == null ? UNKNOWN : side(Values.difference(one, other), side);
        } catch (Throwable failure) {
            return UNKNOWN;
        }
    }

    /** An index is below a length and not negative. */
    public static float index(int index, int length) {
        return index < 0 ? -(float) index : index < length ? 0 : (float) ((long) index - length + 1);
    }

    /** An index is one of a list or array whose class is known. */
    public static float index(int index, Object list) {
        int size = Members.size(list);
        return size < 0 ? UNKNOWN : index(index, size);
    }

    /** {@code isPresent()} of an optional. */
    public static float present(Object optional) {
        return Values.isPresent(optional) ? 0 : UNKNOWN;
    }

    /** {@code Character.isDigit(c)} and the like; kinds are constants of {@link Characters}. */
    public static float character(int kind, int c) {
        return Characters.distance(kind, c);
    }

    // Parsers: how far they are from returning.

    /** {@code Boolean.parseBoolean(text)} returns true. */
    public static float parseBoolean(String text) {
        return equalIgnoreCase(text, "true");
    }

    /** {@code Integer.parseInt(text, radix)} and those of other ranges; {@code BigInteger} has none: low above high. */
    public static float parseInteger(String text, int radix, long low, long high) {
        return Numbers.integer(text, radix, low, high);
    }

    /** {@code Integer.decode(text)} and those of other ranges. */
    public static float decodeInteger(String text, long low, long high) {
        return Numbers.decode(text, low, high);
    }

    /** {@code Double.parseDouble(text)}, {@code Float.parseFloat(text)}, {@code new BigDecimal(text)}. */
    public static float parseReal(Object text) {
        return Formats.distance(Formats.REAL, text);
    }

    /** A text of one of the kinds of {@link Formats}: {@code LocalDate.parse(text)}, {@code UUID.fromString(text)}... */
    public static float format(int kind, Object text) {
        return Formats.distance(kind, text);
    }

    /** {@code formatter.parse(text)}, {@code LocalDate.parse(text, formatter)}..., {@code dateFormat.parse(text)}. */
    public static float parse(Object formatter, Object text) {
        return Formats.parse(formatter, text);
    }

    /** {@code decoder.decode(text)} of {@code Base64}. */
    public static float base64(Object decoder, Object text) {
        return Formats.base64(decoder, text);
    }

    /** {@code LocalDate.of(year, month, day)}. */
    public static float date(int year, int month, int day) {
        return Numbers.date(year, month, day);
    }

    /** {@code LocalTime.of(hour, minute, second, nano)}. */
    public static float time(int hour, int minute, int second, int nano) {
        return Numbers.time(hour, minute, second, nano);
    }

    /** {@code Enum.valueOf(type, name)}. */
    public static float enumConstant(Object type, String name) {
        return Members.enumConstant(type, name);
    }

    /** {@code Currency.getInstance(code)}. */
    public static float currency(String code) {
        return Members.currency(code);
    }

    // Membership.

    /** {@code collection.contains(value)}, of an array as well; also {@code indexOf}, {@code remove}. */
    public static float contained(Object collection, Object value) {
        return Members.contained(collection, value);
    }

    /** {@code collection.containsAll(values)}: of each value its distance as a share, and their sum. */
    public static float containedAll(Object collection, Object values) {
        return Members.containedAll(collection, values);
    }

    /** {@code map.containsKey(key)}, {@code map.get(key) != null}. */
    public static float containsKey(Object map, Object key) {
        return Members.containsKey(map, key);
    }

    /** The same with all that is not there as far as can be. */
    public static float isKey(Object map, Object key) {
        return Members.isKey(map, key);
    }

    /** {@code map.containsValue(value)}. */
    public static float containsValue(Object map, Object value) {
        return Members.containsValue(map, value);
    }

    // Regular expressions.

    /** The whole text matches. */
    public static final int MATCHES = 0;

    /** The begin of the text matches. */
    public static final int LOOKING_AT = 1;

    /** A part of the text matches. */
    public static final int FIND = 2;

    /** {@code text.matches(regex)}, {@code pattern.matcher(text).find()}...; pattern is one or a text. */
    public static float matches(Object pattern, Object text, int how) {
        return Automaton.distance(pattern, text, how);
    }

    /** {@code matcher.matches()}, {@code lookingAt()}, {@code find()}. */
    public static float matches(Matcher matcher, int how) {
        return Automaton.distance(matcher, how);
    }

    /** How often the bound on work cut a text that was held against a regular expression. */
    public static int cuts() {
        return Automaton.cuts;
    }

    /** How many instructions of regular expressions were looked at to hold texts against them, as far as threads count right. */
    public static long visits() {
        return Automaton.visits;
    }

    /** How often a regular expression was met for the first time whose language is not understood. */
    public static int unknownPatterns() {
        return Automaton.unknown;
    }
}
