package com.fasterxml.jackson.annotation;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As much of the annotation as is used here. */
@Retention(RetentionPolicy.RUNTIME)
public @interface JsonTypeInfo {
    Id use();

    As include() default As.PROPERTY;

    String property() default "";

    enum Id {
        NAME, CLASS, MINIMAL_CLASS, DEDUCTION
    }

    enum As {
        PROPERTY, WRAPPER_OBJECT, WRAPPER_ARRAY, EXTERNAL_PROPERTY
    }
}
