//! How calls are made, with whose credentials, and to which operations.

use std::time::Duration;

use toml::Value;

use crate::exec::{AuthFile, AuthSettings, HttpSettings};

use super::super::layers::{Layers, MASK, Origin};
use super::super::sections::{AuthSection, HttpSection, OperationsSection};
use super::super::{CliError, Config, HeaderField, Size, Time};
use super::OperationSettings;

/// Joins and checks `[http]`.
pub(super) fn pick_http(
    layers: &mut Layers,
    typed: HttpSection,
    config: &Config,
    base_url: Option<String>,
) -> Result<HttpSettings, CliError> {
    let file = &config.http;
    let time_limit = layers.pick_or("http.time-limit", typed.time_limit, file.time_limit, Time(Duration::from_secs(10)));
    let max_rate = layers.pick("http.max-rate", typed.max_rate, file.max_rate, None);
    if let Some(rate) = max_rate.filter(|rate| !rate.is_finite() || *rate <= 0.0) {
        let place = super::place(layers, "http.max-rate");
        return Err(CliError::usage(format!("found {rate} for {place}, wanted a number of calls a second above 0"))
            .hint("leave it out for no limit; `0.5` is a call every two seconds"));
    }
    let headers = pick_headers(layers, typed.header, &file.header);
    let max_body = layers.pick_or("http.max-body", typed.max_body, file.max_body, Size(1_000_000));
    let insecure = layers.pick_or("http.insecure", typed.insecure, file.insecure, false);
    Ok(HttpSettings {
        base_url,
        time_limit: time_limit.0,
        max_body_bytes: usize::try_from(max_body.0).unwrap_or(usize::MAX),
        max_rate,
        headers,
        insecure,
    })
}

/// Header fields of the file, with those of flags in place of fields of the same name.
fn pick_headers(layers: &mut Layers, typed: Vec<HeaderField>, file: &[HeaderField]) -> Vec<(String, String)> {
    let is_typed = |name: &str| typed.iter().any(|field| field.0.eq_ignore_ascii_case(name));
    let kept: Vec<HeaderField> = file.iter().filter(|field| !is_typed(&field.0)).cloned().collect();
    let origin = joined_origin(layers, "http.header", !typed.is_empty(), !kept.is_empty());
    let fields: Vec<(String, String)> = kept.into_iter().chain(typed).map(|field| (field.0, field.1)).collect();
    let shown: toml::Table = fields
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(if crate::report::is_secret_name(name) { MASK } else { value })))
        .collect();
    layers.record("http.header", (!shown.is_empty()).then_some(Value::Table(shown)), origin);
    fields
}

/// The origin of a list whose parts may come from two layers.
pub(super) fn joined_origin(layers: &Layers, key: &str, typed: bool, file: bool) -> Origin {
    match (typed, file) {
        (true, true) => Origin::Joined,
        (true, false) => layers.typed_origin(key),
        (false, true) => Origin::File,
        (false, false) => Origin::Default,
    }
}

/// Joins and checks `[auth]`.
pub(super) fn pick_auth(layers: &mut Layers, typed: AuthSection, config: &Config) -> Result<AuthSettings, CliError> {
    let in_file = config.auth.auth_file.as_deref().map(|path| config.resolve(path));
    let file = layers.pick("auth.file", typed.auth_file, in_file, None);
    let bearer = layers.pick_secret("auth.bearer", typed.bearer, config.auth.bearer.clone());
    let basic = layers.pick_secret("auth.basic", typed.basic, config.auth.basic.clone());
    let unusable = |text: &Option<String>| text.as_ref().is_some_and(|text| text.is_empty() || text.contains(char::is_control));
    if unusable(&bearer) {
        let place = super::place(layers, "auth.bearer");
        return Err(CliError::usage(format!("the token of {place} is empty or has control characters"))
            .hint("give the token alone, without `Bearer` before it and without a line break"));
    }
    if unusable(&basic) || basic.as_ref().is_some_and(|text| !text.contains(':')) {
        let place = super::place(layers, "auth.basic");
        return Err(CliError::usage(format!("the credentials of {place} are not of the form `user:password`"))
            .hint("`--bearer` takes a token, `--auth-file` everything else"));
    }
    Ok(AuthSettings { file: file.map(AuthFile::Path), bearer, basic })
}

/// Joins `[operations]`: typed inclusions replace those of the file, exclusions add up so that none is lost.
pub(super) fn pick_operations(layers: &mut Layers, typed: OperationsSection, config: &Config) -> OperationSettings {
    let file = &config.operations;
    let some = |list: Vec<String>| (!list.is_empty()).then_some(list);
    let include = layers.pick("operations.include", some(typed.include), some(file.include.clone()), None);
    let origin = joined_origin(layers, "operations.exclude", !typed.exclude.is_empty(), !file.exclude.is_empty());
    let exclude: Vec<String> = file.exclude.iter().cloned().chain(typed.exclude).collect();
    layers.record("operations.exclude", some(exclude.clone()).map(Value::from), origin);
    let changed_since = layers.pick("operations.changed-since", typed.changed_since, file.changed_since.clone(), None);
    OperationSettings { include: include.unwrap_or_default(), exclude, changed_since }
}
