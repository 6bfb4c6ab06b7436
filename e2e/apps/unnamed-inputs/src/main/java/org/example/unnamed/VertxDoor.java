package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.vertx.core.Vertx;
import io.vertx.core.http.Cookie;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;

/** Vert.x Web. */
final class VertxDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private interface Desk {
        int serve(RoutingContext context) throws Exception;
    }

    private VertxDoor() {
    }

    static void open(int port) {
        Vertx vertx = Vertx.vertx();
        Router router = Router.router(vertx);
        router.route().handler(BodyHandler.create(false));
        put(router, "/query", context -> Rules.of("query", context.request().getParam("word")));
        put(router, "/query-map", context -> Rules.of("query", context.queryParams().get("word")));
        put(router, "/header", context -> Rules.of("header", context.request().headers().get("X-Deck")));
        put(router, "/cookie", VertxDoor::cookie);
        put(router, "/form", context -> Rules.of("form", context.request().getFormAttribute("sort")));
        put(router, "/text", context -> Rules.of("text", context.body().asString()));
        put(router, "/body", context -> Rules.of(MAPPER.readValue(context.body().asString(), Crate.class)));
        put(router, "/bound/body", context -> Rules.of(context.body().asPojo(Crate.class)));
        put(router, "/tree/vertx", context -> tree(context.body().asJsonObject()));
        vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1");
    }

    private static void put(Router router, String path, Desk desk) {
        router.route(path).handler(context -> {
            int status;
            try {
                status = desk.serve(context);
            } catch (Exception failure) {
                status = 400;
            }
            context.response().setStatusCode(status).end();
        });
    }

    private static int cookie(RoutingContext context) {
        Cookie crumb = context.request().getCookie("crumb");
        return Rules.of("cookie", crumb == null ? null : crumb.getValue());
    }

    private static int tree(JsonObject root) {
        JsonObject marks = root.getJsonObject("crate").getJsonObject("marks");
        return marks.getString("owner").equals("jonas") && marks.getInteger("height") > 5 ? 418 : 200;
    }
}
