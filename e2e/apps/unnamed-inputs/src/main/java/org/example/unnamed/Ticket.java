package org.example.unnamed;

/** A bean that JAX-RS fills from a form, or from the parts of a body. */
public class Ticket {
    @jakarta.ws.rs.FormParam("label")
    public String label;
}
