package shop;

import jakarta.validation.constraints.*;
import java.lang.annotation.Annotation;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.hibernate.validator.internal.engine.ValidatorImpl;
import org.hibernate.validator.internal.engine.constraintvalidation.ConstraintTree;
import org.hibernate.validator.internal.engine.valuecontext.ValueContext;
import org.hibernate.validator.internal.metadata.descriptor.ConstraintDescriptorImpl;
import restive.Probes;

/** Validates an order against all of its constraints, and tells how far it was from fulfilling each. */
public class Shop {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Even { }

    static class Order {
        @NotNull Object buyer = null;
        @NotBlank String street = "  ";
        @NotEmpty String town = "";
        @Size(min = 5, max = 7) String name = "abc";
        @Size(min = 0, max = 1) Object parts = Arrays.asList(1, 2, 3);
        @Min(10) int count = 7;
        @Max(10) long most = 15;
        @DecimalMin(value = "2.5", inclusive = false) BigDecimal price = new BigDecimal("2.5");
        @DecimalMax("1") Double share = 1.25;
        @Positive int weight = -3;
        @Negative int debt = 2;
        @Digits(integer = 2, fraction = 1) BigDecimal sum = new BigDecimal("1234.567");
        @Pattern(regexp = "[A-C]{2}", flags = Pattern.Flag.CASE_INSENSITIVE) String code = "ax";
        @Email String mail = "no";
        @Past LocalDate birth = LocalDate.now().plusDays(4);
        @Future LocalDate arrival = LocalDate.now().minusDays(4);
        @AssertTrue boolean terms = false;
        @Size(min = 1, max = 9) String fine = "abc";
        @Even int number = 7;
        @Max(3) String[] odd = {"what", "it", "is", "not", "for"};
        @Digits(integer = 2, fraction = 1) String endless = new String(new char[10_000_000]).replace('\0', '7');
        @Min(10) BigDecimal vast = new BigDecimal(BigInteger.ONE.shiftLeft(30_000_000).negate());
    }

    private static boolean isValid(String name, Object value) {
        return name.equals("fine");
    }

    private static void validate(Order order, Map<Field, ConstraintDescriptorImpl> known) {
        ValidatorImpl validator = new ValidatorImpl(violations -> {
            try {
                ask(order, known);
            } catch (Exception exception) {
                violations.add(exception.toString());
            }
        });
        System.out.println(validator.validate(order));
        System.out.println(validator.validateParameters(order, method("isValid"), new Object[0]));
        System.out.println(validator.validateParameters(order, null, new Object[0]));
    }

    private static Method method(String name) {
        for (Method method : Shop.class.getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                return method;
            }
        }
        return null;
    }

    private static void ask(Order order, Map<Field, ConstraintDescriptorImpl> known) throws Exception {
        for (Field field : Order.class.getDeclaredFields()) {
            Annotation annotation = field.getAnnotations()[0];
            if (!known.containsKey(field)) {
                Map<String, Object> attributes = new HashMap<>();
                for (Method method : annotation.annotationType().getDeclaredMethods()) {
                    method.setAccessible(true);
                    attributes.put(method.getName(), method.invoke(annotation));
                }
                known.put(field, new ConstraintDescriptorImpl(annotation, attributes));
            }
            Object value = field.get(order);
            ValueContext place = new ValueContext(order, "orders[3]." + field.getName() + "[key]", value);
            ConstraintTree tree = new ConstraintTree(known.get(field));
            Object answer = tree.validateSingleConstraint(place, null, (any, context) -> isValid(field.getName(), any));
            System.out.println(field.getName() + " " + answer);
        }
        ConstraintTree failing = new ConstraintTree(known.get(Order.class.getDeclaredField("name")));
        System.out.println(failing.validateSingleConstraint(new ValueContext(null, "", 1), null, (value, context) -> {
            throw new IllegalStateException();
        }));
    }

    public static void main(String[] args) throws Exception {
        Map<Field, ConstraintDescriptorImpl> known = new HashMap<>();
        validate(new Order(), known);
        System.out.println("----");
        for (int i = 0; i < Probes.constraints; i++) {
            Probes.CONSTRAINT_IDS[i] = 2 * i + 1;
        }
        validate(new Order(), known);
        System.out.println("----");
        for (int i = 0; i < Probes.constraints; i++) {
            String[] names = Probes.CONSTRAINTS[i].split("\n");
            float toTrue = Float.intBitsToFloat(Integer.MAX_VALUE - Probes.CELLS[2 * i]);
            float toFalse = Float.intBitsToFloat(Integer.MAX_VALUE - Probes.CELLS[2 * i + 1]);
            // The distance of a whole in constraints, for versions print large numbers differently.
            float unit = names[2].equals("valid") ? 1 << 20 : 1;
            System.out.println(String.join(" ", names) + " " + toTrue / unit + " " + toFalse);
        }
    }
}
