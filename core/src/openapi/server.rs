//! Addresses of the service.

use serde_json::{Map, Value, json};
use url::Url;

use super::reader::{Place, Reader};
use super::source::Origin;

/// The servers of the document with their variables filled in; relative ones start from where the document came from
/// when that is a URL.
pub(super) fn servers<'a>(reader: &Reader<'a>, root: Place<'a>, origin: &Origin) -> Vec<String> {
    let mut urls: Vec<String> =
        reader.members(root, "servers").into_iter().filter_map(|server| of_server(reader, server)).collect();
    if urls.is_empty() {
        urls = of_swagger(root, origin);
    }
    let absolute = urls.into_iter().map(|url| match origin {
        Origin::Url(base) => base.join(&url).map_or(url, |url| without_credentials(url).into()),
        _ => url,
    });
    let mut distinct: Vec<String> = Vec::new();
    for url in absolute {
        if !distinct.contains(&url) {
            distinct.push(url);
        }
    }
    distinct
}

/// The URL of a document may have a user and a password, which are meant for the document and for no output.
fn without_credentials(mut url: Url) -> Url {
    // Fails only for URLs without a host, which have neither.
    let _ = (url.set_username(""), url.set_password(None));
    url
}

fn of_server<'a>(reader: &Reader<'a>, place: Place<'a>) -> Option<String> {
    let variables: Map<String, Value> = (reader.fields(place, "variables").into_iter())
        .filter_map(|(name, variable)| {
            let listed = variable.value.get("enum").and_then(|values| values.get(0));
            let default = variable.value.get("default").or(listed)?;
            let text = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
            Some((name.to_owned(), json!({ "default": text })))
        })
        .collect();
    let shaped = json!({ "url": place.text("url"), "variables": variables });
    let server: openapiv3::Server = match serde_json::from_value(shaped) {
        Ok(server) => server,
        Err(error) => {
            reader.repair(place, format!("server left out: {error}"));
            return None;
        }
    };
    let variables = server.variables.unwrap_or_default();
    Some(variables.iter().fold(server.url, |url, (name, variable)| url.replace(&format!("{{{name}}}"), &variable.default)))
}

/// `schemes`, `host` and `basePath` of Swagger 2.0.
fn of_swagger(root: Place<'_>, origin: &Origin) -> Vec<String> {
    let base_path = root.text("basePath").unwrap_or_default();
    let Some(host) = root.text("host").filter(|host| !host.is_empty()) else {
        return if base_path.is_empty() { Vec::new() } else { vec![base_path.to_owned()] };
    };
    let listed = root.value.get("schemes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let mut schemes: Vec<&str> = listed.iter().filter_map(Value::as_str).filter(|scheme| scheme.starts_with("http")).collect();
    if schemes.is_empty() {
        schemes.push(match origin {
            Origin::Url(url) => url.scheme(),
            _ => "http",
        });
    }
    let slash = if base_path.is_empty() || base_path.starts_with('/') { "" } else { "/" };
    schemes.into_iter().map(|scheme| format!("{scheme}://{host}{slash}{base_path}")).collect()
}
