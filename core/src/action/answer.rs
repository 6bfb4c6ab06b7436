//! The schema of an answer, read as that of a body is: what a service gives it often takes elsewhere.

use serde_json::{Value, json};

use crate::api::{Api, Direction, SchemaId, Schemas};
use crate::openapi::{self, Origin};

use super::settle;

/// What an answer may be, as genes are made of it.
#[derive(Debug)]
pub struct AnswerSchema {
    api: Api,
    root: SchemaId,
}

impl AnswerSchema {
    /// The JSON schema `fragment` of an answer of `api`; none where no value is allowed.
    pub fn read(api: &Api, fragment: &Value) -> Option<Self> {
        let mut schema = api.json_schemas.closure(fragment, Direction::Answer);
        // References lead from the root of the document.
        let named = schema.as_object_mut()?.shift_remove("$defs").unwrap_or(json!({}));
        let body = json!({"content": {"application/json": {"schema": schema}}});
        let operation = json!({"requestBody": body, "responses": {"default": {"description": ""}}});
        let info = json!({"title": "", "version": ""});
        let document = json!({"openapi": "3.1.0", "info": info, "paths": {"/": {"post": operation}}, "$defs": named});
        let api = settle(openapi::parse(&document.to_string(), &Origin::Text).ok()?);
        let root = api.operations.first()?.bodies.first()?.schema;
        Some(Self { api, root })
    }

    /// What [`Self::root`] is a position in.
    pub fn schemas(&self) -> &Schemas {
        &self.api.schemas
    }

    /// The schema of the whole.
    pub fn root(&self) -> SchemaId {
        self.root
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::AnswerSchema;
    use crate::api::SchemaKind;
    use crate::openapi::{self, parse};

    #[test]
    fn named_schemas_are_found_and_what_is_read_only_stays() {
        let book = json!({"type": "object", "properties": {
            "id": {"type": "integer", "readOnly": true}, "next": {"$ref": "#/components/schemas/Book"}}});
        let content = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Book"}}});
        let paths = json!({"/books": {"get": {"responses": {"200": {"description": "", "content": content}}}}});
        let document = json!({"openapi": "3.0.3", "info": {"title": "", "version": ""}, "paths": paths,
            "components": {"schemas": {"Book": book}}});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let fragment = api.operations[0].responses[0].media[0].json_schema.as_ref().expect("a schema");
        let answer = AnswerSchema::read(&api, fragment).expect("it allows values");
        let SchemaKind::Object(object) = &answer.schemas().at(answer.root()).kind else { panic!("no object") };
        let names: Vec<&str> = object.properties.iter().map(|property| property.name.as_str()).collect();
        assert_eq!(names, ["id", "next"]);
        let [id, next] = [0, 1].map(|idx| answer.schemas().at(object.properties[idx].schema));
        assert!(matches!(id.kind, SchemaKind::Integer(_)) && !id.read_only && matches!(next.kind, SchemaKind::Object(_)));
    }
}
