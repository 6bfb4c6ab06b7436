package org.hibernate.validator.internal.engine.valuecontext;

/** Where a value stands. */
public class ValueContext {
    private final Object bean;
    private final String path;
    private final Object value;

    public ValueContext(Object bean, String path, Object value) {
        this.bean = bean;
        this.path = path;
        this.value = value;
    }

    public final Object getCurrentBean() {
        return bean;
    }

    public final Object getPropertyPath() {
        return path;
    }

    public final Object getCurrentValidatedValue() {
        return value;
    }
}
