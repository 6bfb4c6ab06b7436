import java.util.concurrent.TimeUnit;

/** Switches over numbers, strings and enums. */
class Switches {
    static int table(int x) { // 3: no case, although in between
        switch (x) { //: case 1=0.333333; case 2=0.5; case 5=0.333333; default=1
            case 1: return 10;
            case 2: return 20;
            case 5: return 50;
            default: return 0; //: line=1
        }
    }

    static int lookup(int x) { // 1000, then -7
        switch (x) { //: case -10=0.25; case 1000=1; case 1000000=1.001e-6; default=1
            case -10: return 1;
            case 1000: return 2; //: line=1
            case 1000000: return 3;
        }
        return 4; //: line=1
    }

    static int limits(int x) { // Integer.MIN_VALUE
        switch (x) { //: case 2147483647=2.32831e-10; case 0=4.6566e-10; default=1
            case Integer.MAX_VALUE: return 1;
            case 0: return 2;
        }
        return 3;
    }

    /** 13, 10,003 times 1000, 11, 1: what was far for so long is measured no more; covered it still is. */
    static int often(int x) {
        switch (x) { //: case 1=1; case 10=0.25; case 100000=1.01009e-5; default=1
            case 1: return 1; //: line=1
            case 10: return 2;
            case 100000: return 3;
            default: return 4;
        }
    }

    /** "ad", 10,001 times "zz", "ab", "b". */
    static int often(String text) {
        switch (text) { //: case "aa"=0.25; case "b"=1; default=1
            case "aa": return 1;
            case "b": return 2; //: line=1
            default: return 3;
        }
    }

    static int outside(int x) { // -2147483648, 2147483647, 9
        switch (x) { //: case 3=0.142857; case 4=0.166667; case 5=0.2; default=1
            case 3: return 3;
            case 4: return 4;
            case 5: return 5;
            default: return 0;
        }
    }

    static int around(int x) { // -2147483648, 2147483647, 3
        switch (x) { //: case -1=0.2; case 0=0.25; case 1=0.333333; default=1
            case -1: return 1;
            case 0: return 2;
            case 1: return 3;
            default: return 4;
        }
    }

    /** "Aa" and "BB" have the same hash code. */
    static int text(String text) { // "Ab"
        switch (text) { //: case "Aa"=0.5; case "BB"=0.0294118; case "Abcd"=7.6293e-6; default=1
            case "Aa": return 1;
            case "BB": return 2;
            case "Abcd": return 3;
            default: return 4; //: line=1
        }
    }

    static int matched(String text) { // "BB"
        switch (text) { //: case "Aa"=0.030303; case "BB"=1; case ""=7.62934e-6; default=0.5
            case "Aa": return 1;
            case "BB": return 2; //: line=1
            case "": return 3;
            default: return 4;
        }
    }

    static int nullText(String text) {
        try {
            switch (text) { //: case "a"=0; default=0
                case "a": return 1;
                default: return 2;
            }
        } catch (NullPointerException exception) {
            return 3; //: line=1
        }
    }

    /** An enum of another file: javac numbers the constants anew, in the order of the cases. */
    static int unit(TimeUnit unit) { // DAYS
        switch (unit) { //: case 1=0.5; case 2=1; default=0.5
            case SECONDS: return 1;
            case DAYS: return 2; //: line=1
            default: return 3;
        }
    }

    /** More often than once, all cases. */
    static int all(int x) {
        switch (x) { //: case 0=1; case 1=1; default=1
            case 0: return 1;
            case 1: return 2;
            default: return 3;
        }
    }

    static void run() {
        System.out.println(table(3));
        System.out.println(lookup(1000) + lookup(-7));
        System.out.println(limits(Integer.MIN_VALUE));
        int sum = often(13);
        for (int i = 0; i < 10_003; i++) {
            sum += often(1000);
        }
        System.out.println(sum + often(11) + often(1));
        sum = often("ad");
        for (int i = 0; i < 10_001; i++) {
            sum += often("zz");
        }
        System.out.println(sum + often("ab") + often("b"));
        System.out.println(around(Integer.MIN_VALUE) + around(Integer.MAX_VALUE) + around(3));
        System.out.println(outside(Integer.MIN_VALUE) + outside(Integer.MAX_VALUE) + outside(9));
        System.out.println(text("Ab"));
        System.out.println(matched("BB"));
        System.out.println(nullText(null));
        System.out.println(unit(TimeUnit.DAYS));
        for (int i = 0; i < 10; i++) {
            System.out.println(all(i % 3) + all(i));
        }
    }
}
