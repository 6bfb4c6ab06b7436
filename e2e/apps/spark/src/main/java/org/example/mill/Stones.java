package org.example.mill;

import spark.Request;
import spark.Response;
import spark.Route;

/** Stops the stones, for a miller. */
final class Stones implements Route {
    @Override
    public Object handle(Request request, Response response) {
        response.status(request.headers("X-Miller") == null ? 403 : 204);
        return "";
    }
}
