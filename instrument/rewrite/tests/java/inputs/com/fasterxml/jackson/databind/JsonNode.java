package com.fasterxml.jackson.databind;

import java.util.Iterator;

/** As much of the class as is used here. */
public abstract class JsonNode {
    public abstract JsonNode get(String name);

    public abstract JsonNode get(int index);

    public abstract JsonNode at(String pointer);

    public abstract JsonNode findParent(String name);

    public abstract Iterator<String> fieldNames();

    public abstract String asText();
}
