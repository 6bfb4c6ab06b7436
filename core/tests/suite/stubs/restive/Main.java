package restive;

import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

/** Runs the tests of the named classes and prints, test by test, the texts they hand over in hexadecimal. */
public final class Main {

    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            Class<?> type = Class.forName("restive." + name);
            for (Method method : type.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    Record.TEXTS.clear();
                    var constructor = type.getDeclaredConstructor();
                    method.invoke(constructor.newInstance());
                    System.out.println(method.getName() + " " + String.join(" ", Record.TEXTS));
                }
            }
        }
    }
}
