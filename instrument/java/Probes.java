import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the probes in a service report to.
 *
 * <p>It is renamed into {@code java.lang} before it is defined, so that every class loader finds it. It must be inert: no
 * allocation, no lock, no call of anything but {@code String.charAt}, {@code String.length} and what {@link #stop},
 * {@link #exit} and {@link #note} do, and no exception but the two signals. An agent reads and writes the fields; see
 * {@code instrument/rewrite/README.md}.
 *
 * <p>Compilers of HotSpot take a method into the one that calls it where it has at most 35 bytes, and the quick one only
 * where it needs at most 4 places for operands and locals that are no parameters. What stands in the service is kept below
 * both; what that calls is above, or each place would have it. The other compiler takes no method of an exception in.
 *
 * <p>Cells: 0 is not reached, {@link #COVERED} covered, between them {@code COVERED - floatToRawIntBits(distance)}: the
 * nearer, the higher. Two threads that write the same cell may lose the better value; the next execution brings it again.
 */
public final class Probes {
    /** How many targets there is room for. The number is written over when the class is defined. */
    private static final int CAPACITY = 0x52535456;

    static final int COVERED = 0x7fffffff;

    /** One per target of a jump or switch. */
    public static final int[] CELLS = new int[CAPACITY];

    /**
     * One per target: 1 covered (lines; cases of a switch whose distances to the others are all in their cells; sides of jumps
     * that are {@link #SETTLED}), 2 a call that has not returned, 3 a call that has; {@link #RESTING}; from {@link #LESS} on
     * orders of a comparison; below 0 how often a side of a jump, a comparison or a default was measured in vain, see
     * {@link #isWorthwhile}. No bytes, for what is stored as one may go to an array of booleans, which a quick compiler and an
     * interpreter look at each time.
     */
    public static final short[] MARKS = new short[CAPACITY];

    /** One per target: {@link #round} of the last action while which a background thread came to it. */
    public static final byte[] NOISE = new byte[CAPACITY];

    /** The line target that was executed last by any thread; -1 none. */
    public static int last = -1;

    /**
     * The line target that was executed last by a thread that is none of {@link #BACKGROUND}, as far as its method has ended;
     * -1 none. Only kept in the mode {@link #WATCH}.
     */
    public static int lastOwn = -1;

    static final int RUN = 0;
    private static final int OBSERVE = 1;
    private static final int KILL = 2;
    private static final int WATCH = 3;

    /**
     * What probes are to do beside recording: nothing, find out background threads while no action runs, end the work of an
     * action, or tell background threads from those that work for the action.
     */
    public static volatile int mode = RUN;

    /**
     * Whether {@link #mode} is not {@link #RUN}, for probes that come again soon. A compiler may read it once in front of a
     * loop, therefore each loop has a probe that reads the mode itself; see {@link #loop}.
     */
    static boolean attentive;

    private static final int THREADS = 64;

    /** Threads that work for no request; the first {@link #backgrounds} entries count. */
    private static final Thread[] BACKGROUND = new Thread[THREADS];

    /** How many entries of {@link #BACKGROUND} count. */
    public static int backgrounds;

    /** Changes with each action, from 1 on. */
    public static int round = 1;

    /** How many rounds there are before marks of the first come back. */
    private static final int ROUNDS = 100;

    /** Threads that came to a probe while no action ran, and when. */
    private static final Thread[] SUSPECTS = new Thread[THREADS];
    private static final long[] SUSPECTED = new long[THREADS];
    private static int suspects;

    /** The time from which on no thread tidies up after an answer any more. */
    private static long quietFrom;

    /** How long a thread may tidy up after an answer. */
    private static final long TIDYING = 30_000_000;

    /** How long after it was suspected a thread must come to a probe again to be a background thread. */
    private static final long AGAIN = 20_000_000;

    /** Threads to be stopped; none means all that are none of {@link #BACKGROUND}. */
    private static final Thread[] WORKERS = new Thread[THREADS];
    private static int workers;

    /** All threads at the time of {@link #stacks}. */
    private static Thread[] threads;

    /** 1 once an action has begun: until then a JVM ends where its service wants that, as one that only builds another does. */
    public static volatile int atWork;

    /** How many calls that would have ended the JVM were stopped. */
    public static int exits;

    /** The status of the last of them. */
    public static int exitCode;

    /** How many exceptions are kept. */
    private static final int SLOTS = 16;

    /** Exceptions of the service; behind them where it tried to end its JVM, and where the first thread was stopped. */
    public static final Throwable[] THROWN = new Throwable[SLOTS + 2];

    /** For each of these, {@link #last} at the time when it was seen first. */
    public static final int[] THROWN_AT = new int[SLOTS + 2];

    /** For each of these, what was seen of it last: {@link #LEFT} or {@link #CAUGHT}, with {@link #NOISY} or without. */
    public static final int[] FATES = new int[SLOTS + 2];

    /** For each of these, the thread that threw it. */
    private static final Thread[] THROWERS = new Thread[SLOTS + 2];

    /** How many exceptions there were, at least 1 after an exit; more than there is room for when some were left out. */
    public static int thrown;

    /** It left a method. */
    private static final int LEFT = 1;

    /** It came to a handler. */
    private static final int CAUGHT = 2;

    /** Beside the other two: a background thread threw it. */
    private static final int NOISY = 4;

    /**
     * The branch or call that wants to know how far the booleans that methods of the service return are from the other value;
     * -1 when none does.
     */
    static int asker = -1;

    /** How far the last boolean was from the other one; whose it is says {@link #flagOf}. */
    static float flag;

    /** {@link #NOBODY}, {@link #LIBRARY}, or a number made of name and descriptor of the method that returned. */
    static int flagOf;

    static final int NOBODY = 0;
    static final int LIBRARY = 1;

    /** How often in a row a side is measured without coming nearer. */
    private static final int PATIENCE = 120;

    /** The same of a jump on numbers, for which less has to be done: a loop may have many that are far before one is near. */
    private static final int LONG_PATIENCE = 10_000;

    /** What a caller gives that takes the boolean of any method. */
    private static final int ANYBODY = 2;

    /** The difference that the last long, float or double comparison found while somebody asked, or the last compareTo. */
    static float gap;

    /** How many methods that return a boolean there is room for. */
    private static final int METHODS = 1 << 14;

    /** For each of these the least distance of the sides that its present call did not take and that may lead to true, false. */
    private static final float[] TO_TRUE = new float[METHODS];
    private static final float[] TO_FALSE = new float[METHODS];

    /** The same over all predicates since {@link Calls#stream} was called. */
    static float streamToTrue;
    static float streamToFalse;

    // Constraints of bean validation, which are found out when they are asked for the first time; see Constraints.

    /** Class, property and annotation of each, a line each. */
    public static final String[] CONSTRAINTS = new String[1024];

    /** One more than the id of the target of fulfilling it; 0 while it has none. The agent writes it. */
    public static final int[] CONSTRAINT_IDS = new int[1024];

    /** How many there are. */
    public static volatile int constraints;

    private static final AtomicInteger NEXT = new AtomicInteger();

    /** Thrown to end the work of a request that takes too long. */
    public static final Error KILLED = new Signal("restive: the request was stopped because it took too long");

    /** Thrown in the place of ending the JVM. */
    public static final Error EXITED = new Signal("restive: the service tried to end its JVM");

    private Probes() { }

    // Jumps. The side that falls through has id, the side that jumps id + 1. Once there is nothing to learn of a jump to the side
    // that it takes, all that a probe does is to look at the mark of that: much of a service is interpreted for long, so the
    // shorter the better. The numbers of relations follow the opcodes, so that the last bit negates.

    /**
     * The mark of a side of a jump of which nothing is to be learned any more: it is covered, and the other one is as well, as
     * near as it can be, or was measured in vain for long.
     */
    private static final int SETTLED = 1;

    /**
     * The bit in the mark of a comparison's first side which says that of operands of which the first one is less nothing is to
     * be learned any more; the next two bits are of those that are equal, and of those of which the first one is greater.
     */
    private static final int LESS = 8;

    /** The mark of the open side of a jump on a boolean that was asked in vain for long, until the next test. */
    private static final int RESTING = 4;

    private static final int EQ = 0;
    private static final int NE = 1;
    private static final int LT = 2;
    private static final int GE = 3;
    private static final int GT = 4;
    private static final int LE = 5;

    public static void icmpeq(int a, int b, int id) {
        if (MARKS[a == b ? id + 1 : id] != SETTLED) {
            jump(a, b, EQ, id);
        }
    }

    public static void icmpne(int a, int b, int id) {
        if (MARKS[a != b ? id + 1 : id] != SETTLED) {
            jump(a, b, NE, id);
        }
    }

    public static void icmplt(int a, int b, int id) {
        if (MARKS[a < b ? id + 1 : id] != SETTLED) {
            jump(a, b, LT, id);
        }
    }

    public static void icmpge(int a, int b, int id) {
        if (MARKS[a >= b ? id + 1 : id] != SETTLED) {
            jump(a, b, GE, id);
        }
    }

    public static void icmpgt(int a, int b, int id) {
        if (MARKS[a > b ? id + 1 : id] != SETTLED) {
            jump(a, b, GT, id);
        }
    }

    public static void icmple(int a, int b, int id) {
        if (MARKS[a <= b ? id + 1 : id] != SETTLED) {
            jump(a, b, LE, id);
        }
    }

    public static void acmpeq(Object a, Object b, int id) {
        int taken = a == b ? id + 1 : id;
        if (MARKS[taken] != SETTLED) {
            take(taken, 1, id);
        }
    }

    public static void acmpne(Object a, Object b, int id) {
        int taken = a != b ? id + 1 : id;
        if (MARKS[taken] != SETTLED) {
            take(taken, 1, id);
        }
    }

    private static void jump(int a, int b, int relation, int id) {
        boolean jumps = jumps(a, b, relation);
        take(jumps ? id + 1 : id, missing(jumps, relation, gap((long) a, b)), id);
    }

    /** Covers this side of a jump; the other one is this far, 1 at least. */
    private static void take(int taken, float distance, int id) {
        int other = id + id + 1 - taken;
        boolean isNearer = side(taken, other, distance);
        if (distance == 1 || CELLS[other] == COVERED || isInVain(other, isNearer, LONG_PATIENCE)) {
            settle(taken);
        }
    }

    /** Notes that an open side of a jump was measured; whether that was in vain more often in a row than this. */
    private static boolean isInVain(int other, boolean isNearer, int patience) {
        int inVain = isNearer ? 0 : 1 - MARKS[other];
        if (inVain <= patience) {
            MARKS[other] = (short) -inVain;
        }
        return inVain > patience;
    }

    // Comparisons whose result a jump compares with 0. They stand in the place of the instruction and give what it gives.

    public static int lcmp(long a, long b, int relation, int id) {
        int order = a < b ? -1 : a == b ? 0 : 1;
        if ((MARKS[id] & bit(order)) == 0 || asker >= 0) {
            compare(order, relation, gap(a, b), id);
        }
        return order;
    }

    public static int fcmpl(float a, float b, int relation, int id) {
        return dcmpl(a, b, relation, id);
    }

    public static int fcmpg(float a, float b, int relation, int id) {
        return dcmpg(a, b, relation, id);
    }

    public static int dcmpl(double a, double b, int relation, int id) {
        int order = a > b ? 1 : a == b ? 0 : -1;
        if ((MARKS[id] & bit(order)) == 0 || asker >= 0) {
            compare(order, relation, gap(a, b), id);
        }
        return order;
    }

    public static int dcmpg(double a, double b, int relation, int id) {
        int order = a < b ? -1 : a == b ? 0 : 1;
        if ((MARKS[id] & bit(order)) == 0 || asker >= 0) {
            compare(order, relation, gap(a, b), id);
        }
        return order;
    }

    /** The bit of this order of operands in a mark. */
    private static int bit(int order) {
        return order < 0 ? LESS : order == 0 ? LESS << 1 : LESS << 2;
    }

    /** The distance between two numbers, the largest when they cannot be compared. */
    private static float gap(double a, double b) {
        float gap = (float) (a < b ? b - a : a - b);
        // NaN compares with nothing, and the difference of equal infinities is none: both are as far as can be, or equal.
        return gap <= Float.MAX_VALUE ? gap : a == b ? 0 : Float.MAX_VALUE;
    }

    private static boolean jumps(int a, int b, int relation) {
        return holds(a < b ? -1 : a == b ? 0 : 1, relation);
    }

    private static boolean holds(int order, int relation) {
        switch (relation) {
            case EQ: return order == 0;
            case NE: return order != 0;
            case LT: return order < 0;
            case GE: return order >= 0;
            case GT: return order > 0;
            default: return order <= 0;
        }
    }

    /** The distance between two numbers, which may be more than a long can hold. */
    private static float gap(long a, long b) {
        long gap = a < b ? b - a : a - b;
        return gap >= 0 ? gap : (float) (gap >>> 1) * 2;
    }

    /** Covers the side of a jump that is taken by operands of this order and difference, and tells how far the other one is. */
    private static void compare(int order, int relation, float difference, int id) {
        if (asker >= 0) {
            gap = difference;
        }
        if ((MARKS[id] & bit(order)) != 0) {
            return;
        }
        boolean jumps = holds(order, relation);
        int other = jumps ? id : id + 1;
        boolean isNearer = side(jumps ? id + 1 : id, other, missing(jumps, relation, difference));
        // Only one side is open, so one of the two marks counts.
        if ((CELLS[other] == COVERED || isInVain(id + 1, isNearer, LONG_PATIENCE)) && !attentive) {
            MARKS[id] = (short) (MARKS[id] | bit(order));
        }
    }

    /** How far the side is that is not taken, when the operands differ by this gap. */
    private static float missing(boolean jumps, int relation, float gap) {
        // What must hold for the other side.
        int wanted = jumps ? relation ^ 1 : relation;
        return wanted == NE ? 1 : wanted == LT || wanted == GT ? gap + 1 : gap;
    }

    /** Covers the side of a jump that is taken; the other one is this far. Whether it was farther before. */
    private static boolean side(int taken, int other, float distance) {
        if (CELLS[taken] != COVERED || attentive) {
            cover(taken);
        }
        return near(other, distance);
    }

    /** Ends the work of the probe of a jump that takes this side, unless probes have more to do than to record. */
    private static void settle(int id) {
        if (!attentive) {
            MARKS[id] = SETTLED;
        }
    }

    /** Makes probes of jumps look at the mode again. */
    private static void unsettle() {
        for (int id = 0; id < CELLS.length; id++) {
            // Lines, which have no cells, keep their marks. Of a comparison the first side need not be covered.
            if (CELLS[id] == COVERED && MARKS[id] == SETTLED || MARKS[id] >= LESS) {
                MARKS[id] = 0;
            }
        }
    }

    /** Covers a target. */
    static void cover(int id) {
        if (attentive) {
            attend(id);
        }
        CELLS[id] = COVERED;
    }

    /** Raises a cell to what this distance above 0 says; whether it was lower. */
    static boolean near(int id, float distance) {
        int cell = COVERED - Float.floatToRawIntBits(distance > 0 ? distance : Float.MIN_VALUE);
        boolean isNearer = cell > CELLS[id];
        if (isNearer) {
            CELLS[id] = cell;
        }
        return isNearer;
    }

    // Booleans that methods return: a jump on one is as far from its other side as the method was from the other value.

    /** In front of a call whose boolean a jump takes: the jump has this id. */
    public static void ask(int id) {
        if (MARKS[id] <= 0 || asker >= 0) {
            asked(id);
        }
    }

    private static void asked(int id) {
        if (asker >= 0) {
            flagOf = NOBODY;
        } else if (isWorthwhile(id)) {
            flagOf = NOBODY;
            asker = id;
        } else {
            // Only that it takes its open side is still looked for.
            int open = open(id);
            int taken = id + id + 1 - open;
            if (CELLS[taken] == COVERED) {
                MARKS[open] = RESTING;
                settle(taken);
            }
        }
    }

    /**
     * Whether the open one of two targets may come nearer: not when it was measured {@link #PATIENCE} times since it did so last.
     * What is asked in each round of a loop is so not asked for ever; with the next test all begins anew.
     */
    static boolean isWorthwhile(int id) {
        int open = open(id);
        short inVain = MARKS[open];
        if (inVain > 0 || inVain <= -PATIENCE || MARKS[id + id + 1 - open] == SETTLED) {
            // A jump behind it is not to take what another call told.
            flagOf = NOBODY;
            return false;
        }
        MARKS[open] = (short) (inVain - 1);
        return true;
    }

    /** The open one of two targets, the first one where both are. */
    private static int open(int id) {
        return CELLS[id] == COVERED ? id + 1 : id;
    }

    /** A jump that is taken unless the boolean of this method is true. */
    public static void flageq(int value, int method, int id) {
        int taken = value == 0 ? id + 1 : id;
        if (MARKS[taken] != SETTLED) {
            answered(taken, method, id);
        }
    }

    /** A jump that is taken when the boolean of this method is true. */
    public static void flagne(int value, int method, int id) {
        int taken = value != 0 ? id + 1 : id;
        if (MARKS[taken] != SETTLED) {
            answered(taken, method, id);
        }
    }

    private static void answered(int taken, int method, int id) {
        int other = id + id + 1 - taken;
        cover(taken);
        // Where nobody asked any more, or measured, nobody told.
        boolean isNearer = (asker >= 0 || method == LIBRARY && flagOf == LIBRARY) && near(other, opposite(method));
        if (CELLS[other] == COVERED) {
            settle(taken);
            settle(other);
        } else if (isNearer) {
            MARKS[other] = 0;
        } else if (MARKS[other] == RESTING) {
            settle(taken);
        } else if (asker >= 0 && asker != id && isInVain(other, false, PATIENCE)) {
            // What asked counted by itself.
            MARKS[other] = RESTING;
            settle(taken);
        }
        if (asker == id) {
            asker = -1;
        }
    }

    /** A jump on an order whose distance is {@link #gap}. */
    public static void compared(int order, int relation, int id) {
        if ((MARKS[id] & bit(order)) == 0) {
            compare(order, relation, gap, id);
        }
    }

    /** How far the boolean of this method was from the other one; 1 when nobody told. */
    private static float opposite(int method) {
        boolean isTold = flagOf == method || method == ANYBODY && flagOf != NOBODY;
        return isTold ? flag : 1;
    }

    /** A method that returns a boolean begins, which is one of several jumps. */
    public static void enter(int method) {
        if (asker >= 0) {
            TO_TRUE[method] = Float.MAX_VALUE;
            TO_FALSE[method] = Float.MAX_VALUE;
        }
    }

    // What the last argument of the following says beside the relation in its lowest three bits.

    /** The side that does not jump may lead to true, to false; the one that jumps. */
    private static final int STAYS_TRUE = 8;
    private static final int STAYS_FALSE = 16;
    private static final int JUMPS_TRUE = 32;
    private static final int JUMPS_FALSE = 64;

    /** The operand is the boolean of a call whose number is in the bits from the ninth on. */
    private static final int OF_CALL = 128;

    /** The operand is the result of a comparison whose difference is {@link #gap}. */
    private static final int OF_GAP = 256;

    private static final int CALL_SHIFT = 9;

    /** By how much farther a side is behind which both values are still possible, than one that leads to the wanted one. */
    private static final float UNDECIDED = 1 << 20;

    /** A jump on numbers in a method that returns a boolean. */
    public static void account(int a, int b, int method, int how) {
        if (asker >= 0) {
            noteNumbers(a, b, method, how);
        }
    }

    private static void noteNumbers(int a, int b, int method, int how) {
        boolean jumps = jumps(a, b, how & 7);
        note(jumps, (how & OF_CALL) != 0 ? opposite(how >>> CALL_SHIFT) : missing(jumps, a, b, how), method, how);
    }

    /** How far the side is that is not taken, of a jump on no call. */
    private static float missing(boolean jumps, int a, int b, int how) {
        return missing(jumps, how & 7, (how & OF_GAP) != 0 ? gap : gap((long) a, b));
    }

    /** A jump on references in a method that returns a boolean. */
    public static void account(Object a, Object b, int method, int how) {
        if (asker >= 0) {
            noteNumbers(a == b ? 0 : 1, 0, method, how);
        }
    }

    private static void note(boolean jumps, float distance, int method, int how) {
        boolean toTrue = (how & (jumps ? STAYS_TRUE : JUMPS_TRUE)) != 0;
        boolean toFalse = (how & (jumps ? STAYS_FALSE : JUMPS_FALSE)) != 0;
        if (toTrue && toFalse) {
            // More has to be decided there. A factor leaves the value at which the distance is 0 where it is.
            distance *= UNDECIDED;
        }
        if (toTrue) {
            TO_TRUE[method] = Math.min(TO_TRUE[method], distance);
        }
        if (toFalse) {
            TO_FALSE[method] = Math.min(TO_FALSE[method], distance);
        }
    }

    /** The only jump, on numbers, of a method that returns a boolean by it: what the method would {@link #give}. */
    public static void tell(int a, int b, int number, int how) {
        if (asker >= 0) {
            tellNumbers(a, b, number, how);
        }
    }

    private static void tellNumbers(int a, int b, int number, int how) {
        boolean jumps = jumps(a, b, how & 7);
        conclude((how & (jumps ? JUMPS_TRUE : STAYS_TRUE)) != 0, missing(jumps, a, b, how), number);
    }

    /** The only jump, on references, of a method that returns a boolean by it. */
    public static void tell(Object a, Object b, int number, int how) {
        if (asker >= 0) {
            tellNumbers(a == b ? 0 : 1, 0, number, how);
        }
    }

    /** A method without jumps returns this boolean; passed is as for {@link #give}. */
    public static void relay(int value, int number, int passed) {
        if (asker >= 0) {
            conclude(value != 0, passed(passed), number);
        }
    }

    /** A method returns this boolean; passed is the number of the call that made it, {@link #NOBODY} for none. */
    public static void give(int value, int method, int number, int passed) {
        if (asker >= 0) {
            given(value, method, number, passed);
        }
    }

    private static void given(int value, int method, int number, int passed) {
        float distance = value != 0 ? TO_FALSE[method] : TO_TRUE[method];
        conclude(value != 0, Math.min(distance, passed(passed)), number);
    }

    /** How far the boolean of this call was from the other one; as far as can be where there is none, or nobody told. */
    private static float passed(int passed) {
        boolean isTold = passed != NOBODY && (flagOf == passed || passed == ANYBODY && flagOf != NOBODY);
        return isTold ? flag : Float.MAX_VALUE;
    }

    /** The method of this number returns this boolean, this far from the other one. */
    private static void conclude(boolean value, float distance, int number) {
        if (value) {
            streamToFalse = Math.min(streamToFalse, distance);
        } else {
            streamToTrue = Math.min(streamToTrue, distance);
        }
        flag = distance;
        flagOf = distance < Float.MAX_VALUE ? number : NOBODY;
    }

    // Switches. The cases have id and those that follow, in the order of their keys; the default comes last.

    /** A switch over so many numbers from the first on, without a gap. */
    public static void select(int key, int first, int n, int id) {
        if (MARKS[place(key, first, n) + id] <= 0 || attentive) {
            selected(key, first, n, id);
        }
    }

    /** A switch over numbers; keys are ascending, two chars each. */
    public static void select(int key, String keys, int id) {
        if (MARKS[id + search(key, keys)] <= 0 || attentive) {
            selected(key, keys, id);
        }
    }

    /** A switch over numbers that only name something, such as constants of an enum. */
    public static void choose(int key, int first, int n, int id) {
        if (MARKS[place(key, first, n) + id] == 0 || attentive) {
            chosen(place(key, first, n), n, id);
        }
    }

    public static void choose(int key, String keys, int id) {
        // No other variable: a compiler counts them.
        key = search(key, keys);
        if (MARKS[id + key] == 0 || attentive) {
            chosen(key, keys.length() / 2, id);
        }
    }

    private static void selected(int key, int first, int n, int id) {
        int found = place(key, first, n);
        if (attentive) {
            attend(id + found);
        }
        boolean all = true;
        boolean isNearer = false;
        for (int i = 0; i < n; i++) {
            if (i != found) {
                isNearer |= near(id + i, gap(key, first + i));
                all &= CELLS[id + i] == COVERED;
            }
        }
        end(found, all, isNearer, n, id);
    }

    private static void selected(int key, String keys, int id) {
        int found = search(key, keys);
        int n = keys.length() / 2;
        if (attentive) {
            attend(id + found);
        }
        boolean all = true;
        boolean isNearer = false;
        for (int i = 0; i < n; i++) {
            if (i != found) {
                isNearer |= near(id + i, gap(key, key(keys, i)));
                all &= CELLS[id + i] == COVERED;
            }
        }
        end(found, all, isNearer, n, id);
    }

    private static void chosen(int found, int n, int id) {
        if (attentive) {
            attend(id + found);
        }
        for (int i = 0; i <= n; i++) {
            if (i != found) {
                near(id + i, 1);
            }
        }
        CELLS[id + found] = COVERED;
        MARKS[id + found] = SETTLED;
    }

    /** Covers the case or default that was found; all says whether every other case is covered, isNearer whether one came nearer. */
    private static void end(int found, boolean all, boolean isNearer, int n, int id) {
        CELLS[id + found] = COVERED;
        if (found < n) {
            near(id + n, 1);
        }
        // From one key that has a case the others are always equally far; what has none may be anywhere.
        if (found < n || all || isInVain(id + n, isNearer, LONG_PATIENCE)) {
            MARKS[id + found] = SETTLED;
        }
    }

    /** The number of the case with this key among so many from the first on, or of the default. */
    private static int place(int key, int first, int n) {
        // What is too far for an int is so by more than there are cases.
        int at = key - first;
        return at >= 0 && at < n ? at : n;
    }

    /** The number of the case with this key, or of the default. */
    private static int search(int key, String keys) {
        int n = keys.length() / 2;
        int first = key(keys, 0);
        if (key < first || key > key(keys, n - 1)) {
            return n;
        }
        // Where there is a gap before it, the key that lies there is another one.
        int guess = key - first;
        if (guess >= 0 && guess < n && key(keys, guess) == key) {
            return guess;
        }
        int low = 0;
        int high = n;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int at = key(keys, middle);
            if (at == key) {
                return middle;
            }
            if (at < key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return n;
    }

    private static int key(String keys, int i) {
        return keys.charAt(2 * i) << 16 | keys.charAt(2 * i + 1);
    }

    /** A switch over strings; each case stands in cases as its length and its chars. */
    public static void text(String text, String cases, int id) {
        if (text == null) {
            // The original throws.
            return;
        }
        int found = -1;
        int n = 0;
        for (int at = 0; at < cases.length(); at += cases.charAt(at) + 1) {
            if (equal(text, cases, at)) {
                found = n;
            }
            n++;
        }
        if (found < 0) {
            found = n;
        }
        if (MARKS[id + found] <= 0 || attentive) {
            matched(text, found, cases, id, n);
        }
    }

    private static void matched(String text, int found, String cases, int id, int n) {
        if (attentive) {
            attend(id + found);
        }
        boolean all = true;
        boolean isNearer = false;
        int i = 0;
        for (int at = 0; at < cases.length(); at += cases.charAt(at) + 1) {
            if (i != found && CELLS[id + i] != COVERED) {
                isNearer |= near(id + i, distance(text, cases, at));
                all = false;
            }
            i++;
        }
        end(found, all, isNearer, n, id);
    }

    /** Whether the text is the case that begins at this index. */
    private static boolean equal(String text, String cases, int at) {
        int length = cases.charAt(at);
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != cases.charAt(at + 1 + i)) {
                return false;
            }
        }
        return true;
    }

    /** The differences of the chars, and 65536 for each that one of the two lacks. */
    private static float distance(String text, String cases, int at) {
        int length = cases.charAt(at);
        int n = text.length();
        // What is much longer than the case is as far as can be told apart.
        long distance = 65536L * (n < length ? length - n : n - length);
        for (int i = 0; i < n && i < length; i++) {
            int difference = text.charAt(i) - cases.charAt(at + 1 + i);
            distance += difference < 0 ? -difference : difference;
        }
        return distance;
    }

    // Threads, time limit, end of the JVM.

    /** In each loop, for the others may miss that the mode changes while it runs. */
    public static void loop() {
        if (mode != RUN) {
            attend();
        }
    }

    /** In front of each return; id is the target of its line. */
    public static void end(int id) {
        if (attentive) {
            ended(id);
        }
    }

    private static void ended(int id) {
        // No thread is stopped here: what ends needs no help, and a handler may be about to answer for what was stopped.
        // What another thread executed meanwhile is no statement of this method.
        if (!belongs(Thread.currentThread())) {
            NOISE[id] = (byte) round;
        } else if (last == id || lastOwn < 0) {
            // Where a background thread came between, the end of the innermost method is what is known.
            lastOwn = id;
        }
    }

    /** Does what the mode says, and notes this target as noise when this is a background thread. */
    static void attend(int id) {
        if (!attend()) {
            NOISE[id] = (byte) round;
        }
    }

    /** Does what the mode says; true when the thread works for an action. */
    private static boolean attend() {
        Thread thread = Thread.currentThread();
        boolean belongs = belongs(thread);
        if (mode == KILL && belongs && (workers == 0 || isIn(WORKERS, workers, thread))) {
            stop();
        }
        return belongs;
    }

    /** Whether this thread is none of the background threads, as far as they are known. */
    private static boolean belongs(Thread thread) {
        if (mode == OBSERVE) {
            observe(thread);
            return true;
        }
        return !isIn(BACKGROUND, backgrounds, thread);
    }

    private static boolean isIn(Thread[] threads, int n, Thread thread) {
        for (int i = 0; i < n && i < threads.length; i++) {
            if (threads[i] == thread) {
                return true;
            }
        }
        return false;
    }

    /** A thread that comes to a probe while no action runs, and again later, works for none. */
    private static void observe(Thread thread) {
        long now = System.nanoTime();
        if (now - quietFrom < 0 || isIn(BACKGROUND, backgrounds, thread)) {
            return;
        }
        for (int i = 0; i < suspects && i < THREADS; i++) {
            if (SUSPECTS[i] == thread) {
                if (now - SUSPECTED[i] > AGAIN) {
                    convict(thread);
                }
                return;
            }
        }
        int free = suspects;
        if (free < THREADS) {
            SUSPECTS[free] = thread;
            SUSPECTED[free] = now;
            suspects = free + 1;
        }
    }

    private static void convict(Thread thread) {
        if (thread == null || isIn(BACKGROUND, backgrounds, thread)) {
            return;
        }
        for (int i = 0; i < backgrounds && i < THREADS; i++) {
            if (!BACKGROUND[i].isAlive()) {
                BACKGROUND[i] = thread;
                return;
            }
        }
        int free = backgrounds;
        if (free < THREADS) {
            BACKGROUND[free] = thread;
            backgrounds = free + 1;
        }
    }

    /** Ends the work of this thread, unless it is initialising a class, which would be unusable from then on. */
    private static void stop() {
        Throwable here = new Throwable();
        StackTraceElement[] frames = here.getStackTrace();
        for (int i = 0; i < frames.length; i++) {
            if (frames[i].getMethodName().equals("<clinit>")) {
                return;
            }
        }
        if (THROWN[SLOTS + 1] == null) {
            keep(here, LEFT, last, SLOTS + 1);
        }
        throw KILLED;
    }

    /** Stands in the place of {@code System.exit}. */
    public static void exit(int status) {
        if (atWork == 0) {
            System.exit(status);
        }
        refuse(status);
    }

    /** Stands in the place of {@code Runtime.exit}. */
    public static void exit(Runtime runtime, int status) {
        if (atWork == 0) {
            runtime.exit(status);
        }
        refuse(status);
    }

    /** Stands in the place of {@code Runtime.halt}. */
    public static void halt(Runtime runtime, int status) {
        if (atWork == 0) {
            runtime.halt(status);
        }
        refuse(status);
    }

    /** Keeps the JVM from being ended. */
    private static void refuse(int status) {
        int at = last;
        exits++;
        exitCode = status;
        if (thrown == 0) {
            thrown = 1;
        }
        keep(new Throwable(), LEFT, at, SLOTS);
        throw EXITED;
    }

    // Exceptions. A method that throws nothing does nothing for them.

    /** An exception leaves a method. */
    public static void left(Throwable exception) {
        note(exception, LEFT);
    }

    /** An exception came to a handler, whose frame may say no more than that it is an object. */
    public static void caught(Object exception) {
        if (exception instanceof Throwable) {
            note((Throwable) exception, CAUGHT);
        }
    }

    private static void note(Throwable exception, int fate) {
        if (exception instanceof Signal) {
            return;
        }
        int at = last;
        if (backgrounds > 0 && isIn(BACKGROUND, backgrounds, Thread.currentThread())) {
            fate |= NOISY;
        }
        for (int i = 0; i < SLOTS; i++) {
            if (THROWN[i] == exception) {
                FATES[i] = fate | FATES[i] & NOISY;
                return;
            }
        }
        int slot = NEXT.getAndIncrement();
        thrown = slot + 1;
        if (slot >= SLOTS) {
            // What was caught, or thrown in the background, gives way to what may not be.
            slot = 0;
            while (slot < SLOTS && FATES[slot] == LEFT) {
                slot++;
            }
        }
        if (slot >= 0 && slot < SLOTS && !(fate != LEFT && THROWN[slot] != null)) {
            keep(exception, fate, at, slot);
        }
    }

    private static void keep(Throwable exception, int fate, int at, int slot) {
        THROWN_AT[slot] = at;
        FATES[slot] = fate;
        THROWERS[slot] = Thread.currentThread();
        THROWN[slot] = exception;
        // What was here may have been forgotten meanwhile, and this with it.
        FATES[slot] = fate;
    }

    // For the agent's thread.

    /** An action begins; while no background thread is known and nothing was thrown or killed, writing {@link #last} does. */
    public static void begin() {
        if (thrown > 0) {
            forget();
        }
        last = -1;
        lastOwn = -1;
        asker = -1;
        if (workers > 0) {
            release(WORKERS, workers);
            workers = 0;
        }
        if (backgrounds > 0) {
            nextRound();
            set(WATCH);
        } else {
            set(RUN);
        }
    }

    private static void set(int next) {
        boolean wasAttentive = attentive;
        mode = next;
        attentive = next != RUN;
        if (attentive && !wasAttentive) {
            unsettle();
        }
    }

    private static void nextRound() {
        int next = round + 1;
        if (next > ROUNDS) {
            for (int i = 0; i < NOISE.length; i++) {
                NOISE[i] = 0;
            }
            next = 1;
        }
        round = next;
    }

    /** No action runs. Who was found out before need come to a probe only once to be found out again. */
    public static void idle() {
        if (suspects > 0) {
            release(SUSPECTS, suspects);
        }
        int n = backgrounds;
        backgrounds = 0;
        long before = System.nanoTime() - 2 * AGAIN;
        for (int i = 0; i < n; i++) {
            SUSPECTS[i] = BACKGROUND[i];
            SUSPECTED[i] = before;
            BACKGROUND[i] = null;
        }
        suspects = n;
        quietFrom = System.nanoTime() + TIDYING;
        set(OBSERVE);
    }

    private static void release(Thread[] threads, int n) {
        for (int i = 0; i < n && i < threads.length; i++) {
            threads[i] = null;
        }
    }

    /**
     * The classes on the stack of each thread, one line a thread, innermost first; {@link #work} and {@link #rest} take the
     * number of the line.
     */
    public static String stacks() {
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        StringBuilder text = new StringBuilder();
        threads = new Thread[all.size()];
        int n = 0;
        for (Map.Entry<Thread, StackTraceElement[]> entry : all.entrySet()) {
            threads[n++] = entry.getKey();
            for (StackTraceElement frame : entry.getValue()) {
                text.append(frame.getClassName()).append(' ');
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** This one of the threads works for the action. */
    public static void work(int number) {
        if (number < threads.length && workers < THREADS && !isIn(BACKGROUND, backgrounds, threads[number])) {
            WORKERS[workers++] = threads[number];
        }
    }

    /** This one of the threads waits in the service's code although no action runs: it works for none. */
    public static void rest(int number) {
        if (number < threads.length) {
            convict(threads[number]);
        }
    }

    /** What threw this one of the exceptions works for no action, as its stack tells. */
    public static void background(int slot) {
        convict(THROWERS[slot]);
    }

    /** Ends the work of the action. */
    public static void kill() {
        threads = null;
        set(KILL);
    }

    /** Forgets exceptions and attempts to end the JVM. */
    public static void forget() {
        for (int i = 0; i < THROWN.length; i++) {
            THROWN[i] = null;
            THROWERS[i] = null;
            FATES[i] = 0;
        }
        exits = 0;
        thrown = 0;
        NEXT.set(0);
    }

    /** At most this many frames from the innermost on, a line each, those of this class left out. */
    public static String trace(StackTraceElement[] frames, int most) {
        StringBuilder text = new StringBuilder(most * 64);
        String own = Probes.class.getName();
        for (int i = 0; i < frames.length && i < most; i++) {
            StackTraceElement frame = frames[i];
            if (frame.getClassName().equals(own)) {
                continue;
            }
            text.append(frame.getClassName()).append('.').append(frame.getMethodName()).append('(');
            String file = frame.getFileName();
            int line = frame.getLineNumber();
            if (frame.isNativeMethod()) {
                text.append("Native Method");
            } else if (file == null) {
                text.append("Unknown Source");
            } else {
                text.append(file);
                if (line >= 0) {
                    text.append(':').append(line);
                }
            }
            text.append(")\n");
        }
        return text.toString();
    }
}
