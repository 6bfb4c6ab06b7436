package org.example.ferry;

/** Where something is, as a caller writes it: two numbers with a comma between them. */
public class Position {
    public final double north;
    public final double east;

    private Position(double north, double east) {
        this.north = north;
        this.east = east;
    }

    /** What JAX-RS makes a parameter from. */
    public static Position valueOf(String text) {
        String[] parts = text.split(",");
        return new Position(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
    }
}
