//! Credentials in answers: tokens, keys and cookies of sessions, and where callers show them.

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, LinkPlace, LinkSource, url_path};
use crate::api::SecurityScheme;

use super::accounts::sends_secret;
use super::names::{logs_in, normalise, rank_of_token};

/// The scheme of RFC 6750, in front of a token.
const BEARER: &str = "Bearer ";
/// Characters of a token, at least.
const SHORTEST: usize = 8;
/// How deep in an answer a token is looked for.
const DEEPEST: usize = 3;
/// Cookies of one answer that are sent, at most.
const MAX_COOKIES: usize = 4;
/// Names of what callers show in a header field of its own.
const KEYS: [&str; 2] = ["apikey", "key"];
/// Cookies that services want repeated in a header field, so that no page of somebody else's can call them: of Django, of Angular
/// and the many frameworks that keep to it, of Flask-JWT-Extended.
const REPEATED: [(&str, &str); 3] =
    [("csrftoken", "X-CSRFToken"), ("XSRF-TOKEN", "X-XSRF-TOKEN"), ("csrf_access_token", "X-CSRF-TOKEN")];

/// A part of credentials: where it goes, and where it is in the answer.
pub(super) type Part = (LinkPlace, LinkSource);

/// The credentials in the answer to `action`, of a document with these `schemes`: its token, which goes into the fields that the
/// document names, or else into `Authorization`; and its cookies where that logs somebody in, be it by making an account.
pub(super) fn credentials_in(schemes: &[SecurityScheme], action: &Action, result: &ActionResult, answer: &Answer) -> Vec<Part> {
    let token = if answer.status < 300 { token_in(schemes, answer) } else { None };
    let mut parts = Vec::new();
    if let Some((source, before)) = token {
        let places = fields(schemes).map(|name| LinkPlace::Credentials(name.to_owned(), ""));
        parts.extend(places.map(|place| (place, source.clone())));
        if parts.is_empty() || schemes.contains(&SecurityScheme::Token) {
            parts.push((LinkPlace::Credentials("Authorization".to_owned(), before), source));
        }
    }
    parts.extend(cookies_in(schemes, action, result, answer));
    parts
}

fn cookies_in(schemes: &[SecurityScheme], action: &Action, result: &ActionResult, answer: &Answer) -> Vec<Part> {
    let (request, cookies) = (&result.request, answer.cookies());
    let mut parts = Vec::new();
    if cookies.is_empty() || request.verb.is_safe() {
        return parts;
    }
    let lets_in = logs_in(url_path(&request.url)) || sends_secret(action);
    let is_shown =
        |name: &str| lets_in || schemes.iter().any(|scheme| matches!(scheme, SecurityScheme::Cookie(it) if it == name));
    for (name, _) in cookies.iter().filter(|(name, value)| !value.is_empty() && is_shown(name)).take(MAX_COOKIES) {
        let source = LinkSource::Cookie((*name).to_owned());
        let field = REPEATED.iter().find(|(cookie, _)| cookie == name).map(|(_, field)| (*field).to_owned());
        parts.extend(field.map(|field| (LinkPlace::Credentials(field, ""), source.clone())));
        parts.push((LinkPlace::Cookie((*name).to_owned()), source));
    }
    parts
}

/// The header fields of their own that callers show keys in.
fn fields(schemes: &[SecurityScheme]) -> impl Iterator<Item = &str> {
    schemes.iter().filter_map(|scheme| if let SecurityScheme::Field(name) = scheme { Some(name.as_str()) } else { None })
}

/// Where the token of an answer is, and what stands in front of it in `Authorization`.
fn token_in(schemes: &[SecurityScheme], answer: &Answer) -> Option<(LinkSource, &'static str)> {
    let is_bearer = |value: &str| value.get(..BEARER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BEARER));
    let before = |value: &str| if is_bearer(value) { "" } else { BEARER };
    if let Some(value) = answer.header("authorization").filter(|value| is_bearer(value)) {
        return Some((LinkSource::Header("Authorization".to_owned()), before(value)));
    }
    let told = fields(schemes).find_map(|name| Some((name, answer.header(name).filter(|value| !value.is_empty())?)));
    if let Some((name, value)) = told {
        return Some((LinkSource::Header(name.to_owned()), before(value)));
    }
    let json = answer.json()?;
    if let Some(text) = json.as_str() {
        return is_jwt(text).then(|| (LinkSource::Body(String::new()), before(text)));
    }
    let mut found = Vec::new();
    collect_tokens(json, &|name| rank(schemes, name), (&mut String::new(), 0), &mut found);
    let (_, pointer) = found.into_iter().min()?;
    let before = before(json.pointer(&pointer)?.as_str()?);
    Some((LinkSource::Body(pointer), before))
}

/// How well a field by its name holds what callers show, 0 the best; none where it does not.
fn rank(schemes: &[SecurityScheme], name: &str) -> Option<u8> {
    let normalised = normalise(name);
    if fields(schemes).any(|field| normalise(field) == normalised) {
        return Some(0);
    }
    let is_key = KEYS.contains(&normalised.as_str()) && fields(schemes).next().is_some();
    rank_of_token(name).or(is_key.then_some(u8::MAX))
}

/// RFC 7519, 3: a header, claims and a signature, each base64url without padding; the header is a JSON object.
fn is_jwt(text: &str) -> bool {
    text.starts_with("eyJ") && text.split('.').count() == 3
}

/// Adds the pointers of texts that may be tokens, with the `rank` of their names.
fn collect_tokens(
    value: &Value,
    rank: &dyn Fn(&str) -> Option<u8>,
    (pointer, depth): (&mut String, usize),
    found: &mut Vec<(u8, String)>,
) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        let is_token = |text: &str| text.len() >= SHORTEST && !text.trim_start_matches(BEARER).contains(char::is_whitespace);
        if value.as_str().is_some_and(is_token) {
            found.extend(rank(name).map(|rank| (rank, pointer.clone())));
        } else if depth < DEEPEST {
            collect_tokens(value, rank, (pointer, depth + 1), found);
        }
        pointer.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::{BEARER, Part, credentials_in};
    use crate::action::{Action, ActionResult, Answer, LinkPlace, LinkSource, Outcome, Request};
    use crate::api::{OperationIdx, SecurityScheme, Verb};

    /// The credentials in the answer to a call.
    fn found(schemes: &[SecurityScheme], (verb, url): (Verb, &str), answer: Answer) -> Vec<Part> {
        let (operation_idx, parameters, links) = (OperationIdx(0), Vec::new(), Vec::new());
        let action = Action { operation_idx, parameters, body: None, user: None, links, violation: None, expanded: None };
        let request = Request { operation_idx, verb, url: url.to_owned(), headers: Vec::new(), body: None, user: None };
        let result = ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO };
        credentials_in(schemes, &action, &result, result.answer().expect("an answer"))
    }

    fn json_answer(json: Value) -> Answer {
        Answer { status: 200, json: Some(json), ..Answer::default() }
    }

    fn shown(field: &str, before: &'static str, source: LinkSource) -> Part {
        (LinkPlace::Credentials(field.to_owned(), before), source)
    }

    #[test]
    fn tokens_are_found_by_their_names_and_sent_behind_their_scheme() {
        let found = |json: Value| found(&[], (Verb::Get, "/x"), json_answer(json));
        let at = |pointer: &str| [shown("Authorization", BEARER, LinkSource::Body(pointer.to_owned()))];
        assert_eq!(found(json!({"refresh_token": "r-12345678", "access_token": "a-12345678"})), at("/access_token"));
        assert_eq!(found(json!({"user": {"name": "ann", "token": "a-12345678"}})), at("/user/token"));
        assert_eq!(found(json!("eyJhbGciOiJub25lIn0.e30.")), at(""));
        let bare = shown("Authorization", "", LinkSource::Body("/jwt".to_owned()));
        assert_eq!(found(json!({"jwt": "Bearer a-12345678"})), [bare]);
        for json in
            [json!({"token": "short"}), json!({"token": "of many words"}), json!({"apiKey": "a-12345678"}), json!("a-12345678")]
        {
            assert_eq!(found(json.clone()), [], "{json}");
        }
    }

    #[test]
    fn header_fields_hold_tokens_and_keys_go_where_the_document_says() {
        let fields = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let said = |schemes: &[SecurityScheme], name: &str, value: &str| {
            let answer = Answer { status: 200, headers: fields(name, value), ..Answer::default() };
            found(schemes, (Verb::Post, "/x"), answer)
        };
        let [authorization, key] = ["Authorization", "X-Auth-Token"].map(|name| LinkSource::Header(name.to_owned()));
        assert_eq!(said(&[], "authorization", "Bearer a-12345678"), [shown("Authorization", "", authorization)]);
        let schemes = [SecurityScheme::Field("X-Auth-Token".to_owned())];
        assert_eq!(said(&schemes, "x-auth-token", "a-1"), [shown("X-Auth-Token", "", key)]);
        assert_eq!(said(&[], "x-auth-token", "a-1"), []);
        let at = |pointer: &str| LinkSource::Body(pointer.to_owned());
        let told = |schemes: &[SecurityScheme], json: Value| found(schemes, (Verb::Post, "/x"), json_answer(json));
        for name in ["apiKey", "key", "token", "x_auth_token"] {
            let json = json!({"id": "1-12345678", name: "a-12345678"});
            assert_eq!(told(&schemes, json), [shown("X-Auth-Token", "", at(&format!("/{name}")))]);
        }
        let both = [schemes[0].clone(), SecurityScheme::Token];
        let token = || at("/token");
        let expected = [shown("X-Auth-Token", "", token()), shown("Authorization", BEARER, token())];
        assert_eq!(told(&both, json!({"token": "a-12345678"})), expected);
    }

    #[test]
    fn cookies_are_credentials_where_somebody_logs_in() {
        let set = |fields: &[&str]| Answer {
            status: 302,
            headers: fields.iter().map(|field| ("set-cookie".to_owned(), (*field).to_owned())).collect(),
            ..Answer::default()
        };
        let cookie = |name: &str| (LinkPlace::Cookie(name.to_owned()), LinkSource::Cookie(name.to_owned()));
        let answer = set(&["sid=1; Path=/", "old=; Max-Age=0"]);
        assert_eq!(found(&[], (Verb::Post, "/login?next=/"), answer), [cookie("sid")]);
        let repeated = shown("X-CSRFToken", "", LinkSource::Cookie("csrftoken".to_owned()));
        let both = [repeated, cookie("csrftoken"), cookie("sessionid")];
        assert_eq!(found(&[], (Verb::Post, "/api/login"), set(&["csrftoken=c", "sessionid=s"])), both);
        assert_eq!(found(&[], (Verb::Get, "/login"), set(&["sid=1"])), []);
        assert_eq!(found(&[], (Verb::Post, "/orders"), set(&["sid=1"])), []);
        let schemes = [SecurityScheme::Cookie("sid".to_owned())];
        assert_eq!(found(&schemes, (Verb::Post, "/orders"), set(&["sid=1", "theme=dark"])), [cookie("sid")]);
        let mut token = set(&["sid=1"]);
        (token.status, token.json) = (200, Some(json!({"token": "a-12345678"})));
        assert_eq!(found(&[], (Verb::Post, "/login"), token).len(), 2);
    }
}
