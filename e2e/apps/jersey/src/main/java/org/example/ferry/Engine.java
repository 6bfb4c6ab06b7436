package org.example.ferry;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;
import java.util.TreeMap;

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

    /** Which settings an engine has depends on what it burns. */
    @PUT
    @Path("settings")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response set(Map<String, String> settings) {
        if (settings == null || settings.containsValue(null)) {
            return Response.status(400).build();
        }
        // A name is not needed, and no other one than that of the path is taken.
        String named = settings.get("ferry");
        if (named != null && !named.equals(ferry)) {
            return Response.status(409).build();
        }
        Map<String, String> own = new TreeMap<>(settings);
        String fuel = own.get("fuel");
        if (fuel == null) {
            return Response.status(400).build();
        }
        if (fuel.equals("coal")) {
            return Response.status(own.containsKey("stokers") ? 202 : 422).build();
        }
        if (fuel.equals("methanol")) {
            return Response.status("cold".equals(own.get("start")) ? 204 : 422).build();
        }
        return Response.status(400).build();
    }
}
