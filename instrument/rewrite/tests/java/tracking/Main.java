package tracked;

import restive.Tracking;

/** Tells what each use gives, and what was told of it while its text was tracked. */
public final class Main {
    private Main() {
    }

    public static void main(String[] uses) {
        for (String use : uses) {
            String untracked = result(use, "tracked value");
            String told = Tracking.take();
            Tracking.track((char) 13 + "tracked value" + (char) 3 + "abc" + (char) 14 + "restive-key:/a");
            String tracked = result(use, "tracked value");
            told += Tracking.take();
            String after = result(use, "tracked value");
            told += Tracking.take();
            System.out.println(use + ": " + untracked + (tracked.equals(untracked) && after.equals(untracked) ? "" : " DIFFERS"));
            StringBuilder hints = new StringBuilder();
            for (int at = 0; at < told.length();) {
                int length = told.charAt(at + 1);
                String value = told.substring(at + 2, at + 2 + length);
                int operand = at + 2 + length;
                hints.append("  ").append((int) told.charAt(at)).append(' ').append(value).append(": ");
                at = operand + 1 + told.charAt(operand);
                hints.append(told, operand + 1, at).append('\n');
            }
            System.out.print(hints);
        }
    }

    private static String result(String use, String text) {
        try {
            return String.valueOf(Uses.of(use, text));
        } catch (Throwable failure) {
            return failure.toString();
        }
    }
}
