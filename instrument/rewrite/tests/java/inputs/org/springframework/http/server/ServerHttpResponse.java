package org.springframework.http.server;

import org.springframework.http.HttpHeaders;

/** As much of the interface as is used here. */
public interface ServerHttpResponse {
    HttpHeaders getHeaders();
}
