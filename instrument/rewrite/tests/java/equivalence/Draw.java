import java.math.BigDecimal;
import java.math.BigInteger;
import java.text.DateFormat;
import java.text.SimpleDateFormat;
import java.time.*;
import java.time.chrono.*;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalQuery;
import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoublePredicate;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Receivers and arguments of library methods, odd ones among them. */
class Draw {
    enum Colour { RED, GREEN }

    /** What equals nothing but throws when it is asked. */
    static final class Thorny implements Comparable<Object> {
        @Override
        public boolean equals(Object other) {
            throw new IllegalStateException("do not ask");
        }

        @Override
        public int hashCode() {
            return 7;
        }

        @Override
        public int compareTo(Object other) {
            return other == null ? 1 : -3;
        }

        @Override
        public String toString() {
            return "thorny";
        }
    }

    private static final String LONG = new String(new char[3_000]).replace('\0', 'x');

    private static final Instant MOMENT = Instant.ofEpochSecond(1_571_000_000);

    @SafeVarargs
    private static <T> T one(Random random, T... all) {
        return random.nextInt(12) == 0 ? null : all[random.nextInt(all.length)];
    }

    static int number(Random random) {
        int[] all = {0, 1, 2, 3, -1, 10, 12, 16, 24, 28, 31, 36, 60, 2019, Integer.MAX_VALUE, Integer.MIN_VALUE, 'a', 'Z', '5', ' ', 0x1F600};
        return all[random.nextInt(all.length)];
    }

    static char letter(Random random) {
        return "aZ5 \u00e4\u0130\u2003\ud83d_".charAt(random.nextInt(9));
    }

    static String aString(Random random) {
        return one(random, "", " ", "a", "foo", "FOO", "fop", "foobar", "oo", "i\u0307", "\u0130", "\u00df", "\ud83d\ude00", "\ud800", "0", "12", "-7", "+3",
                "2147483648", "9223372036854775807", "0x1f", "1.5", "1e400", "NaN", "-", ".", "2019-10-14", "2019-13-40", "13:45", "25:00", "14.10.2019",
                "2019-10-14T13:45", "2019-10-14T13:45:30Z", "2019-10-14T13:45+01:00[Europe/Paris]", "2019-10", "PT8H6M", "P2D", "true", "TRUE", "TRU\u0130",
                "[a-z]+", "(", "f.*", "(a|a)*b", "RED", "red", "EUR", "XXX", "http://a.b/c?d#e", "a b", "urn:x", "QUI=", "QUJD", "*", LONG, LONG + "y",
                "123e4567-e89b-12d3-a456-426614174000", "1-2-3-4-5");
    }

    static CharSequence aCharSequence(Random random) {
        String text = aString(random);
        return text == null || random.nextInt(3) > 0 ? text : random.nextBoolean() ? new StringBuilder(text) : new StringBuffer(text);
    }

    static StringBuffer aStringBuffer(Random random) {
        String text = aString(random);
        return text == null ? null : new StringBuffer(text);
    }

    static Object anObject(Random random) {
        return one(random, aString(random), aString(random), aDouble(random), aLong(random), anInteger(random), aLocalDate(random), aBigDecimal(random),
                aList(random), aSet(random), aDate(random), Colour.RED, 'a', true, (byte) 5, new Thorny(), new int[0].length, Optional.of("a"), (short) 3);
    }

    private static Object aKey(Random random) {
        return one(random, "a", "foo", "b", 5, 7L, 2.5, 'a', LocalDate.of(2019, 10, 14), new BigDecimal("1.50"));
    }

    static Boolean aBoolean(Random random) {
        return one(random, true, false);
    }

    static Byte aByte(Random random) {
        return one(random, (byte) 0, (byte) 5, (byte) -128);
    }

    static Short aShort(Random random) {
        return one(random, (short) 0, (short) 5, (short) -32768);
    }

    static Integer anInteger(Random random) {
        return one(random, 0, 5, 7, Integer.MAX_VALUE, Integer.MIN_VALUE);
    }

    static Long aLong(Random random) {
        return one(random, 0L, 5L, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    static Float aFloat(Random random) {
        return one(random, 0f, -0f, 1.5f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE);
    }

    static Double aDouble(Random random) {
        return one(random, 0.0, -0.0, 1.5, Double.NaN, Double.NEGATIVE_INFINITY, Double.MAX_VALUE);
    }

    static Character aCharacter(Random random) {
        return one(random, 'a', 'b', '\ud800', '\0');
    }

    static BigDecimal aBigDecimal(Random random) {
        return one(random, BigDecimal.ZERO, new BigDecimal("1.5"), new BigDecimal("1.50"), new BigDecimal("1e999"), new BigDecimal("-1e-999"));
    }

    static BigInteger aBigInteger(Random random) {
        return one(random, BigInteger.ZERO, BigInteger.TEN, BigInteger.ONE.shiftLeft(2000));
    }

    @SuppressWarnings("rawtypes")
    static Comparable aComparable(Random random) {
        return one(random, "a", 5, 2.5, aLocalDate(random), aBigDecimal(random), new Thorny(), Colour.GREEN);
    }

    static LocalDate aLocalDate(Random random) {
        return one(random, LocalDate.of(2019, 10, 14), LocalDate.MIN, LocalDate.MAX, LocalDate.of(2019, 10, 15));
    }

    static ChronoLocalDate aChronoLocalDate(Random random) {
        return one(random, aLocalDate(random), aLocalDate(random), JapaneseDate.of(2019, 10, 14), ThaiBuddhistDate.of(2562, 10, 14));
    }

    static LocalDateTime aLocalDateTime(Random random) {
        return one(random, LocalDateTime.of(2019, 10, 14, 13, 45), LocalDateTime.MIN, LocalDateTime.MAX);
    }

    static ChronoLocalDateTime<?> aChronoLocalDateTime(Random random) {
        return one(random, aLocalDateTime(random), JapaneseDate.of(2019, 10, 14).atTime(LocalTime.NOON));
    }

    static ZonedDateTime aZonedDateTime(Random random) {
        return one(random, MOMENT.atZone(ZoneOffset.UTC), MOMENT.atZone(ZoneId.of("Europe/Paris")), MOMENT.plusNanos(1).atZone(ZoneOffset.MIN));
    }

    static ChronoZonedDateTime<?> aChronoZonedDateTime(Random random) {
        return one(random, aZonedDateTime(random), JapaneseDate.of(2019, 10, 14).atTime(LocalTime.NOON).atZone(ZoneOffset.UTC));
    }

    static LocalTime aLocalTime(Random random) {
        return one(random, LocalTime.MIN, LocalTime.MAX, LocalTime.NOON);
    }

    static Instant anInstant(Random random) {
        return one(random, MOMENT, Instant.MIN, Instant.MAX, MOMENT.plusNanos(1));
    }

    static OffsetDateTime anOffsetDateTime(Random random) {
        return one(random, MOMENT.atOffset(ZoneOffset.UTC), MOMENT.atOffset(ZoneOffset.MAX), OffsetDateTime.MIN, OffsetDateTime.MAX);
    }

    static OffsetTime anOffsetTime(Random random) {
        return one(random, OffsetTime.MIN, OffsetTime.MAX, LocalTime.NOON.atOffset(ZoneOffset.UTC), LocalTime.of(13, 0).atOffset(ZoneOffset.ofHours(1)));
    }

    static Year aYear(Random random) {
        return one(random, Year.of(2019), Year.of(-999_999_999));
    }

    static YearMonth aYearMonth(Random random) {
        return one(random, YearMonth.of(2019, 10), YearMonth.of(-5, 1));
    }

    static MonthDay aMonthDay(Random random) {
        return one(random, MonthDay.of(2, 29), MonthDay.of(12, 31));
    }

    static Duration aDuration(Random random) {
        return one(random, Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MAX_VALUE));
    }

    static Date aDate(Random random) {
        return one(random, new Date(0), new Date(Long.MIN_VALUE), new Date(1_571_000_000_000L), new java.sql.Timestamp(5), new java.sql.Date(7));
    }

    static Calendar aCalendar(Random random) {
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
        calendar.setTimeInMillis(random.nextInt(3) - 1);
        return one(random, calendar);
    }

    static Collection<Object> aCollection(Random random) {
        return random.nextBoolean() ? aList(random) : aSet(random);
    }

    static List<Object> aList(Random random) {
        List<Object> list = new ArrayList<>(Arrays.asList("a", "foo", 5, null));
        List<Object> own = new ArrayList<>();
        own.add("b");
        own.add(own);
        return one(random, list, new ArrayList<>(), new LinkedList<>(list), Arrays.asList(aKey(random), aKey(random)), Collections.emptyList(), own,
                Collections.unmodifiableList(list), new CopyOnWriteArrayList<>(list), list.subList(1, 3), Collections.singletonList(aKey(random)),
                new Vector<>(list), Collections.nCopies(3, "a"), new ArrayList<>(Arrays.asList(new Thorny(), "a")), Collections.synchronizedList(list));
    }

    private static Collection<Object> aSet(Random random) {
        List<Object> list = Arrays.asList("a", "foo", "b");
        return one(random, new HashSet<>(list), new LinkedHashSet<>(list), new TreeSet<>(list), Collections.emptySet(), new ConcurrentSkipListSet<>(list),
                new ArrayDeque<>(list), new PriorityQueue<>(list), Collections.unmodifiableSet(new HashSet<>(list)), aMap(random).keySet());
    }

    static Map<Object, Object> aMap(Random random) {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put("a", 1);
        map.put("foo", null);
        Map<Object, Object> strict = new TreeMap<>();
        strict.put("b", "foo");
        List<Map<Object, Object>> all = Arrays.asList(map, new HashMap<>(map), strict, new ConcurrentHashMap<>(strict), Collections.emptyMap(),
                Collections.unmodifiableMap(map), new Hashtable<>(strict), new IdentityHashMap<>(strict), Collections.singletonMap("a", "b"));
        return all.get(random.nextInt(all.size()));
    }

    static Optional<Object> anOptional(Random random) {
        return one(random, Optional.empty(), Optional.of("a"));
    }

    static OptionalInt anOptionalInt(Random random) {
        return one(random, OptionalInt.empty(), OptionalInt.of(0));
    }

    static OptionalLong anOptionalLong(Random random) {
        return one(random, OptionalLong.empty(), OptionalLong.of(0));
    }

    static OptionalDouble anOptionalDouble(Random random) {
        return one(random, OptionalDouble.empty(), OptionalDouble.of(0));
    }

    static Matcher aMatcher(Random random) {
        String[] patterns = {"[a-z]+", "f.*", "(o)\\1", "^\\s*$", "(?=x)x+", "", "\\bfoo\\b", "(?i)FOO"};
        String text = aString(random);
        Matcher matcher = Pattern.compile(patterns[random.nextInt(patterns.length)]).matcher(text == null || text.length() > 100 ? "oo" : text);
        return one(random, matcher, matcher.region(0, 0), matcher.useAnchoringBounds(false));
    }

    static Stream<Object> aStream(Random random) {
        Stream<Object> used = Stream.of((Object) "a");
        used.count();
        return one(random, Stream.of("a", "foo", 5), Stream.empty(), used, Stream.of((Object) null), Stream.<Object>of("b", "c").parallel().sequential());
    }

    static IntStream anIntStream(Random random) {
        return one(random, IntStream.of(1, 2, 3), IntStream.empty(), IntStream.range(0, 1000));
    }

    static LongStream aLongStream(Random random) {
        return one(random, LongStream.of(1, 2, 3), LongStream.empty());
    }

    static DoubleStream aDoubleStream(Random random) {
        return one(random, DoubleStream.of(1, 2.5, Double.NaN), DoubleStream.empty());
    }

    static Predicate<Object> aPredicate(Random random) {
        return one(random, value -> value == null, value -> value.hashCode() % 2 == 0, "a"::equals, value -> {
            throw new IllegalStateException("no predicate");
        });
    }

    static IntPredicate anIntPredicate(Random random) {
        return one(random, value -> value > 2, value -> value % 0 == 1);
    }

    static LongPredicate aLongPredicate(Random random) {
        return one(random, value -> value > 2, value -> true);
    }

    static DoublePredicate aDoublePredicate(Random random) {
        return one(random, value -> value > 2, value -> value != value);
    }

    static DateTimeFormatter aDateTimeFormatter(Random random) {
        return one(random, DateTimeFormatter.ISO_LOCAL_DATE, DateTimeFormatter.ofPattern("dd.MM.yyyy"), DateTimeFormatter.ISO_DATE_TIME,
                DateTimeFormatter.ofPattern("d MMM uuuu", Locale.GERMANY), DateTimeFormatter.ofPattern("[yyyy-MM][HH:mm]"));
    }

    static TemporalQuery<LocalDate> aTemporalQuery(Random random) {
        return one(random, LocalDate::from);
    }

    static DateFormat aDateFormat(Random random) {
        SimpleDateFormat strict = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);
        strict.setLenient(false);
        return one(random, strict, new SimpleDateFormat("dd.MM.yyyy", Locale.ROOT), new SimpleDateFormat("HH:mm", Locale.ROOT));
    }

    static Base64.Decoder aDecoder(Random random) {
        return one(random, Base64.getDecoder(), Base64.getUrlDecoder(), Base64.getMimeDecoder());
    }

    @SuppressWarnings("rawtypes")
    static Class aClass(Random random) {
        return one(random, Colour.class, DayOfWeek.class, String.class);
    }

    /** One outcome: what came out, and what became of those that took part. */
    static void print(int row, Object... parts) {
        StringBuilder line = new StringBuilder().append(row);
        for (Object part : parts) {
            line.append(" | ").append(text(part));
        }
        // Messages of patterns have several lines.
        System.out.println(line.toString().replaceAll("\\s", " "));
    }

    private static String text(Object object) {
        if (object instanceof byte[]) {
            return Arrays.toString((byte[]) object);
        }
        String type = object == null ? "java.lang." : object.getClass().getName();
        boolean isPlain = type.startsWith("java.lang.") || type.startsWith("java.time.") && !type.endsWith(".Parsed") || type.startsWith("java.math.")
                || type.startsWith("java.util.") && !type.contains("stream") && !type.contains("Decoder") || type.startsWith("java.net.");
        String text = isPlain ? String.valueOf(object) : "";
        return text.length() > 300 ? text.substring(0, 300) + text.hashCode() : text;
    }

    static String failure(Throwable failure) {
        // The fields of a date that was parsed in part have no order of their own.
        return failure.getClass().getName() + ": " + String.valueOf(failure.getMessage()).replaceAll("\\{[^}]*\\}", "{}");
    }
}
