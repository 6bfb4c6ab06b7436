package org.example.unnamed;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;

/** A body of parts that a reader of the service's own makes; its properties are none of the parts. */
public class Chest {
    private int files;

    public int getFiles() {
        return files;
    }

    public void setFiles(int files) {
        this.files = files;
    }

    /** Counts the parts that have a file name. */
    public static class Reader implements MessageBodyReader<Chest> {
        @Override
        public boolean isReadable(Class<?> type, Type generic, Annotation[] annotations, MediaType media) {
            return type == Chest.class;
        }

        @Override
        public Chest readFrom(Class<Chest> type, Type generic, Annotation[] annotations, MediaType media,
                MultivaluedMap<String, String> headers, InputStream body) throws IOException {
            Chest chest = new Chest();
            chest.setFiles(new String(body.readAllBytes(), StandardCharsets.ISO_8859_1).split("; filename=", -1).length - 1);
            return chest;
        }
    }
}
