import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which inputs the service reads by name, and what it reads bodies into: calls of methods of HTTP frameworks and JSON libraries.
 *
 * <p>The methods around calls keep what they are given until the agent fetches it with {@link #take}; they never throw, take no
 * lock and call no code of the service. What a JSON library is to make of a text is kept as the object that says so, and
 * becomes a schema only when it is fetched.
 *
 * <p>What places mean stands in {@code instrument/rewrite/src/inputs.rs}.
 */
public final class Inputs {
    /** The first of the places that say by whose rules a text is read into a class; see {@link Schemas}. */
    static final int PARSED = 6;

    /** The last of them. */
    static final int DIRECT = 9;

    /** How many inputs of an action are kept. */
    private static final int ROOM = 64;

    /** How many collections of inputs are known at a time. */
    private static final int MOST_HOLDERS = 16;

    /** The longest name that is told, in chars. */
    private static final int LONGEST_NAME = 100;

    /** How many schemas are kept. */
    private static final int MOST_SCHEMAS = 256;

    /** Whether an action runs; nothing is kept while none does. */
    private static volatile boolean watching;

    private static final int[] PLACES = new int[ROOM];
    private static final Object[] NAMES = new Object[ROOM];
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int[] HELD = new int[MOST_HOLDERS];
    private static final Object[] HOLDERS = new Object[MOST_HOLDERS];
    private static final AtomicInteger N_HOLDERS = new AtomicInteger();

    /** Of the names of types their schemas; the agent's thread alone comes here. */
    private static final HashMap<String, String> SCHEMAS = new HashMap<String, String>();

    /** How many inputs there are; more than there is room for when some were left out. */
    public static int inputs;

    /** How many inputs the last {@link #take} left out. */
    public static int dropped;

    private Inputs() {
    }

    // Around calls.

    /** An input of this name is read. */
    public static void read(Object name, int place) {
        if (watching && name instanceof String && ((String) name).length() <= LONGEST_NAME) {
            note(name, place);
        }
    }

    /** This has inputs by their names. */
    public static void hold(Object holder, int place) {
        if (watching && holder != null && find(holder) < 0) {
            int slot = N_HOLDERS.getAndIncrement();
            if (slot >= 0 && slot < MOST_HOLDERS) {
                HELD[slot] = place;
                HOLDERS[slot] = holder;
            }
        }
    }

    /** Something is looked for by its name in what may have inputs. */
    public static void look(Object holder, Object name, int place) {
        if (watching && N_HOLDERS.get() > 0) {
            int held = find(holder);
            if (held >= 0) {
                read(name, held);
            }
        }
    }

    /** Something is read that has no name. */
    public static void reach(int place) {
        if (watching) {
            note("", place);
        }
    }

    /** A text is read into what this says. */
    public static void parse(Object type, int place) {
        if (watching && type != null) {
            note(type, place);
        }
    }

    /** Where the inputs are that this has; -1 when it is not known to have any. */
    private static int find(Object holder) {
        int n = Math.min(N_HOLDERS.get(), MOST_HOLDERS);
        for (int i = 0; i < n; i++) {
            if (HOLDERS[i] == holder) {
                return HELD[i];
            }
        }
        return -1;
    }

    private static void note(Object name, int place) {
        int n = NEXT.get();
        for (int i = 0; i < n && i < ROOM; i++) {
            Object known = NAMES[i];
            if (PLACES[i] == place && (known == name || name instanceof String && name.equals(known))) {
                return;
            }
        }
        int slot = NEXT.getAndIncrement();
        if (slot >= 0 && slot < ROOM) {
            PLACES[slot] = place;
            NAMES[slot] = name;
        }
        inputs = slot + 1;
    }

    // For the agent's thread.

    /** An action begins: what was read before is forgotten. */
    public static void watch() {
        forget();
        watching = true;
    }

    /**
     * What was read since {@link #watch}: of each input its place and its name, of what a text was read into the name of the
     * type, both as their length and their chars. From now on nothing is kept.
     */
    public static String take() {
        watching = false;
        int n = NEXT.get();
        dropped = Math.max(0, n - ROOM);
        StringBuilder told = new StringBuilder();
        for (int i = 0; i < n && i < ROOM; i++) {
            Object name = NAMES[i];
            // Another thread may be about to write it.
            if (name != null) {
                boolean isType = PLACES[i] >= PARSED && PLACES[i] <= DIRECT;
                String text = isType ? named(name, PLACES[i]) : (String) name;
                if (text == null) {
                    dropped++;
                } else if (!isType || !text.isEmpty()) {
                    told.append((char) PLACES[i]).append((char) text.length()).append(text);
                }
            }
        }
        forget();
        return told.toString();
    }

    /** The schema of a type that was told with this name; empty when none is known. */
    public static String schema(String name) {
        String schema = SCHEMAS.get(name);
        return schema == null ? "" : schema;
    }

    /**
     * The name of what a text is read into, whose schema is known from then on; empty where it tells nothing, null where there
     * is no room or it cannot be found out.
     */
    private static String named(Object read, int place) {
        try {
            Type type = Schemas.type(read);
            if (type == null) {
                return "";
            }
            String name = Schemas.name(type);
            if (!SCHEMAS.containsKey(name)) {
                if (SCHEMAS.size() >= MOST_SCHEMAS) {
                    return null;
                }
                SCHEMAS.put(name, Schemas.of(type, place));
            }
            return SCHEMAS.get(name).isEmpty() ? "" : name;
        } catch (Throwable failure) {
            return null;
        }
    }

    private static void forget() {
        int n = Math.min(ROOM, NEXT.get());
        for (int i = 0; i < n; i++) {
            NAMES[i] = null;
        }
        n = Math.min(MOST_HOLDERS, N_HOLDERS.get());
        for (int i = 0; i < n; i++) {
            HOLDERS[i] = null;
        }
        inputs = 0;
        NEXT.set(0);
        N_HOLDERS.set(0);
    }
}
