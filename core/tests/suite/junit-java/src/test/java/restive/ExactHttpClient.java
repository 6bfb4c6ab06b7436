package restive;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.apache.http.Header;
import org.apache.http.HttpClientConnection;
import org.apache.http.HttpEntity;
import org.apache.http.HttpEntityEnclosingRequest;
import org.apache.http.HttpException;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.HttpVersion;
import org.apache.http.client.HttpRequestRetryHandler;
import org.apache.http.client.utils.DateUtils;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.DefaultHttpClient;
import org.apache.http.message.BasicHttpEntityEnclosingRequest;
import org.apache.http.message.BasicHttpRequest;
import org.apache.http.message.BasicRequestLine;
import org.apache.http.protocol.HttpContext;
import org.apache.http.protocol.HttpRequestExecutor;

/** Sends what a test wrote and nothing else: no header fields of the library, no tidied-up target. */
@SuppressWarnings("deprecation") // RestAssured 5 takes no other client.
final class ExactHttpClient extends DefaultHttpClient {

    /** Header field that carries a target which RestAssured would change; it is never sent. */
    static final String TARGET = "X-Exact-Target";

    /** Methods that say so when they have no content. */
    private static final Set<String> WITH_CONTENT = Set.of("PATCH", "POST", "PUT");

    private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

    private static final int MAX_WAIT_MS = 30_000;

    private static final int MAX_WAITS = 3;

    /** Where a request's context tells how often it was asked to wait. */
    private static final String WAITS = "restive.waits";

    ExactHttpClient() {
        addRequestInterceptor((request, context) -> {
            request.removeHeaders("Connection");
            removeValue(request, "User-Agent", "Apache-HttpClient");
            removeValue(request, "Content-Type", "*/*");
            String verb = request.getRequestLine().getMethod();
            if (request.getFirstHeader("Content-Length") == null && WITH_CONTENT.contains(verb)) {
                request.addHeader("Content-Length", "0");
            } else if (!WITH_CONTENT.contains(verb)) {
                removeValue(request, "Content-Length", "0");
            }
            // RestAssured adds the type of a form several times.
            Header type = request.getFirstHeader("Content-Type");
            if (type != null) {
                request.removeHeaders("Content-Type");
                request.addHeader(type);
            }
        });
    }

    private static void removeValue(HttpRequest request, String name, String start) {
        Header field = request.getFirstHeader(name);
        if (field != null && field.getValue().startsWith(start)) {
            request.removeHeaders(name);
        }
    }

    @Override
    protected HttpRequestExecutor createRequestExecutor() {
        return new HttpRequestExecutor() {
            @Override
            public HttpResponse execute(HttpRequest request, HttpClientConnection connection, HttpContext context)
                    throws IOException, HttpException {
                HttpResponse response = whole(super.execute(exact(request), connection, context));
                waitWhenAsked(response, context);
                return response;
            }
        };
    }

    @Override
    protected HttpRequestRetryHandler createHttpRequestRetryHandler() {
        HttpRequestRetryHandler usual = super.createHttpRequestRetryHandler();
        return (error, executions, context) ->
                error instanceof AskedToWait || usual.retryRequest(error, executions, context);
    }

    /** Has the request sent again after the time that the service asks for (429 and Retry-After), three times at most. */
    private static void waitWhenAsked(HttpResponse response, HttpContext context) throws IOException {
        Integer waits = (Integer) context.getAttribute(WAITS);
        Header asked = response.getFirstHeader("Retry-After");
        if (response.getStatusLine().getStatusCode() != 429 || asked == null || (waits != null && waits == MAX_WAITS)) {
            return;
        }
        long milliseconds = milliseconds(asked.getValue().trim());
        if (milliseconds > MAX_WAIT_MS) {
            return;
        }
        context.setAttribute(WAITS, waits == null ? 1 : waits + 1);
        try {
            Thread.sleep(Math.max(milliseconds, 0));
        } catch (InterruptedException interruption) {
            Thread.currentThread().interrupt();
            return;
        }
        throw new AskedToWait();
    }

    /** What a Retry-After field asks for, a number of seconds or a date; a time without end when it is neither. */
    private static long milliseconds(String asked) {
        if (asked.matches("[0-9]{1,9}")) {
            return 1000 * Long.parseLong(asked);
        }
        Date date = DateUtils.parseDate(asked);
        return date == null ? Long.MAX_VALUE : date.getTime() - System.currentTimeMillis();
    }

    /** The answer asked to wait, and the time is over. */
    private static final class AskedToWait extends IOException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Reads the body at once: RestAssured reads it on demand, and by then the garbage collector may have ended this
     * client and its connection.
     */
    private static HttpResponse whole(HttpResponse response) throws IOException {
        HttpEntity streamed = response.getEntity();
        if (streamed != null) {
            byte[] received = streamed.getContent().readNBytes(MAX_BODY_BYTES);
            ByteArrayEntity body = new ByteArrayEntity(decoded(received, response.getHeaders("Content-Encoding")));
            body.setContentType(streamed.getContentType());
            body.setContentEncoding(streamed.getContentEncoding());
            response.setEntity(body);
        }
        return response;
    }

    /** A body without its content codings; as it came when one of them is unknown or wrong. */
    private static byte[] decoded(byte[] body, Header[] fields) {
        List<String> codings = new ArrayList<>();
        for (Header field : fields) {
            codings.addAll(List.of(field.getValue().toLowerCase(Locale.ROOT).trim().split("[\\s,]+")));
        }
        Collections.reverse(codings);
        InputStream plain = new ByteArrayInputStream(body);
        try {
            for (String coding : codings) {
                if (coding.equals("gzip") || coding.equals("x-gzip")) {
                    plain = new GZIPInputStream(plain);
                } else if (coding.equals("deflate")) {
                    plain = new InflaterInputStream(plain);
                } else if (!coding.isEmpty() && !coding.equals("identity")) {
                    return body;
                }
            }
            return plain.readNBytes(MAX_BODY_BYTES);
        } catch (IOException error) {
            return body;
        }
    }

    private static HttpRequest exact(HttpRequest request) {
        Header target = request.getFirstHeader(TARGET);
        if (target == null) {
            return request;
        }
        request.removeHeaders(TARGET);
        String verb = request.getRequestLine().getMethod();
        BasicRequestLine line = new BasicRequestLine(verb, target.getValue(), HttpVersion.HTTP_1_1);
        HttpRequest exact;
        if (request instanceof HttpEntityEnclosingRequest) {
            BasicHttpEntityEnclosingRequest withBody = new BasicHttpEntityEnclosingRequest(line);
            withBody.setEntity(((HttpEntityEnclosingRequest) request).getEntity());
            exact = withBody;
        } else {
            exact = new BasicHttpRequest(line);
        }
        exact.setHeaders(request.getAllHeaders());
        return exact;
    }
}
