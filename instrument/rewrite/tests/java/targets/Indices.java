/** Accesses of arrays: how far each index was from being one. */
class Indices {
    enum Colour { RED, GREEN }

    static void loads(int[] ints, String[] texts, int three) { // {1, 2}, {"a"}, 3
        print(ints[1]); //: returns []=1; throws []=0.5
        print(fails(() -> print(ints[three]))); //: returns []=0.333333; throws []=1
        print(fails(() -> print(ints[-three]))); //: returns []=0.25; throws []=1
        print(fails(() -> print(texts[three + 2]))); //: returns []=0.166667; throws []=1
        print("a,b".split(",")[1]); //: returns []=1; throws []=0.5
        print(new long[] {5, 6}[1] + new double[][] {{1.5}}[0][0]); //: 0:returns []=1; 2:returns []=1
        print(new boolean[] {true}[0] && new byte[] {4}[0] == 4); //: 0:returns []=1; 1:returns []=1
        print(new char[] {'c'}[0] + new short[] {4}[0] + new float[] {1}[0]); //: 0:returns []=1; 1:returns []=1; 2:returns []=1
        int[] none = null;
        print(fails(() -> print(none[0]))); //: returns []=0.5; throws []=1
    }

    static void stores(long[] longs, Object[] objects, boolean[] flags, int four) { // {0, 0}, String {null}, {false}, 4
        longs[1] = 7; //: returns []==1; throws []==0.5
        print(fails(() -> longs[four] = 8)); //: returns []==0.25; throws []==1
        objects[0] = "a"; //: returns []==1
        print(fails(() -> objects[0] = 5)); //: returns []==1
        flags[0] = true; //: returns []==1
        print(fails(() -> flags[four]  = flags[0])); //: returns []==0.2
        longs[0] += 3; //: returns []=1; returns []==1
        print(longs[0]++ + longs[1] + " " + objects[0] + flags[0]);
    }

    /** What cannot throw has no probe. */
    static int safe(Colour colour) {
        int sum = 0;
        for (int number : new int[] {1, 2, 3}) {
            sum += number;
        }
        switch (colour) {
            case RED:
                return sum;
            default:
                return -sum;
        }
    }

    static String fails(Runnable runnable) {
        try {
            runnable.run();
            return "no exception";
        } catch (RuntimeException exception) {
            return exception.toString();
        }
    }

    private static void print(Object value) {
        System.out.println(value);
    }

    public static void run() {
        loads(new int[] {1, 2}, new String[] {"a"}, 3);
        stores(new long[2], new String[1], new boolean[1], 4);
        print(safe(Colour.RED) + safe(Colour.GREEN));
    }
}
