package com.fasterxml.jackson.databind.node;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.Iterator;

/** A node that has a node of its own wherever one is looked for. */
public class ObjectNode extends JsonNode {
    @Override
    public JsonNode get(String name) {
        return new ObjectNode();
    }

    @Override
    public JsonNode get(int index) {
        return new ObjectNode();
    }

    @Override
    public JsonNode at(String pointer) {
        return new ObjectNode();
    }

    @Override
    public JsonNode findParent(String name) {
        return this;
    }

    @Override
    public Iterator<String> fieldNames() {
        return Collections.emptyIterator();
    }

    @Override
    public String asText() {
        return "text";
    }
}
