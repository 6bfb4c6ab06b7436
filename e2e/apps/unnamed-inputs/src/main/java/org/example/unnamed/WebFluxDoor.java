package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FormFieldPart;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.CookieValue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.config.EnableWebFlux;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServer;

/** Spring WebFlux on Reactor Netty. */
public final class WebFluxDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private WebFluxDoor() {
    }

    static void open(int port) {
        var context = new AnnotationConfigApplicationContext(Settings.class);
        var handler = WebHttpHandlerBuilder.applicationContext(context).build();
        var server = HttpServer.create().host("127.0.0.1").port(port).handle(new ReactorHttpHandlerAdapter(handler));
        server.bindNow().onDispose().block();
    }

    private static ResponseEntity<Void> answer(int status) {
        return ResponseEntity.status(status).build();
    }

    /** What is served. */
    @Configuration
    @EnableWebFlux
    public static class Settings {
        @Bean
        public Desk desk() {
            return new Desk();
        }

        /** The same as a function. */
        @Bean
        public RouterFunction<ServerResponse> functions() {
            return RouterFunctions.route().path("/functions", functions -> functions.GET("/query/{deck}", request ->
                    ServerResponse.status(Rules.of("query", request.queryParam("word").orElse(null))).build())).build();
        }
    }

    /** The operations. */
    @RestController
    public static class Desk {
        @GetMapping("/query")
        public ResponseEntity<Void> query(ServerWebExchange exchange) {
            return answer(Rules.of("query", exchange.getRequest().getQueryParams().getFirst("word")));
        }

        @GetMapping("/header")
        public ResponseEntity<Void> header(ServerWebExchange exchange) {
            return answer(Rules.of("header", exchange.getRequest().getHeaders().getFirst("X-Deck")));
        }

        /** Looks for a field of its own answer, which is none of the request. */
        @GetMapping("/answer")
        public ResponseEntity<Void> own(ServerHttpResponse response) {
            response.getHeaders().set("X-Mine", "1");
            return answer("2".equals(response.getHeaders().getFirst("X-Yours")) ? 418 : 200);
        }

        @GetMapping("/cookie")
        public ResponseEntity<Void> cookie(ServerWebExchange exchange) {
            HttpCookie crumb = exchange.getRequest().getCookies().getFirst("crumb");
            return answer(Rules.of("cookie", crumb == null ? null : crumb.getValue()));
        }

        @PostMapping("/form")
        public Mono<ResponseEntity<Void>> form(ServerWebExchange exchange) {
            return exchange.getFormData().map(fields -> answer(Rules.of("form", fields.getFirst("sort"))));
        }

        @PostMapping("/part")
        public Mono<ResponseEntity<Void>> part(ServerWebExchange exchange) {
            return exchange.getMultipartData().map(parts -> {
                boolean isField = parts.getFirst("label") instanceof FormFieldPart;
                return answer(Rules.of("part", isField ? ((FormFieldPart) parts.getFirst("label")).value() : null));
            });
        }

        @PostMapping("/body")
        public ResponseEntity<Void> body(@RequestBody String text) throws Exception {
            return answer(Rules.of(MAPPER.readValue(text, Crate.class)));
        }

        @GetMapping("/bound/query")
        public ResponseEntity<Void> boundQuery(@RequestParam(required = false) String word) {
            return answer(Rules.of("query", word));
        }

        @GetMapping("/bound/header")
        public ResponseEntity<Void> boundHeader(@RequestHeader(name = "X-Deck", required = false) String deck) {
            return answer(Rules.of("header", deck));
        }

        @GetMapping("/bound/cookie")
        public ResponseEntity<Void> boundCookie(@CookieValue(required = false) String crumb) {
            return answer(Rules.of("cookie", crumb));
        }

        @GetMapping("/bound/bean")
        public ResponseEntity<Void> boundBean(@ModelAttribute Charter charter) {
            return answer(Rules.ofValid(charter));
        }

        @PostMapping("/bound/plain")
        public ResponseEntity<Void> boundPlain(Charter charter) {
            return answer(Rules.ofValid(charter));
        }

        @GetMapping("/bound/matrix/{ship}")
        public ResponseEntity<Void> boundMatrix(@MatrixVariable(name = "side", required = false) String side) {
            return answer(Rules.of("matrix", side));
        }

        @PostMapping("/bound/body")
        public ResponseEntity<Void> boundBody(@RequestBody Crate crate) {
            return answer(Rules.of(crate));
        }
    }
}
