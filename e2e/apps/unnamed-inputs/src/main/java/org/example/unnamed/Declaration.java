package org.example.unnamed;

import java.io.IOException;
import java.io.InputStream;
import javax.ws.rs.FormParam;
import org.jboss.resteasy.annotations.providers.multipart.PartType;

/** A bean that RESTEasy fills from the parts of a body: a text, JSON, a file. */
public class Declaration {
    @FormParam("label")
    @PartType("text/plain")
    private String label;

    @FormParam("crate")
    @PartType("application/json")
    private Crate crate;

    private byte[] seal;

    @FormParam("seal")
    public void setSeal(InputStream seal) throws IOException {
        this.seal = seal == null ? null : seal.readAllBytes();
    }

    /** 418 where the label is the wanted one, the crate is heavy and there is a seal. */
    int status() {
        boolean isWhole = crate != null && crate.weight > 40 && seal != null && seal.length > 0;
        return label == null ? 400 : isWhole ? Rules.of("part", label) : 200;
    }
}
