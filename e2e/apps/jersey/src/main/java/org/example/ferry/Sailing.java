package org.example.ferry;

import jakarta.validation.constraints.Size;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.QueryParam;
import java.util.List;

/** What is asked of a sailing. */
public class Sailing {
    @QueryParam("day")
    public String day;

    @QueryParam("cars")
    @DefaultValue("1")
    public int cars;

    @HeaderParam("X-Line")
    public String line;

    @QueryParam("deck")
    public List<@Size(min = 2) String> decks;
}
