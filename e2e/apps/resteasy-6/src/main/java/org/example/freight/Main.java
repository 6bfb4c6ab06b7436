package org.example.freight;

import jakarta.ws.rs.core.Application;
import java.io.File;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher;

/** RESTEasy 6 in a servlet of Tomcat; the port is the only argument. */
public class Main extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        return Set.of(Parts.class);
    }

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        File folder = new File(System.getProperty("java.io.tmpdir"));
        tomcat.setBaseDir(folder.getPath());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector();
        Context context = tomcat.addContext("", folder.getPath());
        Wrapper servlet = Tomcat.addServlet(context, "freight", new HttpServlet30Dispatcher());
        servlet.addInitParameter("jakarta.ws.rs.Application", Main.class.getName());
        servlet.setLoadOnStartup(1);
        servlet.addMapping("/*");
        tomcat.start();
        tomcat.getServer().await();
    }
}
