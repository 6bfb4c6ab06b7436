package io.micronaut.http.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the original. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Header {
    String value() default "";

    String name() default "";
}
