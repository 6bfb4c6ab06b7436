package com.google.gson;

import java.lang.reflect.Type;

/** As much of the class as is used here. */
public class Gson {
    public <T> T fromJson(String json, Class<T> type) {
        return null;
    }

    public <T> T fromJson(String json, Type type) {
        return null;
    }
}
