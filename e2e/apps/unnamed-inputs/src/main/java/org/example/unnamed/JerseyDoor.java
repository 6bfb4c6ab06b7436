package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.MatrixParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.EntityPart;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
import org.glassfish.jersey.media.multipart.FormDataBodyPart;
import org.glassfish.jersey.media.multipart.FormDataContentDisposition;
import org.glassfish.jersey.media.multipart.FormDataMultiPart;
import org.glassfish.jersey.media.multipart.FormDataParam;
import org.glassfish.jersey.media.multipart.MultiPartFeature;
import org.glassfish.jersey.server.ResourceConfig;

/** Jersey, with the annotations of {@code jakarta}. */
@Path("/")
public class JerseyDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static void open(int port) {
        at(port, "").start();
    }

    /** A server that is not started. */
    static HttpServer at(int port, String path) {
        ResourceConfig config = new ResourceConfig(JerseyDoor.class).register(JacksonFeature.class)
                .register(MultiPartFeature.class).register(Chest.Reader.class).register(Trunk.Mapper.class);
        return JdkHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:" + port + "/" + path), config, false);
    }

    private static Response answer(int status) {
        return Response.status(status).build();
    }

    @GET
    @Path("query")
    public Response query(@Context UriInfo uri) {
        return answer(Rules.of("query", uri.getQueryParameters().getFirst("word")));
    }

    @GET
    @Path("header")
    public Response header(@Context HttpHeaders headers) {
        return answer(Rules.of("header", headers.getHeaderString("X-Deck")));
    }

    @GET
    @Path("cookie")
    public Response cookie(@Context HttpHeaders headers) {
        Cookie crumb = headers.getCookies().get("crumb");
        return answer(Rules.of("cookie", crumb == null ? null : crumb.getValue()));
    }

    @POST
    @Path("form")
    public Response form(Form form) {
        return answer(Rules.of("form", form.asMap().getFirst("sort")));
    }

    @POST
    @Path("text")
    public Response text(String text) {
        return answer(Rules.of("text", text));
    }

    @POST
    @Path("body")
    public Response body(InputStream body) throws Exception {
        return answer(Rules.of(MAPPER.readValue(body, Crate.class)));
    }

    @GET
    @Path("bound/query")
    public Response boundQuery(@QueryParam("word") String word) {
        return answer(Rules.of("query", word));
    }

    @GET
    @Path("bound/header")
    public Response boundHeader(@HeaderParam("X-Deck") String deck) {
        return answer(Rules.of("header", deck));
    }

    @GET
    @Path("bound/cookie")
    public Response boundCookie(@CookieParam("crumb") String crumb) {
        return answer(Rules.of("cookie", crumb));
    }

    @GET
    @Path("bound/bean")
    public Response boundBean(@BeanParam Voyage voyage) {
        return answer(Rules.ofValid(voyage));
    }

    @POST
    @Path("bound/form")
    @Consumes("application/x-www-form-urlencoded")
    public Response boundForm(@FormParam("sort") String sort) {
        return answer(Rules.of("form", sort));
    }

    @GET
    @Path("matrix")
    public Response matrix(@Context UriInfo uri) {
        return answer(Rules.of("matrix", uri.getPathSegments().get(0).getMatrixParameters().getFirst("side")));
    }

    @GET
    @Path("bound/matrix")
    public Response boundMatrix(@MatrixParam("side") String side) {
        return answer(Rules.of("matrix", side));
    }

    @POST
    @Path("bound/part")
    @Consumes("multipart/form-data")
    public Response boundPart(@FormDataParam("label") String label) {
        return answer(Rules.of("part", label));
    }

    @POST
    @Path("bound/part/body")
    @Consumes("multipart/form-data")
    public Response boundPartBody(@FormDataParam("label") FormDataBodyPart label) {
        return answer(Rules.of("part", label == null ? null : label.getValue()));
    }

    @POST
    @Path("bound/part/file")
    @Consumes("multipart/form-data")
    public Response boundPartFile(@FormDataParam("label") InputStream label,
            @FormDataParam("label") FormDataContentDisposition about) throws Exception {
        boolean isFile = label != null && about.getFileName() != null;
        return answer(Rules.of("part", isFile ? new String(label.readAllBytes(), StandardCharsets.UTF_8) : null));
    }

    @POST
    @Path("bound/part/json")
    @Consumes("multipart/form-data")
    public Response boundPartJson(@FormDataParam("crate") Crate crate) {
        return answer(Rules.of(crate));
    }

    @POST
    @Path("bound/part/form")
    @Consumes("multipart/form-data")
    public Response boundPartForm(@FormParam("label") String label) {
        return answer(Rules.of("part", label));
    }

    @POST
    @Path("bound/part/form/number")
    @Consumes("multipart/form-data")
    public Response boundPartFormNumber(@FormParam("berth") @Min(7100) @Max(7110) Integer berth) {
        return answer(Rules.ofBerth(berth));
    }

    @POST
    @Path("bound/part/form/bean")
    @Consumes("multipart/form-data")
    public Response boundPartFormBean(@BeanParam Ticket ticket) {
        return answer(Rules.of("part", ticket.label));
    }

    @POST
    @Path("bound/part/entity")
    @Consumes("multipart/form-data")
    public Response boundPartEntity(@FormParam("label") EntityPart label) throws Exception {
        return answer(Rules.of("part", label == null ? null : label.getContent(String.class)));
    }

    @POST
    @Path("bound/part/entity/json")
    @Consumes("multipart/form-data")
    public Response boundPartEntityJson(@FormParam("crate") EntityPart crate) throws Exception {
        return answer(Rules.of(crate == null ? null : crate.getContent(Crate.class)));
    }

    @POST
    @Path("bound/trunk")
    @Consumes("application/json")
    public Response boundTrunk(Trunk trunk) {
        return answer(Rules.of("trunk", trunk.label));
    }

    @POST
    @Path("bound/part/read")
    @Consumes("multipart/form-data")
    public Response boundPartRead(Chest chest) {
        return answer(chest.getFiles() > 0 ? 418 : 400);
    }

    @POST
    @Path("parts")
    @Consumes("multipart/form-data")
    public Response parts(FormDataMultiPart parts) {
        return answer(Rules.of("part", parts.getField("label").getValue()));
    }

    @POST
    @Path("parts/loop")
    @Consumes("multipart/form-data")
    public Response partsLoop(List<EntityPart> parts) throws Exception {
        String label = null;
        for (EntityPart part : parts) {
            if ("label".equals(part.getName())) {
                label = part.getContent(String.class);
            }
        }
        return answer(Rules.of("part", label));
    }

    @POST
    @Path("bound/body")
    @Consumes("application/json")
    public Response boundBody(Crate crate) {
        return answer(Rules.of(crate));
    }
}
