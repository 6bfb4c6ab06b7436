//! The rows.

use super::InputHook::{Fill, Hold, Look, LookRooted, Member, Parse, Reach, Read, ReadAs, Typed};
use super::InputPlace::{
    ArrayKey, Bean, BooleanKey, Bound, Cookie, DeepKey, Direct, Fields, File, Form, Header, IntegerKey, Key, Matrix, NumberKey,
    ObjectKey, Part, Pointed, Properties, Query, Raw, Registered, TextKey,
};
use super::{InputHook, InputPlace, InputRow};

/// What the names of classes of frameworks begin with that read inputs for the service: names and types come from the
/// service's annotations, and what they read is the service's.
pub(super) const READERS: [&str; 14] = [
    "org/springframework/web/method/annotation/",
    "org/springframework/web/servlet/mvc/method/annotation/",
    "org/springframework/web/reactive/result/method/annotation/",
    "org/springframework/web/multipart/support/MultipartResolutionDelegate",
    "org/glassfish/jersey/message/internal/",
    "org/glassfish/jersey/server/internal/inject/",
    "org/jboss/resteasy/core/interception/jaxrs/",
    "org/jboss/resteasy/core/QueryParamInjector",
    "org/jboss/resteasy/core/HeaderParamInjector",
    "org/jboss/resteasy/core/CookieParamInjector",
    "org/jboss/resteasy/core/FormParamInjector",
    "org/jboss/resteasy/core/FormInjector",
    "org/jboss/resteasy/core/MatrixParamInjector",
    "org/jboss/resteasy/reactive/server/core/parameters/",
];

/// What the names of such classes begin with for which other rows hold than [`READER_ROWS`], and these.
#[rustfmt::skip] // One row, one line.
pub(super) static OWN_ROWS: [(&str, &[InputRow]); 9] = [
    // What its inner classes read is of a request; itself it looks at parameters of all methods, and at one that is none.
    ("org/glassfish/jersey/media/multipart/internal/FormDataParamValueParamProvider$", &[
        row(JERSEY_PARAMETER, ["getAnnotations", NOTHING], Parse(0), Bean),
        row(ALL, ["getEntity", "(Lorg/glassfish/jersey/server/ContainerRequest;"], Reach, Part),
        row(JERSEY_PARTS, ["getField", TEXT], Read(1), Part),
        row(JERSEY_PARTS, ["getFields", TEXT], Read(1), Part),
    ]),
    ("org/glassfish/jersey/server/internal/inject/BeanParamValue", &[
        row(JERSEY_PARAMETER, ["getRawType", NOTHING], Parse(0), Bean),
    ]),
    ("org/jboss/resteasy/reactive/server/handlers/RequestDeserializeHandler", &QUARKUS_BODIES),
    ("org/jboss/resteasy/reactive/server/jaxrs/ReaderInterceptorContextImpl", &QUARKUS_BODIES),
    ("org/jboss/resteasy/reactive/server/core/multipart/MultiPartParserDefinition", &[
        row(QUARKUS_PARSER, ["beginParse", ANY], Reach, Part),
    ]),
    ("io/micronaut/http/bind/binders/", &[
        row(MICRONAUT, ["getParameters", NOTHING], Hold, Query),
        row(MICRONAUT, ["getHeaders", NOTHING], Hold, Header),
        row(MICRONAUT, ["getCookies", NOTHING], Hold, Cookie),
        row(MICRONAUT_BEAN, ["getIntrospection", "(Ljava/lang/Class;)"], Parse(0), Bean),
        row(ALL, ["doConvert", MICRONAUT_SPREAD], Parse(2), Bean),
        row(ALL, ["bindFullBody", MICRONAUT_BODY], Parse(1), Bound),
        row(ALL, ["bindBodyPart", MICRONAUT_BODY], ReadAs(3, 1, None), Key),
    ]),
    ("io/micronaut/core/bind/annotation/AbstractArgumentBinder", &[
        row(MICRONAUT_VALUES, ["get", "(Ljava/lang/CharSequence;"], Look, Query),
        row(MICRONAUT_VALUES, ["contains", TEXT], Look, Query),
    ]),
    ("org/springframework/web/servlet/mvc/method/annotation/MatrixVariable", &[
        row(SPRING_REQUEST, ["getAttribute", TEXT_FIRST], Reach, Matrix),
        row(ALL, ["get", "(Ljava/lang/Object;)"], Look, Matrix),
        row(ALL, ["containsKey", "(Ljava/lang/Object;)"], Look, Matrix),
    ]),
    ("org/springframework/web/reactive/result/method/annotation/MatrixVariable", &[
        row(SPRING_EXCHANGE, ["getAttributeOrDefault", TEXT_FIRST], Reach, Matrix),
        row(SPRING_EXCHANGE, ["getAttribute", TEXT_FIRST], Reach, Matrix),
        row(ALL, ["get", "(Ljava/lang/Object;)"], Look, Matrix),
        row(ALL, ["containsKey", "(Ljava/lang/Object;)"], Look, Matrix),
    ]),
];

#[rustfmt::skip] // One row, one line.
static QUARKUS_BODIES: [InputRow; 2] = [
    row(QUARKUS_READER, ["readFrom", "(Ljava/lang/Class;Ljava/lang/reflect/Type;"], Parse(2), Bound),
    row(RS_READER, ["readFrom", "(Ljava/lang/Class;Ljava/lang/reflect/Type;"], Parse(2), Bound),
];

const SERVLET: &[&str] = &[
    "servlet/ServletRequest",
    "servlet/http/HttpServletRequest",
    "servlet/ServletRequestWrapper",
    "servlet/http/HttpServletRequestWrapper",
];
const SERVLET_PART: &[&str] = &["servlet/http/Part"];
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
const SPRING_SERVER: &[&str] = &[
    "org/springframework/http/server/reactive/ServerHttpRequest",
    "org/springframework/http/server/ServerHttpRequest",
    "org/springframework/http/server/ServletServerHttpRequest",
];
const SPRING_ENTITY: &[&str] = &["org/springframework/http/HttpEntity", "org/springframework/http/RequestEntity"];
const SPRING_EXCHANGE: &[&str] = &["org/springframework/web/server/ServerWebExchange"];
const SPRING_MULTIPART: &[&str] =
    &["org/springframework/web/multipart/MultipartRequest", "org/springframework/web/multipart/MultipartHttpServletRequest"];
const SPRING_READER: &[&str] = &["org/springframework/http/codec/HttpMessageReader"];
const SPRING_CONVERTER: &[&str] = &[
    "org/springframework/http/converter/HttpMessageConverter",
    "org/springframework/http/converter/GenericHttpMessageConverter",
];
const RS_HEADERS: &[&str] = &["ws/rs/core/HttpHeaders", "ws/rs/container/ContainerRequestContext"];
const RS_URI: &[&str] = &["ws/rs/core/UriInfo"];
const RS_FORM: &[&str] = &["ws/rs/core/Form"];
const RS_PART: &[&str] = &["ws/rs/core/EntityPart"];
const RS_READER: &[&str] = &["ws/rs/ext/MessageBodyReader"];
const JERSEY_REQUEST: &[&str] = &["org/glassfish/jersey/server/ContainerRequest"];
const JERSEY_URI: &[&str] = &["org/glassfish/jersey/server/ExtendedUriInfo"];
const RS_SEGMENT: &[&str] = &["ws/rs/core/PathSegment"];
const JERSEY_PARTS: &[&str] = &["org/glassfish/jersey/media/multipart/FormDataMultiPart"];
const RESTEASY_PARTS: &[&str] = &["org/jboss/resteasy/plugins/providers/multipart/MultipartFormDataInput"];
const SPRING_MODEL: &[&str] = &[
    "org/springframework/web/method/annotation/ModelFactory",
    "org/springframework/web/reactive/result/method/annotation/ModelInitializer",
];
const JERSEY_PARAMETER: &[&str] = &["org/glassfish/jersey/server/model/Parameter"];
/// What reads a parameter of a form from a part, where the body is multipart.
const JERSEY_FORM_PARTS: &[&str] =
    &["org/glassfish/jersey/server/internal/inject/FormParamValueParamProvider$MultipartFormParamValueProvider"];
const RESTEASY_PROPERTIES: &[&str] = &["org/jboss/resteasy/spi/PropertyInjector"];
const RESTEASY_REQUEST: &[&str] = &["org/jboss/resteasy/spi/HttpRequest"];
const QUARKUS: &[&str] = &[
    "org/jboss/resteasy/reactive/server/core/ResteasyReactiveRequestContext",
    "org/jboss/resteasy/reactive/server/injection/ResteasyReactiveInjectionContext",
];
const QUARKUS_PARTS: &[&str] = &["org/jboss/resteasy/reactive/server/core/multipart/MultipartSupport"];
const QUARKUS_PARSER: &[&str] = &["org/jboss/resteasy/reactive/server/core/multipart/MultipartParser"];
const QUARKUS_INPUT: &[&str] = &["org/jboss/resteasy/reactive/server/multipart/MultipartFormDataInput"];
/// A bean, whose class got a method when the service was built that reads what its members say.
const QUARKUS_BEAN: &[&str] = &["org/jboss/resteasy/reactive/server/injection/ResteasyReactiveInjectionTarget"];
const QUARKUS_READER: &[&str] = &["org/jboss/resteasy/reactive/server/spi/ServerMessageBodyReader"];
const URI: &[&str] = &["java/net/URI"];
const EXCHANGE: &[&str] = &["com/sun/net/httpserver/HttpExchange", "com/sun/net/httpserver/HttpsExchange"];
const VERTX: &[&str] = &["io/vertx/core/http/HttpServerRequest"];
const VERTX_ROUTING: &[&str] = &["io/vertx/ext/web/RoutingContext"];
const VERTX_BODY: &[&str] = &["io/vertx/ext/web/RequestBody"];
const VERTX_JSON: &[&str] = &["io/vertx/core/json/JsonObject"];
const VERTX_ARRAY: &[&str] = &["io/vertx/core/json/JsonArray"];
const JAVALIN: &[&str] = &["io/javalin/http/Context"];
const KTOR_CALL: &[&str] = &["io/ktor/server/routing/RoutingCall", "io/ktor/server/application/ApplicationCall"];
const KTOR_REQUEST: &[&str] = &["io/ktor/server/routing/RoutingRequest", "io/ktor/server/request/ApplicationRequest"];
const KTOR_PROPERTIES: &[&str] = &["io/ktor/server/request/ApplicationRequestPropertiesKt"];
const KTOR_RECEIVE: &[&str] = &["io/ktor/server/request/ApplicationReceiveFunctionsKt"];
const KTOR_COOKIES: &[&str] = &["io/ktor/server/request/RequestCookies"];
/// Where nothing else is known of it, it is a form: that comes when the coroutine goes on, and no call returns it.
const KTOR_PARAMETERS: &[&str] = &["io/ktor/http/Parameters"];
const KTOR_VALUES: &[&str] = &["io/ktor/http/Headers", "io/ktor/util/StringValues"];
const KTOR_TYPED: &str = "(Lio/ktor/util/reflect/TypeInfo;";
const SPARK: &[&str] = &["spark/Request"];
const HELIDON_REQUEST: &[&str] = &["io/helidon/webserver/http/ServerRequest", "io/helidon/webserver/http/HttpRequest"];
const HELIDON_HEADERS: &[&str] = &["io/helidon/http/ServerRequestHeaders"];
const HELIDON_PARAMETERS: &[&str] = &["io/helidon/common/parameters/Parameters", "io/helidon/common/uri/UriQuery"];
const HELIDON_ENTITY: &[&str] = &["io/helidon/http/media/ReadableEntity"];
const HELIDON_FIELD: &str = "(Lio/helidon/http/HeaderName;";
const MICRONAUT: &[&str] = &["io/micronaut/http/HttpRequest", "io/micronaut/http/HttpMessage"];
const MICRONAUT_BEAN: &[&str] = &["io/micronaut/core/beans/BeanIntrospection"];
/// What the parameters of a template of a path are read into together.
const MICRONAUT_SPREAD: &str = "(Ljava/lang/Object;Lio/micronaut/core/convert/ArgumentConversionContext;)";
const MICRONAUT_BODY: &str = "(Lio/micronaut/core/convert/ArgumentConversionContext;Lio/micronaut/http/HttpRequest;";
const MICRONAUT_VALUES: &[&str] =
    &["io/micronaut/core/convert/value/ConvertibleValues", "io/micronaut/core/convert/value/ConvertibleMultiValues"];
const GSON: &[&str] = &["com/google/gson/Gson"];
const JACKSON: &[&str] = &[
    "com/fasterxml/jackson/databind/ObjectMapper",
    "com/fasterxml/jackson/databind/json/JsonMapper",
    "com/fasterxml/jackson/core/ObjectCodec",
    "tools/jackson/databind/ObjectMapper",
    "tools/jackson/databind/json/JsonMapper",
];
const JACKSON_READER: &[&str] = &["com/fasterxml/jackson/databind/ObjectReader", "tools/jackson/databind/ObjectReader"];
const JACKSON_MODULE: &[&str] = &[
    "com/fasterxml/jackson/databind/ObjectMapper",
    "com/fasterxml/jackson/databind/json/JsonMapper",
    "com/fasterxml/jackson/databind/cfg/MapperBuilder",
    "com/fasterxml/jackson/databind/json/JsonMapper$Builder",
    "com/fasterxml/jackson/databind/module/SimpleModule",
    "tools/jackson/databind/cfg/MapperBuilder",
    "tools/jackson/databind/json/JsonMapper$Builder",
    "tools/jackson/databind/module/SimpleModule",
];
const GSON_BUILDER: &[&str] = &["com/google/gson/GsonBuilder"];
const JACKSON_NODE: &[&str] = &[
    "com/fasterxml/jackson/databind/JsonNode",
    "com/fasterxml/jackson/databind/node/ObjectNode",
    "com/fasterxml/jackson/databind/node/ArrayNode",
    "tools/jackson/databind/JsonNode",
    "tools/jackson/databind/node/ObjectNode",
    "tools/jackson/databind/node/ArrayNode",
];
const GSON_PARSER: &[&str] = &["com/google/gson/JsonParser"];
const GSON_OBJECT: &[&str] = &["com/google/gson/JsonObject"];
const GSON_ARRAY: &[&str] = &["com/google/gson/JsonArray"];
const GSON_ELEMENT: &[&str] = &[
    "com/google/gson/JsonElement",
    "com/google/gson/JsonPrimitive",
    "com/google/gson/JsonObject",
    "com/google/gson/JsonArray",
];
const JSON_P: &[&str] = &["json/JsonObject"];
const JSON_P_ARRAY: &[&str] = &["json/JsonArray"];
const JSON_P_TEXT: &[&str] = &["json/JsonString"];
const JSON_P_NUMBER: &[&str] = &["json/JsonNumber"];
const JSON_B: &[&str] = &["json/bind/Jsonb"];
const MOSHI: &[&str] = &["com/squareup/moshi/Moshi"];
const FASTJSON: &[&str] = &["com/alibaba/fastjson/JSON", "com/alibaba/fastjson2/JSON"];
const ORG_JSON: &[&str] = &["org/json/JSONObject"];
const ORG_JSON_ARRAY: &[&str] = &["org/json/JSONArray"];
/// Whatever may have inputs by their names.
const ALL: &[&str] = &[];

/// The rows for calls of [`READERS`]: what else these look up is not the service's.
pub(super) fn is_for_readers(row: &InputRow) -> bool {
    const KNOWN: [&[&str]; 16] = [
        SPRING_REQUEST,
        SPRING_WEB_UTILS,
        SPRING_HEADERS,
        SPRING_SERVER,
        SPRING_EXCHANGE,
        SPRING_MULTIPART,
        SPRING_CONVERTER,
        RS_HEADERS,
        RS_URI,
        RS_FORM,
        RS_READER,
        RS_SEGMENT,
        RESTEASY_REQUEST,
        QUARKUS,
        QUARKUS_PARTS,
        ALL,
    ];
    KNOWN.contains(&row.classes)
}

/// Rows for calls of [`READERS`] alone.
#[rustfmt::skip] // One row, one line.
pub(super) static READER_ROWS: &[InputRow] = &[
    row(SPRING_HEADERS, ["add", TEXT_FIRST], Fill, Header),
    row(SPRING_READER, ["read", ANY], Parse(2), Bound),
    row(SPRING_READER, ["readMono", ANY], Parse(2), Bound),
    row(SPRING_MODEL, ["getNameForParameter", ANY], Parse(0), Bean),
    row(JERSEY_FORM_PARTS, ["apply", "(Lorg/glassfish/jersey/server/ContainerRequest;Lorg/glassfish/jersey/server/model/Parameter;)"], Parse(2), Part),
    row(RESTEASY_PROPERTIES, ["inject", ANY], Parse(3), Bean),
    row(QUARKUS_BEAN, ["__quarkus_rest_inject", ANY], Parse(0), Bean),
    row(JERSEY_REQUEST, ["readEntity", "(Ljava/lang/Class;Ljava/lang/reflect/Type;"], Parse(2), Bound),
    row(JERSEY_REQUEST, ["getHeaders", NOTHING], Hold, Header),
    row(JERSEY_REQUEST, ["getCookies", NOTHING], Hold, Cookie),
    row(JERSEY_URI, ["getQueryParameters", ANY], Hold, Query),
    row(ALL, ["getForm", "(Lorg/glassfish/jersey/server/ContainerRequest;"], Reach, Form),
];

/// One text.
const TEXT: &str = "(Ljava/lang/String;)";
/// A text and others.
const TEXT_FIRST: &str = "(Ljava/lang/String;";
/// A position.
const INDEX: &str = "(I)";
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
    row(SERVLET, ["getQueryString", NOTHING], Reach, Query),
    row(SERVLET, ["getPart", TEXT], Read(1), Part),
    row(SERVLET_PART, ["getSubmittedFileName", NOTHING], Typed, File),
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
    row(SPRING_HEADERS, ["getFirst", TEXT], Look, Header),
    row(SPRING_HEADERS, ["getOrEmpty", "("], Look, Header),
    row(SPRING_HEADERS, ["getValuesAsList", TEXT], Look, Header),
    row(SPRING_HEADERS, ["get", "("], Look, Header),
    row(SPRING_HEADERS, ["containsKey", "(Ljava/lang/Object;)"], Look, Header),
    row(SPRING_FUNCTION, ["queryParam", TEXT], Read(1), Query),
    row(SPRING_FUNCTION, ["param", TEXT], Read(1), Query),
    row(SPRING_FUNCTION, ["queryParams", NOTHING], Hold, Query),
    row(SPRING_FUNCTION, ["params", NOTHING], Hold, Query),
    row(SPRING_FUNCTION, ["cookies", NOTHING], Hold, Cookie),
    row(SPRING_FUNCTION, ["body", "(Ljava/lang/Class;)"], Parse(1), Direct),
    row(SPRING_FUNCTION, ["bodyToMono", ANY], Parse(1), Direct),
    row(SPRING_FUNCTION_HEADERS, ["firstHeader", TEXT], Read(1), Header),
    row(SPRING_FUNCTION_HEADERS, ["header", TEXT], Read(1), Header),
    row(SPRING_FUNCTION_HEADERS, ["asHttpHeaders", NOTHING], Hold, Header),
    row(SPRING_ENTITY, ["getHeaders", NOTHING], Hold, Header),
    row(SPRING_EXCHANGE, ["getFormData", NOTHING], Reach, Form),
    row(SPRING_EXCHANGE, ["getMultipartData", NOTHING], Reach, Part),
    row(SPRING_FUNCTION, ["formData", NOTHING], Reach, Form),
    row(SPRING_FUNCTION, ["multipartData", NOTHING], Reach, Part),
    row(SPRING_MULTIPART, ["getFile", TEXT], Read(1), File),
    row(SPRING_MULTIPART, ["getFiles", TEXT], Read(1), File),
    row(SPRING_SERVER, ["getHeaders", NOTHING], Hold, Header),
    row(SPRING_SERVER, ["getBody", NOTHING], Reach, Raw),
    row(SPRING_SERVER, ["getURI", NOTHING], Hold, Query),
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
    row(RS_URI, ["getRequestUri", NOTHING], Hold, Query),
    row(RS_FORM, ["asMap", NOTHING], Hold, Form),
    row(RS_SEGMENT, ["getMatrixParameters", NOTHING], Hold, Matrix),
    row(RS_PART, ["getFileName", NOTHING], Typed, File),
    row(RS_PART, ["getContent", "(Ljava/lang/Class;)"], ReadAs(0, 1, None), Part),
    row(RS_PART, ["getContent", "(Lws/rs/core/GenericType;)"], ReadAs(0, 1, None), Part),
    row(JERSEY_PARTS, ["getField", TEXT], Read(1), Part),
    row(JERSEY_PARTS, ["getFields", TEXT], Read(1), Part),
    row(JERSEY_PARTS, ["getFields", NOTHING], Hold, Part),
    row(RESTEASY_PARTS, ["getFormDataPart", TEXT_FIRST], ReadAs(1, 2, None), Part),
    row(RESTEASY_PARTS, ["getFormDataMap", NOTHING], Hold, Part),
    row(RESTEASY_PARTS, ["getFormData", NOTHING], Hold, Part),
    row(RESTEASY_REQUEST, ["getDecodedFormParameters", NOTHING], Hold, Form),
    row(RESTEASY_REQUEST, ["getFormParameters", NOTHING], Hold, Form),
    row(RESTEASY_REQUEST, ["getFormEntityPart", TEXT], Read(1), Part),
    row(RESTEASY_REQUEST, ["getFormEntityParts", NOTHING], Reach, Part),
    // Quarkus REST; a text is read in one way from a form and from a part.
    row(QUARKUS, ["getQueryParameter", TEXT_FIRST], Read(1), Query),
    row(QUARKUS, ["getHeader", TEXT_FIRST], Read(1), Header),
    row(QUARKUS, ["getCookieParameter", TEXT], Read(1), Cookie),
    row(QUARKUS, ["getMatrixParameter", TEXT_FIRST], Read(1), Matrix),
    row(QUARKUS, ["getFormParameter", TEXT_FIRST], Read(1), Form),
    row(QUARKUS_PARTS, ["getString", TEXT_FIRST], Read(0), Form),
    row(QUARKUS_PARTS, ["getStrings", TEXT_FIRST], Read(0), Form),
    row(QUARKUS_PARTS, ["getByteArray", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getByteArrays", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getInputStream", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getInputStreams", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getFileUpload", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getFileUploads", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getJavaIOFileUploads", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getJavaPathFileUploads", TEXT_FIRST], Read(0), File),
    row(QUARKUS_PARTS, ["getFileUploads", "(Lorg/"], Reach, Part),
    row(QUARKUS_PARTS, ["getConvertedFormAttribute", TEXT_FIRST], ReadAs(0, 2, Some(3)), Part),
    row(QUARKUS_PARTS, ["getConvertedFormAttributes", TEXT_FIRST], ReadAs(0, 2, Some(3)), Part),
    row(QUARKUS_INPUT, ["getValues", NOTHING], Hold, Part),
    // The server of the JDK.
    row(EXCHANGE, ["getRequestURI", NOTHING], Hold, Query),
    row(URI, ["getQuery", NOTHING], Typed, Query),
    row(URI, ["getRawQuery", NOTHING], Typed, Query),
    row(URI, ["toString", NOTHING], Typed, Query),
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
    row(VERTX, ["query", NOTHING], Reach, Query),
    row(VERTX, ["cookies", ANY], Reach, Cookie),
    row(VERTX, ["cookieMap", NOTHING], Hold, Cookie),
    row(VERTX, ["body", NOTHING], Reach, Raw),
    row(VERTX, ["bodyHandler", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["queryParam", TEXT], Read(1), Query),
    row(VERTX_ROUTING, ["queryParams", ANY], Hold, Query),
    row(VERTX_ROUTING, ["getCookie", TEXT], Read(1), Cookie),
    row(VERTX_ROUTING, ["getBodyAsString", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["getBodyAsJson", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["getBody", ANY], Reach, Raw),
    row(VERTX_ROUTING, ["body", NOTHING], Reach, Raw),
    row(VERTX_BODY, ["asPojo", "(Ljava/lang/Class;"], Parse(1), Direct),
    row(VERTX_BODY, ["asJsonObject", ANY], Hold, Key),
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
    row(JAVALIN, ["queryString", NOTHING], Reach, Query),
    row(JAVALIN, ["uploadedFile", TEXT], Read(1), File),
    row(JAVALIN, ["uploadedFiles", TEXT], Read(1), File),
    row(JAVALIN, ["body", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsBytes", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsInputStream", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyInputStream", NOTHING], Reach, Raw),
    row(JAVALIN, ["bodyAsClass", ANY], Parse(1), Direct),
    row(JAVALIN, ["bodyStreamAsClass", ANY], Parse(1), Direct),
    row(JAVALIN, ["bodyValidator", ANY], Parse(1), Direct),
    // Ktor.
    row(KTOR_CALL, ["getParameters", NOTHING], Hold, Query),
    row(KTOR_CALL, ["getQueryParameters", NOTHING], Hold, Query),
    row(KTOR_CALL, ["receiveNullable", KTOR_TYPED], Parse(1), Direct),
    row(KTOR_RECEIVE, ["receiveNullable", ANY], Parse(1), Direct),
    row(KTOR_RECEIVE, ["receive", ANY], Parse(1), Direct),
    row(KTOR_REQUEST, ["getQueryParameters", NOTHING], Hold, Query),
    row(KTOR_REQUEST, ["getRawQueryParameters", NOTHING], Hold, Query),
    row(KTOR_REQUEST, ["getHeaders", NOTHING], Hold, Header),
    row(KTOR_PROPERTIES, ["header", ANY], Read(1), Header),
    row(KTOR_PROPERTIES, ["queryString", ANY], Reach, Query),
    row(KTOR_COOKIES, ["get", TEXT_FIRST], Read(1), Cookie),
    row(KTOR_COOKIES, ["get$default", ANY], Read(1), Cookie),
    row(KTOR_PARAMETERS, ["get", TEXT], LookRooted, Form),
    row(KTOR_PARAMETERS, ["getAll", TEXT], LookRooted, Form),
    row(KTOR_PARAMETERS, ["contains", TEXT_FIRST], LookRooted, Form),
    row(KTOR_VALUES, ["get", TEXT], Look, Query),
    row(KTOR_VALUES, ["getAll", TEXT], Look, Query),
    row(KTOR_VALUES, ["contains", TEXT_FIRST], Look, Query),
    // Spark.
    row(SPARK, ["queryParams", TEXT], Read(1), Query),
    row(SPARK, ["queryParamsSafe", TEXT], Read(1), Query),
    row(SPARK, ["queryParamOrDefault", TEXT_FIRST], Read(1), Query),
    row(SPARK, ["queryParamsValues", TEXT], Read(1), Query),
    row(SPARK, ["queryMap", TEXT], Read(1), Query),
    row(SPARK, ["queryString", NOTHING], Reach, Query),
    row(SPARK, ["headers", TEXT], Read(1), Header),
    row(SPARK, ["cookie", TEXT], Read(1), Cookie),
    row(SPARK, ["cookies", NOTHING], Hold, Cookie),
    row(SPARK, ["body", NOTHING], Reach, Raw),
    row(SPARK, ["bodyAsBytes", NOTHING], Reach, Raw),
    // Helidon.
    row(HELIDON_REQUEST, ["query", NOTHING], Hold, Query),
    row(HELIDON_HEADERS, ["cookies", NOTHING], Hold, Cookie),
    row(HELIDON_HEADERS, ["contains", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_HEADERS, ["find", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_HEADERS, ["first", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_HEADERS, ["get", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_HEADERS, ["value", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_HEADERS, ["values", HELIDON_FIELD], Read(1), Header),
    row(HELIDON_PARAMETERS, ["all", TEXT_FIRST], Look, Query),
    row(HELIDON_PARAMETERS, ["contains", TEXT], Look, Query),
    row(HELIDON_PARAMETERS, ["first", TEXT], Look, Query),
    row(HELIDON_PARAMETERS, ["get", TEXT], Look, Query),
    row(HELIDON_PARAMETERS, ["getRaw", TEXT], Look, Query),
    row(HELIDON_ENTITY, ["as", "(Ljava/lang/Class;)"], Parse(1), Direct),
    row(HELIDON_ENTITY, ["asOptional", "(Ljava/lang/Class;)"], Parse(1), Direct),
    row(HELIDON_ENTITY, ["inputStream", NOTHING], Reach, Raw),
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
    row(JACKSON_MODULE, ["registerSubtypes", "(["], Parse(1), Registered),
    row(GSON_BUILDER, ["registerTypeAdapterFactory", ANY], Parse(1), Registered),
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
    row(JACKSON_NODE, ["at", TEXT], Look, Pointed),
    row(JACKSON_NODE, ["at", "(Lcom/fasterxml/jackson/core/JsonPointer;)"], Look, Pointed),
    row(JACKSON_NODE, ["at", "(Ltools/jackson/core/JsonPointer;)"], Look, Pointed),
    row(JACKSON_NODE, ["requiredAt", TEXT], Look, Pointed),
    row(JACKSON_NODE, ["findValue", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findPath", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findParent", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findValues", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findValuesAsText", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findValuesAsString", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["findParents", TEXT], Look, DeepKey),
    row(JACKSON_NODE, ["fields", NOTHING], Typed, Key),
    row(JACKSON_NODE, ["fieldNames", NOTHING], Typed, Key),
    row(JACKSON_NODE, ["properties", NOTHING], Typed, Key),
    row(JACKSON_NODE, ["propertyNames", NOTHING], Typed, Key),
    row(GSON_OBJECT, ["entrySet", NOTHING], Typed, Key),
    row(GSON_OBJECT, ["keySet", NOTHING], Typed, Key),
    row(JACKSON_NODE, ["get", INDEX], Member, Key),
    row(JACKSON_NODE, ["path", INDEX], Member, Key),
    row(JACKSON_NODE, ["asText", ANY], Typed, TextKey),
    row(JACKSON_NODE, ["textValue", NOTHING], Typed, TextKey),
    row(JACKSON_NODE, ["asString", ANY], Typed, TextKey),
    row(JACKSON_NODE, ["stringValue", ANY], Typed, TextKey),
    row(JACKSON_NODE, ["asInt", ANY], Typed, IntegerKey),
    row(JACKSON_NODE, ["intValue", NOTHING], Typed, IntegerKey),
    row(JACKSON_NODE, ["asLong", ANY], Typed, IntegerKey),
    row(JACKSON_NODE, ["longValue", NOTHING], Typed, IntegerKey),
    row(JACKSON_NODE, ["asDouble", ANY], Typed, NumberKey),
    row(JACKSON_NODE, ["doubleValue", NOTHING], Typed, NumberKey),
    row(JACKSON_NODE, ["decimalValue", NOTHING], Typed, NumberKey),
    row(JACKSON_NODE, ["asBoolean", ANY], Typed, BooleanKey),
    row(JACKSON_NODE, ["booleanValue", NOTHING], Typed, BooleanKey),
    row(GSON_PARSER, ["parseString", ANY], Hold, Key),
    row(GSON_PARSER, ["parseReader", ANY], Hold, Key),
    row(GSON_PARSER, ["parse", ANY], Hold, Key),
    row(GSON_OBJECT, ["get", TEXT], Look, Key),
    row(GSON_OBJECT, ["has", TEXT], Look, Key),
    row(GSON_OBJECT, ["getAsJsonPrimitive", TEXT], Look, Key),
    row(GSON_OBJECT, ["getAsJsonArray", TEXT], Look, ArrayKey),
    row(GSON_OBJECT, ["getAsJsonObject", TEXT], Look, ObjectKey),
    row(GSON_ARRAY, ["get", INDEX], Member, Key),
    row(GSON_ELEMENT, ["getAsString", NOTHING], Typed, TextKey),
    row(GSON_ELEMENT, ["getAsInt", NOTHING], Typed, IntegerKey),
    row(GSON_ELEMENT, ["getAsLong", NOTHING], Typed, IntegerKey),
    row(GSON_ELEMENT, ["getAsDouble", NOTHING], Typed, NumberKey),
    row(GSON_ELEMENT, ["getAsBigDecimal", NOTHING], Typed, NumberKey),
    row(GSON_ELEMENT, ["getAsBoolean", NOTHING], Typed, BooleanKey),
    row(GSON_ELEMENT, ["getAsJsonArray", NOTHING], Typed, ArrayKey),
    row(GSON_ELEMENT, ["getAsJsonObject", NOTHING], Typed, ObjectKey),
    row(VERTX_JSON, ["getValue", TEXT_FIRST], LookRooted, Key),
    row(VERTX_JSON, ["containsKey", TEXT], LookRooted, Key),
    row(VERTX_JSON, ["getString", TEXT_FIRST], LookRooted, TextKey),
    row(VERTX_JSON, ["getInteger", TEXT_FIRST], LookRooted, IntegerKey),
    row(VERTX_JSON, ["getLong", TEXT_FIRST], LookRooted, IntegerKey),
    row(VERTX_JSON, ["getDouble", TEXT_FIRST], LookRooted, NumberKey),
    row(VERTX_JSON, ["getBoolean", TEXT_FIRST], LookRooted, BooleanKey),
    row(VERTX_JSON, ["getJsonArray", TEXT_FIRST], LookRooted, ArrayKey),
    row(VERTX_JSON, ["getJsonObject", TEXT_FIRST], LookRooted, ObjectKey),
    row(VERTX_JSON, ["mapTo", "(Ljava/lang/Class;"], Parse(1), Properties),
    row(VERTX_ARRAY, ["getJsonObject", INDEX], Member, Key),
    row(JSON_P, ["getString", TEXT_FIRST], LookRooted, TextKey),
    row(JSON_P, ["getInt", TEXT_FIRST], LookRooted, IntegerKey),
    row(JSON_P, ["getJsonNumber", TEXT], LookRooted, NumberKey),
    row(JSON_P, ["getBoolean", TEXT_FIRST], LookRooted, BooleanKey),
    row(JSON_P, ["getJsonArray", TEXT], LookRooted, ArrayKey),
    row(JSON_P, ["getJsonObject", TEXT], LookRooted, ObjectKey),
    row(JSON_P, ["getValue", TEXT], LookRooted, Pointed),
    row(JSON_P_ARRAY, ["getJsonObject", INDEX], Member, Key),
    row(JSON_P_TEXT, ["getString", NOTHING], Typed, TextKey),
    row(JSON_P_TEXT, ["getChars", NOTHING], Typed, TextKey),
    row(JSON_P_NUMBER, ["intValue", NOTHING], Typed, IntegerKey),
    row(JSON_P_NUMBER, ["longValue", NOTHING], Typed, IntegerKey),
    row(JSON_P_NUMBER, ["doubleValue", NOTHING], Typed, NumberKey),
    row(JSON_P_NUMBER, ["bigDecimalValue", NOTHING], Typed, NumberKey),
    row(ORG_JSON_ARRAY, ["getJSONObject", INDEX], Member, Key),
    row(ORG_JSON_ARRAY, ["optJSONObject", INDEX], Member, Key),
    row(ORG_JSON, ["query", TEXT], LookRooted, Pointed),
    row(ORG_JSON, ["optQuery", TEXT], LookRooted, Pointed),
    row(ORG_JSON, ["get", TEXT], LookRooted, Key),
    row(ORG_JSON, ["opt", TEXT], LookRooted, Key),
    row(ORG_JSON, ["has", TEXT], LookRooted, Key),
    row(ORG_JSON, ["getString", TEXT], LookRooted, TextKey),
    row(ORG_JSON, ["optString", TEXT_FIRST], LookRooted, TextKey),
    row(ORG_JSON, ["getInt", TEXT], LookRooted, IntegerKey),
    row(ORG_JSON, ["optInt", TEXT_FIRST], LookRooted, IntegerKey),
    row(ORG_JSON, ["getLong", TEXT], LookRooted, IntegerKey),
    row(ORG_JSON, ["optLong", TEXT_FIRST], LookRooted, IntegerKey),
    row(ORG_JSON, ["getDouble", TEXT], LookRooted, NumberKey),
    row(ORG_JSON, ["optDouble", TEXT_FIRST], LookRooted, NumberKey),
    row(ORG_JSON, ["getBoolean", TEXT], LookRooted, BooleanKey),
    row(ORG_JSON, ["optBoolean", TEXT_FIRST], LookRooted, BooleanKey),
    row(ORG_JSON, ["getJSONArray", TEXT], LookRooted, ArrayKey),
    row(ORG_JSON, ["optJSONArray", TEXT], LookRooted, ArrayKey),
    row(ORG_JSON, ["getJSONObject", TEXT], LookRooted, ObjectKey),
    row(ORG_JSON, ["optJSONObject", TEXT], LookRooted, ObjectKey),
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
