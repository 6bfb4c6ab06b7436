package org.example.ferry;

import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The harbour, whose annotations stand on an interface. */
@Path("harbour")
public interface Harbour {
    /** How high the water is. */
    @GET
    @Path("tide/{hour: [0-9]+}")
    @Produces(MediaType.TEXT_PLAIN)
    String tide(@jakarta.ws.rs.PathParam("hour") int hour, @QueryParam("moon") String moon);

    /** Whether there is a sailing. */
    @GET
    @Path("sailings")
    Response sailings(@BeanParam Sailing sailing);

    /** A message to the harbour. */
    @POST
    @Path("radio")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    Response radio(@FormParam("channel") int channel, @FormParam("text") String text);

    /** What the watch has seen, as it comes. */
    @PUT
    @Path("log")
    Response log(InputStream entry) throws IOException;

    /** A chart, by its folder and name. */
    @GET
    @Path("charts/{chart: .+}")
    Response chart(@jakarta.ws.rs.PathParam("chart") String chart, @QueryParam("at") List<Position> at);
}
