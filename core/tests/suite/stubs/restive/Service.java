package restive;

import io.restassured.response.Response;
import java.util.Base64;
import java.nio.charset.StandardCharsets;

/** Takes the place of the written class: notes requests instead of sending them. */
final class Service {

    static void reset() {}

    static Request given() {
        return new Request(null);
    }

    static Request givenExactly(String target) {
        return new Request(target);
    }

    static String credentials(String user) {
        return user;
    }

    static String mediaType(Response response) {
        return "";
    }

    static String text(Response response) {
        return "";
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    /** A request in the making. */
    static final class Request {

        private final String exactTarget;

        Request(String exactTarget) {
            this.exactTarget = exactTarget;
        }

        Request header(String name, String value) {
            Record.add(name);
            Record.add(value);
            return this;
        }

        Request contentType(String value) {
            return this;
        }

        Request filter(String user) {
            Record.add(user);
            return this;
        }

        Request body(String body) {
            Record.add(body);
            return this;
        }

        Request body(byte[] body) {
            Record.add(body);
            return this;
        }

        Request when() {
            return this;
        }

        Response post(String target) {
            Record.add(exactTarget == null ? target : exactTarget);
            return new Response();
        }
    }
}
