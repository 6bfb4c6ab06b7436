//! `restive sut serve`: starts a service and keeps it ready for suites and other tools, which restart and reset it over HTTP.

use std::cell::Cell;
use std::fs;
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use clap::{ArgMatches, Args};
use restive_driver_protocol::Token;
use serde_json::json;

use crate::exec::{AuthSettings, Client, HttpSettings, Resetter, Service, Stop, Sut, Users};
use crate::keeper::{Event, Keeper, Status, listen};
use crate::report::{printable, shell_word};

use super::start::{Start, StartSource};
use super::token::fresh_token;
use super::{CliError, Config, Exit, Interrupt, ServiceArgs, ServiceSettings, exec_error, print, tell};

/// Flags of `restive sut serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// Port of the interface [default: a free one]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub control_port: Option<u16>,
    /// Token that callers have to send, which other users see in lists of processes; `RESTIVE_SUT_TOKEN` keeps it out of them
    /// [default: a fresh one]
    #[arg(long, value_name = "TEXT", env = TOKEN, hide_env = true, hide_env_values = true)]
    pub token: Option<String>,
    /// File that gets the token, readable by its owner alone; it is not printed then
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Start the service anew when it ends by itself, until it does so three times in a row soon after its start
    #[arg(long)]
    pub restart_on_death: bool,
    /// Folder for the output of the service [default: a new one below the temporary folder]
    #[arg(long, value_name = "DIR")]
    pub logs: Option<PathBuf>,
    /// Print the addresses and the token as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Do not tell what happens to the service
    #[arg(long)]
    pub quiet: bool,
    /// Those of `restive fuzz`.
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// Variables that `restive replay` reads, too.
const TOKEN: &str = "RESTIVE_SUT_TOKEN";
const URL: &str = "RESTIVE_SUT_URL";
/// Fewer characters can be guessed.
const MIN_TOKEN: usize = 8;

/// Starts the service, says where it is and by which token, and keeps it until somebody wishes its end.
pub fn serve(args: ServeArgs, matches: &ArgMatches) -> Result<Exit, CliError> {
    let token = args.token.as_deref().map_or_else(fresh_token, checked)?;
    let config = Config::load(args.service.config.as_deref())?;
    let settings = ServiceSettings::resolve(args.service, &config, matches)?;
    if settings.sut.is_none() {
        return Err(CliError::usage("nothing says how the service is started")
            .hint("`--jar app.jar`, `--command 'program --port={port}'`, or `[sut]` in restive.toml"));
    }
    // Taken before the service is started: a mistake costs no waiting.
    let listener = listener(args.control_port)?;
    let logs = Logs::prepare(args.logs.as_deref())?;
    let interrupt = Interrupt::watch()?;
    let service = start(&settings, &logs.folder, args.quiet, &interrupt);
    // Whatever went wrong after that went wrong because of it.
    if interrupt.stop().is_requested() {
        return Ok(Exit::Clean);
    }
    let service = service.inspect_err(|_| logs.keep())?;
    let token_file = args.token_file.as_deref().map(|path| TokenFile::write(path, &token)).transpose()?;
    let keeper = Keeper::new(service, &settings.reset.reset, args.restart_on_death);
    let (orders, received) = mpsc::channel();
    let status = keeper.status();
    let listening = listen(listener, token.clone(), orders, status.clone())
        .map_err(|error| CliError::environment(format!("cannot listen on the loopback interface: {error}")))?;
    let url = format!("http://{}", listening.address);
    print(&greeting(&url, &token, args.token_file.as_deref(), &status.now(), args.json))?;
    keeper.run(&received, &mut |event| {
        if matches!(event, Event::Died(_) | Event::Failed(_)) {
            logs.keep();
        }
        // Before each test of a suite there is one.
        let is_usual = matches!(event, Event::Done(done) if done.done == "reset");
        if !args.quiet && !is_usual {
            tell(&told(event, &logs.folder));
        }
    });
    listening.end();
    drop(token_file);
    Ok(Exit::Clean)
}

/// Where the interface listens; a free port when none is named.
fn listener(port: Option<u16>) -> Result<TcpListener, CliError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0))).map_err(|error| {
        let port = port.unwrap_or_default();
        CliError::environment(format!("cannot listen on port {port}: {error}"))
            .hint("choose another `--control-port`, or leave it out")
    })
}

/// The service, up, with what resets it.
fn start(settings: &ServiceSettings, logs: &Path, quiet: bool, interrupt: &Interrupt) -> Result<Service, CliError> {
    let stop = interrupt.stop();
    let source = StartSource {
        sut: settings.sut.as_ref(),
        jar: settings.jar.as_ref(),
        packages: &settings.packages,
        base_url: settings.http.base_url.as_deref(),
        logs,
        quiet,
    };
    let start = Start::plan(&source)?.expect("the caller saw that it is ours to start");
    let sut = start.run(&source, &stop)?;
    interrupt.kill_on_second(sut.killer());
    sut.await_listening();
    kept(settings, sut, &stop)
}

fn kept(settings: &ServiceSettings, sut: Sut, stop: &Stop) -> Result<Service, CliError> {
    let insecure = settings.http.insecure || sut.has_tls();
    let http = HttpSettings { base_url: Some(sut.base_url().to_owned()), insecure, ..settings.http.clone() };
    let client = Client::new(&http, stop).map_err(|error| exec_error(&error))?;
    let resetter = Resetter::new(&settings.reset, &client).map_err(|error| exec_error(&error))?;
    // Nobody is logged in: callers send their own credentials.
    let users = Users::load(&AuthSettings::default(), 0).map_err(|error| exec_error(&error))?;
    Ok(Service { sut: Some(sut), resetter, ..Service::new(client, users, stop.clone()) })
}

/// A token that somebody chose.
fn checked(text: &str) -> Result<Token, CliError> {
    let is_sendable = text.bytes().all(|byte| byte.is_ascii_graphic());
    if text.len() < MIN_TOKEN || !is_sendable {
        return Err(CliError::usage(format!(
            "the token is shorter than {MIN_TOKEN} characters, or has others than letters, digits and signs"
        ))
        .hint("leave it out to have one made"));
    }
    Ok(Token::new(text))
}

/// Where everything is: for people, with lines for a shell, or as one line of JSON.
fn greeting(url: &str, token: &Token, token_file: Option<&Path>, status: &Status, is_json: bool) -> String {
    let shown = token_file.is_none().then(|| token.text());
    if is_json {
        let file = token_file.map(|path| path.display().to_string());
        let (base_url, pid) = (&status.base_url, status.pid);
        return format!("{}\n", json!({ "url": url, "token": shown, "token_file": file, "base_url": base_url, "pid": pid }));
    }
    let base_url = &status.base_url;
    let value = match token_file {
        Some(path) => format!("\"$(cat {})\"", shell_word(&path.display().to_string())),
        None => shell_word(token.text()),
    };
    format!(
        "service: {base_url}\ninterface: {url}\nfor `restive replay`, suites and curl:\n  export RESTIVE_BASE_URL={base_url} {URL}={url} {TOKEN}={value}\n  \
         curl -H \"Authorization: Bearer ${TOKEN}\" -X POST ${URL}/restart\n"
    )
}

/// What happened, as a line.
fn told(event: &Event, logs: &Path) -> String {
    let line = match event {
        Event::Done(done) => format!("{} in {:.1} s", done.done, done.seconds),
        Event::Failed(failed) => {
            let hint = failed.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("error: {}{hint}", failed.error)
        }
        Event::Died(how) => format!("the service ended {how}; its output is in {}", logs.join("sut.log").display()),
        Event::GivenUp => "the service ends again and again: it is not started by itself any more".to_owned(),
    };
    format!("{}\n", printable(&line))
}

/// The folder for the output of the service. One that nobody named is removed at the end; where something went wrong and
/// there is something to see in it, it stays and is named.
#[derive(Debug)]
struct Logs {
    folder: PathBuf,
    /// Whether somebody named it.
    is_named: bool,
    /// Whether something went wrong.
    is_wanted: Cell<bool>,
}

impl Logs {
    fn prepare(named: Option<&Path>) -> Result<Self, CliError> {
        if let Some(folder) = named {
            return Ok(Self { folder: folder.to_owned(), is_named: true, is_wanted: Cell::new(false) });
        }
        let made = tempfile::Builder::new().prefix("restive-serve-").tempdir().map(tempfile::TempDir::keep);
        made.map(|folder| Self { folder, is_named: false, is_wanted: Cell::new(false) }).map_err(|error| {
            CliError::environment(format!("cannot make a folder for the output of the service: {error}"))
                .hint("name one with `--logs DIR`")
        })
    }

    /// Something went wrong.
    fn keep(&self) {
        self.is_wanted.set(true);
    }

    /// Whether a file in it holds anything; also where that cannot be told.
    fn has_output(&self) -> bool {
        let Ok(entries) = fs::read_dir(&self.folder) else { return true };
        entries.flatten().any(|entry| entry.metadata().is_ok_and(|metadata| metadata.len() > 0))
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        if self.is_named {
            return;
        }
        if self.is_wanted.get() && self.has_output() {
            tell(&format!("the output of the service stays in {}\n", self.folder.display()));
        } else {
            // What cannot be removed does no harm.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// A file with the token, which goes when the interface does.
struct TokenFile(PathBuf);

impl TokenFile {
    fn write(path: &Path, token: &Token) -> Result<Self, CliError> {
        write_private(path, token.text()).map_err(|error| {
            CliError::environment(format!("cannot write the token to `{}`: {error}", path.display()))
                .hint("name a file in a folder that you may write to with `--token-file`")
        })?;
        Ok(Self(path.to_owned()))
    }
}

impl Drop for TokenFile {
    fn drop(&mut self) {
        // Somebody may have removed it; the token is worth nothing any more.
        let _ = fs::remove_file(&self.0);
    }
}

/// Writes a file that nobody but its owner may read, at no time.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    // One that was there has the mode it had.
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    writeln!(file, "{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keeper::State;

    fn status() -> Status {
        Status {
            state: State::Up,
            base_url: "http://127.0.0.1:1".to_owned(),
            port: 1,
            pid: Some(7),
            reset_by: "restart",
            restarts: 0,
            deaths: 0,
            last_end: None,
            last_output: Vec::new(),
        }
    }

    #[test]
    fn a_token_in_a_file_is_shown_nowhere_and_readable_by_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        fs::write(&path, "older and longer than the new one, and readable by all").expect("writable");
        let token = Token::new("s3cret-token");
        let file = TokenFile::write(&path, &token).expect("writable");
        assert_eq!(fs::read_to_string(&path).expect("written"), "s3cret-token\n");
        assert_eq!(fs::metadata(&path).expect("written").permissions().mode() & 0o777, 0o600);
        for is_json in [false, true] {
            let shown = greeting("http://127.0.0.1:2", &token, Some(&path), &status(), is_json);
            assert!(!shown.contains("s3cret") && shown.contains("token"), "{shown}");
            assert!(greeting("http://127.0.0.1:2", &token, None, &status(), is_json).contains("s3cret-token"));
        }
        drop(file);
        assert!(!path.exists());
    }

    #[test]
    fn a_folder_for_output_stays_where_something_went_wrong_and_there_is_some() {
        for (has_failed, output, stays) in [(false, "x", false), (true, "", false), (true, "x", true)] {
            let logs = Logs::prepare(None).expect("a folder");
            let folder = logs.folder.clone();
            fs::write(folder.join("sut.log"), output).expect("writable");
            if has_failed {
                logs.keep();
            }
            drop(logs);
            assert_eq!(folder.exists(), stays, "{has_failed} {output:?}");
            if stays {
                fs::remove_dir_all(folder).expect("removable");
            }
        }
        let named = tempfile::tempdir().expect("a folder");
        drop(Logs::prepare(Some(named.path())));
        assert!(named.path().exists());
    }

    #[test]
    fn scripts_read_one_line() {
        let line = greeting("http://127.0.0.1:2", &Token::new("abcdefgh"), None, &status(), true);
        let read: serde_json::Value = serde_json::from_str(&line).expect("JSON");
        assert_eq!(line.lines().count(), 1);
        assert_eq!(read["url"], "http://127.0.0.1:2");
        assert_eq!((&read["token"], &read["base_url"]), (&"abcdefgh".into(), &"http://127.0.0.1:1".into()));
    }

    #[test]
    fn tokens_that_are_guessed_or_cannot_be_sent_are_refused() {
        assert!(checked("0123456789abcdef").is_ok());
        for text in ["", "1234567", "with a space", "é0123456789", "line\nbreak"] {
            let error = checked(text).expect_err(text);
            assert!(text.is_empty() || !error.message.contains(text), "{}", error.message);
        }
    }
}
