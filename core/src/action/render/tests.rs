//! Whole requests, and the small interfaces that the tests of the parts use.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::value::Values;
use super::{Sent, fields, render, url};
use crate::action::{Action, CallViolation, Link, LinkPlace, LinkSource, PlacedViolation, Request, ValuePlace};
use crate::api::{
    Additional, Api, Body, IntegerSchema, Location, MediaKind, ObjectSchema, Operation, OperationIdx, Parameter, Property,
    Response, ResponseMedia, Schema, SchemaId, SchemaKind, StatusRange, StringSchema, Style, Verb,
};
use crate::gene::{Edit, GeneLimits, Violation};

/// An operation without parameters.
pub(super) fn operation(url_path: &str) -> Operation {
    Operation::bare(Verb::Post, url_path)
}

/// An operation that answers with those media types.
pub(super) fn with_answers(media_types: &[&str]) -> Operation {
    let media = |media_type: &&str| ResponseMedia { media_type: (*media_type).to_owned(), json_schema: None };
    let response = Response {
        status: StatusRange::Code(200),
        media: media_types.iter().map(media).collect(),
        headers: Vec::new(),
        links: Vec::new(),
    };
    Operation { responses: vec![response], ..operation("/") }
}

/// An interface with one schema.
pub(super) fn api_with(schema: Schema) -> (Api, SchemaId) {
    let mut api = Api::default();
    let id = api.schemas.push(schema);
    (api, id)
}

/// An object with those optional properties.
pub(super) fn object_of(properties: &[(&str, SchemaId)]) -> Schema {
    let property = |(name, schema): &(&str, SchemaId)| Property { name: (*name).to_owned(), schema: *schema, required: false };
    Schema::new(SchemaKind::Object(ObjectSchema {
        properties: properties.iter().map(property).collect(),
        additional: Additional::Forbidden,
        names: None,
        min_properties: 0,
        max_properties: None,
        is_tuple: false,
    }))
}

/// A body of that type.
pub(super) fn body_of(media_type: &str, schema: SchemaId) -> Body {
    Body {
        media_type: media_type.to_owned(),
        kind: MediaKind::of(media_type),
        schema,
        json_schema: json!({}),
        encoding: BTreeMap::new(),
        examples: Vec::new(),
    }
}

fn parameter(name: &str, location: Location) -> Parameter {
    Parameter {
        name: name.to_owned(),
        location,
        required: location == Location::Path,
        style: if matches!(location, Location::Path | Location::Header) { Style::Simple } else { Style::Form },
        explode: matches!(location, Location::Query | Location::Cookie),
        allow_reserved: false,
        content: None,
        schema: SchemaId(0),
        json_schema: json!({}),
        examples: Vec::new(),
    }
}

/// URL and header fields, `Accept` aside, of an operation with those parameters and values.
fn rendered(url_path: &str, parameters: Vec<(Parameter, Value)>) -> (String, Vec<(String, String)>) {
    let (parameters, values): (Vec<_>, Vec<_>) =
        parameters.into_iter().map(|(parameter, value)| (parameter, Some(value))).unzip();
    let operation = Operation { parameters, ..operation(url_path) };
    let values = Values { parameters: values, body: None, ..Values::default() };
    let sent = Sent { parameters: operation.parameters.iter().zip(&values.parameters).collect() };
    let mut fields = fields(&operation, &sent, &values);
    fields.remove(0);
    (url(&operation, &sent), fields)
}

#[test]
fn every_location_gets_its_parameters() {
    let (url, fields) = rendered(
        "/pets/{id}/{part}",
        vec![
            (parameter("q", Location::Query), json!(["a", "b"])),
            (parameter("part", Location::Path), json!("x/y")),
            (parameter("id", Location::Path), json!(7)),
            (parameter("X-Trace", Location::Header), json!(["a", "b\r\nc"])),
            (parameter("session", Location::Cookie), json!("s;1")),
            (parameter("page", Location::Query), json!({"size": 2})),
            (parameter("theme", Location::Cookie), json!("dark")),
        ],
    );
    assert_eq!(url, "/pets/7/x%2Fy?q=a&q=b&size=2");
    let expected = [("X-Trace", "a,b%0D%0Ac"), ("Cookie", "session=s%3B1; theme=dark")];
    assert_eq!(fields, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn matrix_parameters_stand_behind_the_path() {
    let matrix = |name| Parameter { style: Style::Matrix, ..parameter(name, Location::Matrix) };
    let sent = vec![
        (parameter("q", Location::Query), json!(1)),
        (matrix("deck"), json!("a;b")),
        (parameter("deck", Location::Path), json!("c")),
        (matrix("none"), json!(null)),
        (matrix("empty"), json!("")),
    ];
    assert_eq!(rendered("/decks/{deck}", sent).0, "/decks/c;deck=a%3Bb;empty?q=1");
}

#[test]
fn absent_and_null_parameters_are_not_sent() {
    let named = [Location::Query, Location::Header, Location::Cookie].map(|location| parameter("X-A", location));
    let (url, fields) = rendered("/", named.map(|parameter| (parameter, Value::Null)).to_vec());
    assert_eq!((url.as_str(), fields.len()), ("/", 0));
}

#[test]
fn a_required_empty_array_is_sent_without_a_value() {
    let required = Parameter { required: true, ..parameter("q", Location::Query) };
    assert_eq!(rendered("/", vec![(required, json!([]))]).0, "/?q=");
    assert_eq!(rendered("/", vec![(parameter("q", Location::Query), json!([]))]).0, "/");
}

#[test]
fn header_parameters_of_the_protocol_are_ignored() {
    let names = ["Accept", "content-type", "Authorization", "Host", "bad name"];
    let (_, fields) = rendered("/", names.map(|name| (parameter(name, Location::Header), json!("x"))).to_vec());
    assert_eq!(fields, []);
    let cookies = vec![(parameter("Cookie", Location::Header), json!("a=1")), (parameter("b", Location::Cookie), json!(2))];
    assert_eq!(rendered("/", cookies).1, [("Cookie".to_owned(), "a=1; b=2".to_owned())]);
}

#[test]
fn content_parameters_are_serialised_by_their_type() {
    let content = |location| Parameter { content: Some("application/json".to_owned()), ..parameter("f", location) };
    let value = json!({"a": [1]});
    assert_eq!(rendered("/", vec![(content(Location::Query), value.clone())]).0, "/?f=%7B%22a%22%3A%5B1%5D%7D");
    assert_eq!(rendered("/{f}", vec![(content(Location::Path), json!("x"))]).0, "/%22x%22");
    assert_eq!(rendered("/", vec![(content(Location::Header), value)]).1[0].1, "{\"a\":[1]}");
}

#[test]
fn a_query_in_the_path_template_is_continued() {
    assert_eq!(rendered("/?action=list", vec![(parameter("q", Location::Query), json!(1))]).0, "/?action=list&q=1");
}

/// An interface with `PUT /pets/{id}`, an optional query parameter `q` and a JSON body with a `name` and an `age`.
fn pets() -> (Api, Action) {
    let (mut api, text) = api_with(Schema::new(SchemaKind::String(StringSchema::default())));
    let number = api.schemas.push(Schema::new(SchemaKind::Integer(IntegerSchema { min: 0, max: 9, multiple_of: None })));
    let pet = api.schemas.push(object_of(&[("name", text), ("age", number)]));
    let id = Parameter { schema: number, ..parameter("id", Location::Path) };
    let q = Parameter { schema: text, ..parameter("q", Location::Query) };
    let bodies = vec![body_of("application/json", pet)];
    api.operations.push(Operation { parameters: vec![id, q], bodies, body_required: true, ..operation("/pets/{id}") });
    let limits = GeneLimits { max_depth: 8, max_genes: 100, max_members: 5, max_string: 20 };
    let mut action = Action::template(&api, OperationIdx(0), &limits);
    assert!(action.parameters[0].assign(&json!(7)));
    let body = action.body.as_mut().expect("a body");
    assert!(body.alternatives[0].assign(&json!({"name": "x", "age": 3})));
    (api, action)
}

fn link(place: LinkPlace) -> Link {
    Link { place, from_action: 0, source: LinkSource::Body("/id".to_owned()) }
}

fn body_text(request: &Request) -> &str {
    std::str::from_utf8(request.body.as_deref().expect("a body")).expect("text")
}

#[test]
fn genes_become_a_request() {
    let (api, action) = pets();
    let request = render(&api, &action, &mut |_| None);
    assert_eq!((request.url.as_str(), body_text(&request)), ("/pets/7", r#"{"name":"x","age":3}"#));
    assert_eq!(request.headers[1], ("Content-Type".to_owned(), "application/json".to_owned()));
    assert_eq!(request, render(&api, &action, &mut |_| None));
}

#[test]
fn links_replace_values_and_what_is_wrong_on_purpose() {
    let (api, mut action) = pets();
    let places = [LinkPlace::Parameter(0), LinkPlace::Parameter(1), LinkPlace::Body("/name".to_owned())];
    action.links = places.map(link).to_vec();
    let edit = Edit::Replace(json!("text"));
    let violation = Violation { pointer: String::new(), edit, description: "id as text".to_owned() };
    action.violation = Some(CallViolation::Value(PlacedViolation { place: ValuePlace::Parameter(0), violation }));
    let request = render(&api, &action, &mut |_| None);
    assert_eq!((request.url.as_str(), body_text(&request)), ("/pets/text", r#"{"name":"x","age":3}"#));
    let request = render(&api, &action, &mut |_| Some(json!(41)));
    assert_eq!((request.url.as_str(), body_text(&request)), ("/pets/41?q=41", r#"{"name":"41","age":3}"#));
}

#[test]
fn credentials_are_sent_behind_their_scheme_and_cookies_to_the_letter() {
    let (api, mut action) = pets();
    let places = [LinkPlace::Credentials("Authorization".to_owned(), "Bearer "), LinkPlace::Cookie("sid".to_owned())];
    action.links = places.map(link).to_vec();
    let sent = |value: Option<Value>| {
        let request = render(&api, &action, &mut |_| value.clone());
        ["Authorization", "Cookie"]
            .map(|field| request.headers.iter().find(|(name, _)| name == field).map(|(_, value)| value.clone()))
    };
    let expected = ["Bearer a%3D=\"b\"%0D%0AX: c", "sid=a%3D=\"b\"%0D%0AX: c"];
    assert_eq!(sent(Some(json!("a%3D=\"b\"\r\nX: c"))), expected.map(|field| Some(field.to_owned())));
    assert_eq!([sent(None), sent(Some(json!(7)))], [[None, None], [None, None]]);
}

#[test]
fn credentials_of_a_login_stand_in_the_place_of_parameters() {
    let parameters =
        [parameter("sid", Location::Cookie), parameter("theme", Location::Cookie), parameter("x-csrftoken", Location::Header)];
    let operation = Operation { parameters: parameters.to_vec(), ..operation("/") };
    let values = Values {
        parameters: vec![Some(json!("drawn")), Some(json!("dark")), Some(json!("drawn"))],
        fields: vec![("X-CSRFToken".to_owned(), "told".to_owned())],
        cookies: vec![("sid".to_owned(), "told".to_owned())],
        ..Values::default()
    };
    let sent = Sent { parameters: operation.parameters.iter().zip(&values.parameters).collect() };
    let expected = [("Cookie", "theme=dark; sid=told"), ("X-CSRFToken", "told")];
    assert_eq!(fields(&operation, &sent, &values)[1..], expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[test]
fn a_body_can_be_wrong_absent_or_gone_on_purpose() {
    let (api, mut action) = pets();
    let violate = |action: &mut Action, pointer: &str, edit| {
        let violation = Violation { pointer: pointer.to_owned(), edit, description: String::new() };
        action.violation = Some(CallViolation::Value(PlacedViolation { place: ValuePlace::Body, violation }));
    };
    violate(&mut action, "/age", Edit::Replace(Value::Null));
    assert_eq!(body_text(&render(&api, &action, &mut |_| None)), r#"{"name":"x","age":null}"#);
    violate(&mut action, "", Edit::Remove);
    let request = render(&api, &action, &mut |_| None);
    assert_eq!((request.body, request.headers.len()), (None, 1));
    action.violation = None;
    action.body.as_mut().expect("a body").present = false;
    assert_eq!(render(&api, &action, &mut |_| None).body, None);
}
