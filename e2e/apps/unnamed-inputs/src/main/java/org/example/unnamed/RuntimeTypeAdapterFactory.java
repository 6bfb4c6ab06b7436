package org.example.unnamed;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which class a JSON object is read into, by a key of it; called, and keeping what it knows, as such factories of others do. */
final class RuntimeTypeAdapterFactory implements TypeAdapterFactory {
    private final Class<?> baseType;
    private final String typeFieldName;
    private final Map<String, Class<?>> labelToSubtype = new LinkedHashMap<>();

    RuntimeTypeAdapterFactory(Class<?> baseType, String typeFieldName) {
        this.baseType = baseType;
        this.typeFieldName = typeFieldName;
    }

    RuntimeTypeAdapterFactory with(Class<?> subtype, String label) {
        labelToSubtype.put(label, subtype);
        return this;
    }

    @Override
    public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> asked) {
        if (asked.getRawType() != baseType) {
            return null;
        }
        return new TypeAdapter<>() {
            @Override
            public void write(JsonWriter out, T value) throws IOException {
                throw new IOException("nothing is written");
            }

            @Override
            @SuppressWarnings("unchecked")
            public T read(JsonReader in) throws IOException {
                JsonObject object = gson.getAdapter(JsonObject.class).read(in);
                JsonElement label = object.remove(typeFieldName);
                Class<?> subtype = label == null ? null : labelToSubtype.get(label.getAsString());
                if (subtype == null) {
                    throw new IOException("not known: " + label);
                }
                return (T) gson.getDelegateAdapter(RuntimeTypeAdapterFactory.this, TypeToken.get(subtype)).fromJsonTree(object);
            }
        };
    }
}
