package org.example.unnamed;

/** What is sent. */
public class Crate {
    public String port;
    public int weight;
}
