//! What commands want to know that call, start and reset a service without fuzzing it.

use std::path::PathBuf;

use clap::{ArgMatches, Args};

use crate::exec::{AuthSettings, HttpSettings, Reset, ResetSettings, SutSettings};

use super::super::layers::{Layers, Origin};
use super::super::sections::{AuthSection, HttpSection, ResetSection, SutSection};
use super::super::{CliError, Config, JarSettings};
use super::{calls, jar, service};

/// Flags about a service: those of `restive fuzz` under the same names.
#[derive(Debug, Default, Args)]
pub struct ServiceArgs {
    /// Settings file [default: restive.toml in the current folder, when there is one]
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// `[sut]`.
    #[command(flatten)]
    pub sut: SutSection,
    /// `[http]`.
    #[command(flatten)]
    pub http: HttpSection,
    /// `[auth]`.
    #[command(flatten)]
    pub auth: AuthSection,
    /// `[reset]`.
    #[command(flatten)]
    pub reset: ResetSection,
}

/// A service: where it is or how it is started, how it is called and reset.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceSettings {
    /// How it is called; without a base URL when none was given.
    pub http: HttpSettings,
    /// How it is started; none when it runs already.
    pub sut: Option<SutSettings>,
    /// The jar that is started; the command of [`ServiceSettings::sut`] is then made from it.
    pub jar: Option<JarSettings>,
    /// Packages that hold the service; empty to find them out.
    pub packages: Vec<String>,
    /// Whose credentials are sent.
    pub auth: AuthSettings,
    /// How it is reset.
    pub reset: ResetSettings,
    /// Who says how it is reset.
    pub reset_by: ResetBy,
}

/// Who says how a service is reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetBy {
    /// Nobody.
    Nobody,
    /// The settings file.
    File,
    /// A flag, or a variable of the environment.
    Hand,
}

impl ServiceSettings {
    /// Joins `args` with `config`, as [`ServiceSettings::resolve`] does. A base URL that is typed without `{port}`, and
    /// without a way to start the service, is that of one that runs: what the file says about starting it is put aside.
    pub fn resolve_for_caller(args: ServiceArgs, config: &Config, matches: &ArgMatches) -> Result<Self, CliError> {
        let runs = args.sut.url.as_ref().is_some_and(|url| !url.contains("{port}"));
        let without_start = (runs && args.sut.jar.is_none() && args.sut.command.is_none()).then(|| without_start(config));
        Self::resolve(args, without_start.as_ref().unwrap_or(config), matches)
    }

    /// Joins `args` with `config`.
    pub fn resolve(args: ServiceArgs, config: &Config, matches: &ArgMatches) -> Result<Self, CliError> {
        let mut layers = Layers::new(matches);
        let ServiceArgs { sut: typed, http, auth, reset, .. } = args;
        let base_url = service::pick_base_url(&mut layers, &typed, config)?;
        let jar = jar::pick(&mut layers, &typed, config)?;
        let packages = jar::pick_packages(&mut layers, &typed, &config.sut);
        let sut = service::pick_sut(&mut layers, &typed, config, jar.is_some())?;
        let http = calls::pick_http(&mut layers, http, config, base_url)?;
        let auth = calls::pick_auth(&mut layers, auth, config)?;
        let reset = service::pick_reset(&mut layers, reset, &config.reset, sut.is_some())?;
        if jar.is_some() {
            service::refuse_other_machine(http.base_url.as_deref())?;
        }
        if sut.is_none() {
            service::refuse_port_placeholder(http.base_url.as_deref(), None)?;
        }
        let reset_by = reset_by(&layers, &reset.reset);
        Ok(Self { http, sut, jar, packages, auth, reset, reset_by })
    }
}

/// `config` without what it says about starting the service.
fn without_start(config: &Config) -> Config {
    let sut = SutSection { url: config.sut.url.clone(), ..SutSection::default() };
    let reset = ResetSection { reset_restart: None, ..config.reset.clone() };
    Config { sut, reset, ..config.clone() }
}

fn reset_by(layers: &Layers, reset: &Reset) -> ResetBy {
    let key = match reset {
        Reset::Never => "reset.never",
        Reset::Http { .. } => "reset.http",
        Reset::Command(_) => "reset.command",
        Reset::Restart => "reset.restart",
    };
    match layers.origin_of(key) {
        Origin::Default | Origin::Preset => ResetBy::Nobody,
        Origin::File => ResetBy::File,
        Origin::Flag | Origin::Environment | Origin::Joined => ResetBy::Hand,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::args::{self, CliCommand};

    fn resolve(flags: &[&str], file: &str) -> Result<ServiceSettings, CliError> {
        let words = ["restive", "replay", "out"].iter().chain(flags).map(Into::into);
        let parsed = args::parse(words).expect("valid flags");
        let CliCommand::Replay(args) = parsed.cli.command else { panic!("another command") };
        let config = Config::parse(file, Path::new("restive.toml")).expect("a valid file");
        ServiceSettings::resolve_for_caller(args.service, &config, &parsed.matches)
    }

    const FILE: &str = "[sut]\nurl = 'http://127.0.0.1:{port}/api'\ncommand = 'serve {port}'\nport = 7000\nready-log = 'up'\n\
                        [reset]\nrestart = true\n";

    #[test]
    fn a_service_is_started_as_the_file_says() {
        let settings = resolve(&[], FILE).expect("valid settings");
        assert_eq!(settings.http.base_url.as_deref(), Some("http://127.0.0.1:{port}/api"));
        assert_eq!(settings.sut.map(|sut| sut.command), Some(vec!["serve".to_owned(), "{port}".to_owned()]));
        assert_eq!((settings.reset.reset, settings.reset_by), (Reset::Restart, ResetBy::File));
    }

    #[test]
    fn a_typed_url_is_that_of_a_service_that_runs() {
        let settings = resolve(&["--url", "http://127.0.0.1:8080"], FILE).expect("valid settings");
        assert_eq!((settings.sut, settings.http.base_url.as_deref()), (None, Some("http://127.0.0.1:8080")));
        assert_eq!((settings.reset.reset, settings.reset_by), (Reset::Never, ResetBy::Nobody));
        let started = resolve(&["--url", "http://127.0.0.1:8080", "--command", "serve"], "").expect("valid settings");
        assert!(started.sut.is_some());
        assert!(resolve(&["--url", "http://127.0.0.1:{port}"], FILE).expect("valid settings").sut.is_some());
        let error = resolve(&["--url", "http://127.0.0.1:{port}"], "").expect_err("nothing is started");
        assert!(error.message.contains("no service is started"), "{}", error.message);
    }

    #[test]
    fn who_says_how_to_reset_is_known() {
        let settings = resolve(&["--reset-http", "POST /reset"], FILE).expect("valid settings");
        assert_eq!(settings.reset_by, ResetBy::Hand);
        assert_eq!(resolve(&["--reset-never"], "").expect("valid settings").reset_by, ResetBy::Hand);
        assert_eq!(resolve(&[], "").expect("valid settings").reset_by, ResetBy::Nobody);
        let error = resolve(&["--reset-restart"], "").expect_err("not ours");
        assert!(error.message.contains("restive does not start it"), "{}", error.message);
    }
}
