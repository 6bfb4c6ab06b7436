package com.fasterxml.jackson.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As the original. */
@Retention(RetentionPolicy.RUNTIME)
public @interface JsonProperty {
    String value() default "";

    boolean required() default false;

    Access access() default Access.AUTO;

    /** Who may use it. */
    enum Access { AUTO, READ_ONLY }
}
