package jakarta.validation;

public interface ConstraintValidator {
    boolean isValid(Object value, ConstraintValidatorContext context);
}
