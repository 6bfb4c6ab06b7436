package org.example.mill;

import com.google.gson.Gson;
import spark.Request;
import spark.Response;

/** What is to be ground. */
final class Grains {
    private final Gson gson = new Gson();

    Object all(Request request, Response response) {
        return "new".equals(request.queryParams("harvest")) ? "rye" : "wheat";
    }

    Object bring(Request request, Response response) {
        Sack sack = gson.fromJson(request.body(), Sack.class);
        if (sack == null || sack.farmer == null) {
            response.status(400);
            return "whose?";
        }
        if (sack.weight > 2500) {
            // Planted fault: nobody lifts that.
            throw new IllegalStateException("heavier than the lift");
        }
        response.status(201);
        return "brought";
    }
}
