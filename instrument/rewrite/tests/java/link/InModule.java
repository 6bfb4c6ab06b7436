import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The classes under their names in the JDK's own module, where they may look into its collections and matchers. */
public final class InModule {
    public static void main(String[] args) throws Exception {
        Class<?> distances = Class.forName("java.lang.RestiveDistances");
        Method matches = distances.getMethod("matches", Matcher.class, int.class);
        System.out.println(matches.invoke(null, Pattern.compile("ab").matcher("ac"), 0));
        Method contained = distances.getMethod("contained", Object.class, Object.class);
        System.out.println(contained.invoke(null, Collections.unmodifiableList(Arrays.asList("fop", "x")), "foo"));
        System.out.println(distances.getMethod("format", int.class, Object.class).invoke(null, 0, "2019-1x-10"));
        System.out.println(distances.getMethod("parse", Object.class, Object.class)
                .invoke(null, java.time.format.DateTimeFormatter.ofPattern("yyyy/MM/dd"), "2019/10-14"));
        System.out.println(distances.getMethod("currency", String.class).invoke(null, "EUS"));
        System.out.println(distances.getMethod("parseInteger", String.class, int.class, long.class, long.class)
                .invoke(null, "ab", 10, -5, 5));
        System.out.println(distances.getMethod("character", int.class, int.class).invoke(null, 0, 58));
    }
}
