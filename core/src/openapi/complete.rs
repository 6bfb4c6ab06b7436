//! Documents completed by what the service has and they do not name: operations that its framework has registered, and
//! inputs that it was seen to read.

use serde_json::{Map, Value, json};

use crate::api::{Api, Location, Operation};

use super::route::{Prefix, Route, shape};

/// Methods that are offered where a framework takes any.
const ANY_VERB: [&str; 4] = ["GET", "POST", "PUT", "DELETE"];
/// Methods that are offered at all: the others say nothing that these do not.
const OFFERED: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/// Tells operations that were added from those that stood there; the value is who serves them.
pub(super) const MARK: &str = "x-restive-discovered";

/// Has the schemas of matrix parameters by their names.
const MATRIX: &str = "x-restive-matrix";

/// An input that an operation takes and the document does not say.
#[derive(Debug, Clone, PartialEq)]
pub enum Addition {
    /// A parameter and its schema.
    Parameter(Location, String, Value),
    /// A body of this media type and schema.
    Body(String, Value),
}

/// The first document of `api` with what was added to it when it was read, and with `additions` to operations of it.
///
/// A body that the document describes as well has to be both; of parameters only those are added that it lacks.
pub fn completed<'a>(api: &Api, additions: impl IntoIterator<Item = (&'a Operation, Addition)>) -> Value {
    let mut document = api.json_schemas.resolve("#").map_or_else(empty, |(value, _)| value.clone());
    let release = Release::of(&document);
    for (operation, mut addition) in additions {
        // An operation that lies in another document stays as it is there.
        let Some(place) = document.pointer_mut(&operation.pointer).and_then(Value::as_object_mut) else { continue };
        let (Addition::Body(_, schema) | Addition::Parameter(_, _, schema)) = &mut addition;
        if release != Release::OpenApi31 {
            to_booleans(schema);
        }
        let is_swagger = release == Release::Swagger;
        match addition {
            Addition::Parameter(location, name, schema) => add_parameter(place, location, &name, &schema, is_swagger),
            Addition::Body(media_type, schema) if is_swagger => add_swagger_body(place, &media_type, schema),
            Addition::Body(media_type, schema) => add_body(place, &media_type, schema),
        }
    }
    document
}

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Release {
    Swagger,
    OpenApi30,
    OpenApi31,
}

impl Release {
    fn of(document: &Value) -> Self {
        let is_newer = |version: &Value| version.as_str().is_some_and(|it| it.starts_with('3') && !it.starts_with("3.0"));
        match (document.get("swagger"), document.get("openapi")) {
            (Some(_), _) => Self::Swagger,
            (None, Some(version)) if is_newer(version) => Self::OpenApi31,
            (None, _) => Self::OpenApi30,
        }
    }
}

/// Bounds that are left out as schemas had them before OpenAPI 3.1: a boolean beside the bound.
fn to_booleans(value: &mut Value) {
    match value {
        Value::Array(members) => members.iter_mut().for_each(to_booleans),
        Value::Object(keywords) => {
            for (exclusive, bound) in [("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")] {
                if let Some(number) = keywords.get(exclusive).filter(|it| it.is_number()).cloned() {
                    keywords.insert(bound.to_owned(), number);
                    keywords.insert(exclusive.to_owned(), json!(true));
                }
            }
            keywords.values_mut().for_each(to_booleans);
        }
        _ => {}
    }
}

fn add_parameter(operation: &mut Map<String, Value>, location: Location, name: &str, schema: &Value, is_swagger: bool) {
    match location {
        Location::Matrix => return add_matrix(operation, name, schema),
        // A document says neither: what is said of an encoding is no input.
        Location::FileName | Location::FileType => return,
        Location::Path | Location::Query | Location::Header | Location::Cookie => {}
    }
    let Some(parameters) = operation.entry("parameters").or_insert_with(|| json!([])).as_array_mut() else { return };
    let place = json!(location.name());
    if parameters.iter().any(|it| it["name"] == name && it["in"] == place) {
        return;
    }
    if is_swagger {
        parameters.push(flat(name, &place, false, schema));
    } else {
        parameters.push(json!({ "name": name, "in": place, "schema": schema }));
    }
}

/// Parameters behind the path, which no document can say as such: theirs are part of its template and always there.
fn add_matrix(operation: &mut Map<String, Value>, name: &str, schema: &Value) {
    let known = operation.entry(MATRIX).or_insert_with(|| json!({}));
    if known.get(name).is_none() {
        known[name] = schema.clone();
    }
}

fn add_body(operation: &mut Map<String, Value>, media_type: &str, schema: Value) {
    let body = operation.entry("requestBody").or_insert_with(|| json!({ "content": {} }));
    let Some(content) = body.get_mut("content").and_then(Value::as_object_mut) else { return };
    let media = content.entry(media_type).or_insert_with(|| json!({}));
    media["schema"] = both(media.get("schema"), schema);
}

fn add_swagger_body(operation: &mut Map<String, Value>, media_type: &str, schema: Value) {
    let Some(parameters) = operation.entry("parameters").or_insert_with(|| json!([])).as_array_mut() else { return };
    if media_type.contains("form") {
        let known: Vec<Value> = parameters.iter().map(|it| it["name"].clone()).collect();
        let fields = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let new = fields.filter(|(name, _)| !known.contains(&json!(name)));
        parameters.extend(new.map(|(name, schema)| flat(name, &json!("formData"), false, schema)));
    } else if let Some(body) = parameters.iter_mut().find(|it| it["in"] == "body") {
        body["schema"] = both(body.get("schema"), schema);
    } else {
        parameters.push(json!({ "name": "body", "in": "body", "schema": schema }));
    }
    operation.entry("consumes").or_insert_with(|| json!([media_type]));
}

/// A schema that allows what both do; one that says nothing is left out.
fn both(known: Option<&Value>, more: Value) -> Value {
    let is_bare = |schema: &Value| {
        let keywords = schema.as_object().into_iter().flatten();
        keywords
            .filter(|(keyword, value)| *keyword != "type" || **value != json!("object") && **value != json!("string"))
            .count()
            == 0
    };
    match known {
        Some(known) if !is_bare(known) && *known != more => json!({ "allOf": [known, more] }),
        _ => more,
    }
}

/// A document without operations, for services that have none.
pub(super) fn empty() -> Value {
    json!({ "openapi": "3.1.0", "info": { "title": "", "version": "" }, "paths": {} })
}

/// Adds the operations of `routes` that `document` lacks, each with its handler under [`MARK`].
pub(super) fn complete(document: &mut Value, routes: &[Route]) {
    let release = Release::of(document);
    let documented: Vec<String> = paths(document).map(|(url_path, _)| shape(url_path)).collect();
    let prefix = Prefix::between(routes, &documented);
    for route in routes {
        let Some(url_path) = prefix.applied(&route.url_path) else { continue };
        for verb in wanted_verbs(route, &url_path, &documented) {
            add(document, &url_path, verb, route, release);
        }
    }
}

/// Methods of a route that are worth a look; one that takes all below its path is known when anything below it is.
fn wanted_verbs<'a>(route: &'a Route, url_path: &str, documented: &[String]) -> Vec<&'a str> {
    if route.verb.is_empty() {
        let url_path = url_path.rsplit_once("/{+").map_or(url_path, |(above, _)| if above.is_empty() { "/" } else { above });
        let begins = |known: &String| {
            known.strip_prefix(&shape(url_path)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || url_path == "/")
        };
        return if documented.iter().any(begins) { Vec::new() } else { ANY_VERB.to_vec() };
    }
    OFFERED.into_iter().filter(|verb| *verb == route.verb).collect()
}

fn paths(document: &Value) -> impl Iterator<Item = (&String, &Value)> {
    document.get("paths").and_then(Value::as_object).into_iter().flatten()
}

/// Adds one operation, unless the document has one. What other handlers of the same path and method take joins it: frameworks
/// tell them apart by what is sent with the call.
fn add(document: &mut Value, url_path: &str, verb: &str, route: &Route, release: Release) {
    let same = paths(document).find(|(known, _)| shape(known) == shape(url_path)).map(|(known, _)| known.clone());
    let key = same.unwrap_or_else(|| url_path.replace("{+", "{"));
    let Some(document) = document.as_object_mut() else { return };
    let all = document.entry("paths").or_insert_with(|| json!({}));
    let Some(item) = all.as_object_mut().map(|all| all.entry(key.clone()).or_insert_with(|| json!({}))) else { return };
    let Some(item) = item.as_object_mut().filter(|item| !item.contains_key("$ref")) else { return };
    let verb = verb.to_ascii_lowercase();
    if item.get(&verb).is_some_and(|known| known.get(MARK).is_none()) {
        return;
    }
    let mut operation = route.operation.as_object().cloned().unwrap_or_default();
    rename_path_parameters(&mut operation, url_path, &key);
    if verb == "get" || verb == "delete" {
        operation.remove("requestBody");
    }
    if release != Release::OpenApi31 {
        operation.values_mut().for_each(to_booleans);
    }
    if release == Release::Swagger {
        operation = as_swagger(&operation);
    }
    operation.insert("responses".to_owned(), json!({ "default": { "description": "not described" } }));
    operation.insert(MARK.to_owned(), Value::String(route.handler.clone()));
    match item.get_mut(&verb).and_then(Value::as_object_mut) {
        Some(known) => join(known, operation),
        None => drop(item.insert(verb, Value::Object(operation))),
    }
}

/// Takes what another handler of the same path and method takes into the operation. What not all of them want is not required.
fn join(known: &mut Map<String, Value>, mut other: Map<String, Value>) {
    let parameters = |operation: &mut Map<String, Value>| match operation.remove("parameters") {
        Some(Value::Array(parameters)) => parameters,
        _ => Vec::new(),
    };
    let (mut all, others) = (parameters(known), parameters(&mut other));
    let is_same = |one: &Value, other: &Value| one["in"] == other["in"] && one["name"] == other["name"];
    let is_required = |parameter: &Value| parameter["required"] == json!(true);
    for parameter in all.iter_mut().filter(|parameter| parameter["in"] != "path") {
        if !others.iter().any(|it| is_same(it, parameter) && is_required(it)) {
            parameter.as_object_mut().map(|parameter| parameter.remove("required"));
        }
    }
    // A body is a parameter in Swagger, and there is one at most.
    let is_body = |parameter: &Value| parameter["in"] == "body" || parameter["in"] == "formData";
    let has_body = all.iter().any(is_body);
    for mut parameter in others {
        let known = all.iter_mut().find(|it| is_same(it, &parameter));
        let is_known = known.is_some();
        if let Some(known) = known.filter(|known| known["in"] == "path" && known["schema"] != parameter["schema"]) {
            // Which handler is called is told by what the path matches.
            known["schema"] = json!({ "anyOf": [known["schema"], parameter["schema"]] });
        }
        if !(is_known || has_body && is_body(&parameter)) {
            parameter.as_object_mut().map(|parameter| parameter.remove("required"));
            all.push(parameter);
        }
    }
    known.insert("parameters".to_owned(), Value::Array(all));
    let Some(Value::Object(body)) = other.remove("requestBody") else { return };
    let Some(content) = known.entry("requestBody").or_insert_with(|| json!({ "content": {} })).get_mut("content") else {
        return;
    };
    if let (Some(content), Some(Value::Object(more))) = (content.as_object_mut(), body.get("content")) {
        for (media_type, media) in more {
            content.entry(media_type).or_insert_with(|| media.clone());
        }
    }
}

/// Gives the parameters of a path the names that the document has for them, and declares those that are not; what a handler
/// takes of other paths of its own is none of this one.
fn rename_path_parameters(operation: &mut Map<String, Value>, from: &str, to: &str) {
    let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
    let Some(parameters) = parameters.as_array_mut() else { return };
    let is_known = |name: &Value| names(from).any(|known| known.trim_start_matches('+') == name);
    parameters.retain(|it| it["in"] != "path" || is_known(&it["name"]));
    for (old, new) in names(from).zip(names(to)) {
        let (old, takes_slashes) = old.strip_prefix('+').map_or((old, false), |old| (old, true));
        let mut found = parameters.iter().position(|it| it["in"] == "path" && it["name"] == old);
        if found.is_none() {
            parameters.push(json!({ "in": "path", "required": true, "schema": { "type": "string" } }));
            found = Some(parameters.len() - 1);
        }
        let Some(parameter) = found.and_then(|idx| parameters[idx].as_object_mut()) else { continue };
        parameter.insert("name".to_owned(), json!(new));
        if takes_slashes {
            // Of parameters in paths since OpenAPI 3.2.
            parameter.insert("allowReserved".to_owned(), json!(true));
        }
    }
}

/// The names of the parameters of a path.
fn names(url_path: &str) -> impl Iterator<Item = &str> {
    url_path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

/// The operation as Swagger 2.0 has it: values without `schema`, the body as a parameter.
fn as_swagger(operation: &Map<String, Value>) -> Map<String, Value> {
    let mut parameters = Vec::new();
    for parameter in operation.get("parameters").and_then(Value::as_array).into_iter().flatten() {
        let properties = parameter.pointer("/schema/properties").and_then(Value::as_object);
        let name = parameter["name"].as_str().unwrap_or_default();
        let is_required = parameter.get("required").is_some_and(|it| *it == json!(true));
        if let Some(properties) = properties {
            // An object in the query is its properties there.
            parameters.extend(properties.iter().map(|(name, schema)| flat(name, &parameter["in"], false, schema)));
        } else if parameter["in"] != "cookie" {
            // Swagger has no cookies.
            parameters.push(flat(name, &parameter["in"], is_required, &parameter["schema"]));
        }
    }
    let mut swagger = Map::new();
    let content = operation.get("requestBody").and_then(|body| body["content"].as_object());
    for (media_type, media) in content.into_iter().flatten().take(1) {
        let schema = &media["schema"];
        swagger.insert("consumes".to_owned(), json!([media_type]));
        match schema["properties"].as_object().filter(|_| media_type.contains("form")) {
            Some(fields) => {
                parameters.extend(fields.iter().map(|(name, schema)| flat(name, &json!("formData"), false, schema)));
            }
            None => parameters.push(json!({ "name": "body", "in": "body", "schema": schema })),
        }
    }
    swagger.insert("parameters".to_owned(), Value::Array(parameters));
    swagger
}

fn flat(name: &str, place: &Value, is_required: bool, schema: &Value) -> Value {
    let mut parameter = schema.as_object().cloned().unwrap_or_default();
    parameter.entry("type").or_insert_with(|| json!("string"));
    parameter.insert("name".to_owned(), json!(name));
    parameter.insert("in".to_owned(), place.clone());
    if is_required {
        parameter.insert("required".to_owned(), json!(true));
    }
    Value::Object(parameter)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Addition, MARK, Prefix, Route, complete, completed, empty, shape};
    use crate::api::Location;

    fn route(verb: &str, url_path: &str) -> Route {
        let operation = json!({
            "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "integer" } },
                           { "name": "limit", "in": "query", "schema": { "type": "integer" } }],
            "requestBody": { "content": { "application/json": { "schema": { "type": "object" } } } },
        });
        Route { url_path: url_path.to_owned(), verb: verb.to_owned(), handler: "com.acme.Shop.item".to_owned(), operation }
    }

    fn operations(document: &Value) -> Vec<String> {
        let all = document["paths"].as_object().expect("paths").iter();
        all.flat_map(|(path, item)| item.as_object().expect("an item").keys().map(move |verb| format!("{verb} {path}")))
            .collect()
    }

    #[test]
    fn what_is_documented_stays_as_it_is() {
        let mut document = json!({ "openapi": "3.0.0", "paths": { "/items/{key}": { "get": { "summary": "kept" } } } });
        complete(&mut document, &[route("GET", "/items/{id}"), route("PUT", "/items/{id}"), route("TRACE", "/x")]);
        assert_eq!(operations(&document), ["get /items/{key}", "put /items/{key}"]);
        assert_eq!(document.pointer("/paths/~1items~1{key}/get"), Some(&json!({ "summary": "kept" })));
        let added = document.pointer("/paths/~1items~1{key}/put").expect("added");
        assert_eq!((&added[MARK], &added["parameters"][0]["name"]), (&json!("com.acme.Shop.item"), &json!("key")));
    }

    #[test]
    fn a_service_without_a_document_gets_one() {
        let mut document = empty();
        complete(&mut document, &[route("", "/a"), route("DELETE", "/b/{x}/{id}")]);
        assert_eq!(operations(&document), ["get /a", "post /a", "put /a", "delete /a", "delete /b/{x}/{id}"]);
        let added = &document["paths"]["/b/{x}/{id}"]["delete"];
        assert!(added.get("requestBody").is_none(), "{added}");
        assert_eq!(added["parameters"].as_array().map(Vec::len), Some(3), "x is declared: {added}");
    }

    #[test]
    fn handlers_of_one_path_and_method_are_one_operation() {
        let query = |name: &str, required: bool| json!({ "name": name, "in": "query", "required": required, "schema": {} });
        let told =
            |handler: &str, operation: Value| Route { handler: handler.to_owned(), operation, ..route("PUT", "/b/{id}") };
        let body = |media_type: &str| json!({ "content": { media_type: { "schema": {} } } });
        let routes = [
            told("a.One", json!({ "parameters": [query("acl", true), query("both", true)] })),
            told(
                "a.Two",
                json!({ "parameters": [query("both", true), query("tag", true)], "requestBody": body("text/plain") }),
            ),
            told("a.Three", json!({ "parameters": [query("both", true)], "requestBody": body("application/json") })),
        ];
        let mut document = empty();
        complete(&mut document, &routes);
        let operation = &document["paths"]["/b/{id}"]["put"];
        let named = |parameter: &Value| format!("{} {}", parameter["name"], parameter["required"]).replace('"', "");
        let parameters: Vec<String> = operation["parameters"].as_array().into_iter().flatten().map(named).collect();
        assert_eq!(parameters, ["acl null", "both true", "id true", "tag null"]);
        let media_types = operation.pointer("/requestBody/content").and_then(Value::as_object);
        assert_eq!(
            media_types.map(|content| content.keys().collect::<Vec<_>>()).unwrap_or_default(),
            ["text/plain", "application/json"]
        );
        assert_eq!(operation[MARK], "a.One");
        let mut documented = json!({ "openapi": "3.0.0", "paths": { "/b/{id}": { "put": { "responses": {} } } } });
        complete(&mut documented, &routes);
        assert_eq!(documented["paths"]["/b/{id}"]["put"], json!({ "responses": {} }), "what is documented stays");
    }

    #[test]
    fn paths_of_routes_and_documents_may_begin_elsewhere() {
        let routes = [route("GET", "/items"), route("GET", "/items/{id}"), route("GET", "/hidden")];
        let mut document =
            json!({ "openapi": "3.0.0", "paths": { "/api/items": { "get": {} }, "/api/items/{id}": { "get": {} } } });
        complete(&mut document, &routes);
        assert_eq!(operations(&document), ["get /api/items", "get /api/items/{id}", "get /api/hidden"]);
        let documented = [shape("/items"), shape("/items/{key}")];
        let routes = [route("GET", "/app/items"), route("GET", "/app/items/{id}"), route("GET", "/other")];
        let prefix = Prefix::between(&routes, &documented);
        assert_eq!(prefix, Prefix::Removed("/app".to_owned()));
        assert_eq!((prefix.applied("/app"), prefix.applied("/other")), (Some("/".to_owned()), None));
    }

    #[test]
    fn what_takes_all_below_its_path_is_known_by_anything_there() {
        let mut document = json!({ "openapi": "3.0.0", "paths": { "/items/{id}": { "get": {} } } });
        complete(&mut document, &[route("", "/items"), route("", "/items/{+path}"), route("", "/"), route("", "/{+path}")]);
        assert_eq!(operations(&document), ["get /items/{id}"]);
    }

    #[test]
    fn a_parameter_for_all_that_is_left_of_a_path_may_hold_slashes() {
        let mut document = empty();
        complete(&mut document, &[route("GET", "/files/{+path}"), route("GET", "/items/{+id}")]);
        assert_eq!(operations(&document), ["get /files/{path}", "get /items/{id}"]);
        let api = crate::openapi::parse(&document.to_string(), &crate::openapi::Origin::Text).expect("a document");
        for (operation, name) in api.operations.iter().zip(["path", "id"]) {
            let of_path = |parameter: &&crate::api::Parameter| parameter.location == Location::Path && parameter.name == name;
            assert!(operation.parameters.iter().find(of_path).is_some_and(|it| it.allow_reserved), "{operation:?}");
        }
    }

    #[test]
    fn a_path_that_handlers_tell_apart_takes_what_each_of_them_does() {
        let at = |name: &str, schema: Value| {
            let parameter = |name: &str| json!({ "name": name, "in": "path", "required": true, "schema": schema });
            let operation = json!({ "parameters": [parameter(name), parameter("elsewhere")] });
            Route { operation, ..route("GET", &format!("/sheds/{{{name}}}")) }
        };
        let mut document = empty();
        complete(&mut document, &[at("engine", json!({ "minimum": 0 })), at("track", json!({ "pattern": "^F" }))]);
        assert_eq!(operations(&document), ["get /sheds/{engine}"]);
        let schema = json!({ "anyOf": [{ "minimum": 0 }, { "pattern": "^F" }] });
        let parameters = json!([{ "name": "engine", "in": "path", "required": true, "schema": schema }]);
        assert_eq!(document["paths"]["/sheds/{engine}"]["get"]["parameters"], parameters);
    }

    #[test]
    fn inputs_are_added_to_the_operations_that_read_them() {
        let text = r##"{"openapi": "3.0.0", "paths": {"/a": {"post": {"parameters": [{"$ref": "#/p"}, {"name": "q", "in": "query", "schema": {}}],
            "requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"x": {}}}}}}}}},
            "p": {"name": "r", "in": "query", "schema": {}}}"##;
        let api = crate::openapi::parse(text, &crate::openapi::Origin::Text).expect("a document");
        let told = json!({ "type": "object", "properties": { "x": { "minimum": 3 } } });
        let parameter =
            |name: &str| Addition::Parameter(Location::Query, name.to_owned(), json!({ "type": "integer", "minimum": 4 }));
        let additions = [parameter("q"), parameter("new"), Addition::Body("application/json".to_owned(), told.clone())];
        let document = completed(&api, additions.map(|addition| (&api.operations[0], addition)));
        let operation = &document["paths"]["/a"]["post"];
        assert_eq!(operation["parameters"].as_array().map(Vec::len), Some(3), "{operation}");
        assert_eq!(operation["parameters"][2]["name"], "new");
        assert_eq!(operation["parameters"][2]["schema"], json!({ "type": "integer", "minimum": 4 }));
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(body["allOf"], json!([{ "type": "object", "properties": { "x": {} } }, told]));
        crate::openapi::parse(&document.to_string(), &crate::openapi::Origin::Text).expect("what is written can be read");
    }

    #[test]
    fn a_body_of_which_nothing_is_said_becomes_what_was_seen() {
        let text = r#"{"swagger": "2.0", "paths": {"/a": {"post": {"parameters": [{"name": "b", "in": "body", "schema": {"type": "object"}}]}}}}"#;
        let api = crate::openapi::parse(text, &crate::openapi::Origin::Text).expect("a document");
        let told = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
        let body = Addition::Body("application/json".to_owned(), told.clone());
        let header = Addition::Parameter(Location::Header, "X-A".to_owned(), json!({ "type": "string" }));
        let document = completed(&api, [(&api.operations[0], body), (&api.operations[0], header)]);
        let parameters = &document["paths"]["/a"]["post"]["parameters"];
        assert_eq!(parameters[0]["schema"], told);
        assert_eq!(parameters[1], json!({ "type": "string", "name": "X-A", "in": "header" }));
    }

    #[test]
    fn bounds_are_written_as_the_document_can_say_them() {
        let operation = json!({ "parameters": [{ "name": "n", "in": "query", "schema": { "exclusiveMinimum": 0 } }] });
        let found = Route { operation, ..route("GET", "/a") };
        for (version, expected) in
            [("3.0.1", json!({ "minimum": 0, "exclusiveMinimum": true })), ("3.1.0", json!({ "exclusiveMinimum": 0 }))]
        {
            let mut document = json!({ "openapi": version });
            complete(&mut document, std::slice::from_ref(&found));
            assert_eq!(document["paths"]["/a"]["get"]["parameters"][0]["schema"], expected, "{version}");
        }
    }

    #[test]
    fn swagger_has_bodies_among_parameters() {
        let mut document = json!({ "swagger": "2.0", "paths": {} });
        complete(&mut document, &[route("POST", "/items/{id}")]);
        let added = &document["paths"]["/items/{id}"]["post"];
        let places: Vec<&str> =
            added["parameters"].as_array().expect("a list").iter().filter_map(|it| it["in"].as_str()).collect();
        assert_eq!(places, ["path", "query", "body"]);
        assert_eq!(added["parameters"][1], json!({ "type": "integer", "name": "limit", "in": "query" }));
        assert_eq!(added["consumes"], json!(["application/json"]));
    }
}
