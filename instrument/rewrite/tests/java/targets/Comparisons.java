/** Comparisons of long, float and double, which reach a jump as -1, 0 or 1. */
class Comparisons {
    static void longs(long x) { // 5000000043
        if (x == 5000000040L) { //: then=0.25; else=1
            nop();
        }
        if (x > 5000000050L) { //: then=0.111111; else=1
            nop();
        }
        if (x <= 5000000042L) { //: then=0.5; else=1
            nop();
        }
    }

    /** 50, 10,001 times 1000, 43: what was far for so long is measured no more from this side; from the other it is, or covered. */
    static void often() {
        for (int i = 0; i < 10_003; i++) {
            long x = i == 0 ? 50 : i < 10_002 ? 1000 : 43;
            if (x == 42L) { //: then=0.111111; else=1
                nop();
            }
        }
        for (int i = 0; i < 10_003; i++) {
            double x = i == 0 ? 50 : i < 10_002 ? 1000 : 41.5;
            if (x == 42) { //: then=0.666667; else=1
                nop();
            }
        }
        for (int i = 0; i < 10_003; i++) {
            long x = i < 10_002 ? 1000 : 42;
            if (x == 42L) { //: then=1; else=1
                nop();
            }
        }
        for (int i = 0; i < 10_000; i++) {
            Long x = i == 0 ? 50L : i < 9_999 ? 1000L : 43L;
            if (x.compareTo(42L) == 0) { //: then=0.5; else=1
                nop();
            }
        }
    }

    static void limits(long x) { // Long.MIN_VALUE
        if (x == Long.MAX_VALUE) { //: then=5.42101e-20; else=1
            nop();
        }
        if (x < Long.MAX_VALUE) { //: then=1; else=5.42101e-20
            nop();
        }
    }

    static void doubles(double x) { // 1.5
        if (x == 2.5) { //: then=0.5; else=1
            nop();
        }
        if (x < 1.0) { //: then=0.4; else=1
            nop();
        }
        if (x >= 1.5) { //: then=1; else=0.5
            nop();
        }
    }

    static void floats(float x) { // 1.5f
        if (x > 4.5f) { //: then=0.2; else=1
            nop();
        }
        if (x != 1.5f) { //: then=0.5; else=1
            nop();
        }
    }

    static void notNumbers(double x) { // NaN: no comparison holds, in either direction
        if (x > 1) { //: then=2.9387e-39; else=1
            nop(); //: line=0
        }
        if (x < 1) { //: then=2.9387e-39; else=1
            nop(); //: line=0
        }
        if (x == x) { //: then=2.9387e-39; else=1
            nop(); //: line=0
        }
        if (!(x >= 1)) { //: line=1
            nop(); //: line=1
        }
    }

    static void infinite(double x) { // infinity
        if (x == Double.POSITIVE_INFINITY) { //: then=1; else=0.5
            nop(); //: line=1
        }
        if (x < 0) { //: then=2.9387e-39; else=1
            nop();
        }
    }

    /** The result is used as a value. */
    static int sign(long a, long b) {
        return Long.compare(a, b) + (a < b ? 10 : 20); //: then=0.25; else=1
    }

    static void nop() {
    }

    static void run() {
        longs(5000000043L);
        often();
        limits(Long.MIN_VALUE);
        doubles(1.5);
        floats(1.5f);
        notNumbers(Double.NaN);
        infinite(Double.POSITIVE_INFINITY);
        System.out.println(sign(5, 3));
    }
}
