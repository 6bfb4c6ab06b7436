//! Loads auth files: YAML, JSON or TOML, with the template merged into every user.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::exec::{AuthFile, Error};

use super::fields::{Fields, Misfit};
use super::specification::UserSpec;

/// An auth file is read up to that many bytes.
const MAX_BYTES: u64 = 10_000_000;

/// The users of an auth file, in file order.
pub(super) fn load(file: &AuthFile) -> Result<Vec<UserSpec>, Error> {
    let (shown, document) = match file {
        AuthFile::Path(path) => (path.display().to_string(), parse(path, &read(path)?)),
        AuthFile::BuiltIn(text) => ("built in".to_owned(), parse(Path::new(""), text)),
    };
    let document = document.map_err(|reason| Error::AuthSettings { place: format!("`{shown}`"), reason })?;
    users(&document).map_err(|misfit| {
        let place = if misfit.place.is_empty() { format!("`{shown}`") } else { format!("`{shown}` at `{}`", misfit.place) };
        Error::AuthSettings { place, reason: misfit.reason }
    })
}

fn read(path: &Path) -> Result<String, Error> {
    let unreadable = |source| Error::AuthFile { path: path.to_owned(), source };
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_BYTES {
        let reason = format!("{size} bytes are too many for an auth file");
        return Err(Error::AuthSettings { place: format!("`{}`", path.display()), reason });
    }
    fs::read_to_string(path).map_err(unreadable)
}

/// The document of a file, by its extension; anything but TOML and JSON is YAML. Messages never quote the text.
fn parse(path: &Path, text: &str) -> Result<Value, String> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match extension.as_str() {
        "toml" => toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].lines().count().max(1));
            format!("no valid TOML at line {line}")
        }),
        "json" => serde_json::from_str(text)
            .map_err(|error| format!("no valid JSON at line {}, column {}", error.line(), error.column())),
        _ => serde_saphyr::from_str(text).map_err(|error| match error.location() {
            Some(location) => format!("no valid YAML at line {}, column {}", location.line(), location.column()),
            None => "no valid YAML".to_owned(),
        }),
    }
}

fn users(document: &Value) -> Result<Vec<UserSpec>, Misfit> {
    // `configs` holds settings of other tools, and ours are elsewhere.
    let fields = Fields::of(String::new(), document, &["schemaVersion", "auth", "authTemplate", "configs"])?;
    let members = fields.list("auth")?;
    if members.is_empty() {
        return Err(fields.misfit("`auth` is missing or empty, wanted a list of users"));
    }
    let template = document.get("authTemplate").filter(|template| !template.is_null());
    let mut users: Vec<UserSpec> = Vec::with_capacity(members.len());
    for (place, member) in members {
        let mut merged = member.clone();
        if let Some(template) = template {
            merge(&mut merged, template);
        }
        let user = UserSpec::read(place.clone(), &merged)?;
        if users.iter().any(|earlier| earlier.name == user.name) {
            return Err(Misfit { place, reason: format!("user name `{}` is there twice", user.name) });
        }
        users.push(user);
    }
    Ok(users)
}

/// Puts what `template` has and `value` lacks into `value`, at every level of objects.
fn merge(value: &mut Value, template: &Value) {
    match (value, template) {
        (Value::Object(value), Value::Object(template)) => {
            for (name, part) in template {
                merge(value.entry(name).or_insert(Value::Null), part);
            }
        }
        (value @ Value::Null, template) => *value = template.clone(),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::load;
    use crate::exec::AuthFile;

    fn load_text(name: &str, text: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(name);
        fs::write(&path, text).expect("a writable folder");
        let users =
            load(&AuthFile::Path(path)).map_err(|error| error.to_string().replace(&folder.path().display().to_string(), ""))?;
        Ok(users.into_iter().map(|user| user.name).collect())
    }

    const YAML: &str = "
schemaVersion: 0.11.0
auth:
  - name: foo
    fixedHeaders: [{name: X-Key, value: 17}]
  - name: bar
    loginEndpointAuth: {payloadRaw: s3cret}
authTemplate:
  loginEndpointAuth: {endpoint: login, verb: post, contentType: application/json, expectCookies: true}
configs: {maxTime: 5m}
";

    #[test]
    fn all_three_formats_are_read_and_the_template_is_merged() {
        assert_eq!(load_text("a.yaml", YAML), Ok(vec!["foo".to_owned(), "bar".to_owned()]));
        let json = r#"{"auth": [{"name": "a", "fixedHeaders": [{"name": "X", "value": "y"}]}]}"#;
        assert_eq!(load_text("a.json", json), Ok(vec!["a".to_owned()]));
        let toml = "[[auth]]\nname = \"a\"\n[[auth.fixedHeaders]]\nname = \"X\"\nvalue = \"y\"\n";
        assert_eq!(load_text("a.toml", toml), Ok(vec!["a".to_owned()]));
    }

    #[test]
    fn a_file_that_is_not_there_is_told_with_the_next_step() {
        let error = load(&AuthFile::Path("no/such.yaml".into())).err().expect("there is no such file");
        assert!(error.to_string().starts_with("cannot read auth file `no/such.yaml`"), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("path")));
    }

    #[test]
    fn the_text_that_is_built_in_is_read() {
        let names: Vec<_> = load(&AuthFile::BuiltIn(YAML)).expect("valid").into_iter().map(|user| user.name).collect();
        assert_eq!(names, ["foo", "bar"]);
    }

    #[test]
    fn mistakes_are_told_with_their_place_and_without_values() {
        let cases = [
            ("auth: []", "`auth` is missing or empty"),
            ("auth: {s3cret: 1}", "at `auth`: found an object, wanted a list"),
            ("auth: [{name: a}]", "at `auth[0]`: wanted `fixedHeaders` or `loginEndpointAuth`"),
            ("auth: [{name: a, fixedHeader: [s3cret]}]", "at `auth[0]`: unknown field `fixedHeader`"),
            ("auth: [{name: a, fixedHeaders: [s3cret]}]", "at `auth[0].fixedHeaders[0]`: found a text, wanted an object"),
            ("auth: [{name: a, fixedHeaders: [{name: x, value: [s3cret]}]}]", "fixedHeaders[0].value`: found a list"),
            ("auth: [{name: a, loginEndpointAuth: {endpoint: /l, verb: s3cret}}]", "at `auth[0].loginEndpointAuth`: `verb`"),
            ("auth: [{name: a, loginEndpointAuth: {endpoint: /l, verb: GET}}]", "wanted `token` or `expectCookies: true`"),
            ("auth: [s3cret: {", "no valid YAML at line 1"),
            (&YAML.replace("bar", "foo"), "user name `foo` is there twice"),
        ];
        for (text, wanted) in cases {
            let message = load_text("a.yaml", text).expect_err(text);
            assert!(message.contains(wanted) && !message.contains("s3cret"), "{text}: {message}");
        }
        let toml = load_text("a.toml", "auth = 1\nx = s3cret").expect_err("no TOML");
        assert!(toml.contains("line 2") && !toml.contains("s3cret"), "{toml}");
        let json = load_text("a.json", "{\n s3cret").expect_err("no JSON");
        assert!(json.contains("line 2") && !json.contains("s3cret"), "{json}");
    }
}
