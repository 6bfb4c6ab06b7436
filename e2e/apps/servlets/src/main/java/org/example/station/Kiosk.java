package org.example.station;

import static org.springframework.web.servlet.function.RequestPredicates.GET;
import static org.springframework.web.servlet.function.RequestPredicates.contentType;
import static org.springframework.web.servlet.function.RequestPredicates.method;
import static org.springframework.web.servlet.function.RequestPredicates.param;
import static org.springframework.web.servlet.function.RequestPredicates.path;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Routes that are functions, of a servlet that has all paths that no other has. */
@Configuration
public class Kiosk {
    @Bean
    public RouterFunction<ServerResponse> counter() {
        return RouterFunctions.route()
                .path("/kiosk", kiosk -> kiosk
                        .GET("/papers/{name}", Kiosk::paper)
                        .POST("/orders", contentType(MediaType.APPLICATION_JSON).and(param("till", "left")), Kiosk::order)
                        .route(path("/maps").and(method(HttpMethod.PUT).or(method(HttpMethod.DELETE))), Kiosk::map))
                .route(GET("/lost").or(GET("/found")).and(request -> true), Kiosk::map)
                .build();
    }

    private static ServerResponse paper(ServerRequest request) {
        return ServerResponse.ok().body("news");
    }

    private static ServerResponse order(ServerRequest request) throws Exception {
        String order = request.body(String.class);
        return order.length() > 2 ? ServerResponse.ok().body("taken") : ServerResponse.badRequest().build();
    }

    private static ServerResponse map(ServerRequest request) {
        return ServerResponse.noContent().build();
    }
}
