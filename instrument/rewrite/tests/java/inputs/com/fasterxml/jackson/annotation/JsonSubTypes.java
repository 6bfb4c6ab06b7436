package com.fasterxml.jackson.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As much of the annotation as is used here. */
@Retention(RetentionPolicy.RUNTIME)
public @interface JsonSubTypes {
    Type[] value();

    @interface Type {
        Class<?> value();

        String name() default "";
    }
}
