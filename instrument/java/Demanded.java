import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A type argument of a container of which annotations demand something, as in {@code List<@Size(min = 2) String>}.
 *
 * <p>Containers are those that bean validation looks into by itself: {@code Iterable}, {@code Map} and {@code Optional}. It does
 * not look into arrays, and of classes of the service it asks an extractor of theirs.
 */
final class Demanded implements Type {
    final Type type;
    final List<Annotation> annotations;

    Demanded(Type type, List<Annotation> annotations) {
        this.type = type;
        this.annotations = annotations;
    }

    /** A type with what annotations demand of its members wherever it is used: at a field, at its getter and its setter. */
    static Type of(Type type, List<AnnotatedType> uses) {
        if (!(type instanceof ParameterizedType) || uses.isEmpty()) {
            return type;
        }
        ParameterizedType generic = (ParameterizedType) type;
        Type[] arguments = generic.getActualTypeArguments();
        boolean isChanged = false;
        for (int i = 0; i < arguments.length; i++) {
            ArrayList<Annotation> found = new ArrayList<Annotation>();
            ArrayList<AnnotatedType> below = new ArrayList<AnnotatedType>();
            for (AnnotatedType use : uses) {
                AnnotatedType at = argument(use, i, arguments.length);
                if (at != null) {
                    found.addAll(Arrays.asList(at.getAnnotations()));
                    below.add(at);
                }
            }
            Type known = of(arguments[i], below);
            known = found.isEmpty() || !isContainer(generic.getRawType()) ? known : new Demanded(known, found);
            isChanged |= known != arguments[i];
            arguments[i] = known;
        }
        return isChanged ? new Schemas.Parameterized((Class<?>) generic.getRawType(), arguments) : type;
    }

    /** The type of a parameter of a method with what it, and those that it overrides, demand of its members. */
    static Type ofParameter(Type type, List<Method> methods, int idx) {
        ArrayList<AnnotatedType> uses = new ArrayList<AnnotatedType>();
        for (Method method : methods) {
            note(method, idx, uses);
        }
        return of(type, uses);
    }

    /** Notes how the type of a field is used. */
    static void note(Field field, List<AnnotatedType> uses) {
        try {
            if (field.getGenericType() instanceof ParameterizedType) {
                uses.add(field.getAnnotatedType());
            }
        } catch (Throwable unreadable) {
            // Its type is known without them.
            uses.size();
        }
    }

    /** Notes how the type of what a method returns is used. */
    static void note(Method getter, List<AnnotatedType> uses) {
        try {
            if (getter.getGenericReturnType() instanceof ParameterizedType) {
                uses.add(getter.getAnnotatedReturnType());
            }
        } catch (Throwable unreadable) {
            uses.size();
        }
    }

    /** Notes how the type of a parameter is used. */
    static void note(Executable method, int idx, List<AnnotatedType> uses) {
        try {
            if (method.getGenericParameterTypes()[idx] instanceof ParameterizedType) {
                uses.add(method.getAnnotatedParameterTypes()[idx]);
            }
        } catch (Throwable unreadable) {
            uses.size();
        }
    }

    private static AnnotatedType argument(AnnotatedType use, int idx, int n) {
        if (!(use instanceof AnnotatedParameterizedType)) {
            return null;
        }
        AnnotatedType[] arguments = ((AnnotatedParameterizedType) use).getAnnotatedActualTypeArguments();
        return arguments.length == n ? arguments[idx] : null;
    }

    private static boolean isContainer(Type raw) {
        Class<?> type = (Class<?>) raw;
        return Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
                || type.getName().equals("java.util.Optional");
    }

    @Override
    public String toString() {
        return Schemas.name(type);
    }
}
