import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** References to library methods are calls of them, and fail as they do. */
class Handles {
    enum Colour { RED, GREEN }

    static void unbound(List<String> texts) { // abc, de
        print(texts.stream().anyMatch(String::isEmpty)); //: replace String.isEmpty:true=0.333333; replace Stream.anyMatch:true=0.333333
        BiPredicate<String, Object> equals = String::equals; //: replace String.equals:true=0.5
        print(equals.test("foo", "fop"));
        BiFunction<String, String, Boolean> boxed = String::equalsIgnoreCase; //: replace String.equalsIgnoreCase:true=0.5
        print(boxed.apply("foo", "FOP"));
        Function<List<String>, Boolean> inherited = List::isEmpty; //: replace List.isEmpty:true=0.333333
        print(inherited.apply(texts));
        BiPredicate<ArrayList<String>, Object> narrow = ArrayList::contains; //: replace ArrayList.contains:true=0.5
        print(narrow.test(new ArrayList<>(Arrays.asList("a")), "b"));
    }

    static void bound(String text, List<String> list, ArrayList<Object> objects, Map<String, Integer> map) {
        print(list.stream().anyMatch(text::equals)); //: replace String.equals:true=0.5; replace Stream.anyMatch:true=0.5
        if (list.stream().anyMatch(text::equals)) { //: then=0.5; else=1
            print("found");
        }
        Predicate<Object> contains = list::contains; //: replace List.contains:true=0.5
        print(contains.test("abe"));
        Predicate<Object> inherited = ((Iterable<Object> & java.util.Collection<Object>) objects)::contains; //: replace Collection.contains:true=2.9387e-39
        print(inherited.test("a"));
        Function<String, Integer> get = map::get; //: replace Map.get:true=0.5
        print(get.apply("l"));
        Supplier<Boolean> isEmpty = text::isEmpty; //: replace String.isEmpty:true=0.25
        print(isEmpty.get());
        BiPredicate<String, Integer> starts = text::startsWith; //: replace String.startsWith:true=0.5
        print(starts.test("d", 2));
        IntFunction<String> element = list::get; //: returns List.get=0.25; throws List.get=1
        print(fails(() -> element.apply(4)));
    }

    static void statics() {
        ToIntFunction<String> parseInt = Integer::parseInt; //: returns Integer.parseInt=0.015625; throws Integer.parseInt=1
        print(fails(() -> parseInt.applyAsInt("4x")));
        ToLongFunction<String> parseLong = Long::parseLong; //: returns Long.parseLong=1
        print(parseLong.applyAsLong("42"));
        ToDoubleFunction<String> parseDouble = Double::parseDouble; //: returns Double.parseDouble=1
        print(parseDouble.applyAsDouble("4.5"));
        BiPredicate<Object, Object> equals = Objects::equals; //: replace Objects.equals:true=0.333333
        print(equals.test("a", "c"));
        IntPredicate isDigit = Character::isDigit; //: replace Character.isDigit:true=0.0217391
        print(isDigit.test('f'));
        Function<String, LocalDate> date = LocalDate::parse; //: returns LocalDate.parse=0.015625
        print(fails(() -> date.apply("2019-1x-10")));
        Runnable dropped = unwanted("7"::equals); //: replace String.equals:true=0.5
        dropped.run();
    }

    static Runnable unwanted(Predicate<String> predicate) {
        return () -> predicate.test("8");
    }

    static void constructors() {
        Function<String, BigDecimal> real = BigDecimal::new; //: returns BigDecimal.<init>=1
        print(real.apply("1.50"));
        Function<String, BigInteger> whole = BigInteger::new; //: throws BigInteger.<init>=1
        print(fails(() -> whole.apply("x")));
    }

    /** What fails, fails as it did: without a message where a receiver is null. */
    static void nothing(String nothing) {
        Function<String, Boolean> isEmpty = String::isEmpty;
        print(fails(() -> isEmpty.apply(null)));
        BiPredicate<List<String>, Object> contains = List::contains;
        print(fails(() -> contains.test(null, "a")));
        print(fails(() -> take(nothing::equals)));
        Function raw = isEmpty;
        print(fails(() -> raw.apply(5)).startsWith("java.lang.ClassCastException"));
    }

    static void take(Predicate<String> predicate) {
    }

    interface Text extends Predicate<String>, Serializable {
    }

    static void serialized(String text) throws Exception {
        Text equals = text::equals;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new ObjectOutputStream(bytes).writeObject(equals);
        Text read = (Text) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        print(read.test("foo") + " " + read.test("bar"));
    }

    interface Inside {
        static boolean isAny(String text, String... others) {
            return Stream.of(others).anyMatch(text::equals);
        }

        default boolean isThere(List<String> list) {
            return list.stream().allMatch(this::equals);
        }
    }

    /** Methods of the service that are known by name and descriptor only. */
    static class Own extends ArrayList<String> {
        @Override
        public boolean contains(Object value) {
            return value instanceof String && super.contains(value);
        }

        boolean isAll(List<Object> values) {
            return values.stream().allMatch(this::contains);
        }

        boolean isPart(List<Object> values) {
            return values.stream().anyMatch(super::contains);
        }
    }

    static String fails(Runnable runnable) {
        try {
            runnable.run();
            return "no exception";
        } catch (RuntimeException exception) {
            return exception.toString();
        }
    }

    private static void print(Object value) {
        System.out.println(value);
    }

    public static void run() throws Exception {
        unbound(Arrays.asList("abc", "de"));
        Map<String, Integer> map = new HashMap<>();
        map.put("k", 1);
        bound("abc", Arrays.asList("abd", "x"), new ArrayList<>(), map);
        statics();
        constructors();
        nothing(null);
        serialized("foo");
        print(Inside.isAny("foo", "fop", "x"));
        print(new Inside() { }.isThere(Arrays.asList("a")));
        Own own = new Own();
        own.add("a");
        print(own.isAll(Arrays.asList("a", 5)) + " " + own.isPart(Arrays.asList("a")));
        print(Stream.of(Colour.values()).map(Colour::name).map(Colour::valueOf).count());
    }
}
