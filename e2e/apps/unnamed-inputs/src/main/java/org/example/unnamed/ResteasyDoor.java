package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.InetSocketAddress;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.CookieParam;
import javax.ws.rs.FormParam;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.MatrixParam;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Cookie;
import javax.ws.rs.core.Form;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.jboss.resteasy.annotations.providers.multipart.MultipartForm;
import org.jboss.resteasy.plugins.providers.multipart.MultipartFormDataInput;
import org.jboss.resteasy.plugins.server.sun.http.HttpContextBuilder;

/** RESTEasy, with the annotations of {@code javax}. */
@Path("/")
public class ResteasyDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static void open(int port) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        in(server, "/");
        server.start();
    }

    /** Serves below a path of a server. */
    static void in(HttpServer server, String path) {
        HttpContextBuilder builder = new HttpContextBuilder();
        builder.setPath(path);
        builder.getDeployment().getResources().add(new ResteasyDoor());
        builder.bind(server);
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
    public Response boundPart(@MultipartForm Declaration declaration) {
        return answer(declaration.status());
    }

    @POST
    @Path("parts")
    @Consumes("multipart/form-data")
    public Response parts(MultipartFormDataInput parts) throws Exception {
        return answer(Rules.of("part", parts.getFormDataMap().get("label").get(0).getBodyAsString()));
    }

    @POST
    @Path("parts/named")
    @Consumes("multipart/form-data")
    public Response partsNamed(MultipartFormDataInput parts) throws Exception {
        return answer(Rules.of("part", parts.getFormDataPart("label", String.class, null)));
    }

    @POST
    @Path("bound/body")
    @Consumes("application/json")
    public Response boundBody(Crate crate) {
        return answer(Rules.of(crate));
    }
}
