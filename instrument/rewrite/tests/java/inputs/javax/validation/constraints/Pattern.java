package javax.validation.constraints;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** As the original. */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD, ElementType.ANNOTATION_TYPE, ElementType.PARAMETER, ElementType.TYPE_USE})
public @interface Pattern {
    String regexp();

    Flag[] flags() default {};

    /** Flags of an expression. */
    enum Flag { UNIX_LINES, CASE_INSENSITIVE }
}
