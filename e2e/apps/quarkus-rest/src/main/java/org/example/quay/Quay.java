package org.example.quay;

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
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.nio.file.Files;
import org.jboss.resteasy.reactive.PartType;
import org.jboss.resteasy.reactive.RestCookie;
import org.jboss.resteasy.reactive.RestForm;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestMatrix;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.multipart.FileUpload;

/** Inputs that no schema names, as Quarkus REST reads them; 418 for what is wanted, 200 for something else, 400 for nothing. */
@Path("/")
public class Quay {
    private static Response answer(String given, String wanted) {
        return Response.status(given == null ? 400 : given.equals(wanted) ? 418 : 200).build();
    }

    private static Response answer(Crate crate) {
        boolean isNone = crate == null || crate.port == null;
        return Response.status(isNone ? 400 : crate.port.equals("brest") && crate.weight > 40 ? 418 : 200).build();
    }

    @GET
    @Path("query")
    public Response query(@Context UriInfo uri) {
        return answer(uri.getQueryParameters().getFirst("word"), "teal");
    }

    @GET
    @Path("header")
    public Response header(@Context HttpHeaders headers) {
        return answer(headers.getHeaderString("X-Deck"), "upper");
    }

    @GET
    @Path("cookie")
    public Response cookie(@Context HttpHeaders headers) {
        Cookie crumb = headers.getCookies().get("crumb");
        return answer(crumb == null ? null : crumb.getValue(), "rye");
    }

    @GET
    @Path("bound/query")
    public Response boundQuery(@QueryParam("word") String word) {
        return answer(word, "teal");
    }

    @GET
    @Path("bound/rest-query")
    public Response boundRestQuery(@RestQuery String word) {
        return answer(word, "teal");
    }

    @GET
    @Path("bound/header")
    public Response boundHeader(@HeaderParam("X-Deck") String deck) {
        return answer(deck, "upper");
    }

    @GET
    @Path("bound/rest-header")
    public Response boundRestHeader(@RestHeader("X-Deck") String deck) {
        return answer(deck, "upper");
    }

    @GET
    @Path("bound/cookie")
    public Response boundCookie(@CookieParam("crumb") String crumb) {
        return answer(crumb, "rye");
    }

    @GET
    @Path("bound/rest-cookie")
    public Response boundRestCookie(@RestCookie String crumb) {
        return answer(crumb, "rye");
    }

    @GET
    @Path("bound/matrix")
    public Response boundMatrix(@MatrixParam("side") String side) {
        return answer(side, "stern");
    }

    @GET
    @Path("bound/rest-matrix")
    public Response boundRestMatrix(@RestMatrix String side) {
        return answer(side, "stern");
    }

    @GET
    @Path("bound/bean")
    public Response boundBean(@BeanParam Ticket ticket) {
        return answer(ticket.word, "upper".equals(ticket.xDeck) ? "teal" : null);
    }

    @POST
    @Path("bound/form")
    @Consumes("application/x-www-form-urlencoded")
    public Response boundForm(@FormParam("sort") String sort) {
        return answer(sort, "plum");
    }

    @POST
    @Path("bound/rest-form")
    public Response boundRestForm(@RestForm String sort) {
        return answer(sort, "plum");
    }

    @POST
    @Path("bound/part")
    @Consumes("multipart/form-data")
    public Response boundPart(@RestForm String label) {
        return answer(label, "fragile");
    }

    @POST
    @Path("bound/part/file")
    @Consumes("multipart/form-data")
    public Response boundPartFile(@RestForm FileUpload label) throws IOException {
        return answer(label == null ? null : Files.readString(label.uploadedFile()), "fragile");
    }

    @POST
    @Path("bound/part/json")
    @Consumes("multipart/form-data")
    public Response boundPartJson(@RestForm @PartType("application/json") Crate crate) {
        return answer(crate);
    }

    @POST
    @Path("bound/part/bean")
    @Consumes("multipart/form-data")
    public Response boundPartBean(@BeanParam Declaration declaration) {
        return declaration.seal == null ? answer(null) : answer(declaration.crate);
    }

    @POST
    @Path("bound/part/xml")
    @Consumes("multipart/form-data")
    public Response boundPartXml(@RestForm @PartType("application/xml") Box load) {
        boolean isNone = load == null || load.port == null;
        return answer(isNone ? null : load.port.equals("brest") && load.weight > 40 ? "all" : "some", "all");
    }

    @POST
    @Path("text")
    @Consumes("text/plain")
    public Response text(String text) {
        return answer(text, "ahoy");
    }

    @POST
    @Path("bound/body")
    @Consumes("application/json")
    public Response boundBody(Crate crate) {
        return answer(crate);
    }

    /** A bean that is filled from parameters. */
    public static class Ticket {
        @RestQuery
        String word;

        @RestHeader
        String xDeck;
    }

    /** A bean that is filled from the parts of a body. */
    public static class Declaration {
        @RestForm
        FileUpload seal;

        @RestForm
        @PartType("application/json")
        Crate crate;
    }
}
