//! The command line as typed: commands and flags, not yet joined with `restive.toml`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::suite::WRITERS;

use super::diff::DiffArgs;
use super::explain::ExplainArgs;
use super::infer::SchemaInferArgs;
use super::init::InitArgs;
use super::inspect::InspectArgs;
use super::manual::{CompletionsArgs, ManArgs};
use super::render::RenderArgs;
use super::replay::ReplayArgs;
use super::report::ReportArgs;
use super::schema::SchemaCheckArgs;
use super::sections::{
    AuthSection, DriverSection, HttpSection, OperationsSection, OutputSection, ResetSection, SearchSection, SutSection,
};
use super::serve::ServeArgs;

const FIRST_STEPS: &str = "First steps:\n  restive demo\n  restive fuzz --jar app.jar\n  restive fuzz --url http://127.0.0.1:8080\n  restive fuzz --help";

const DEMO_BUDGET_HELP: &str = "What may be spent: `60s`, `10m` or `2000 calls` [default: 20s]";

const DEMO_NOTE: &str = "Every flag can also come from the environment as RESTIVE_ and its name in upper case \
(RESTIVE_BUDGET). Exit codes are those of `restive fuzz`; as two faults are planted in the service, 1 is to be expected.";

const FUZZ_NOTE: &str = "Examples:\n  restive fuzz --url http://127.0.0.1:8080\n  restive fuzz --url http://127.0.0.1:8080 --schema openapi.yaml\n  restive fuzz --jar app.jar -- --spring.profiles.active=test\n  restive fuzz --command \
'java -jar app.jar --port={port}' --schema openapi.yaml\n  restive fuzz --config restive.toml --budget '2000 calls' --rng-seed 1\n\nEvery flag can also stand in restive.toml under the same name, and in the environment as \
RESTIVE_ and its name in upper case (RESTIVE_MAX_RATE). A flag wins over the environment, the environment over the file. \
`--show-config` prints what holds and where it comes from.\n\n\
Exit codes: 0 nothing found, 1 findings, 2 wrong usage, 3 environment or service failed, 4 incomplete, 70 bug in restive.";

const INFER_NOTE: &str = "Examples:\n  restive schema infer --jar app.jar --write openapi.json\n  restive schema infer --jar app.jar --budget \
'5000 calls' | less\n\nThe service is called as by `restive fuzz`, by default 1,000 times and with `--discover`. Added operations \
are marked by `x-restive-discovered` with what serves them. Findings are told and change no exit code; without `--out` only \
the document stays.";

const INIT_NOTE: &str = "Examples:\n  restive init\n  restive init --jar build/libs/app.jar\n  restive init --url http://127.0.0.1:8080\n\n\
A file that is there already is never overwritten without `--overwrite`. `restive fuzz` reads restive.toml in its folder by itself.";

const COMPLETIONS_NOTE: &str = "Examples:\n  restive completions bash > ~/.local/share/bash-completion/completions/restive\n  \
restive completions zsh > ~/.zfunc/_restive\n  restive completions fish > ~/.config/fish/completions/restive.fish";

const SETTINGS_NOTE: &str = "Example:\n  restive schema settings > restive.schema.json\n\nA first line `#:schema restive.schema.json` in \
restive.toml has editors with Taplo (Even Better TOML) complete and check it.";

const AGENT_NOTE: &str = "Example:\n  java -agentpath:$(restive agent)=listen=127.0.0.1:4000,token=SECRET,include=com.acme. -jar app.jar\n\n\
The file lies below $XDG_CACHE_HOME or ~/.cache and is as good as new after each call. `restive fuzz` needs no call of this \
for a service that it starts itself.";

const EXPLAIN_NOTE: &str = "Examples:\n  restive explain out\n  restive explain out 'GET /pets'\n  restive explain out Shop:17\n  \
restive explain out branch:com.acme.Shop:17:0:then --json\n\nA part of a name that fits several targets lists them. \
Exit codes: 0 answered, 2 nothing fits TARGET, 3 OUT holds no results that can be read.";

const REPORT_NOTE: &str = "Examples:\n  restive report out\n  restive report out --write page.html --sources ../shop/src\n\n\
The page is one file that needs no network. Exit codes: 0 written, 3 OUT holds no results that can be read, or FILE cannot be written.";
const RENDER_NOTE: &str = "Examples:\n  restive render out --format pytest\n  restive render out --format junit-java --write tests/rest\n\n\
Nothing is run and no service is called: the tests are those of `suite/tests.json`. Exit codes: 0 written, 2 wrong usage, 3 OUT holds \
no tests that can be read, or a file cannot be written.";

const REPLAY_NOTE: &str = "Examples:\n  restive replay out --url http://127.0.0.1:8080\n  restive replay out --jar app.jar\n  \
restive replay out --test F100-3fa9c2d1 --test get_pets_returns_200\n\nEach test is told to be same (all that it expects is so), \
changed (something is not), fixed (the fault that it shows does not show any more), gone (the service could not be asked) or \
skipped (there is nothing to ask). Where nothing else is said, the service is where the suite says, is reset as the suite says, and \
credentials come from the variables that the suite names; RESTIVE_BASE_URL, RESTIVE_HEADERS and RESTIVE_RESET_URL are read as by \
written suites. Where RESTIVE_SUT_URL and RESTIVE_SUT_TOKEN name a `restive sut serve`, that is asked where the service is and to reset it. \
restive.toml is read as by `restive fuzz`; flags and these variables go before it.\n\n\
Exit codes: 0 all same or fixed, 1 something changed, 2 wrong usage, 3 the service could not be asked or OUT holds no tests that can \
be read, 4 stopped.";

const SERVE_NOTE: &str = "Examples:\n  restive sut serve --jar app.jar\n  restive sut serve --command 'java -jar app.jar --port={port}' \
--reset-http 'POST /reset' --token-file token\n  curl -H \"Authorization: Bearer $RESTIVE_SUT_TOKEN\" -X POST $RESTIVE_SUT_URL/restart\n\n\
The interface listens on 127.0.0.1 and wants the token with every call:\n  GET /status    state (up, busy, down), base URL, port, process, \
restarts, deaths, last end\n  POST /restart  starts the service anew, on the same port\n  POST /reset    brings it back to its first state: \
by `[reset]`, else by a restart; a service that has ended is started\n  POST /stop     ends the service and this command\n\nAnswers are \
JSON; 401 without the token, 403 for a `Host` that is not this machine, 404, 405, and 503 where a wish failed, with `error` and `hint`. \
restive.toml is read as by `restive fuzz`. Ctrl-C ends the service, too.\n\n\
Exit codes: 0 stopped, 2 wrong usage, 3 the service did not start.";

/// Finds faults in a REST service and writes the tests that show them
#[derive(Debug, Parser)]
#[command(name = "restive", version, propagate_version = true, disable_help_subcommand = true, after_help = FIRST_STEPS)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: CliCommand,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum CliCommand {
    /// Fuzz a service: search for faults and write the tests that show them
    #[command(after_help = FUZZ_NOTE)]
    Fuzz(Box<FuzzArgs>),
    /// Fuzz a small service that comes with restive, as a first look
    #[command(after_help = DEMO_NOTE)]
    Demo(Box<DemoArgs>),
    /// Say what two runs found and reached differently
    Diff(DiffArgs),
    /// Make the page about a run anew from its files
    #[command(after_help = REPORT_NOTE)]
    Report(ReportArgs),
    /// Look at a schema, or complete it
    Schema {
        /// What to do with it.
        #[command(subcommand)]
        command: SchemaCommand,
    },
    /// Look at a service without starting it, or keep one ready for others
    Sut {
        /// What to do with it.
        #[command(subcommand)]
        command: SutCommand,
    },
    /// Explain why a target of a run was reached or not: what came closest, by which inputs, and what was in the way
    #[command(after_help = EXPLAIN_NOTE)]
    Explain(ExplainArgs),
    /// Write a commented restive.toml from what lies in a folder, a jar or behind a URL
    #[command(after_help = INIT_NOTE)]
    Init(InitArgs),
    /// Print what a shell completes the commands of restive by
    #[command(after_help = COMPLETIONS_NOTE)]
    Completions(CompletionsArgs),
    /// Print the manual page of restive, or write those of all commands
    Man(ManArgs),
    /// Write the tests of a run that ended in another form
    #[command(after_help = RENDER_NOTE)]
    Render(RenderArgs),
    /// Ask a service again what the tests of a run ask: same, changed, fixed or gone
    #[command(after_help = REPLAY_NOTE)]
    Replay(Box<ReplayArgs>),
    /// Unpack the JVM agent and print its path, for a service that someone else starts
    #[command(after_help = AGENT_NOTE)]
    Agent,
    /// The service of `restive demo` alone
    #[command(hide = true)]
    DemoService(DemoServiceArgs),
}

/// Flags of `restive fuzz`.
#[derive(Debug, Default, Args)]
pub struct FuzzArgs {
    /// Settings file [default: restive.toml in the current folder, when there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Print every setting with its origin and end
    #[arg(long)]
    pub show_config: bool,
    /// Go on with the run in this folder, which was stopped or killed: with its settings, exactly where it was
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "overwrite"])]
    pub resume: Option<PathBuf>,
    /// How many times as fast the clock of the run goes: for tests of long runs
    #[arg(long, hide = true, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub clock_speed: Option<u32>,
    /// `[sut]`.
    #[command(flatten)]
    pub sut: SutSection,
    /// `[driver]`.
    #[command(flatten)]
    pub driver: DriverSection,
    /// `[operations]`.
    #[command(flatten)]
    pub operations: OperationsSection,
    /// `[search]`.
    #[command(flatten)]
    pub search: SearchSection,
    /// `[http]`.
    #[command(flatten)]
    pub http: HttpSection,
    /// `[auth]`.
    #[command(flatten)]
    pub auth: AuthSection,
    /// `[reset]`.
    #[command(flatten)]
    pub reset: ResetSection,
    /// `[output]`.
    #[command(flatten)]
    pub output: OutputSection,
}

/// Flags of `restive demo`.
#[derive(Debug, Default, Args)]
pub struct DemoArgs {
    /// Print every setting with its origin and end
    #[arg(long)]
    pub show_config: bool,
    /// `[search]`.
    #[command(flatten)]
    pub search: SearchSection,
    /// `[output]`.
    #[command(flatten)]
    pub output: OutputSection,
}

/// Commands on a schema.
#[derive(Debug, Subcommand)]
pub enum SchemaCommand {
    /// Say what of a schema is understood, what not and why
    Check(SchemaCheckArgs),
    /// Call a service, and write its document completed by what it lacks: routes, inputs, bodies
    #[command(after_help = INFER_NOTE)]
    Infer(Box<SchemaInferArgs>),
    /// Print the JSON Schema of restive.toml, for editors
    #[command(after_help = SETTINGS_NOTE)]
    Settings,
}

/// Commands on a service.
#[derive(Debug, Subcommand)]
pub enum SutCommand {
    /// Start a service and let suites and other tools restart and reset it, on a loopback port with a token
    #[command(after_help = SERVE_NOTE)]
    Serve(Box<ServeArgs>),
    /// Say what a jar tells: layout, start class, the service's packages, schemas; and what was guessed from what
    Inspect(InspectArgs),
}

/// Flags of `restive demo-service`.
#[derive(Debug, Clone, Args)]
pub struct DemoServiceArgs {
    /// Port on the loopback interface
    #[arg(long)]
    pub port: u16,
}

/// Parsed flags together with where each came from.
#[derive(Debug)]
pub struct Parsed {
    /// The flags.
    pub cli: Cli,
    /// clap's own record of the deepest command's flags, for their origins.
    pub matches: clap::ArgMatches,
}

/// Parses the command line, the program's name first; the error is clap's own and also stands for `--help`.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Parsed, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let name = words.get(1).and_then(|word| word.to_str()).unwrap_or_default().to_owned();
    let mut matches = command().try_get_matches_from(words).map_err(|error| match name.as_str() {
        "fuzz" => with_tip(error, |word| quotes(word).or_else(|| flag(word))),
        "demo" => with_tip(error, quotes),
        _ => error,
    })?;
    let cli = Cli::from_arg_matches(&matches)?;
    while let Some((_, deeper)) = matches.remove_subcommand() {
        matches = deeper;
    }
    Ok(Parsed { cli, matches })
}

/// Says how a word that nobody asked for was most likely meant.
fn with_tip(mut error: clap::Error, tip: impl Fn(&str) -> Option<String>) -> clap::Error {
    let tip = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(word))) => tip(word),
        _ => None,
    };
    if let Some(tip) = tip {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// For the second word of a budget in calls.
fn quotes(word: &str) -> Option<String> {
    matches!(word, "call" | "calls").then(|| "put a budget in calls into quotes: '--budget \"500 calls\"'".to_owned())
}

/// For a word by itself: the flag of `restive fuzz` that it lacks.
fn flag(word: &str) -> Option<String> {
    let is_form = WRITERS.iter().any(|writer| writer.name() == word);
    let flag = match Path::new(word).extension().and_then(OsStr::to_str) {
        _ if word.starts_with("http://") || word.starts_with("https://") => "--url",
        _ if is_form => "--format",
        Some("jar") => "--jar",
        Some("json" | "yaml" | "yml") => "--schema",
        _ => return None,
    };
    Some(format!("name it by a flag: '{flag} {word}'"))
}

/// The commands with an environment variable for every setting.
pub fn command() -> Command {
    Cli::command().mut_subcommands(|command| match command.get_name() {
        "fuzz" => command.mut_args(with_variable),
        "sut" => command.mut_subcommand("serve", |serve| serve.mut_args(|arg| of_service(without_users(arg), &OF_SERVE))),
        "replay" => command.mut_args(|arg| of_service(arg, &["test", "json", "quiet"])),
        "demo" => command.mut_args(with_variable).mut_arg("budget", |arg| arg.help(DEMO_BUDGET_HELP)),
        _ => command,
    })
}

/// Flags of `restive sut serve` itself; some have variables of their own.
const OF_SERVE: [&str; 7] = ["control_port", "token", "token_file", "restart_on_death", "logs", "json", "quiet"];

/// Nobody is logged in by a service that others call.
fn without_users(arg: clap::Arg) -> clap::Arg {
    let is_of_users = ["auth_file", "bearer", "basic"].contains(&arg.get_id().as_str());
    if is_of_users { arg.hide(true) } else { arg }
}

/// Flags of a service that is not fuzzed, `own` ones aside: what only fuzzing reads may stand there and does nothing.
fn of_service(arg: clap::Arg, own: &[&str]) -> clap::Arg {
    match arg.get_id().as_str() {
        id if own.contains(&id) => arg,
        "schema" | "packages" => arg.hide(true),
        _ => with_variable(arg),
    }
}

/// Values are never shown in help: they may be secret.
fn with_variable(arg: clap::Arg) -> clap::Arg {
    if arg.is_positional() || ["show_config", "resume", "clock_speed"].contains(&arg.get_id().as_str()) {
        return arg;
    }
    let name = variable(&arg);
    arg.env(name).hide_env(true).hide_env_values(true)
}

fn variable(arg: &clap::Arg) -> String {
    format!("RESTIVE_{}", arg.get_id().as_str().to_uppercase())
}

/// Names of the environment variables that hold settings of `restive fuzz`.
pub fn variables() -> Vec<String> {
    let command = command();
    let arguments = command.find_subcommand("fuzz").into_iter().flat_map(Command::get_arguments);
    arguments.filter(|arg| arg.get_env().is_some()).map(variable).collect()
}

#[cfg(test)]
mod tests {
    use super::{CliCommand, Parsed, parse};

    fn parsed(words: &[&str]) -> Result<Parsed, clap::Error> {
        parse(std::iter::once("restive").chain(words.iter().copied()).map(Into::into))
    }

    #[test]
    fn the_command_line_is_well_formed() {
        super::command().debug_assert();
    }

    #[test]
    fn switches_can_be_turned_off_again() {
        let on_and_off = [("--overwrite", true), ("--overwrite=false", false), ("--overwrite=true", true)];
        for (flag, expected) in on_and_off {
            let parsed = parsed(&["fuzz", flag]).expect("a valid flag");
            let CliCommand::Fuzz(args) = parsed.cli.command else { panic!("another command") };
            assert_eq!(args.output.overwrite, Some(expected));
        }
    }

    #[test]
    fn a_wrong_budget_says_what_was_wanted() {
        let error = parsed(&["fuzz", "--budget", "2000"]).expect_err("no unit");
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("`2000 calls` for calls"), "{error}");
    }

    #[test]
    fn a_word_without_its_flag_is_told_which() {
        for (word, flag) in
            [("app.jar", "--jar"), ("http://localhost:8080", "--url"), ("openapi.yaml", "--schema"), ("pytest", "--format")]
        {
            let error = parsed(&["fuzz", "--suite", word]).expect_err("a word by itself").to_string();
            assert!(error.contains(&format!("'{flag} {word}'")), "{error}");
        }
        let error = parsed(&["fuzz", "--buget", "5m"]).expect_err("no such flag").to_string();
        assert!(error.contains("'--budget'"), "{error}");
    }

    #[test]
    fn a_budget_that_lacks_its_quotes_is_told_to_want_them() {
        for command in ["fuzz", "demo"] {
            let error = parsed(&[command, "--budget", "300", "calls"]).expect_err("one word too many").to_string();
            assert!(error.contains("--budget \"500 calls\""), "{error}");
        }
        let error = parsed(&["demo", "app.jar"]).expect_err("one word too many").to_string();
        assert!(!error.contains("--jar"), "{error}");
    }

    #[test]
    fn a_base_url_goes_by_two_names() {
        for flag in ["--url", "--base-url"] {
            let parsed = parsed(&["fuzz", flag, "http://localhost:1"]).expect("a valid flag");
            let CliCommand::Fuzz(args) = parsed.cli.command else { panic!("another command") };
            assert_eq!(args.sut.url.as_deref(), Some("http://localhost:1"));
        }
    }
}
