package org.example.station;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;

/** A resource of JAX-RS, of a servlet that begins when it is called first. */
@Path("/platforms")
public class Platforms {
    @GET
    @Path("{number}")
    public String platform(@PathParam("number") int number) {
        return "empty";
    }
}
