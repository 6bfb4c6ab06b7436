package sample;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks a server that is not there, again and again. */
final class Poller {
    private static volatile int tries;

    private Poller() {
    }

    /** Sleeps that many milliseconds between two tries; returns while it does. */
    static void start(int pause) {
        Thread thread = new Thread(() -> run(pause));
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
    }

    /** The same by a pool, which waits elsewhere. */
    static void schedule(int pause) {
        ScheduledExecutorService pool = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        });
        pool.scheduleWithFixedDelay(Poller::tryOnce, pause, pause, TimeUnit.MILLISECONDS);
    }

    private static void tryOnce() {
        try {
            ask();
        } catch (IllegalStateException refused) {
            tries++;
        }
    }

    private static void run(int pause) {
        while (true) {
            try {
                Thread.sleep(pause);
                ask();
            } catch (IllegalStateException refused) {
                continue;
            } catch (InterruptedException exception) {
                return;
            }
        }
    }

    private static void ask() {
        throw new IllegalStateException("nobody is there");
    }
}
