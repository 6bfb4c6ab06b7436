package org.example.doors;

import org.glassfish.grizzly.http.server.HttpHandler;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.grizzly.http.server.Request;
import org.glassfish.grizzly.http.server.Response;

/** Grizzly, the server of GlassFish and often of Jersey. */
public final class GrizzlyDoor extends HttpHandler {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.createSimpleServer(null, "127.0.0.1", Integer.parseInt(arguments[0]));
        server.getServerConfiguration().addHttpHandler(new GrizzlyDoor(), "/");
        server.start();
        Thread.currentThread().join();
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        String path = request.getRequestURI();
        if (Door.fails(path)) {
            throw Door.failure();
        }
        if (Door.reads(path)) {
            while (request.getInputStream().read() >= 0) {
            }
        }
        int status = Door.status(path);
        if (status >= 400) {
            response.sendError(status);
            return;
        }
        response.setStatus(status);
        if (Door.hasBody(status)) {
            response.getWriter().write("open");
        }
    }
}
