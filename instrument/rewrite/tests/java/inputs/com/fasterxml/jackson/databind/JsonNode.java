package com.fasterxml.jackson.databind;

/** As much of the class as is used here. */
public abstract class JsonNode {
    public abstract JsonNode get(String name);

    public abstract JsonNode get(int index);

    public abstract String asText();
}
