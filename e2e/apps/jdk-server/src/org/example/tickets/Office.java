package org.example.tickets;

/** The rules of the office; each answers with a status. */
final class Office {
    private Office() {
    }

    static int discount(int code) {
        if (code < 0) {
            return 400;
        }
        if (code == 48_271) {
            return 418;
        }
        return 200;
    }

    static int seat(int row, int seat) {
        if (row > 2_000) {
            if (3L * row - 7L * seat == 1_000L) {
                return 418;
            }
            return 202;
        }
        return 200;
    }

    static int share(int sum, int among) {
        return sum / among >= 0 ? 200 : 202;
    }

    static int close(int hour) {
        if (hour == 24) {
            System.exit(3);
        }
        return hour >= 0 && hour < 24 ? 200 : 400;
    }

    static int loop(int times) {
        int rounds = 0;
        while (rounds != times && times >= -1) {
            rounds = rounds == 100_000 ? 0 : rounds + 1;
            if (times >= 0 && rounds >= 1_000) {
                break;
            }
        }
        return times < -1 ? 400 : 200;
    }
}
