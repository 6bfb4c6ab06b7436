package org.example.tracking;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A small reader of JSON. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    private Object value() {
        skip();
        switch (text.charAt(at)) {
            case '{': return object();
            case '[': return array();
            case '"': return string();
            default: return word();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> fields = new LinkedHashMap<>();
        at++;
        for (skip(); text.charAt(at) != '}'; skip()) {
            String name = string();
            skip();
            at++;
            fields.put(name, value());
            comma();
        }
        at++;
        return fields;
    }

    private List<Object> array() {
        List<Object> members = new ArrayList<>();
        at++;
        for (skip(); text.charAt(at) != ']'; skip()) {
            members.add(value());
            comma();
        }
        at++;
        return members;
    }

    private void comma() {
        skip();
        if (text.charAt(at) == ',') {
            at++;
        }
    }

    private String string() {
        StringBuilder read = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char next = text.charAt(at);
            if (next == '\\') {
                next = escaped();
            }
            read.append(next);
        }
        at++;
        return read.toString();
    }

    private char escaped() {
        char kind = text.charAt(++at);
        switch (kind) {
            case 'n': return '\n';
            case 'r': return '\r';
            case 't': return '\t';
            case 'b': return '\b';
            case 'f': return '\f';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
            default: return kind;
        }
    }

    private String word() {
        int start = at;
        while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        if (at == start) {
            throw new IllegalArgumentException("no value at " + at);
        }
        return text.substring(start, at);
    }

    private void skip() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
