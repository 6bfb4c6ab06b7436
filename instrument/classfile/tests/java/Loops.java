import java.util.ArrayList;
import java.util.List;

/** One method per thing that a position can be said in. */
class Loops {
    static int loop(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) {
                continue;
            }
            sum += i;
        }
        return sum;
    }

    static int table(int n) {
        switch (n) {
            case 1: return 10;
            case 2: return 20;
            case 4: return 40;
            default: return 0;
        }
    }

    static int lookup(int n) {
        switch (n) {
            case -1000: return 1;
            case 1000000: return 2;
            default: return 3;
        }
    }

    static int text(String text) {
        switch (text) {
            case "Aa": return 1;
            case "BB": return 2;
            case "other": return 3;
            default: return 4;
        }
    }

    /** An uninitialised object stays on the stack over a jump. */
    static String nested(boolean first) {
        return new String(first ? "first" : "second");
    }

    static int handler(Object object) {
        try {
            return object.hashCode();
        } catch (NullPointerException exception) {
            return -1;
        } finally {
            loop(1);
        }
    }

    static long compare(long one, long other, double a, double b, float c, float d) {
        return one < other && a <= b || c > d ? one : other;
    }

    static synchronized List<String> collect(Iterable<? extends CharSequence> texts) {
        List<String> list = new ArrayList<>();
        for (CharSequence text : texts) {
            if (text instanceof String) {
                list.add((String) text);
            }
        }
        return list;
    }

    static Runnable lambda(int n) {
        return () -> System.out.println(n);
    }
}
