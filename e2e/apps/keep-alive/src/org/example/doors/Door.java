package org.example.doors;

/** What all servers answer. */
final class Door {
    private Door() {
    }

    /** The status that a path such as `/status/404` asks for; 400 for one that is no final status. */
    static int status(String path) {
        int status = 0;
        for (int at = path.lastIndexOf('/') + 1; at < path.length(); at++) {
            status = status * 10 + path.charAt(at) - '0';
        }
        return status < 200 || status > 599 ? 400 : status;
    }

    /** Whether the handler is to fail. */
    static boolean fails(String path) {
        return path.startsWith("/throw");
    }

    /** Whether the body of the request is to be read. */
    static boolean reads(String path) {
        return path.startsWith("/read");
    }

    /** Whether an answer of this status may have a body. */
    static boolean hasBody(int status) {
        return status != 204 && status != 304;
    }

    /** What fails. */
    static RuntimeException failure() {
        return new IllegalStateException("the door is closed");
    }
}
