/** What must not have probes in the test of the kill switch. */
public class Killer {
    public static void join(Thread[] threads) throws InterruptedException {
        for (int i = 0; i < threads.length; i++) {
            threads[i].join(10_000);
            if (threads[i].isAlive()) {
                throw new IllegalStateException("loop " + i + " goes on");
            }
        }
    }

    public static void note(Error error) {
        if (!error.getMessage().startsWith("restive: the request was stopped")) {
            throw error;
        }
    }
}
