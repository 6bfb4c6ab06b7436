//! Whole requests, and the small interfaces that the tests of the parts use.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::value::Values;
use super::{fields, url};
use crate::api::{
    Additional, Api, Body, Location, MediaKind, ObjectSchema, Operation, Parameter, Property, Response, ResponseMedia, Schema,
    SchemaId, SchemaKind, StatusRange, Style, Verb,
};

/// An operation without parameters.
pub(super) fn operation(url_path: &str) -> Operation {
    Operation {
        id: format!("POST {url_path}"),
        operation_id: None,
        verb: Verb::Post,
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
        min_properties: 0,
        max_properties: None,
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
    let values = Values { parameters: values, body: None };
    let mut fields = fields(&operation, &values);
    fields.remove(0);
    (url(&operation, &values), fields)
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
