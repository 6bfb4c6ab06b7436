/** The classes of chars that {@code Character.isX} tells. */
public final class Characters {
    public static final int DIGIT = 0;
    public static final int LETTER = 1;
    public static final int LETTER_OR_DIGIT = 2;
    public static final int UPPER_CASE = 3;
    public static final int LOWER_CASE = 4;
    public static final int WHITESPACE = 5;
    public static final int ALPHABETIC = 6;
    public static final int SPACE_CHAR = 7;
    public static final int ISO_CONTROL = 8;

    /** How far away a member is looked for; from farther it is the nearest of ASCII. */
    private static final int NEAR = 512;

    /** Of each kind the last member in ASCII. */
    private static final String LAST = "9zzZz z \177";

    private Characters() {
    }

    static float distance(int kind, int c) {
        if (kind < 0 || kind > ISO_CONTROL || c < 0 || c > Ranges.LAST) {
            return Distances.UNKNOWN;
        }
        if (is(kind, c)) {
            return 0;
        }
        for (int i = 1; i <= NEAR; i++) {
            if (is(kind, c - i) || is(kind, c + i)) {
                return i;
            }
        }
        // All that is farther from any member lies above ASCII.
        return c - LAST.charAt(kind);
    }

    private static boolean is(int kind, int c) {
        switch (kind) {
            case DIGIT:
                return Character.isDigit(c);
            case LETTER:
                return Character.isLetter(c);
            case LETTER_OR_DIGIT:
                return Character.isLetterOrDigit(c);
            case UPPER_CASE:
                return Character.isUpperCase(c);
            case LOWER_CASE:
                return Character.isLowerCase(c);
            case WHITESPACE:
                return Character.isWhitespace(c);
            case ALPHABETIC:
                return Character.isAlphabetic(c);
            case SPACE_CHAR:
                return Character.isSpaceChar(c);
            default:
                return Character.isISOControl(c);
        }
    }
}
