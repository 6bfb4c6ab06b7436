package org.example.station;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** A resource of JAX-RS behind a filter, which lets through what begins with {@code /tracks} alone. */
@Path("/{kind}/bays")
public class Tracks {
    @GET
    @Path("{bay}")
    public String bay(@PathParam("kind") String kind, @PathParam("bay") String bay) {
        return bay.length() > 3 ? "closed" : "free";
    }

    @GET
    @Path("{bay}/signals")
    public String signals(@PathParam("bay") String bay) {
        return bay.startsWith("x") ? "red" : "green";
    }
}
