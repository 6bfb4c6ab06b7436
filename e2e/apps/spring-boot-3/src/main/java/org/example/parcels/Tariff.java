package org.example.parcels;

/** What sending costs, in cents. */
final class Tariff {
    enum Speed { EXPRESS, STANDARD, ECONOMY }

    /** What one of several pieces costs. */
    record Quote(int cents, String zone) {
    }

    private Tariff() {
    }

    static Quote quote(int grams, int kilometres, int pieces, Speed speed) {
        String zone = zone(kilometres);
        int cents;
        switch (speed) {
            case EXPRESS:
                // Planted fault: no pieces.
                cents = (900 + grams / 10) / pieces;
                break;
            case STANDARD:
                // Planted fault: no pieces, the same message and another statement.
                cents = (400 + grams / 50) / pieces;
                break;
            default:
                cents = 250;
        }
        return new Quote(cents, zone);
    }

    private static String zone(int kilometres) {
        if (kilometres < 0) {
            throw new Refusal.Conflict("distances are not negative");
        }
        if (kilometres == 40_075) {
            // Planted fault: round the earth.
            throw new IllegalStateException("no zone");
        }
        if (kilometres > 3_000) {
            return "far";
        }
        return kilometres > 300 ? "land" : "near";
    }
}
