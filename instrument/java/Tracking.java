import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was done with tracked values: texts that were sent with the call, met again as operands of library methods.
 *
 * <p>Nothing is marked: an operand is looked up among the values in play by its hash. The methods in front of calls do
 * nothing while nothing is tracked, and little for operands that are none of the values; they never throw, take no lock and
 * call no code of the service. An agent gives the values with {@link #track} and fetches what became of them with
 * {@link #take}, both from one thread.
 *
 * <p>In classes of the service operands that are none of the values are looked at more closely: one may be a part of a value
 * (what {@code split} and {@code substring} leave of it), or hold one (what concatenation makes of it). A part is told as
 * such; of what holds a value the text around it is taken away from both operands, where both have it.
 *
 * <p>What usages mean stands in {@code instrument/rewrite/src/usage.rs}.
 */
public final class Tracking {
    private static final int EQUALS = 0;
    private static final int EQUALS_IGNORE_CASE = 1;
    private static final int STARTS_WITH = 2;
    private static final int ENDS_WITH = 3;
    private static final int CONTAINS = 4;
    private static final int MATCHES = 5;
    private static final int CASES = 127;

    /** Added to a usage: the text is a part of a value. */
    private static final int PART = 128;

    /** Added to what a hook is given: in a class of the service. */
    private static final int CLOSELY = 256;

    /** The shortest part of a value, and the shortest value in a text, that is looked for. */
    private static final int SHORTEST_PART = 3;

    /** How keys begin that are sent for what is looked up beside them to be told (`driver-protocol/SPEC.md`). */
    private static final String PROBE = "restive-key";

    /** How many values are held against operands that are none, in one action. */
    private static final int LOOKS = 8192;

    /** Kinds of {@link Members#texts}. */
    static final int MEMBERS = 120;
    static final int KEYS = 121;
    static final int CONSTANTS = 123;

    /** The longest value that is tracked, in chars. */
    private static final int LONGEST = 200;

    /** The longest other operand that is told. */
    private static final int LONGEST_OPERAND = 1000;

    /** How many members of a collection or constants of an enum are told. */
    private static final int MOST_MEMBERS = 16;

    /** How many hints of an action are kept. */
    private static final int ROOM = 64;

    /** The values in play, a hash table with free places of a power of two; null while nothing is tracked. */
    private static volatile String[] values;

    /** The same one after the other, longer ones first. */
    private static String[] listed = new String[0];

    /** How many values may still be held against operands that are none. */
    private static int looks;

    /** Whether one of them is a {@link #PROBE}. */
    private static boolean hasProbe;

    /** Bit n: a value is n chars long; the highest one: 63 or more. */
    private static long lengths;

    private static final String[] TRACKED = new String[ROOM];
    private static final Object[] OPERANDS = new Object[ROOM];
    private static final int[] USAGES = new int[ROOM];
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** How many hints there are; more than there is room for when some were left out. */
    public static int hints;

    /** How many hints the last {@link #take} left out. */
    public static int dropped;

    private Tracking() {
    }

    // In front of calls. Small, so that they are inlined: all but the first look is elsewhere.

    /** Two operands are compared, alike in both directions. */
    public static void compared(Object one, Object other, int usage) {
        if (values != null) {
            compare(one, other, usage);
        }
    }

    /** The text begins, ends or holds the other operand. */
    public static void sought(Object text, Object part, int usage) {
        if (values != null) {
            meet(text, part, usage);
        }
    }

    /** The text becomes something else. */
    public static void parsed(Object text, int usage) {
        if (values != null) {
            meet(text, "", usage);
        }
    }

    /** The text is decoded. */
    public static void decoded(Object decoder, Object text, int usage) {
        parsed(text, usage);
    }

    /** The text is read by a formatter. */
    public static void formatted(Object text, Object formatter, int usage) {
        if (values != null) {
            format(text, formatter, usage);
        }
    }

    /** The whole text is held against a pattern. */
    public static void matched(Object text, Object pattern, int usage) {
        if (values != null) {
            meet(text, pattern, usage);
        }
    }

    /** A char is sought in the text. */
    public static void soughtChar(Object text, int sought, int usage) {
        if (values != null) {
            meet(text, String.valueOf((char) sought), usage);
        }
    }

    /** A part of the text is compared with a part of the other one. */
    public static void region(Object text, int at, Object other, int from, int length, int usage) {
        region(text, 0, at, other, from, length, usage);
    }

    /** The same, in any case when that is not 0. */
    public static void region(Object text, int anyCase, int at, Object other, int from, int length, int usage) {
        if (values != null) {
            compareRegions(text, other, new int[] {at, from, length, usage | (anyCase != 0 ? EQUALS_IGNORE_CASE : EQUALS)});
        }
    }

    /** A text is held against a pattern by a matcher. */
    public static void matcher(Object matcher, int usage) {
        if (values != null && matcher != null) {
            meet(Automaton.text((Matcher) matcher), ((Matcher) matcher).pattern(), usage);
        }
    }

    /** A value is looked for among the members of a collection, the keys or values of a map, or the constants of an enum. */
    public static void member(Object holder, Object value, int kind) {
        if (values != null) {
            enter(holder, value, kind);
        }
    }

    /** A name is looked up in the map inside an object of a JSON library. */
    public static void lookedUp(Object map, Object name, int usage) {
        if (values != null && hasProbe) {
            lookUp(map, name, usage);
        }
    }

    /** A switch over strings; each case stands in cases as its length and its chars. */
    public static void cases(Object text, Object cases) {
        if (values != null) {
            meet(text, cases, CASES | CLOSELY);
        }
    }

    // Once something is tracked.

    private static void compare(Object one, Object other, int usage) {
        String tracked = find(one);
        Object operand = other;
        if (tracked == null) {
            tracked = find(other);
            operand = one;
        }
        if (tracked == null) {
            if ((usage & CLOSELY) != 0 && !near(one, other, usage)) {
                near(other, one, usage);
            }
            return;
        }
        String text = Distances.text(operand);
        // Whether a text is empty is asked of every text.
        if (text != null && text.length() > 0) {
            note(tracked, text, usage);
        }
    }

    /** Of two regions the one in the tracked text is told as a part of it, where it has one there. */
    private static void compareRegions(Object text, Object other, int[] region) {
        int at = region[0];
        int from = region[1];
        int length = region[2];
        if (!(text instanceof String) || !(other instanceof String) || length <= 0 || at < 0 || from < 0) {
            return;
        }
        String one = (String) text;
        String two = (String) other;
        boolean hasOne = length <= one.length() - at;
        boolean hasTwo = length <= two.length() - from;
        if (find(one) != null && hasTwo) {
            String wanted = two.substring(from, from + length);
            if (hasOne && length >= SHORTEST_PART) {
                note(one.substring(at, at + length), wanted, region[3] & ~CLOSELY | PART);
            } else {
                note(one, wanted, at == 0 ? STARTS_WITH : CONTAINS);
            }
        } else if (find(two) != null && hasOne && hasTwo && length >= SHORTEST_PART) {
            note(two.substring(from, from + length), one.substring(at, at + length), region[3] & ~CLOSELY | PART);
        }
    }

    private static void meet(Object text, Object operand, int usage) {
        String tracked = find(text);
        if (tracked == null) {
            if ((usage & CLOSELY) != 0) {
                near(text, operand, usage);
            }
            return;
        }
        Object told = operand instanceof Pattern ? operand : Distances.text(operand);
        if (told != null && !(usage == STARTS_WITH && isMark((String) told))) {
            note(tracked, told, usage);
        }
    }

    /** Whether it is one of the signs that libraries look for at the start of every text ({@code /}, {@code #}). */
    private static boolean isMark(String text) {
        return text.length() < 2 || !Character.isLetterOrDigit(text.charAt(0));
    }

    private static void format(Object text, Object formatter, int usage) {
        String tracked = find(text);
        if (tracked != null && formatter != null) {
            note(tracked, formatter, usage);
        } else if (tracked == null && (usage & CLOSELY) != 0) {
            near(text, formatter, usage);
        }
    }

    private static void enter(Object holder, Object value, int kind) {
        String tracked = find(value);
        boolean isClosely = tracked == null && (kind & CLOSELY) != 0 && value instanceof String;
        if (tracked == null && !isClosely || holder == null) {
            return;
        }
        boolean isNear = isClosely && !isOther(value);
        String[] members = Members.texts(holder, kind & ~CLOSELY, MOST_MEMBERS);
        if (isClosely && !isNear && members.length == MOST_MEMBERS) {
            // A table of the service, and none that was made of a value.
            return;
        }
        for (int i = 0; i < members.length; i++) {
            if (members[i] != null && isNear) {
                near(value, members[i], EQUALS);
            } else if (members[i] != null && isClosely) {
                compare(members[i], value, EQUALS | CLOSELY);
            } else if (members[i] != null) {
                note(tracked, members[i], EQUALS);
            }
        }
    }

    /** Told are the names that are looked up beside a probe alone: trees are made of everything. */
    private static void lookUp(Object map, Object name, int usage) {
        if (!(name instanceof String)) {
            return;
        }
        for (String key : Members.keys(map)) {
            if (key != null && key.startsWith(PROBE) && find(key) != null) {
                note(key, name, usage);
            }
        }
    }

    /** Whether it is neither a part of a value nor holds one. */
    private static boolean isOther(Object operand) {
        return !(operand instanceof String) || partOf((String) operand) == null && heldBy((String) operand) == null;
    }

    /** Tells of an operand that is a part of a value, or holds one; says whether it does. */
    private static boolean near(Object operand, Object other, int use) {
        if (!(operand instanceof String)) {
            return false;
        }
        int usage = use & ~CLOSELY;
        String text = (String) operand;
        boolean isReader = other instanceof Pattern || other instanceof DateTimeFormatter || other instanceof SimpleDateFormat;
        Object told = isReader ? other : Distances.text(other);
        if (told == null) {
            return false;
        }
        if (partOf(text) != null) {
            // Whether a text is empty is asked of every text.
            if (usage > CONTAINS || !told.equals("")) {
                note(text, told, usage | PART);
            }
            return true;
        }
        String held = heldBy(text);
        // What stands around the value already says nothing of it.
        if (held != null && told instanceof String && !(usage == CONTAINS && text.contains((String) told))) {
            int at = text.indexOf(held);
            inside(held, text.substring(0, at), text.substring(at + held.length()), (String) told, usage);
        }
        return held != null;
    }

    /** Tells what is done with a value that stands between these, by what the other operand has in its place. */
    private static void inside(String held, String before, String after, String told, int usage) {
        if (usage == CASES) {
            for (int at = 0; at < told.length(); at += told.charAt(at) + 1) {
                inside(held, before, after, told.substring(at + 1, at + 1 + told.charAt(at)), EQUALS);
            }
        } else if (usage == CONTAINS) {
            noteInside(held, before, after, told, usage);
        } else if (usage <= ENDS_WITH) {
            boolean isAnyCase = usage == EQUALS_IGNORE_CASE;
            int start = usage == ENDS_WITH ? 0 : before.length();
            int end = told.length() - (usage == STARTS_WITH ? 0 : after.length());
            if (start < end && (usage == ENDS_WITH || told.regionMatches(isAnyCase, 0, before, 0, start))
                    && (usage == STARTS_WITH || told.regionMatches(isAnyCase, end, after, 0, after.length()))) {
                noteInside(held, before, after, told.substring(start, end), usage);
            }
        }
    }

    /**
     * Notes it, unless the value stands in quotes and the other text has such a quote: the value cannot, for there it would
     * be escaped.
     */
    private static void noteInside(String held, String before, String after, String told, int usage) {
        char quote = before.isEmpty() || after.isEmpty() ? 0 : after.charAt(0);
        boolean isQuoted = (quote == '"' || quote == '\'') && before.charAt(before.length() - 1) == quote;
        if (!isQuoted || told.indexOf(quote) < 0) {
            note(held, told, usage);
        }
    }

    /** The value that a text is a part of; null when it is of none. */
    private static String partOf(String text) {
        int length = text.length();
        String[] all = listed;
        if (length < SHORTEST_PART || length > LONGEST || !mayLook(all.length)) {
            return null;
        }
        for (int i = 0; i < all.length && all[i].length() > length; i++) {
            if (all[i].contains(text)) {
                return all[i];
            }
        }
        return null;
    }

    /** The longest value that a text holds; null when it holds none. */
    private static String heldBy(String text) {
        int length = text.length();
        String[] all = listed;
        if (length <= SHORTEST_PART || length > LONGEST_OPERAND || !mayLook(all.length)) {
            return null;
        }
        for (int i = 0; i < all.length && all[i].length() >= SHORTEST_PART; i++) {
            if (all[i].length() < length && text.contains(all[i])) {
                return all[i];
            }
        }
        return null;
    }

    private static boolean mayLook(int times) {
        looks -= times;
        return looks >= 0;
    }

    /** The tracked value that this operand is; null when it is none. */
    private static String find(Object operand) {
        String[] table = values;
        if (table == null || !(operand instanceof String)) {
            return null;
        }
        String text = (String) operand;
        int length = text.length();
        if (length > LONGEST || (lengths >>> (length < 63 ? length : 63) & 1) == 0) {
            return null;
        }
        int mask = table.length - 1;
        int at = spread(text.hashCode()) & mask;
        while (table[at] != null && !table[at].equals(text)) {
            at = at + 1 & mask;
        }
        return table[at];
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 16;
    }

    private static void note(String tracked, Object operand, int use) {
        int usage = use & ~CLOSELY;
        if (tracked.equals(operand)) {
            // What it is already tells nothing.
            return;
        }
        int n = NEXT.get();
        for (int i = 0; i < n && i < ROOM; i++) {
            if (USAGES[i] == usage && tracked.equals(TRACKED[i]) && isSame(operand, OPERANDS[i])) {
                return;
            }
        }
        int slot = NEXT.getAndIncrement();
        if (slot >= 0 && slot < ROOM) {
            USAGES[slot] = usage;
            TRACKED[slot] = tracked;
            OPERANDS[slot] = operand;
        }
        hints = slot + 1;
    }

    private static boolean isSame(Object one, Object other) {
        return one == other || one instanceof String && one.equals(other);
    }

    // For the agent's thread.

    /** From now on these values are tracked: each as its length and its chars. What was done with others is forgotten. */
    public static void track(String texts) {
        values = null;
        forget();
        int n = 0;
        for (int at = 0; at < texts.length(); at += texts.charAt(at) + 1) {
            n++;
        }
        if (n == 0) {
            return;
        }
        int capacity = 4;
        while (capacity < 2 * n) {
            capacity *= 2;
        }
        String[] table = new String[capacity];
        long sizes = 0;
        boolean isProbed = false;
        for (int at = 0; at < texts.length(); at += texts.charAt(at) + 1) {
            int length = texts.charAt(at);
            String text = texts.substring(at + 1, at + 1 + length);
            sizes |= 1L << (length < 63 ? length : 63);
            isProbed |= text.startsWith(PROBE);
            int place = spread(text.hashCode()) & capacity - 1;
            while (table[place] != null && !table[place].equals(text)) {
                place = place + 1 & capacity - 1;
            }
            table[place] = text;
        }
        lengths = sizes;
        hasProbe = isProbed;
        listed = longestFirst(texts, n);
        looks = LOOKS;
        values = table;
    }

    /** The values by their lengths, and among those of one length in their order. */
    private static String[] longestFirst(String texts, int n) {
        String[] sorted = new String[n];
        int filled = 0;
        for (int at = 0; at < texts.length(); at += texts.charAt(at) + 1) {
            String text = texts.substring(at + 1, at + 1 + texts.charAt(at));
            int place = filled++;
            for (; place > 0 && sorted[place - 1].length() < text.length(); place--) {
                sorted[place] = sorted[place - 1];
            }
            sorted[place] = text;
        }
        return sorted;
    }

    /**
     * What was done with tracked values since {@link #track}, and nothing is tracked any more: of each hint its usage, its
     * value and the other operand, texts as their length and their chars.
     */
    public static String take() {
        values = null;
        int n = NEXT.get();
        // Operands that were not looked at closely count as one hint.
        dropped = Math.max(0, n - ROOM) + (looks < 0 ? 1 : 0);
        StringBuilder told = new StringBuilder();
        for (int i = 0; i < n && i < ROOM; i++) {
            String tracked = TRACKED[i];
            Object operand = OPERANDS[i];
            // Another thread may be about to write it.
            if (tracked != null && operand != null) {
                tell(told, USAGES[i], tracked, operand);
            }
        }
        forget();
        return told.toString();
    }

    private static void forget() {
        int n = Math.min(ROOM, NEXT.get());
        for (int i = 0; i < n; i++) {
            TRACKED[i] = null;
            OPERANDS[i] = null;
        }
        hints = 0;
        NEXT.set(0);
    }

    private static void tell(StringBuilder told, int usage, String tracked, Object operand) {
        int part = usage & PART;
        if ((usage & ~PART) == CASES) {
            String cases = (String) operand;
            for (int at = 0; at < cases.length(); at += cases.charAt(at) + 1) {
                append(told, EQUALS | part, tracked, cases.substring(at + 1, at + 1 + cases.charAt(at)));
            }
        } else if (operand instanceof String) {
            append(told, usage, tracked, (String) operand);
        } else if (operand instanceof Pattern) {
            append(told, usage, tracked, flags((Pattern) operand) + ((Pattern) operand).pattern());
        } else {
            String regex = regex(operand);
            if (regex != null) {
                append(told, MATCHES | part, tracked, regex);
            }
        }
    }

    private static void append(StringBuilder told, int usage, String tracked, String operand) {
        if (operand.length() > LONGEST_OPERAND) {
            dropped++;
            return;
        }
        told.append((char) usage).append((char) tracked.length()).append(tracked);
        told.append((char) operand.length()).append(operand);
    }

    /** The flags of a pattern as it could say them itself. */
    private static String flags(Pattern pattern) {
        int flags = pattern.flags();
        StringBuilder text = new StringBuilder();
        if ((flags & Pattern.LITERAL) != 0) {
            return (flags & Pattern.CASE_INSENSITIVE) != 0 ? "(?i)\\Q" : "\\Q";
        }
        text.append((flags & Pattern.CASE_INSENSITIVE) != 0 ? "i" : "");
        text.append((flags & Pattern.UNIX_LINES) != 0 ? "d" : "");
        text.append((flags & Pattern.MULTILINE) != 0 ? "m" : "");
        text.append((flags & Pattern.DOTALL) != 0 ? "s" : "");
        text.append((flags & Pattern.UNICODE_CASE) != 0 ? "u" : "");
        text.append((flags & Pattern.COMMENTS) != 0 ? "x" : "");
        text.append((flags & Pattern.UNICODE_CHARACTER_CLASS) != 0 ? "U" : "");
        return text.length() == 0 ? "" : "(?" + text + ")";
    }

    /** The regular expression of what a formatter reads; null when it is not known. */
    private static String regex(Object formatter) {
        try {
            if (formatter instanceof DateTimeFormatter) {
                return Formats.ofDescription(formatter.toString());
            }
            if (formatter.getClass() == SimpleDateFormat.class) {
                return Formats.ofDatePattern(((SimpleDateFormat) formatter).toPattern(), true);
            }
            return null;
        } catch (Throwable failure) {
            return null;
        }
    }
}
