package org.example.station;

import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/** Three servlets of two frameworks in one application of Tomcat; the port is the only argument. */
public class Main {
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        File folder = new File(System.getProperty("java.io.tmpdir"));
        tomcat.setBaseDir(folder.getPath());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector();
        Context context = tomcat.addContext("/station", folder.getPath());
        spring(context, "hall", Hall.class).setLoadOnStartup(1);
        spring(context, "yard", Yard.class);
        ResourceConfig resources = new ResourceConfig(Platforms.class);
        Tomcat.addServlet(context, "platforms", new ServletContainer(resources));
        context.addServletMappingDecoded("/trains/*", "platforms");
        tomcat.start();
        tomcat.getServer().await();
    }

    /** A servlet of Spring with a context of its own; one that is not told to begins when it is called first. */
    private static Wrapper spring(Context context, String name, Class<?> controller) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Beans.class, controller);
        Wrapper servlet = Tomcat.addServlet(context, name, new DispatcherServlet(beans));
        context.addServletMappingDecoded("/" + name + "/*", name);
        return servlet;
    }
}
