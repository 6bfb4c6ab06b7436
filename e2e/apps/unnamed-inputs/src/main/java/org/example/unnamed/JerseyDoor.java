package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.CookieParam;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Cookie;
import jakarta.ws.rs.core.Form;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.net.URI;
import org.glassfish.jersey.jackson.JacksonFeature;
import org.glassfish.jersey.jdkhttp.JdkHttpServerFactory;
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
        ResourceConfig config = new ResourceConfig(JerseyDoor.class).register(JacksonFeature.class);
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

    @POST
    @Path("bound/body")
    @Consumes("application/json")
    public Response boundBody(Crate crate) {
        return answer(Rules.of(crate));
    }
}
