package com.fasterxml.jackson.databind;

/** As much of the class as is used here. */
public class ObjectMapper {
    public <T> T readValue(String json, Class<T> type) {
        return null;
    }

    public <T> T readValue(byte[] json, int from, int length, Class<T> type) {
        return null;
    }
}
