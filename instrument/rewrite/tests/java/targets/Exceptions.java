import java.util.ArrayList;
import java.util.List;

/** Exceptions on every way through handlers and constructors: all as without probes. */
public class Exceptions {
    private static final List<String> LOG = new ArrayList<>();

    static void run() {
        for (int i = 0; i < 6; i++) {
            try {
                LOG.add(attempt(i));
            } catch (RuntimeException exception) {
                LOG.add(i + " " + exception + " because of " + exception.getCause());
            }
        }
        System.out.println(LOG);
        System.out.println(locked(0) + locked(1) + new Exceptions().held(0) + new Exceptions().held(1));
        deep(0);
    }

    private static String attempt(int i) {
        try (Resource resource = new Resource(i)) {
            return resource.use(new String[] {"a", null}, i);
        } catch (IllegalStateException exception) {
            throw new RuntimeException("wrapped", exception);
        } finally {
            LOG.add("finally " + i);
        }
    }

    private static synchronized String locked(int i) {
        try {
            return "locked " + 1 / i;
        } catch (ArithmeticException exception) {
            return exception.getMessage();
        }
    }

    private String held(int i) {
        try {
            synchronized (this) {
                return "held " + 1 / i;
            }
        } catch (ArithmeticException exception) {
            return Thread.holdsLock(this) ? "still held" : "let go";
        }
    }

    /** Handlers have little room where the stack is at its end. */
    private static void deep(int n) {
        try {
            deep(n + 1);
        } catch (StackOverflowError error) {
            if (n == 0) {
                System.out.println("overflow");
                throw new Finished();
            }
            throw error;
        } catch (Finished finished) {
            System.out.println("never");
        } finally {
            if (n == 0) {
                return;
            }
        }
    }

    private static final class Finished extends RuntimeException {
        @Override
        public String getMessage() {
            throw new IllegalStateException("nobody asks");
        }
    }

    private static class Base {
        final String name;

        Base(String name) {
            if (name == null) {
                throw new IllegalStateException("no name");
            }
            this.name = name;
        }
    }

    private static final class Resource extends Base implements AutoCloseable {
        private final Base other;
        private int uses;

        Resource(int i) {
            // What is passed on jumps, has a handler of a class and makes an object of the superclass.
            super(i == 1 ? null : new Base(i > 3 ? "far" : "near").name);
            this.other = i == 2 ? null : new Base("other");
            if (i == 5) {
                throw new IllegalArgumentException("five");
            }
        }

        Resource(String name, Resource... more) {
            this(more.length);
        }

        String use(String[] texts, int i) {
            uses++;
            return other.name + texts[i].length() + uses;
        }

        @Override
        public void close() {
            if (uses == 0) {
                throw new IllegalStateException("closed unused");
            }
        }
    }
}
