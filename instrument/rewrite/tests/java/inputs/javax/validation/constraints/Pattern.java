package javax.validation.constraints;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the original. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Pattern {
    String regexp();

    Flag[] flags() default {};

    /** Flags of an expression. */
    enum Flag { UNIX_LINES, CASE_INSENSITIVE }
}
