package server;

import java.util.regex.Pattern;

/** A library that looks at texts. */
public final class Words {
    private static final Pattern TIME = Pattern.compile("[0-9]{2}:[0-9]{2}");

    private Words() {
    }

    /** Is at work for a while. */
    public static void learn() {
        long end = System.nanoTime() + 700_000_000L;
        while (System.nanoTime() < end) {
            isTime("12:00");
        }
    }

    /** Whether a text names a time of day. */
    public static boolean isTime(String text) {
        return text.equals("noon") || TIME.matcher(text).matches();
    }
}
