//! What becomes of an input that the service read: a parameter, a body, a field of one, or nothing.

use serde_json::{Value, json};

use crate::action::{ExtraInput, is_sendable_header};
use crate::api::{Additional, Api, Body, Location, MediaKind, Operation, SchemaKind, Verb};

use super::demands::demands_more;
use super::input::{ReadInput, ReadPlace};
use super::probe;
use super::shape::Way;

/// Characters of a name.
const LONGEST_NAME: usize = 100;

/// What becomes of an input.
pub(super) enum Usable {
    /// The document has it.
    Documented,
    /// Nothing.
    Not,
    /// A parameter or a body.
    Input(ExtraInput),
    /// A field of a body, with its schema.
    Field(FieldKind, Way, Value),
    /// A body that may be anything: what these are is tried.
    Body(Vec<Usable>),
}

/// Bodies that are known by their fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    Json,
    Form,
    Multipart,
}

impl FieldKind {
    pub const ALL: [Self; 3] = [Self::Json, Self::Form, Self::Multipart];

    pub fn media_type(self, operation: &Operation) -> String {
        match self {
            Self::Json => json_media_type(operation),
            Self::Form => FORM.to_owned(),
            Self::Multipart => MULTIPART.to_owned(),
        }
    }
}

/// What becomes of an input of this operation.
pub(super) fn usable(api: &Api, operation: &Operation, input: &ReadInput) -> Usable {
    let name = input.name.as_str();
    let takes_body = !matches!(operation.verb, Verb::Get | Verb::Head | Verb::Trace);
    match input.place {
        ReadPlace::Raw if !operation.bodies.is_empty() => Usable::Documented,
        ReadPlace::Raw if takes_body => Usable::Body(["application/json", "text/plain", FORM].map(wanted).into()),
        ReadPlace::Header if name.eq_ignore_ascii_case("cookie") => probed(ReadPlace::Cookie),
        ReadPlace::Query | ReadPlace::Cookie | ReadPlace::Matrix if name.is_empty() => probed(input.place),
        ReadPlace::Form | ReadPlace::Part if name.is_empty() && takes_body && !has_form(operation) => probed(input.place),
        ReadPlace::Key if name.is_empty() && takes_body && may_have_keys(api, operation) => probed(input.place),
        _ if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) || probe::is_in(name) => {
            Usable::Not
        }
        ReadPlace::Query | ReadPlace::Header | ReadPlace::Cookie | ReadPlace::Matrix => parameter_of(api, operation, input),
        _ => content_of(api, operation, input, takes_body),
    }
}

/// The same of a parameter with a name.
fn parameter_of(api: &Api, operation: &Operation, input: &ReadInput) -> Usable {
    let name = input.name.as_str();
    match input.place {
        ReadPlace::Query if is_documented(api, operation, Location::Query, name) => Usable::Documented,
        // Vert.x and Ktor have one accessor for both.
        ReadPlace::Query if is_documented(api, operation, Location::Path, name) => Usable::Documented,
        ReadPlace::Query => parameter(Location::Query, name, told(input)),
        ReadPlace::Header if is_documented(api, operation, Location::Header, name) => Usable::Documented,
        ReadPlace::Header if !is_sendable_header(name) || is_of_protocol(name) => Usable::Not,
        ReadPlace::Header => parameter(Location::Header, name, told(input)),
        ReadPlace::Cookie if is_documented(api, operation, Location::Cookie, name) => Usable::Documented,
        ReadPlace::Cookie if !is_sendable_header(name) || is_cookie_attribute(name) => Usable::Not,
        ReadPlace::Cookie => parameter(Location::Cookie, name, told(input)),
        ReadPlace::Matrix => parameter(Location::Matrix, name, told(input)),
        _ => Usable::Not,
    }
}

/// The same of what a body has with a name, or of a whole one.
fn content_of(api: &Api, operation: &Operation, input: &ReadInput, takes_body: bool) -> Usable {
    let name = input.name.as_str();
    match input.place {
        ReadPlace::Part if takes_body && is_better_told(api, operation, input) => {
            Usable::Field(FieldKind::Multipart, Way::to(name), told(input).unwrap_or_else(text))
        }
        ReadPlace::Form | ReadPlace::Part if has_field(api, operation, name) => Usable::Documented,
        _ if !takes_body => Usable::Not,
        ReadPlace::FileName => parameter(Location::FileName, name, None),
        ReadPlace::FileType => parameter(Location::FileType, name, None),
        ReadPlace::Form => Usable::Field(FieldKind::Form, Way::to(name), told(input).unwrap_or_else(text)),
        ReadPlace::Part => Usable::Field(FieldKind::Multipart, Way::to(name), told(input).unwrap_or_else(text)),
        ReadPlace::Key | ReadPlace::Way if !may_have_keys(api, operation) => Usable::Documented,
        ReadPlace::Key => Usable::Field(FieldKind::Json, Way::to(name), told(input).unwrap_or(json!({}))),
        ReadPlace::Way => {
            Way::read(name).map_or(Usable::Not, |way| Usable::Field(FieldKind::Json, way, told(input).unwrap_or(json!({}))))
        }
        ReadPlace::Body | ReadPlace::Parsed | ReadPlace::Bound => body(api, operation, input.place, &input.schema),
        ReadPlace::Wanted => wanted(name),
        _ => Usable::Not,
    }
}

const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// The schema of an input as it was told; none that says nothing.
fn told(input: &ReadInput) -> Option<Value> {
    serde_json::from_str(&input.schema).ok().filter(|schema| *schema != json!({}))
}

/// The schema of an input of which nothing is known.
pub(super) fn text() -> Value {
    json!({"type": "string"})
}

/// What is sent at a place to see which names are looked for there.
fn probed(place: ReadPlace) -> Usable {
    let Some(name) = probe::at(place) else { return Usable::Not };
    let field = |kind| Usable::Field(kind, Way::to(name), json!({"type": "string"}));
    match place {
        ReadPlace::Query => parameter(Location::Query, name, None),
        ReadPlace::Cookie => parameter(Location::Cookie, name, None),
        ReadPlace::Matrix => parameter(Location::Matrix, name, None),
        ReadPlace::Part => field(FieldKind::Multipart),
        ReadPlace::Key => field(FieldKind::Json),
        _ => field(FieldKind::Form),
    }
}

/// A body of which no more is known than its media type.
fn wanted(media_type: &str) -> Usable {
    match media_type {
        FORM => probed(ReadPlace::Form),
        MULTIPART => probed(ReadPlace::Part),
        _ => {
            let kind = if MediaKind::of(media_type) == MediaKind::Text { "string" } else { "object" };
            Usable::Input(ExtraInput::Body(media_type.to_owned(), json!({"type": kind})))
        }
    }
}

fn parameter(location: Location, name: &str, schema: Option<Value>) -> Usable {
    Usable::Input(ExtraInput::Parameter(location, name.to_owned(), schema.unwrap_or_else(text)))
}

/// A body of this schema, where the document does not say better.
fn body(api: &Api, operation: &Operation, place: ReadPlace, schema: &str) -> Usable {
    let bare = bare_body(api, operation);
    let Ok(schema) = serde_json::from_str::<Value>(schema) else { return Usable::Not };
    let documented = operation.bodies.iter().find(|body| body.kind == MediaKind::Json);
    let is_wanted = bare.is_some()
        || match place {
            ReadPlace::Parsed => false,
            _ => operation.bodies.is_empty() || documented.is_some_and(|body| demands_more(api, body.schema, &schema)),
        };
    if !is_wanted {
        return Usable::Documented;
    }
    let media_type = bare.map_or_else(|| json_media_type(operation), sent_as);
    Usable::Input(ExtraInput::Body(media_type, schema))
}

/// The media type of a body of which nothing else is known; one of any type is sent as JSON.
fn sent_as(body: &Body) -> String {
    if body.media_type.contains('*') { "application/json".to_owned() } else { body.media_type.trim().to_owned() }
}

fn json_media_type(operation: &Operation) -> String {
    let documented = operation.bodies.iter().find(|body| body.kind == MediaKind::Json && !body.media_type.contains('*'));
    documented.map_or_else(|| "application/json".to_owned(), |body| body.media_type.trim().to_owned())
}

/// A body of which the document says no more than that it is a text, an object, or anything.
fn bare_body<'a>(api: &Api, operation: &'a Operation) -> Option<&'a Body> {
    operation.bodies.iter().find(|body| match &api.schemas.at(body.schema).kind {
        SchemaKind::Any => true,
        SchemaKind::String(text) => {
            text.pattern.is_none() && !matches!(body.kind, MediaKind::Form | MediaKind::Multipart)
        }
        SchemaKind::Object(object) => {
            object.properties.is_empty() && matches!(object.additional, Additional::Unspecified)
                || matches!(object.additional, Additional::Typed(any) if object.properties.is_empty() && matches!(api.schemas.at(any).kind, SchemaKind::Any | SchemaKind::Object(_)))
        }
        _ => false,
    })
}

/// Whether the document leaves open which keys a body has.
pub(super) fn may_have_keys(api: &Api, operation: &Operation) -> bool {
    operation.bodies.is_empty() || bare_body(api, operation).is_some()
}

/// Whether the document has a parameter of that name, alone or as a property of an object that becomes several.
fn is_documented(api: &Api, operation: &Operation, location: Location, name: &str) -> bool {
    let is_same = |other: &str| if location == Location::Header { other.eq_ignore_ascii_case(name) } else { other == name };
    let mut at_location = operation.parameters.iter().filter(|parameter| parameter.location == location);
    let is_parameter = at_location.any(|parameter| {
        is_same(&parameter.name)
            || name.strip_prefix(parameter.name.as_str()).is_some_and(|rest| rest.starts_with('['))
            || has_property(api, parameter.schema, name)
    });
    is_parameter || location == Location::Query && has_field(api, operation, name)
}

/// Whether the document has a form.
fn has_form(operation: &Operation) -> bool {
    operation.bodies.iter().any(|body| matches!(body.kind, MediaKind::Form | MediaKind::Multipart))
}

/// Whether what the service tells of a part counts, though the document has it: where that says of one no more than that it is an
/// object, as generators write of a framework's own class for a file. Those beside it are sent with it.
fn is_better_told(api: &Api, operation: &Operation, input: &ReadInput) -> bool {
    let is_bare = |schema| match &api.schemas.at(schema).kind {
        SchemaKind::Object(part) => part.properties.is_empty() && matches!(part.additional, Additional::Unspecified),
        _ => false,
    };
    let mut bodies = operation.bodies.iter().filter(|body| body.kind == MediaKind::Multipart);
    bodies.any(|body| match &api.schemas.at(body.schema).kind {
        SchemaKind::Object(object) => {
            let mut bare = object.properties.iter().filter(|property| is_bare(property.schema)).peekable();
            bare.peek().is_some() && (told(input).is_some() || bare.all(|property| property.name != input.name))
        }
        _ => false,
    })
}

/// Whether a form of the document has a field of that name.
fn has_field(api: &Api, operation: &Operation, name: &str) -> bool {
    let mut forms = operation.bodies.iter().filter(|body| matches!(body.kind, MediaKind::Form | MediaKind::Multipart));
    forms.any(|body| has_property(api, body.schema, name))
}

fn has_property(api: &Api, schema: crate::api::SchemaId, name: &str) -> bool {
    match &api.schemas.at(schema).kind {
        SchemaKind::Object(object) => object.properties.iter().any(|property| property.name == name),
        _ => false,
    }
}

/// Fields that servers and frameworks read of every request, and that say nothing of an operation.
fn is_of_protocol(name: &str) -> bool {
    const FIELDS: [&str; 12] = [
        "accept",
        "accept-encoding",
        "access-control-request-headers",
        "access-control-request-method",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "date",
        "host",
        "origin",
        "via",
    ];
    FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// Attributes of a cookie (RFC 2109 4.1, RFC 2965 3.2.2, RFC 6265 5.2), which the servlet API's `Cookie` compares the name
/// of every cookie with. In this spelling alone: a service may well have a cookie `version`.
fn is_cookie_attribute(name: &str) -> bool {
    const ATTRIBUTES: [&str; 11] =
        ["Comment", "CommentURL", "Discard", "Domain", "Expires", "HttpOnly", "Max-Age", "Path", "Port", "Secure", "Version"];
    ATTRIBUTES.contains(&name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Usable, usable};
    use crate::openapi::{Origin, parse};
    use crate::search::input::{ReadInput, ReadPlace};

    #[test]
    fn what_stands_in_the_path_is_read_by_the_same_name_and_is_no_other_input() {
        let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
        let paths = json!({"/o/{id}": {"get": {"parameters": [id], "responses": {}}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &Origin::Text).expect("a document");
        let is_sent = |place: ReadPlace, name: &str| {
            let input = ReadInput { place, name: name.to_owned(), schema: "".into() };
            matches!(usable(&api, &api.operations[0], &input), Usable::Input(_))
        };
        assert!(!is_sent(ReadPlace::Query, "id"));
        assert!(is_sent(ReadPlace::Query, "ids") && is_sent(ReadPlace::Header, "id"));
    }

    #[test]
    fn attributes_of_cookies_are_none() {
        let paths = json!({"/o": {"get": {"responses": {}}}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &Origin::Text).expect("a document");
        let is_sent = |name: &str| {
            let input = ReadInput { place: ReadPlace::Cookie, name: name.to_owned(), schema: "".into() };
            matches!(usable(&api, &api.operations[0], &input), Usable::Input(_))
        };
        for name in ["Comment", "Discard", "Domain", "Expires", "Max-Age", "Path", "Secure", "Version"] {
            assert!(!is_sent(name), "{name}");
        }
        assert!(["session", "version", "path"].into_iter().all(is_sent));
    }

    #[test]
    fn what_is_told_of_parts_counts_where_the_document_has_an_object_without_a_word_on_it() {
        let binary = r#"{"type":"string","format":"binary"}"#;
        let is_sent = |documented: &serde_json::Value, name: &str, told: &str| {
            let properties = json!({"file": documented, "mode": {"type": "string"}});
            let content = json!({"multipart/form-data": {"schema": {"type": "object", "properties": properties}}});
            let paths = json!({"/o": {"post": {"requestBody": {"content": content}, "responses": {}}}});
            let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
            let api = parse(&document.to_string(), &Origin::Text).expect("a document");
            let input = ReadInput { place: ReadPlace::Part, name: name.to_owned(), schema: told.into() };
            matches!(usable(&api, &api.operations[0], &input), Usable::Field(..))
        };
        let bare = json!({"type": "object"});
        assert!(is_sent(&bare, "file", binary));
        assert!(is_sent(&bare, "mode", ""), "it is sent beside the file");
        assert!(!is_sent(&bare, "file", ""), "nothing is told of it");
        assert!(!is_sent(&json!({"type": "string", "format": "binary"}), "file", binary), "the document says it");
        assert!(!is_sent(&json!({"type": "object", "properties": {"a": {"type": "string"}}}), "file", binary));
    }
}
