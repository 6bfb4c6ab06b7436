package org.example.ferry;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Map;

/** Ferries and who is booked on them. */
@Path("/ferries")
@Produces(MediaType.APPLICATION_JSON)
public class Ferries {
    private static final Map<String, Integer> PLACES = Map.of("juno", 40, "vesta", 12);

    @GET
    public Object all(@QueryParam("from") String from) {
        return from == null || from.isEmpty() ? PLACES : Map.of();
    }

    @GET
    @Path("/{name}")
    public Response one(@PathParam("name") String name) {
        Integer places = PLACES.get(name);
        return places == null ? Response.status(404).build() : Response.ok(Map.of("places", places)).build();
    }

    @POST
    @Path("/{name}/bookings")
    @Consumes(MediaType.APPLICATION_JSON)
    public Response book(@PathParam("name") String name, Booking booking) {
        Integer places = PLACES.get(name);
        if (places == null || booking == null || booking.plate == null) {
            return Response.status(places == null ? 404 : 400).build();
        }
        if (booking.level == Booking.Deck.UPPER && booking.passengers > 5) {
            throw new IllegalStateException("no room on the upper deck");
        }
        return Response.status(201).entity(Map.of("left", places - booking.passengers)).build();
    }

    @DELETE
    @Path("/{name}/bookings/{plate}")
    public Response cancel(@PathParam("name") String name, @PathParam("plate") String plate) {
        return Response.status(PLACES.containsKey(name) ? 204 : 404).build();
    }

    /** What belongs to one ferry lies in a resource of its own. */
    @Path("/{name}/engine")
    public Engine engine(@PathParam("name") String name) {
        return new Engine(name);
    }
}
