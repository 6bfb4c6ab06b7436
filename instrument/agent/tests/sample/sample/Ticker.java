package sample;

/** Work that belongs to no request. */
final class Ticker {
    private static volatile long ticks;

    private Ticker() {
    }

    static void start() {
        Thread thread = new Thread(Ticker::run);
        thread.setDaemon(true);
        thread.start();
    }

    static long ticks() {
        return ticks;
    }

    /** What waits here is disturbed for sure. */
    static String untilNext() {
        long before = ticks;
        while (ticks < before + 2) {
            Thread.yield();
        }
        return "waited"; // waited
    }

    private static void run() {
        while (true) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException exception) {
                return;
            }
            tick();
        }
    }

    private static void tick() {
        if (ticks % 2 == 0) {
            ticks++;
        } else {
            ticks++;
        }
    }
}
