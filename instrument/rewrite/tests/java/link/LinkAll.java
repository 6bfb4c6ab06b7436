import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.List;

/**
 * Links classes, which verifies them, without initialising any.
 *
 * Arguments: a file with a class name per line; a file that gets `name: error` for each that does not link.
 */
public class LinkAll {
    public static void main(String[] args) throws Exception {
        List<String> names = Files.readAllLines(Paths.get(args[0]));
        int linked = 0;
        try (BufferedWriter errors = Files.newBufferedWriter(Paths.get(args[1]))) {
            for (String name : names) {
                try {
                    // HotSpot links a class before it tells its methods.
                    Class.forName(name, false, ClassLoader.getSystemClassLoader()).getDeclaredMethods();
                    linked++;
                } catch (Throwable error) {
                    errors.write(name + ": " + String.valueOf(error).replace('\n', ' ') + "\n");
                }
            }
        }
        System.out.println(linked + " of " + names.size() + " linked");
    }
}
