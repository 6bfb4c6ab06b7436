package org.example.doors;

import java.io.IOException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.AbstractHandler;

/** Jetty 9 to 11; `javax.servlet` is `jakarta.servlet` in 11. */
public final class JettyDoor extends AbstractHandler {
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(Integer.parseInt(arguments[0]));
        server.setHandler(new JettyDoor());
        server.start();
        server.join();
    }

    @Override
    public void handle(String path, Request base, HttpServletRequest request, HttpServletResponse response) throws IOException {
        base.setHandled(true);
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
            response.getWriter().print("open");
        }
    }
}
