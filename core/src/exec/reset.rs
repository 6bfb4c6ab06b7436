//! Brings the service back to its first state: by an HTTP call, a command, or a restart.
//!
//! [`Resetter::reset`] does it once and counts; what a failed reset means for a test is the evaluator's decision.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use reqwest::Method;
use url::Url;

use super::client::{Call, CallTarget};
use super::sut::{Ending, Output, ProcessGroup, with_port};
use super::{Client, Error, Kept, Reset, ResetSettings, Sut};

/// How long a reset command may take to end once it is asked to.
const GRACE: Duration = Duration::from_millis(500);

/// How a keeper is named in errors.
const KEEPER: &str = "`restive sut serve`";

/// Resets the service and counts how that goes.
#[derive(Debug)]
pub struct Resetter {
    way: Way,
    /// Where a command runs; none for the current folder.
    folder: Option<PathBuf>,
    limit: Duration,
    resets: u64,
    failures: u64,
    first_failure: Option<String>,
    elapsed: Duration,
}

/// A checked [`Reset`].
#[derive(Debug)]
enum Way {
    Never,
    Http(Method, Place),
    Command(Vec<String>),
    Restart,
    /// Its keeper is asked.
    Keeper(Kept),
}

/// Where the reset call goes.
#[derive(Debug)]
enum Place {
    Below(String),
    OnServer(String),
}

impl Resetter {
    /// A resetter for the service that `client` calls.
    ///
    /// # Errors
    /// When the verb is none, the URL is on another server, or the command is empty.
    pub fn new(settings: &ResetSettings, client: &Client) -> Result<Self, Error> {
        let port = client.host_and_port().1;
        let way = match &settings.reset {
            Reset::Never => Way::Never,
            Reset::Restart => Way::Restart,
            Reset::Command(words) if words.is_empty() => return Err(failed("command", "the command is empty")),
            Reset::Command(words) => Way::Command(words.iter().map(|word| with_port(word, port)).collect()),
            Reset::Http { verb, url } => {
                let method = Method::from_bytes(verb.to_ascii_uppercase().as_bytes());
                let method = method.map_err(|_| failed("HTTP call", "its verb is none of HTTP"))?;
                Way::Http(method, place(&with_port(url, port), client)?)
            }
        };
        Ok(Self { limit: settings.limit, ..Self::with(way) })
    }

    /// A resetter that does nothing.
    pub fn never() -> Self {
        Self::with(Way::Never)
    }

    /// A resetter that asks the keeper of the service (`restive sut serve`), for so long at most.
    pub fn of_keeper(kept: Kept, limit: Duration) -> Self {
        Self { limit, ..Self::with(Way::Keeper(kept)) }
    }

    fn with(way: Way) -> Self {
        let (limit, elapsed) = (Duration::ZERO, Duration::ZERO);
        Self { way, folder: None, limit, resets: 0, failures: 0, first_failure: None, elapsed }
    }

    /// The same, with a command that runs in `folder` instead of the current one.
    #[must_use]
    pub fn in_folder(self, folder: Option<PathBuf>) -> Self {
        Self { folder, ..self }
    }

    /// Whether there is anything to do before a test.
    pub fn is_active(&self) -> bool {
        !matches!(self.way, Way::Never)
    }

    /// Brings the service back to its first state; `sut` is needed for a restart only.
    ///
    /// # Errors
    /// [`Error::Reset`] when the call or command fails or takes too long, what [`Sut::restart`] gives for a restart.
    pub fn reset(&mut self, client: &Client, sut: Option<&mut Sut>) -> Result<(), Error> {
        if !self.is_active() {
            return Ok(());
        }
        let start = Instant::now();
        let result = match &self.way {
            Way::Never => Ok(()),
            Way::Http(method, place) => self.call(client, method, place),
            Way::Command(command) => self.run(command),
            Way::Keeper(kept) => kept.reset(client, self.limit).map_err(|reason| failed(KEEPER, &reason)),
            Way::Restart => match sut {
                Some(sut) => sut.restart(),
                None => Err(failed("restart", "the service was not started by restive (`[sut] command` is missing)")),
            },
        };
        self.resets += 1;
        self.elapsed += start.elapsed();
        if let Err(error) = &result {
            self.failures += 1;
            self.first_failure.get_or_insert_with(|| error.to_string());
        }
        result
    }

    /// Resets tried.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    /// Resets that failed.
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Why the first one failed.
    pub fn first_failure(&self) -> Option<&str> {
        self.first_failure.as_deref()
    }

    /// Time spent on all of them.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn call(&self, client: &Client, method: &Method, place: &Place) -> Result<(), Error> {
        let (target, shown) = match place {
            Place::Below(target) => (CallTarget::Below(target), target),
            Place::OnServer(target) => (CallTarget::OnServer(target), target),
        };
        let call = Call { method: method.clone(), target, headers: Vec::new(), body: None, limit: self.limit };
        fetch(client, &call, &format!("`{method} {shown}`"))
    }

    fn run(&self, command: &[String]) -> Result<(), Error> {
        let how = format!("command `{}`", command.first().map_or("", String::as_str));
        let (mut group, pipe) =
            ProcessGroup::spawn(command, &[], self.folder.as_deref()).map_err(|error| failed(&how, &error.to_string()))?;
        let output = Output::follow(pipe, None, None);
        let ending = group.wait(self.limit);
        group.end(GRACE);
        output.finish();
        let reason = match ending {
            Some(Ending::Exit(0)) => return Ok(()),
            Some(ending) => format!("it ended {ending}"),
            None => format!("it did not end within {} s", self.limit.as_secs_f64()),
        };
        match output.last_lines().pop() {
            Some(line) => Err(failed(&how, &format!("{reason}; its last output: {line}"))),
            None => Err(failed(&how, &reason)),
        }
    }
}

/// Makes a call that resets; `how` it is shown.
fn fetch(client: &Client, call: &Call<'_>, how: &str) -> Result<(), Error> {
    match client.fetch(call) {
        Ok(answer) if matches!(answer.status, 200..=299) => Ok(()),
        Ok(answer) => Err(failed(how, &format!("status {}, wanted 2xx", answer.status))),
        Err(failure) => Err(failed(how, &failure.reason)),
    }
}

/// Where `url` goes: a path is below the base URL, a full URL must be on its server.
fn place(url: &str, client: &Client) -> Result<Place, Error> {
    if !url.contains("://") {
        return Ok(Place::Below(if url.starts_with('/') { url.to_owned() } else { format!("/{url}") }));
    }
    let parsed = Url::parse(url).map_err(|error| failed("HTTP call", &error.to_string()))?;
    if !client.is_own(&parsed) {
        return Err(failed("HTTP call", "its URL is on another server than the base URL; use a command for that"));
    }
    let query = parsed.query().map(|query| format!("?{query}")).unwrap_or_default();
    Ok(Place::OnServer(format!("{}{query}", parsed.path())))
}

fn failed(how: &str, reason: &str) -> Error {
    Error::Reset { how: how.to_owned(), reason: reason.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use crate::exec::test_server::answering;
    use crate::exec::{Client, Error, HttpSettings, Kept, Ready, Reset, ResetSettings, Stop, Sut, SutSettings};

    use super::Resetter;

    fn client(port: u16) -> Client {
        let settings = HttpSettings {
            base_url: Some(format!("http://127.0.0.1:{port}/api")),
            time_limit: Duration::from_secs(5),
            max_body_bytes: 1000,
            max_rate: None,
            headers: Vec::new(),
            insecure: false,
        };
        Client::new(&settings, &Stop::default()).expect("valid settings")
    }

    fn resetter(reset: Reset, client: &Client) -> Result<Resetter, Error> {
        Resetter::new(&ResetSettings { reset, limit: Duration::from_secs(20) }, client)
    }

    fn command(words: &[&str]) -> Reset {
        Reset::Command(words.iter().map(|word| (*word).to_owned()).collect())
    }

    #[test]
    fn a_call_resets_below_the_base_url_or_beside_it() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let calls = Arc::clone(&seen);
        let port = answering(move |request| {
            calls.lock().unwrap().push(request.lines().next().unwrap_or_default().to_owned());
            (if request.contains("bad") { "503 Unavailable" } else { "204 No Content" }.to_owned(), String::new())
        });
        let client = client(port);
        let http = |url: &str| resetter(Reset::Http { verb: "post".to_owned(), url: url.to_owned() }, &client);
        assert!(http("reset").unwrap().reset(&client, None).is_ok());
        assert!(http("http://127.0.0.1:{port}/admin/reset?all=1").unwrap().reset(&client, None).is_ok());
        assert_eq!(*seen.lock().unwrap(), ["POST /api/reset HTTP/1.1", "POST /admin/reset?all=1 HTTP/1.1"]);
        assert!(matches!(http("http://localhost:1/reset"), Err(Error::Reset { .. })));
        let mut bad = http("/bad").unwrap();
        let error = bad.reset(&client, None).expect_err("it fails");
        assert_eq!(error.to_string(), "cannot reset the service by `POST /bad`: status 503, wanted 2xx");
        assert!(bad.reset(&client, None).is_err());
        assert_eq!((bad.resets(), bad.failures(), bad.first_failure().is_some()), (2, 2, true));
    }

    #[test]
    fn a_keeper_is_asked_with_its_token() {
        let keeper = answering(|request| {
            let is_known =
                request.starts_with("POST /reset ") && request.to_lowercase().contains("authorization: bearer s3cret");
            (if is_known { "200 OK" } else { "401 Unauthorized" }.to_owned(), "{}".to_owned())
        });
        let client = client(1);
        let reset = |token: &str| {
            let kept = Kept::new(&format!("http://127.0.0.1:{keeper}/"), token).expect("a URL and a token");
            let mut resetter = Resetter::of_keeper(kept, Duration::from_secs(20));
            resetter.reset(&client, None).map_err(|error| error.to_string())
        };
        assert_eq!(reset("s3cret"), Ok(()));
        assert_eq!(reset("other"), Err("cannot reset the service by `restive sut serve`: status 401, wanted 2xx".to_owned()));
    }

    #[test]
    fn a_command_resets_when_it_ends_with_0_in_time() {
        let client = client(1);
        let run = |words: &[&str]| resetter(command(words), &client).unwrap().reset(&client, None).map_err(|e| e.to_string());
        assert_eq!(run(&["sh", "-c", "test {port} = 1"]), Ok(()));
        let elsewhere = resetter(command(&["sh", "-c", "test $PWD = /"]), &client).unwrap();
        assert!(elsewhere.in_folder(Some("/".into())).reset(&client, None).is_ok());
        let message = run(&["sh", "-c", "echo no such database >&2; exit 4"]).expect_err("it fails");
        assert!(message.ends_with("it ended with exit status 4; its last output: no such database"), "{message}");
        assert!(run(&["no-such-program-anywhere"]).expect_err("it fails").contains("not found"));
        let short = ResetSettings { reset: command(&["sleep", "1000"]), limit: Duration::from_millis(100) };
        let message = Resetter::new(&short, &client).unwrap().reset(&client, None).expect_err("it is too slow").to_string();
        assert!(message.ends_with("it did not end within 0.1 s"), "{message}");
        assert!(resetter(command(&[]), &client).is_err());
    }

    #[test]
    fn a_restart_needs_a_service_of_ours_and_never_is_never() {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = SutSettings {
            command: ["sh", "-c", "echo up; exec sleep 1000"].map(str::to_owned).to_vec(),
            env: Vec::new(),
            working_directory: None,
            fresh_folder: false,
            port: None,
            ready: Ready::LogLine("up".to_owned()),
            start_limit: Duration::from_secs(20),
            max_log_bytes: 1000,
            notice_port: false,
        };
        let mut sut = Sut::start(&settings, None, folder.path(), &Stop::default()).expect("the shell starts");
        let client = client(sut.port());
        let mut restart = resetter(Reset::Restart, &client).unwrap();
        assert!(restart.reset(&client, None).is_err());
        assert!(restart.reset(&client, Some(&mut sut)).is_ok() && sut.is_alive() && sut.restarts() == 1);
        let mut never = resetter(Reset::Never, &client).unwrap();
        assert!(never.reset(&client, None).is_ok() && !never.is_active() && never.resets() == 0);
    }
}
