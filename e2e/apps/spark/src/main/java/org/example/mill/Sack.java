package org.example.mill;

/** A sack as it is brought. */
final class Sack {
    String farmer;
    int weight;
}
