//! From a plan to a campaign that can start: service up, schema loaded, operations chosen, users logged in.

use std::path::Path;
use std::time::Duration;

use url::Url;

use crate::action::UserIdx;
use crate::api::{Api, Skipped};
use crate::cli::start::Start;
use crate::cli::{
    Attachment, BaseUrl, BaseUrlSources, CliError, Interrupt, OperationFilter, OutputFolder, SchemaSource, Settings,
    exec_error, schema_error, tell,
};
use crate::driver::Driver;
use crate::exec::{BAD_REQUEST, Client, HttpSettings, Resetter, Service, Stop, Sut, Users, wants_tls};
use crate::jar::{Framework, Jar, JvmCommand, Scope};
use crate::openapi::{self, Route};

use super::Campaign;
use super::attach::Attach;
use super::changed;
use super::discover::{self, Registered};
use super::fetch::Fetcher;
use super::find_base;
use super::find_schema::Search;
use super::plan::{Plan, start_source};

/// How long a look at whether a path is there may take.
const PROBE_LIMIT: Duration = Duration::from_secs(2);

/// Everything a search needs.
pub fn prepare<'a>(
    settings: &'a Settings,
    plan: Plan,
    folder: OutputFolder,
    interrupt: &Interrupt,
) -> Result<Campaign<'a>, CliError> {
    let stop = interrupt.stop();
    let Plan { mut changes, schema: early, users, mut start } = plan;
    let logs = settings.output.logs();
    let (sut, attach) = match &mut start {
        Some(start) => started(settings, start, &logs, interrupt).map(|(sut, attach)| (Some(sut), attach))?,
        None => (None, Attach::plan(settings, None, None)?),
    };
    let http = http_of(settings, sut.as_ref());
    let met = attach.map(|attach| attach.meet(sut.as_ref().is_some_and(Sut::is_container), &stop)).transpose();
    let mut driver = met.map_err(|error| unless_ended(error, sut.as_ref()))?.flatten();
    let port = sut.as_ref().map(Sut::port);
    let jar = start.as_ref().and_then(|start| start.application.as_ref()).map(|application| &application.jar);
    note_on_disk(driver.as_mut(), jar, sut.as_ref());
    let server = sut.as_ref().map(Sut::base_url).or(settings.http.base_url.as_deref());
    let fetcher = Fetcher { http: &http, server, users: &users, stop: &stop };
    let mut registered = Registered::new(settings, driver.as_mut(), fetcher);
    let routes = registered.wanted().to_vec();
    let search = search((settings, &http), (sut.as_ref(), jar), &folder, &stop)?;
    let loaded = match (early.filter(|_| routes.is_empty()), search) {
        (Some(loaded), _) => Ok(loaded),
        (None, Some(search)) => searched(settings, fetcher, &search, (&mut registered, &routes)),
        (None, None) => load_at(settings, fetcher, (port, &routes)),
    };
    let (source, (api, left_out)) = loaded.map_err(|error| unless_ended(error, sut.as_ref()))?;
    if let Some(changes) = changes.as_mut().filter(|_| settings.resumed.is_none()) {
        let load = |location: &str| fetcher.fetch(location, &routes);
        changes.described = changed::described(&changes.since, &api, &source, load)?;
    }
    if !settings.output.quiet {
        discover::announce(&api);
    }
    let mut likely = || likely_paths(jar, &api, &source, &mut registered);
    let base_url = Some(base_url((settings, fetcher), sut.as_ref(), (&api, &source, &mut likely))?);
    let http = HttpSettings { base_url, ..http };
    let mut service = service(settings, &http, (sut, driver, users), stop)?;
    let is_quiet = settings.output.quiet;
    let preferred = changes.as_ref().map(|changes| changed::changed(changes, service.driver.as_mut(), &api, is_quiet));
    let preferred = preferred.unwrap_or_default();
    Ok(Campaign { settings, folder, api, left_out, service, changes, preferred })
}

/// Has the driver know how many classes the service has, which is not its jar's where that is a container.
fn note_on_disk(driver: Option<&mut Driver>, jar: Option<&Jar>, sut: Option<&Sut>) {
    if let (Some(driver), Some(jar), false) = (driver, jar, sut.is_some_and(Sut::is_container)) {
        driver.note_on_disk(jar.own_classes() as u64);
    }
}

/// How the service is called: a certificate that nobody knows of is not checked.
fn http_of(settings: &Settings, sut: Option<&Sut>) -> HttpSettings {
    let insecure = settings.http.insecure || sut.is_some_and(Sut::has_tls);
    HttpSettings { insecure, ..settings.http.clone() }
}

/// The service at its base URL with all users logged in, as it is before a test, with its process and what measures it,
/// where restive has them.
fn service(
    settings: &Settings,
    http: &HttpSettings,
    (sut, driver, mut users): (Option<Sut>, Option<Driver>, Users),
    stop: Stop,
) -> Result<Service, CliError> {
    let (client, status) = probe(http, &stop).map_err(|error| unless_ended(error, sut.as_ref()))?;
    if status == Some(BAD_REQUEST) && wants_tls(client.base_url(), &stop).map_err(|error| exec_error(&error))? {
        let url = client.base_url().replacen("http", "https", 1);
        tell(&format!("warning: calls without TLS are refused, and those with it are answered: `--url {url}`\n"));
    }
    log_in(&mut users, &client)?;
    let mut resetter = Resetter::new(&settings.reset, &client).map_err(|error| exec_error(&error))?;
    let mut service = Service { sut, driver, ..Service::new(client, users, stop) };
    resetter.reset(&service.client, service.sut.as_mut()).map_err(|error| exec_error(&error))?;
    service.resetter = resetter;
    Ok(service)
}

/// What calls the service, and the status that it answered with where that is known.
fn probe(http: &HttpSettings, stop: &Stop) -> Result<(Client, Option<u16>), CliError> {
    let client = Client::new(http, stop).map_err(|error| exec_error(&error))?;
    let status = client.probe().map_err(|error| exec_error(&error))?;
    Ok((client, status))
}

/// That the service ended, where that is why it could not be asked.
fn unless_ended(error: CliError, sut: Option<&Sut>) -> CliError {
    sut.and_then(Sut::end_at_start).map_or(error, |end| exec_error(&end))
}

/// Where a document came from, what of it is fuzzed, and what is not.
pub(super) type Loaded = (SchemaSource, (Api, Vec<Skipped>));

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
    let is_guess = if settings.jar.is_some() { given.is_none() } else { settings.schema.is_none() };
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
        tell(&format!("base URL: {base} (found out: everything is 404 below {documented}{way_out})\n"));
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

/// The service when it is ready, and what measures it from inside.
///
/// Whose classes are the service's its user tells, or a jar or a command does. Where that is a script or a tool, it is started
/// once without an agent, for what it started tells it.
fn started(
    settings: &Settings,
    start: &mut Start,
    logs: &Path,
    interrupt: &Interrupt,
) -> Result<(Sut, Option<Attach>), CliError> {
    let source = start_source(settings, logs);
    let run = |start: &Start| -> Result<Sut, CliError> {
        let sut = start.run(&source, &interrupt.stop())?;
        interrupt.kill_on_second(sut.killer());
        sut.await_listening();
        Ok(sut)
    };
    let mut scope = scope(settings, start);
    if scope.is_none() && settings.driver.attachment == Attachment::Agent && Sut::IS_SEEN {
        let mut sut = run(start)?;
        if !sut.is_jvm() {
            return Ok((sut, None));
        }
        scope = sut.command().and_then(|command| command.scope(&[])).filter(|found| *found != Scope::default());
        if !settings.output.quiet {
            tell(&scope.as_ref().map_or_else(|| NOT_TOLD.to_owned(), measured_anew));
        }
        sut.end();
    }
    let attach = Attach::plan(settings, Some((&mut start.sut, logs)), scope)?;
    let sut = run(start)?;
    if !sut.silent_contexts().is_empty() {
        tell(&silent_applications(sut.silent_contexts(), logs));
    }
    Ok((sut, attach))
}

/// Says where an application is missed.
fn silent_applications(contexts: &[String], logs: &Path) -> String {
    let (contexts, log) = (contexts.join(", "), logs.join("sut.log"));
    format!("warning: nothing is at {contexts}, where an application of that name usually is: {} may tell why\n", log.display())
}

/// Said where nothing tells the service's own classes from others.
const NOT_TOLD: &str = "packages of the service: nothing tells them, so that all loaded classes but the JDK's are measured \
                        (`--packages` names them, and saves the start anew)\n";

/// Says why the service is started a second time.
fn measured_anew(scope: &Scope) -> String {
    let packages = if scope.include.is_empty() { "all but its libraries".to_owned() } else { scope.include.join(", ") };
    format!(
        "packages of the service: {packages} (found out from what the command started; `--packages` saves the start anew)\n"
    )
}

/// Whose classes are the service's, as far as that is known before it is started.
fn scope(settings: &Settings, start: &Start) -> Option<Scope> {
    let folder = start.sut.working_directory.clone().unwrap_or_default();
    let command = JvmCommand { words: start.sut.command.clone(), folder, open: None };
    let of_jar = start.application.as_ref().map(|application| {
        let is_container = application.jar.framework.value == Framework::Other;
        let served = is_container.then(|| command.served(&settings.packages)).flatten();
        served.unwrap_or_else(|| application.jar.scope())
    });
    let of_command = || command.scope(&settings.packages);
    let of_user = || {
        let include = settings.packages.clone();
        (!include.is_empty()).then_some(Scope { include, exclude: Vec::new() })
    };
    of_jar.or_else(of_command).or_else(of_user)
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

/// All users, each logged in once, so that wrong credentials show before the search.
fn log_in(users: &mut Users, client: &Client) -> Result<(), CliError> {
    for idx in 0..users.len() {
        let user_idx = UserIdx(u16::try_from(idx).expect("user numbers fit in 16 bits"));
        users.credentials(user_idx, client).map_err(|error| exec_error(&error))?;
    }
    Ok(())
}
