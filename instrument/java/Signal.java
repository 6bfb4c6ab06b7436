/** What the work of a thread is ended by: an {@code Error} without stack trace, made once. */
final class Signal extends Error {
    private static final long serialVersionUID = 1L;

    Signal(String message) {
        super(message, null, false, false);
    }
}
