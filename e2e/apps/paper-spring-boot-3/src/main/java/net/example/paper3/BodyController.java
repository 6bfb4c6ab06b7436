package net.example.paper3;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.gson.Gson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Bodies that no schema describes, for they are read from the request and parsed by a library. */
@RestController
public class BodyController {
    @PostMapping(path = "/bodies/gson", consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaType.TEXT_PLAIN_VALUE)
    public String gson(HttpServletRequest request) throws IOException {
        BodyDto dto = new Gson().fromJson(text(request), BodyDto.class);
        if (dto.x > 0) {
            return "OK";
        }
        return null;
    }

    @PostMapping(path = "/bodies/jackson", consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaType.TEXT_PLAIN_VALUE)
    public String jackson(HttpServletRequest request) throws IOException {
        BodyDto dto = new ObjectMapper().readValue(text(request), BodyDto.class);
        if (dto.x > 0) {
            return "OK";
        }
        return null;
    }

    private static String text(HttpServletRequest request) throws IOException {
        InputStream input = request.getInputStream();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[4096];
        for (int n = input.read(buffer); n >= 0; n = input.read(buffer)) {
            bytes.write(buffer, 0, n);
        }
        return bytes.toString("UTF-8");
    }
}
