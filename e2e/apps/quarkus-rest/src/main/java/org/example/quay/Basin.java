package org.example.quay;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;

/** Where everything is: no setting says so, and no servlet. */
@ApplicationPath("/basin/west")
public class Basin extends Application {
}
