//! One callable operation with its inputs and its documented answers.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::SchemaId;

/// Position of an operation in [`super::Api::operations`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OperationIdx(pub u32);

/// One operation: a verb on a path.
#[derive(Debug, Clone)]
pub struct Operation {
    /// `VERB /path`, unique in the interface; used in results and on the command line.
    pub id: String,
    /// The document's own `operationId`, not necessarily unique.
    pub operation_id: Option<String>,
    /// HTTP verb.
    pub verb: Verb,
    /// Path template below the base URL, with `{name}` placeholders; starts with `/`.
    pub url_path: String,
    /// Tags in document order.
    pub tags: Vec<String>,
    /// Path, query, header and cookie parameters; every placeholder of the path has one.
    pub parameters: Vec<Parameter>,
    /// Alternative request bodies by media type; empty when the operation takes none.
    pub bodies: Vec<Body>,
    /// Whether a body must be sent.
    pub body_required: bool,
    /// Documented answers in document order.
    pub responses: Vec<Response>,
    /// Whether the document demands credentials for it.
    pub needs_auth: bool,
    /// JSON pointer of the operation in the document.
    pub pointer: String,
}

/// HTTP verb of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verb {
    /// `GET`
    Get,
    /// `PUT`
    Put,
    /// `POST`
    Post,
    /// `DELETE`
    Delete,
    /// `OPTIONS`
    Options,
    /// `HEAD`
    Head,
    /// `PATCH`
    Patch,
    /// `TRACE`
    Trace,
}

impl Verb {
    /// All verbs an OpenAPI path item can hold, in its own order.
    pub const ALL: [Self; 8] =
        [Self::Get, Self::Put, Self::Post, Self::Delete, Self::Options, Self::Head, Self::Patch, Self::Trace];

    /// Whether calls are not to change anything (safe methods, RFC 9110 9.2.1).
    pub fn is_safe(self) -> bool {
        matches!(self, Self::Get | Self::Head | Self::Options | Self::Trace)
    }

    /// The verb in upper case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Put => "PUT",
            Self::Post => "POST",
            Self::Delete => "DELETE",
            Self::Options => "OPTIONS",
            Self::Head => "HEAD",
            Self::Patch => "PATCH",
            Self::Trace => "TRACE",
        }
    }

    /// The verb of that name, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verb| verb.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One parameter outside the body.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Name as sent.
    pub name: String,
    /// Where it is sent.
    pub location: Location,
    /// Whether it must be sent; always true in the path.
    pub required: bool,
    /// How arrays and objects are written.
    pub style: Style,
    /// Whether array members and object fields become parameters of their own.
    pub explode: bool,
    /// Whether reserved characters stay unescaped (query only).
    pub allow_reserved: bool,
    /// Media type when the parameter is described by `content`: its value is then serialised as that type.
    pub content: Option<String>,
    /// Schema of the value.
    pub schema: SchemaId,
    /// The same schema as JSON Schema fragment for [`super::JsonSchemas::closure`].
    pub json_schema: Value,
    /// Examples from the document.
    pub examples: Vec<Value>,
}

/// Where a parameter is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A placeholder of the path.
    Path,
    /// The query string.
    Query,
    /// A header field.
    Header,
    /// The `Cookie` header.
    Cookie,
    /// The end of the path, as `;name=value` behind its last segment; no document has them.
    Matrix,
    /// The name of the file that the part of that name is, in a multipart body (`filename`, RFC 7578 4.2); no document has
    /// them.
    FileName,
    /// The media type of that file; no document has them as inputs.
    FileType,
}

impl Location {
    /// What documents call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
            Self::Matrix => "matrix",
            Self::FileName => "file name",
            Self::FileType => "file type",
        }
    }
}

/// Serialisation style of a parameter (OpenAPI 3.0.3, "Style Values"); Swagger 2.0 `tsv` adds [`Style::TabDelimited`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `;name=value` in the path (RFC 6570 3.2.7).
    Matrix,
    /// `.value` in the path (RFC 6570 3.2.5).
    Label,
    /// `name=value` (RFC 6570 3.2.8).
    Form,
    /// `value,value` (RFC 6570 3.2.2).
    Simple,
    /// `name=a%20b`.
    SpaceDelimited,
    /// `name=a|b`.
    PipeDelimited,
    /// `name=a%09b`.
    TabDelimited,
    /// `name[field]=value`.
    DeepObject,
}

/// One way to send the request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// Media type as sent in `Content-Type`, without generated parameters such as a boundary.
    pub media_type: String,
    /// How it is serialised.
    pub kind: MediaKind,
    /// Schema of the value.
    pub schema: SchemaId,
    /// The same schema as JSON Schema fragment for [`super::JsonSchemas::closure`].
    pub json_schema: Value,
    /// Encoding of single form fields and parts, by field name.
    pub encoding: BTreeMap<String, PartEncoding>,
    /// Examples from the document.
    pub examples: Vec<Value>,
}

impl Body {
    /// The same value in another media type.
    #[must_use]
    pub fn written_as(&self, media_type: &str) -> Self {
        Self { media_type: media_type.to_owned(), kind: MediaKind::of(media_type), ..self.clone() }
    }
}

/// How a body's value becomes bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MediaKind {
    /// `application/json` and `+json`.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data` and its kind.
    Multipart,
    /// `application/xml`, `text/xml`, `+xml`.
    Xml,
    /// Other `text/*`.
    Text,
    /// Everything else: the value is a string, its bytes are sent.
    Binary,
}

impl MediaKind {
    /// The kind of a media type; parameters after `;` do not matter.
    pub fn of(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" | "text/json" | "*/*" | "application/*" | "application/x-json" | "" => Self::Json,
            "application/x-www-form-urlencoded" => Self::Form,
            "application/xml" | "text/xml" => Self::Xml,
            _ if essence.ends_with("+json") => Self::Json,
            _ if essence.ends_with("+xml") => Self::Xml,
            _ if essence.starts_with("multipart/") => Self::Multipart,
            _ if essence.starts_with("text/") => Self::Text,
            _ => Self::Binary,
        }
    }
}

/// Encoding of one form field or multipart part (OpenAPI 3.0.3, "Encoding Object").
#[derive(Debug, Clone)]
pub struct PartEncoding {
    /// Media type of the part, when given.
    pub content_type: Option<String>,
    /// How arrays and objects are written in a form.
    pub style: Style,
    /// Whether array members become fields of their own.
    pub explode: bool,
    /// Whether reserved characters stay unescaped.
    pub allow_reserved: bool,
    /// Header fields of a part with the values that the document shows, without `Content-Type`.
    pub headers: Vec<(String, String)>,
}

/// One documented answer.
#[derive(Debug, Clone)]
pub struct Response {
    /// Status it stands for.
    pub status: StatusRange,
    /// Documented media types; empty when no body is documented.
    pub media: Vec<ResponseMedia>,
    /// Documented headers.
    pub headers: Vec<ResponseHeader>,
    /// OpenAPI links to other operations.
    pub links: Vec<ResponseLink>,
}

/// Status codes a documented answer stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatusRange {
    /// One code.
    Code(u16),
    /// `2XX`: the first digit.
    Class(u16),
    /// Everything not listed.
    Default,
}

impl StatusRange {
    /// Whether `status` lies in the range.
    pub fn contains(self, status: u16) -> bool {
        match self {
            Self::Code(code) => code == status,
            Self::Class(digit) => digit == status / 100,
            Self::Default => true,
        }
    }
}

/// One documented media type of an answer.
#[derive(Debug, Clone)]
pub struct ResponseMedia {
    /// Media type, possibly with a wildcard.
    pub media_type: String,
    /// JSON Schema fragment for [`super::JsonSchemas::closure`], when a schema is given.
    pub json_schema: Option<Value>,
}

/// One documented header of an answer.
#[derive(Debug, Clone)]
pub struct ResponseHeader {
    /// Field name.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// JSON Schema fragment of the value, when a schema is given.
    pub json_schema: Option<Value>,
}

/// An OpenAPI link: values of this answer feed parameters of another operation.
#[derive(Debug, Clone)]
pub struct ResponseLink {
    /// Name in the document.
    pub name: String,
    /// Operation the values go to.
    pub operation_idx: OperationIdx,
    /// Parameter name (optionally `path.`, `query.`, … qualified) and run-time expression such as `$response.body#/id`.
    pub parameters: Vec<(String, Value)>,
    /// Run-time expression or constant for the body.
    pub body: Option<Value>,
}

#[cfg(test)]
impl Parameter {
    /// A required parameter of the query, for tests.
    pub fn query(name: &str, schema: SchemaId) -> Self {
        Self {
            name: name.to_owned(),
            location: Location::Query,
            required: true,
            style: Style::Form,
            explode: true,
            allow_reserved: false,
            content: None,
            schema,
            json_schema: serde_json::json!({}),
            examples: Vec::new(),
        }
    }
}

impl Operation {
    /// An operation without inputs and documented answers.
    pub fn bare(verb: Verb, url_path: &str) -> Self {
        Self {
            id: format!("{verb} {url_path}"),
            operation_id: None,
            verb,
            url_path: url_path.to_owned(),
            tags: Vec::new(),
            parameters: Vec::new(),
            bodies: Vec::new(),
            body_required: false,
            responses: Vec::new(),
            needs_auth: false,
            pointer: String::new(),
        }
    }

    /// The path up to and with the placeholder of the parameter at `place`; none where it is of none.
    pub fn prefix_to(&self, place: usize) -> Option<&str> {
        let parameter = self.parameters.get(place).filter(|parameter| parameter.location == Location::Path)?;
        let placeholder = format!("{{{}}}", parameter.name);
        let start = self.url_path.find(&placeholder)?;
        Some(&self.url_path[..start + placeholder.len()])
    }

    /// The documented answer for `status`: an exact code wins over a class, a class over `default`.
    pub fn response_for(&self, status: u16) -> Option<&Response> {
        self.responses.iter().filter(|response| response.status.contains(status)).min_by_key(|response| response.status)
    }
}
