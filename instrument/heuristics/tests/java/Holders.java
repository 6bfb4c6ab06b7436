import java.text.SimpleDateFormat;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.FormatStyle;
import java.time.temporal.ChronoField;
import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What only Java has: prints what is not as it should be, then {@code done}. */
public final class Holders {
    private static int called;

    public static void main(String[] args) throws Exception {
        known();
        wrapped();
        maps();
        unknown();
        values();
        formatters();
        matchers();
        constants();
        bounds();
        threads();
        System.out.println(called == 0 ? "done" : "code of the service was called " + called + " times");
    }

    private static void expect(String what, float expected, float found) {
        if (expected != found) {
            System.out.println(what + " is " + found + ", not " + expected);
        }
    }

    private static void known() {
        List<String> texts = Arrays.asList("bar", "fop", "quux");
        List<Collection<String>> all = Arrays.asList(texts, new ArrayList<>(texts), new LinkedList<>(texts), new Vector<>(texts),
                new HashSet<>(texts), new LinkedHashSet<>(texts), new TreeSet<>(texts), new ArrayDeque<>(texts),
                new PriorityQueue<>(texts), new CopyOnWriteArrayList<>(texts), new CopyOnWriteArraySet<>(texts));
        for (Collection<String> one : all) {
            expect(one.getClass().getName(), 1, Distances.contained(one, "foo"));
            expect("size of " + one.getClass().getName(), 3, Distances.empty(one));
        }
        expect("array", 1, Distances.contained(new String[] {"bar", "fop"}, "foo"));
        expect("array of numbers", 2, Distances.contained(new int[] {1, 7, 20}, 5));
        expect("singleton", 1, Distances.contained(Collections.singleton("fop"), "foo"));
        expect("singleton list", 1, Distances.contained(Collections.singletonList("fop"), "foo"));
        expect("no element", Distances.UNKNOWN, Distances.contained(Collections.emptyList(), "foo"));
        expect("no collection", Distances.UNKNOWN, Distances.contained(null, "foo"));
        expect("all", 0.5f, Distances.containedAll(texts, Arrays.asList("foo", "bar")));
        expect("index", 1, Distances.index(3, texts));
        expect("index of array", 2, Distances.index(4, new int[3]));
        immutable();
    }

    /** What newer versions make; by reflection, since this compiles on older ones. */
    private static void immutable() {
        for (Object[] elements : new Object[][] {{"fop"}, {"fop", "x"}, {"fop", "x", "y"}}) {
            try {
                Object list = List.class.getMethod("of", Object[].class).invoke(null, (Object) elements);
                Object set = java.util.Set.class.getMethod("of", Object[].class).invoke(null, (Object) elements);
                expect(list.getClass().getName(), 1, Distances.contained(list, "foo"));
                expect(set.getClass().getName(), 1, Distances.contained(set, "foo"));
            } catch (ReflectiveOperationException older) {
                return;
            }
        }
    }

    private static void wrapped() {
        List<String> texts = new ArrayList<>(Arrays.asList("bar", "fop"));
        List<Collection<String>> all = Arrays.asList(Collections.unmodifiableList(texts), Collections.unmodifiableCollection(texts),
                Collections.unmodifiableSet(new HashSet<>(texts)), Collections.synchronizedList(texts),
                Collections.unmodifiableSortedSet(new TreeSet<>(texts)),
                Collections.synchronizedCollection(Collections.unmodifiableList(texts)));
        for (Collection<String> one : all) {
            expect(one.getClass().getName(), 1, Distances.contained(one, "foo"));
        }
        Map<String, String> map = new HashMap<>();
        map.put("fop", "x");
        expect("unmodifiable map", 1, Distances.containsKey(Collections.unmodifiableMap(map), "foo"));
        expect("synchronized map", 1, Distances.containsKey(Collections.synchronizedMap(map), "foo"));
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        itself.add("fop");
        expect("list in itself", 1, Distances.contained(itself, "foo"));
        expect("list in itself, looked for", Distances.UNKNOWN, Distances.contained(itself, itself));
    }

    private static void maps() {
        for (Map<String, Integer> map : Arrays.<Map<String, Integer>>asList(new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>(),
                new ConcurrentHashMap<>(), new IdentityHashMap<>())) {
            map.put("fop", 7);
            expect(map.getClass().getName(), 1, Distances.containsKey(map, "foo"));
            expect(map.getClass().getName() + " by value", 2, Distances.containsValue(map, 5));
            expect("size of " + map.getClass().getName(), 1, Distances.empty(map));
        }
        Map<String, Integer> map = new HashMap<>();
        map.put("fop", 7);
        expect("keys", 1, Distances.contained(map.keySet(), "foo"));
        expect("values", 2, Distances.contained(map.values(), 5));
        Map<TimeUnit, String> byUnit = new EnumMap<>(TimeUnit.class);
        byUnit.put(TimeUnit.DAYS, "fop");
        expect("enum map", 0, Distances.containsKey(byUnit, TimeUnit.DAYS));
        expect("enum map, other key", Distances.UNKNOWN, Distances.containsKey(byUnit, TimeUnit.HOURS));
        expect("no map", Distances.UNKNOWN, Distances.containsKey(new ArrayList<>(), "foo"));
        expect("no key", Distances.UNKNOWN, Distances.containsKey(map, null));
    }

    /** An object of the service that counts every call. */
    private static final class Element implements Comparable<Element>, CharSequence {
        @Override
        public boolean equals(Object other) {
            called++;
            throw new IllegalStateException();
        }

        @Override
        public int hashCode() {
            called++;
            return 0;
        }

        @Override
        public String toString() {
            called++;
            return "";
        }

        @Override
        public int compareTo(Element other) {
            called++;
            return 0;
        }

        @Override
        public int length() {
            called++;
            return 3;
        }

        @Override
        public char charAt(int index) {
            called++;
            return 'x';
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            called++;
            return this;
        }
    }

    /** A lazy collection. */
    private static final class Lazy extends AbstractCollection<Object> {
        @Override
        public Iterator<Object> iterator() {
            called++;
            return Collections.emptyIterator();
        }

        @Override
        public int size() {
            called++;
            return 0;
        }
    }

    private static final class OwnList extends ArrayList<Object> {
        private static final long serialVersionUID = 1L;

        @Override
        public Object get(int index) {
            called++;
            return null;
        }

        @Override
        public int size() {
            called++;
            return 1;
        }
    }

    private static final class OwnDate extends Date {
        private static final long serialVersionUID = 1L;

        @Override
        public long getTime() {
            called++;
            return 0;
        }
    }

    private static void unknown() {
        Element element = new Element();
        Object[] holders = {new Lazy(), new OwnList(), Collections.unmodifiableCollection(new Lazy()),
            Collections.unmodifiableList(new OwnList()), Collections.synchronizedList(new OwnList()), element, new Object()};
        for (Object holder : holders) {
            expect(holder.getClass().getName(), Distances.UNKNOWN, Distances.contained(holder, "foo"));
            expect("size of " + holder.getClass().getName(), Distances.UNKNOWN, Distances.empty(holder));
            expect("index of " + holder.getClass().getName(), Distances.UNKNOWN, Distances.index(0, holder));
        }
        expect("element", Distances.UNKNOWN, Distances.contained(Arrays.asList(element, "x"), element));
        expect("beside an element", 1, Distances.contained(Arrays.asList(element, "fop"), "foo"));
        expect("equal", Distances.UNKNOWN, Distances.equal(element, element));
        expect("equal to a text", Distances.UNKNOWN, Distances.equal("foo", (Object) element));
        expect("ordered", Distances.UNKNOWN, Distances.ordered(element, element, 0));
        expect("optional", Distances.UNKNOWN, Distances.equal(Optional.of(element), Optional.of(element)));
        expect("own date", Distances.UNKNOWN, Distances.equal(new OwnDate(), new Date()));
        expect("own text", Distances.UNKNOWN, Distances.contentEqual("foo", element));
        expect("matched", Distances.UNKNOWN, Distances.matches(Pattern.compile("a"), element, Distances.FIND));
        expect("matcher", Distances.UNKNOWN, Distances.matches(Pattern.compile("a").matcher("" + 'a').usePattern(Pattern.compile("(a)\\1")),
                Distances.FIND));
        int before = called;
        TreeSet<Element> sorted = new TreeSet<>(Comparator.comparing(Element::toString));
        sorted.add(element);
        called = before;
        expect("part of a sorted set", Distances.UNKNOWN, Distances.contained(sorted.headSet(element, true), "foo"));
        called = before;
        expect("part of a sorted set", Distances.UNKNOWN, Distances.empty(sorted.headSet(element, true)));
        called = before;
    }

    private static void values() {
        UUID one = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
        expect("UUID", 1, Distances.equal(one, UUID.fromString("123e4567-e89b-12d3-a456-426614174001")));
        expect("same UUID", 0, Distances.equal(one, UUID.fromString(one.toString())));
        expect("URI", 1, Distances.equal(java.net.URI.create("a:b"), java.net.URI.create("a:c")));
        expect("optional", 2, Distances.equal(Optional.of(5), Optional.of(7)));
        expect("present", 0, Distances.present(OptionalInt.of(1)));
        expect("absent", Distances.UNKNOWN, Distances.present(Optional.empty()));
        expect("decimal", 0.5f, Distances.equal(new java.math.BigDecimal("1.5"), new java.math.BigDecimal("2")));
        expect("decimal of another scale", 1, Distances.equal(new java.math.BigDecimal("1.0"), new java.math.BigDecimal("1")));
        expect("order of decimals", 0, Distances.ordered(new java.math.BigDecimal("1.0"), new java.math.BigDecimal("1"), 0));
        expect("big", 2, Distances.equal(java.math.BigInteger.TEN, java.math.BigInteger.valueOf(12)));
        expect("huge", Distances.UNKNOWN, Distances.equal(java.math.BigInteger.ONE.shiftLeft(5000), java.math.BigInteger.ONE));
        ZonedDateTime there = ZonedDateTime.of(2019, 10, 14, 13, 45, 0, 0, ZoneId.of("Europe/Paris"));
        expect("other zone", 3600, Distances.equal(there, there.withZoneSameInstant(ZoneId.of("Europe/London"))));
        expect("same instant", 0, Distances.ordered(there, there.withZoneSameInstant(ZoneId.of("Europe/London")), 0));
        expect("enum", 0, Distances.equal(TimeUnit.DAYS, TimeUnit.DAYS));
        expect("other constant", Distances.UNKNOWN, Distances.equal(TimeUnit.DAYS, TimeUnit.HOURS));
    }

    private static void formatters() throws Exception {
        expect("own format", Distances.UNSURE, Distances.parse(new SimpleDateFormat("dd.MM.yyyy", Locale.ROOT), "14.10.2019"));
        SimpleDateFormat strict = new SimpleDateFormat("dd.MM.yyyy", Locale.ROOT);
        expect("own format, no such day", Distances.UNSURE, Distances.parse(strict, "32.10.2019"));
        strict.setLenient(false);
        expect("strict format, no such day", 1, Distances.parse(strict, "32.10.2019"));
        expect("formatter, no such month", 1, Distances.parse(DateTimeFormatter.ofPattern("dd.MM.yyyy", Locale.ROOT), "30.15.2019"));
        expect("own format, other text", 1, Distances.parse(new SimpleDateFormat("dd.MM.yyyy", Locale.ROOT), "14.10/2019"));
        LocalDate day = LocalDate.of(2019, 10, 14);
        ZonedDateTime moment = day.atTime(13, 45, 30, 123456789).atZone(ZoneId.of("Europe/Paris"));
        for (String pattern : new String[] {"yyyy-MM-dd", "d.M.uu", "uuuuMMdd", "EEE, d MMM yyyy", "HH:mm:ss.SSS", "h:mm a",
            "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd HH:mm[:ss] Z", "HH 'o''clock'", "yyyy-MM-dd VV", "D uuuu", "HHmmssX"}) {
            DateTimeFormatter formatter = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
            formatted(pattern, formatter, moment);
        }
        for (DateTimeFormatter formatter : Arrays.asList(DateTimeFormatter.ISO_LOCAL_DATE, DateTimeFormatter.ISO_LOCAL_TIME,
                DateTimeFormatter.ISO_DATE_TIME, DateTimeFormatter.ISO_OFFSET_DATE_TIME, DateTimeFormatter.ISO_ZONED_DATE_TIME,
                DateTimeFormatter.ISO_INSTANT, DateTimeFormatter.BASIC_ISO_DATE, DateTimeFormatter.RFC_1123_DATE_TIME)) {
            formatted(formatter.toString(), formatter, moment);
        }
        DateTimeFormatter defaulted = new DateTimeFormatterBuilder().appendPattern("yyyy-MM").parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
                .toFormatter(Locale.ROOT);
        expect("default", Distances.UNSURE, Distances.parse(defaulted, "2019-10"));
        DateTimeFormatter localized = DateTimeFormatter.ofLocalizedDate(FormatStyle.SHORT);
        expect("localized", Distances.UNKNOWN, Distances.parse(localized, "2019-10"));
        expect("no formatter", Distances.UNKNOWN, Distances.parse(new Object(), "2019"));
        expect("basic", 0, Distances.base64(Base64.getDecoder(), "YWJj"));
        expect("url", 0, Distances.base64(Base64.getUrlDecoder(), "YW-_"));
        expect("mime", Distances.UNKNOWN, Distances.base64(Base64.getMimeDecoder(), "YW-_"));
    }

    /** What a formatter prints is near to being read. */
    private static void formatted(String name, DateTimeFormatter formatter, ZonedDateTime moment) {
        expect(name, Distances.UNSURE, Distances.parse(formatter, formatter.format(moment)));
        float broken = Distances.parse(formatter, formatter.format(moment) + "@");
        if (broken < 1 || broken > Distances.MISSING) {
            System.out.println(name + " with one char more is " + broken);
        }
    }

    private static void matchers() {
        Matcher matcher = Pattern.compile("[a-c]+", Pattern.CASE_INSENSITIVE).matcher("xxABd");
        expect("region", 0, Distances.matches(matcher.region(2, 4), Distances.MATCHES));
        expect("longer region", 1, Distances.matches(matcher.region(2, 5), Distances.MATCHES));
        expect("begin", 0, Distances.matches(matcher.region(2, 5), Distances.LOOKING_AT));
        expect("anywhere", 0, Distances.matches(matcher.reset(), Distances.FIND));
        expect("builder", 1, Distances.matches(Pattern.compile("ab").matcher(new StringBuilder("ac")), Distances.MATCHES));
        expect("text", 1, Distances.matches("ab", "ac", Distances.MATCHES));
    }

    private enum Colour {
        RED, GREEN;

        static {
            called++;
        }
    }

    private static void constants() {
        expect("constant", 1, Distances.enumConstant(Colour.class, "REE"));
        expect("constant", 0, Distances.enumConstant(Colour.class, "GREEN"));
        expect("no enum", Distances.UNKNOWN, Distances.enumConstant(String.class, "GREEN"));
        expect("currency", 1, Distances.currency("EUS"));
        expect("known currency", 0, Distances.currency(Currency.getInstance("USD").getCurrencyCode()));
    }

    private static String times(int n, String part) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < n; i++) {
            text.append(part);
        }
        return text.toString();
    }

    /** Of huge and hostile inputs only so much is looked at. */
    private static void bounds() {
        String text = times(10_000_000, "a");
        // What differs behind the 16,384 chars that are looked at counts 1, however much it is.
        expect("end of a huge text", 1, Distances.equal(text, text.substring(5) + "zzzzz"));
        expect("end of a huge text in any case", 1, Distances.equalIgnoreCase(text, text.substring(5) + "ZZZZZ"));
        expect("length of a huge text", 65536, Distances.equal(text, text + "b"));
        expect("begin of a huge text", 25, Distances.startsWith(text, "z", 0));
        expect("prefix that is longer", Distances.MISSING, Distances.startsWith(text, text + "z", 0));
        expect("part behind all steps", 24, Distances.contains(text + times(60, "y"), times(60, "y"), 0) / 60);
        expect("char of a huge text", 1, Distances.containsChar(text, 'b', 0));
        expect("number that is huge", Distances.UNKNOWN, Distances.parseInteger(times(10_000_000, "7"), 10, 0, 9));
        expect("digits behind those looked at", Distances.UNSURE, Distances.parseInteger(times(20_000, "7") + "x", 10, 1, 0));
        int cutsBefore = Distances.cuts();
        lastVisits = Distances.visits();
        visits("real", 1_000_000, Distances.parseReal(times(10_000_000, "7")), Distances.UNSURE);
        visits("moment", 4_000_000, Distances.format(Formats.ZONED_DATE_TIME, text), -1);
        visits("catastrophic pattern, found", 4_000_000, Distances.matches(Pattern.compile("(a+)+b(x*)*(a|aa)+"), text, Distances.FIND), -1);
        visits("catastrophic pattern", 4_000_000, Distances.matches("(((a{1,20}b){1,20}c)|x*)*", text, Distances.MATCHES), -1);
        String nested = times(90, "(") + "a*b" + times(90, "b*)*");
        visits("loops in loops", 2_000_000, Distances.matches(nested, times(40, "ab") + "c", Distances.MATCHES), 1);
        visits("loops in loops, long", 4_500_000, Distances.matches(nested, times(400, "ab") + "c", Distances.MATCHES), Distances.UNKNOWN);
        expect("cut texts", cutsBefore + 5, Distances.cuts());
        hostilePatterns();
        tables();
    }

    /** What is told, unless it is -1, and that at least one and at most so many instructions were looked at for it since the last time. */
    private static void visits(String what, long most, float found, float expected) {
        long visited = Distances.visits() - lastVisits;
        lastVisits = Distances.visits();
        if (visited <= 0 || visited > most) {
            System.out.println(what + " took " + visited + " steps");
        }
        expect(what, expected < 0 ? found : expected, found);
    }

    private static long lastVisits;

    private static void hostilePatterns() {
        long before = Distances.visits();
        expect("long comment", 0, Distances.matches("(?x)a" + times(8187, " "), "a", Distances.MATCHES));
        expect("longer comment", Distances.UNKNOWN, Distances.matches("(?x)a" + times(8188, " "), "a", Distances.MATCHES));
        before = Distances.visits();
        String[] refused = {times(5_000_000, "ab"), "(?x)" + times(5_000_000, " #"), times(101, "(") + times(101, ")"), "(a{1000}){1000}",
            times(65, "\\p{L}"), "(?iu)[" + times(65, "\\u0000-\\uffff") + "]", times(3000, "(a|b)"), times(4097, "a")};
        for (String pattern : refused) {
            String name = pattern.substring(0, Math.min(20, pattern.length()));
            expect("pattern " + name, Distances.UNKNOWN, Distances.matches(pattern, "x", Distances.FIND));
        }
        expect("looks at texts for patterns that are refused", before, Distances.visits());
        expect("properties", 4 * Distances.MISSING, Distances.matches(times(64, "\\p{L}?") + "\\p{Alpha}{4}", "", Distances.MATCHES));
        expect("all cases", 0, Distances.matches("(?iu)" + times(900, "\u00e4"), times(900, "\u00c4"), Distances.MATCHES));
        expect("long pattern of a date", Distances.UNKNOWN, Distances.parse(new SimpleDateFormat(times(9000, "-"), Locale.ROOT), "x"));
        int unknownBefore = Distances.unknownPatterns();
        Distances.matches("(?=never met)", "x", Distances.FIND);
        Distances.matches("(?=never met)", "x", Distances.FIND);
        expect("patterns not understood", unknownBefore + 1, Distances.unknownPatterns());
    }

    /** Of many elements 64 are looked at; few in a large table are not sought. */
    private static void tables() {
        List<Object> many = new ArrayList<>(Collections.nCopies(1_000_000, (Object) 7));
        many.set(999_999, 5);
        expect("last of many", 2, Distances.contained(many, 5));
        many.set(0, 6);
        expect("first of many", 1, Distances.contained(many, 5));
        List<Object> sevens = new ArrayList<>(Collections.nCopies(1_000_000, (Object) 7));
        expect("fives in many sevens", 64 * 2 / 3f, Distances.containedAll(sevens, new ArrayList<>(Collections.nCopies(1_000_000, (Object) 5))));
        HashMap<String, Integer> wide = new HashMap<>(1 << 20);
        HashSet<String> set = new HashSet<>(1 << 20);
        Map<String, Integer> concurrent = new ConcurrentHashMap<>(1 << 20);
        Map<String, Integer> identity = new IdentityHashMap<>(1 << 20);
        Map<String, Integer> linked = new LinkedHashMap<>(1 << 20);
        Collection<String> linkedSet = new LinkedHashSet<>(1 << 20);
        for (Map<String, Integer> map : Arrays.asList(wide, concurrent, identity, linked)) {
            map.put("fop", 7);
            float expected = map == linked ? 1 : Distances.UNKNOWN;
            expect("one in a wide " + map.getClass(), expected, Distances.containsKey(map, "foo"));
            expect("one in a wide, unmodifiable " + map.getClass(), expected, Distances.containsKey(Collections.unmodifiableMap(map), "foo"));
            expect("value in a wide " + map.getClass(), map == linked ? 2 : Distances.UNKNOWN, Distances.containsValue(map, 5));
        }
        for (Collection<String> one : Arrays.asList(set, linkedSet)) {
            one.add("fop");
            expect("one in a wide " + one.getClass(), one == linkedSet ? 1 : Distances.UNKNOWN, Distances.contained(one, "foo"));
        }
        for (Collection<?> view : Arrays.<Collection<?>>asList(wide.keySet(), concurrent.keySet())) {
            expect("one in a wide " + view.getClass(), Distances.UNKNOWN, Distances.contained(view, "foo"));
            expect("one of a wide " + view.getClass(), Distances.UNKNOWN, Distances.containedAll(view, Arrays.asList("foo")));
        }
        for (Collection<?> view : Arrays.<Collection<?>>asList(wide.values(), concurrent.values())) {
            expect("one in a wide " + view.getClass(), Distances.UNKNOWN, Distances.contained(view, 5));
        }
        expect("size of a wide map", 1, Distances.empty(wide));
        for (int i = 0; i < 1 << 15; i++) {
            wide.put("fop" + i, i);
        }
        expect("many in a wide map", 1, Math.min(1, Distances.containsKey(wide, "fop\uffff")));
    }

    /** More threads than work spaces: each result is right or unknown. */
    private static void threads() throws InterruptedException {
        AtomicInteger wrong = new AtomicInteger();
        Thread[] threads = new Thread[12];
        for (int i = 0; i < threads.length; i++) {
            int number = i;
            threads[i] = new Thread(() -> {
                for (int j = 0; j < 2000; j++) {
                    float distance = Distances.matches("[a-c]{3}" + (number * 2000 + j) % 700, "abz" + (number * 2000 + j) % 700, Distances.MATCHES);
                    if (distance != 23 && distance != Distances.UNKNOWN) {
                        wrong.incrementAndGet();
                    }
                }
            });
            threads[i].setUncaughtExceptionHandler((thread, thrown) -> wrong.incrementAndGet());
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        expect("wrong results of many threads", 0, wrong.get());
    }
}
