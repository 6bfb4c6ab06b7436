package org.example.unnamed;

import java.util.Map;

/** What is behind each door: statuses, 418 where something was given that no schema names. */
final class Rules {
    /** Inputs by the operation that reads them. */
    private static final Map<String, String> WANTED = Map.of(
            "query", "teal", "header", "upper", "cookie", "rye", "form", "plum", "part", "fragile", "text", "ahoy");

    private Rules() {
    }

    /** The status of an operation that was given this. */
    static int of(String operation, String given) {
        if (given == null) {
            return 400;
        }
        return given.equals(WANTED.get(operation)) ? 418 : 200;
    }

    /** The status of a crate. */
    static int of(Crate crate) {
        if (crate == null || crate.port == null) {
            return 400;
        }
        return crate.port.equals("brest") && crate.weight > 40 ? 418 : 200;
    }
}
