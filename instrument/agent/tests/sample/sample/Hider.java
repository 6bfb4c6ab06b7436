package sample;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Array;
import java.lang.reflect.Method;

/** Has a class that the JVM shows to no agent; called by reflection, for Java 8 has no such classes. */
final class Hider {
    private Hider() {
    }

    static String hide() {
        try {
            Class<?> option = Class.forName("java.lang.invoke.MethodHandles$Lookup$ClassOption");
            Class<?> none = Array.newInstance(option, 0).getClass();
            Method define = MethodHandles.Lookup.class.getMethod("defineHiddenClass", byte[].class, boolean.class, none);
            Object hidden = define.invoke(MethodHandles.lookup(), classFile(), true, Array.newInstance(option, 0));
            return "hidden " + hidden;
        } catch (ClassNotFoundException older) {
            return "no hidden classes";
        } catch (ReflectiveOperationException | IOException wrong) {
            return "not hidden: " + wrong;
        }
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = Hider.class.getResourceAsStream("Hider$Hidden.class")) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                bytes.write(next);
            }
            return bytes.toByteArray();
        }
    }

    /** Is loaded as a hidden class and never as itself. */
    static final class Hidden {
        private Hidden() {
        }
    }
}
