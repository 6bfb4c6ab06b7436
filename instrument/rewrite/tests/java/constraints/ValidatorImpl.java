package org.hibernate.validator.internal.engine;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/** What validates a bean, in small. */
public class ValidatorImpl {
    private final Consumer<Set<String>> work;

    public ValidatorImpl(Consumer<Set<String>> work) {
        this.work = work;
    }

    public <T> Set<String> validateParameters(T bean, Method method, Object[] values, Class<?>... groups) {
        if (method == null) {
            return Collections.emptySet();
        }
        Set<String> violations = new LinkedHashSet<>();
        work.accept(violations);
        return violations;
    }

    public final <T> Set<String> validate(T bean, Class<?>... groups) {
        if (groups.length > 1) {
            return Collections.emptySet();
        }
        Set<String> violations = new LinkedHashSet<>();
        work.accept(violations);
        return violations;
    }
}
