package net.example.paper2;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** A parameter that no schema names, for it is read from the request. */
@RestController
public class ParameterController {
    @GetMapping(path = "/parameters", produces = MediaType.TEXT_PLAIN_VALUE)
    public String parameter(WebRequest request) {
        String param = request.getParameter("param");
        if (param.equals("FOO")) {
            return "OK";
        }
        return null;
    }
}
