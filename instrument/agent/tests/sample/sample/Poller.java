package sample;

/** Asks a server that is not there, again and again. */
final class Poller {
    private Poller() {
    }

    static void start() {
        Thread thread = new Thread(Poller::run);
        thread.setDaemon(true);
        thread.start();
    }

    private static void run() {
        while (true) {
            try {
                Thread.sleep(2);
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
