package restive

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.node.TextNode
import io.restassured.RestAssured
import io.restassured.config.ConnectionConfig.connectionConfig
import io.restassured.config.DecoderConfig.decoderConfig
import io.restassured.config.EncoderConfig.encoderConfig
import io.restassured.config.HeaderConfig.headerConfig
import io.restassured.config.HttpClientConfig.HttpClientFactory
import io.restassured.config.HttpClientConfig.httpClientConfig
import io.restassured.config.RestAssuredConfig
import io.restassured.filter.Filter
import io.restassured.http.ContentType
import io.restassured.http.Header
import io.restassured.http.Headers
import io.restassured.response.Response
import io.restassured.specification.FilterableRequestSpecification
import io.restassured.specification.RequestSpecification
import java.net.URI
import java.net.URLDecoder
import java.net.URLEncoder
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.nio.charset.CodingErrorAction
import java.time.Duration
import java.util.Base64

/** The service under test: requests go out exactly as a test writes them. README.md lists the environment variables. */
object Service {

    /** A "restive sut serve" that says where the service listens and resets it; none when empty. */
    private val KEEPER = variable("RESTIVE_SUT_URL", "").trimEnd('/')

    private val KEEPER_CLIENT =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build()

    val BASE_URL: String = (System.getenv("RESTIVE_BASE_URL") ?: servedUrl("http://127.0.0.1:8080/api")).trimEnd('/')

    private const val TIME_LIMIT_MS = 60_000

    /** Environment variables that hold the header fields of each user, one "Name: value" a line. */
    val USERS: Map<String, String> = mapOf(
        "alice" to "RESTIVE_AUTH_ALICE",
    )

    val CONFIG: RestAssuredConfig = RestAssuredConfig.config()
        .connectionConfig(connectionConfig().closeIdleConnectionsAfterEachResponse())
        .decoderConfig(decoderConfig().noContentDecoders())
        .encoderConfig(
            encoderConfig()
                .appendDefaultContentCharsetToContentTypeIfUndefined(false)
                .defaultContentCharset("UTF-8")
                .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT),
        )
        .headerConfig(headerConfig().overwriteHeadersWithName("User-Agent"))
        .httpClient(
            httpClientConfig()
                .httpClientFactory(HttpClientFactory { ExactHttpClient() })
                .setParam("http.connection.timeout", TIME_LIMIT_MS)
                .setParam("http.socket.timeout", TIME_LIMIT_MS)
                .setParam("http.protocol.cookie-policy", "ignoreCookies")
                .setParam("http.protocol.element-charset", "UTF-8")
                .setParam("http.malformed.input.action", CodingErrorAction.REPLACE)
                .setParam("http.protocol.handle-redirects", false),
        )

    /** Brings the service back to its first state, when it has a call or a keeper for that. */
    fun reset() {
        if (KEEPER.isNotEmpty()) {
            askKeeper("POST", "/reset")
            return
        }
        val url = variable("RESTIVE_RESET_URL", "/reset")
        if (url.isNotEmpty()) {
            val verb = variable("RESTIVE_RESET_VERB", "POST")
            val status = given().request(verb, url).statusCode()
            if (status >= 400) throw AssertionError("$verb $url answered $status")
        }
    }

    /** Asks the keeper; its answer comes when the work is done. */
    private fun askKeeper(verb: String, path: String): JsonNode {
        val url = KEEPER + path
        val request = HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofMinutes(5))
            .header("Authorization", "Bearer " + variable("RESTIVE_SUT_TOKEN", ""))
            .method(verb, HttpRequest.BodyPublishers.noBody())
            .build()
        val answer = KEEPER_CLIENT.send(request, HttpResponse.BodyHandlers.ofString())
        if (answer.statusCode() != 200) throw AssertionError("$verb $url answered ${answer.statusCode()}: ${answer.body()}")
        return ObjectMapper().readTree(answer.body())
    }

    /** Where the service listens; a keeper leaves the path below which the tests call, unless it names one. */
    private fun servedUrl(written: String): String {
        if (KEEPER.isEmpty()) return written
        val served = askKeeper("GET", "/status").path("base_url").asText().trimEnd('/')
        val hasPath = !URI.create(served).rawPath.isNullOrEmpty()
        return if (hasPath) served else served + URI.create(written).rawPath
    }

    fun variable(name: String, otherwise: String): String = System.getenv(name) ?: otherwise
}

/** Starts a request below the base URL. */
fun given(): RequestSpecification = RestAssured.given()
    .config(Service.CONFIG)
    .baseUri(Service.BASE_URL)
    .urlEncodingEnabled(false)
    .redirects().follow(false)
    .header("User-Agent", "restive-suite")
    .noContentType()
    .filter { request, response, context ->
        addFields(request, Service.variable("RESTIVE_HEADERS", ""))
        context.next(request, response)
    }

/** Starts a request whose path and query RestAssured would change. */
fun givenExactly(target: String): RequestSpecification =
    given().header(ExactHttpClient.TARGET, (URI.create(Service.BASE_URL).rawPath ?: "") + target)

/** Sends a request with the credentials of a user, which come from the environment. */
fun credentials(user: String): Filter {
    val name = Service.USERS[user]
    val fields = System.getenv(name)
        ?: throw AssertionError("set $name to the header fields of $user, such as 'Authorization: Bearer ...'")
    return Filter { request, response, context ->
        addFields(request, fields)
        context.next(request, response)
    }
}

/** Puts the fields of some lines in place of those of a request; cookies are joined. */
private fun addFields(request: FilterableRequestSpecification, lines: String) {
    for (line in lines.lines()) {
        val target = request.headers.getValue(ExactHttpClient.TARGET)
        val cookies = request.headers.getValue("Cookie")
        val (name, value) = line.substringBefore(':').trim() to line.substringAfter(':').trim()
        if (line.startsWith("?") && target != null) {
            val separator = if ('?' in target) "&" else "?"
            request.replaceHeader(ExactHttpClient.TARGET, target + separator + line.substring(1))
        } else if (line.startsWith("?")) {
            request.queryParam(line.substring(1).substringBefore('='), line.substringAfter('=', ""))
        } else if (cookies != null && name.equals("Cookie", ignoreCase = true)) {
            request.replaceHeader("Cookie", "$cookies; $value")
        } else if (':' in line) {
            request.replaceHeader(name, value)
        }
    }
}

/** Header fields of which some have the same name. */
fun fields(vararg namesAndValues: String): Headers =
    Headers(namesAndValues.toList().chunked(2).map { (name, value) -> Header(name, value) })

/** The media type of an answer without parameters. */
fun mediaType(response: Response): String =
    response.getHeader("Content-Type").orEmpty().substringBefore(';').trim().lowercase()

/** The body of an answer as text. */
fun text(response: Response): String = String(response.asByteArray(), Charsets.UTF_8)

/** A segment of the path of a URL, counted from the last one, which is 0. */
fun segment(url: String, fromEnd: Int): String {
    val segments = url.split('?', '#').first().split('/').filter { it.isNotEmpty() }
    return URLDecoder.decode(segments[segments.size - 1 - fromEnd].replace("+", "%2B"), Charsets.UTF_8)
}

/** The value of the cookie of that name that an answer sets. */
fun cookie(response: Response, name: String): String =
    response.headers.getValues("Set-Cookie").last { it.startsWith("$name=") }
        .substringBefore(';').substringAfter('=').trim()

private val KINDS = listOf("abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789")

/** Another text of the same kind: the service takes each once. What stands behind an @ stays. */
fun fresh(like: String): String {
    val head = like.substringBefore('@')
    val drawn = head.map { letter -> KINDS.find { letter in it }?.random() ?: letter }
    return drawn.joinToString("") + like.substring(head.length)
}

/** The last segment of the Location field: usually the id of what was created. */
fun lastSegment(response: Response): String = segment(response.getHeader("Location"), 0)

/** A value as it stands in a URL. */
fun encoded(value: String): String =
    URLEncoder.encode(value, Charsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~")

/** A value as it stands between the quotes of a JSON string. */
fun jsonPart(value: String): String = TextNode.valueOf(value).toString().removeSurrounding("\"")

/** A value as it stands in XML. */
fun xmlPart(value: String): String =
    value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'", "&apos;")

/** A text as bytes. */
fun utf8(text: String): ByteArray = text.toByteArray(Charsets.UTF_8)

/** Bytes from Base64. */
fun bytes(base64: String): ByteArray = Base64.getDecoder().decode(base64)
