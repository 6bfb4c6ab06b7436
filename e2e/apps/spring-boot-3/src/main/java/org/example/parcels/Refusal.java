package org.example.parcels;

import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.BindException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/** Why something is not done, and how that is answered. */
@RestControllerAdvice
class Refusal {
    /** There is no such thing. */
    static class Missing extends RuntimeException {
        Missing(String message) {
            super(message);
        }
    }

    /** It does not fit what is there. */
    static class Conflict extends RuntimeException {
        Conflict(String message) {
            super(message);
        }
    }

    @ExceptionHandler({BindException.class, HttpMessageNotReadableException.class, MethodArgumentTypeMismatchException.class,
            MissingServletRequestParameterException.class})
    @ResponseStatus(HttpStatus.BAD_REQUEST)
    Map<String, String> wrong() {
        return Map.of("message", "not understood");
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    Map<String, String> missing(Missing refusal) {
        return Map.of("message", refusal.getMessage());
    }

    @ExceptionHandler
    @ResponseStatus(HttpStatus.CONFLICT)
    Map<String, String> conflict(Conflict refusal) {
        return Map.of("message", refusal.getMessage());
    }
}
