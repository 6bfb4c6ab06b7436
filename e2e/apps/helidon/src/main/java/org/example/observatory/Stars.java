package org.example.observatory;

import io.helidon.common.parameters.Parameters;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;

/** What was seen. */
final class Stars implements HttpService {
    private static final HeaderName OBSERVER = HeaderNames.create("X-Observer");

    /** A star as it is reported. */
    public static class Star {
        public String name;
        public int magnitude;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/", this::all)
                .post("/", this::report)
                .get("/{number:\\d+}", this::one)
                .put("/{number:\\d+}/name", this::name);
    }

    private void all(ServerRequest request, ServerResponse response) {
        String colour = request.query().first("colour").orElse("all");
        response.send(colour.equals("red") ? "Betelgeuse" : "Sirius");
    }

    private void report(ServerRequest request, ServerResponse response) {
        Star star = request.content().as(Star.class);
        if (star.name == null) {
            response.status(Status.BAD_REQUEST_400).send();
            return;
        }
        if (star.magnitude < -26) {
            // Planted fault: it would be day.
            throw new IllegalStateException("brighter than the sun");
        }
        response.status(Status.CREATED_201).send();
    }

    private void one(ServerRequest request, ServerResponse response) {
        response.send(request.path().pathParameters().get("number"));
    }

    private void name(ServerRequest request, ServerResponse response) {
        Parameters form = request.content().as(Parameters.class);
        boolean isKnown = request.headers().first(OBSERVER).isPresent();
        response.status(isKnown && form.contains("name") ? Status.NO_CONTENT_204 : Status.BAD_REQUEST_400).send();
    }
}
