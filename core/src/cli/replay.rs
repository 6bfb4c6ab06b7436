//! `restive replay`: the tests of a run that ended, asked again of the service.
//!
//! Where the service is and how it is started comes from the flags of `restive fuzz`; what they leave open is as the suite
//! says it, and as its written forms read it from the environment.

mod chosen;
mod prepare;
mod summary;

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use clap::{ArgMatches, Args};
use url::Url;

use crate::exec::{HttpSettings, Kept, Reset, ResetSettings};
use crate::replay::{Counts, Player, Replay, Verdict, text};
use crate::report::Style;
use crate::suite::{self, SuiteReset, TestCase, TestSuite};

use super::render::fix_reset_folder;
use super::{BaseUrl, CliError, Config, Exit, Interrupt, ResetBy, ServiceArgs, ServiceSettings, exec_error, print, tell};
use chosen::chosen;
use prepare::Preparation;
use summary::summary;

/// Flags of `restive replay`.
#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// Output folder of a run
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Test by its name, or all tests of a finding by its id (repeatable) [default: every test]
    #[arg(long, value_name = "TEST")]
    pub test: Vec<String>,
    /// Print everything as JSON, at the end
    #[arg(long)]
    pub json: bool,
    /// Print only tests of which something is not as expected
    #[arg(long)]
    pub quiet: bool,
    /// Those of `restive fuzz`.
    #[command(flatten)]
    pub service: ServiceArgs,
}

/// Variables that written suites read, too.
const BASE_URL: &str = "RESTIVE_BASE_URL";
const HEADERS: &str = "RESTIVE_HEADERS";
const RESET_URL: &str = "RESTIVE_RESET_URL";
const RESET_VERB: &str = "RESTIVE_RESET_VERB";
/// Names the interface of a `restive sut serve`.
const KEEPER_URL: &str = "RESTIVE_SUT_URL";
/// Holds its token.
const KEEPER_TOKEN: &str = "RESTIVE_SUT_TOKEN";

/// Asks the service, prints to standard output what became of each test, and says in a line how it went.
///
/// # Panics
/// Never: replays have text keys.
pub fn replay(args: ReplayArgs, matches: &ArgMatches) -> Result<Exit, CliError> {
    let mut suite = suite::load(&args.out)?;
    fix_reset_folder(&mut suite, &args.out.join("suite/form"));
    let tests = chosen(&suite, &args.test, &args.out)?;
    let config = Config::load(args.service.config.as_deref())?;
    let settings = settings(args.service, &config, &suite, matches)?;
    let interrupt = Interrupt::watch()?;
    let ready = Preparation { suite: &suite, tests: &tests, out: &args.out, quiet: args.quiet }.run(&settings, &interrupt);
    // Whatever went wrong after that went wrong because of it.
    if interrupt.stop().is_requested() {
        return Err(stopped_early());
    }
    let (service, http) = ready?;
    let shown = Shown { json: args.json, quiet: args.quiet };
    let mut player = Player::new(&suite, service, &http);
    let (replay, elapsed) = play(&mut player, &tests, shown)?;
    player.end();
    if args.json {
        let json = serde_json::to_string_pretty(&replay).expect("replays have text keys");
        print(&format!("{json}\n"))?;
    }
    tell(&summary(&replay, tests.len(), elapsed));
    Ok(exit(&replay))
}

/// What is printed of the tests.
#[derive(Debug, Clone, Copy)]
struct Shown {
    json: bool,
    quiet: bool,
}

fn play(player: &mut Player<'_>, tests: &[&TestCase], shown: Shown) -> Result<(Replay, f64), CliError> {
    let style = Style::for_terminal(std::io::stdout().is_terminal());
    let started = Instant::now();
    let (replayed, is_done) = player.play_all(tests, &mut |test| {
        let is_left_out = shown.json || shown.quiet && matches!(test.verdict, Verdict::Same | Verdict::Skipped);
        if is_left_out { Ok(()) } else { print(&text(test, style)).map(drop) }
    })?;
    Ok((Replay::new(player.base_url(), replayed, !is_done), started.elapsed().as_secs_f64()))
}

/// The flags joined with the file, and what suites read from the environment where neither says it.
fn settings(
    mut args: ServiceArgs,
    config: &Config,
    suite: &TestSuite,
    matches: &ArgMatches,
) -> Result<ServiceSettings, CliError> {
    let is_chosen = args.sut.url.is_some() || args.sut.jar.is_some() || args.sut.command.is_some();
    if !is_chosen {
        args.sut.url = running(suite)?;
    }
    let mut settings = ServiceSettings::resolve_for_caller(args, config, matches)?;
    settings.http.insecure |= suite.insecure;
    if settings.http.base_url.is_none() {
        let is_ours = settings.sut.is_some();
        settings.http.base_url = Some(if is_ours { with_port(&suite.base_url) } else { suite.base_url.clone() });
    }
    add_headers(&mut settings.http)?;
    if settings.reset_by == ResetBy::File && settings.reset.reset == Reset::Restart {
        // A run makes its tests without restarts, too: they would take longer than everything else.
        settings.reset.reset = Reset::Never;
        tell("the service is not started anew before each test, as when the tests were made; `--reset-restart` does so\n");
    } else if settings.reset_by == ResetBy::Nobody {
        settings.reset = ResetSettings { reset: reset_of(suite), ..settings.reset };
    }
    Ok(settings)
}

/// Where a service runs that the environment names, by its URL or by its keeper.
fn running(suite: &TestSuite) -> Result<Option<String>, CliError> {
    if let Some(url) = variable(BASE_URL).filter(|url| !url.is_empty()) {
        BaseUrl::check(&url).map_err(|error| error.into_cli(BASE_URL))?;
        return Ok(Some(url));
    }
    let base_url = |kept: Kept| kept.base_url(&suite.base_url).map_err(|error| exec_error(&error));
    kept()?.map(base_url).transpose()
}

/// The service that a `restive sut serve` keeps, where the environment names one.
fn kept() -> Result<Option<Kept>, CliError> {
    let Some(url) = variable(KEEPER_URL).filter(|url| !url.is_empty()) else { return Ok(None) };
    let token = variable(KEEPER_TOKEN).unwrap_or_default();
    Kept::new(&url, &token).map(Some).map_err(|error| exec_error(&error))
}

/// The base URL of a suite with the port of a service that is started here.
fn with_port(base_url: &str) -> String {
    let Ok(url) = Url::parse(base_url) else { return base_url.to_owned() };
    let is_loopback = match url.host() {
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        Some(url::Host::Domain(name)) => name == "localhost",
        None => false,
    };
    let host = url.host_str().filter(|_| is_loopback).unwrap_or("127.0.0.1");
    format!("{}://{host}:{{port}}{}", url.scheme(), url.path().trim_end_matches('/'))
}

/// Adds the header fields for every call that the environment has for suites.
fn add_headers(http: &mut HttpSettings) -> Result<(), CliError> {
    for line in variable(HEADERS).unwrap_or_default().lines().filter(|line| !line.trim().is_empty()) {
        let Some((name, value)) = line.split_once(':').filter(|_| !line.starts_with('?')) else {
            return Err(
                CliError::usage(format!("a line of {HEADERS} is no header field")).hint("write `Name: value`, one a line")
            );
        };
        if !http.headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name.trim())) {
            http.headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    Ok(())
}

/// How tests of `suite` reset the service, unless the environment says otherwise.
fn reset_of(suite: &TestSuite) -> Reset {
    let verb = || variable(RESET_VERB).unwrap_or_else(|| "POST".to_owned());
    match (variable(RESET_URL), &suite.reset) {
        (Some(url), _) if !url.is_empty() => Reset::Http { verb: verb(), url },
        (None, SuiteReset::Call { verb, url }) => Reset::Http { verb: verb.clone(), url: url.clone() },
        (_, SuiteReset::Command { words, .. }) => Reset::Command(words.clone()),
        _ => Reset::Never,
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn stopped_early() -> CliError {
    CliError { exit: Exit::Incomplete, message: "stopped before the first test".to_owned(), hint: None }
}

/// Differences come first, then a service that could not be asked, then a user's interruption; a fixed fault is no failure.
fn exit(replay: &Replay) -> Exit {
    match replay.counts {
        Counts { changed: 1.., .. } => Exit::Findings,
        Counts { gone: 1.., .. } => Exit::Environment,
        _ if replay.stopped => Exit::Incomplete,
        _ => Exit::Clean,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_url_of_a_suite_gets_the_port_of_a_started_service() {
        assert_eq!(with_port("http://127.0.0.1:8080/api"), "http://127.0.0.1:{port}/api");
        assert_eq!(with_port("https://localhost"), "https://localhost:{port}");
        assert_eq!(with_port("http://shop.example:81/v1/"), "http://127.0.0.1:{port}/v1");
    }

    #[test]
    fn only_what_is_worse_fails() {
        let replay = |changed: usize, fixed: usize, gone: usize, stopped: bool| {
            let mut replay = Replay::new("http://127.0.0.1:1", Vec::new(), stopped);
            replay.counts = Counts { changed, fixed, gone, ..Counts::default() };
            exit(&replay)
        };
        assert_eq!(replay(0, 0, 0, false), Exit::Clean);
        assert_eq!(replay(0, 2, 0, false), Exit::Clean);
        assert_eq!(replay(1, 0, 3, true), Exit::Findings);
        assert_eq!(replay(0, 1, 1, true), Exit::Environment);
        assert_eq!(replay(0, 1, 0, true), Exit::Incomplete);
    }
}
