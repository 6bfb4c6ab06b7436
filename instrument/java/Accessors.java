import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What objects of frameworks hold, whose classes are known by the names of their members alone. */
final class Accessors {
    private Accessors() { }

    /** Whether an object has a method of this name without arguments. */
    static boolean has(Object object, String method) {
        try {
            return find(object.getClass(), method) != null;
        } catch (Throwable failure) {
            return false;
        }
    }

    /** What a method without arguments gives, what another one of that gives, and so on. */
    static Object call(Object object, String... names) throws Exception {
        Object at = object;
        for (String name : names) {
            Method method = find(at.getClass(), name);
            if (method == null) {
                throw new NoSuchMethodException(at.getClass().getName() + "." + name);
            }
            at = invoke(method, at);
        }
        return at;
    }

    private static Object invoke(Method method, Object object) throws Exception {
        try {
            method.setAccessible(true);
        } catch (RuntimeException closed) {
            // A public method of a public class needs no leave.
            return method.invoke(object);
        }
        return method.invoke(object);
    }

    /** A method without arguments, as declared furthest above, where it is most likely to be public. */
    private static Method find(Class<?> type, String name) {
        Method found = null;
        for (Method method : type.getMethods()) {
            boolean isOne = method.getName().equals(name) && method.getParameterTypes().length == 0;
            if (isOne && (found == null || Modifier.isPublic(method.getDeclaringClass().getModifiers()))) {
                found = method;
            }
        }
        return found;
    }

    /** What one of these fields or accessors holds. */
    static Object field(Object object, String one, String other, String getOne, String getOther) throws Exception {
        for (String getter : new String[] {getOne, getOther}) {
            if (has(object, getter)) {
                return call(object, getter);
            }
        }
        return field(object, one, other);
    }

    /** What the first of these fields that the object has holds. */
    static Object field(Object object, String... names) throws Exception {
        for (String name : names) {
            for (Class<?> at = object.getClass(); at != null; at = at.getSuperclass()) {
                for (Field field : at.getDeclaredFields()) {
                    if (field.getName().equals(name)) {
                        field.setAccessible(true);
                        return field.get(object);
                    }
                }
            }
        }
        throw new NoSuchFieldException(object.getClass().getName() + "." + names[0]);
    }

    /** What a public method of one argument gives for it. */
    static Object ask(Object object, String name, Object argument) throws Exception {
        for (Method method : object.getClass().getMethods()) {
            Class<?>[] taken = method.getParameterTypes();
            if (method.getName().equals(name) && taken.length == 1 && taken[0].isInstance(argument)) {
                method.setAccessible(true);
                return method.invoke(object, argument);
            }
        }
        throw new NoSuchMethodException(object.getClass().getName() + "." + name);
    }

    /** The texts of the elements of a collection or array; none of anything else. */
    static List<String> texts(Object values) {
        List<String> texts = new ArrayList<String>();
        Object[] all = values instanceof Collection ? ((Collection<?>) values).toArray()
                : values instanceof Object[] ? (Object[]) values : new Object[0];
        for (Object value : all) {
            texts.add(String.valueOf(value));
        }
        return texts;
    }
}
