package org.hibernate.validator.internal.engine.constraintvalidation;

import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import java.util.Optional;
import org.hibernate.validator.internal.engine.valuecontext.ValueContext;
import org.hibernate.validator.internal.metadata.descriptor.ConstraintDescriptorImpl;

/** The class of Hibernate Validator that is observed, in small. */
public class ConstraintTree {
    protected final ConstraintDescriptorImpl descriptor;

    public ConstraintTree(ConstraintDescriptorImpl descriptor) {
        this.descriptor = descriptor;
    }

    public final Optional<String> validateSingleConstraint(
            ValueContext valueContext, ConstraintValidatorContext context, ConstraintValidator validator) {
        boolean isValid;
        try {
            Object value = valueContext.getCurrentValidatedValue();
            isValid = validator.isValid(value, context);
        } catch (RuntimeException exception) {
            return Optional.of("cannot validate");
        }
        if (!isValid) {
            return Optional.of("not valid");
        }
        return Optional.empty();
    }
}
