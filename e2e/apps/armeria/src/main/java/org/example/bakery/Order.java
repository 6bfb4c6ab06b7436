package org.example.bakery;

/** What somebody orders. */
public final class Order {
    public String kind;
    public int loaves;
}
