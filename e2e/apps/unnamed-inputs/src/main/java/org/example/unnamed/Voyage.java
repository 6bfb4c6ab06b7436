package org.example.unnamed;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.List;

/** A bean that JAX-RS of either namespace fills; all of this is demanded, by a validator that is called by hand. */
public class Voyage {
    @NotNull
    @Pattern(regexp = "[A-Z]{2}[0-9]{4}")
    @jakarta.ws.rs.QueryParam("code")
    @javax.ws.rs.QueryParam("code")
    public String code;

    @Min(7100)
    @Max(7110)
    @jakarta.ws.rs.QueryParam("berth")
    @javax.ws.rs.QueryParam("berth")
    public int berth;

    @NotNull
    @Size(min = 3, max = 4)
    @jakarta.ws.rs.QueryParam("stop")
    @javax.ws.rs.QueryParam("stop")
    public List<@Pattern(regexp = "[a-z]{2}-[0-9]{2}") String> stops;

    @Min(-330)
    @Max(-320)
    @jakarta.ws.rs.HeaderParam("X-Drift")
    @javax.ws.rs.HeaderParam("X-Drift")
    public long drift;
}
