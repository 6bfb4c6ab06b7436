//! The rows.

use super::InputHook::{Hold, Look, Parse, Reach, Read};
use super::InputPlace::{
    ArrayKey, BooleanKey, Bound, Cookie, Direct, Fields, Form, Header, IntegerKey, Key, NumberKey, ObjectKey, Part, Properties,
    Query, Raw, TextKey,
};
use super::{InputHook, InputPlace, InputRow};

/// What the names of classes of frameworks begin with that read inputs for the service: names and types come from the
/// service's annotations, and what they read is the service's.
pub(super) const READERS: [&str; 4] = [
    "org/springframework/web/method/annotation/",
    "org/springframework/web/servlet/mvc/method/annotation/",
    "org/glassfish/jersey/message/internal/",
    "org/jboss/resteasy/core/interception/jaxrs/",
];

const SERVLET: &[&str] = &[
    "servlet/ServletRequest",
    "servlet/http/HttpServletRequest",
    "servlet/ServletRequestWrapper",
    "servlet/http/HttpServletRequestWrapper",
];
const SPRING_REQUEST: &[&str] = &[
    "org/springframework/web/context/request/WebRequest",
    "org/springframework/web/context/request/NativeWebRequest",
    "org/springframework/web/context/request/ServletWebRequest",
];
const SPRING_UTILS: &[&str] = &["org/springframework/web/bind/ServletRequestUtils"];
const SPRING_WEB_UTILS: &[&str] = &["org/springframework/web/util/WebUtils"];
const SPRING_HEADERS: &[&str] = &["org/springframework/http/HttpHeaders"];
const SPRING_FUNCTION: &[&str] = &[
    "org/springframework/web/reactive/function/server/ServerRequest",
    "org/springframework/web/servlet/function/ServerRequest",
];
const SPRING_FUNCTION_HEADERS: &[&str] = &[
    "org/springframework/web/reactive/function/server/ServerRequest$Headers",
    "org/springframework/web/servlet/function/ServerRequest$Headers",
];
const SPRING_SERVER: &[&str] =
    &["org/springframework/http/server/reactive/ServerHttpRequest", "org/springframework/http/server/ServerHttpRequest"];
const SPRING_CONVERTER: &[&str] = &[
    "org/springframework/http/converter/HttpMessageConverter",
    "org/springframework/http/converter/GenericHttpMessageConverter",
];
const RS_HEADERS: &[&str] = &["ws/rs/core/HttpHeaders", "ws/rs/container/ContainerRequestContext"];
const RS_URI: &[&str] = &["ws/rs/core/UriInfo"];
const RS_READER: &[&str] = &["ws/rs/ext/MessageBodyReader"];
const EXCHANGE: &[&str] = &["com/sun/net/httpserver/HttpExchange", "com/sun/net/httpserver/HttpsExchange"];
const VERTX: &[&str] = &["io/vertx/core/http/HttpServerRequest"];
const VERTX_ROUTING: &[&str] = &["io/vertx/ext/web/RoutingContext"];
const JAVALIN: &[&str] = &["io/javalin/http/Context"];
const MICRONAUT: &[&str] = &["io/micronaut/http/HttpRequest", "io/micronaut/http/HttpMessage"];
const GSON: &[&str] = &["com/google/gson/Gson"];
const JACKSON: &[&str] = &[
    "com/fasterxml/jackson/databind/ObjectMapper",
    "com/fasterxml/jackson/databind/json/JsonMapper",
    "com/fasterxml/jackson/core/ObjectCodec",
    "tools/jackson/databind/ObjectMapper",
    "tools/jackson/databind/json/JsonMapper",
];
const JACKSON_READER: &[&str] = &["com/fasterxml/jackson/databind/ObjectReader", "tools/jackson/databind/ObjectReader"];
const JACKSON_NODE: &[&str] = &[
    "com/fasterxml/jackson/databind/JsonNode",
    "com/fasterxml/jackson/databind/node/ObjectNode",
    "tools/jackson/databind/JsonNode",
    "tools/jackson/databind/node/ObjectNode",
];
const GSON_PARSER: &[&str] = &["com/google/gson/JsonParser"];
const GSON_OBJECT: &[&str] = &["com/google/gson/JsonObject"];
const JSON_B: &[&str] = &["json/bind/Jsonb"];
const MOSHI: &[&str] = &["com/squareup/moshi/Moshi"];
const FASTJSON: &[&str] = &["com/alibaba/fastjson/JSON", "com/alibaba/fastjson2/JSON"];
const ORG_JSON: &[&str] = &["org/json/JSONObject"];
/// Whatever may have inputs by their names.
const ALL: &[&str] = &[];

/// The rows for calls of [`READERS`]: what else these look up is not the service's.
pub(super) fn is_for_readers(row: &InputRow) -> bool {
    [SPRING_REQUEST, SPRING_WEB_UTILS, SPRING_CONVERTER, RS_READER].contains(&row.classes)
}

/// One text.
const TEXT: &str = "(Ljava/lang/String;)";
/// A text and others.
const TEXT_FIRST: &str = "(Ljava/lang/String;";
const CHARS: &str = "(Ljava/lang/CharSequence;)";
const NOTHING: &str = "()";
const ANY: &str = "(";

const fn row(
    classes: &'static [&'static str],
    [method, parameters]: [&'static str; 2],
    hook: InputHook,
    place: InputPlace,
) -> InputRow {
    InputRow { classes, method, parameters, hook, place }
}

/// Every method by which inputs are read.
#[rustfmt::skip] // One row, one line.
pub(super) static ROWS: &[InputRow] = &[
    // Servlets.
    row(SERVLET, ["getParameter", TEXT], Read(1), Query),
    row(SERVLET, ["getParameterValues", TEXT], Read(1), Query),
    row(SERVLET, ["getParameterMap", NOTHING], Hold, Query),
    row(SERVLET, ["getHeader", TEXT], Read(1), Header),
    row(SERVLET, ["getHeaders", TEXT], Read(1), Header),
    row(SERVLET, ["getIntHeader", TEXT], Read(1), Header),
    row(SERVLET, ["getDateHeader", TEXT], Read(1), Header),
    row(SERVLET, ["getCookies", NOTHING], Reach, Cookie),
    row(SERVLET, ["getPart", TEXT], Read(1), Part),
    row(SERVLET, ["getInputStream", NOTHING], Reach, Raw),
    row(SERVLET, ["getReader", NOTHING], Reach, Raw),
    // Spring.
    row(SPRING_REQUEST, ["getParameter", TEXT], Read(1), Query),
    row(SPRING_REQUEST, ["getParameterValues", TEXT], Read(1), Query),
    row(SPRING_REQUEST, ["getParameterMap", NOTHING], Hold, Query),
    row(SPRING_REQUEST, ["getHeader", TEXT], Read(1), Header),
    row(SPRING_REQUEST, ["getHeaderValues", TEXT], Read(1), Header),
    row(SPRING_UTILS, ["getStringParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getRequiredStringParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getIntParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getRequiredIntParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getLongParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getRequiredLongParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getDoubleParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getRequiredDoubleParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getBooleanParameter", ANY], Read(1), Query),
    row(SPRING_UTILS, ["getRequiredBooleanParameter", ANY], Read(1), Query),
    row(SPRING_WEB_UTILS, ["getCookie", ANY], Read(1), Cookie),
    row(SPRING_HEADERS, ["getFirst", TEXT], Read(1), Header),
    row(SPRING_HEADERS, ["getOrEmpty", "("], Read(1), Header),
    row(SPRING_HEADERS, ["getValuesAsList", TEXT], Read(1), Header),
    row(SPRING_HEADERS, ["get", "("], Read(1), Header),
    row(SPRING_HEADERS, ["containsKey", "(Ljava/lang/Object;)"], Read(1), Header),
    row(SPRING_FUNCTION, ["queryParam", TEXT], Read(1), Query),
    row(SPRING_FUNCTION, ["param", TEXT], Read(1), Query),
    row(SPRING_FUNCTION, ["queryParams", NOTHING], Hold, Query),
    row(SPRING_FUNCTION, ["params", NOTHING], Hold, Query),
    row(SPRING_FUNCTION, ["cookies", NOTHING], Hold, Cookie),
    row(SPRING_FUNCTION, ["body", "(Ljava/lang/Class;)"], Parse(1), Direct),
    row(SPRING_FUNCTION, ["bodyToMono", ANY], Parse(1), Direct),
    row(SPRING_FUNCTION_HEADERS, ["firstHeader", TEXT], Read(1), Header),
    row(SPRING_FUNCTION_HEADERS, ["header", TEXT], Read(1), Header),
    row(SPRING_SERVER, ["getQueryParams", NOTHING], Hold, Query),
    row(SPRING_SERVER, ["getCookies", NOTHING], Hold, Cookie),
    row(SPRING_CONVERTER, ["read", "(Ljava/lang/reflect/Type;Ljava/lang/Class;"], Parse(1), Bound),
    row(SPRING_CONVERTER, ["read", "(Ljava/lang/Class;"], Parse(1), Bound),
    // JAX-RS.
    row(RS_HEADERS, ["getHeaderString", TEXT], Read(1), Header),
    row(RS_HEADERS, ["getRequestHeader", TEXT], Read(1), Header),
    row(RS_HEADERS, ["getRequestHeaders", NOTHING], Hold, Header),
    row(RS_HEADERS, ["getHeaders", NOTHING], Hold, Header),
    row(RS_HEADERS, ["getCookies", NOTHING], Hold, Cookie),
    row(RS_URI, ["getQueryParameters", ANY], Hold, Query),
    row(RS_READER, ["readFrom", "(Ljava/lang/Class;Ljava/lang/reflect/Type;"], Parse(2), Bound),
    // The server of the JDK.
    row(EXCHANGE, ["getRequestHeaders", NOTHING], Hold, Header),
    row(EXCHANGE, ["getRequestBody", NOTHING], Reach, Raw),
    // Vert.x.
    row(VERTX, ["getParam", "("], Read(1), Query),
    row(VERTX, ["getHeader", "("], Read(1), Header),
    row(VERTX, ["getCookie", TEXT], Read(1), Cookie),
    row(VERTX, ["getFormAttribute", TEXT], Read(1), Form),
    row(VERTX, ["params", ANY], Hold, Query),
    row(VERTX, ["headers", NOTHING], Hold, Header),
    row(VERTX, ["formAttributes", NOTHING], Hold, Form),
    row(VERTX_ROUTING, ["queryParam", TEXT], Read(1), Query),
    row(VERTX_ROUTING, ["queryParams", ANY], Hold, Query),
    row(VERTX_ROUTING, ["getBodyAsString", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["getBodyAsJson", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["getBody", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["body", NOTHING], Reach, Raw),
    // Javalin.
    row(JAVALIN, ["queryParam", TEXT_FIRST], Read(1), Query),
    row(JAVALIN, ["queryParams", TEXT], Read(1), Query),
    row(JAVALIN, ["queryParamAsClass", TEXT_FIRST], Read(1), Query),
    row(JAVALIN, ["queryParamMap", NOTHING], Hold, Query),
    row(JAVALIN, ["formParam", TEXT_FIRST], Read(1), Form),
    row(JAVALIN, ["formParams", TEXT], Read(1), Form),
    row(JAVALIN, ["formParamAsClass", TEXT_FIRST], Read(1), Form),
    row(JAVALIN, ["formParamMap", NOTHING], Hold, Form),
    row(JAVALIN, ["header", TEXT], Read(1), Header),
    row(JAVALIN, ["headerAsClass", TEXT_FIRST], Read(1), Header),
    row(JAVALIN, ["headerMap", NOTHING], Hold, Header),
    row(JAVALIN, ["cookie", TEXT], Read(1), Cookie),
    row(JAVALIN, ["cookieMap", NOTHING], Hold, Cookie),
    row(JAVALIN, ["uploadedFile", TEXT], Read(1), Part),
    row(JAVALIN, ["uploadedFiles", TEXT], Read(1), Part),
    row(JAVALIN, ["body", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsBytes", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsInputStream", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyInputStream", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsClass", ANY], Parse(1), Direct),
    row(JAVALIN, ["bodyStreamAsClass", ANY], Parse(1), Direct),
    row(JAVALIN, ["bodyValidator", ANY], Parse(1), Direct),
    // Micronaut.
    row(MICRONAUT, ["getParameters", NOTHING], Hold, Query),
    row(MICRONAUT, ["getHeaders", NOTHING], Hold, Header),
    row(MICRONAUT, ["getCookies", NOTHING], Hold, Cookie),
    row(MICRONAUT, ["getBody", "(Ljava/lang/Class;)"], Parse(1), Direct),
    row(MICRONAUT, ["getBody", "(Lio/micronaut/core/type/Argument;)"], Parse(1), Direct),
    // JSON into classes.
    row(GSON, ["fromJson", ANY], Parse(2), Fields),
    row(MOSHI, ["adapter", ANY], Parse(1), Fields),
    row(JACKSON, ["readValue", "([BII"], Parse(4), Properties),
    row(JACKSON, ["readValue", ANY], Parse(2), Properties),
    row(JACKSON, ["convertValue", ANY], Parse(2), Properties),
    row(JACKSON, ["treeToValue", ANY], Parse(2), Properties),
    row(JACKSON, ["readerFor", ANY], Parse(1), Properties),
    row(JACKSON_READER, ["readValue", "([BII"], Parse(0), Properties),
    row(JACKSON_READER, ["readValue", ANY], Parse(0), Properties),
    row(JACKSON_READER, ["forType", ANY], Parse(1), Properties),
    row(JSON_B, ["fromJson", ANY], Parse(2), Properties),
    row(FASTJSON, ["parseObject", "(Ljava/lang/String;Ljava/lang/Class;"], Parse(1), Properties),
    // JSON into trees.
    row(JACKSON, ["readTree", ANY], Hold, Key),
    row(JACKSON_READER, ["readTree", ANY], Hold, Key),
    row(JACKSON_NODE, ["get", TEXT], Look, Key),
    row(JACKSON_NODE, ["path", TEXT], Look, Key),
    row(JACKSON_NODE, ["has", TEXT], Look, Key),
    row(JACKSON_NODE, ["hasNonNull", TEXT], Look, Key),
    row(JACKSON_NODE, ["required", TEXT], Look, Key),
    row(GSON_PARSER, ["parseString", ANY], Hold, Key),
    row(GSON_PARSER, ["parseReader", ANY], Hold, Key),
    row(GSON_PARSER, ["parse", ANY], Hold, Key),
    row(GSON_OBJECT, ["get", TEXT], Look, Key),
    row(GSON_OBJECT, ["has", TEXT], Look, Key),
    row(GSON_OBJECT, ["getAsJsonPrimitive", TEXT], Look, Key),
    row(GSON_OBJECT, ["getAsJsonArray", TEXT], Look, Key),
    row(GSON_OBJECT, ["getAsJsonObject", TEXT], Look, Key),
    row(ORG_JSON, ["get", TEXT], Read(1), Key),
    row(ORG_JSON, ["opt", TEXT], Read(1), Key),
    row(ORG_JSON, ["has", TEXT], Read(1), Key),
    row(ORG_JSON, ["getString", TEXT], Read(1), TextKey),
    row(ORG_JSON, ["optString", TEXT_FIRST], Read(1), TextKey),
    row(ORG_JSON, ["getInt", TEXT], Read(1), IntegerKey),
    row(ORG_JSON, ["optInt", TEXT_FIRST], Read(1), IntegerKey),
    row(ORG_JSON, ["getLong", TEXT], Read(1), IntegerKey),
    row(ORG_JSON, ["optLong", TEXT_FIRST], Read(1), IntegerKey),
    row(ORG_JSON, ["getDouble", TEXT], Read(1), NumberKey),
    row(ORG_JSON, ["optDouble", TEXT_FIRST], Read(1), NumberKey),
    row(ORG_JSON, ["getBoolean", TEXT], Read(1), BooleanKey),
    row(ORG_JSON, ["optBoolean", TEXT_FIRST], Read(1), BooleanKey),
    row(ORG_JSON, ["getJSONArray", TEXT], Read(1), ArrayKey),
    row(ORG_JSON, ["optJSONArray", TEXT], Read(1), ArrayKey),
    row(ORG_JSON, ["getJSONObject", TEXT], Read(1), ObjectKey),
    row(ORG_JSON, ["optJSONObject", TEXT], Read(1), ObjectKey),
    // Whatever was held before; looked up last, for all classes have methods of these names.
    row(ALL, ["get", "(Ljava/lang/Object;)"], Look, Query),
    row(ALL, ["get", TEXT], Look, Query),
    row(ALL, ["get", CHARS], Look, Query),
    row(ALL, ["getFirst", "(Ljava/lang/Object;)"], Look, Query),
    row(ALL, ["getFirst", TEXT], Look, Query),
    row(ALL, ["getFirst", CHARS], Look, Query),
    row(ALL, ["getOrDefault", "(Ljava/lang/Object;"], Look, Query),
    row(ALL, ["containsKey", "(Ljava/lang/Object;)"], Look, Query),
    row(ALL, ["contains", TEXT], Look, Query),
    row(ALL, ["contains", CHARS], Look, Query),
];
