package org.springframework.http;

/** As much of the class as is used here. */
public class HttpHeaders {
    public String getFirst(String name) {
        return "h-" + name;
    }
}
