package sample;

/** An exception that notices when somebody asks it for something. */
final class Odd extends RuntimeException {
    private static int asked;

    private Odd(String message) {
        super(message);
    }

    static RuntimeException of(String message) {
        return new Odd(message);
    }

    static int asked() {
        return asked;
    }

    @Override
    public String getMessage() {
        asked++;
        return "asked";
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        asked++;
        return new StackTraceElement[0];
    }

    @Override
    public synchronized Throwable getCause() {
        asked++;
        return null;
    }

    @Override
    public String toString() {
        asked++;
        return "asked";
    }
}
