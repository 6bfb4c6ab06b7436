package org.hibernate.validator.internal.metadata.descriptor;

import java.lang.annotation.Annotation;
import java.util.Map;

/** What a constraint is. */
public class ConstraintDescriptorImpl {
    private final Annotation annotation;
    private final Map<String, Object> attributes;

    public ConstraintDescriptorImpl(Annotation annotation, Map<String, Object> attributes) {
        this.annotation = annotation;
        this.attributes = attributes;
    }

    public Annotation getAnnotation() {
        return annotation;
    }

    public Map<String, Object> getAttributes() {
        return attributes;
    }
}
