//! Routes that frameworks have registered, and which operations of a document they are.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api::{Api, OperationIdx};

/// A route that a framework has registered.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Below the application, parameters as in OpenAPI; `{+name}` is one that takes slashes, too (RFC 6570 3.2.3).
    pub url_path: String,
    /// HTTP method in capital letters; empty when any is taken.
    pub verb: String,
    /// What serves it; empty when unknown.
    pub handler: String,
    /// An operation object of OpenAPI 3.1 without references, as far as known.
    pub operation: Value,
}

/// The operations of `api` with what serves them, as far as `routes` tell.
pub fn handlers<'a>(api: &Api, routes: &'a [Route]) -> Vec<(OperationIdx, &'a str)> {
    let documented: Vec<String> = api.operations.iter().map(|operation| shape(&operation.url_path)).collect();
    let prefix = Prefix::between(routes, &documented);
    let mut handlers = Vec::new();
    for route in routes.iter().filter(|route| !route.handler.is_empty()) {
        let Some(url_path) = prefix.applied(&route.url_path).map(|url_path| shape(&url_path)) else { continue };
        for (idx, operation) in api.operations.iter().enumerate() {
            let is_same = documented[idx] == url_path && (route.verb.is_empty() || operation.verb.name() == route.verb);
            if let Some(idx) = u32::try_from(idx).ok().filter(|_| is_same) {
                handlers.push((OperationIdx(idx), route.handler.as_str()));
            }
        }
    }
    handlers
}

/// The path that `routes` have in front of those of `api`, as most of them tell: where a service answers whose document leaves
/// out the path of the application. None where they are the same, or where the path has parameters.
pub fn path_in_front(api: &Api, routes: &[Route]) -> Option<String> {
    let documented: Vec<String> = api.operations.iter().map(|operation| shape(&operation.url_path)).collect();
    match Prefix::between(routes, &documented) {
        Prefix::Removed(prefix) if !prefix.contains('{') => Some(prefix),
        _ => None,
    }
}

/// A path without the names of its parameters, by which equal paths are told.
pub(super) fn shape(url_path: &str) -> String {
    let mut text = String::new();
    let mut rest = url_path;
    while let Some((before, (_, after))) = rest.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    {
        text.extend([before, "{}"]);
        rest = after;
    }
    text.push_str(rest);
    let trimmed = text.trim_end_matches('/');
    if trimmed.starts_with('/') { trimmed.to_owned() } else { format!("/{trimmed}") }
}

/// By what the paths of routes and those of the document differ: one of them may be without the path of the application.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Prefix {
    None,
    /// The document's paths have it.
    Added(String),
    /// Only routes have it.
    Removed(String),
}

impl Prefix {
    /// The difference under which most routes are documented; none where no other is better than that.
    pub(super) fn between(routes: &[Route], documented: &[String]) -> Self {
        let known: BTreeSet<&str> = documented.iter().map(String::as_str).collect();
        let shapes: Vec<String> = routes.iter().map(|route| shape(&route.url_path)).collect();
        let mut candidates = BTreeSet::new();
        for one in &shapes {
            for other in documented {
                if let Some(prefix) = other.strip_suffix(one.as_str()).filter(|it| !it.is_empty() && one != "/") {
                    candidates.insert((true, prefix.to_owned()));
                }
                if let Some(prefix) = one.strip_suffix(other.as_str()).filter(|it| !it.is_empty() && other != "/") {
                    candidates.insert((false, prefix.to_owned()));
                }
            }
        }
        let met = |is_added: bool, prefix: &str| {
            let is_met = |shape: &&String| {
                let path =
                    if is_added { Some(format!("{prefix}{shape}")) } else { shape.strip_prefix(prefix).map(str::to_owned) };
                path.is_some_and(|path| known.contains(path.as_str()))
            };
            shapes.iter().filter(is_met).count()
        };
        let mut best = (met(true, ""), Self::None);
        for (is_added, prefix) in candidates {
            let n_met = met(is_added, &prefix);
            if n_met > best.0 {
                best = (n_met, if is_added { Self::Added(prefix) } else { Self::Removed(prefix) });
            }
        }
        best.1
    }

    /// The path as the document would have it; none for one outside of it.
    pub(super) fn applied(&self, url_path: &str) -> Option<String> {
        match self {
            Self::None => Some(url_path.to_owned()),
            Self::Added(prefix) => Some(format!("{prefix}{url_path}")),
            Self::Removed(prefix) => {
                let rest = url_path.strip_prefix(prefix.as_str())?;
                Some(if rest.is_empty() { "/".to_owned() } else { rest.to_owned() })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Route, handlers, path_in_front};
    use crate::api::{Api, Operation, Verb};

    fn route(verb: &str, url_path: &str, handler: &str) -> Route {
        let [url_path, verb, handler] = [url_path, verb, handler].map(str::to_owned);
        Route { url_path, verb, handler, operation: Value::Null }
    }

    #[test]
    fn most_routes_tell_what_stands_in_front_of_the_documents_paths() {
        let operations = [(Verb::Get, "/items/{id}"), (Verb::Delete, "/items/{id}"), (Verb::Get, "/info")];
        let api = Api { operations: operations.map(|(verb, path)| Operation::bare(verb, path)).into(), ..Api::default() };
        let in_front =
            |paths: &[&str]| path_in_front(&api, &paths.iter().map(|path| route("GET", path, "")).collect::<Vec<_>>());
        let two_versions = ["/apis/v2/info", "/apis/v3/info", "/apis/v3/items/{number}", "/apis/v3/more"];
        assert_eq!(in_front(&two_versions).as_deref(), Some("/apis/v3"));
        assert_eq!(in_front(&["/info", "/items/{id}", "/apis/v3/info"]), None, "most are where the document has them");
        assert_eq!(in_front(&["/of/{tenant}/info"]), None, "nobody knows a tenant");
        assert_eq!(in_front(&["/other"]), None);
    }

    #[test]
    fn an_operation_is_known_by_its_route_whatever_its_parameters_are_called() {
        let operations = [(Verb::Get, "/api/items/{id}"), (Verb::Delete, "/api/items/{id}"), (Verb::Get, "/api/carts")];
        let api = Api { operations: operations.map(|(verb, path)| Operation::bare(verb, path)).into(), ..Api::default() };
        let routes = [
            route("GET", "/items/{number}", "a.Items.one"),
            route("", "/carts/", "a.Carts.all"),
            route("GET", "/other", "a.Other.all"),
            route("DELETE", "/items/{id}", ""),
        ];
        let found: Vec<_> = handlers(&api, &routes).into_iter().map(|(idx, handler)| (idx.0, handler)).collect();
        assert_eq!(found, [(0, "a.Items.one"), (2, "a.Carts.all")]);
    }
}
