//! Settings ready for use: layers joined, values checked, paths and units resolved.

mod calls;
mod driver;
mod jar;
mod search;
mod service;
mod service_settings;

use std::path::PathBuf;

use clap::ArgMatches;

use crate::exec::{AuthSettings, HttpSettings, ResetSettings, SutSettings};
use crate::journal::RunFile;
use crate::report::Setting;
use crate::search::SearchSettings;

pub use driver::{Attachment, DriverSettings};

use super::args::{DemoArgs, FuzzArgs};
use super::layers::{Layers, Origin};
use super::sections::OutputSection;
use super::{CliError, Config, FailOn, ReportFormat, SchemaSource, Size, SuiteFormat};

pub use jar::JarSettings;
pub use service_settings::{ResetBy, ServiceArgs, ServiceSettings};

/// Everything a run needs to know.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the interface is described; none to find it out, which works only for a jar.
    pub schema: Option<SchemaSource>,
    /// How calls are made.
    pub http: HttpSettings,
    /// How the service is started; none when it runs already.
    pub sut: Option<SutSettings>,
    /// The jar that is started; the command of [`Settings::sut`] is then made from it when the run begins.
    pub jar: Option<JarSettings>,
    /// Packages that hold the service; empty to find them out.
    pub packages: Vec<String>,
    /// How it is measured from inside.
    pub driver: DriverSettings,
    /// How the service is brought back to its first state.
    pub reset: ResetSettings,
    /// Whose credentials are sent.
    pub auth: AuthSettings,
    /// Every parameter of the search.
    pub search: SearchSettings,
    /// What of the interface is called.
    pub operations: OperationSettings,
    /// What is written where.
    pub output: OutputSettings,
    /// Every setting with its origin, secrets masked.
    pub origins: Vec<Setting>,
    /// The same as a `restive.toml`.
    pub as_toml: String,
    /// The run in the output folder that is gone on with; none for a new one.
    pub resumed: Option<RunFile>,
    /// How many times as fast the clock of the run goes; 1 but in tests.
    pub clock_speed: u32,
}

/// Search and output settings of `restive demo`; the rest follows from the bundled service.
#[derive(Debug, Clone, PartialEq)]
pub struct DemoSettings {
    /// Every parameter of the search.
    pub search: SearchSettings,
    /// What is written where.
    pub output: OutputSettings,
    /// Every setting with its origin.
    pub origins: Vec<Setting>,
    /// The same as a `restive.toml`.
    pub as_toml: String,
}

/// What of the interface is called, as patterns for [`super::OperationFilter`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationSettings {
    /// Only these; empty for all.
    pub include: Vec<String>,
    /// But never these.
    pub exclude: Vec<String>,
    /// Those first that work with what changed since this revision.
    pub changed_since: Option<String>,
}

/// What is written where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the user, and every combination makes sense")]
pub struct OutputSettings {
    /// The folder.
    pub folder: PathBuf,
    /// Whether earlier results in it are moved aside.
    pub overwrite: bool,
    /// Test frameworks to write for, each once.
    pub formats: Vec<SuiteFormat>,
    /// Reports besides those that are always written, each once.
    pub reports: Vec<ReportFormat>,
    /// Output folder of the run that findings are compared with.
    pub baseline: Option<PathBuf>,
    /// Which findings make a run fail.
    pub fail_on: Vec<FailOn>,
    /// Whether tests are made at all; else findings are not tried again either.
    pub suite: bool,
    /// Whether what came of each library call is written, too.
    pub debug: bool,
    /// Whether progress stays unshown.
    pub quiet: bool,
    /// Bytes that the journal may have on the disk; 0 for none.
    pub max_journal: u64,
    /// Whether the completed document is all that is wanted: it is written also where nothing was found beyond the known one,
    /// and there is no summary.
    pub schema: bool,
}

impl OutputSettings {
    /// Where the output of the service goes, and what its JVMs leave behind.
    pub fn logs(&self) -> PathBuf {
        self.folder.join("logs")
    }
}

impl Settings {
    /// Joins the flags of `restive fuzz` with `config`.
    pub fn resolve(args: FuzzArgs, config: &Config, matches: &ArgMatches) -> Result<Self, CliError> {
        let mut layers = Layers::new(matches);
        let source = service::pick_source(&mut layers, &args.sut, config)?;
        let jar = jar::pick(&mut layers, &args.sut, config)?;
        let packages = jar::pick_packages(&mut layers, &args.sut, &config.sut);
        let sut = service::pick_sut(&mut layers, &args.sut, config, jar.is_some())?;
        let (driver, marking) = driver::pick(&mut layers, args.driver, config, sut.is_some())?;
        let operations = calls::pick_operations(&mut layers, args.operations, config);
        let expands = driver.expands;
        let search = SearchSettings { marking, expands, ..search::pick(&mut layers, &args.search, &config.search)? };
        let http = calls::pick_http(&mut layers, args.http, config, source.base_url)?;
        let auth = calls::pick_auth(&mut layers, args.auth, config)?;
        let reset = service::pick_reset(&mut layers, args.reset, &config.reset, sut.is_some())?;
        let output = pick_output(&mut layers, args.output, config);
        if jar.is_some() {
            service::refuse_other_machine(http.base_url.as_deref())?;
        }
        if sut.is_none() {
            service::refuse_port_placeholder(http.base_url.as_deref(), source.schema.as_ref())?;
        }
        let as_toml = layers.to_toml();
        let origins = layers.into_settings();
        Ok(Self {
            schema: source.schema,
            http,
            sut,
            jar,
            packages,
            driver,
            reset,
            auth,
            search,
            operations,
            output,
            origins,
            as_toml,
            resumed: None,
            clock_speed: args.clock_speed.unwrap_or(1),
        })
    }
}

impl DemoSettings {
    /// The flags of `restive demo` over its defaults: `budget` holds when none is given.
    pub fn resolve(args: DemoArgs, budget: super::BudgetText, matches: &ArgMatches) -> Result<Self, CliError> {
        let mut layers = Layers::new(matches);
        let defaults = super::sections::SearchSection::default();
        let search = search::pick_with(&mut layers, &args.search, &defaults, budget)?;
        let output = pick_output(&mut layers, args.output, &Config::default());
        let as_toml = layers.to_toml();
        Ok(Self { search, output, origins: layers.into_settings(), as_toml })
    }
}

fn pick_output(layers: &mut Layers, typed: OutputSection, config: &Config) -> OutputSettings {
    let file = &config.output;
    let in_file = file.out.as_deref().map(|path| config.resolve(path));
    let folder = layers.pick_or("output.out", typed.out, in_file, PathBuf::from("out"));
    let overwrite = layers.pick_or("output.overwrite", typed.overwrite, file.overwrite, false);
    let some = |list: Vec<SuiteFormat>| (!list.is_empty()).then_some(list);
    let mut formats =
        layers.pick_or("output.format", some(typed.format), some(file.format.clone()), SuiteFormat::USUAL.to_vec());
    formats.sort();
    formats.dedup();
    let some = |list: Vec<ReportFormat>| (!list.is_empty()).then_some(list);
    let mut reports = layers.pick_or("output.report", some(typed.report), some(file.report.clone()), usual_reports());
    reports.sort();
    reports.dedup();
    let in_file = file.baseline.as_deref().map(|path| config.resolve(path));
    let baseline = layers.pick("output.baseline", typed.baseline, in_file, None);
    let some = |list: Vec<FailOn>| (!list.is_empty()).then_some(list);
    let fail_on = layers.pick_or("output.fail-on", some(typed.fail_on), some(file.fail_on.clone()), vec![FailOn::Any]);
    let suite = layers.pick_or("output.suite", typed.suite, file.suite, true);
    let debug = layers.pick_or("output.debug", typed.debug, file.debug, false);
    let quiet = layers.pick_or("output.quiet", typed.quiet, file.quiet, false);
    let Size(max_journal) = layers.pick_or("output.max-journal", typed.max_journal, file.max_journal, Size(2_000_000_000));
    OutputSettings { folder, overwrite, formats, reports, baseline, fail_on, suite, debug, quiet, max_journal, schema: false }
}

/// What is of use anywhere, and what the CI system shows that the run is a job of.
fn usual_reports() -> Vec<ReportFormat> {
    let is_job_of = |variable: &str| std::env::var_os(variable).is_some_and(|value| value == "true");
    let mut reports = vec![ReportFormat::Html, ReportFormat::Sarif, ReportFormat::Junit];
    reports.extend(is_job_of("GITLAB_CI").then_some(ReportFormat::CodeQuality));
    reports.extend(is_job_of("GITHUB_ACTIONS").then_some(ReportFormat::Github));
    reports
}

/// How a key is called where its value came from: `--p-random`, `RESTIVE_P_RANDOM`, `p-random` in `[search]`.
fn place(layers: &Layers, key: &str) -> String {
    let (section, name) = key.split_once('.').unwrap_or(("", key));
    let flag = match (section, name) {
        ("reset", _) | ("auth", "file") => format!("{section}-{name}"),
        _ => name.to_owned(),
    };
    match layers.origin_of(key) {
        Origin::Environment => format!("RESTIVE_{}", flag.to_uppercase().replace('-', "_")),
        Origin::File => format!("`{name}` in [{section}]"),
        Origin::Flag | Origin::Preset | Origin::Default | Origin::Joined => format!("`--{flag}`"),
    }
}

#[cfg(test)]
mod tests;
