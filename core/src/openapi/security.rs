//! How callers show who they are (OpenAPI 3.0.3, "Security Scheme Object"; Swagger 2.0, "Security Definitions Object").

use super::reader::{Place, Reader};
use crate::action::is_sendable_header;
use crate::api::SecurityScheme;

/// The schemes of the document that a token or a cookie of an answer may be for, each once.
pub(super) fn schemes<'a>(reader: &Reader<'a>, root: Place<'a>) -> Vec<SecurityScheme> {
    let of_components = reader.child(root, "components").map(|components| reader.fields(components, "securitySchemes"));
    let all = of_components.into_iter().flatten().chain(reader.fields(root, "securityDefinitions"));
    let mut schemes = Vec::new();
    for scheme in all.filter_map(|(_, place)| of_place(reader.follow(place).ok()?)) {
        if !schemes.contains(&scheme) {
            schemes.push(scheme);
        }
    }
    schemes
}

fn of_place(place: Place<'_>) -> Option<SecurityScheme> {
    let name = || place.text("name").filter(|name| !name.is_empty()).map(str::to_owned);
    match (place.text("type")?, place.text("in"), place.text("scheme")) {
        ("http", _, Some(scheme)) => scheme.eq_ignore_ascii_case("bearer").then_some(SecurityScheme::Token),
        ("oauth2" | "openIdConnect", ..) => Some(SecurityScheme::Token),
        ("apiKey", Some("header"), _) if name()?.eq_ignore_ascii_case("authorization") => Some(SecurityScheme::Token),
        ("apiKey", Some("header"), _) => name().filter(|name| is_sendable_header(name)).map(SecurityScheme::Field),
        ("apiKey", Some("cookie"), _) => name().map(SecurityScheme::Cookie),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::SecurityScheme;
    use crate::openapi::{Origin, parse};

    fn schemes(mut document: Value) -> Vec<SecurityScheme> {
        document["info"] = json!({"title": "", "version": ""});
        document["paths"] = json!({"/a": {"get": {"responses": {"200": {"description": ""}}}}});
        parse(&document.to_string(), &Origin::Text).expect("a document").schemes
    }

    #[test]
    fn schemes_that_an_answer_may_serve_are_read_once_each() {
        let key = |place: &str, name: &str| json!({"type": "apiKey", "in": place, "name": name});
        let all = json!({
            "a": {"type": "http", "scheme": "Bearer"}, "b": {"type": "http", "scheme": "basic"}, "c": {"$ref": "#/x-key"},
            "d": key("cookie", "sid"), "e": key("query", "key"), "f": key("header", "Authorization"), "g": key("header", "no name"),
            "h": {"type": "oauth2", "flows": {}}, "i": 7,
        });
        let document =
            json!({"openapi": "3.0.3", "components": {"securitySchemes": all}, "x-key": key("header", "X-Auth-Token")});
        let [field, cookie] = [SecurityScheme::Field("X-Auth-Token".to_owned()), SecurityScheme::Cookie("sid".to_owned())];
        assert_eq!(schemes(document), [SecurityScheme::Token, field.clone(), cookie]);
        let swagger =
            json!({"swagger": "2.0", "securityDefinitions": {"a": key("header", "X-Auth-Token"), "b": {"type": "basic"}}});
        assert_eq!(schemes(swagger), [field]);
        assert_eq!(schemes(json!({"openapi": "3.1.0"})), []);
    }
}
