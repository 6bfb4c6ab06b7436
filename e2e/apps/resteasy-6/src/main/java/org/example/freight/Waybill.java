package org.example.freight;

import jakarta.ws.rs.FormParam;
import org.jboss.resteasy.annotations.providers.multipart.PartType;

/** A bean that RESTEasy fills from the parts of a body. */
public class Waybill {
    @FormParam("load")
    @PartType("application/xml")
    public Crate crate;
}
