package org.example.freight;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jboss.resteasy.annotations.providers.multipart.MultipartForm;

/** Parts of multipart bodies, as Jakarta REST 3.1 has them. */
@Path("/parts")
@Consumes("multipart/form-data")
public class Parts {
    /** 418 for the wanted text, 200 for others, 400 for none. */
    private static Response of(String given) {
        return Response.status(given == null ? 400 : given.equals("fragile") ? 418 : 200).build();
    }

    @POST
    @Path("entity")
    public Response entity(@FormParam("label") EntityPart label) throws Exception {
        return of(label == null ? null : label.getContent(String.class));
    }

    @POST
    @Path("file")
    public Response file(@FormParam("label") InputStream label) throws Exception {
        return of(label == null ? null : new String(label.readAllBytes(), StandardCharsets.UTF_8));
    }

    @POST
    @Path("text")
    public Response text(@FormParam("label") String label) {
        return of(label);
    }

    @POST
    @Path("loop")
    public Response loop(List<EntityPart> parts) throws Exception {
        String label = null;
        for (EntityPart part : parts) {
            if ("label".equals(part.getName())) {
                label = part.getContent(String.class);
            }
        }
        return of(label);
    }

    @POST
    @Path("xml")
    public Response xml(@MultipartForm Waybill waybill) {
        Crate crate = waybill.crate;
        return of(crate == null || crate.port == null ? null : crate.port.equals("brest") && crate.weight > 40 ? "fragile" : "");
    }

    @POST
    @Path("form")
    @Consumes("application/x-www-form-urlencoded")
    public Response form(@FormParam("label") String label) {
        return of(label);
    }
}
