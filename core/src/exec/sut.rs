//! The service under test as a process of ours: started, awaited, watched, started anew, ended.
//!
//! [`Sut::start`] is the entry point. A service that runs already (`--url`) has no [`Sut`]; calls are sent by
//! [`super::Client`].

mod container;
pub(crate) mod crash;
mod family;
mod fresh;
mod left;
mod listening;
mod log;
mod output;
mod port;
mod process;
mod quick_start;
mod ready;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::jar::JvmCommand;

use super::{Error, Ready, Stop, SutSettings, wants_tls};
use container::Container;
use family::{Family, MARK_VARIABLE};
use fresh::FreshFolder;
use log::RotatingLog;
use process::Group;
use ready::Readiness;

pub(crate) use output::Output;
pub use process::Killer;
pub(crate) use process::{Ending, Group as ProcessGroup};
pub use quick_start::compiling_quickly;

/// How long the service may take to end by itself before it is killed; time for shutdown hooks and coverage dumps.
const GRACE: Duration = Duration::from_secs(5);
/// How often it is looked whether it has.
const GLANCE: Duration = Duration::from_millis(20);

/// How long a port may stay taken after the process that held it ended.
const PORT_RELEASE: Duration = Duration::from_secs(5);

/// How long a service may take to listen after the output line that says it is ready, within its time for starting.
const LISTEN_GRACE: Duration = Duration::from_secs(10);

/// A service that restive started; it ends, with everything it started itself, when this is dropped.
#[derive(Debug)]
pub struct Sut {
    settings: SutSettings,
    /// Where it works, when that is to be empty at each start.
    fresh_folder: Option<FreshFolder>,
    /// With `{port}` still in it.
    url_template: String,
    base_url: String,
    /// Whether it speaks TLS; none while nobody has said or looked.
    speaks_tls: Option<bool>,
    /// Its applications, where it is a container of them.
    container: Container,
    /// What it was told.
    given_port: u16,
    /// What it listens on.
    port: u16,
    /// Where it was seen to speak HTTP as well.
    other_ports: BTreeSet<u16>,
    log_folder: PathBuf,
    log: Arc<Mutex<RotatingLog>>,
    group: Group,
    /// What its environment tells its processes by.
    mark: String,
    /// What the JVM of a process that ended left behind, once it was looked for.
    crash: OnceLock<Option<String>>,
    output: Output,
    killer: Killer,
    restarts: u64,
    /// How long it took to become ready the last time.
    start_time: Duration,
    stop: Stop,
}

impl Sut {
    /// Starts the service and waits until it is ready.
    ///
    /// `base_url` may hold `{port}`; without one it is `http://127.0.0.1:{port}`. A port that `settings` leave open is
    /// that of `base_url`, else a free one. A service that a killed run has left there is ended first. Output goes to `sut.log` (and the older `sut.1.log`) in `log_folder`.
    ///
    /// # Errors
    /// When the program is missing or not executable, the port is taken, the log cannot be written, or the service
    /// ends or is not ready within its time.
    pub fn start(settings: &SutSettings, base_url: Option<&str>, log_folder: &Path, stop: &Stop) -> Result<Self, Error> {
        left::end(log_folder, GRACE);
        let url_template = base_url.unwrap_or(port::USUAL_URL).to_owned();
        let (port, base_url) = port::choose(settings.port, base_url)?;
        if port::is_taken(port) {
            return Err(Error::PortTaken(port));
        }
        let log = Arc::new(Mutex::new(RotatingLog::create(log_folder, settings.max_log_bytes)?));
        crash::clear(log_folder);
        let killer = Killer::default();
        let (settings, fresh_folder) = placed(settings)?;
        let mark = family::new_mark();
        let (group, output) = spawn(&settings, &mark, port, &log, &killer)?;
        left::note(log_folder, group.id());
        let mut sut = Self {
            settings,
            fresh_folder,
            url_template,
            base_url,
            speaks_tls: None,
            container: Container::default(),
            given_port: port,
            port,
            other_ports: BTreeSet::new(),
            log_folder: log_folder.to_owned(),
            log,
            group,
            mark,
            crash: OnceLock::new(),
            output,
            killer,
            restarts: 0,
            start_time: Duration::ZERO,
            stop: stop.clone(),
        };
        sut.await_ready()?;
        Ok(sut)
    }

    /// Memory in bytes that its process and all that it started have; none where the system does not tell.
    pub fn memory(&self) -> Option<u64> {
        listening::memory(&self.family())
    }

    /// Whether its process runs.
    pub fn is_alive(&self) -> bool {
        self.group.ending().is_none()
    }

    /// How its process ended, for example `with exit status 3`, and where the report of a JVM that crashed is; none while
    /// it runs.
    pub fn ending(&self) -> Option<String> {
        let ending = self.group.ending()?;
        let crash = self.crash.get_or_init(|| crash::take(&self.log_folder)).as_deref();
        Some(crash.map_or_else(|| ending.to_string(), |crash| format!("{ending}, {crash}")))
    }

    /// How it ended, where it does not listen any more soon after its start: what opens its port first may fail afterwards all
    /// the same.
    pub fn end_at_start(&self) -> Option<Error> {
        let start = Instant::now();
        while self.is_alive() && !port::is_taken(self.port) && start.elapsed() < GRACE && self.stop.sleep(GLANCE) {}
        let status = self.ending()?;
        self.output.finish();
        Some(Error::DiedAtStart { status, output: self.last_output() })
    }

    /// Ends the process, if it still runs, and starts the service anew on the same port, in an empty folder when
    /// [`SutSettings::fresh_folder`] says so.
    ///
    /// # Errors
    /// As [`Sut::start`]; the service is then not running, and starting it again may be tried.
    pub fn restart(&mut self) -> Result<(), Error> {
        self.end();
        if !port::await_free(self.port, PORT_RELEASE, &self.stop) {
            return Err(if self.stop.is_requested() { Error::Interrupted } else { Error::PortTaken(self.port) });
        }
        lock(&self.log).note(&format!("restive starts the service anew ({})", self.restarts + 1));
        if let Some(folder) = &self.fresh_folder {
            folder.empty()?;
        }
        self.crash.take();
        (self.group, self.output) = spawn(&self.settings, &self.mark, self.given_port, &self.log, &self.killer)?;
        left::note(&self.log_folder, self.group.id());
        let before = self.port;
        self.await_ready()?;
        if self.port != before {
            return Err(Error::PortMoved { before, now: self.port });
        }
        self.restarts += 1;
        Ok(())
    }

    /// Ends the process and everything it started: politely first, by force after a few seconds.
    pub fn end(&mut self) {
        let family = self.family();
        family.end(GRACE, || self.group.end(GRACE));
        left::forget(&self.log_folder);
        self.killer.forget();
        self.output.finish();
    }

    /// Waits a while for the first connection to a service that says that it is ready before it listens; the others are
    /// ready when they listen. Whether it came is told by the first call.
    pub fn await_listening(&self) {
        if let (Ready::LogLine(_), Ok(readiness)) = (&self.settings.ready, self.readiness()) {
            readiness.wait_for_connection(LISTEN_GRACE, &self.group);
        }
    }

    /// Id of its process, also once that has ended.
    pub fn id(&self) -> i32 {
        self.group.id()
    }

    /// Whether the system tells what a process runs, and by what it was started.
    pub const IS_SEEN: bool = cfg!(target_os = "linux");

    /// Whether it is a container of web applications.
    pub fn is_container(&self) -> bool {
        self.container.is_one()
    }

    /// Paths below which its applications are by their names, and where nothing answers: they failed to start, or are elsewhere.
    pub fn silent_contexts(&self) -> &[String] {
        self.container.silent()
    }

    /// Whether a JVM listens.
    pub fn is_jvm(&self) -> bool {
        listening::is_jvm(&self.family(), self.port)
    }

    /// By what that was started which listens, perhaps by a script or a tool; none where the system does not tell.
    pub fn command(&self) -> Option<JvmCommand> {
        listening::command(&self.family(), self.port)
    }

    /// Base URL with the port filled in.
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Whether it was found to speak TLS, which nobody had said.
    pub fn has_tls(&self) -> bool {
        self.speaks_tls == Some(true)
    }

    /// Port that the service listens on.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Other ports at which it was seen to speak HTTP, where one had to be chosen.
    pub fn other_ports(&self) -> &BTreeSet<u16> {
        &self.other_ports
    }

    /// How often it was started anew.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// How long it took to become ready the last time that it was started.
    pub fn start_time(&self) -> Duration {
        self.start_time
    }

    /// Has a JVM compile quickly from the next start on, or no longer: it starts in about half the time, and runs slower once
    /// it is warm. For a service that is started anew for a few calls; other processes do not read what it is told by.
    pub fn favour_quick_starts(&mut self, is_on: bool) {
        quick_start::favour(&mut self.settings.env, is_on);
    }

    /// Its last output lines, oldest first; at most 40, cut at 500 characters.
    pub fn last_output(&self) -> Vec<String> {
        self.output.last_lines()
    }

    /// Why output was lost, when the log could not be written.
    pub fn log_problem(&self) -> Option<String> {
        lock(&self.log).problem().map(str::to_owned)
    }

    /// Ends the process group at once from another thread, for a second Ctrl-C.
    pub fn killer(&self) -> Killer {
        self.killer.clone()
    }

    /// Waits until the service can be called, where it really listens when that is to be found out.
    fn await_ready(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        let is_ready = self.await_calls();
        self.start_time = start.elapsed();
        is_ready
    }

    fn await_calls(&mut self) -> Result<(), Error> {
        // A base URL that names its port says where calls go, whatever else is open.
        if !self.settings.notice_port || with_port(&self.url_template, 0) == self.url_template {
            self.readiness()?.wait(&self.group, &self.output)?;
            return self.await_deployed();
        }
        if matches!(self.settings.ready, Ready::LogLine(_)) {
            self.readiness()?.wait(&self.group, &self.output)?;
        }
        // Where it listened before is where it is looked for first: that saves the wait for the port it was given.
        let ports = self.readiness()?.wait_for_port(self.port, (&self.group, &self.family()), &self.output)?;
        if let Some((port, others)) = ports.split_first() {
            self.port = *port;
            self.other_ports.extend(others);
        }
        self.base_url = with_port(&self.url_template, self.port);
        self.await_deployed()?;
        self.notice_tls()?;
        match self.settings.ready {
            Ready::HttpPath(_) => self.readiness()?.wait(&self.group, &self.output),
            Ready::Port | Ready::LogLine(_) => Ok(()),
        }
    }

    /// Waits until a container of web applications has deployed them.
    fn await_deployed(&mut self) -> Result<(), Error> {
        let (family, readiness) = (self.family(), Readiness::new(&self.settings, &self.base_url, &self.stop)?);
        self.container.await_deployed(|| listening::command(&family, self.port), &readiness, &self.group);
        Ok(())
    }

    /// Goes over to TLS for good where nobody has said how the service is called, calls without TLS are refused, and those with
    /// it are answered.
    fn notice_tls(&mut self) -> Result<(), Error> {
        if self.url_template != port::USUAL_URL || self.speaks_tls.is_some() {
            return Ok(());
        }
        let has_tls = wants_tls(&self.base_url, &self.stop)?;
        self.speaks_tls = Some(has_tls);
        if has_tls {
            port::USUAL_TLS_URL.clone_into(&mut self.url_template);
            self.base_url = with_port(&self.url_template, self.port);
        }
        Ok(())
    }

    fn family(&self) -> Family {
        Family { leader: self.group.id(), mark: self.mark.clone() }
    }

    fn readiness(&self) -> Result<Readiness<'_>, Error> {
        Readiness::new(&self.settings, &self.base_url, &self.stop)
    }
}

impl Drop for Sut {
    fn drop(&mut self) {
        self.end();
    }
}

/// `text` with `{port}` filled in.
pub(crate) fn with_port(text: &str, port: u16) -> String {
    text.replace("{port}", &port.to_string())
}

/// The log, also after a panic elsewhere: its state is valid between any two writes.
fn lock(log: &Mutex<RotatingLog>) -> MutexGuard<'_, RotatingLog> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has the service work in an empty folder where that is wanted.
fn placed(settings: &SutSettings) -> Result<(SutSettings, Option<FreshFolder>), Error> {
    let fresh_folder = settings.fresh_folder.then(FreshFolder::make).transpose()?;
    let fresh = fresh_folder.as_ref().map(|folder| folder.path().to_owned());
    let working_directory = fresh.or_else(|| settings.working_directory.clone());
    Ok((SutSettings { working_directory, ..settings.clone() }, fresh_folder))
}

fn spawn(
    settings: &SutSettings,
    mark: &str,
    port: u16,
    log: &Arc<Mutex<RotatingLog>>,
    killer: &Killer,
) -> Result<(Group, Output), Error> {
    let command: Vec<String> = settings.command.iter().map(|word| with_port(word, port)).collect();
    let given = settings.env.iter().map(|(name, value)| (name.as_str(), with_port(value, port)));
    let env: Vec<_> = given.chain([(MARK_VARIABLE, mark.to_owned())]).collect();
    let ready_line = match &settings.ready {
        Ready::LogLine(text) => Some(text.clone()),
        Ready::Port | Ready::HttpPath(_) => None,
    };
    let (group, pipe) = Group::spawn(&command, &env, settings.working_directory.as_deref())?;
    killer.aim(&group);
    Ok((group, Output::follow(pipe, Some(Arc::clone(log)), ready_line)))
}

#[cfg(test)]
mod tests;
