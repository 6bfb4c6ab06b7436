package com.fasterxml.jackson.databind.node;

import com.fasterxml.jackson.databind.JsonNode;

/** What stands for all that is not there. */
public final class MissingNode extends ObjectNode {
    public static final MissingNode ONE = new MissingNode();

    private MissingNode() {
    }

    @Override
    public JsonNode get(String name) {
        return this;
    }

    @Override
    public JsonNode at(String pointer) {
        return this;
    }
}
