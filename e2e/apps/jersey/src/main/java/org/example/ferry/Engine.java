package org.example.ferry;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;

/** The engine of a ferry. */
public class Engine {
    private final String ferry;

    Engine(String ferry) {
        this.ferry = ferry;
    }

    @GET
    public Response state() {
        return Response.ok("{\"ferry\":\"" + ferry.length() + "\"}", "application/json").build();
    }

    @PUT
    @Path("speed")
    public Response speed(@QueryParam("knots") int knots) {
        return Response.status(knots > 30 ? 422 : 204).build();
    }
}
