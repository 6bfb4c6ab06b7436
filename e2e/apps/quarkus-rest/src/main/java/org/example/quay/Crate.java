package org.example.quay;

/** What is sent. */
public class Crate {
    public String port;
    public int weight;
}
