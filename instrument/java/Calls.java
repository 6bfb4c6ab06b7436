import java.lang.reflect.Array;
import java.util.regex.Matcher;

/**
 * What stands in front of and behind calls of library methods: measures how far each was from the other outcome.
 *
 * <p>The call itself stays as it is. In front of it a method of this class takes copies of the operands and gives the
 * distance to <em>true</em> (or to <em>found</em>, <em>equal</em>): 0 or more, the lower the nearer. {@link #SKIPPED} means that
 * nobody wants to know, a value below it that the outcome is true already, and false is {@code -1 - value} away. Behind the
 * call another one takes the result. Of a call that may throw only the distance to its return is told, in front of it.
 *
 * <p>Nothing here throws or calls code of the service; see {@link Distances}.
 */
public final class Calls {
    /** Nobody wants to know. */
    private static final float SKIPPED = -1;

    private static final int RETURNED = 3;

    private static final float UNKNOWN = Float.MAX_VALUE;

    /** The number of {@code equals(Object)}, by which a method of the service tells how far it was from the other result. */
    private static final int EQUALS = 7_127_406;

    private Calls() {
    }

    /** Whether an outcome of the call is not covered yet, or a branch asks. */
    static boolean wanted(int id) {
        return (Probes.CELLS[id] & Probes.CELLS[id + 1]) != Probes.COVERED || Probes.asker >= 0;
    }

    /**
     * The same for a call whose outcome shows behind it: not when it was measured in vain for long, see
     * {@link Probes#isWorthwhile}.
     */
    private static boolean promising(int id) {
        return Probes.asker >= 0 || (Probes.CELLS[id] & Probes.CELLS[id + 1]) != Probes.COVERED && Probes.isWorthwhile(id);
    }

    /**
     * The return of the call is this far. A distance of exactly 1 is what stands for a call of which nothing is known, so it
     * is told as one that is hardly different.
     */
    private static void tell(int id, float distance) {
        Probes.near(id, distance == 1 ? 1.0001f : distance);
    }

    /** Whether the call has not returned yet. */
    private static boolean returning(int id) {
        return Probes.MARKS[id] != RETURNED;
    }

    // Behind calls. The outcome true, found or equal has id, the other one id + 1.

    /** The call gave this boolean. */
    public static void truth(int result, float distance, int id) {
        if (distance != SKIPPED || isNews(result != 0, id)) {
            settle(result != 0, distance, id);
        }
    }

    /** The call gave this object, which is null when nothing was found. */
    public static void present(Object result, float distance, int id) {
        if (distance != SKIPPED || isNews(result != null, id)) {
            settle(result != null, distance, id);
        }
    }

    /** The call gave this index, which is negative when nothing was found. */
    public static void found(int result, float distance, int id) {
        if (distance != SKIPPED || isNews(result >= 0, id)) {
            settle(result >= 0, distance, id);
        }
    }

    /** The call gave this order; the jump behind it takes the distance as the difference of its operands. */
    public static void compared(int result, float distance, int id) {
        Probes.gap = distance >= 0 && distance < UNKNOWN ? distance : result < 0 ? -(float) result : result;
        if (distance != SKIPPED || isNews(result == 0, id)) {
            settle(result == 0, distance, id);
        }
    }

    /** The outcome of the call is what the distance says. */
    public static void stated(float distance, int id) {
        if (distance != SKIPPED) {
            settle(distance <= 0, distance, id);
        }
    }

    /** Whether the outcome of a call that nobody measured is to be covered. */
    private static boolean isNews(boolean holds, int id) {
        return Probes.CELLS[holds ? id : id + 1] != Probes.COVERED || Probes.attentive;
    }

    private static void settle(boolean holds, float distance, int id) {
        if (distance == SKIPPED) {
            Probes.cover(holds ? id : id + 1);
            Probes.flagOf = Probes.NOBODY;
        } else {
            settled(holds, opposite(holds, distance), id);
        }
    }

    /** Covers the outcome that happened; the other one is this far. */
    static void settled(boolean holds, float opposite, int id) {
        int taken = holds ? id : id + 1;
        int other = holds ? id + 1 : id;
        Probes.cover(taken);
        if (Probes.near(other, opposite)) {
            Probes.MARKS[other] = 0;
        }
        // By this a jump on the result has the same gradient.
        Probes.flag = opposite < UNKNOWN ? opposite : 1;
        Probes.flagOf = Probes.LIBRARY;
        if (Probes.asker == id) {
            Probes.asker = -1;
        }
    }

    /** How far the outcome was that did not happen. */
    private static float opposite(boolean holds, float distance) {
        if (holds) {
            return distance < SKIPPED ? SKIPPED - distance : UNKNOWN;
        }
        if (distance == UNKNOWN && Probes.flagOf == EQUALS) {
            // The service's own equals told more.
            return Probes.flag;
        }
        // Nothing was found in the way although something is.
        return distance > 0 ? distance : distance == 0 ? Distances.UNSURE : UNKNOWN;
    }

    /** In front of a call that may run methods of the service: asks them how far they are from the other result. */
    static void ask(int id) {
        if (Probes.asker < 0) {
            Probes.asker = id;
        }
        Probes.flagOf = Probes.NOBODY;
    }

    // Strings.

    public static float equal(Object text, Object other, int id) {
        return promising(id) ? Distances.equal(text, other) : SKIPPED;
    }

    public static float equalIgnoreCase(Object text, Object other, int id) {
        return promising(id) ? Distances.equalIgnoreCase(text(text), text(other)) : SKIPPED;
    }

    public static float contentEqual(Object text, Object content, int id) {
        return promising(id) ? Distances.contentEqual(text(text), content) : SKIPPED;
    }

    public static float startsWith(Object text, Object prefix, int id) {
        return promising(id) ? Distances.startsWith(text(text), text(prefix), 0) : SKIPPED;
    }

    public static float startsWith(Object text, Object prefix, int offset, int id) {
        return promising(id) ? Distances.startsWith(text(text), text(prefix), offset) : SKIPPED;
    }

    public static float endsWith(Object text, Object suffix, int id) {
        return promising(id) ? Distances.endsWith(text(text), text(suffix)) : SKIPPED;
    }

    public static float contains(Object text, Object content, int id) {
        return promising(id) ? Distances.contains(text(text), content, 0) : SKIPPED;
    }

    public static float contains(Object text, Object content, int from, int id) {
        return promising(id) ? Distances.contains(text(text), content, from) : SKIPPED;
    }

    public static float containsChar(Object text, int c, int id) {
        return promising(id) ? Distances.containsChar(text(text), c, 0) : SKIPPED;
    }

    public static float empty(Object object, int id) {
        return promising(id) ? object == null ? 0 : Distances.empty(object) : SKIPPED;
    }

    /** Not empty: one element is missing. */
    public static float notEmpty(Object object, int id) {
        if (!promising(id)) {
            return SKIPPED;
        }
        float size = object == null ? 0 : Distances.empty(object);
        return size == 0 ? 1 : SKIPPED - size;
    }

    public static float blank(Object text, int id) {
        return promising(id) ? blankness(text) : SKIPPED;
    }

    public static float notBlank(Object text, int id) {
        if (!promising(id)) {
            return SKIPPED;
        }
        float distance = blankness(text);
        return distance == 0 ? 1 : SKIPPED - distance;
    }

    /** How many chars are no white space. */
    private static float blankness(Object object) {
        String text = text(object);
        int visible = 0;
        for (int i = 0; text != null && i < text.length() && i < 10_000; i++) {
            visible += Character.isWhitespace(text.charAt(i)) ? 0 : 1;
        }
        return visible;
    }

    public static float regionMatches(Object text, int from, Object other, int otherFrom, int n, int id) {
        return promising(id) ? Distances.regionMatches(text(text), false, from, text(other), otherFrom, n) : SKIPPED;
    }

    public static float regionMatches(Object text, int ignore, int from, Object other, int otherFrom, int n, int id) {
        return promising(id) ? Distances.regionMatches(text(text), ignore != 0, from, text(other), otherFrom, n) : SKIPPED;
    }

    public static float parseBoolean(Object text, int id) {
        return wanted(id) ? Distances.parseBoolean(text(text)) : SKIPPED;
    }

    /** Kotlin's {@code text.equals(other, ignoreCase)}. */
    public static float equalCase(Object text, Object other, int ignoreCase, int id) {
        return ignoreCase != 0 ? equalIgnoreCase(text, other, id) : equal(text, other, id);
    }

    /** A text that is none of the platform's own classes is left alone. */
    private static String text(Object object) {
        return object instanceof String ? (String) object : null;
    }

    // Order and equality of other objects.

    public static float order(Object one, Object other, int id) {
        return wanted(id) ? Distances.ordered(one, other, 0) : SKIPPED;
    }

    public static float before(Object one, Object other, int id) {
        return promising(id) ? both(Distances.ordered(one, other, -1), Distances.ordered(one, other, 0)) : SKIPPED;
    }

    public static float after(Object one, Object other, int id) {
        return promising(id) ? both(Distances.ordered(one, other, 1), Distances.ordered(one, other, 0)) : SKIPPED;
    }

    /** The distance to true or, when it is true, the one to false. */
    private static float both(float toTrue, float toFalse) {
        return toTrue == 0 && toFalse < UNKNOWN ? SKIPPED - toFalse : toTrue;
    }

    /** Any {@code equals}; one of the service tells itself how far it was. */
    public static float equalObject(Object one, Object other, int id) {
        if (!promising(id)) {
            return SKIPPED;
        }
        ask(id);
        return Distances.equal(one, other);
    }

    public static float orderIgnoreCase(Object text, Object other, int id) {
        return wanted(id) ? Distances.compare(text(text), text(other), true, 0) : SKIPPED;
    }

    // Collections.

    public static float contained(Object collection, Object value, int id) {
        return promising(id) ? Distances.contained(collection, value) : SKIPPED;
    }

    public static float containedAll(Object collection, Object values, int id) {
        return promising(id) ? Distances.containedAll(collection, values) : SKIPPED;
    }

    public static float containsKey(Object map, Object key, int id) {
        return promising(id) ? Distances.containsKey(map, key) : SKIPPED;
    }

    /** With a value for what is not there: nothing behind the call shows the outcome, so it is told when nothing is measured, too. */
    public static float containsKey(Object map, Object key, Object otherwise, int id) {
        return promising(id) ? Distances.containsKey(map, key) : wanted(id) ? Distances.isKey(map, key) : SKIPPED;
    }

    public static float containsValue(Object map, Object value, int id) {
        return promising(id) ? Distances.containsValue(map, value) : SKIPPED;
    }

    public static void index(Object list, int index, int id) {
        if (returning(id)) {
            tell(id, Distances.index(index, list));
        }
    }

    public static void index(Object list, int index, Object element, int id) {
        index(list, index, id);
    }

    // Arrays: in front of the access shows whether it throws. Small, so that it is always inlined.

    public static void element(int[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(long[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(float[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(double[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(Object[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(char[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    public static void element(short[] array, int index, int id) {
        if (array == null || index < 0 || index >= array.length || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    /** Of bytes or booleans. */
    public static void element(Object array, int index, int id) {
        if (index < 0 || index >= length(array) || Probes.CELLS[id] != Probes.COVERED) {
            access(array, index, id);
        }
    }

    private static int length(Object array) {
        return array instanceof byte[] ? ((byte[]) array).length : array instanceof boolean[] ? ((boolean[]) array).length : -1;
    }

    private static void access(Object array, int index, int id) {
        int length = array == null ? -1 : Array.getLength(array);
        if (index >= 0 && index < length) {
            Probes.CELLS[id] = Probes.COVERED;
            Probes.near(id + 1, 1);
        } else {
            Probes.CELLS[id + 1] = Probes.COVERED;
            if (length < 0) {
                Probes.near(id, 1);
            } else {
                tell(id, Distances.index(index, length));
            }
        }
    }

    public static float optional(Object optional, int id) {
        return promising(id) ? Distances.present(optional) : SKIPPED;
    }

    // Streams: what the predicate said of all elements.

    public static float stream(Object stream, Object predicate, int id) {
        if (!promising(id)) {
            return SKIPPED;
        }
        ask(id);
        Probes.streamToTrue = UNKNOWN;
        Probes.streamToFalse = UNKNOWN;
        return UNKNOWN;
    }

    /** Behind {@code anyMatch}, {@code allMatch} and {@code removeIf}. */
    public static void matched(int result, float distance, int id) {
        if (distance != SKIPPED) {
            settled(result != 0, result == 0 ? Probes.streamToTrue : Probes.streamToFalse, id);
        } else if (isNews(result != 0, id)) {
            settle(result != 0, SKIPPED, id);
        }
    }

    /** Behind {@code noneMatch}. */
    public static void unmatched(int result, float distance, int id) {
        if (distance != SKIPPED) {
            settled(result != 0, result != 0 ? Probes.streamToTrue : Probes.streamToFalse, id);
        } else if (isNews(result != 0, id)) {
            settle(result != 0, SKIPPED, id);
        }
    }

    // Regular expressions.

    public static float matches(Object text, Object pattern, int id) {
        return promising(id) ? Distances.matches(pattern, text, Distances.MATCHES) : SKIPPED;
    }

    public static float patternMatches(Object pattern, Object text, int id) {
        return matches(text, pattern, id);
    }

    public static float matches(Object matcher, int id) {
        return promising(id) ? Distances.matches((Matcher) matcher, Distances.MATCHES) : SKIPPED;
    }

    public static float lookingAt(Object matcher, int id) {
        return promising(id) ? Distances.matches((Matcher) matcher, Distances.LOOKING_AT) : SKIPPED;
    }

    public static float find(Object matcher, int id) {
        return promising(id) ? Distances.matches((Matcher) matcher, Distances.FIND) : SKIPPED;
    }

    public static float find(Object matcher, int from, int id) {
        return find(matcher, id);
    }

    // Characters.

    public static float digit(int c, int id) {
        return promising(id) ? Distances.character(Characters.DIGIT, c) : SKIPPED;
    }

    public static float letter(int c, int id) {
        return promising(id) ? Distances.character(Characters.LETTER, c) : SKIPPED;
    }

    public static float letterOrDigit(int c, int id) {
        return promising(id) ? Distances.character(Characters.LETTER_OR_DIGIT, c) : SKIPPED;
    }

    public static float alphabetic(int c, int id) {
        return promising(id) ? Distances.character(Characters.ALPHABETIC, c) : SKIPPED;
    }

    public static float upperCase(int c, int id) {
        return promising(id) ? Distances.character(Characters.UPPER_CASE, c) : SKIPPED;
    }

    public static float lowerCase(int c, int id) {
        return promising(id) ? Distances.character(Characters.LOWER_CASE, c) : SKIPPED;
    }

    public static float whitespace(int c, int id) {
        return promising(id) ? Distances.character(Characters.WHITESPACE, c) : SKIPPED;
    }

    // Parsers.

    private static void integer(Object text, int radix, long low, long high, int id) {
        if (returning(id)) {
            tell(id, Distances.parseInteger(text(text), radix, low, high));
        }
    }

    public static void parseByte(Object text, int id) {
        integer(text, 10, Byte.MIN_VALUE, Byte.MAX_VALUE, id);
    }

    public static void parseShort(Object text, int id) {
        integer(text, 10, Short.MIN_VALUE, Short.MAX_VALUE, id);
    }

    public static void parseInt(Object text, int id) {
        integer(text, 10, Integer.MIN_VALUE, Integer.MAX_VALUE, id);
    }

    public static void parseInt(Object text, int radix, int id) {
        integer(text, radix, Integer.MIN_VALUE, Integer.MAX_VALUE, id);
    }

    public static void parseUnsignedInt(Object text, int id) {
        integer(text, 10, 0, 0xffff_ffffL, id);
    }

    public static void parseLong(Object text, int id) {
        integer(text, 10, Long.MIN_VALUE, Long.MAX_VALUE, id);
    }

    public static void parseLong(Object text, int radix, int id) {
        integer(text, radix, Long.MIN_VALUE, Long.MAX_VALUE, id);
    }

    public static void parseBigInteger(Object text, int id) {
        integer(text, 10, 1, 0, id);
    }

    public static void decodeByte(Object text, int id) {
        decode(text, Byte.MIN_VALUE, Byte.MAX_VALUE, id);
    }

    public static void decodeShort(Object text, int id) {
        decode(text, Short.MIN_VALUE, Short.MAX_VALUE, id);
    }

    public static void decodeInt(Object text, int id) {
        decode(text, Integer.MIN_VALUE, Integer.MAX_VALUE, id);
    }

    public static void decodeLong(Object text, int id) {
        decode(text, Long.MIN_VALUE, Long.MAX_VALUE, id);
    }

    private static void decode(Object text, long low, long high, int id) {
        if (returning(id)) {
            tell(id, Distances.decodeInteger(text(text), low, high));
        }
    }

    public static void parseReal(Object text, int id) {
        if (returning(id)) {
            tell(id, Distances.parseReal(text));
        }
    }

    private static void format(int kind, Object text, int id) {
        if (returning(id)) {
            tell(id, Distances.format(kind, text));
        }
    }

    public static void parseLocalDate(Object text, int id) {
        format(Formats.LOCAL_DATE, text, id);
    }

    public static void parseLocalTime(Object text, int id) {
        format(Formats.LOCAL_TIME, text, id);
    }

    public static void parseLocalDateTime(Object text, int id) {
        format(Formats.LOCAL_DATE_TIME, text, id);
    }

    public static void parseInstant(Object text, int id) {
        format(Formats.INSTANT, text, id);
    }

    public static void parseZonedDateTime(Object text, int id) {
        format(Formats.ZONED_DATE_TIME, text, id);
    }

    public static void parseOffsetDateTime(Object text, int id) {
        format(Formats.OFFSET_DATE_TIME, text, id);
    }

    public static void parseYear(Object text, int id) {
        format(Formats.YEAR, text, id);
    }

    public static void parseYearMonth(Object text, int id) {
        format(Formats.YEAR_MONTH, text, id);
    }

    public static void parseDuration(Object text, int id) {
        format(Formats.DURATION, text, id);
    }

    public static void parseUuid(Object text, int id) {
        format(Formats.UUID, text, id);
    }

    public static void parseUri(Object text, int id) {
        format(Formats.URI, text, id);
    }

    public static void parseUrl(Object text, int id) {
        format(Formats.URL, text, id);
    }

    /** {@code LocalDate.parse(text, formatter)}. */
    public static void parseBy(Object text, Object formatter, int id) {
        if (returning(id)) {
            tell(id, Distances.parse(formatter, text));
        }
    }

    /** {@code formatter.parse(text)}. */
    public static void parsing(Object formatter, Object text, int id) {
        parseBy(text, formatter, id);
    }

    public static void parsing(Object formatter, Object text, Object query, int id) {
        parseBy(text, formatter, id);
    }

    public static void decodeBase64(Object decoder, Object text, int id) {
        if (returning(id)) {
            tell(id, Distances.base64(decoder, text));
        }
    }

    public static void date(int year, int month, int day, int id) {
        if (returning(id)) {
            tell(id, Distances.date(year, month, day));
        }
    }

    public static void month(int year, int month, int id) {
        date(year, month, 1, id);
    }

    public static void time(int hour, int minute, int id) {
        time(hour, minute, 0, id);
    }

    public static void time(int hour, int minute, int second, int id) {
        if (returning(id)) {
            tell(id, Distances.time(hour, minute, second, 0));
        }
    }

    public static void dateTime(int year, int month, int day, int hour, int minute, int id) {
        if (returning(id)) {
            tell(id, Distances.date(year, month, day) + Distances.time(hour, minute, 0, 0));
        }
    }

    public static void enumConstant(Object type, Object name, int id) {
        if (returning(id)) {
            tell(id, Distances.enumConstant(type, text(name)));
        }
    }

    public static void currency(Object code, int id) {
        if (returning(id)) {
            tell(id, Distances.currency(text(code)));
        }
    }
}
