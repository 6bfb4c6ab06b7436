//! Where the service is, how it is started and how it is reset.

use std::net::TcpListener;
use std::time::Duration;

use toml::Value;
use url::{Host, Url};

use crate::api::Verb;
use crate::exec::{Ready, Reset, ResetSettings, SutSettings};
use crate::openapi;

use super::super::layers::{Layers, MASK, Origin};
use super::super::sections::{ResetSection, SutSection};
use super::super::{BaseUrl, CliError, Config, SchemaSource, Size, Time};

/// The placeholder for the port of a started service.
const PORT: &str = "{port}";

/// How long a service may take to become ready: large ones take half a minute on a machine that has nothing else to do, and
/// build tools compile first.
const START_LIMIT: Duration = Duration::from_mins(3);

/// Where the interface and the service are.
pub(super) struct Source {
    pub(super) base_url: Option<String>,
    pub(super) schema: Option<SchemaSource>,
}

/// Joins and checks base URL and schema.
pub(super) fn pick_source(layers: &mut Layers, typed: &SutSection, config: &Config) -> Result<Source, CliError> {
    let base_url = pick_base_url(layers, typed, config)?;
    let in_file = config.sut.schema.as_deref().map(|text| match SchemaSource::from_text(text) {
        SchemaSource::File(path) => config.resolve(&path).to_string_lossy().into_owned(),
        SchemaSource::Url(url) => url,
    });
    let shown = |location: &str| match SchemaSource::from_text(location) {
        SchemaSource::Url(url) => openapi::shown(&url),
        SchemaSource::File(_) => location.to_owned(),
    };
    let schema = layers.pick_shown_as("sut.schema", typed.schema.clone(), in_file, shown);
    let sut = &config.sut;
    let has_service = base_url.is_some()
        || [&typed.jar, &sut.jar].into_iter().any(Option::is_some)
        || [&typed.command, &sut.command].into_iter().any(Option::is_some);
    if schema.is_none() && !has_service {
        return Err(CliError::usage("nothing says which service is to be fuzzed").hint(
            "`restive fuzz --url http://127.0.0.1:8080` for one that runs, `restive fuzz --jar app.jar` for one to start: their \
             schema is looked for, or is what `--schema FILE|URL` says; `restive demo` needs none of these",
        ));
    }
    Ok(Source { base_url, schema: schema.map(|schema| SchemaSource::from_text(&schema)) })
}

/// Joins and checks the base URL.
pub(super) fn pick_base_url(layers: &mut Layers, typed: &SutSection, config: &Config) -> Result<Option<String>, CliError> {
    let base_url = layers.pick("sut.url", typed.url.clone(), config.sut.url.clone(), None);
    if let Some(base_url) = &base_url {
        BaseUrl::check(base_url).map_err(|error| error.into_cli(&super::place(layers, "sut.url")))?;
    }
    Ok(base_url)
}

/// `{port}` means something only when restive starts the service.
pub(super) fn refuse_port_placeholder(base_url: Option<&str>, schema: Option<&SchemaSource>) -> Result<(), CliError> {
    let schema_url = if let Some(SchemaSource::Url(url)) = schema { url } else { "" };
    match base_url.into_iter().chain([schema_url]).find(|text| text.contains(PORT)) {
        None => Ok(()),
        Some(text) => Err(CliError::usage(format!("`{text}` has the placeholder `{PORT}`, but no service is started"))
            .hint("write the port of the running service, or give `--jar` or `--command` to start it")),
    }
}

/// A jar is started on this machine: a base URL elsewhere is that of another service.
pub(super) fn refuse_other_machine(base_url: Option<&str>) -> Result<(), CliError> {
    let Some(url) = base_url.and_then(|url| Url::parse(&url.replace(PORT, "1")).ok()) else { return Ok(()) };
    // Only an address of this machine can be listened on; a name may mean this machine.
    let is_elsewhere = match url.host() {
        Some(Host::Ipv4(address)) => TcpListener::bind((address, 0)).is_err(),
        Some(Host::Ipv6(address)) => TcpListener::bind((address, 0)).is_err(),
        Some(Host::Domain(_)) | None => false,
    };
    if !is_elsewhere {
        return Ok(());
    }
    let host = url.host_str().unwrap_or_default();
    Err(CliError::usage(format!("a jar is started on this machine, but the base URL names `{host}`"))
        .hint("leave out `--jar` to fuzz what runs there, or `--url` to find out where the jar listens"))
}

/// Joins and checks how the service is started; the command of a jar is left empty.
pub(super) fn pick_sut(
    layers: &mut Layers,
    typed: &SutSection,
    config: &Config,
    has_jar: bool,
) -> Result<Option<SutSettings>, CliError> {
    let file = &config.sut;
    let in_file = file.command.clone().filter(|_| !has_jar);
    let command = layers.pick("sut.command", typed.command.clone(), in_file, None);
    // A command of the file is meant from where the file is.
    let beside_file = (layers.origin_of("sut.command") == Origin::File && !config.folder.as_os_str().is_empty())
        .then(|| config.folder.clone());
    let env = pick_env(layers, typed, file);
    let in_file = file.working_directory.as_deref().map(|path| config.resolve(path));
    let working_directory = layers.pick("sut.working-directory", typed.working_directory.clone(), in_file, beside_file);
    let fresh_folder = layers.pick("sut.fresh-folder", typed.fresh_folder, file.fresh_folder, None) == Some(true);
    if fresh_folder && matches!(layers.origin_of("sut.working-directory"), Origin::Flag | Origin::Environment | Origin::File) {
        return Err(CliError::usage(
            "a working directory and `fresh-folder` are given: one place to start the service in is wanted",
        )
        .hint("leave out one of them"));
    }
    let port = layers.pick("sut.port", typed.port, file.port, None);
    let ready = pick_ready(layers, typed, file)?;
    let start_limit = layers.pick_or("sut.start-limit", typed.start_limit, file.start_limit, Time(START_LIMIT));
    let max_log = layers.pick_or("sut.max-log", typed.max_log, file.max_log, Size(10_000_000));
    let Some(command) = command.map(|command| command.0).or_else(|| has_jar.then(Vec::new)) else {
        return refuse_without_command(layers, ready.is_some()).map(|()| None);
    };
    Ok(Some(SutSettings {
        command,
        env,
        working_directory,
        fresh_folder,
        port,
        ready: ready.unwrap_or(Ready::Port),
        start_limit: start_limit.0,
        max_log_bytes: max_log.0,
        notice_port: has_jar,
    }))
}

fn refuse_without_command(layers: &Layers, ready: bool) -> Result<(), CliError> {
    let set = ["sut.env", "sut.packages", "sut.working-directory", "sut.fresh-folder", "sut.port"]
        .into_iter()
        .find(|key| layers.origin_of(key) != Origin::Default);
    // These have defaults, which a file saved from `--show-config` spells out.
    let is_typed = |key: &&str| matches!(layers.origin_of(key), Origin::Flag | Origin::Environment);
    let set = set.or_else(|| ["sut.start-limit", "sut.max-log"].into_iter().find(is_typed));
    let Some(place) = set.map(|key| super::place(layers, key)).or_else(|| ready.then(|| "a `ready-…` setting".to_owned()))
    else {
        return Ok(());
    };
    Err(CliError::usage(format!("{place} is of use only when restive starts the service"))
        .hint("add `--jar` or `--command`, or leave it out for a service that runs already"))
}

/// Variables of the file, with typed ones in place of those of the same name.
fn pick_env(layers: &mut Layers, typed: &SutSection, file: &SutSection) -> Vec<(String, String)> {
    let is_typed = |name: &str| typed.env.iter().any(|variable| variable.0 == name);
    let kept: Vec<_> = file.env.iter().filter(|variable| !is_typed(&variable.0)).collect();
    let origin = super::calls::joined_origin(layers, "sut.env", !typed.env.is_empty(), !kept.is_empty());
    let env: Vec<(String, String)> =
        kept.into_iter().chain(&typed.env).map(|variable| (variable.0.clone(), variable.1.clone())).collect();
    let shown: toml::Table = env
        .iter()
        .map(|(name, value)| (name.clone(), Value::from(if crate::report::is_secret_name(name) { MASK } else { value })))
        .collect();
    layers.record("sut.env", (!shown.is_empty()).then_some(Value::Table(shown)), origin);
    env
}

/// One of three ways to be ready; a way from a higher layer puts aside those below.
fn pick_ready(layers: &mut Layers, typed: &SutSection, file: &SutSection) -> Result<Option<Ready>, CliError> {
    let typed_set = typed.ready_log.is_some() || typed.ready_path.is_some() || typed.ready_port == Some(true);
    let none = SutSection::default();
    let file = if typed_set { &none } else { file };
    let log = layers.pick("sut.ready-log", typed.ready_log.clone(), file.ready_log.clone(), None);
    let path = layers.pick("sut.ready-path", typed.ready_path.clone(), file.ready_path.clone(), None);
    let port = layers.pick("sut.ready-port", typed.ready_port, file.ready_port, None) == Some(true);
    match (log, path, port) {
        (None, None, false) => Ok(None),
        (Some(text), None, false) => Ok(Some(Ready::LogLine(text))),
        (None, Some(path), false) => Ok(Some(Ready::HttpPath(format!("/{}", path.trim_start_matches('/'))))),
        (None, None, true) => Ok(Some(Ready::Port)),
        _ => Err(CliError::usage("found several of `ready-log`, `ready-path` and `ready-port`, wanted one")
            .hint("keep the one that becomes true last")),
    }
}

/// Joins and checks `[reset]`; a way from a higher layer puts aside those below.
pub(super) fn pick_reset(
    layers: &mut Layers,
    typed: ResetSection,
    file: &ResetSection,
    started: bool,
) -> Result<ResetSettings, CliError> {
    let none = ResetSection::default();
    let below = if ways(&typed) > 0 { &none } else { file };
    if ways(&typed) > 1 || ways(below) > 1 {
        return Err(CliError::usage(
            "found several ways to reset the service, wanted one of `http`, `command`, `restart`, `never`",
        )
        .hint("keep the fastest one that brings back the first state"));
    }
    let http = layers.pick("reset.http", typed.reset_http, below.reset_http.clone(), None);
    let command = layers.pick("reset.command", typed.reset_command, below.reset_command.clone(), None);
    let restart = layers.pick("reset.restart", typed.reset_restart, below.reset_restart, None) == Some(true);
    layers.pick("reset.never", typed.reset_never, below.reset_never, None);
    let limit = layers.pick_or("reset.limit", typed.reset_limit, file.reset_limit, Time(Duration::from_secs(30)));
    let reset = match (http, command, restart) {
        (Some(call), ..) => parse_call(&call).ok_or_else(|| {
            CliError::usage(format!("found `{call}` for {}, wanted a verb and a path", super::place(layers, "reset.http")))
                .hint("for example `POST /reset`")
        })?,
        (None, Some(command), _) => Reset::Command(command.0),
        (None, None, true) if !started => {
            return Err(CliError::usage("the service cannot be restarted between tests: restive does not start it")
                .hint("add `--command`, or reset by `--reset-http` or `--reset-command`"));
        }
        (None, None, true) => Reset::Restart,
        (None, None, false) => Reset::Never,
    };
    Ok(ResetSettings { reset, limit: limit.0 })
}

fn ways(section: &ResetSection) -> usize {
    let switches = [section.reset_restart, section.reset_never].into_iter().filter(|switch| *switch == Some(true)).count();
    usize::from(section.reset_http.is_some()) + usize::from(section.reset_command.is_some()) + switches
}

/// `POST /reset`: a verb and a path or an absolute URL.
fn parse_call(text: &str) -> Option<Reset> {
    let (verb, url) = text.trim().split_once(char::is_whitespace)?;
    let url = url.trim();
    let is_place = url.starts_with('/') || url.starts_with("http://") || url.starts_with("https://");
    let verb = Verb::from_name(verb)?;
    is_place.then(|| Reset::Http { verb: verb.name().to_owned(), url: url.to_owned() })
}
