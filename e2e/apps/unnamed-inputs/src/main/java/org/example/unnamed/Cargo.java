package org.example.unnamed;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;

/** What is carried: what is in it is told beside it, or its own class is known to a mapper alone. */
public final class Cargo {
    private Cargo() {
    }

    /** A box; a property of the box tells what its content is. */
    public static class Box {
        public int number;

        @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.EXTERNAL_PROPERTY, property = "holds")
        @JsonSubTypes({@JsonSubTypes.Type(value = Fruit.class, name = "fresh-fruit"),
                @JsonSubTypes.Type(value = Steel.class, name = "cold-steel")})
        public Load content;
    }

    /** A crane, of which an array around it tells what it is. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, include = JsonTypeInfo.As.WRAPPER_ARRAY)
    @JsonSubTypes({@JsonSubTypes.Type(value = Small.class, name = "small-crane"),
            @JsonSubTypes.Type(value = Large.class, name = "large-crane")})
    public interface Crane {
        int status();
    }

    /** It lifts little. */
    public static class Small implements Crane {
        public int height;

        @Override
        public int status() {
            return 200;
        }
    }

    /** It lifts more. */
    public static class Large implements Crane {
        public int height;
        public String yard;

        @Override
        public int status() {
            return height > 300 && "brest".equals(yard) ? 418 : 200;
        }
    }

    /** A load, of which no annotation names a class. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "load")
    public abstract static class Load {
        public int tons;

        /** The status that it is answered with. */
        int status() {
            return tons > 300 ? 418 : 200;
        }
    }

    /** It goes bad. */
    @JsonTypeName("ripe-fruit")
    public static class Fruit extends Load {
        public int days;

        @Override
        int status() {
            return days > 0 ? 200 : 400;
        }
    }

    /** It is heavy. */
    public static class Steel extends Load {
        public int bars;
    }
}
