import java.io.BufferedWriter;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import jdk.test.whitebox.WhiteBox;

/**
 * Has each method of classes compiled by the quick compiler. The JVM initialises a class for that; one that cannot be is left out.
 *
 * Arguments: a file with a class name per line; a file that gets `method: refused` for each that is not compiled.
 */
public class CompileAll {
    private static final int QUICK = 1;
    private static final int FROM_THE_START = -1;

    private static final WhiteBox BOX = new WhiteBox();

    public static void main(String[] args) throws Exception {
        List<String> names = Files.readAllLines(Path.of(args[0]));
        int refused = 0;
        try (BufferedWriter errors = Files.newBufferedWriter(Path.of(args[1]))) {
            for (String name : names) {
                for (Executable method : methods(name)) {
                    if (isRefused(method)) {
                        errors.write(method + ": refused\n");
                        refused++;
                    }
                }
            }
        }
        System.out.println(refused + " refused");
    }

    private static boolean isRefused(Executable method) {
        try {
            BOX.enqueueMethodForCompilation0(method, QUICK, FROM_THE_START);
            return !BOX.isMethodCompilable0(method, QUICK, false);
        } catch (Throwable error) {
            return false;
        }
    }

    /** The methods with code of a class; none when it does not link. */
    private static List<Executable> methods(String name) {
        try {
            Class<?> found = Class.forName(name, false, ClassLoader.getSystemClassLoader());
            Stream<Executable> all = Stream.of(found.getDeclaredMethods(), found.getDeclaredConstructors()).flatMap(Stream::of);
            return all.filter(method -> (method.getModifiers() & (Modifier.ABSTRACT | Modifier.NATIVE)) == 0).toList();
        } catch (Throwable error) {
            return List.of();
        }
    }
}
