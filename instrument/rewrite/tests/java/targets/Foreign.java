import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Objects of classes that are the service's own, or a library's: each tells when it is asked for something, so that what is
 * printed is the same with probes only when they ask for nothing.
 */
class Foreign {
    /** What was asked, in order. */
    private static final StringBuilder ASKED = new StringBuilder();

    private static boolean asked(String what) {
        ASKED.append(' ').append(what);
        return false;
    }

    /** A collection that is not loaded: whoever looks into it fails, and that shows. */
    static final class Lazy extends AbstractList<String> {
        @Override
        public String get(int index) {
            asked("get");
            throw new IllegalStateException("no session");
        }

        @Override
        public int size() {
            asked("size");
            throw new IllegalStateException("no session");
        }

        @Override
        public Iterator<String> iterator() {
            asked("iterator");
            throw new IllegalStateException("no session");
        }
    }

    /** A remote one, which answers what it is asked for and costs each time. */
    static final class Remote extends AbstractList<Object> {
        private final Object[] elements;

        Remote(Object... elements) {
            this.elements = elements;
        }

        @Override
        public Object get(int index) {
            asked("get" + index);
            return elements[index];
        }

        @Override
        public int size() {
            asked("size");
            return elements.length;
        }

        @Override
        public boolean contains(Object value) {
            asked("contains");
            return Arrays.asList(elements).contains(value);
        }
    }

    /** What cannot be compared without a trace. */
    static final class Thorny extends Number implements Comparable<Thorny>, CharSequence {
        private static final long serialVersionUID = 1L;
        private final int number;

        Thorny(int number) {
            this.number = number;
        }

        @Override
        public boolean equals(Object other) {
            asked("equals");
            if (number < 0) {
                throw new IllegalStateException("do not compare");
            }
            return other instanceof Thorny && ((Thorny) other).number == number;
        }

        @Override
        public int hashCode() {
            asked("hashCode");
            return 7;
        }

        @Override
        public int compareTo(Thorny other) {
            asked("compareTo");
            return Integer.compare(number, other.number);
        }

        @Override
        public int length() {
            asked("length");
            return 3;
        }

        @Override
        public char charAt(int index) {
            asked("charAt");
            return "foo".charAt(index);
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            asked("subSequence");
            return "foo".subSequence(from, to);
        }

        @Override
        public String toString() {
            asked("toString");
            return "foo";
        }

        @Override
        public int intValue() {
            asked("intValue");
            return number;
        }

        @Override
        public long longValue() {
            asked("longValue");
            return number;
        }

        @Override
        public float floatValue() {
            asked("floatValue");
            return number;
        }

        @Override
        public double doubleValue() {
            asked("doubleValue");
            return number;
        }
    }

    /** A day of its own. */
    static final class Day extends Date {
        private static final long serialVersionUID = 1L;

        Day(long moment) {
            super(moment);
        }

        @Override
        public long getTime() {
            asked("getTime");
            return super.getTime();
        }
    }

    private static void tell(String name, Supplier<Object> call) {
        ASKED.setLength(0);
        Object result;
        try {
            result = call.get();
        } catch (RuntimeException | StackOverflowError failure) {
            result = failure.getClass() + " " + failure.getMessage();
        }
        String text = String.valueOf(result);
        System.out.println(name + ": " + (text.length() > 300 ? "text " + text.hashCode() : text) + ", asked" + ASKED);
    }

    static void lists(String name, List<?> list) {
        tell(name + " contains", () -> list.contains("a"));
        tell(name + " contains all", () -> list.containsAll(Arrays.asList("a", "b")));
        tell(name + " in a list", () -> Arrays.asList("a", "b").containsAll(list));
        tell(name + " is empty", () -> list.isEmpty());
        tell(name + " index", () -> list.indexOf("a"));
        tell(name + " last index", () -> list.lastIndexOf("a"));
        tell(name + " get", () -> list.get(0));
        tell(name + " remove", () -> list.remove("b"));
        tell(name + " stream", () -> list.stream().anyMatch("a"::equals));
        tell(name + " matches", () -> list.stream().allMatch(Objects::nonNull));
        tell(name + " unmodifiable", () -> Collections.unmodifiableList(list).contains("a"));
        tell(name + " synchronized", () -> Collections.synchronizedCollection(list).isEmpty());
        tell(name + " part", () -> list.subList(0, 1).contains("a"));
        tell(name + " equals", () -> list.equals(Arrays.asList("a")));
        tell(name + " is equal", () -> Objects.equals(Arrays.asList("a"), list));
        tell(name + " value", () -> Collections.singletonMap("a", list).containsValue(Arrays.asList("a")));
        tell(name + " by reference", () -> reference(list::contains));
    }

    private static boolean reference(java.util.function.Predicate<Object> predicate) {
        return predicate.test("a");
    }

    static void objects(Thorny one, Thorny other) {
        tell("equals", () -> one.equals(other)); //: replace Foreign$Thorny.equals:false=1
        tell("equal", () -> Objects.equals(one, other));
        tell("a text", () -> one.equals("foo"));
        tell("by a text", () -> "foo".equals((Object) one));
        tell("order", () -> one.compareTo(other));
        tell("natural order", () -> natural(one, other));
        tell("in a list", () -> Arrays.asList(one, "a").contains(other));
        tell("in a set", () -> new HashSet<Object>(Arrays.asList(one, "a")).contains(other));
        tell("as a key", () -> Collections.singletonMap(one, "a").containsKey(other));
        tell("as a key of many", () -> new HashMap<Object, Object>(Collections.singletonMap(one, "a")).get(other));
        tell("as a value", () -> Collections.singletonMap("a", one).containsValue(other));
        tell("optional", () -> Optional.of(one).equals(Optional.of(other)));
        tell("content", () -> "foo".contentEquals(one));
        tell("part", () -> "foobar".contains(one));
        tell("pattern", () -> Pattern.compile("fo+").matcher(one).matches());
        tell("found", () -> Pattern.compile("o").matcher(one).find());
        tell("number", () -> Integer.valueOf(5).equals(one));
        tell("stream", () -> Arrays.asList(one, other).stream().noneMatch(one::equals));
        tell("removal", () -> new ArrayList<>(Arrays.asList(one, other)).removeIf(other::equals));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static int natural(Comparable one, Object other) {
        return one.compareTo(other);
    }

    static void days(Date day) {
        Date other = new Day(5);
        tell("before", () -> day.before(other));
        tell("after", () -> other.after(day));
        tell("same day", () -> day.equals(other));
        tell("order of days", () -> other.compareTo(day));
    }

    /** As of a client or a container. */
    static void proxies() {
        InvocationHandler handler = (proxy, method, arguments) -> {
            asked(method.getName());
            return method.getReturnType() == boolean.class ? (Object) false : method.getReturnType() == int.class ? (Object) 0 : null;
        };
        Class<?>[] types = {List.class, Map.class, Comparable.class};
        for (Class<?> type : types) {
            Object proxy = Proxy.newProxyInstance(Foreign.class.getClassLoader(), new Class<?>[] {type}, handler);
            tell("proxy equals", () -> proxy.equals("a"));
            tell("equal to a proxy", () -> Objects.equals("a", proxy));
            if (proxy instanceof List) {
                tell("proxy contains", () -> ((List<?>) proxy).contains("a"));
                tell("proxy is empty", () -> ((Collection<?>) proxy).isEmpty());
                tell("proxy get", () -> ((List<?>) proxy).get(3));
            } else if (proxy instanceof Map) {
                tell("proxy contains key", () -> ((Map<?, ?>) proxy).containsKey("a"));
                tell("proxy get", () -> ((Map<?, ?>) proxy).get("a"));
            } else {
                tell("order of a proxy", () -> natural((Comparable<?>) proxy, "a"));
            }
        }
    }

    /** Collections that contain themselves. */
    static void circles() {
        List<Object> list = new ArrayList<>();
        List<Object> other = new ArrayList<>();
        Map<Object, Object> map = new HashMap<>();
        Object[] array = new Object[1];
        list.add(list);
        other.add(other);
        map.put("self", map);
        array[0] = array;
        tell("circle contains a text", () -> list.contains("a"));
        tell("circle contains itself", () -> list.contains(list));
        tell("circle in another", () -> list.contains(other)); // overflows, as without probes
        tell("circles are equal", () -> list.equals(other));
        tell("circle contains all of itself", () -> list.containsAll(list));
        tell("circle of a map", () -> map.containsValue("a"));
        tell("circle of a map, itself", () -> map.containsValue(map));
        tell("circle of a map, another", () -> map.equals(new HashMap<>(map)));
        tell("circle of arrays", () -> Arrays.asList(array).contains("a"));
        tell("circle of arrays, itself", () -> Arrays.asList(array).contains(array));
    }

    /** Nothing where something is wanted. */
    static void nothing(List<Object> list, Map<Object, Object> map, Pattern pattern, Date day, Comparable<Object> order) {
        tell("no list", () -> list.containsAll(null));
        tell("no map", () -> map.getOrDefault(null, null));
        tell("no pattern", () -> pattern.matcher(null).matches());
        tell("no day", () -> day.before(null));
        tell("no order", () -> order.compareTo(null));
        tell("nothing in a list", () -> Arrays.asList("a", null).contains(null));
        tell("nothing in an array", () -> Arrays.asList((Object) null).indexOf(null));
        tell("all of nothing", () -> Arrays.asList("a").containsAll(null));
        tell("no key", () -> new java.util.TreeMap<Object, Object>().containsKey(null));
        tell("no text of a pattern", () -> Pattern.matches("a", null));
        tell("no pattern of a text", () -> "a".matches(null));
        tell("no enum", () -> Enum.valueOf(Thread.State.class, null));
        tell("no predicate", () -> Arrays.asList("a").stream().anyMatch(null));
        tell("nothing equals nothing", () -> Objects.equals(null, null));
    }

    /** Texts of ten million chars, and patterns that go back again and again. */
    static void huge() {
        char[] chars = new char[10_000_000];
        Arrays.fill(chars, 'a');
        String text = new String(chars);
        chars[9_999_999] = 'b';
        String other = new String(chars);
        tell("huge equal", () -> text.equals(other)); //: replace String.equals:true=0.5
        tell("huge in any case", () -> text.equalsIgnoreCase(other)); //: replace String.equalsIgnoreCase:true=0.5
        tell("huge begin", () -> text.startsWith(other));
        tell("huge end", () -> text.endsWith("ab"));
        tell("huge part", () -> other.contains("ab")); //: replace String.contains:true=1
        tell("huge char", () -> text.indexOf('z'));
        tell("huge order", () -> text.compareTo(other));
        tell("huge blank", () -> text.trim().isEmpty());
        tell("huge in a list", () -> Arrays.asList(text, "a").contains(other));
        tell("huge number", () -> Integer.parseInt(text));
        tell("huge date", () -> java.time.LocalDate.parse(text).toString());
        tell("huge pattern", () -> Pattern.matches("a*", text)); //: replace Pattern.matches:true=1
        tell("huge find", () -> Pattern.compile("ab").matcher(other).find());
        tell("huge expression", () -> "a".matches(other));
        tell("huge switch", () -> choice(text));
        String going = text.substring(0, 20) + "c";
        tell("catastrophe", () -> Pattern.matches("(a+)+b", going)); //: replace Pattern.matches:true=0.5
        tell("catastrophe found", () -> Pattern.compile("(a|aa)+$").matcher(going).find());
    }

    private static int choice(String text) {
        switch (text) { //: case "ab"=1.52587e-12
            case "ab":
                return 1;
            default:
                return 2;
        }
    }

    public static void run() {
        lists("lazy", new Lazy());
        lists("remote", new Remote("a", "b"));
        lists("remote of odd ones", new Remote(new Thorny(-1), null, "a"));
        objects(new Thorny(5), new Thorny(7));
        objects(new Thorny(-1), new Thorny(7));
        objects(new Thorny(7), new Thorny(-1));
        days(new Date(0));
        days(new Day(0));
        proxies();
        circles();
        nothing(null, null, null, null, null);
        nothing(new Remote(), new HashMap<>(), Pattern.compile("a"), new Day(0), other -> 0);
        huge();
    }
}
