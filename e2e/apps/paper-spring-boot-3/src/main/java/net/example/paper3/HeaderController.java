package net.example.paper3;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A header field and a cookie that no schema names. */
@RestController
public class HeaderController {
    @GetMapping(path = "/headers", produces = MediaType.TEXT_PLAIN_VALUE)
    public String header(HttpServletRequest request) {
        String mode = request.getHeader("X-Mode");
        if (mode != null && mode.equals("turbo")) {
            return "OK";
        }
        return null;
    }

    @GetMapping(path = "/cookies", produces = MediaType.TEXT_PLAIN_VALUE)
    public String cookie(HttpServletRequest request) {
        Cookie[] cookies = request.getCookies();
        if (cookies == null) {
            return null;
        }
        for (Cookie cookie : cookies) {
            if (cookie.getName().equals("flavour") && cookie.getValue().equals("vanilla")) {
                return "OK";
            }
        }
        return null;
    }
}
