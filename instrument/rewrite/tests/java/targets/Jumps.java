/** Conditional jumps on int and what is like it. */
class Jumps {
    static int lines(int x) {
        int y = x + 1; //: line=1
        if (y > 100) { //: line=1; then=0.0102041; else=1
            return y; //: line=0
        }
        return -y; //: line=1
    }

    static void integers(int x) { // 43
        if (x == 42) { //: then=0.5; else=1
            nop(); //: line=0
        }
        if (x != 42) { //: then=1; else=0.5
            nop(); //: line=1
        }
        if (x < 40) { //: then=0.2; else=1
            nop();
        }
        if (x <= 40) { //: then=0.25; else=1
            nop();
        }
        if (x > 43) { //: then=0.5; else=1
            nop();
        }
        if (x >= 40) { //: then=1; else=0.2
            nop();
        }
    }

    static void often() { // 50, 10,001 times 1000, 43: what was far for so long is measured no more; covered it still is
        for (int i = 0; i < 10_003; i++) {
            int x = i == 0 ? 50 : i < 10_002 ? 1000 : 43;
            if (x == 42) { //: then=0.111111; else=1
                nop();
            }
        }
        for (int i = 0; i < 10_003; i++) {
            int x = i == 0 ? 50 : i < 10_001 ? 1000 : i < 10_002 ? 43 : 42;
            if (x == 42) { //: then=1; else=1
                nop();
            }
        }
        for (int i = 0; i < 10_000; i++) {
            int x = i == 0 ? 50 : i < 9_999 ? 1000 : 43;
            if (x == 42) { //: then=0.5; else=1
                nop();
            }
        }
    }

    static void limits(int x) { // Integer.MIN_VALUE
        if (x == Integer.MAX_VALUE) { //: then=2.32831e-10; else=1
            nop();
        }
        if (x < 0) { //: then=1; else=4.6566e-10
            nop();
        }
    }

    static void zero(int x) { // 3
        if (x == 0) { //: then=0.25; else=1
            nop();
        }
        if (x < 0) { //: then=0.2; else=1
            nop();
        }
        if (x <= 0) { //: then=0.25; else=1
            nop();
        }
    }

    static void booleans(boolean one, boolean other) { // true, false
        if (one && other) { //: 0:then=1; 0:else=0.5; 1:then=0.5; 1:else=1
            nop();
        }
        if (one || other) { //: 0:then=0.5; 0:else=1; 1:then=0; 1:else=0
            nop(); //: line=1
        }
    }

    static void best(int x) { // 1, then 9, then 5: the nearest counts
        if (x == 10) { //: then=0.5; else=1
            nop();
        }
    }

    static int loop(int n) { // 3
        int sum = 0;
        for (int i = 0; i < n; i++) { //: then=1; else=1
            sum += i;
        }
        do {
            sum--;
        } while (sum > 0); //: then=1; else=1
        return sum;
    }

    static void nop() {
    }

    static void run() {
        System.out.println(lines(3));
        integers(43);
        often();
        limits(Integer.MIN_VALUE);
        zero(3);
        booleans(true, false);
        best(1);
        best(9);
        best(5);
        System.out.println(loop(3));
    }
}
