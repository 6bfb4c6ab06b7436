//! The interface of a service that answers: its document, or what its framework's routes make, and below which URL it is.

use std::time::Duration;

use url::Url;

use crate::api::{Api, Skipped};
use crate::changes::Changes;
use crate::cli::{
    BaseUrl, BaseUrlSources, CliError, OperationFilter, OutputFolder, SchemaSource, Settings, exec_error, schema_error, tell,
};
use crate::exec::{Client, HttpSettings, Stop, Sut, Users};
use crate::jar::Jar;
use crate::openapi::{self, Route};

use super::changed;
use super::discover::{self, Registered};
use super::fetch::Fetcher;
use super::find_base;
use super::find_schema::Search;
use super::prepare::probe;
use super::ready::{Ready, unless_ended};

/// How long a look at whether a path is there may take.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// Where a document came from, what of it is fuzzed, and what is not.
pub(super) type Loaded = (SchemaSource, (Api, Vec<Skipped>));

/// What is called, and where.
#[derive(Debug)]
pub(super) struct Interface {
    /// What of it is fuzzed.
    pub(super) api: Api,
    /// What is not.
    pub(super) left_out: Vec<Skipped>,
    /// The URL that all calls go below.
    pub(super) base_url: String,
}

/// Finds the interface of a service.
#[derive(Debug, Clone, Copy)]
pub(super) struct Finder<'a> {
    pub(super) settings: &'a Settings,
    pub(super) users: &'a Users,
    /// Output folder.
    pub(super) folder: &'a OutputFolder,
    /// The service's jar, where it is one.
    pub(super) jar: Option<&'a Jar>,
    pub(super) stop: &'a Stop,
}

/// Why there is none.
#[derive(Debug)]
pub(super) struct Missing {
    /// What is said of it.
    pub(super) error: CliError,
    /// Whose classes serve routes where none of the service's does, and how many.
    pub(super) others: Option<(String, u32)>,
}

impl From<CliError> for Missing {
    fn from(error: CliError) -> Self {
        Self { error, others: None }
    }
}

impl Finder<'_> {
    /// The interface of a service that answers, where its document is not `early` known from a file; `changes` are told which
    /// operations it describes anew.
    pub(super) fn find(
        &self,
        ready: &mut Ready,
        early: Option<Loaded>,
        changes: Option<&mut Changes>,
    ) -> Result<Interface, Missing> {
        let Self { settings, users, folder, jar, stop } = *self;
        let Ready { sut, driver, http, .. } = ready;
        let sut = sut.as_ref();
        let server = sut.map(Sut::base_url).or(settings.http.base_url.as_deref());
        let fetcher = Fetcher { http, server, users, stop };
        let mut registered = Registered::new(settings, driver.as_mut(), fetcher);
        let routes = registered.wanted().to_vec();
        let search = search((settings, http), (sut, jar), folder, stop)?;
        let loaded = match (early.filter(|_| routes.is_empty()), search) {
            (Some(loaded), _) => Ok(loaded),
            (None, Some(search)) => searched(settings, fetcher, &search, (&mut registered, &routes)),
            (None, None) => load_at(settings, fetcher, (sut.map(Sut::port), &routes)),
        };
        let missing = |error| Missing { error: unless_ended(error, sut), others: registered.of_others() };
        let (source, (api, left_out)) = loaded.map_err(missing)?;
        if let Some(changes) = changes.filter(|_| settings.resumed.is_none()) {
            let load = |location: &str| fetcher.fetch(location, &routes);
            changes.described = changed::described(&changes.since, &api, &source, load)?;
        }
        if !settings.output.quiet {
            discover::announce(&api);
        }
        let mut likely = || likely_paths(jar, &api, &source, &mut registered);
        let base_url = base_url((settings, fetcher), sut, (&api, &source, &mut likely))?;
        Ok(Interface { api, left_out, base_url })
    }
}

/// The URL that all calls go below: as given, else as the document or the started service says, or below a path that is
/// likely.
fn base_url(
    (settings, fetcher): (&Settings, Fetcher<'_>),
    sut: Option<&Sut>,
    (api, schema, likely): (&Api, &SchemaSource, &mut dyn FnMut() -> Vec<String>),
) -> Result<String, CliError> {
    let given = settings.http.base_url.as_deref();
    let (port, has_tls) = (sut.map(Sut::port), sut.is_some_and(Sut::has_tls));
    let base = BaseUrl::resolve(&BaseUrlSources { given, port, has_tls, servers: &api.servers, schema })?;
    // The document of a jar may be wrong about where its interface is, and so may be a user who has given a host alone.
    let is_guess = match settings.jar {
        Some(_) => given.is_none(),
        None => settings.schema.is_none() || base.warning.is_some(),
    };
    let other = if is_guess { other_base((settings, fetcher), (&base.url, likely), api)? } else { None };
    if let Some(warning) = base.warning.filter(|_| other.is_none()) {
        tell(&format!("warning: {warning}\n"));
    }
    Ok(other.unwrap_or(base.url))
}

/// Paths below which the service may answer, without a slash at their end: as settings in its jar say, as its routes tell,
/// those above its document, those of its server's applications, and those of the servers that its document names, by
/// themselves and below these.
fn likely_paths(jar: Option<&Jar>, api: &Api, source: &SchemaSource, registered: &mut Registered<'_>) -> Vec<String> {
    let served = jar.and_then(|jar| jar.served.base.as_ref()).map(|path| path.value.clone());
    let in_front = openapi::path_in_front(api, registered.all());
    let root = Url::parse("http://localhost/").ok();
    let servers = api.servers.iter().filter_map(|server| root.as_ref()?.join(server).ok());
    let servers: Vec<String> = servers.map(|url| url.path().trim_end_matches('/').to_owned()).collect();
    let above: Vec<String> = source.paths_above().into_iter().chain(registered.bases().iter().cloned()).collect();
    let below: Vec<String> = above.iter().flat_map(|base| servers.iter().map(move |path| format!("{base}{path}"))).collect();
    served.into_iter().chain(in_front).chain(above).chain(below).chain(servers).collect()
}

/// A base URL below which the service answers, when it does not below that of its document.
fn other_base(
    (settings, fetcher): (&Settings, Fetcher<'_>),
    (documented, likely): (&str, &mut dyn FnMut() -> Vec<String>),
    api: &Api,
) -> Result<Option<String>, CliError> {
    let Some((root, url_path)) = Url::parse(documented).ok().and_then(|url| {
        let root = url.join("/").ok()?;
        Some((root.as_str().trim_end_matches('/').to_owned(), url.path().trim_end_matches('/').to_owned()))
    }) else {
        return Ok(None);
    };
    let http = HttpSettings { base_url: Some(root.clone()), headers: fetcher.usual_headers(), ..fetcher.http.clone() };
    let client = Client::new(&http, fetcher.stop).map_err(|error| exec_error(&error))?;
    let found = find_base::find(&url_path, likely, api, &mut |url_path| client.status_of(url_path, PROBE_LIMIT));
    let found = found.map(|base| format!("{root}{base}"));
    if let Some(base) = found.as_ref().filter(|_| !settings.output.quiet) {
        let documented = documented.trim_end_matches('/');
        let way_out = if settings.http.base_url.is_none() { "; `--url` names another" } else { "" };
        tell(&format!("base URL: {base} (found out: no operation is served below {documented}{way_out})\n"));
    }
    Ok(found)
}

/// Where the interface is looked for; none where its user says where it is.
fn search<'a>(
    (settings, http): (&'a Settings, &HttpSettings),
    (sut, jar): (Option<&'a Sut>, Option<&'a Jar>),
    folder: &'a OutputFolder,
    stop: &Stop,
) -> Result<Option<Search<'a>>, CliError> {
    if settings.schema.is_some() {
        return Ok(None);
    }
    if sut.is_none() {
        // One that is not there is asked once, and not at each place.
        probe(http, stop)?;
    }
    let base_url = sut.map(Sut::base_url).or(settings.http.base_url.as_deref());
    let base_url = base_url.expect("settings without a schema have a service");
    Ok(Some(Search { base_url, jar, out: &folder.path, quiet: settings.output.quiet }))
}

/// The interface that is found where services offer theirs, with operations for `routes` that it lacks.
fn searched(
    settings: &Settings,
    fetcher: Fetcher<'_>,
    search: &Search<'_>,
    (registered, routes): (&mut Registered<'_>, &[Route]),
) -> Result<Loaded, CliError> {
    let (source, api) = search.run(registered, &mut |location| fetcher.fetch(location, routes))?;
    Ok((source, filtered(settings, api)?))
}

/// The interface at the place that the settings name, in which `{port}` stands for that of a started service, with
/// operations for `routes` that it lacks.
fn load_at(settings: &Settings, fetcher: Fetcher<'_>, (port, routes): (Option<u16>, &[Route])) -> Result<Loaded, CliError> {
    let source = settings.schema.as_ref().expect("without a schema in the settings one is looked for");
    let source = port.map_or_else(|| source.clone(), |port| source.with_port(port));
    let loaded = load(settings, fetcher, &source, routes)?;
    Ok((source, loaded))
}

/// The interface that `source` describes, without what the user's filters leave out.
pub(super) fn load(
    settings: &Settings,
    fetcher: Fetcher<'_>,
    source: &SchemaSource,
    routes: &[Route],
) -> Result<(Api, Vec<Skipped>), CliError> {
    filtered(settings, fetcher.fetch(&source.to_string(), routes)?.map_err(|error| schema_error(&error))?)
}

/// The interface without what the user's filters leave out.
fn filtered(settings: &Settings, mut api: Api) -> Result<(Api, Vec<Skipped>), CliError> {
    let left_out = OperationFilter::new(&settings.operations).apply(&mut api)?;
    Ok((api, left_out))
}
