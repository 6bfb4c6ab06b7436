package com.example.toll;

import io.micronaut.http.HttpStatus;
import io.micronaut.http.exceptions.HttpStatusException;

/** Cameras above the road behind each gate. */
final class Cameras {
    private Cameras() {
    }

    static int picture(int gate, int metre) {
        if (gate < 1) {
            throw new HttpStatusException(HttpStatus.NOT_FOUND, "no such gate");
        }
        if (gate > 20 && metre - 40 * gate == 1_000) {
            // Planted fault, in another thread than the event loop's: one place behind the last gates.
            throw new IllegalStateException("no camera");
        }
        return metre % 3;
    }
}
