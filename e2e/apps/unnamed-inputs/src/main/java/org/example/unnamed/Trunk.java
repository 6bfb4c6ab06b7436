package org.example.unnamed;

import com.fasterxml.jackson.annotation.JsonRootName;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.ws.rs.ext.ContextResolver;

/** A body that stands in the only field of an object, of which its class has the name. */
@JsonRootName("trunk")
public class Trunk {
    public String label;

    /** Has bodies of this class read so. */
    public static class Mapper implements ContextResolver<ObjectMapper> {
        @Override
        public ObjectMapper getContext(Class<?> type) {
            return type == Trunk.class ? new ObjectMapper().enable(DeserializationFeature.UNWRAP_ROOT_VALUE) : null;
        }
    }
}
