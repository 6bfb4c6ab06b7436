package restive

import java.io.ByteArrayInputStream
import java.io.IOException
import java.io.InputStream
import java.util.zip.GZIPInputStream
import java.util.zip.InflaterInputStream
import org.apache.http.Header
import org.apache.http.HttpClientConnection
import org.apache.http.HttpEntityEnclosingRequest
import org.apache.http.HttpRequest
import org.apache.http.HttpRequestInterceptor
import org.apache.http.HttpResponse
import org.apache.http.HttpVersion
import org.apache.http.client.HttpRequestRetryHandler
import org.apache.http.client.utils.DateUtils
import org.apache.http.entity.ByteArrayEntity
import org.apache.http.impl.client.DefaultHttpClient
import org.apache.http.message.BasicHttpEntityEnclosingRequest
import org.apache.http.message.BasicHttpRequest
import org.apache.http.message.BasicRequestLine
import org.apache.http.protocol.HttpContext
import org.apache.http.protocol.HttpRequestExecutor

private const val MAX_BODY_BYTES = 16 * 1024 * 1024

private const val MAX_WAIT_MS = 30_000

private const val MAX_WAITS = 3

/** Where a request's context tells how often it was asked to wait. */
private const val WAITS = "restive.waits"

/** Methods that say so when they have no content. */
private val WITH_CONTENT = setOf("PATCH", "POST", "PUT")

/** Sends what a test wrote and nothing else: no header fields of the library, no tidied-up target. */
@Suppress("DEPRECATION") // RestAssured 5 takes no other client.
class ExactHttpClient : DefaultHttpClient() {

    companion object {
        /** Header field that carries a target which RestAssured would change; it is never sent. */
        const val TARGET = "X-Exact-Target"
    }

    init {
        addRequestInterceptor(HttpRequestInterceptor { request, _ -> tidy(request) })
    }

    override fun createRequestExecutor(): HttpRequestExecutor = object : HttpRequestExecutor() {
        override fun execute(request: HttpRequest, connection: HttpClientConnection, context: HttpContext): HttpResponse {
            val response = whole(super.execute(exact(request), connection, context))
            waitWhenAsked(response, context)
            return response
        }
    }

    override fun createHttpRequestRetryHandler(): HttpRequestRetryHandler {
        val usual = super.createHttpRequestRetryHandler()
        return HttpRequestRetryHandler { error, executions, context ->
            error is AskedToWait || usual.retryRequest(error, executions, context)
        }
    }
}

/** The answer asked to wait, and the time is over. */
private class AskedToWait : IOException()

/** Takes away what the library adds. */
private fun tidy(request: HttpRequest) {
    request.removeHeaders("Connection")
    removeValue(request, "User-Agent", "Apache-HttpClient")
    removeValue(request, "Content-Type", "*/*")
    val verb = request.requestLine.method
    if (request.getFirstHeader("Content-Length") == null && verb in WITH_CONTENT) {
        request.addHeader("Content-Length", "0")
    } else if (verb !in WITH_CONTENT) {
        removeValue(request, "Content-Length", "0")
    }
    // RestAssured adds the type of a form several times.
    val type = request.getFirstHeader("Content-Type")
    if (type != null) {
        request.removeHeaders("Content-Type")
        request.addHeader(type)
    }
}

private fun removeValue(request: HttpRequest, name: String, start: String) {
    if (request.getFirstHeader(name)?.value.orEmpty().startsWith(start)) request.removeHeaders(name)
}

/** Has the request sent again after the time that the service asks for (429 and Retry-After), three times at most. */
private fun waitWhenAsked(response: HttpResponse, context: HttpContext) {
    val waits = context.getAttribute(WAITS) as Int? ?: 0
    val asked = response.getFirstHeader("Retry-After")
    if (response.statusLine.statusCode != 429 || asked == null || waits == MAX_WAITS) return
    val milliseconds = milliseconds(asked.value.trim())
    if (milliseconds <= MAX_WAIT_MS) {
        context.setAttribute(WAITS, waits + 1)
        Thread.sleep(milliseconds.coerceAtLeast(0))
        throw AskedToWait()
    }
}

/** What a Retry-After field asks for, a number of seconds or a date; a time without end when it is neither. */
private fun milliseconds(asked: String): Long = when {
    asked.matches(Regex("[0-9]{1,9}")) -> 1000 * asked.toLong()
    else -> DateUtils.parseDate(asked)?.let { it.time - System.currentTimeMillis() } ?: Long.MAX_VALUE
}

/**
 * Reads the body at once: RestAssured reads it on demand, and by then the garbage collector may have ended the client
 * and its connection.
 */
private fun whole(response: HttpResponse): HttpResponse {
    val streamed = response.entity ?: return response
    val received = streamed.content.readNBytes(MAX_BODY_BYTES)
    val body = ByteArrayEntity(decoded(received, response.getHeaders("Content-Encoding")))
    body.contentType = streamed.contentType
    body.contentEncoding = streamed.contentEncoding
    response.entity = body
    return response
}

/** A body without its content codings; as it came when one of them is unknown or wrong. */
private fun decoded(body: ByteArray, fields: Array<Header>): ByteArray {
    val codings = fields.flatMap { it.value.lowercase().split(Regex("[\\s,]+")) }.filter { it.isNotEmpty() }
    var plain: InputStream = ByteArrayInputStream(body)
    return try {
        for (coding in codings.reversed()) {
            plain = when (coding) {
                "gzip", "x-gzip" -> GZIPInputStream(plain)
                "deflate" -> InflaterInputStream(plain)
                "identity" -> plain
                else -> return body
            }
        }
        plain.readNBytes(MAX_BODY_BYTES)
    } catch (error: IOException) {
        body
    }
}

/** The request with the target that travels beside it, when there is one. */
private fun exact(request: HttpRequest): HttpRequest {
    val target = request.getFirstHeader(ExactHttpClient.TARGET) ?: return request
    request.removeHeaders(ExactHttpClient.TARGET)
    val line = BasicRequestLine(request.requestLine.method, target.value, HttpVersion.HTTP_1_1)
    val exact = if (request is HttpEntityEnclosingRequest) {
        BasicHttpEntityEnclosingRequest(line).apply { entity = request.entity }
    } else {
        BasicHttpRequest(line)
    }
    exact.setHeaders(request.allHeaders)
    return exact
}
