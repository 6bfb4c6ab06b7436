import java.lang.ref.WeakReference;
import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.regex.Pattern;

/** Texts that must have a form: each is a regular expression, and the distance is that of {@link Automaton}. */
public final class Formats {
    public static final int LOCAL_DATE = 0;
    public static final int LOCAL_TIME = 1;
    public static final int LOCAL_DATE_TIME = 2;
    public static final int INSTANT = 3;
    public static final int OFFSET_DATE_TIME = 4;
    public static final int ZONED_DATE_TIME = 5;
    public static final int YEAR = 6;
    public static final int YEAR_MONTH = 7;
    public static final int MONTH_DAY = 8;
    public static final int OFFSET_TIME = 9;
    public static final int DURATION = 10;
    public static final int PERIOD = 11;
    public static final int UUID = 12;
    public static final int URI = 13;
    public static final int URL = 14;
    public static final int BASE64 = 15;
    public static final int BASE64_URL = 16;
    public static final int LANGUAGE_TAG = 17;
    public static final int REAL = 18;
    public static final int ZONE_OFFSET = 19;
    public static final int ZONE_ID = 20;

    /** A text that has the form is nearer than any that has not, whatever its fields are; they are at most 400 out of range. */
    private static final float OUT_OF_RANGE = 1024;

    private static final String DATE = "\\d{4}-\\d{2}-\\d{2}";
    private static final String TIME = "\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?";
    private static final String OFFSET = "([Zz]|[+-]\\d{2}:\\d{2}(:\\d{2})?)";
    private static final String HEX = "[0-9A-Fa-f]";
    private static final String URI_CHAR = "[A-Za-z0-9_.!~*'();/?:@&=+$,\\[\\]-]|%" + HEX + "{2}|[^\\x00-\\xa0]";

    /** In the order of the kinds. */
    private static final String[] REGEXES = {
        DATE,
        TIME,
        DATE + "[Tt]" + TIME,
        DATE + "[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?[Zz]",
        DATE + "[Tt]" + TIME + OFFSET,
        DATE + "[Tt]" + TIME + OFFSET + "(\\[[A-Za-z][A-Za-z0-9~/._+-]+\\])?",
        "\\d{4}",
        "\\d{4}-\\d{2}",
        "--\\d{2}-\\d{2}",
        TIME + OFFSET,
        "[+-]?[Pp]([+-]?\\d+[Dd]([Tt]CLOCK)?|[Tt]CLOCK)".replace("CLOCK",
                "([+-]?\\d+[Hh]([+-]?\\d+[Mm])?(SECONDS)?|[+-]?\\d+[Mm](SECONDS)?|SECONDS)")
                .replace("SECONDS", "[+-]?\\d+([.,]\\d{0,9})?[Ss]"),
        "[+-]?[Pp](N[Yy](N[Mm])?(N[Ww])?(N[Dd])?|N[Mm](N[Ww])?(N[Dd])?|N[Ww](N[Dd])?|N[Dd])".replace("N", "[+-]?\\d+"),
        HEX + "{1,8}-" + HEX + "{1,4}-" + HEX + "{1,4}-" + HEX + "{1,4}-" + HEX + "{1,12}",
        "([A-Za-z][A-Za-z0-9+.-]*:(" + URI_CHAR + ")+|(" + URI_CHAR.replace("?:@", "?@") + ")*)(#(" + URI_CHAR + ")*)?",
        "([Hh][Tt][Tt][Pp][Ss]?|[Ff][Tt][Pp]|[Ff][Ii][Ll][Ee]|[Jj][Aa][Rr]):.*",
        "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?",
        "([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{2}(==)?|[A-Za-z0-9_-]{3}=?)?",
        "[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8})*",
        "[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?",
        "[Zz]|[+-]\\d{2}(:?\\d{2}(:?\\d{2})?)?",
        "[Zz]|(UTC|GMT|UT)?[+-]\\d{2}(:?\\d{2}(:?\\d{2})?)?|[A-Za-z][A-Za-z0-9~/._+-]+",
    };

    /**
     * Fields with a range: name of {@code ChronoField}, letter of patterns, what they match with two digits, and with any
     * number of them.
     */
    private static final String[][] FIELDS = {
        {"DayOfMonth", "d", "(0[1-9]|[12]\\d|3[01])", "0*([1-9]|[12]\\d|3[01])"},
        {"MonthOfYear", "M", "(0[1-9]|1[0-2])", "0*([1-9]|1[0-2])"},
        {"HourOfDay", "H", "([01]\\d|2[0-3])", "0*(\\d|1\\d|2[0-3])"},
        {"ClockHourOfDay", "k", "(0[1-9]|1\\d|2[0-4])", "0*([1-9]|1\\d|2[0-4])"},
        {"HourOfAmPm", "K", "(0\\d|1[01])", "0*(\\d|1[01])"},
        {"ClockHourOfAmPm", "h", "(0[1-9]|1[0-2])", "0*([1-9]|1[0-2])"},
        {"MinuteOfHour", "m", "[0-5]\\d", "0*[0-5]?\\d"},
        {"SecondOfMinute", "s", "[0-5]\\d", "0*[0-5]?\\d"},
    };

    /** Of each kind what is left when its regular expression matches: nothing (0), or it may fail nevertheless. */
    private static final String SURE = "111100111000100110100";

    private static final Automaton[] AUTOMATA = new Automaton[REGEXES.length];

    /** A formatter, held weakly, and its automaton. */
    private static final Object[][] FORMATTERS = new Object[64][];

    /** A pattern of {@code SimpleDateFormat} or a description of a formatter, its automaton, and which of the following it is. */
    private static final Object[][] PATTERNS = new Object[64][];

    private static final String LENIENT = "lenient";
    private static final String STRICT = "strict";
    private static final String DESCRIPTION = "description";

    private Formats() {
    }

    static float distance(int kind, Object object) {
        try {
            String text = Distances.text(object);
            if (text == null || kind < 0 || kind >= REGEXES.length) {
                return Distances.UNKNOWN;
            }
            Automaton automaton = AUTOMATA[kind];
            if (automaton == null) {
                automaton = new Automaton(REGEXES[kind], kind == URL ? Pattern.DOTALL : 0);
                AUTOMATA[kind] = automaton;
            }
            float distance = automaton.distance(text, 0, text.length(), Distances.MATCHES);
            return distance == 0 ? range(kind, text) : distance;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    /** Of a text that has the form: how far its fields are from the ranges of the calendar. */
    private static float range(int kind, String text) {
        float distance = 0;
        if (kind == LOCAL_DATE || kind >= LOCAL_DATE_TIME && kind <= ZONED_DATE_TIME) {
            distance = Numbers.date(field(text, 0, 4), field(text, 5, 2), field(text, 8, 2));
        } else if (kind == YEAR_MONTH) {
            distance = Numbers.date(0, field(text, 5, 2), 1);
        } else if (kind == MONTH_DAY) {
            distance = Numbers.date(0, field(text, 2, 2), field(text, 5, 2));
        }
        int time = kind == LOCAL_TIME || kind == OFFSET_TIME ? 0 : kind >= LOCAL_DATE_TIME && kind <= ZONED_DATE_TIME ? 11 : -1;
        if (time >= 0) {
            boolean seconds = text.length() > time + 7 && text.charAt(time + 5) == ':';
            distance += Numbers.time(field(text, time, 2), field(text, time + 3, 2), seconds ? field(text, time + 6, 2) : 0, 0);
        }
        return (SURE.charAt(kind) == '1' ? 0 : Distances.UNSURE) + distance / OUT_OF_RANGE;
    }

    private static int field(String text, int from, int n) {
        int value = 0;
        for (int i = from; i < from + n; i++) {
            value = value * 10 + text.charAt(i) - '0';
        }
        return value;
    }

    static float base64(Object decoder, Object text) {
        return decoder == Base64.getDecoder() ? distance(BASE64, text)
                : decoder == Base64.getUrlDecoder() ? distance(BASE64_URL, text) : Distances.UNKNOWN;
    }

    /** By a formatter whose pattern can be read. */
    static float parse(Object formatter, Object object) {
        try {
            String text = Distances.text(object);
            if (text == null || formatter == null) {
                return Distances.UNKNOWN;
            }
            float distance;
            if (formatter.getClass() == SimpleDateFormat.class) {
                // What comes behind the date is not looked at.
                SimpleDateFormat format = (SimpleDateFormat) formatter;
                Automaton automaton = of(format.toPattern(), format.isLenient() ? LENIENT : STRICT);
                distance = automaton.distance(text, 0, text.length(), Distances.LOOKING_AT);
            } else if (formatter instanceof DateTimeFormatter) {
                distance = of((DateTimeFormatter) formatter).distance(text, 0, text.length(), Distances.MATCHES);
            } else {
                return Distances.UNKNOWN;
            }
            return Math.max(distance, Distances.UNSURE);
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    /** The automaton of a pattern or description, read as {@link #LENIENT}, {@link #STRICT} or {@link #DESCRIPTION}. */
    private static Automaton of(String pattern, String kind) {
        if (pattern.length() > Automaton.LONGEST) {
            return Automaton.of(pattern, 0);
        }
        int slot = pattern.hashCode() + kind.length() & PATTERNS.length - 1;
        Object[] known = PATTERNS[slot];
        if (known == null || known[2] != kind || !pattern.equals(known[0])) {
            String regex = kind == DESCRIPTION ? ofDescription(pattern) : ofDatePattern(pattern, kind == STRICT);
            // What is not understood is kept as such.
            known = new Object[] {pattern, new Automaton(regex == null ? "(" : regex, 0), kind};
            PATTERNS[slot] = known;
        }
        return (Automaton) known[1];
    }

    private static Automaton of(DateTimeFormatter formatter) {
        int slot = System.identityHashCode(formatter) & FORMATTERS.length - 1;
        Object[] known = FORMATTERS[slot];
        if (known == null || ((WeakReference<?>) known[0]).get() != formatter) {
            // Many services make a formatter for each call.
            known = new Object[] {new WeakReference<Object>(formatter), of(formatter.toString(), DESCRIPTION)};
            FORMATTERS[slot] = known;
        }
        return (Automaton) known[1];
    }

    // Patterns of SimpleDateFormat.

    /** The regular expression of what a {@code SimpleDateFormat} of this pattern, strict or lenient, accepts at the begin of a text. */
    static String ofDatePattern(String pattern, boolean strict) {
        StringBuilder regex = new StringBuilder();
        int n = pattern.length();
        int at = 0;
        while (at < n) {
            char c = pattern.charAt(at);
            if (c == '\'') {
                at = quoted(pattern, at, regex);
            } else if (isLetter(c)) {
                int from = at;
                while (at < n && pattern.charAt(at) == c) {
                    at++;
                }
                boolean adjacent = at < n && isNumber(pattern, at);
                String ranged = strict ? ranged(1, String.valueOf(c), at - from == 1 && !adjacent ? 3 : at - from == 2 ? 2 : 0) : null;
                if (ranged != null) {
                    regex.append(ranged);
                } else {
                    dateField(c, at - from, adjacent, regex);
                }
            } else {
                literal(c, regex);
                at++;
            }
        }
        return regex.toString();
    }

    /** A quoted part, or a quote; the index behind it. */
    private static int quoted(String pattern, int from, StringBuilder regex) {
        int at = from + 1;
        int n = pattern.length();
        if (at < n && pattern.charAt(at) == '\'') {
            literal('\'', regex);
            return at + 1;
        }
        while (at < n) {
            char c = pattern.charAt(at++);
            if (c != '\'') {
                literal(c, regex);
            } else if (at < n && pattern.charAt(at) == '\'') {
                literal(c, regex);
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    /** Whether a field of digits begins here. */
    private static boolean isNumber(String pattern, int at) {
        char c = pattern.charAt(at);
        return isLetter(c) && "GEazZX".indexOf(c) < 0 && !((c == 'M' || c == 'L') && pattern.startsWith("" + c + c + c, at));
    }

    /** What a field matches that has a range, from this column of {@link #FIELDS}; null when it has none. */
    private static String ranged(int key, String name, int column) {
        for (String[] field : FIELDS) {
            if (column > 0 && field[key].equals(name)) {
                return field[column];
            }
        }
        return null;
    }

    private static void dateField(char c, int width, boolean adjacent, StringBuilder regex) {
        if (c == 'a') {
            regex.append("[AaPp][Mm]");
        } else if (c == 'G' || c == 'E' || (c == 'M' || c == 'L') && width > 2) {
            regex.append("\\p{L}+\\.?");
        } else if (c == 'z' || c == 'Z') {
            regex.append("([+-]\\d{4}|GMT([+-]\\d{1,2}:\\d{2})?|\\p{L}{3,})");
        } else if (c == 'X') {
            regex.append("(Z|[+-]\\d{2}").append(width == 1 ? ")" : width == 2 ? "\\d{2})" : ":\\d{2})");
        } else if (adjacent || width > 1) {
            // Fewer and more are read as well, but nobody writes them.
            regex.append("\\d{").append(width).append('}');
        } else {
            regex.append("\\d+");
        }
    }

    private static void literal(char c, StringBuilder regex) {
        if (c < 128 && !isLetter(c) && !(c >= '0' && c <= '9')) {
            regex.append('\\');
        }
        regex.append(c);
    }

    // Descriptions of DateTimeFormatter.

    /** The regular expression of what {@code DateTimeFormatter.toString()} describes; null when it is not understood. */
    static String ofDescription(String text) {
        StringBuilder regex = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\'') {
                at = quotedPart(text, at, regex);
            } else if (c == '(' || c == '[') {
                regex.append("(?:");
                at++;
            } else if (c == ')' || c == ']') {
                regex.append(c == ']' ? ")?" : ")");
                at++;
            } else if (text.startsWith("java.time.format.", at)) {
                // A default value; it reads nothing.
                at = behindName(text, at);
            } else {
                int open = text.indexOf('(', at);
                int close = open < 0 ? -1 : closing(text, open);
                if (close < 0 || !element(text.substring(at, open), text.substring(open + 1, close), regex)) {
                    return null;
                }
                at = close + 1;
            }
        }
        return regex.toString();
    }

    private static int quotedPart(String text, int from, StringBuilder regex) {
        int at = from + 1;
        int n = text.length();
        if (at < n && text.charAt(at) == '\'') {
            literal('\'', regex);
            return at + 1;
        }
        while (at < n) {
            char c = text.charAt(at++);
            if (c != '\'') {
                literal(c, regex);
            } else if (at < n && text.charAt(at) == '\'') {
                // A quote, or the end of this part and the begin of another.
                regex.append("'?");
                at++;
            } else {
                return at;
            }
        }
        return at;
    }

    /** Behind the name of a class, {@code @}, and a hash in small letters. */
    private static int behindName(String text, int from) {
        int at = text.indexOf('@', from);
        if (at < 0) {
            return text.length();
        }
        at++;
        while (at < text.length() && Character.digit(text.charAt(at), 16) >= 0 && !(text.charAt(at) >= 'A' && text.charAt(at) <= 'F')) {
            at++;
        }
        return at;
    }

    /** The parenthesis that closes this one, but for those in quotes. */
    private static int closing(String text, int open) {
        int depth = 0;
        boolean quoted = false;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /** One element with its operands; false when it is not understood. */
    private static boolean element(String name, String operands, StringBuilder regex) {
        String[] parts = operands.split(",");
        switch (name) {
            case "ParseCaseSensitive":
                regex.append(operands.equals("true") ? "(?-i)" : "(?i)");
                return true;
            case "ParseStrict":
                return true;
            case "Value":
            case "ReducedValue":
                value(parts, regex);
                return true;
            case "Fraction":
                fraction(parts, regex);
                return true;
            case "Text":
                regex.append(operands.startsWith("AmPm") ? "[AaPp][Mm]" : "\\p{L}+\\.?");
                return true;
            case "Offset":
                return offset(operands, regex);
            case "ZoneId":
            case "ZoneRegionId":
            case "ZoneText":
                regex.append("(?:").append(REGEXES[ZONE_ID]).append(')');
                return true;
            case "Instant":
                regex.append(REGEXES[INSTANT]);
                return true;
            default:
                return false;
        }
    }

    private static void value(String[] parts, StringBuilder regex) {
        boolean two = parts.length > 1 && parts[1].equals("2") && (parts.length == 2 || parts[2].equals("2"));
        boolean any = parts.length == 1 || parts.length > 2 && parts[1].equals("1");
        String ranged = ranged(0, parts[0], two ? 2 : any ? 3 : 0);
        if (ranged != null) {
            regex.append(ranged);
        } else if (parts.length == 1) {
            regex.append("-?\\d{1,19}");
        } else if (parts.length == 2 || parts.length > 3 && parts[3].equals("EXCEEDS_PAD")) {
            regex.append("\\d{").append(parts[1]).append('}');
        } else {
            regex.append("\\d{").append(parts[1]).append(',').append(parts[2]).append('}');
        }
    }

    private static void fraction(String[] parts, StringBuilder regex) {
        boolean point = parts.length > 3;
        boolean optional = parts[1].equals("0");
        regex.append(optional ? "(?:" : "").append(point ? "\\." : "");
        regex.append("\\d{").append(optional ? "1" : parts[1]).append(',').append(parts[2]).append('}').append(optional ? ")?" : "");
    }

    /** As {@code +HH:MM:ss,'Z'}: capitals must be there, small letters may. */
    private static boolean offset(String operands, StringBuilder regex) {
        int comma = operands.indexOf(",'");
        if (comma < 0 || !operands.startsWith("+H")) {
            return false;
        }
        regex.append("(?:");
        if (!operands.endsWith(",''")) {
            quotedPart(operands, comma + 1, regex);
        }
        regex.append(operands.startsWith("+HH") ? "|[+-]\\d{2}" : "|[+-]\\d{1,2}");
        int at = operands.startsWith("+HH") ? 3 : 2;
        int open = 0;
        while (at < comma) {
            boolean colon = operands.charAt(at) == ':';
            char unit = operands.charAt(at + (colon ? 1 : 0));
            if (unit >= 'a') {
                regex.append("(?:");
                open++;
            }
            regex.append(colon ? ":" : "").append("\\d{2}");
            at += colon ? 3 : 2;
        }
        for (; open > 0; open--) {
            regex.append(")?");
        }
        regex.append(')');
        return true;
    }
}
