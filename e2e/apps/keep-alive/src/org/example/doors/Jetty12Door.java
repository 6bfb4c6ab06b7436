package org.example.doors;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Jetty 12 with servlets. */
public final class Jetty12Door extends HttpServlet {
    public static void main(String[] arguments) throws Exception {
        Server server = new Server(Integer.parseInt(arguments[0]));
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(new Jetty12Door()), "/*");
        server.setHandler(context);
        server.start();
        server.join();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
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
            response.getWriter().print("open");
        }
    }
}
