package org.glassfish.jersey.server.model;

import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Type;

/** As much of the class as is asked; made of a field. */
public class Parameter {
    private final Field field;

    public Parameter(Field field) {
        this.field = field;
    }

    public Type getType() {
        return field.getGenericType();
    }

    public Annotation[] getAnnotations() {
        return field.getAnnotations();
    }
}
