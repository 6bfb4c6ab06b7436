package org.example.doors;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat 8.5 to 11; `javax.servlet` is `jakarta.servlet` from 10 on. */
public final class TomcatDoor extends HttpServlet {
    public static void main(String[] arguments) throws Exception {
        File folder = Files.createTempDirectory("tomcat").toFile();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.getPath());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        Context context = tomcat.addContext("", folder.getPath());
        Tomcat.addServlet(context, "door", new TomcatDoor());
        context.addServletMappingDecoded("/*", "door");
        tomcat.getConnector();
        tomcat.start();
        tomcat.getServer().await();
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
