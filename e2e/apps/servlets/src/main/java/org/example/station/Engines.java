package org.example.station;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** A resource of JAX-RS that the servlet of a depot serves, and that of the station does not. */
@Path("/engines")
public class Engines {
    @GET
    @Path("{number: [0-9]+}")
    public String engine(@PathParam("number") String number) {
        return number.length() > 3 ? "scrapped" : "in repair";
    }
}
