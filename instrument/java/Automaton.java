import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language of a regular expression, and how many edits a text is away from it (Alshraideh and Bottaci 2006).
 *
 * <p>A char replaced costs its distance to the class it should be of, at most {@link #MOST_REPLACED}; one inserted or
 * deleted costs {@link Distances#MISSING}. Row by row over the text, with the least cost for each instruction: of having
 * come there by what was read so far.
 */
public final class Automaton {
    /** A char of class {@code second}, then {@code first}. */
    static final int CHAR = 0;
    /** Both {@code first} and {@code second}. */
    static final int FORK = 1;
    /** {@code first}. */
    static final int JUMP = 2;
    /** The text matches up to here. */
    static final int END = 3;
    // Conditions; then first. In second whether only LF ends a line.
    static final int BEGIN = 4;
    static final int TEXT_END = 5;
    static final int LAST_LINE_END = 6;
    static final int LINE_BEGIN = 7;
    static final int LINE_END = 8;
    static final int WORD_EDGE = 9;
    static final int NO_WORD_EDGE = 10;

    /** What a replaced char costs at most. */
    private static final int MOST_REPLACED = Distances.MISSING - 1;

    /** No way. More than all edits of the longest text cost, and two of them are no overflow. */
    private static final int NONE = 1_000_000_000;

    /** How many chars of a text are looked at. */
    private static final int MOST_CHARS = 8192;

    /** How many instructions times chars one evaluation looks at. */
    private static final int STEPS = 1_000_000;

    /** How many instructions are visited within rows; more only where loops are nested deeply. Then nothing is known. */
    private static final int MOST_VISITS = 4_000_000;

    /** Longer regular expressions are not read, and not kept. */
    static final int LONGEST = 8192;

    /** How often a text was cut. */
    static volatile int cuts;

    /** How many instructions were visited; where threads count at the same time, some are lost. */
    static long visits;

    /** How many regular expressions were not understood. */
    static volatile int unknown;

    private static final Automaton[] CACHE = new Automaton[256];

    /** Stands for all that are too long. */
    private static Automaton tooLong;

    private static final int ASCII = 128;

    /** With more classes costs are not kept. */
    private static final int MOST_PRICED = 64;

    /** What threads compute in, two rows, costs of classes, and a text; who finds none knows nothing. */
    private static final int[][][] ROOMS = new int[4][][];
    private static final AtomicInteger[] BUSY = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};

    private static Field matched;
    private static boolean sought;

    private final String source;
    private final int flags;
    private final boolean understood;
    private final boolean loose;
    private byte[] kinds;
    private int[] firsts;
    private int[] seconds;
    private int n;
    /** Class i is the ranges from {@code starts[i]} to {@code starts[i + 1]} of bounds. */
    private int[] starts;
    private int[] bounds;
    /** For each char of ASCII the costs of all classes; null when there are many. */
    private int[] prices;

    /** What is not understood is an automaton that says so. */
    Automaton(String source, int flags) {
        this.source = source;
        this.flags = flags;
        Syntax syntax = new Syntax(source, flags);
        boolean read = false;
        try {
            syntax.read();
            take(syntax);
            read = true;
        } catch (RuntimeException notUnderstood) {
            unknown++;
        }
        understood = read;
        loose = syntax.loose;
    }

    private void take(Syntax syntax) {
        starts = new int[syntax.nClasses + 1];
        for (int i = 0; i < syntax.nClasses; i++) {
            starts[i + 1] = starts[i] + syntax.classes[i].n;
        }
        bounds = new int[starts[syntax.nClasses]];
        for (int i = 0; i < syntax.nClasses; i++) {
            System.arraycopy(syntax.classes[i].bounds, 0, bounds, starts[i], syntax.classes[i].n);
        }
        int[] numbers = new int[syntax.n];
        for (int i = 0; i < syntax.n; i++) {
            numbers[i] = n;
            n += syntax.kinds[i] == JUMP ? 0 : 1;
        }
        kinds = new byte[n];
        firsts = new int[n];
        seconds = new int[n];
        for (int i = 0; i < syntax.n; i++) {
            if (syntax.kinds[i] != JUMP) {
                int at = numbers[i];
                kinds[at] = syntax.kinds[i];
                firsts[at] = numbers[behind(syntax, syntax.firsts[i])];
                seconds[at] = kinds[at] == FORK ? numbers[behind(syntax, syntax.seconds[i])] : syntax.seconds[i];
                if (kinds[at] == CHAR && syntax.classes[seconds[at]].n == 0) {
                    // Nothing can be inserted or read; it leads nowhere.
                    firsts[at] = at;
                }
            }
        }
        if (syntax.nClasses <= MOST_PRICED) {
            price(syntax.nClasses);
        }
    }

    /** Where jumps from here end. */
    private static int behind(Syntax syntax, int target) {
        for (int i = 0; i < syntax.n && syntax.kinds[target] == JUMP; i++) {
            target = syntax.firsts[target];
        }
        return target;
    }

    private void price(int nClasses) {
        prices = new int[ASCII * nClasses];
        for (int c = 0; c < ASCII; c++) {
            for (int i = 0; i < nClasses; i++) {
                prices[c * nClasses + i] = price(i, c);
            }
        }
    }

    /** What it costs to replace a char by one of a class. */
    private int price(int ranges, int c) {
        int distance = Ranges.distance(bounds, starts[ranges], starts[ranges + 1], c);
        return distance < MOST_REPLACED ? distance : distance == Integer.MAX_VALUE ? NONE : MOST_REPLACED;
    }

    /** The automaton of a regular expression, which is read when it is met first. */
    static Automaton of(String source, int flags) {
        if (source.length() > LONGEST) {
            // Not even its hash code is asked for.
            tooLong = tooLong == null ? new Automaton("(", 0) : tooLong;
            return tooLong;
        }
        int slot = (source.hashCode() * 31 + flags) * 0x9e3779b1 >>> 24;
        Automaton cached = CACHE[slot];
        if (cached == null || cached.flags != flags || !cached.source.equals(source)) {
            cached = new Automaton(source, flags);
            CACHE[slot] = cached;
        }
        return cached;
    }

    static float distance(Object pattern, Object text, int how) {
        try {
            String string = Distances.text(text);
            if (string == null) {
                return Distances.UNKNOWN;
            }
            if (pattern instanceof Pattern) {
                return of(((Pattern) pattern).pattern(), ((Pattern) pattern).flags()).distance(string, 0, string.length(), how);
            }
            return pattern instanceof String ? of((String) pattern, 0).distance(string, 0, string.length(), how) : Distances.UNKNOWN;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    /** Of the region of a matcher, whose text no method tells; this class stands in the JDK's own module. */
    static float distance(Matcher matcher, int how) {
        try {
            String text = text(matcher);
            if (text == null) {
                return Distances.UNKNOWN;
            }
            Pattern pattern = matcher.pattern();
            return of(pattern.pattern(), pattern.flags()).distance(text, matcher.regionStart(), matcher.regionEnd(), how);
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    /** The text that a matcher looks at; null when it is not known. */
    static String text(Matcher matcher) {
        try {
            if (!sought) {
                sought = true;
                Field field = Matcher.class.getDeclaredField("text");
                field.setAccessible(true);
                matched = field;
            }
            return matched == null ? null : Distances.text(matched.get(matcher));
        } catch (Throwable failure) {
            return null;
        }
    }

    /** The least cost of edits of the text from here to there, so that it matches. */
    float distance(String text, int from, int to, int how) {
        if (!understood) {
            return Distances.UNKNOWN;
        }
        for (int i = 0; i < BUSY.length; i++) {
            if (BUSY[i].compareAndSet(0, 1)) {
                try {
                    if (ROOMS[i] == null) {
                        ROOMS[i] = new int[][] {new int[Syntax.MOST], new int[Syntax.MOST], new int[Syntax.MOST], new int[MOST_CHARS]};
                    }
                    return distance(text, from, to, how, ROOMS[i]);
                } finally {
                    BUSY[i].set(0);
                }
            }
        }
        return Distances.UNKNOWN;
    }

    private float distance(String text, int from, int to, int how, int[][] room) {
        int[] chars = room[3];
        int most = Math.min(MOST_CHARS, STEPS / n);
        int length = 0;
        int at = from;
        while (at < to && length < most) {
            int c = text.charAt(at++);
            if (c >= 0xd800 && c < 0xdc00 && at < to && Character.isLowSurrogate(text.charAt(at))) {
                c = Character.toCodePoint((char) c, text.charAt(at++));
            }
            chars[length++] = c;
        }
        boolean cut = at < to;
        if (cut) {
            cuts++;
        }
        int least = edits(room, length, how);
        if (least < 0) {
            cuts++;
        }
        if (least < 0 || least >= NONE) {
            return Distances.UNKNOWN;
        }
        return least == 0 && (cut || loose) ? Distances.UNSURE : least;
    }

    /** The least cost of edits, {@link #NONE} or more where none help; -1 where it takes too much work. */
    private int edits(int[][] room, int length, int how) {
        int[] row = room[0];
        int[] next = room[1];
        int[] chars = room[3];
        for (int i = 0; i < n; i++) {
            row[i] = NONE;
        }
        row[0] = 0;
        int visited = spread(row, chars, 0, length);
        int end = n - 1;
        int least = row[end];
        for (int i = 0; i < length; i++) {
            if (how != Distances.MATCHES && least == 0) {
                visits += visited;
                return 0;
            }
            read(row, next, room[2], chars[i]);
            if (how == Distances.FIND) {
                next[0] = 0;
            }
            int[] swapped = row;
            row = next;
            next = swapped;
            visited += spread(row, chars, i + 1, length);
            if (visited > MOST_VISITS) {
                visits += visited;
                return -1;
            }
            least = how == Distances.MATCHES ? row[end] : Math.min(least, row[end]);
        }
        visits += visited;
        return least;
    }

    /** From one row to the next by a char: deleted, or read as one of a class. */
    private void read(int[] row, int[] next, int[] costs, int c) {
        int base = 0;
        if (prices != null && c < ASCII) {
            costs = prices;
            base = c * (starts.length - 1);
        } else {
            for (int i = 0; i + 1 < starts.length; i++) {
                costs[i] = price(i, c);
            }
        }
        int n = this.n;
        for (int i = 0; i < n; i++) {
            next[i] = Math.min(NONE, row[i] + Distances.MISSING);
        }
        byte[] kinds = this.kinds;
        int[] firsts = this.firsts;
        int[] seconds = this.seconds;
        for (int i = 0; i < n; i++) {
            if (kinds[i] == CHAR) {
                int cost = row[i] + costs[base + seconds[i]];
                int target = firsts[i];
                if (cost < next[target]) {
                    next[target] = cost;
                }
            }
        }
    }

    /** Within a row: what follows without a char, or with one inserted; where a way back brings something, on from there. How many were visited. */
    private int spread(int[] row, int[] chars, int at, int length) {
        int n = this.n;
        byte[] kinds = this.kinds;
        int[] firsts = this.firsts;
        int[] seconds = this.seconds;
        int visited = 0;
        for (int i = 0; i < n; visited++) {
            int cost = row[i];
            int kind = kinds[i];
            int onward = i + 1;
            if (kind == CHAR) {
                cost += Distances.MISSING;
            } else if (kind == FORK) {
                int second = seconds[i];
                if (cost < row[second]) {
                    row[second] = cost;
                    onward = Math.min(onward, second);
                }
            } else if (kind >= BEGIN) {
                cost += condition(kind, seconds[i] != 0, chars, at, length);
            }
            int first = firsts[i];
            if (cost < row[first] && kind != END) {
                row[first] = cost;
                onward = Math.min(onward, first);
            }
            i = onward;
        }
        return visited;
    }

    /** What it costs to pass a condition between two chars: nothing, an edit where one may help, or no way. */
    private static int condition(int kind, boolean unix, int[] chars, int at, int length) {
        int before = at > 0 ? chars[at - 1] : -1;
        int after = at < length ? chars[at] : -1;
        switch (kind) {
            case BEGIN:
                return at == 0 ? 0 : NONE;
            case TEXT_END:
                return at == length ? 0 : NONE;
            case LAST_LINE_END:
                return at == length || endsLine(before, after, unix) && isLast(chars, at, length, unix) ? 0 : NONE;
            case LINE_BEGIN:
                boolean begins = at == 0 || isLineEnd(before, unix) && !(before == '\r' && after == '\n');
                // A text does not go on behind its last line end.
                return begins && at < length ? 0 : Distances.MISSING;
            case LINE_END:
                return at == length || endsLine(before, after, unix) ? 0 : Distances.MISSING;
            default:
                boolean edge = isWord(before) != isWord(after);
                return edge == (kind == WORD_EDGE) ? 0 : Distances.MISSING;
        }
    }

    private static boolean isLast(int[] chars, int at, int length, boolean unix) {
        return at == length - 1 || at == length - 2 && !unix && chars[at] == '\r' && chars[at + 1] == '\n';
    }

    /** A line ends between these two; not within CR LF. */
    private static boolean endsLine(int before, int after, boolean unix) {
        return isLineEnd(after, unix) && (unix || !(before == '\r' && after == '\n'));
    }

    private static boolean isLineEnd(int c, boolean unix) {
        return c == '\n' || !unix && (c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029);
    }

    private static boolean isWord(int c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c == '_' || c >= 'a' && c <= 'z';
    }
}
