//! Inputs that a service was seen to read although its document does not name them (paper 004, section 6).

use serde_json::{Map, Value, json};

use crate::api::{Api, Body, Location, Parameter, Style};
use crate::openapi::{self, Origin};

use super::settle;

/// An input of an operation beyond those of its document.
#[derive(Debug, Clone, PartialEq)]
pub enum ExtraInput {
    /// A parameter, with its JSON schema.
    Parameter(Location, String, Value),
    /// A body of a media type, with its JSON schema.
    Body(String, Value),
}

/// What an operation takes beyond its document: parameters and bodies behind those that are documented.
///
/// It never changes: with one more input it is another one, which begins with the same parameters and bodies.
#[derive(Debug)]
pub struct Expanded {
    api: Api,
    parameters: Vec<Parameter>,
    bodies: Vec<Body>,
}

impl Expanded {
    /// The inputs, read as those of any document are; none where one of them allows no value.
    pub fn new(inputs: &[ExtraInput]) -> Option<Self> {
        let text = document(inputs).to_string();
        let mut api = settle(openapi::parse(&text, &Origin::Text).ok()?);
        let operations = std::mem::take(&mut api.operations);
        let (mut parameters, mut bodies) = (Vec::new(), Vec::new());
        for operation in operations {
            parameters.extend(operation.parameters);
            bodies.extend(operation.bodies);
        }
        if parameters.len() + bodies.len() != inputs.len() {
            return None;
        }
        for (parameter, (location, name)) in parameters.iter_mut().zip(inputs.iter().filter_map(placed)) {
            let style = match location {
                Location::Matrix => Style::Matrix,
                Location::FileName | Location::FileType => Style::Simple,
                _ => continue,
            };
            *parameter = Parameter { name: name.to_owned(), location, style, ..parameter.clone() };
        }
        Some(Self { api, parameters, bodies })
    }

    /// The parameters, none of which is required.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The bodies; several may be of one media type.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// What their schemas are positions in.
    pub fn api(&self) -> &Api {
        &self.api
    }
}

/// Where a parameter is sent, and its name.
fn placed(input: &ExtraInput) -> Option<(Location, &str)> {
    match input {
        ExtraInput::Parameter(location, name, _) => Some((*location, name)),
        ExtraInput::Body(..) => None,
    }
}

/// An OpenAPI document of one operation with these parameters, and of one more for each body.
fn document(inputs: &[ExtraInput]) -> Value {
    let (mut parameters, mut paths) = (Vec::new(), Map::new());
    let responses = json!({"default": {"description": ""}});
    for (idx, input) in inputs.iter().enumerate() {
        match input {
            ExtraInput::Parameter(location, name, schema) => {
                let (place, name) = match location {
                    Location::Path | Location::Query => ("query", name.clone()),
                    Location::Header => ("header", name.clone()),
                    Location::Cookie => ("cookie", name.clone()),
                    // No document can say them: they have a name of their own for as long as they are read.
                    Location::Matrix | Location::FileName | Location::FileType => {
                        ("query", format!("{};{name}", location.name()))
                    }
                };
                parameters.push(json!({"name": name, "in": place, "schema": schema}));
            }
            ExtraInput::Body(media_type, schema) => {
                let content = Map::from_iter([(media_type.clone(), json!({"schema": schema}))]);
                let operation = json!({"requestBody": {"content": content}, "responses": responses});
                paths.insert(format!("/bodies/{idx}"), json!({"post": operation}));
            }
        }
    }
    paths.insert("/parameters".to_owned(), json!({"post": {"parameters": parameters, "responses": responses}}));
    json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths})
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Expanded, ExtraInput};
    use crate::api::{Location, MediaKind, SchemaKind, Style};

    fn json_body(schema: serde_json::Value) -> ExtraInput {
        ExtraInput::Body("application/json".to_owned(), schema)
    }

    #[test]
    fn a_part_is_of_the_media_type_that_its_schema_names() {
        let part = json!({"contentMediaType": "application/xml", "type": "object", "xml": {"name": "crate"}});
        let schema = json!({"type": "object", "properties": {"a": part, "b": {"type": "string"}}});
        let body = ExtraInput::Body("multipart/form-data".to_owned(), schema);
        let expanded = Expanded::new(&[body]).expect("it allows values");
        let types = expanded.bodies()[0].encoding.iter();
        let types: Vec<_> = types.map(|(name, part)| (name.as_str(), part.content_type.as_deref())).collect();
        assert_eq!(types, [("a", Some("application/xml"))]);
    }

    #[test]
    fn inputs_stand_in_the_order_in_which_they_were_found() {
        let query = ExtraInput::Parameter(Location::Query, "b".to_owned(), json!({"type": "integer"}));
        let header = ExtraInput::Parameter(Location::Header, "X-A".to_owned(), json!({"type": "string"}));
        let bodies = [json_body(json!({"type": "object"})), json_body(json!({"type": "integer"}))];
        let [first, second] = bodies;
        let expanded = Expanded::new(&[query, first, header, second]).expect("all allow values");
        let names: Vec<&str> = expanded.parameters().iter().map(|parameter| parameter.name.as_str()).collect();
        assert_eq!(names, ["b", "X-A"]);
        assert!(expanded.parameters().iter().all(|parameter| !parameter.required));
        assert!(expanded.bodies().iter().all(|body| body.kind == MediaKind::Json && body.media_type == "application/json"));
        let kinds = expanded.bodies().iter().map(|body| &expanded.api().schemas.at(body.schema).kind);
        assert!(matches!(kinds.collect::<Vec<_>>()[..], [SchemaKind::Object(_), SchemaKind::Integer(_)]));
    }

    #[test]
    fn parameters_that_no_document_says_are_told_from_those_of_the_query() {
        let deck = |location| ExtraInput::Parameter(location, "deck".to_owned(), json!({"type": "integer"}));
        let all = [Location::Matrix, Location::Query, Location::FileName, Location::FileType].map(deck);
        let expanded = Expanded::new(&all).expect("all allow values");
        let locations: Vec<_> = expanded.parameters().iter().map(|it| (it.name.as_str(), it.location, it.style)).collect();
        let told_apart = [
            ("deck", Location::Matrix, Style::Matrix),
            ("deck", Location::Query, Style::Form),
            ("deck", Location::FileName, Style::Simple),
            ("deck", Location::FileType, Style::Simple),
        ];
        assert_eq!(locations, told_apart);
    }

    #[test]
    fn what_allows_no_value_is_no_input() {
        assert!(Expanded::new(&[json_body(json!(false))]).is_none());
        assert!(Expanded::new(&[ExtraInput::Body("no media type".to_owned(), json!({}))]).is_none());
    }
}
