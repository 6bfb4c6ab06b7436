import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Prints how long the distance of 100 chars to an expression of about 50 instructions takes, in microseconds
 * of processor time.
 *
 * <p>{@code javac -cp ../../../java -d /tmp Timing.java && java -cp ../../../java:/tmp Timing}, in this folder.
 */
public final class Timing {
    private static final String ADDRESS = "[a-z0-9._-]+@([a-z0-9-]+\\.)+(com|org|net|example|invalid|local|academy)";

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    public static void main(String[] args) {
        StringBuilder text = new StringBuilder();
        while (text.length() < 100) {
            text.append("lorem ipsum dolor sit amet");
        }
        text.setLength(100);
        for (int how = Distances.MATCHES; how <= Distances.FIND; how++) {
            System.out.println(Arrays.asList("matches", "lookingAt", "find").get(how) + " " + microseconds(text.toString(), how));
        }
    }

    /** The median of rounds of a hundred, after as many to warm up. */
    private static double microseconds(String text, int how) {
        double[] rounds = new double[400];
        float sum = 0;
        for (int round = 0; round < 2 * rounds.length; round++) {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < 100; i++) {
                sum += Distances.matches(ADDRESS, text, how);
            }
            rounds[round % rounds.length] = (THREADS.getCurrentThreadCpuTime() - start) / 1e5;
        }
        if (sum < 0) {
            throw new AssertionError();
        }
        Arrays.sort(rounds);
        return rounds[rounds.length / 2];
    }
}
