import java.util.Arrays;

/**
 * Numbers of stacks: exceptions whose stacks have the same number were thrown on the same way.
 *
 * <p>Until somebody asks for the elements of a stack, which takes long, the JVM keeps it in a form of its own: arrays of numbers and of
 * classes, in arrays. What these stand for is not to be known here. Where they hold the same, they say the same. Of a class the hash
 * of its identity is kept and not the class. Only the agent's thread comes here.
 */
final class Stacks {
    /** How many are kept; then all are forgotten. */
    private static final int MOST = 1024;

    /** Numbers that a stack is made of, at most. */
    private static final int LONGEST = 1 << 14;

    private static final int[][] KEPT = new int[2 * MOST][];
    private static final int[] NUMBERS = new int[2 * MOST];
    private static int kept;

    /** How many have a number. */
    private static int numbered;

    private static final int[] CONTENT = new int[LONGEST];
    private static int length;

    private Stacks() {
    }

    /** The number of a stack as the JVM keeps it; -1 for none, where it holds what is not known here. */
    public static int number(Object stack) {
        length = 0;
        if (!append(stack)) {
            return -1;
        }
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + CONTENT[i];
        }
        int place = (hash ^ hash >>> 16) & KEPT.length - 1;
        while (KEPT[place] != null) {
            if (isContent(KEPT[place])) {
                return NUMBERS[place];
            }
            place = place + 1 & KEPT.length - 1;
        }
        if (kept == MOST) {
            Arrays.fill(KEPT, null);
            kept = 0;
            place = (hash ^ hash >>> 16) & KEPT.length - 1;
        }
        kept++;
        KEPT[place] = Arrays.copyOf(CONTENT, length);
        // When it begins anew those that had the first ones are long forgotten.
        NUMBERS[place] = numbered++ & Integer.MAX_VALUE;
        return NUMBERS[place];
    }

    private static boolean isContent(int[] other) {
        if (other.length != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (other[i] != CONTENT[i]) {
                return false;
            }
        }
        return true;
    }

    /** Appends what a part of a stack holds; false when that is not known, or too much. */
    private static boolean append(Object part) {
        if (part instanceof Object[]) {
            Object[] parts = (Object[]) part;
            boolean isKnown = append(parts.length);
            for (int i = 0; i < parts.length && isKnown; i++) {
                isKnown = append(parts[i]);
            }
            return isKnown;
        }
        if (part instanceof short[]) {
            short[] numbers = (short[]) part;
            boolean isKnown = append(numbers.length);
            for (int i = 0; i < numbers.length && isKnown; i++) {
                isKnown = append(numbers[i]);
            }
            return isKnown;
        }
        if (part instanceof int[]) {
            int[] numbers = (int[]) part;
            boolean isKnown = append(numbers.length);
            for (int i = 0; i < numbers.length && isKnown; i++) {
                isKnown = append(numbers[i]);
            }
            return isKnown;
        }
        if (part instanceof long[]) {
            long[] numbers = (long[]) part;
            boolean isKnown = append(numbers.length);
            for (int i = 0; i < numbers.length && isKnown; i++) {
                isKnown = append((int) numbers[i]) && append((int) (numbers[i] >>> 32));
            }
            return isKnown;
        }
        return (part == null || part instanceof Class) && append(System.identityHashCode(part));
    }

    private static boolean append(int number) {
        if (length == LONGEST) {
            return false;
        }
        CONTENT[length++] = number;
        return true;
    }
}
