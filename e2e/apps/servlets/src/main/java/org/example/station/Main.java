package org.example.station;

import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Servlets of two frameworks and one of its own in one application of Tomcat; the port is the first argument, and each further one is
 * the path of another application.
 */
public class Main {
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        File folder = new File(System.getProperty("java.io.tmpdir"));
        tomcat.setBaseDir(folder.getPath());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector();
        Context context = tomcat.addContext("/station", folder.getPath());
        spring(context, "/hall/*", Hall.class).setLoadOnStartup(1);
        spring(context, "/yard/*", Yard.class);
        spring(context, "/", Kiosk.class);
        ResourceConfig resources = new ResourceConfig(Platforms.class);
        Tomcat.addServlet(context, "platforms", new ServletContainer(resources));
        context.addServletMappingDecoded("/trains/*", "platforms");
        Tomcat.addServlet(context, "desk", new Desk());
        context.addServletMappingDecoded("/desk", "desk");
        for (int i = 1; i < arguments.length; i++) {
            Context depot = tomcat.addContext(arguments[i], folder.getPath());
            spring(depot, "/sheds/*", Sheds.class).setLoadOnStartup(1);
            Tomcat.addServlet(depot, "engines", new ServletContainer(new ResourceConfig(Engines.class))).setLoadOnStartup(1);
            depot.addServletMappingDecoded("/works/*", "engines");
            Tomcat.addServlet(depot, "desk", new Desk());
            depot.addServletMappingDecoded("/desk", "desk");
            // Filters are not asked where no servlet would be.
            Tomcat.addServlet(depot, "default", new DefaultServlet());
            depot.addServletMappingDecoded("/", "default");
            filter(depot, "/tracks/*", Tracks.class);
        }
        tomcat.start();
        tomcat.getServer().await();
    }

    /** A filter of Jersey. */
    private static void filter(Context context, String pattern, Class<?> served) {
        FilterDef filter = new FilterDef();
        filter.setFilterName(served.getSimpleName());
        filter.setFilter(new ServletContainer(new ResourceConfig(served)));
        context.addFilterDef(filter);
        FilterMap mapping = new FilterMap();
        mapping.setFilterName(served.getSimpleName());
        mapping.addURLPatternDecoded(pattern);
        context.addFilterMap(mapping);
    }

    /** A servlet of Spring with a context of its own; one that is not told to begins when it is called first. */
    private static Wrapper spring(Context context, String pattern, Class<?> served) {
        AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
        beans.register(Beans.class, served);
        Wrapper servlet = Tomcat.addServlet(context, served.getSimpleName(), new DispatcherServlet(beans));
        context.addServletMappingDecoded(pattern, served.getSimpleName());
        return servlet;
    }
}
