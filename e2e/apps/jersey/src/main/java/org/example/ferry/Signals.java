package org.example.ferry;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Flags that are hoisted, each by its name. */
@Path("signals")
@Consumes(MediaType.TEXT_PLAIN)
public class Signals {
    @POST
    public Response hoist(String flag) {
        return Response.status(flag.isEmpty() ? 400 : flag.equals("quebec") ? 418 : 204).build();
    }
}
