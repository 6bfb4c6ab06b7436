import java.util.Arrays;

/** A set of code points, while a regular expression is read. */
public final class Ranges {
    static final int LAST = 0x10ffff;

    /** Categories and cases are only looked up below this: the first two planes. */
    private static final int LOOKED_UP = 0x20000;

    /** With more ranges than these, insertion is no way to sort them. */
    private static final int FEW = 64;

    /** What from 128 up in the first plane has another case, upper case, and its lower case; null until it is asked for. */
    private static int[][] cases;

    /** Ascending, not touching, after {@link #tidy}: first and last of each range. */
    int[] bounds = new int[8];

    /** How many entries of {@link #bounds} count. */
    int n;

    Ranges add(int first, int last) {
        if (n + 2 > bounds.length) {
            int[] longer = new int[bounds.length * 2];
            System.arraycopy(bounds, 0, longer, 0, n);
            bounds = longer;
        }
        bounds[n++] = first;
        bounds[n++] = last;
        return this;
    }

    Ranges addAll(Ranges other) {
        for (int i = 0; i < other.n; i += 2) {
            add(other.bounds[i], other.bounds[i + 1]);
        }
        return this;
    }

    /** Sorts the ranges and joins those that touch. */
    Ranges tidy() {
        if (n > 2 * FEW) {
            sort();
        }
        for (int i = 2; i < n; i += 2) {
            int first = bounds[i];
            int last = bounds[i + 1];
            int at = i;
            for (; at > 0 && bounds[at - 2] > first; at -= 2) {
                bounds[at] = bounds[at - 2];
                bounds[at + 1] = bounds[at - 1];
            }
            bounds[at] = first;
            bounds[at + 1] = last;
        }
        int kept = 0;
        for (int i = 0; i < n; i += 2) {
            if (kept > 0 && bounds[i] <= bounds[kept - 1] + 1) {
                bounds[kept - 1] = Math.max(bounds[kept - 1], bounds[i + 1]);
            } else {
                bounds[kept] = bounds[i];
                bounds[kept + 1] = bounds[i + 1];
                kept += 2;
            }
        }
        n = kept;
        return this;
    }

    /** By their first code points. */
    private void sort() {
        long[] ranges = new long[n / 2];
        for (int i = 0; i < ranges.length; i++) {
            ranges[i] = (long) bounds[2 * i] << 32 | bounds[2 * i + 1];
        }
        Arrays.sort(ranges);
        for (int i = 0; i < ranges.length; i++) {
            bounds[2 * i] = (int) (ranges[i] >> 32);
            bounds[2 * i + 1] = (int) ranges[i];
        }
    }

    /** All others. */
    Ranges negate() {
        tidy();
        Ranges others = new Ranges();
        int next = 0;
        for (int i = 0; i < n; i += 2) {
            if (bounds[i] > next) {
                others.add(next, bounds[i] - 1);
            }
            next = bounds[i + 1] + 1;
        }
        if (next <= LAST) {
            others.add(next, LAST);
        }
        return others;
    }

    /** Those of both. */
    Ranges intersect(Ranges other) {
        return negate().addAll(other.negate()).negate();
    }

    /** With the other cases, as far as {@code CASE_INSENSITIVE} goes: of ASCII only, or of all with {@code UNICODE_CASE}. */
    Ranges cased(boolean unicode) {
        tidy();
        int own = n;
        for (int i = 0; i < own; i += 2) {
            addCases(bounds[i], bounds[i + 1], 'A', 'Z', 32);
            addCases(bounds[i], bounds[i + 1], 'a', 'z', -32);
        }
        tidy();
        return unicode ? folded() : this;
    }

    private void addCases(int first, int last, int low, int high, int by) {
        int from = Math.max(first, low);
        int to = Math.min(last, high);
        if (from <= to) {
            add(from + by, to + by);
        }
    }

    /** With every char of which one case is in. */
    private Ranges folded() {
        Ranges more = new Ranges();
        int[][] known = cases();
        for (int i = 0; i < known[0].length; i++) {
            int upper = known[1][i];
            int lower = known[2][i];
            if (contains(upper) || contains(lower)) {
                more.add(known[0][i], known[0][i]);
            }
            if (contains(known[0][i])) {
                more.add(upper, upper).add(lower, lower);
            }
        }
        more.tidy();
        return addAll(more).tidy();
    }

    private static int[][] cases() {
        int[][] known = cases;
        if (known == null) {
            known = new int[3][0x10000];
            int n = 0;
            for (int c = 128; c < 0x10000; c++) {
                known[0][n] = c;
                known[1][n] = Character.toUpperCase(c);
                known[2][n] = Character.toLowerCase(known[1][n]);
                n += known[1][n] != c || known[2][n] != c ? 1 : 0;
            }
            for (int i = 0; i < known.length; i++) {
                known[i] = Arrays.copyOf(known[i], n);
            }
            cases = known;
        }
        return known;
    }

    boolean contains(int c) {
        return distance(bounds, 0, n, c) == 0;
    }

    /** How far a code point is from the nearest of the ranges in bounds from here to there; {@code MAX_VALUE} of none. */
    static int distance(int[] bounds, int from, int to, int c) {
        int low = from;
        int high = to;
        // The first range whose last is not below c.
        while (low < high) {
            int middle = (low + high >>> 2 << 1) + (from & 1);
            if (bounds[middle + 1] < c) {
                low = middle + 2;
            } else {
                high = middle;
            }
        }
        int best = Integer.MAX_VALUE;
        if (low < to) {
            best = bounds[low] <= c ? 0 : bounds[low] - c;
        }
        if (low > from) {
            best = Math.min(best, c - bounds[low - 1]);
        }
        return best;
    }

    /** Those whose general category is one of a mask, bits as {@code Character.getType}. */
    static Ranges ofTypes(int mask) {
        Ranges found = new Ranges();
        for (int c = 0; c < LOOKED_UP; c++) {
            if ((mask >>> Character.getType(c) & 1) != 0) {
                int first = c;
                while (c + 1 < LOOKED_UP && (mask >>> Character.getType(c + 1) & 1) != 0) {
                    c++;
                }
                found.add(first, c);
            }
        }
        return found;
    }
}
