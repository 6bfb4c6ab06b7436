package com.example.toll;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.LocalDate;

/** A vehicle on the road, from one gate to another. */
@Serdeable
record Trip(int id, int vehicle, int from, int to, LocalDate day, int cents) {
    /** What drives. */
    enum Kind { CAR, TRUCK, BUS, MOTORCYCLE }

    /** A vehicle that may use the road; its weight in kilograms. */
    @Serdeable
    record Vehicle(int id, String plate, Kind kind, int weight, int axles) {
    }

    /** A vehicle as it is registered. */
    @Serdeable
    record NewVehicle(@NotNull @Size(min = 2, max = 12) String plate, @NotNull Kind kind, @Min(50) @Max(60_000) int weight,
            int axles) {
    }

    /** A trip as the gates report it. */
    @Serdeable
    record NewTrip(int vehicle, @Min(1) @Max(30) int from, @Min(1) @Max(30) int to, @NotNull LocalDate day) {
    }

    /** What is to pay. */
    @Serdeable
    record Bill(int vehicle, int trips, int cents) {
    }
}
