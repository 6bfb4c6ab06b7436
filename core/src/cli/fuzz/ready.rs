//! The service when it answers, and what measures it.

use std::path::Path;

use crate::cli::start::Start;
use crate::cli::{Attachment, CliError, Interrupt, Settings, exec_error, tell};
use crate::driver::Driver;
use crate::exec::{HttpSettings, Sut};
use crate::jar::{Framework, Jar, JvmCommand, Scope};

use super::attach::Attach;
use super::plan::start_source;

/// Said where nothing tells the service's own classes from others.
const NOT_TOLD: &str = "packages of the service: nothing tells them, so that all loaded classes but the JDK's are measured \
                        (`--packages` names them, and saves the start anew)\n";

/// A service that answers, with its process and what measures it, where restive has them.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) sut: Option<Sut>,
    pub(super) driver: Option<Driver>,
    /// How it is called.
    pub(super) http: HttpSettings,
    /// Whose classes are measured.
    scope: Scope,
}

impl Ready {
    /// The service that `start` starts, or that runs already, met by its driver.
    pub(super) fn new(settings: &Settings, start: Option<&Start>, interrupt: &Interrupt) -> Result<Self, CliError> {
        let (sut, attach) = match start {
            Some(start) => started(settings, start, interrupt).map(|(sut, attach)| (Some(sut), attach))?,
            None => (None, Attach::plan(settings, None, None)?),
        };
        Self::met(settings, (start, sut), attach, interrupt)
    }

    /// The same started anew, with the classes of `others` measured as well, who serve `n` routes where it serves none.
    pub(super) fn with(
        self,
        settings: &Settings,
        start: &Start,
        (others, n): &(String, u32),
        interrupt: &Interrupt,
    ) -> Result<Self, CliError> {
        let Self { sut, driver, scope, .. } = self;
        let scope = scope.with(others);
        if !settings.output.quiet {
            tell(&measured_as_well(others, *n));
        }
        drop(driver);
        if let Some(mut sut) = sut {
            sut.end();
        }
        let start = start.with_packages(&scope.include)?;
        let (sut, attach) = measured(settings, &start, Some(scope), interrupt)?;
        Self::met(settings, (Some(&start), Some(sut)), attach, interrupt)
    }

    /// A service, and the driver that is waited for.
    fn met(
        settings: &Settings,
        (start, sut): (Option<&Start>, Option<Sut>),
        attach: Option<Attach>,
        interrupt: &Interrupt,
    ) -> Result<Self, CliError> {
        let http = http_of(settings, sut.as_ref());
        let is_container = sut.as_ref().is_some_and(Sut::is_container);
        let scope = attach.as_ref().map(|attach| attach.scope().clone()).unwrap_or_default();
        let met = attach.map(|attach| attach.meet(is_container, &interrupt.stop())).transpose();
        let driver = met.map_err(|error| unless_ended(error, sut.as_ref()))?.flatten();
        let mut ready = Self { sut, driver, http, scope };
        ready.note_on_disk(start.and_then(|start| start.application.as_ref()).map(|application| &application.jar));
        Ok(ready)
    }

    /// Has the driver know how many classes the service has, which is not its jar's where that is a container.
    fn note_on_disk(&mut self, jar: Option<&Jar>) {
        if let (Some(driver), Some(jar), false) = (&mut self.driver, jar, self.sut.as_ref().is_some_and(Sut::is_container)) {
            driver.note_on_disk(jar.own_classes() as u64);
        }
    }
}

/// That the service ended, where that is why it could not be asked.
pub(super) fn unless_ended(error: CliError, sut: Option<&Sut>) -> CliError {
    sut.and_then(Sut::end_at_start).map_or(error, |end| exec_error(&end))
}

/// How the service is called: a certificate that nobody knows of is not checked.
fn http_of(settings: &Settings, sut: Option<&Sut>) -> HttpSettings {
    let insecure = settings.http.insecure || sut.is_some_and(Sut::has_tls);
    HttpSettings { insecure, ..settings.http.clone() }
}

/// The service when it is ready, and what measures it from inside.
///
/// Whose classes are the service's its user tells, or a jar or a command does. Where that is a script or a tool, it is started
/// once without an agent, for what it started tells it.
fn started(settings: &Settings, start: &Start, interrupt: &Interrupt) -> Result<(Sut, Option<Attach>), CliError> {
    let mut scope = scope(settings, start);
    if scope.is_none() && settings.driver.attachment == Attachment::Agent && Sut::IS_SEEN {
        let mut sut = run(settings, start, interrupt)?;
        if !sut.is_jvm() {
            return Ok((sut, None));
        }
        scope = sut.command().and_then(|command| command.scope(&[])).filter(|found| *found != Scope::default());
        if !settings.output.quiet {
            tell(&scope.as_ref().map_or_else(|| NOT_TOLD.to_owned(), measured_anew));
        }
        sut.end();
    }
    measured(settings, start, scope, interrupt)
}

/// The service when it is ready, and what measures these of its classes.
fn measured(
    settings: &Settings,
    start: &Start,
    scope: Option<Scope>,
    interrupt: &Interrupt,
) -> Result<(Sut, Option<Attach>), CliError> {
    let (mut start, logs) = (start.clone(), settings.output.logs());
    let attach = Attach::plan(settings, Some((&mut start.sut, &logs)), scope)?;
    let sut = run(settings, &start, interrupt)?;
    if !sut.silent_contexts().is_empty() {
        tell(&silent_applications(sut.silent_contexts(), &logs));
    }
    Ok((sut, attach))
}

/// The service when it is ready.
fn run(settings: &Settings, start: &Start, interrupt: &Interrupt) -> Result<Sut, CliError> {
    let sut = start.run(&start_source(settings, &settings.output.logs()), &interrupt.stop())?;
    interrupt.kill_on_second(sut.killer());
    sut.await_listening();
    Ok(sut)
}

/// Says where an application is missed.
fn silent_applications(contexts: &[String], logs: &Path) -> String {
    let (contexts, log) = (contexts.join(", "), logs.join("sut.log"));
    format!("warning: nothing is at {contexts}, where an application of that name usually is: {} may tell why\n", log.display())
}

/// Says why the service is started a second time.
fn measured_anew(scope: &Scope) -> String {
    let packages = if scope.include.is_empty() { "all but its libraries".to_owned() } else { scope.include.join(", ") };
    format!(
        "packages of the service: {packages} (found out from what the command started; `--packages` saves the start anew)\n"
    )
}

/// Says why it is, where others serve what it does.
fn measured_as_well(others: &str, n: u32) -> String {
    format!(
        "packages of the service: {others} as well (its classes serve {n} routes, and the service's own none; `--packages` saves \
         the start anew)\n"
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
