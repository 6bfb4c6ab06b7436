package org.example.ferry;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** A place on a ferry. */
public class Booking {
    @NotNull
    @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
    public String plate;

    @Min(1)
    @Max(9)
    public int passengers;

    @JsonProperty("deck")
    public Deck level;

    /** Where a car stands. */
    public enum Deck {
        UPPER, LOWER
    }
}
