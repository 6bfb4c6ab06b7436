package org.springframework.core;

import java.lang.annotation.Annotation;
import java.lang.reflect.Type;

/** As much of the class as is asked. */
public class MethodParameter {
    private final Type type;

    public MethodParameter(Type type) {
        this.type = type;
    }

    public Type getGenericParameterType() {
        return type;
    }

    public Annotation[] getParameterAnnotations() {
        return new Annotation[0];
    }
}
