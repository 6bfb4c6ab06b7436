/** Loops of every shape, each of which a kill must end. */
class Endless {
    static volatile int count;

    static void empty() {
        while (true) {
        }
    }

    static void counting() {
        while (true) {
            count++;
        }
    }

    static void conditional() {
        while (count >= 0 || count < 0) {
            count++;
        }
    }

    static void repeating() {
        do {
            count++;
        } while (count != count + 1);
    }

    static void catching() {
        while (true) {
            try {
                if (count++ < -5) {
                    return;
                }
            } finally {
                count--;
            }
        }
    }

    static void longs(long n) {
        for (long i = 0; i <= n; i = i * 2 % 7) {
        }
    }

    static void switching() {
        while (true) {
            switch (count++ & 1) {
                case 0: continue;
                default: count += 2;
            }
        }
    }

    /** No loop, and both sides of its jump are soon covered. */
    static int recurring(int n) {
        return n < 2 ? n : recurring(n - 1) + recurring(n - 2);
    }

    static void run() throws Exception {
        if (!Exits.beginsAction()) {
            System.out.println("all loops ended");
            return;
        }
        Class<?> probes = Class.forName("restive.Probes");
        Runnable[] loops = { Endless::empty, Endless::counting, Endless::conditional, Endless::repeating, Endless::catching,
            () -> longs(Long.MAX_VALUE), Endless::switching, () -> recurring(100) };
        Thread[] threads = new Thread[loops.length];
        for (int i = 0; i < loops.length; i++) {
            threads[i] = new Thread(new Guard(loops[i]));
            threads[i].setDaemon(true);
            threads[i].start();
        }
        Thread.sleep(100);
        probes.getMethod("kill").invoke(null);
        Killer.join(threads);
        probes.getMethod("begin").invoke(null);
        System.out.println("all loops ended");
    }

    /** Not killed itself, for it neither jumps nor loops. */
    static class Guard implements Runnable {
        final Runnable loop;

        Guard(Runnable loop) {
            this.loop = loop;
        }

        @Override
        public void run() {
            try {
                loop.run();
            } catch (Error killed) {
                Killer.note(killed);
            }
        }
    }
}
