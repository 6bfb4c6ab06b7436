//! What is made ready before the first test: the service up, reset, with its users logged in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::action::UserIdx;
use crate::cli::start::{Start, StartSource};
use crate::cli::{CliError, Interrupt, ResetBy, ServiceSettings, exec_error};
use crate::exec::{Client, Credentials, HttpSettings, Resetter, Service, Stop, Sut, Users};
use crate::report::{RESULTS_FILE, Setting, shell_word};
use crate::suite::{SuiteReset, SuiteUser, TestCase, TestSuite};

use super::{kept, variable};

/// Names the folder in which written suites run the command that resets the service.
const RESET_FOLDER: &str = "RESTIVE_RESET_FOLDER";

/// What is made ready before the first test.
pub(super) struct Preparation<'a> {
    pub(super) suite: &'a TestSuite,
    pub(super) tests: &'a [&'a TestCase],
    pub(super) out: &'a Path,
    pub(super) quiet: bool,
}

impl Preparation<'_> {
    /// The service, up, reset, with its users logged in, and how it is called.
    pub(super) fn run(&self, settings: &ServiceSettings, interrupt: &Interrupt) -> Result<(Service, HttpSettings), CliError> {
        let stop = interrupt.stop();
        // What is missing costs no waiting for the service.
        let users = self.users(settings)?;
        let sut = self.start(settings, &stop)?;
        if let Some(sut) = &sut {
            interrupt.kill_on_second(sut.killer());
            sut.await_listening();
        }
        let base_url = sut.as_ref().map(|sut| sut.base_url().to_owned()).or_else(|| settings.http.base_url.clone());
        let insecure = settings.http.insecure || sut.as_ref().is_some_and(Sut::has_tls);
        let http = HttpSettings { base_url, insecure, ..settings.http.clone() };
        let client = Client::new(&http, &stop).map_err(|error| exec_error(&error))?;
        client.probe().map_err(|error| self.unreachable(exec_error(&error), sut.as_ref()))?;
        let users = self.log_in(users, &client)?;
        let resetter = self.resetter(settings, &client, sut.is_some())?;
        let mut service = Service { sut, resetter, ..Service::new(client, users, stop) };
        service.try_reset().map_err(|error| exec_error(&error))?;
        Ok((service, http))
    }

    fn start(&self, settings: &ServiceSettings, stop: &Stop) -> Result<Option<Sut>, CliError> {
        let logs = self.out.join("logs/replay");
        let source = StartSource {
            sut: settings.sut.as_ref(),
            jar: settings.jar.as_ref(),
            packages: &settings.packages,
            base_url: settings.http.base_url.as_deref(),
            logs: &logs,
            quiet: self.quiet,
        };
        Start::plan(&source)?.map(|start| start.run(&source, stop)).transpose()
    }

    /// What resets the service: a keeper, where the environment names one and nobody says otherwise; else as settled.
    fn resetter(&self, settings: &ServiceSettings, client: &Client, is_started: bool) -> Result<Resetter, CliError> {
        let is_asked = !is_started && settings.reset_by != ResetBy::Hand;
        if let Some(kept) = if is_asked { kept()? } else { None } {
            return Ok(Resetter::of_keeper(kept, settings.reset.limit));
        }
        let resetter = Resetter::new(&settings.reset, client).map_err(|error| exec_error(&error))?;
        Ok(resetter.in_folder(variable(RESET_FOLDER).map(PathBuf::from).or_else(|| self.reset_folder(settings))))
    }

    /// Where the suite's own command runs.
    fn reset_folder(&self, settings: &ServiceSettings) -> Option<PathBuf> {
        match &self.suite.reset {
            SuiteReset::Command { folder, .. } if settings.reset_by == ResetBy::Nobody && !folder.is_empty() => {
                Some(PathBuf::from(folder))
            }
            _ => None,
        }
    }

    /// Names of the users whose credentials the tests send.
    fn called_users(&self) -> BTreeSet<&'_ str> {
        self.tests.iter().flat_map(|test| &test.calls).filter_map(|call| call.user.as_deref()).collect()
    }

    /// The users of the tests: credentials of the environment first, then those of the settings.
    fn users(&self, settings: &ServiceSettings) -> Result<Users, CliError> {
        // Names of created users need not be those of the run.
        let mut users = Users::load(&settings.auth, 0).map_err(|error| exec_error(&error))?;
        let called = self.called_users();
        let mut missing = Vec::new();
        for user in self.suite.users.iter().filter(|user| called.contains(user.name.as_str())) {
            match variable(&user.variable) {
                Some(lines) => users.give(&user.name, credentials(user, &lines)?),
                None if users.names().any(|name| name == user.name) => {}
                None => missing.push(user),
            }
        }
        match missing.first() {
            Some(first) => Err(without_credentials(&missing, first)),
            None => Ok(users),
        }
    }

    /// The same with each user of the tests logged in, so that wrong credentials show before the first test.
    fn log_in(&self, mut users: Users, client: &Client) -> Result<Users, CliError> {
        let called = self.called_users();
        let names: Vec<String> = users.names().map(str::to_owned).collect();
        for (idx, _) in names.iter().enumerate().filter(|(_, name)| called.contains(name.as_str())) {
            let user_idx = UserIdx(u16::try_from(idx).expect("user numbers fit in 16 bits"));
            users.credentials(user_idx, client).map_err(|error| exec_error(&error))?;
        }
        Ok(users)
    }

    /// The error with what the run says about its service, where nothing was said here.
    fn unreachable(&self, error: CliError, sut: Option<&Sut>) -> CliError {
        if let Some(sut) = sut {
            return sut.end_at_start().map_or(error, |end| exec_error(&end));
        }
        match started_by(self.out) {
            Some(flag) => error.hint(format!(
                "start the service and name it with `--url`, or have restive start it as the run did: `{flag}`"
            )),
            None => error.hint("start the service, and name it with `--url` where it is elsewhere; `--jar` and `--command` have restive start it"),
        }
    }
}

/// The header fields and query parameters of a user as suites read them, one a line.
fn credentials(user: &SuiteUser, lines: &str) -> Result<Credentials, CliError> {
    let mut credentials = Credentials::default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(query) = line.strip_prefix('?') {
            for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
                credentials.add_query(&name, &value);
            }
            continue;
        }
        let Some((name, value)) = line.split_once(':') else {
            return Err(CliError::usage(format!("a line of {} is no header field", user.variable))
                .hint("write `Name: value`, such as `Authorization: Bearer ...`, or `?name=value` for a query parameter"));
        };
        credentials.add_header(name.trim(), value.trim()).map_err(|error| exec_error(&error))?;
    }
    Ok(credentials)
}

fn without_credentials(missing: &[&SuiteUser], first: &SuiteUser) -> CliError {
    let names: Vec<String> = missing.iter().map(|user| format!("`{}`", user.name)).collect();
    let users = if missing.len() == 1 { "the user" } else { "the users" };
    CliError::usage(format!("no credentials for {users} {}", names.join(" and "))).hint(format!(
        "set {} to the header fields of `{}`, such as `Authorization: Bearer ...`, or give the `--auth-file` of the run",
        first.variable, first.name
    ))
}

/// How the run started its service, as a flag; none when it ran already.
fn started_by(out: &Path) -> Option<String> {
    let text = std::fs::read(out.join(RESULTS_FILE)).ok()?;
    let results: Value = serde_json::from_slice(&text).ok()?;
    // The latter in results of earlier versions.
    let is_set = |value: &&str| ![Setting::NOT_SET, "none"].contains(value);
    let setting = |key: &str| results["configuration"][key]["value"].as_str().filter(is_set);
    if let Some(jar) = setting("sut.jar") {
        return Some(format!("--jar {}", shell_word(jar)));
    }
    let words: Vec<String> = serde_json::from_str(setting("sut.command")?).ok()?;
    Some(format!("--command {}", shell_word(&words.join(" "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_read_as_suites_read_them() {
        let user = SuiteUser { name: "clerk".to_owned(), variable: "RESTIVE_AUTH_CLERK".to_owned() };
        let read = credentials(&user, "Authorization: Bearer a:b\n\n?key=x%20y&z=1").expect("valid lines");
        let secrets: Vec<&str> = read.secrets().collect();
        assert_eq!(secrets, ["Bearer a:b", "a:b", "x y", "y", "1", "1"]);
        let error = credentials(&user, "s3cret").expect_err("no field");
        assert!(error.message.contains("RESTIVE_AUTH_CLERK") && !error.message.contains("s3cret"), "{}", error.message);
    }

    #[test]
    fn a_run_tells_how_it_started_its_service() {
        let out = tempfile::tempdir().expect("a folder");
        assert_eq!(started_by(out.path()), None);
        let write = |configuration: &str| {
            let text = format!("{{\"configuration\": {configuration}}}");
            std::fs::write(out.path().join(RESULTS_FILE), text).expect("writable");
            started_by(out.path())
        };
        assert_eq!(write(r#"{"sut.jar": {"value": "my app.jar"}}"#).as_deref(), Some("--jar 'my app.jar'"));
        let command = r#"{"sut.jar": {"value": "none"}, "sut.command": {"value": "[\"serve\", \"{port}\"]"}}"#;
        assert_eq!(write(command).as_deref(), Some("--command 'serve {port}'"));
        assert_eq!(write(r#"{"sut.command": {"value": "not set"}}"#), None);
    }
}
