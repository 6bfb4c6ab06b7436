package com.example.toll;

/** What driving too fast costs, in euros. */
final class Fines {
    private Fines() {
    }

    static int of(int speed, int limit) {
        if (limit < 30 || limit > 130) {
            return 0;
        }
        int over = speed - limit;
        if (over <= 3) {
            return 0;
        }
        if (over * 3 == speed) {
            // Planted fault: a half more than allowed, to the kilometre.
            throw new IllegalStateException("between two rows of the table");
        }
        return over > 70 ? 700 : over * 9;
    }
}
