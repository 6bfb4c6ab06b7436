//! The examples of OpenAPI 3.0.3 "XML Object Examples", and hostile text.

use serde_json::{Value, json};

use super::super::tests::{api_with, object_of};
use super::{document, root_name};
use crate::api::{Api, ArraySchema, Schema, SchemaId, SchemaKind, StringSchema, XmlHints};

fn text() -> Schema {
    Schema::new(SchemaKind::String(StringSchema::default()))
}

fn with(mut schema: Schema, hints: XmlHints) -> Schema {
    schema.xml = Some(Box::new(hints));
    schema
}

fn called(name: &str) -> XmlHints {
    XmlHints { name: Some(name.to_owned()), ..XmlHints::default() }
}

fn array_of(items: SchemaId) -> Schema {
    Schema::new(SchemaKind::Array(ArraySchema { items, min_items: 0, max_items: None, unique: false }))
}

/// The document without its first line.
fn xml(api: &Api, id: SchemaId, value: &Value) -> String {
    let document = document(&api.schemas, id, "root", value);
    document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("a declaration").to_owned()
}

/// An object with one field `animals` that is an array of text.
fn animals(array: Option<XmlHints>, item: Option<XmlHints>) -> String {
    let (mut api, items) = api_with(item.map_or_else(text, |hints| with(text(), hints)));
    let schema = array.map_or_else(|| array_of(items), |hints| with(array_of(items), hints));
    let list = api.schemas.push(schema);
    let root = api.schemas.push(object_of(&[("animals", list)]));
    let xml = xml(&api, root, &json!({"animals": ["a", "b"]}));
    xml.strip_prefix("<root>").and_then(|xml| xml.strip_suffix("</root>")).expect("a root").to_owned()
}

#[test]
fn arrays_follow_the_examples() {
    let wrapped = |hints: XmlHints| Some(XmlHints { wrapped: true, ..hints });
    assert_eq!(animals(None, None), "<animals>a</animals><animals>b</animals>");
    assert_eq!(animals(None, Some(called("animal"))), "<animal>a</animal><animal>b</animal>");
    assert_eq!(animals(Some(called("aliens")), Some(called("animal"))), "<animal>a</animal><animal>b</animal>");
    assert_eq!(animals(wrapped(XmlHints::default()), None), "<animals><animals>a</animals><animals>b</animals></animals>");
    assert_eq!(
        animals(wrapped(called("aliens")), Some(called("animal"))),
        "<aliens><animal>a</animal><animal>b</animal></aliens>"
    );
    assert_eq!(
        animals(wrapped(XmlHints::default()), Some(called("animal"))),
        "<animals><animal>a</animal><animal>b</animal></animals>"
    );
    assert_eq!(animals(wrapped(called("aliens")), None), "<aliens><aliens>a</aliens><aliens>b</aliens></aliens>");
}

#[test]
fn attributes_prefixes_and_namespaces_follow_the_example() {
    let (mut api, id) = api_with(with(text(), XmlHints { attribute: true, ..XmlHints::default() }));
    let hints = XmlHints {
        namespace: Some("http://example.com/schema/sample".to_owned()),
        prefix: Some("sample".to_owned()),
        ..XmlHints::default()
    };
    let name = api.schemas.push(with(text(), hints));
    let person = api.schemas.push(with(object_of(&[("name", name), ("id", id)]), called("Person")));
    assert_eq!(
        xml(&api, person, &json!({"name": "example", "id": "7\"<"})),
        "<Person id=\"7&quot;&lt;\"><sample:name xmlns:sample=\"http://example.com/schema/sample\">example</sample:name></Person>"
    );
}

#[test]
fn a_root_array_has_one_element_around_it() {
    let (mut api, items) = api_with(with(text(), called("pet")));
    let list = api.schemas.push(array_of(items));
    assert_eq!(xml(&api, list, &json!(["a", null, "b"])), "<root><pet>a</pet><pet>b</pet></root>");
    assert_eq!(xml(&api, list, &json!([])), "<root></root>");
    assert_eq!(xml(&api, list, &json!([["a"]])), "<root><pet><pet>a</pet></pet></root>");
}

#[test]
fn hostile_text_stays_text() {
    let (api, any) = api_with(Schema::new(SchemaKind::Any));
    assert_eq!(
        xml(&api, any, &json!({"1 <a>": "</root>&\u{0}\u{1}\u{ffff}\r\n", "": true, "n": null})),
        "<root><___a_>&lt;/root&gt;&amp;&#13;&#10;</___a_><_>true</_></root>"
    );
    assert_eq!(xml(&api, any, &Value::Null), "<root></root>");
}

#[test]
fn the_root_is_called_as_the_document_calls_the_schema() {
    assert_eq!(root_name(&json!({"$ref": "#/components/schemas/Pet"})), "Pet");
    assert_eq!(root_name(&json!({"type": "object"})), "root");
    assert_eq!(root_name(&json!(true)), "root");
}
