package restive;

import static io.restassured.config.ConnectionConfig.connectionConfig;
import static io.restassured.config.DecoderConfig.decoderConfig;
import static io.restassured.config.EncoderConfig.encoderConfig;
import static io.restassured.config.HeaderConfig.headerConfig;
import static io.restassured.config.HttpClientConfig.httpClientConfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.restassured.RestAssured;
import io.restassured.config.RestAssuredConfig;
import io.restassured.filter.Filter;
import io.restassured.http.ContentType;
import io.restassured.http.Header;
import io.restassured.http.Headers;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** The service under test: requests go out exactly as a test writes them. README.md lists the environment variables. */
final class Service {

    /** A "restive sut serve" that says where the service listens and resets it; none when empty. */
    private static final String KEEPER = withoutSlash(variable("RESTIVE_SUT_URL", ""));

    private static final HttpClient KEEPER_CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();

    static final String BASE_URL = withoutSlash(baseUrl(System.getenv("RESTIVE_BASE_URL"), "http://127.0.0.1:8080/api"));

    private static final List<String> KINDS =
            List.of("abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789");

    private static final int TIME_LIMIT_MS = 60_000;

    /** Environment variables that hold the header fields of each user, one "Name: value" a line. */
    private static final Map<String, String> USERS = Map.ofEntries(
            Map.entry("alice", "RESTIVE_AUTH_ALICE"));

    private static final RestAssuredConfig CONFIG = RestAssuredConfig.config()
            .connectionConfig(connectionConfig().closeIdleConnectionsAfterEachResponse())
            .decoderConfig(decoderConfig().noContentDecoders())
            .encoderConfig(encoderConfig()
                    .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                    .defaultContentCharset("UTF-8")
                    .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT))
            .headerConfig(headerConfig().overwriteHeadersWithName("User-Agent"))
            .httpClient(httpClientConfig()
                    .httpClientFactory(ExactHttpClient::new)
                    .setParam("http.connection.timeout", TIME_LIMIT_MS)
                    .setParam("http.socket.timeout", TIME_LIMIT_MS)
                    .setParam("http.protocol.cookie-policy", "ignoreCookies")
                    .setParam("http.protocol.element-charset", "UTF-8")
                    .setParam("http.malformed.input.action", CodingErrorAction.REPLACE)
                    .setParam("http.protocol.handle-redirects", false));

    private Service() {}

    /** Starts a request below the base URL. */
    static RequestSpecification given() {
        return RestAssured.given()
                .config(CONFIG)
                .baseUri(BASE_URL)
                .urlEncodingEnabled(false)
                .redirects().follow(false)
                .header("User-Agent", "restive-suite")
                .noContentType()
                .filter((request, response, context) -> {
                    addFields(request, variable("RESTIVE_HEADERS", ""));
                    return context.next(request, response);
                });
    }

    /** Starts a request whose path and query RestAssured would change. */
    static RequestSpecification givenExactly(String target) {
        String path = URI.create(BASE_URL).getRawPath();
        return given().header(ExactHttpClient.TARGET, (path == null ? "" : path) + target);
    }

    /** Brings the service back to its first state, when it has a call or a keeper for that. */
    static void reset() {
        if (!KEEPER.isEmpty()) {
            askKeeper("POST", "/reset");
            return;
        }
        String url = variable("RESTIVE_RESET_URL", "/reset");
        if (url.isEmpty()) {
            return;
        }
        String verb = variable("RESTIVE_RESET_VERB", "POST");
        int status = given().when().request(verb, url).statusCode();
        if (status >= 400) {
            throw new AssertionError(verb + " " + url + " answered " + status);
        }
    }

    /** Asks the keeper; its answer comes when the work is done. */
    private static JsonNode askKeeper(String verb, String path) {
        String call = verb + " " + KEEPER + path;
        HttpRequest request = HttpRequest.newBuilder(URI.create(KEEPER + path))
                .timeout(Duration.ofMinutes(5))
                .header("Authorization", "Bearer " + variable("RESTIVE_SUT_TOKEN", ""))
                .method(verb, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            HttpResponse<String> answer = KEEPER_CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AssertionError(call + " answered " + answer.statusCode() + ": " + answer.body());
            }
            return new ObjectMapper().readTree(answer.body());
        } catch (IOException error) {
            throw new AssertionError(call + " got no answer", error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new AssertionError("stopped during " + call, error);
        }
    }

    /** Where the service listens; a keeper leaves the path below which the tests call, unless it names one. */
    private static String baseUrl(String given, String written) {
        if (given != null || KEEPER.isEmpty()) {
            return given == null ? written : given;
        }
        String served = withoutSlash(askKeeper("GET", "/status").path("base_url").asText());
        String path = URI.create(served).getRawPath();
        return path == null || path.isEmpty() ? served + URI.create(written).getRawPath() : served;
    }

    /** Sends a request with the credentials of a user, which come from the environment. */
    static Filter credentials(String user) {
        String name = USERS.get(user);
        String fields = System.getenv(name);
        if (fields == null) {
            throw new AssertionError(
                    "set " + name + " to the header fields of " + user + ", such as 'Authorization: Bearer ...'");
        }
        return (request, response, context) -> {
            addFields(request, fields);
            return context.next(request, response);
        };
    }

    /** Puts the fields of some lines in place of those of a request; cookies are joined. */
    private static void addFields(FilterableRequestSpecification request, String lines) {
        for (String line : lines.split("\\R")) {
            String target = request.getHeaders().getValue(ExactHttpClient.TARGET);
            String cookies = request.getHeaders().getValue("Cookie");
            String[] field = line.split(":", 2);
            if (line.startsWith("?") && target != null) {
                request.replaceHeader(ExactHttpClient.TARGET, target + (target.contains("?") ? "&" : "?") + line.substring(1));
            } else if (line.startsWith("?")) {
                String[] parameter = line.substring(1).split("=", 2);
                request.queryParam(parameter[0], parameter.length > 1 ? parameter[1] : "");
            } else if (cookies != null && field[0].trim().equalsIgnoreCase("Cookie")) {
                request.replaceHeader("Cookie", cookies + "; " + field[1].trim());
            } else if (field.length == 2) {
                request.replaceHeader(field[0].trim(), field[1].trim());
            }
        }
    }

    /** Header fields of which some have the same name. */
    static Headers fields(String... namesAndValues) {
        List<Header> fields = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new Headers(fields);
    }

    /** The media type of an answer without parameters. */
    static String mediaType(Response response) {
        String contentType = response.getHeader("Content-Type");
        return contentType == null ? "" : contentType.split(";", 2)[0].trim().toLowerCase(java.util.Locale.ROOT);
    }

    /** The body of an answer as text. */
    static String text(Response response) {
        return new String(response.asByteArray(), StandardCharsets.UTF_8);
    }

    /** A segment of the path of a URL, counted from the last one, which is 0. */
    static String segment(String url, int fromEnd) {
        String[] segments = url.split("[?#]", 2)[0].split("/+");
        return URLDecoder.decode(segments[segments.length - 1 - fromEnd].replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The value of the cookie of that name that an answer sets. */
    static String cookie(Response response, String name) {
        String value = null;
        for (String field : response.getHeaders().getValues("Set-Cookie")) {
            if (field.startsWith(name + "=")) {
                value = field.split(";", 2)[0].substring(name.length() + 1).trim();
            }
        }
        if (value == null) {
            throw new AssertionError("the answer sets no cookie " + name);
        }
        return value;
    }

    /** Another text of the same kind: the service takes each once. What stands behind an @ stays. */
    static String fresh(String like) {
        int end = like.indexOf('@') < 0 ? like.length() : like.indexOf('@');
        StringBuilder drawn = new StringBuilder(like);
        for (int i = 0; i < end; i++) {
            for (String kind : KINDS) {
                if (kind.indexOf(like.charAt(i)) >= 0) {
                    drawn.setCharAt(i, kind.charAt(ThreadLocalRandom.current().nextInt(kind.length())));
                }
            }
        }
        return drawn.toString();
    }

    /** The last segment of the Location field: usually the id of what was created. */
    static String lastSegment(Response response) {
        return segment(response.getHeader("Location"), 0);
    }

    /** A value as it stands in a URL. */
    static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** A value as it stands between the quotes of a JSON string. */
    static String jsonPart(String value) {
        String quoted = TextNode.valueOf(value).toString();
        return quoted.substring(1, quoted.length() - 1);
    }

    /** A value as it stands in XML. */
    static String xmlPart(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&apos;");
    }

    /** A text as bytes. */
    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes from Base64. */
    static byte[] bytes(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null ? otherwise : value;
    }

    private static String withoutSlash(String url) {
        return url.replaceAll("/+$", "");
    }
}
