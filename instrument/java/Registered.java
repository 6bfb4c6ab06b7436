import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Subtypes that the service registered with a JSON library: classes and named types of Jackson, factories of Gson.
 *
 * <p>They are kept where they are registered, held weakly, and asked for what they are on the agent's thread alone. Which mapper
 * has them is not known: they count for all.
 */
final class Registered {
    /** How many are kept. */
    private static final int ROOM = 256;

    private static final WeakReference<?>[] KEPT = new WeakReference<?>[ROOM];
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Registered() {
    }

    /** This was registered: one, or an array of some. */
    static void keep(Object registered) {
        Object[] all = registered instanceof Object[] ? (Object[]) registered : new Object[] {registered};
        for (int i = 0; i < all.length && i < ROOM && NEXT.get() < ROOM; i++) {
            int slot = all[i] == null ? ROOM : NEXT.getAndIncrement();
            if (slot < ROOM) {
                KEPT[slot] = new WeakReference<Object>(all[i]);
            }
        }
    }

    /** What was registered and is still there. */
    static List<Object> all() {
        ArrayList<Object> all = new ArrayList<Object>();
        for (int i = 0; i < Math.min(ROOM, NEXT.get()); i++) {
            Object known = KEPT[i] == null ? null : KEPT[i].get();
            if (known != null) {
                all.add(known);
            }
        }
        return all;
    }

    /** What an accessor of a library gives; null when it has none. */
    static Object get(Object object, String getter) {
        try {
            return object.getClass().getMethod(getter).invoke(object);
        } catch (Throwable failure) {
            return null;
        }
    }

    /** What a field holds; null when there is none of that name. */
    static Object field(Object object, String name) {
        try {
            Field field = object.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (Throwable failure) {
            return null;
        }
    }
}
