package org.example.unnamed;

import com.google.gson.Gson;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Reads what is sent by Gson. */
final class Hold {
    private Hold() {
    }

    static int crate(InputStream body) {
        return Rules.of(new Gson().fromJson(new InputStreamReader(body, StandardCharsets.UTF_8), Crate.class));
    }
}
