package org.example.ferry;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.QueryParam;

/** What is asked of a sailing. */
public class Sailing {
    @QueryParam("day")
    public String day;

    @QueryParam("cars")
    @DefaultValue("1")
    public int cars;

    @HeaderParam("X-Line")
    public String line;
}
