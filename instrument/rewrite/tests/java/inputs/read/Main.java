package read;

import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Map;
import javax.servlet.http.HttpServletRequest;
import org.glassfish.jersey.server.model.Parameter;
import org.springframework.core.MethodParameter;
import restive.Inputs;
import restive.Routes;

/** Tells what each use gives and what was told of it; or of each type its schema. */
public final class Main {
    private Main() {
    }

    public static void main(String[] uses) throws Exception {
        Object[] registered = {
            new Types.NamedType(Types.First.class, "1st"), Types.Second.class, Types.Left.class, null,
            new Types.RuntimeTypeAdapterFactory()
        };
        Inputs.parse(registered, 19);
        for (String use : uses) {
            if (use.startsWith("&")) {
                twice(use.substring(1));
                continue;
            }
            if (use.startsWith("=")) {
                Inputs.watch();
                Inputs.parse(Class.forName(use.substring(3), false, Main.class.getClassLoader()), use.charAt(1) - '0');
                String told = Inputs.take();
                System.out.println(told.isEmpty() ? "" : (int) told.charAt(0) + " " + told.substring(2));
                continue;
            }
            if (use.startsWith("/")) {
                route(use);
                continue;
            }
            if (use.startsWith("%")) {
                byBoth(Class.forName(use.substring(1), false, Main.class.getClassLoader()));
                continue;
            }
            if (use.startsWith("@")) {
                filled(Class.forName(use.substring(2), false, Main.class.getClassLoader()), use.charAt(1));
                continue;
            }
            if (use.contains(":")) {
                schema(use.substring(2), use.charAt(0) - '0');
                continue;
            }
            String unwatched = Reader.of(use, new Request());
            String told = Inputs.take();
            Inputs.watch();
            String watched = Reader.of(use, new Request());
            told += Inputs.take();
            System.out.println(use + ": " + unwatched + (watched.equals(unwatched) ? "" : " DIFFERS"));
            tell(told);
        }
    }

    /** Tells of a class, of the class of that name of another loader, and of both again. */
    private static void twice(String type) throws Exception {
        URL place = Main.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader alone = new URLClassLoader(new URL[] {place}, null);
        Class<?>[] types = {Class.forName(type), alone.loadClass(type)};
        for (int i = 0; i < 4; i++) {
            Inputs.watch();
            Inputs.parse(types[i % 2], 7);
            String name = Inputs.take().substring(2);
            System.out.println(name + " " + !Inputs.schema(name).isEmpty());
        }
    }

    /** Tells of a class by the rules of two libraries, and of both again. */
    private static void byBoth(Class<?> type) {
        for (int i = 0; i < 4; i++) {
            Inputs.watch();
            Inputs.parse(type, 7 - i % 2);
            String name = Inputs.take().substring(2);
            System.out.println(name + " " + Inputs.schema(name));
        }
    }

    /** Tells what a bean is filled from, once by once the same. */
    private static void filled(Class<?> type, char how) throws Exception {
        String first = null;
        for (int i = 0; i < 2; i++) {
            boolean isOfForm = how == 'J' || how == 'M';
            Object bean = how == 'S' ? new MethodParameter(type) : isOfForm ? type.getConstructor().newInstance() : type;
            Types.ran = false;
            Inputs.watch();
            boolean areParts = how == 'P' || how == 'F';
            Class<?> parameters = how == 'M' ? Filled.Fielded.class : type;
            Field[] fields = areParts || how == 'M' ? parameters.getDeclaredFields() : new Field[0];
            for (Field field : fields) {
                Inputs.parse(new Parameter(field), how == 'P' ? 18 : 4);
            }
            if (how == 'N') {
                Inputs.read("lane", 0);
            }
            if (!areParts) {
                Inputs.parse(bean, how == 'B' ? 8 : 18);
            }
            String told = Inputs.take();
            if (first == null) {
                first = told;
                System.out.println(type.getName() + (Types.ran ? " RAN" : ""));
                for (int at = 0; at < told.length();) {
                    int end = at + 2 + told.charAt(at + 1);
                    String line = told.substring(at + 3, end).replace('\n', ' ');
                    System.out.println((int) told.charAt(at) + " " + (int) told.charAt(at + 2) + " " + line);
                    at = end;
                }
            } else if (!first.equals(told)) {
                System.out.println("DIFFERS");
            }
        }
    }

    /** Tells the path, or the note, of a context of the JDK's server. */
    private static void route(String path) throws Exception {
        Object context = HttpServer.create().createContext(path);
        String told = Routes.tell(new Object[] {context}, new Class<?>[0]);
        System.out.println(told.charAt(0) + " " + told.substring(2, 2 + told.charAt(1)));
    }

    private static void schema(String type, int place) throws Exception {
        Inputs.watch();
        Class<?> read = Class.forName(type, false, Main.class.getClassLoader());
        Inputs.parse(read, place);
        Inputs.take();
        System.out.println(type + (Types.ran ? " RAN: " : ": ") + Inputs.schema(type));
    }

    private static void tell(String told) {
        for (int at = 0; at < told.length();) {
            int end = at + 2 + told.charAt(at + 1);
            System.out.println("  " + (int) told.charAt(at) + " " + told.substring(at + 2, end));
            at = end;
        }
    }

    private static final class Request implements HttpServletRequest {
        public String getParameter(String name) {
            return "p-" + name;
        }

        public Map<String, String[]> getParameterMap() {
            return Collections.emptyMap();
        }

        public String getHeader(String name) {
            return "h-" + name;
        }

        public String getQueryString() {
            return "restive-query=1&a=b";
        }

        public Object[] getCookies() {
            return new Object[0];
        }

        public InputStream getInputStream() {
            return null;
        }
    }
}
