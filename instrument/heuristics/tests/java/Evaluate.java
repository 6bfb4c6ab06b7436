import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** For each line of its input, a function and its arguments: the distance, and what the call itself does (t, f, - not told). */
public final class Evaluate {
    private static String line;
    private static int at;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder out = new StringBuilder();
        for (String next = in.readLine(); next != null; next = in.readLine()) {
            List<Object> parts = parts(next);
            out.append(distance(parts)).append(' ').append(outcome(parts)).append('\n');
        }
        System.out.print(out);
    }

    private static List<Object> parts(String next) {
        line = next;
        at = 0;
        List<Object> parts = new ArrayList<>();
        while (at < line.length()) {
            if (line.charAt(at) == ' ') {
                at++;
            } else if (line.charAt(at) == '"') {
                parts.add(text());
            } else {
                int end = line.indexOf(' ', at);
                end = end < 0 ? line.length() : end;
                parts.add(value(line.substring(at, end)));
                at = end;
            }
        }
        return parts;
    }

    private static String text() {
        StringBuilder text = new StringBuilder();
        for (at++; line.charAt(at) != '"'; at++) {
            char c = line.charAt(at);
            if (c == '\\' && line.charAt(at + 1) == 'u') {
                text.append((char) Integer.parseInt(line.substring(at + 2, at + 6), 16));
                at += 5;
            } else {
                at += c == '\\' ? 1 : 0;
                text.append(line.charAt(at));
            }
        }
        at++;
        if (at < line.length() && line.charAt(at) == '*') {
            int end = line.indexOf(' ', at);
            end = end < 0 ? line.length() : end;
            int n = Integer.parseInt(line.substring(at + 1, end));
            at = end;
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < n; i++) {
                all.append(text);
            }
            return all.toString();
        }
        return text.toString();
    }

    /** A name or number without colon; else a value of the type in front of it. */
    private static Object value(String token) {
        if (token.equals("null")) {
            return null;
        }
        if (token.equals("true") || token.equals("false")) {
            return Boolean.valueOf(token);
        }
        if (token.equals("other")) {
            return new Object();
        }
        String[] parts = token.split(":");
        if (parts.length == 1) {
            char first = token.charAt(0);
            return first == '-' || first >= '0' && first <= '9' ? (Object) Long.valueOf(token) : new Word(token);
        }
        long number = parts[0].equals("float") || parts[0].equals("double") ? 0 : Long.parseLong(parts[1]);
        int nanos = parts.length > 2 ? Integer.parseInt(parts[2]) : 0;
        switch (parts[0]) {
            case "byte":
                return (byte) number;
            case "short":
                return (short) number;
            case "int":
                return (int) number;
            case "long":
                return number;
            case "float":
                return Float.valueOf(parts[1]);
            case "double":
                return Double.valueOf(parts[1]);
            case "char":
                return (char) number;
            case "date":
                return new Date(number);
            case "day":
                return LocalDate.ofEpochDay(number);
            case "time":
                return LocalTime.ofSecondOfDay(number).withNano(nanos);
            case "local":
                return LocalDateTime.ofEpochSecond(number, nanos, ZoneOffset.UTC);
            case "instant":
                return Instant.ofEpochSecond(number, nanos);
            case "offset":
                ZoneOffset offset = ZoneOffset.ofTotalSeconds(Integer.parseInt(parts[3]));
                return OffsetDateTime.ofInstant(Instant.ofEpochSecond(number, nanos), offset);
            case "year":
                return Year.of((int) number);
            case "months":
                return YearMonth.of((int) Math.floorDiv(number, 12L), (int) Math.floorMod(number, 12L) + 1);
            case "duration":
                return Duration.ofSeconds(number, nanos);
            default:
                throw new IllegalArgumentException(token);
        }
    }

    /** A name among the arguments. */
    private static final class Word {
        private final String name;

        Word(String name) {
            this.name = name;
        }
    }

    private static String string(List<Object> parts, int i) {
        return (String) parts.get(i);
    }

    private static int integer(List<Object> parts, int i) {
        return ((Long) parts.get(i)).intValue();
    }

    private static long whole(List<Object> parts, int i) {
        return (Long) parts.get(i);
    }

    private static float distance(List<Object> parts) {
        String name = ((Word) parts.get(0)).name;
        switch (name) {
            case "equal":
                return Distances.equal(parts.get(1), parts.get(2));
            case "equalIgnoreCase":
                return Distances.equalIgnoreCase(string(parts, 1), string(parts, 2));
            case "contentEqual":
                return Distances.contentEqual(string(parts, 1), parts.get(2) == null ? null : new StringBuilder(string(parts, 2)));
            case "startsWith":
                return Distances.startsWith(string(parts, 1), string(parts, 2), integer(parts, 3));
            case "endsWith":
                return Distances.endsWith(string(parts, 1), string(parts, 2));
            case "contains":
                return Distances.contains(string(parts, 1), parts.get(2), integer(parts, 3));
            case "containsChar":
                return Distances.containsChar(string(parts, 1), integer(parts, 2), integer(parts, 3));
            case "regionMatches":
                return Distances.regionMatches(string(parts, 1), (Boolean) parts.get(2), integer(parts, 3), string(parts, 4),
                        integer(parts, 5), integer(parts, 6));
            case "compare":
                return Distances.compare(string(parts, 1), string(parts, 2), (Boolean) parts.get(3), integer(parts, 4));
            case "empty":
                return Distances.empty(parts.get(1));
            case "ordered":
                return Distances.ordered(parts.get(1), parts.get(2), integer(parts, 3));
            case "index":
                return Distances.index(integer(parts, 1), integer(parts, 2));
            case "character":
                return Distances.character(integer(parts, 1), integer(parts, 2));
            case "parseBoolean":
                return Distances.parseBoolean(string(parts, 1));
            case "parseInteger":
                return Distances.parseInteger(string(parts, 1), integer(parts, 2), whole(parts, 3), whole(parts, 4));
            case "decodeInteger":
                return Distances.decodeInteger(string(parts, 1), whole(parts, 2), whole(parts, 3));
            case "format":
                return Distances.format(integer(parts, 1), parts.get(2));
            case "datePattern":
                return date(Formats.ofDatePattern(string(parts, 1), false), string(parts, 2), Distances.LOOKING_AT);
            case "strictDatePattern":
                return date(Formats.ofDatePattern(string(parts, 1), true), string(parts, 2), Distances.LOOKING_AT);
            case "description":
                return date(Formats.ofDescription(string(parts, 1)), string(parts, 2), Distances.MATCHES);
            case "date":
                return Distances.date(integer(parts, 1), integer(parts, 2), integer(parts, 3));
            case "time":
                return Distances.time(integer(parts, 1), integer(parts, 2), integer(parts, 3), integer(parts, 4));
            case "constant":
                return string(parts, 1) == null ? Distances.UNKNOWN : Members.nearest(parts.subList(2, parts.size()).toArray(new String[0]), string(parts, 1));
            case "listContains":
                return Distances.contained(new ArrayList<>(parts.subList(2, parts.size())), parts.get(1));
            case "setContains":
                return Distances.contained(new LinkedHashSet<>(parts.subList(2, parts.size())), parts.get(1));
            case "containsAll":
                int n = integer(parts, 1);
                return Distances.containedAll(new ArrayList<>(parts.subList(2 + n, parts.size())), new ArrayList<>(parts.subList(2, 2 + n)));
            case "regex":
                return Automaton.of(string(parts, 1), integer(parts, 2)).distance(string(parts, 4), 0, string(parts, 4).length(), integer(parts, 3));
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static float date(String regex, String text, int how) {
        if (regex == null) {
            return Distances.UNKNOWN;
        }
        return Math.max(Distances.UNSURE, Automaton.of(regex, 0).distance(text, 0, text.length(), how));
    }

    /** What the call itself does; where it is not to be told, or another case of the function decides, -. */
    private static char outcome(List<Object> parts) {
        try {
            Boolean done = call(parts);
            return done == null ? '-' : done ? 't' : 'f';
        } catch (NullPointerException unset) {
            return '-';
        } catch (RuntimeException thrown) {
            return 'f';
        }
    }

    private static Boolean call(List<Object> parts) {
        switch (((Word) parts.get(0)).name) {
            case "equal":
                return parts.get(1).equals(parts.get(2));
            case "equalIgnoreCase":
                return string(parts, 1).equalsIgnoreCase(string(parts, 2));
            case "contentEqual":
                return string(parts, 1).contentEquals(string(parts, 2));
            case "startsWith":
                return string(parts, 1).startsWith(string(parts, 2), integer(parts, 3));
            case "endsWith":
                return string(parts, 1).endsWith(string(parts, 2));
            case "contains":
                return string(parts, 1).indexOf(string(parts, 2), integer(parts, 3)) >= 0;
            case "containsChar":
                return string(parts, 1).indexOf(integer(parts, 2), integer(parts, 3)) >= 0;
            case "regionMatches":
                return string(parts, 1).regionMatches((Boolean) parts.get(2), integer(parts, 3), string(parts, 4),
                        integer(parts, 5), integer(parts, 6));
            case "parseBoolean":
                return Boolean.parseBoolean(string(parts, 1));
            case "parseInteger":
                return integral(parts);
            case "decodeInteger":
                long decoded = Long.decode(string(parts, 1));
                return decoded >= whole(parts, 2) && decoded <= whole(parts, 3);
            case "format":
                return string(parts, 2) == null ? null : format(integer(parts, 1), string(parts, 2));
            case "date":
                return LocalDate.of(integer(parts, 1), integer(parts, 2), integer(parts, 3)) != null;
            case "time":
                return LocalTime.of(integer(parts, 1), integer(parts, 2), integer(parts, 3), integer(parts, 4)) != null;
            case "listContains":
                return parts.get(1) == null ? null : parts.subList(2, parts.size()).contains(parts.get(1));
            case "regex":
                return regex(Pattern.compile(string(parts, 1), integer(parts, 2)).matcher(string(parts, 4)), integer(parts, 3));
            default:
                return null;
        }
    }

    private static Boolean integral(List<Object> parts) {
        if (whole(parts, 3) > whole(parts, 4)) {
            return new java.math.BigInteger(string(parts, 1), integer(parts, 2)) != null;
        }
        long value = Long.parseLong(string(parts, 1), integer(parts, 2));
        return value >= whole(parts, 3) && value <= whole(parts, 4);
    }

    private static boolean regex(Matcher matcher, int how) {
        return how == Distances.MATCHES ? matcher.matches() : how == Distances.FIND ? matcher.find() : matcher.lookingAt();
    }

    /** True where the call returns; it throws otherwise. */
    private static Boolean format(int kind, String text) {
        switch (kind) {
            case Formats.LOCAL_DATE:
                return LocalDate.parse(text) != null;
            case Formats.LOCAL_TIME:
                return LocalTime.parse(text) != null;
            case Formats.LOCAL_DATE_TIME:
                return LocalDateTime.parse(text) != null;
            case Formats.INSTANT:
                return Instant.parse(text) != null;
            case Formats.OFFSET_DATE_TIME:
                return OffsetDateTime.parse(text) != null;
            case Formats.ZONED_DATE_TIME:
                return ZonedDateTime.parse(text) != null;
            case Formats.YEAR:
                return Year.parse(text) != null;
            case Formats.YEAR_MONTH:
                return YearMonth.parse(text) != null;
            case Formats.MONTH_DAY:
                return MonthDay.parse(text) != null;
            case Formats.OFFSET_TIME:
                return OffsetTime.parse(text) != null;
            case Formats.DURATION:
                return Duration.parse(text) != null;
            case Formats.PERIOD:
                return Period.parse(text) != null;
            case Formats.UUID:
                return UUID.fromString(text) != null;
            case Formats.URI:
                return java.net.URI.create(text) != null;
            case Formats.BASE64:
                return Base64.getDecoder().decode(text) != null;
            case Formats.BASE64_URL:
                return Base64.getUrlDecoder().decode(text) != null;
            case Formats.REAL:
                return new BigDecimal(text) != null;
            case Formats.ZONE_OFFSET:
                return ZoneOffset.of(text) != null;
            case Formats.ZONE_ID:
                return ZoneId.of(text) != null;
            default:
                return null;
        }
    }
}
