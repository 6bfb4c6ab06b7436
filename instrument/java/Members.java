import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Elements of collections, maps and arrays, as far as their classes are the JDK's own and hold their elements themselves.
 *
 * <p>Decided by the name of the class alone: a view or a class of the service is never asked for anything.
 */
public final class Members {
    /** How many elements are looked at. */
    private static final int LOOK = 64;

    /** How far an iterator is followed. */
    private static final int FOLLOW = 1024;

    /** How many constants of an enum are looked at. */
    private static final int CONSTANTS = 256;

    /** Tables with this many places are always walked through, and larger ones that have an element in this many places. */
    private static final int PLACES = 65_536;
    private static final int PLACES_EACH = 64;

    /** Fields that lead from a set or view to its map, and from that to its table. */
    private static final String[] TABLED = {
        "java.util.HashSet", "map", "java.util.HashMap$KeySet", "this$0", "java.util.HashMap$Values", "this$0",
        "java.util.concurrent.ConcurrentHashMap$CollectionView", "map", "java.util.HashMap", "table",
        "java.util.IdentityHashMap", "table", "java.util.concurrent.ConcurrentHashMap", "table"
    };
    private static final Field[] TABLES = fields(TABLED);

    /** Fields of wrappers. */
    private static final String[] HOLDERS = {
        "java.util.Collections$UnmodifiableCollection", "c", "java.util.Collections$SynchronizedCollection", "c",
        "java.util.Collections$UnmodifiableMap", "m", "java.util.Collections$SynchronizedMap", "m",
        "java.util.TreeSet", "m", "java.util.TreeMap$KeySet", "m"
    };
    private static final Field[] FIELDS = fields(HOLDERS);

    /** A class, held weakly, and the names of its constants. */
    private static final Object[][] ENUMS = new Object[64][];

    private static final String[] NO_TEXTS = new String[0];

    private static String[] currencies;

    /** By names of classes and of their fields; null where the JVM does not let this class read it. */
    private static Field[] fields(String[] names) {
        Field[] fields = new Field[names.length / 2];
        for (int i = 0; i < fields.length; i++) {
            try {
                Field field = Class.forName(names[2 * i]).getDeclaredField(names[2 * i + 1]);
                field.setAccessible(true);
                fields[i] = field;
            } catch (Throwable refused) {
                fields[i] = null;
            }
        }
        return fields;
    }

    private Members() {
    }

    /** What holds the elements of a collection, map or array; null when it is not known to be safe to look at. */
    private static Object holder(Object object) throws IllegalAccessException {
        Object inner = object;
        for (int depth = 0; inner != null && depth < 4; depth++) {
            Class<?> type = inner.getClass();
            if (type.isArray()) {
                return inner;
            }
            String name = type.getName();
            if (!name.startsWith("java.util.")) {
                return null;
            }
            int field = field(name, inner instanceof Map);
            if (field < 0) {
                return isKnown(name) ? inner : null;
            }
            if (FIELDS[field] == null) {
                return null;
            }
            Object held = FIELDS[field].get(inner);
            if (field >= 4) {
                // Views of parts of it compare, by code of the service.
                return held != null && held.getClass() == TreeMap.class ? inner : null;
            }
            inner = held;
        }
        return null;
    }

    private static int field(String name, boolean isMap) {
        if (name.startsWith("java.util.Collections$Unmodifiable")) {
            return isMap ? 2 : 0;
        }
        if (name.startsWith("java.util.Collections$Synchronized")) {
            return isMap ? 3 : 1;
        }
        return name.equals("java.util.TreeSet") ? 4 : name.equals("java.util.TreeMap$KeySet") ? 5 : -1;
    }

    /** Classes of {@code java.util} that hold elements and iterate without comparing or locking. */
    private static boolean isKnown(String name) {
        return isIndexed(name) || isIterated(name) || isMap(name);
    }

    private static boolean isIndexed(String name) {
        switch (name) {
            case "java.util.ArrayList":
            case "java.util.Vector":
            case "java.util.Arrays$ArrayList":
            case "java.util.Collections$EmptyList":
            case "java.util.Collections$SingletonList":
            case "java.util.ImmutableCollections$List12":
            case "java.util.ImmutableCollections$ListN":
            case "java.util.concurrent.CopyOnWriteArrayList":
                return true;
            default:
                return false;
        }
    }

    private static boolean isIterated(String name) {
        switch (name) {
            case "java.util.ArrayDeque":
            case "java.util.Collections$EmptySet":
            case "java.util.Collections$SingletonSet":
            case "java.util.HashMap$KeySet":
            case "java.util.HashMap$Values":
            case "java.util.HashSet":
            case "java.util.ImmutableCollections$Set12":
            case "java.util.ImmutableCollections$SetN":
            case "java.util.JumboEnumSet":
            case "java.util.LinkedHashMap$LinkedKeySet":
            case "java.util.LinkedHashMap$LinkedValues":
            case "java.util.LinkedHashSet":
            case "java.util.LinkedList":
            case "java.util.PriorityQueue":
            case "java.util.RegularEnumSet":
            case "java.util.TreeMap$Values":
            case "java.util.concurrent.ConcurrentHashMap$KeySetView":
            case "java.util.concurrent.ConcurrentHashMap$ValuesView":
            case "java.util.concurrent.CopyOnWriteArraySet":
                return true;
            default:
                return false;
        }
    }

    private static boolean isMap(String name) {
        switch (name) {
            case "java.util.Collections$EmptyMap":
            case "java.util.Collections$SingletonMap":
            case "java.util.EnumMap":
            case "java.util.HashMap":
            case "java.util.IdentityHashMap":
            case "java.util.ImmutableCollections$Map1":
            case "java.util.ImmutableCollections$MapN":
            case "java.util.LinkedHashMap":
            case "java.util.TreeMap":
            case "java.util.concurrent.ConcurrentHashMap":
                return true;
            default:
                return false;
        }
    }

    /** Whether its few elements lie in a table so large that it takes long to find them. */
    private static boolean isSparse(Object holder) throws IllegalAccessException {
        if (holder.getClass().getName().contains("Linked")) {
            // Followed by its links.
            return false;
        }
        Object inner = holder;
        for (int i = 0; i < TABLES.length; i++) {
            if (TABLES[i] != null && TABLES[i].getDeclaringClass().isInstance(inner)) {
                inner = TABLES[i].get(inner);
            }
        }
        if (!(inner instanceof Object[]) || inner == holder || ((Object[]) inner).length <= PLACES) {
            return false;
        }
        int size = holder instanceof Map ? ((Map<?, ?>) holder).size() : ((Collection<?>) holder).size();
        return size < ((Object[]) inner).length / PLACES_EACH;
    }

    /** How many elements there are; -1 when it is not known. */
    static int size(Object object) {
        try {
            Object holder = object == null ? null : holder(object);
            if (holder instanceof Collection) {
                return ((Collection<?>) holder).size();
            }
            if (holder instanceof Map) {
                return ((Map<?, ?>) holder).size();
            }
            return holder == null ? -1 : Array.getLength(holder);
        } catch (Throwable failure) {
            return -1;
        }
    }

    static float contained(Object collection, Object value) {
        try {
            Object holder = collection == null || !isValue(value) ? null : holder(collection);
            return holder == null || holder instanceof Map || isSparse(holder) ? Distances.UNKNOWN : nearest(holder, value);
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    static float containsKey(Object map, Object key) {
        try {
            Object holder = map == null || !isValue(key) ? null : holder(map);
            return holder instanceof Map && !isSparse(holder) ? nearest(((Map<?, ?>) holder).keySet(), key) : Distances.UNKNOWN;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    static float isKey(Object map, Object key) {
        try {
            Object holder = map == null || !isValue(key) ? null : holder(map);
            boolean hasSafeKeys = key instanceof String || key != null && key.getClass().getName().startsWith("java.lang.");
            if (!(holder instanceof Map) || holder instanceof TreeMap || !hasSafeKeys) {
                // A tree compares, and a collection asks its elements, maybe by code of the service.
                return containsKey(map, key);
            }
            return ((Map<?, ?>) holder).containsKey(key) ? 0 : Distances.UNKNOWN;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    static float containsValue(Object map, Object value) {
        try {
            Object holder = map == null || !isValue(value) ? null : holder(map);
            return holder instanceof Map && !isSparse(holder) ? nearest(((Map<?, ?>) holder).values(), value) : Distances.UNKNOWN;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    static float containedAll(Object collection, Object values) {
        try {
            Object holder = collection == null ? null : holder(collection);
            Object wanted = values == null ? null : holder(values);
            if (!(holder instanceof Collection) || !(wanted instanceof Collection) || isSparse(holder) || isSparse(wanted)) {
                return Distances.UNKNOWN;
            }
            double sum = 0;
            int n = ((Collection<?>) wanted).size();
            int left = Math.min(n, LOOK);
            Iterator<?> iterator = ((Collection<?>) wanted).iterator();
            for (; left > 0 && iterator.hasNext(); left--) {
                Object value = iterator.next();
                double distance = isValue(value) ? nearest(holder, value) : Distances.UNKNOWN;
                sum += distance / (1 + distance);
            }
            return sum == 0 && n > LOOK ? Distances.UNSURE : Distances.narrow(sum);
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    private static boolean isValue(Object value) {
        return value instanceof String || value != null && Values.isOfJdk(value);
    }

    /** The distance of a value to the nearest of the elements, of which at most {@link #LOOK} are looked at. */
    private static float nearest(Object holder, Object value) {
        if (holder instanceof Collection && !(holder instanceof List && isIndexed(holder.getClass().getName()))) {
            return nearest((Collection<?>) holder, value);
        }
        List<?> list = holder instanceof List ? (List<?>) holder : null;
        int n = list == null ? Array.getLength(holder) : list.size();
        int looks = Math.min(n, LOOK);
        float best = Distances.UNKNOWN;
        for (int i = 0; i < looks && best > 0; i++) {
            int at = (int) ((long) i * n / looks);
            best = Math.min(best, Distances.equal(value, list == null ? Array.get(holder, at) : list.get(at)));
        }
        return best;
    }

    private static float nearest(Collection<?> elements, Object value) {
        int n = Math.min(elements.size(), FOLLOW);
        int looks = Math.min(n, LOOK);
        float best = Distances.UNKNOWN;
        Iterator<?> iterator = elements.iterator();
        int look = 0;
        for (int at = 0; look < looks && best > 0 && iterator.hasNext(); at++) {
            Object element = iterator.next();
            if (at == (int) ((long) look * n / looks)) {
                best = Math.min(best, Distances.equal(value, element));
                look++;
            }
        }
        return best;
    }

    /**
     * Texts among the members of a collection or array, the keys or values of a map, or the constants of an enum (the kinds of
     * {@link Tracking}), at most this many, evenly spread; null where one is no text, or not known.
     */
    static String[] texts(Object holder, int kind, int most) {
        try {
            if (kind == Tracking.CONSTANTS) {
                return holder instanceof Class ? spread(constants((Class<?>) holder), most) : NO_TEXTS;
            }
            Object inner = holder(holder);
            if (inner instanceof Map && kind != Tracking.MEMBERS) {
                Map<?, ?> map = (Map<?, ?>) inner;
                return spread(kind == Tracking.KEYS ? map.keySet() : map.values(), most);
            }
            if (inner instanceof Collection) {
                return spread((Collection<?>) inner, most);
            }
            return inner instanceof Object[] ? spread((Object[]) inner, most) : NO_TEXTS;
        } catch (Throwable failure) {
            return NO_TEXTS;
        }
    }

    /** Texts among the keys of a map that a JSON library keeps in its objects, at most {@link #LOOK}, evenly spread. */
    static String[] keys(Object map) {
        try {
            String name = map == null ? "" : map.getClass().getName();
            boolean isKnown = isMap(name) || name.endsWith(".gson.internal.LinkedTreeMap");
            return isKnown ? spread(((Map<?, ?>) map).keySet(), LOOK) : NO_TEXTS;
        } catch (Throwable failure) {
            return NO_TEXTS;
        }
    }

    private static String[] spread(Object[] elements, int most) {
        String[] texts = new String[Math.min(elements.length, most)];
        for (int i = 0; i < texts.length; i++) {
            Object element = elements[(int) ((long) i * elements.length / texts.length)];
            texts[i] = element instanceof String ? (String) element : null;
        }
        return texts;
    }

    private static String[] spread(Collection<?> elements, int most) {
        int n = Math.min(elements.size(), FOLLOW);
        String[] texts = new String[Math.min(n, most)];
        Iterator<?> iterator = elements.iterator();
        int found = 0;
        for (int at = 0; found < texts.length && iterator.hasNext(); at++) {
            Object element = iterator.next();
            if (at == (int) ((long) found * n / texts.length)) {
                texts[found++] = element instanceof String ? (String) element : null;
            }
        }
        return texts;
    }

    /** The distance to the nearest of these texts, evenly spread when there are many. */
    static float nearest(String[] texts, String text) {
        int looks = Math.min(texts.length, CONSTANTS);
        float best = Distances.UNKNOWN;
        for (int i = 0; i < looks && best > 0; i++) {
            best = Math.min(best, Distances.equal(text, texts[(int) ((long) i * texts.length / looks)], false));
        }
        return best;
    }

    static float enumConstant(Object type, String name) {
        try {
            return type instanceof Class && name != null ? nearest(constants((Class<?>) type), name) : Distances.UNKNOWN;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }

    /** The names of its constants, by its fields: asking for the constants would initialise the class. */
    private static String[] constants(Class<?> type) {
        int slot = System.identityHashCode(type) & ENUMS.length - 1;
        Object[] known = ENUMS[slot];
        if (known != null && ((WeakReference<?>) known[0]).get() == type) {
            return (String[]) known[1];
        }
        Field[] fields = type.getDeclaredFields();
        String[] names = new String[fields.length];
        int n = 0;
        for (Field field : fields) {
            if (field.isEnumConstant()) {
                names[n++] = field.getName();
            }
        }
        names = Arrays.copyOf(names, n);
        ENUMS[slot] = new Object[] {new WeakReference<Object>(type), names};
        return names;
    }

    static float currency(String code) {
        try {
            String[] codes = currencies;
            if (codes == null) {
                Object[] all = Currency.getAvailableCurrencies().toArray();
                codes = new String[all.length];
                for (int i = 0; i < codes.length; i++) {
                    codes[i] = ((Currency) all[i]).getCurrencyCode();
                }
                Arrays.sort(codes);
                currencies = codes;
            }
            float best = Distances.UNKNOWN;
            for (int i = 0; code != null && i < codes.length && best > 0; i++) {
                best = Math.min(best, Distances.equal(code, codes[i], false));
            }
            return best;
        } catch (Throwable failure) {
            return Distances.UNKNOWN;
        }
    }
}
