package read;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.google.gson.annotations.Expose;
import com.google.gson.annotations.SerializedName;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.validation.Constraint;
import javax.validation.constraints.DecimalMax;
import javax.validation.constraints.Digits;
import javax.validation.constraints.Email;
import javax.validation.constraints.Min;
import javax.validation.constraints.NotBlank;
import javax.validation.constraints.NotNull;
import javax.validation.constraints.Past;
import javax.validation.constraints.Pattern;
import javax.validation.constraints.Positive;
import javax.validation.constraints.Size;

/** What bodies are read into. */
public final class Types {
    /** Whether any code of these classes ran. */
    public static boolean ran;

    private Types() {
    }

    public static class Fields {
        public static int shared;
        private transient int passing;
        private int number;
        @SerializedName("other-name")
        private String named;
        @Expose(deserialize = false)
        private String hidden;
        private Colour colour;

        public Fields() {
            ran = true;
        }
    }

    public enum Colour {
        RED, @SerializedName("Blue") BLUE;

        static {
            ran = true;
        }
    }

    public static class Bean extends Base<UUID> {
        private int silent;
        private int got;
        private List<LocalDate> days;
        @JsonProperty(required = true)
        private Long demanded;
        private String ignored;
        private String renamed;

        public int getGot() {
            ran = true;
            return got;
        }

        public void setDays(List<LocalDate> days) {
            ran = true;
        }

        @JsonIgnore
        public String getIgnored() {
            return ignored;
        }

        @JsonProperty("new_name")
        public void setRenamed(String renamed) {
            this.renamed = renamed;
        }

        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        public int getComputed() {
            return 1;
        }
    }

    @JsonIgnoreProperties("unused")
    public static class Base<I> {
        public I id;
        public Map<String, Double> prices;
        public Optional<Boolean> flag;
    }

    public static class Demanding {
        @NotNull
        @Size(min = 2, max = 5)
        public String code;
        @NotBlank
        public String text;
        @Pattern(regexp = "[a-c]+|\\d", flags = Pattern.Flag.CASE_INSENSITIVE)
        public String pattern;
        @Email
        public String mail;
        @Min(3)
        @DecimalMax(value = "7.5", inclusive = false)
        public double share;
        @Positive
        public int count;
        @Size(min = 1)
        public List<String> members;
    }

    public static class Recursive {
        public Recursive next;
        public List<Recursive> others;
    }

    public static class Lacking {
        public Missing missing;
        public int number;
    }

    /** Whose class file is taken away. */
    public static class Missing {
        public int number;
    }

    public interface Shape {
    }

    public abstract static class Partial {
        public int number;
    }

    public static class Holder {
        public Shape shape;
        public Partial partial;
        public Object any;
        public int[][] numbers;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Cat.class, name = "cat"), @JsonSubTypes.Type(Dog.class)})
    public abstract static class Pet {
        public String name;
    }

    public static class Cat extends Pet {
        public String kind;
        public int lives;
    }

    @JsonTypeName("woof")
    public static class Dog extends Pet {
        public Pet friend;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS, include = JsonTypeInfo.As.WRAPPER_OBJECT)
    public static class Wrapped {
        public int number;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, include = JsonTypeInfo.As.WRAPPER_ARRAY)
    public static class Arrayed {
        public int number;
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({@JsonSubTypes.Type(Left.class), @JsonSubTypes.Type(Right.class)})
    public interface Deduced {
    }

    public static class Left implements Deduced {
        public int left;
    }

    public static class Right implements Deduced {
        public int right;
    }

    /** A constraint of the service's own. */
    @Constraint
    @NotNull
    @Size(min = 3, max = 8)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Code {
    }

    public static class Composed {
        @Code
        public String code;
        @Digits(integer = 3, fraction = 2)
        public java.math.BigDecimal price;
        @Digits(integer = 3, fraction = 2)
        public String text;
        @Digits(integer = 3, fraction = 0)
        public int count;
        @Past
        public java.time.Instant then;
        @Past
        public java.time.YearMonth month;
        @DecimalMax("5")
        public short small;
    }

    /** What is demanded of members, whichever use of the type says it. */
    public static class Members<N extends Comparable<N>> {
        private List<@Size(min = 2, max = 5) String> codes;
        private List<Integer> numbers;
        public Map<@Pattern(regexp = "[a-z]+") String, @Min(3) Integer> counts;
        public Optional<@Min(7) Long> lucky;
        public Map<Colour, List<@Size(max = 9) String>> lists;
        public Map<Integer, List<? extends @Min(2) Number>> wild;
        public Base<@Size(min = 1) String> own;
        public @Size(min = 1) String @Size(min = 4) [] array;
        public Map<UUID, N> variable;

        public void setCodes(List<String> codes) {
            ran = true;
        }

        public List<@Min(1) Integer> getNumbers() {
            ran = true;
            return numbers;
        }
    }

    /** What is in it is told beside it. */
    public static class Parcel {
        public String kind;
        public int weight;
        @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY, property = "kind")
        @JsonSubTypes({@JsonSubTypes.Type(value = Left.class, name = "left"), @JsonSubTypes.Type(value = Integer.class, name = "n"),
                @JsonSubTypes.Type(value = Parcel.class, name = "parcel")})
        public Object content;
        @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
        @JsonSubTypes(@JsonSubTypes.Type(value = Right.class, name = "right"))
        public List<Deduced> others;
    }

    /** Subtypes of which a mapper alone knows. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY, property = "sort")
    public abstract static class Open {
    }

    public static class First extends Open {
        public int one;
    }

    @JsonTypeName("2nd")
    public static class Second extends Open {
        public int two;
    }

    /** Which factories of Gson tell. */
    public abstract static class Told {
    }

    public static class Teller extends Told {
        public int told;
    }

    /** As the factory that is handed around. */
    public static class RuntimeTypeAdapterFactory {
        private final Class<?> baseType = Told.class;
        private final String typeFieldName = "sort";
        private final Map<String, Class<?>> labelToSubtype = new java.util.LinkedHashMap<>();

        public RuntimeTypeAdapterFactory() {
            labelToSubtype.put("teller", Teller.class);
        }
    }

    /** As the class of Jackson. */
    public static class NamedType {
        private final Class<?> type;
        private final String name;

        public NamedType(Class<?> type, String name) {
            this.type = type;
            this.name = name;
        }

        public Class<?> getType() {
            return type;
        }

        public String getName() {
            return name;
        }
    }

    /** Without setters. */
    public static class Named {
        private String own;
    }
}
