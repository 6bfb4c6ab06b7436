package org.example.parcels;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.time.LocalDate;

/** A parcel and what belongs to it. */
record Parcel(int id, int depotId, int grams, Content content, LocalDate sendOn, State state) {
    enum Content { BOOKS, GLASS, FOOD, BATTERIES }

    enum State { WAITING, SENT }

    /** A house that keeps parcels. */
    record Depot(int id, String name, int capacity) {
    }

    /** A depot as it is asked for; its capacity in grams. */
    record NewDepot(@NotBlank @Size(max = 40) String name, @Min(1_000) @Max(5_000_000) int capacity) {
    }

    /** A parcel as it is handed in. */
    record NewParcel(int depotId, @Positive @Max(31_500) int grams, @NotNull Content content, @NotNull LocalDate sendOn) {
    }

    /** Who takes it away. */
    record Pickup(@NotBlank String carrier) {
    }

    Parcel sent() {
        return new Parcel(id, depotId, grams, content, sendOn, State.SENT);
    }
}
