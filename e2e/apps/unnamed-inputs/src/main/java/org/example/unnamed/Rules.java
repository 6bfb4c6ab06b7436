package org.example.unnamed;

import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.util.Locale;
import java.util.Map;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/** What is behind each door: statuses, 418 where something was given that no schema names. */
final class Rules {
    /** Inputs by the operation that reads them. */
    private static final Map<String, String> WANTED = Map.of(
            "query", "teal", "header", "upper", "cookie", "rye", "form", "plum", "part", "fragile", "text", "ahoy",
            "matrix", "stern", "trunk", "brass", "file-type", "text/waybill");

    private static final Validator VALIDATOR = Validation.byDefaultProvider().configure()
            .messageInterpolator(new ParameterMessageInterpolator()).buildValidatorFactory().getValidator();

    private Rules() {
    }

    /** The status of an operation that was given this. */
    static int of(String operation, String given) {
        if (given == null) {
            return 400;
        }
        return given.equals(WANTED.get(operation)) ? 418 : 200;
    }

    /** The status of a file that is called so. */
    static int ofFile(String name) {
        if (name == null) {
            return 400;
        }
        return name.toLowerCase(Locale.ROOT).endsWith(".waybill.csv") ? 418 : 200;
    }

    /** The status of a file that is known by what its name ends with. */
    static int ofEnding(String name) {
        if (name == null) {
            return 400;
        }
        switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "manifest":
                return 418;
            case "csv":
                return 202;
            default:
                return 200;
        }
    }

    /** The status of what has to fulfil its constraints. */
    static int ofValid(Object given) {
        return given != null && VALIDATOR.validate(given).isEmpty() ? 418 : 200;
    }

    /** The status of a berth. */
    static int ofBerth(Integer berth) {
        return berth == null ? 400 : berth >= 7100 && berth <= 7110 ? 418 : 200;
    }

    /** The status of a crate. */
    static int of(Crate crate) {
        if (crate == null || crate.port == null) {
            return 400;
        }
        return crate.port.equals("brest") && crate.weight > 40 ? 418 : 200;
    }
}
