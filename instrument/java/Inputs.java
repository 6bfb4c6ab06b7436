import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which inputs the service reads by name, and what it reads bodies into: calls of methods of HTTP frameworks and JSON libraries.
 *
 * <p>The methods around calls keep what they are given until the agent fetches it with {@link #take}; they never throw, take no
 * lock and call no code of the service. What a JSON library is to make of a text is kept as the object that says so, and
 * becomes a schema only when it is fetched. Keys of JSON objects are told with the way that leads to them, as JSON pointers.
 *
 * <p>What places mean stands in {@code instrument/rewrite/src/inputs.rs}.
 */
public final class Inputs {
    /** The first of the places that say by whose rules a text is read into a class; see {@link Schemas}. */
    static final int PARSED = 6;

    /** The last of them. */
    static final int DIRECT = 9;

    private static final int QUERY = 0;
    private static final int COOKIE = 2;
    private static final int FORM = 3;
    private static final int PART = 4;
    private static final int FILE = 17;
    static final int RAW = 5;

    /** The first and the last of the places that are keys of JSON objects. */
    private static final int KEY = 10;
    private static final int LAST_KEY = 16;

    /** A bean that the framework fills from parameters. */
    private static final int BEAN = 18;

    /** Keys that a JSON pointer leads to. */
    private static final int POINTED = 20;

    /** A key that is looked for at any depth: what is found may lie elsewhere. */
    private static final int DEEP_KEY = 21;

    /** A parameter that stands in the path. */
    private static final int MATRIX = 22;

    /** No input: what is registered with a JSON library. */
    private static final int REGISTERED = 19;

    /** Added to a place where what is not known to have inputs is the outermost JSON object, or a form. */
    private static final int ROOTED = 64;

    /** What the core sends to see what names are compared with, and where it sends each. */
    private static final String[] PROBES = {
        "restive-query", "restive-probe", "restive-field", "restive-part", "restive-matrix"
    };
    private static final int[] PROBED = {QUERY, COOKIE, FORM, PART, MATRIX};

    /** Members of an array, as a step on the way to a key. */
    private static final String MEMBER = "/-";

    /** All keys of an object below the outermost one, as a step on a way; no key is escaped so. */
    private static final String ALL_KEYS = "/~3";

    /** How many inputs of an action are kept. */
    private static final int ROOM = 64;

    /** How many collections of inputs are known at a time. */
    private static final int MOST_HOLDERS = 64;

    /** The longest name that is told, in chars. */
    private static final int LONGEST_NAME = 100;

    /** The longest way to a key, in chars. */
    private static final int LONGEST_WAY = 400;

    /** Class loaders whose types of one name are told apart. */
    private static final int MOST_LOADERS = 16;

    /** How many schemas are kept. */
    private static final int MOST_SCHEMAS = 256;

    /** Whether an action runs; nothing is kept while none does. */
    private static volatile boolean watching;

    /** Whether inputs were read that the service takes apart by itself. */
    private static volatile boolean byHand;

    private static final int[] PLACES = new int[ROOM];
    private static final Object[] NAMES = new Object[ROOM];
    private static final AtomicInteger NEXT = new AtomicInteger();

    private static final int[] HELD = new int[MOST_HOLDERS];
    private static final Object[] HOLDERS = new Object[MOST_HOLDERS];
    private static final String[] WAYS = new String[MOST_HOLDERS];
    private static final AtomicInteger N_HOLDERS = new AtomicInteger();

    /** Of the names of types their schemas; the agent's thread alone comes here. */
    private static final HashMap<String, String> SCHEMAS = new HashMap<String, String>();

    /** Of the names of types by which rules they were read first. */
    private static final HashMap<String, Boolean> BY_FIELDS = new HashMap<String, Boolean>();

    /** Of the names of types the class loaders that have one. */
    private static final HashMap<String, ArrayList<Integer>> LOADERS = new HashMap<String, ArrayList<Integer>>();

    /** How many inputs there are; more than there is room for when some were left out. */
    public static int inputs;

    /** How many inputs the last {@link #take} left out. */
    public static int dropped;

    private Inputs() {
    }

    // Around calls.

    /** An input of this name is read. */
    public static void read(Object name, int place) {
        if (watching) {
            readByName(name, place);
        }
    }

    private static void readByName(Object name, int place) {
        if (name instanceof String ? ((String) name).length() <= LONGEST_NAME : Helidon.isField(name)) {
            note(name, place);
        }
    }

    /** This has inputs by their names. */
    public static void hold(Object holder, int place) {
        if (watching && holder != null && find(holder) < 0) {
            keep(holder, place, "");
            if (place == COOKIE) {
                // Frameworks and services alike make other maps of it.
                reach(place);
            }
        }
    }

    /** Something is looked for by its name in what may have inputs. */
    public static void look(Object holder, Object name, int place) {
        if (watching) {
            looked(holder, name, place);
        }
    }

    private static void looked(Object holder, Object name, int place) {
        if ((place & (ROOTED - 1)) == POINTED) {
            point(holder, name, (place & ROOTED) != 0);
        } else if (name instanceof String && ((String) name).length() <= LONGEST_NAME) {
            int held = find(holder);
            if (held >= 0) {
                tell(held, (String) name, place & (ROOTED - 1));
            } else if ((place & ROOTED) != 0) {
                // What was looked for in vain has no keys.
                if (!isKey(place - ROOTED)) {
                    note(name, place - ROOTED);
                } else if (holder != null || !hasKey()) {
                    note(step("", (String) name), place - ROOTED);
                }
            } else if (byHand) {
                lookByHand(holder, name);
            }
        }
    }

    /** What was found in what may have inputs; without a name it is a member of an array. */
    public static void child(Object found, Object holder, Object name, int place) {
        if (watching && found != null) {
            found(found, holder, name, place);
        }
    }

    private static void found(Object found, Object holder, Object name, int place) {
        int plain = place & (ROOTED - 1);
        if (plain != DEEP_KEY && isTree(found)) {
            int held = find(holder);
            boolean isKnown = held >= 0 && isKey(HELD[held]);
            if (isKnown || held < 0 && (place & ROOTED) != 0) {
                String way = isKnown ? WAYS[held] : "";
                if (found == holder && way.isEmpty()) {
                    // One object stands for all that is not there, also for the outermost one.
                    return;
                }
                way = plain == POINTED ? pointed(way, name)
                        : name instanceof String ? step(way, (String) name) : way + MEMBER;
                if (way != null && way.length() <= LONGEST_WAY) {
                    keep(found, KEY, way);
                }
            }
        }
    }

    /** What may be in an input is read as something, a part as a file; what may have inputs is read as text. */
    public static void typed(Object read, int place) {
        if (watching) {
            readAsType(read, place);
        }
    }

    private static void readAsType(Object read, int place) {
        int held = find(read);
        if (place == FILE && read != null) {
            note(new Object[] {read, byte[].class, null}, PART);
        } else if (held >= 0 && isKey(HELD[held]) && isKey(place)) {
            if (place == KEY) {
                // All keys of an object are gone through.
                String way = WAYS[held].isEmpty() ? "" : WAYS[held] + ALL_KEYS;
                if (way.length() <= LONGEST_WAY) {
                    note(way, place);
                }
            } else if (!WAYS[held].isEmpty()) {
                note(WAYS[held], place);
            }
        } else if (held >= 0 && HELD[held] == place) {
            reach(place);
        }
    }

    /** Something is read that has no name. */
    public static void reach(int place) {
        if (watching) {
            byHand = true;
            note("", place);
        }
    }

    /** A text is read into what this says; or, at any time, a library is told of subtypes. */
    public static void parse(Object type, int place) {
        if (place == REGISTERED) {
            Registered.keep(type);
        } else if (watching && type != null) {
            note(type, place);
        }
    }

    /**
     * A part, or a key of the body's object, is read into what this says; {@code media} is its media type, or null. A part may
     * stand in the place of its name.
     */
    public static void readAs(Object name, Object type, Object media, int place) {
        boolean isName = name instanceof String && ((String) name).length() <= LONGEST_NAME;
        if (watching && (isName || place == PART && type != null && name != null && !(name instanceof String))) {
            note(type == null ? place == KEY ? step("", (String) name) : name : new Object[] {name, type, media}, place);
            if (place == KEY) {
                note("", RAW);
            }
        }
    }

    /** What a text was read into. */
    public static void grown(Object result, int place) {
        if (watching && result != null && place >= PARSED && place <= DIRECT) {
            boolean isForm = result instanceof java.util.Map && result.getClass().getName().indexOf("Multi") >= 0;
            if (isForm || result.getClass().getName().startsWith("io.helidon.common.parameters.")) {
                hold(result, FORM);
            } else if (isTree(result)) {
                hold(result, KEY);
            }
        }
    }

    private static void tell(int held, String name, int place) {
        if (!isKey(HELD[held])) {
            note(name, HELD[held]);
        } else {
            String way = step(WAYS[held], name);
            if (way.length() <= LONGEST_WAY) {
                note(way, place < KEY || place == DEEP_KEY ? KEY : place);
            }
        }
    }

    /** A pointer leads to a key. */
    private static void point(Object holder, Object pointer, boolean isRooted) {
        int held = find(holder);
        boolean isKnown = held >= 0 && isKey(HELD[held]);
        String way = isKnown || held < 0 && isRooted ? pointed(isKnown ? WAYS[held] : "", pointer) : null;
        if (way != null && !way.isEmpty() && way.length() <= LONGEST_WAY) {
            note(way, KEY);
        }
    }

    /** The way behind another one that a pointer (RFC 6901) of the service, or of Jackson, stands for; null where it is none. */
    private static String pointed(String way, Object pointer) {
        boolean isOfJackson = pointer != null && pointer.getClass().getName().endsWith(".jackson.core.JsonPointer");
        String text = pointer instanceof String ? (String) pointer : isOfJackson ? pointer.toString() : null;
        if (text == null || text.length() > LONGEST_WAY || !text.startsWith("/")) {
            return null;
        }
        StringBuilder whole = new StringBuilder(way);
        for (int at = 0; at < text.length();) {
            int end = text.indexOf('/', at + 1);
            end = end < 0 ? text.length() : end;
            String step = text.substring(at + 1, end);
            boolean isPosition = !step.isEmpty();
            for (int i = 0; i < step.length(); i++) {
                isPosition &= step.charAt(i) >= '0' && step.charAt(i) <= '9';
            }
            whole.append(isPosition ? MEMBER : step.equals("-") ? "/~2" : "/" + step);
            at = end;
        }
        return whole.toString();
    }

    /** The way to a key of what another way leads to; a JSON pointer (RFC 6901), but for `-`. */
    private static String step(String way, String name) {
        String escaped = name;
        if (name.indexOf('~') >= 0 || name.indexOf('/') >= 0) {
            escaped = name.replace("~", "~0").replace("/", "~1");
        }
        return way + "/" + (name.equals("-") ? "~2" : escaped);
    }

    /** Whether this has keys, or is a value below some. */
    private static boolean isTree(Object value) {
        String name = value.getClass().getName();
        return value instanceof java.util.Map || value instanceof java.util.List || Schemas.begins(name, "com.google.gson.Json")
                || Schemas.begins(name, "com.fasterxml.jackson.databind.node.")
                || Schemas.begins(name, "tools.jackson.databind.node.")
                || Schemas.begins(name, "org.json.JSON") || name.startsWith("io.vertx.core.json.Json")
                || Schemas.begins(name, "org.glassfish.json.Json") || Schemas.begins(name, "org.eclipse.parsson.Json")
                || Schemas.begins(name, "org.apache.johnzon.core.Json");
    }

    /** Where a map that the service made of an input by itself has what the core put there, so are other names looked for. */
    private static void lookByHand(Object holder, Object name) {
        if (holder instanceof java.util.Map && isPlain((java.util.Map<?, ?>) holder)) {
            for (int i = 0; i < PROBES.length; i++) {
                if (((java.util.Map<?, ?>) holder).containsKey(PROBES[i])) {
                    note(name, PROBED[i]);
                    return;
                }
            }
        }
    }

    /** Whether a map looks for keys without asking anybody. */
    private static boolean isPlain(java.util.Map<?, ?> map) {
        Class<?> type = map.getClass();
        String name = type.getName();
        return type == HashMap.class || type == java.util.LinkedHashMap.class
                || type == java.util.concurrent.ConcurrentHashMap.class || type == java.util.Hashtable.class
                || type == java.util.TreeMap.class && ((java.util.TreeMap<?, ?>) map).comparator() == null
                || name.startsWith("org.springframework.util.") && name.indexOf("MultiValueMap") >= 0
                || name.equals("org.glassfish.jersey.internal.util.collection.MultivaluedStringMap")
                || name.equals("org.jboss.resteasy.specimpl.MultivaluedMapImpl");
    }

    /** Where the inputs are that this has; -1 when it is not known to have any. What was found last counts. */
    private static int find(Object holder) {
        int n = Math.min(N_HOLDERS.get(), MOST_HOLDERS);
        for (int i = n - 1; i >= 0; i--) {
            if (HOLDERS[i] == holder && holder != null && WAYS[i] != null) {
                return i;
            }
        }
        return -1;
    }

    private static void keep(Object holder, int place, String way) {
        int known = find(holder);
        if (known >= 0 && HELD[known] == place && way.equals(WAYS[known])) {
            return;
        }
        int slot = N_HOLDERS.getAndIncrement();
        if (slot >= 0 && slot < MOST_HOLDERS) {
            HELD[slot] = place;
            WAYS[slot] = way;
            HOLDERS[slot] = holder;
        }
    }

    /** Whether a place is that of a key of a JSON object. */
    private static boolean isKey(int place) {
        return place >= KEY && place <= LAST_KEY;
    }

    /** Whether a key was read in this action. */
    private static boolean hasKey() {
        int n = Math.min(NEXT.get(), ROOM);
        for (int i = 0; i < n; i++) {
            if (isKey(PLACES[i])) {
                return true;
            }
        }
        return false;
    }

    /** Whether the body of this action was taken apart as a multipart one. */
    private static boolean hasParts() {
        int n = Math.min(NEXT.get(), ROOM);
        for (int i = 0; i < n; i++) {
            if (PLACES[i] == PART && NAMES[i] != null) {
                return true;
            }
        }
        return false;
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
        boolean hasParts = hasParts();
        for (int i = 0; i < n && i < ROOM; i++) {
            Object name = NAMES[i];
            // Another thread may be about to write it.
            if (name != null && (PLACES[i] == BEAN || isPart(i) || PLACES[i] == Schemas.BOUND && Beans.isOfParts(name))) {
                tell(name, isPart(i) ? PART : PLACES[i], told);
            } else if (name instanceof Object[]) {
                String way = step("", (String) ((Object[]) name)[0]);
                told.append((char) Beans.key(((Object[]) name)[1])).append((char) way.length()).append(way);
            } else if (name != null) {
                int place = PLACES[i];
                // Where the body has parts, the fields of its form are some.
                place = place == FORM && hasParts && !"".equals(name) ? PART : place;
                boolean isType = place >= PARSED && place <= DIRECT;
                int untyped = isType ? untyped(name, place) : -1;
                String text = untyped >= 0 ? "" : isType ? named(name, place) : name instanceof String ? (String) name : Helidon.field(name);
                if (text == null) {
                    dropped++;
                } else if (!isType || untyped >= 0 || !text.isEmpty()) {
                    told.append((char) (untyped >= 0 ? untyped : place)).append((char) text.length()).append(text);
                }
            }
        }
        forget();
        return told.toString();
    }

    /** Whether this is a part of which more is known than its name. */
    private static boolean isPart(int idx) {
        return PLACES[idx] == PART && NAMES[idx] != null && !(NAMES[idx] instanceof String);
    }

    /** Tells of each parameter, or each part, that a bean is filled from, or of the one that is a part. */
    private static void tell(Object bean, int place, StringBuilder told) {
        java.util.List<String> known = null;
        try {
            known = place == PART ? Beans.toldOfPart(bean) : place == BEAN ? Beans.told(bean) : Beans.toldOf((Type) bean);
        } catch (Throwable failure) {
            // The framework names what it reads all the same.
            dropped++;
            return;
        }
        dropped += known == null ? 1 : 0;
        // JAX-RS has one annotation for fields of forms and parts: the body tells them apart.
        boolean hasParts = hasParts();
        boolean isQuery = known != null && isQuery(known);
        for (int i = 0; known != null && i < known.size(); i++) {
            String filling = known.get(i);
            if (filling.charAt(0) == Beans.NAMED && !isQuery) {
                continue;
            }
            filling = filling.charAt(0) == Beans.NAMED ? (char) QUERY + filling.substring(1)
                    : hasParts && filling.charAt(0) == FORM ? (char) PART + filling.substring(1) : filling;
            told.append((char) BEAN).append((char) filling.length()).append(filling);
        }
    }

    /** Whether one of the members of a bean that have nothing but their names was read as a parameter of the query. */
    private static boolean isQuery(java.util.List<String> fillings) {
        for (String filling : fillings) {
            String name = filling.substring(1, filling.indexOf('\n'));
            for (int i = 0; i < NEXT.get() && i < ROOM && filling.charAt(0) == Beans.NAMED; i++) {
                if (PLACES[i] == QUERY && name.equals(NAMES[i])) {
                    return true;
                }
            }
        }
        return false;
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
            String name = distinct(type);
            boolean byFields = place == Schemas.BY_FIELDS;
            Boolean known = BY_FIELDS.get(name);
            if (known == null && BY_FIELDS.size() < MOST_SCHEMAS) {
                BY_FIELDS.put(name, byFields);
            } else if (known != null && known != byFields) {
                name += byFields ? " by fields" : " by properties";
            }
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

    /** The name of a type; behind that of a class of the same name from another class loader its number. */
    static String distinct(Type type) {
        String name = Schemas.name(type);
        Type raw = type instanceof java.lang.reflect.ParameterizedType
                ? ((java.lang.reflect.ParameterizedType) type).getRawType() : type;
        if (!(raw instanceof Class)) {
            return name;
        }
        // Loaders are not kept alive: their numbers are.
        Integer loader = System.identityHashCode(((Class<?>) raw).getClassLoader());
        ArrayList<Integer> loaders = LOADERS.get(name);
        if (loaders == null) {
            loaders = new ArrayList<Integer>();
            LOADERS.put(name, loaders);
        }
        int idx = loaders.indexOf(loader);
        if (idx < 0) {
            idx = loaders.size();
            if (idx < MOST_LOADERS) {
                loaders.add(loader);
            }
        }
        return idx == 0 ? name : name + " (" + (idx + 1) + ")";
    }

    /** The place of what a framework reads a body into that has no properties: a text, bytes, a form; -1 for all others. */
    private static int untyped(Object read, int place) {
        try {
            return place == Schemas.BOUND || place == DIRECT ? Schemas.untyped(read) : -1;
        } catch (Throwable failure) {
            return -1;
        }
    }

    private static void forget() {
        byHand = false;
        int n = Math.min(ROOM, NEXT.get());
        for (int i = 0; i < n; i++) {
            NAMES[i] = null;
        }
        n = Math.min(MOST_HOLDERS, N_HOLDERS.get());
        for (int i = 0; i < n; i++) {
            HOLDERS[i] = null;
            WAYS[i] = null;
        }
        inputs = 0;
        NEXT.set(0);
        N_HOLDERS.set(0);
    }
}
