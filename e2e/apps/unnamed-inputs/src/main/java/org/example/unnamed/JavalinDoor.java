package org.example.unnamed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.javalin.Javalin;
import io.javalin.http.UploadedFile;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.http.Part;
import java.nio.charset.StandardCharsets;

/** Javalin. */
final class JavalinDoor {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JavalinDoor() {
    }

    static void open(int port) {
        Javalin app = Javalin.create(config -> config.showJavalinBanner = false);
        app.get("/query", context -> context.status(Rules.of("query", context.queryParam("word"))));
        app.get("/header", context -> context.status(Rules.of("header", context.header("X-Deck"))));
        app.get("/cookie", context -> context.status(Rules.of("cookie", context.cookie("crumb"))));
        app.post("/form", context -> context.status(Rules.of("form", context.formParam("sort"))));
        app.post("/part", context -> {
            UploadedFile label = context.uploadedFile("label");
            String text = label == null ? null : new String(label.content().readAllBytes(), StandardCharsets.UTF_8);
            context.status(Rules.of("part", text));
        });
        app.post("/servlet/part", context -> {
            context.req().setAttribute("org.eclipse.jetty.multipartConfig", new MultipartConfigElement(""));
            Part label = context.req().getPart("label");
            String text = label == null ? null : new String(label.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            context.status(Rules.of("part", text));
        });
        app.post("/file/name", context -> {
            UploadedFile label = context.uploadedFile("label");
            context.status(Rules.ofFile(label == null ? null : label.filename()));
        });
        app.post("/file/type", context -> {
            UploadedFile label = context.uploadedFile("label");
            context.status(Rules.of("file-type", label == null ? null : label.contentType()));
        });
        app.post("/file/ending", context -> {
            context.req().setAttribute("org.eclipse.jetty.multipartConfig", new MultipartConfigElement(""));
            Part label = context.req().getPart("label");
            context.status(Rules.ofEnding(label == null ? null : label.getSubmittedFileName()));
        });
        app.post("/text", context -> context.status(Rules.of("text", context.body())));
        app.post("/body", context -> context.status(Rules.of(MAPPER.readValue(context.body(), Crate.class))));
        app.post("/bound/body", context -> context.status(Rules.of(context.bodyAsClass(Crate.class))));
        app.exception(Exception.class, (failure, context) -> context.status(400));
        app.start("127.0.0.1", port);
    }
}
