import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** Booleans that methods return, and the jumps on them: as far from the other side as the method was. */
class Flags {
    static void straight(int x) { // 43
        if (isAnswer(x)) { //: then=0.5; else=1
            nop();
        }
        if (!isAnswer(x)) { //: then=1; else=0.5
            nop();
        }
        if (isLarge(x, 50)) { //: then=0.111111; else=1
            nop();
        }
    }

    static void again() { // 1042 to 843, then 50, 200 times 1000, 43; the last is not asked any more
        for (int i = 0; i < 200; i++) {
            if (isAnswer(1042 - i)) { //: then=0.00124688; else=1
                nop();
            }
        }
        for (int i = 0; i < 202; i++) {
            int x = i == 0 ? 50 : i < 201 ? 1000 : 43;
            if (isAnswer(x)) { //: then=0.111111; else=1
                nop();
            }
        }
        for (int i = 0; i < 200; i++) {
            int x = i < 199 ? 1000 : 42;
            if (isAnswer(x)) { //: then=1; else=1
                nop();
            }
        }
    }

    static boolean isAnswer(int x) {
        return x == 42;
    }

    static boolean isLarge(int x, int limit) {
        if (x > limit) {
            return true;
        }
        return false;
    }

    /** One jump, but not all there is. */
    static void decided(int x, int[] numbers) { // 50, {1}
        if (isLogged(x)) { //: then=1; else=0.111111
            nop();
        }
        if (isSeventh(numbers, 0)) { //: then=0.142857; else=1
            nop();
        }
        if (isSeventh(numbers, 6)) { //: then=0.5; else=1
            nop();
        }
        if (isHeld(numbers)) { //: then=1; else=0.5
            nop();
        }
    }

    static boolean isLogged(int x) {
        if (x > 42) {
            isLarge(1, 1000);
            return true;
        }
        return false;
    }

    static boolean isSeventh(int[] numbers, int at) {
        try {
            return numbers[at] == 7;
        } catch (ArrayIndexOutOfBoundsException exception) {
            return false;
        }
    }

    static boolean isHeld(Object object) {
        return object != null;
    }

    static void connected(int x, int y) { // 43, 7
        if (both(x, y)) { //: then=9.53673e-7; else=1
            nop();
        }
        if (either(x, y)) { //: then=0.5; else=1
            nop();
        }
        if (neither(x, y)) { //: then=1; else=0.5
            nop();
        }
    }

    static boolean both(int x, int y) {
        return x == 42 && y == 7;
    }

    static boolean either(int x, int y) {
        return x == 42 || y == 10;
    }

    static boolean neither(int x, int y) {
        return !either(x, y);
    }

    static void chained(long x, double y) { // 1003, 1.5
        if (outer(x)) { //: then=0.25; else=1
            nop();
        }
        if (isHalf(y)) { //: then=0.5; else=1
            nop();
        }
    }

    static boolean outer(long x) {
        return inner(x);
    }

    static boolean inner(long x) {
        return x == 1000L;
    }

    static boolean isHalf(double y) {
        return y == 0.5;
    }

    static void texts(String text) { // "fop"
        if (isFoo(text)) { //: then=0.5; else=1
            nop();
        }
        if (isFooOrEmpty(text)) { //: then=0.5; else=1
            nop();
        }
        if (new Name("fop").equals(new Name("fox"))) { //: then=0.111111; else=1; replace Flags$Name.equals:true=0.111111
            nop();
        }
    }

    static boolean isFoo(String text) {
        return text.equals("foo");
    }

    static boolean isFooOrEmpty(String text) {
        return text.isEmpty() || "foo".equals(text);
    }

    static final class Name {
        private final String text;

        Name(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Name && text.equals(((Name) other).text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    static void streams(List<Integer> numbers) { // 10, 43, 50
        if (numbers.stream().anyMatch(x -> x == 42)) { //: then=0.5; else=1; replace Stream.anyMatch:true=0.5
            nop();
        }
        if (numbers.stream().allMatch(x -> x > 12)) { //: then=0.25; else=1; replace Stream.allMatch:true=0.25
            nop();
        }
        if (numbers.stream().noneMatch(x -> x == 50)) { //: then=0.5; else=1
            nop();
        }
        if (numbers.stream().noneMatch(x -> x == 47)) { //: then=1; else=0.25
            nop();
        }
    }

    static void functions(IntPredicate isOdd, Predicate<String> isShort) { // x -> x % 2 == 1 of 4; length < 3 of "abcde"
        if (isOdd.test(4)) { //: then=0.5; else=1
            nop();
        }
        if (isShort.test("abcde")) { //: then=0.25; else=1
            nop();
        }
    }

    /** What no method of the service tells is one step away. */
    static void silent(Object object) {
        if (object instanceof String) { //: then=0.5; else=1
            nop();
        }
        if (Thread.holdsLock(object)) { //: then=0.5; else=1
            nop();
        }
    }

    static void recursive(int n) { // 3
        if (reaches(n)) { //: then=0.5; else=1
            nop();
        }
    }

    static boolean reaches(int n) {
        return n == 0 ? isAnswer(43) : reaches(n - 1);
    }

    static boolean loops(int[] numbers) {
        for (int number : numbers) {
            if (number == 5) {
                return true;
            }
        }
        return false;
    }

    static void looped() {
        if (loops(new int[] {1, 7, 11})) { //: then=0.333333; else=1
            nop();
        }
    }

    private static void nop() {
    }

    public static void run() {
        straight(43);
        again();
        decided(50, new int[] {1});
        connected(43, 7);
        chained(1003, 1.5);
        texts("fop");
        streams(Arrays.asList(10, 43, 50));
        functions(x -> x % 2 == 1, text -> text.length() < 3);
        silent(new Object());
        recursive(3);
        looped();
        System.out.println("done");
    }
}
