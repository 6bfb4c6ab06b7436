package javax.validation.constraints;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As much of the annotation as is used here. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Digits {
    int integer();

    int fraction();
}
