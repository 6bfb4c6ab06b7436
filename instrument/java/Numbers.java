/** Texts of whole numbers, and numbers that must lie in the ranges of a calendar. */
public final class Numbers {
    /** Below this, an unsigned long holds every digit. */
    private static final double EXACT = 1.8e19;

    private Numbers() {
    }

    /** A whole number in this radix and range; without range when low is above high. */
    static float integer(String text, int radix, long low, long high) {
        if (text == null || radix < 2 || radix > 36) {
            return Distances.UNKNOWN;
        }
        int n = text.length();
        if (n == 0) {
            return Distances.MISSING;
        }
        char first = text.charAt(0);
        long sum = 0;
        int from = 0;
        if (n > 1 && digit(first, radix) != 0) {
            int sign = Math.min(Math.abs(first - '-'), Math.abs(first - '+'));
            sum = Math.min(sign, digit(first, radix));
            from = 1;
        }
        return rest(text, from, radix, sum, first == '-', low, high);
    }

    /** As {@code Integer.decode}: a sign, then 0x, 0X, # or 0 for another radix. */
    static float decode(String text, long low, long high) {
        if (text == null) {
            return Distances.UNKNOWN;
        }
        int n = text.length();
        char first = n == 0 ? '0' : text.charAt(0);
        int from = first == '-' || first == '+' ? 1 : 0;
        int radix = 10;
        if (text.startsWith("0x", from) || text.startsWith("0X", from)) {
            radix = 16;
            from += 2;
        } else if (text.startsWith("#", from)) {
            radix = 16;
            from++;
        } else if (text.startsWith("0", from) && n > from + 1) {
            radix = 8;
            from++;
        }
        if (from == 0) {
            return integer(text, 10, low, high);
        }
        // A sign alone is as near to a number as a char of another kind.
        if (from == n && radix == 10) {
            return digit(first, 10);
        }
        return from == n ? Distances.MISSING : rest(text, from, radix, 0, first == '-', low, high);
    }

    /** The distance of the chars from here on to digits, or, of a number, to the range. */
    private static float rest(String text, int from, int radix, long sum, boolean negative, long low, long high) {
        int n = Math.min(text.length(), Distances.LOOK);
        double value = 0;
        long exact = 0;
        for (int i = from; i < n; i++) {
            char c = text.charAt(i);
            sum += digit(c, radix);
            int digit = Math.max(Character.digit(c, radix), 0);
            value = value * radix + digit;
            exact = exact * radix + digit;
        }
        if (sum > 0 || low > high) {
            return sum == 0 && n < text.length() ? Distances.UNSURE : sum;
        }
        if (value < EXACT) {
            return magnitude(exact, negative, low, high);
        }
        return Distances.narrow(value - (negative ? -(double) low : (double) high));
    }

    /** The distance of a number without its sign, which is read as unsigned, to the range, which holds 0. */
    private static float magnitude(long magnitude, boolean negative, long low, long high) {
        long bound = negative ? -low : high;
        if (Long.compareUnsigned(magnitude, bound) <= 0) {
            return 0;
        }
        long beyond = magnitude - bound;
        return beyond > 0 ? beyond : 2 * (float) (beyond >>> 1);
    }

    /** How far a char is from a digit; digits of other scripts count. */
    static int digit(char c, int radix) {
        if (Character.digit(c, radix) >= 0) {
            return 0;
        }
        int best = range(c, '0', Math.min('9', '0' + radix - 1));
        if (radix > 10) {
            best = Math.min(best, Math.min(range(c, 'a', 'a' + radix - 11), range(c, 'A', 'A' + radix - 11)));
        }
        return best;
    }

    private static int range(int c, int low, int high) {
        return c < low ? low - c : c > high ? c - high : 0;
    }

    /** A day of the calendar: how far month and day are from their ranges; the year from what dates can say. */
    static float date(int year, int month, int day) {
        int days = month == 2 ? leap(year) ? 29 : 28 : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
        long outside = Distances.outside(year, -999_999_999, 999_999_999);
        return outside + Distances.outside(month, 1, 12) + Distances.outside(day, 1, days);
    }

    private static boolean leap(int year) {
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    }

    /** A time of the day. */
    static float time(int hour, int minute, int second, int nano) {
        long outside = Distances.outside(hour, 0, 23) + Distances.outside(minute, 0, 59);
        return outside + Distances.outside(second, 0, 59) + Distances.outside(nano, 0, 999_999_999);
    }
}
