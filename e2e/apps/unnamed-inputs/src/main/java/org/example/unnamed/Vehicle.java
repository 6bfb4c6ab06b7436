package org.example.unnamed;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What is towed, which is told by a property. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({@JsonSubTypes.Type(value = Vehicle.Barge.class, name = "barge"),
        @JsonSubTypes.Type(value = Vehicle.Tug.class, name = "tug")})
public abstract class Vehicle {
    public String name;

    /** Whether it is heavy. */
    abstract boolean isHeavy();

    /** It carries. */
    public static class Barge extends Vehicle {
        public int tons;

        @Override
        boolean isHeavy() {
            return tons > 300;
        }
    }

    /** It pulls, maybe something that pulls. */
    public static class Tug extends Vehicle {
        public Vehicle behind;

        @Override
        boolean isHeavy() {
            return behind instanceof Barge && behind.isHeavy();
        }
    }
}
