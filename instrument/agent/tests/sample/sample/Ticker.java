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
        return "waited";
    }

    private static void run() {
        while (true) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException exception) {
                return;
            }
            tick();
            if (ticks % 5 == 0) {
                fail();
            }
        }
    }

    /** As one that polls a server that is not there. */
    private static void fail() {
        try {
            refuse();
        } catch (IllegalStateException refused) {
            ticks++;
        }
    }

    private static void refuse() {
        throw new IllegalStateException("nobody is there");
    }

    private static void tick() {
        if (ticks % 2 == 0) {
            ticks++;
        } else {
            ticks++;
        }
    }
}
