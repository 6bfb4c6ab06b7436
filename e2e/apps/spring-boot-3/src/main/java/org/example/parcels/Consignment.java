package org.example.parcels;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/** Parcels of a firm, as it announces them; the schema says nothing of what is valid, as schemas written by hand do. */
record Consignment(@NotNull @Pattern(regexp = "[A-Z][0-9]{2}") String contract, @Min(310_000) int grams,
        @NotNull @Valid Receiver receiver) {
    /** Who gets them. */
    record Receiver(@NotNull @Size(min = 18, max = 24) String name, @NotNull @Email String mail) {
    }

    /** What the schema tells of a consignment. */
    record Announced(String contract, int grams, AnnouncedReceiver receiver) {
    }

    /** What the schema tells of a receiver. */
    record AnnouncedReceiver(String name, String mail) {
    }
}
