import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Reads a regular expression in the dialect of {@code java.util.regex} into the instructions of an {@link Automaton}.
 *
 * <p>What is known of a part stands in one block of instructions, whose jumps stay in it or go to its end; so a block can be
 * moved and copied. Look-around, back references, {@code \G}, {@code \X}, {@code \N} and properties of scripts and
 * blocks are not understood.
 */
public final class Syntax {
    /** Thrown for what is not understood; one for all, so that it costs nothing. */
    static final RuntimeException NOT_UNDERSTOOD = new RuntimeException("not understood");

    /** How many instructions there may be. */
    static final int MOST = 4096;

    private static final int NESTED = 100;

    /** How many properties, and ranges in all their cases, there may be: each looks at all chars that have any. */
    private static final int MOST_LOOKUPS = 64;
    private static final int NOT_READ = Pattern.CANON_EQ | 0x100;

    private final String source;
    private int at;
    private int flags;
    private int depth;
    private boolean quoting;
    private int lookups;

    /** Kind of each instruction, and its operands; see {@link Automaton}. */
    byte[] kinds = new byte[32];
    int[] firsts = new int[32];
    int[] seconds = new int[32];

    /** How many instructions there are. */
    int n;

    /** The classes of chars. */
    Ranges[] classes = new Ranges[8];
    int nClasses;

    /** Whether a text may be accepted that the regular expression does not match. */
    boolean loose;

    Syntax(String source, int flags) {
        this.source = source;
        this.flags = flags;
    }

    /** Reads it all; throws {@link #NOT_UNDERSTOOD}. */
    void read() {
        if ((flags & NOT_READ) != 0 || source.length() > Automaton.LONGEST) {
            throw NOT_UNDERSTOOD;
        }
        if ((flags & Pattern.LITERAL) != 0) {
            while (at < source.length()) {
                literal(next());
            }
        } else {
            alternatives();
            if (at < source.length()) {
                throw NOT_UNDERSTOOD;
            }
        }
        emit(Automaton.END, 0, 0);
    }

    // Instructions.

    private int emit(int kind, int first, int second) {
        if (n >= MOST) {
            throw NOT_UNDERSTOOD;
        }
        if (n == kinds.length) {
            kinds = Arrays.copyOf(kinds, 2 * n);
            firsts = Arrays.copyOf(firsts, 2 * n);
            seconds = Arrays.copyOf(seconds, 2 * n);
        }
        kinds[n] = (byte) kind;
        firsts[n] = first;
        seconds[n] = second;
        return n++;
    }

    /** Makes room for one instruction in front of the block that reaches from here to the end. */
    private void insert(int start, int kind, int first, int second) {
        emit(kind, 0, 0);
        for (int i = n - 1; i > start; i--) {
            kinds[i] = kinds[i - 1];
            firsts[i] = firsts[i - 1] + 1;
            seconds[i] = kinds[i] == Automaton.FORK ? seconds[i - 1] + 1 : seconds[i - 1];
        }
        kinds[start] = (byte) kind;
        firsts[start] = first;
        seconds[start] = second;
    }

    /** Appends a copy of the block of these lengths. */
    private int copy(int start, int length) {
        int copied = n;
        for (int i = 0; i < length; i++) {
            int by = copied - start;
            boolean isFork = kinds[start + i] == Automaton.FORK;
            emit(kinds[start + i], firsts[start + i] + by, seconds[start + i] + (isFork ? by : 0));
        }
        return copied;
    }

    private void emitClass(Ranges ranges) {
        ranges.tidy();
        int found = 0;
        while (found < nClasses && !same(classes[found], ranges)) {
            found++;
        }
        if (found == nClasses) {
            if (nClasses == classes.length) {
                classes = Arrays.copyOf(classes, 2 * nClasses);
            }
            classes[nClasses++] = ranges;
        }
        emit(Automaton.CHAR, n + 1, found);
    }

    private static boolean same(Ranges one, Ranges other) {
        if (one.n != other.n) {
            return false;
        }
        for (int i = 0; i < one.n; i++) {
            if (one.bounds[i] != other.bounds[i]) {
                return false;
            }
        }
        return true;
    }

    private void literal(int c) {
        emitClass(cased(new Ranges().add(c, c)));
    }

    private Ranges cased(Ranges ranges) {
        if (!is(Pattern.CASE_INSENSITIVE)) {
            return ranges;
        }
        if (is(Pattern.UNICODE_CASE) && ranges.bounds[0] != ranges.bounds[1]) {
            lookUp();
        }
        return ranges.cased(is(Pattern.UNICODE_CASE));
    }

    private void lookUp() {
        if (++lookups > MOST_LOOKUPS) {
            throw NOT_UNDERSTOOD;
        }
    }

    private boolean is(int flag) {
        return (flags & flag) != 0;
    }

    // Chars of the source.

    private boolean more() {
        return at < source.length();
    }

    /** The next char, -1 at the end. */
    private int peek() {
        return at < source.length() ? source.codePointAt(at) : -1;
    }

    private int next() {
        if (at >= source.length()) {
            throw NOT_UNDERSTOOD;
        }
        int c = source.codePointAt(at);
        at += Character.charCount(c);
        return c;
    }

    private boolean take(String text) {
        if (source.startsWith(text, at)) {
            at += text.length();
            return true;
        }
        return false;
    }

    /** Leaves out what comments and quoting are made of. */
    private void skip() {
        for (;;) {
            if (quoting) {
                if (!take("\\E")) {
                    return;
                }
                quoting = false;
            } else if (take("\\Q")) {
                quoting = true;
            } else if (is(Pattern.COMMENTS) && more() && isSpace(source.charAt(at))) {
                at++;
            } else if (is(Pattern.COMMENTS) && take("#")) {
                while (more() && !isLineEnd(source.charAt(at))) {
                    at++;
                }
            } else {
                return;
            }
        }
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= 9 && c <= 13;
    }

    private boolean isLineEnd(int c) {
        return c == '\n' || !is(Pattern.UNIX_LINES) && (c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029);
    }

    // Grammar.

    private void alternatives() {
        if (++depth > NESTED) {
            throw NOT_UNDERSTOOD;
        }
        int[] jumps = new int[4];
        int nJumps = 0;
        int start = n;
        sequence();
        while (!quoting && take("|")) {
            insert(start, Automaton.FORK, start + 1, n + 2);
            if (nJumps == jumps.length) {
                jumps = Arrays.copyOf(jumps, 2 * nJumps);
            }
            jumps[nJumps++] = emit(Automaton.JUMP, 0, 0);
            start = n;
            sequence();
        }
        for (int i = 0; i < nJumps; i++) {
            firsts[jumps[i]] = n;
        }
        depth--;
    }

    private void sequence() {
        for (;;) {
            skip();
            int c = peek();
            if (c < 0 || !quoting && (c == '|' || c == ')')) {
                return;
            }
            int start = n;
            if (atom()) {
                quantifiers(start);
            }
        }
    }

    /** Reads an atom; false when nothing may repeat it. */
    private boolean atom() {
        int c = next();
        if (quoting) {
            literal(c);
            return true;
        }
        switch (c) {
            case '(':
                return group();
            case '[':
                emitClass(set());
                return true;
            case '.':
                emitClass(dot());
                return true;
            case '^':
                emit(is(Pattern.MULTILINE) ? Automaton.LINE_BEGIN : Automaton.BEGIN, n + 1, unixLines());
                return true;
            case '$':
                emit(is(Pattern.MULTILINE) ? Automaton.LINE_END : Automaton.LAST_LINE_END, n + 1, unixLines());
                return true;
            case '*':
            case '+':
            case '?':
                throw NOT_UNDERSTOOD;
            case '\\':
                return escape();
            default:
                literal(c);
                return true;
        }
    }

    private int unixLines() {
        return is(Pattern.UNIX_LINES) ? 1 : 0;
    }

    private Ranges dot() {
        Ranges none = new Ranges();
        if (!is(Pattern.DOTALL)) {
            none.add('\n', '\n');
            if (!is(Pattern.UNIX_LINES)) {
                none.add('\r', '\r').add(0x85, 0x85).add(0x2028, 0x2029);
            }
        }
        return none.negate();
    }

    private boolean group() {
        int before = flags;
        if (take("?")) {
            if (take(">")) {
                loose = true;
            } else if (take("<")) {
                name();
            } else if (!take(":")) {
                if (inlineFlags()) {
                    return false;
                }
            }
        }
        alternatives();
        skip();
        if (quoting || !take(")")) {
            throw NOT_UNDERSTOOD;
        }
        flags = before;
        return true;
    }

    /** The name of a group; look-behind is none. */
    private void name() {
        int start = at;
        int c = next();
        while (c != '>') {
            if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' && at > start + 1)) {
                throw NOT_UNDERSTOOD;
            }
            c = next();
        }
    }

    /** Flags up to {@code ):}; true when they hold for what follows in the group around. Look-ahead has none. */
    private boolean inlineFlags() {
        boolean on = true;
        for (;;) {
            int c = next();
            int flag;
            switch (c) {
                case ')':
                    return true;
                case ':':
                    return false;
                case '-':
                    on = false;
                    continue;
                case 'i':
                    flag = Pattern.CASE_INSENSITIVE;
                    break;
                case 'm':
                    flag = Pattern.MULTILINE;
                    break;
                case 's':
                    flag = Pattern.DOTALL;
                    break;
                case 'd':
                    flag = Pattern.UNIX_LINES;
                    break;
                case 'u':
                    flag = Pattern.UNICODE_CASE;
                    break;
                case 'x':
                    flag = Pattern.COMMENTS;
                    break;
                default:
                    throw NOT_UNDERSTOOD;
            }
            flags = on ? flags | flag : flags & ~flag;
        }
    }

    // Quantifiers.

    private void quantifiers(int start) {
        skip();
        while (!quoting && more()) {
            char c = source.charAt(at);
            if (c == '?') {
                at++;
                repeat(start, 0, 1);
            } else if (c == '*') {
                at++;
                repeat(start, 0, -1);
            } else if (c == '+') {
                at++;
                repeat(start, 1, -1);
            } else if (c == '{') {
                at++;
                counted(start);
            } else {
                return;
            }
            // Reluctant ones have the same language.
            if (!take("?") && take("+")) {
                loose = true;
            }
            skip();
        }
    }

    private void counted(int start) {
        int least = number();
        int most = least;
        if (take(",")) {
            most = peek() == '}' ? -1 : number();
        }
        if (!take("}") || most >= 0 && most < least) {
            throw NOT_UNDERSTOOD;
        }
        repeat(start, least, most);
    }

    private int number() {
        int start = at;
        int value = 0;
        while (more() && source.charAt(at) >= '0' && source.charAt(at) <= '9') {
            value = Math.min(value * 10 + source.charAt(at) - '0', 100_000);
            at++;
        }
        if (at == start) {
            throw NOT_UNDERSTOOD;
        }
        return value;
    }

    /** Repeats the block from here to the end; most is -1 without bound. */
    private void repeat(int start, int least, int most) {
        int length = n - start;
        if (length == 0 || most == 0) {
            n = start;
            return;
        }
        if (least == 0 && most < 0) {
            insert(start, Automaton.FORK, start + 1, n + 2);
            emit(Automaton.JUMP, start, 0);
            return;
        }
        int last = start;
        for (int i = 1; i < least; i++) {
            last = copy(start, length);
        }
        if (most < 0) {
            emit(Automaton.FORK, last, n + 1);
        } else {
            options(start, length, least, most);
        }
    }

    /** What may come after the least number of times: each copy in turn is the last, or another follows. */
    private void options(int start, int length, int least, int most) {
        int optional = most - least;
        if ((long) optional * (length + 1) > MOST) {
            throw NOT_UNDERSTOOD;
        }
        int block = start;
        if (least == 0) {
            insert(start, Automaton.FORK, start + 1, 0);
            block = start + 1;
            optional--;
        }
        int first = n;
        for (int i = 0; i < optional; i++) {
            emit(Automaton.FORK, n + 1, 0);
            copy(block, length);
        }
        if (least == 0) {
            seconds[start] = n;
        }
        for (int i = 0; i < optional; i++) {
            seconds[first + i * (length + 1)] = n;
        }
    }

    // Escapes.

    /** What follows a backslash outside of a set. */
    private boolean escape() {
        int c = next();
        switch (c) {
            case 'b':
                emit(Automaton.WORD_EDGE, n + 1, 0);
                return true;
            case 'B':
                emit(Automaton.NO_WORD_EDGE, n + 1, 0);
                return true;
            case 'A':
                emit(Automaton.BEGIN, n + 1, 0);
                return true;
            case 'z':
                emit(Automaton.TEXT_END, n + 1, 0);
                return true;
            case 'Z':
                emit(Automaton.LAST_LINE_END, n + 1, unixLines());
                return true;
            case 'R':
                lineBreak();
                return true;
            default:
                Ranges ranges = predefined(c);
                if (ranges != null) {
                    emitClass(ranges);
                } else {
                    literal(escaped(c));
                }
                return true;
        }
    }

    /** {@code \R}: CR LF, or one of the others. */
    private void lineBreak() {
        int fork = emit(Automaton.FORK, n + 1, n + 4);
        emitClass(new Ranges().add('\r', '\r'));
        emitClass(new Ranges().add('\n', '\n'));
        emit(Automaton.JUMP, fork + 5, 0);
        emitClass(new Ranges().add('\n', '\r').add(0x85, 0x85).add(0x2028, 0x2029));
    }

    /** The class that a letter stands for, or null. */
    private Ranges predefined(int c) {
        Ranges ranges = new Ranges();
        switch (c) {
            case 'd':
            case 'D':
                ranges.add('0', '9');
                break;
            case 's':
            case 'S':
                ranges.add(9, 13).add(' ', ' ');
                break;
            case 'w':
            case 'W':
                ranges.add('0', '9').add('A', 'Z').add('_', '_').add('a', 'z');
                break;
            case 'h':
            case 'H':
                ranges.add(9, 9).add(' ', ' ').add(0xa0, 0xa0).add(0x1680, 0x1680).add(0x180e, 0x180e);
                ranges.add(0x2000, 0x200a).add(0x202f, 0x202f).add(0x205f, 0x205f).add(0x3000, 0x3000);
                break;
            case 'v':
            case 'V':
                ranges.add('\n', '\r').add(0x85, 0x85).add(0x2028, 0x2029);
                break;
            case 'p':
            case 'P':
                ranges = property();
                break;
            default:
                return null;
        }
        return c < 'a' ? ranges.negate() : ranges;
    }

    private Ranges property() {
        String name;
        if (take("{")) {
            int end = source.indexOf('}', at);
            if (end < 0) {
                throw NOT_UNDERSTOOD;
            }
            name = source.substring(at, end);
            at = end + 1;
        } else {
            name = String.valueOf((char) next());
        }
        Ranges ranges = posix(name);
        String category = name.startsWith("Is") ? name.substring(2) : name;
        if (is(Pattern.CASE_INSENSITIVE) && (name.equals("Lower") || name.equals("Upper") || category.matches("L[ult]"))) {
            // Since which version cases are one for these differs.
            throw NOT_UNDERSTOOD;
        }
        if (ranges == null) {
            lookUp();
            return Ranges.ofTypes(types(category));
        }
        return ranges;
    }

    private static Ranges posix(String name) {
        Ranges ranges = new Ranges();
        switch (name) {
            case "Lower":
                return ranges.add('a', 'z');
            case "Upper":
                return ranges.add('A', 'Z');
            case "ASCII":
                return ranges.add(0, 127);
            case "Alpha":
                return ranges.add('A', 'Z').add('a', 'z');
            case "Digit":
                return ranges.add('0', '9');
            case "Alnum":
                return ranges.add('0', '9').add('A', 'Z').add('a', 'z');
            case "Punct":
                return ranges.add('!', '/').add(':', '@').add('[', '`').add('{', '~');
            case "Graph":
                return ranges.add('!', '~');
            case "Print":
                return ranges.add(' ', '~');
            case "Blank":
                return ranges.add(9, 9).add(' ', ' ');
            case "Cntrl":
                return ranges.add(0, 31).add(127, 127);
            case "XDigit":
                return ranges.add('0', '9').add('A', 'F').add('a', 'f');
            case "Space":
                return ranges.add(9, 13).add(' ', ' ');
            default:
                return null;
        }
    }

    /** The general categories of a name as a mask, bits as {@code Character.getType}. */
    private static int types(String name) {
        // Two letters each, in the order of the constants of Character; 17 is none.
        String all = "CnLuLlLtLmLoMnMeMcNdNlNoZsZlZpCcCf__CoCsPdPsPePcPoSmScSkSoPiPf";
        int mask = 0;
        for (int type = 0; type < all.length() / 2; type++) {
            if (!name.isEmpty() && name.length() <= 2 && name.indexOf('_') < 0 && all.startsWith(name, 2 * type)) {
                mask |= 1 << type;
            }
        }
        if (mask == 0) {
            throw NOT_UNDERSTOOD;
        }
        return mask;
    }

    /** The char that an escape stands for. */
    private int escaped(int c) {
        switch (c) {
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 'f':
                return '\f';
            case 'a':
                return 7;
            case 'e':
                return 27;
            case '0':
                return octal();
            case 'x':
                return take("{") ? hex(1, 6, true) : hex(2, 2, false);
            case 'u':
                return unit();
            case 'c':
                return next() ^ 64;
            default:
                if (c >= '1' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
                    throw NOT_UNDERSTOOD;
                }
                return c;
        }
    }

    private int octal() {
        int value = 0;
        int start = at;
        while (more() && at - start < 3 && source.charAt(at) >= '0' && source.charAt(at) <= '7') {
            int longer = value * 8 + source.charAt(at) - '0';
            if (longer > 0377) {
                break;
            }
            value = longer;
            at++;
        }
        if (at == start) {
            throw NOT_UNDERSTOOD;
        }
        return value;
    }

    private int hex(int least, int most, boolean closed) {
        int value = 0;
        int start = at;
        while (more() && at - start < most && source.charAt(at) < 128 && Character.digit(source.charAt(at), 16) >= 0) {
            value = value * 16 + Character.digit(source.charAt(at), 16);
            at++;
        }
        if (at - start < least || value > Ranges.LAST || closed && !take("}")) {
            throw NOT_UNDERSTOOD;
        }
        return value;
    }

    /** Four hex digits, and four more where they are halves of one char. */
    private int unit() {
        int high = hex(4, 4, false);
        int before = at;
        if (high >= 0xd800 && high < 0xdc00 && take("\\u")) {
            int low = hex(4, 4, false);
            if (low >= 0xdc00 && low < 0xe000) {
                return Character.toCodePoint((char) high, (char) low);
            }
            at = before;
        }
        return high;
    }

    // Sets.

    /** What follows an opening bracket, to the closing one. */
    private Ranges set() {
        if (++depth > NESTED) {
            throw NOT_UNDERSTOOD;
        }
        boolean negated = take("^");
        Ranges all = null;
        Ranges part = new Ranges();
        boolean any = false;
        for (;;) {
            skip();
            if (!quoting && any && take("]")) {
                break;
            }
            if (!quoting && take("&&")) {
                all = all == null ? part.tidy() : all.intersect(part);
                if (!any) {
                    throw NOT_UNDERSTOOD;
                }
                part = new Ranges();
                // An empty side is read differently by different versions.
                skip();
                if (peek() == ']' || peek() == '&') {
                    throw NOT_UNDERSTOOD;
                }
                continue;
            }
            any = true;
            member(part);
        }
        depth--;
        all = all == null ? part.tidy() : all.intersect(part);
        return negated ? all.negate() : all;
    }

    /** One char, range, class or set inside of a set. */
    private void member(Ranges part) {
        int c = next();
        if (!quoting && c == '[') {
            part.addAll(set());
            return;
        }
        if (!quoting && c == '\\') {
            int letter = next();
            Ranges ranges = predefined(letter);
            if (ranges != null) {
                part.addAll(ranges);
                return;
            }
            c = escaped(letter);
        }
        int last = c;
        skip();
        if (!quoting && peek() == '-') {
            int before = at;
            at++;
            skip();
            if (peek() == ']' || peek() == '[') {
                at = before;
            } else {
                last = rangeEnd();
            }
        }
        if (last < c) {
            throw NOT_UNDERSTOOD;
        }
        part.addAll(cased(new Ranges().add(c, last)));
    }

    private int rangeEnd() {
        int c = next();
        if (!quoting && c == '\\') {
            int letter = next();
            if ("dDsSwWhHvVpP".indexOf(letter) >= 0) {
                throw NOT_UNDERSTOOD;
            }
            return escaped(letter);
        }
        return c;
    }
}
