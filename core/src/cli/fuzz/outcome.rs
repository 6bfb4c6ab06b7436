//! Writing what a run gave: suite, results, summary. A file that cannot be written does not keep the others from it.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write as _};
use std::path::{Component, Path};
use std::time::{Duration, SystemTime};

use crate::action::ExtraInput;
use crate::api::{Api, OperationIdx, Skipped};
use crate::changes::Changes;
use crate::cli::{BudgetText, CliError, Exit, OutputFolder, ReportFormat, Settings, failing, made_page, print, tell};
use crate::driver::Driver;
use crate::exec::{Client, Reset, RestEvaluator, SentAgain};
use crate::explain;
use crate::openapi::{self, Addition};
use crate::oracle::Finding;
use crate::report::{
    self, Baseline, CODE_QUALITY_FILE, EndedBy, HAR_FILE, HTML_FILE, JUNIT_FILE, LIBRARY_CALLS_FILE, Results, Run,
    RunStatistics, SARIF_FILE, SCHEMA_FILE, Sources, Style, SuiteFile, SummaryPlaces, TestPlace, TouchedChanges, WriteError,
    finding_ids, summary,
};
use crate::search::{Halt, HintCounts, SearchState, Solution};
use crate::suite::{self, SuiteReset, SuiteSource, SuiteWriter, TestSuite, WRITERS, WrittenFile};

use super::observe::Curve;

/// Port that written tests expect a service on whose port was chosen for the run.
const USUAL_PORT: u16 = 8080;

/// What a run gave.
#[derive(Debug)]
pub struct Outcome<'a> {
    /// Everything the user wants.
    pub settings: &'a Settings,
    /// Where results go.
    pub folder: OutputFolder,
    /// The interface without what is left out.
    pub api: &'a Api,
    /// Operations that the user's filters left out.
    pub left_out: Vec<Skipped>,
    /// The search's last state.
    pub state: SearchState,
    /// The kept tests.
    pub solution: Solution,
    /// Why the search ended early, if it did.
    pub halt: Option<Halt>,
    /// How often the search started the service anew.
    pub restarts: u64,
    /// How long the search took.
    pub search_time: Duration,
    /// Status to count per operation during the search.
    pub statuses: BTreeMap<OperationIdx, BTreeMap<u16, u64>>,
    /// Progress over the search.
    pub curve: Curve,
    /// Whether what happened inside the service guided the search.
    pub is_guided: bool,
    /// The run that findings are compared with.
    pub baseline: Option<Baseline>,
    /// What changed since the user's revision, where there is one.
    pub changes: Option<Changes>,
}

impl Outcome<'_> {
    /// Writes everything, prints the summary, and says how the process ends.
    pub fn write(self, evaluator: &mut RestEvaluator<'_>) -> Result<Exit, CliError> {
        let users: Vec<String> = evaluator.service().users.names().map(str::to_owned).collect();
        let secrets = self.secrets(evaluator);
        let base_url = evaluator.service().client.base_url().to_owned();
        let findings = evaluator.findings().as_slice().to_vec();
        let suite = self.suite(&findings, &users, &secrets, &evaluator.service().client);
        let (suite_files, suite_error) = self.write_suite(&suite);
        let statistics = self.statistics(evaluator);
        let run = Run {
            api: self.api,
            targets: &self.state.targets,
            solution: &self.solution,
            suite: &suite,
            findings: &findings,
            statistics: &statistics,
            settings: &self.settings.origins,
            base_url: &base_url,
            left_out: &self.left_out,
            suite_files: &suite_files,
            user_names: &users,
            headers: &self.settings.http.headers,
            secrets: &secrets,
        };
        let mut results = Results::from_run(&run);
        if let Some(baseline) = &self.baseline {
            baseline.compare(&mut results);
        }
        let written = self.write_files(evaluator, &results, &run);
        evaluator.service_mut().end();
        written.map_err(|error| self.with_way_on(error))?;
        if let Some(error) = suite_error {
            let error = CliError::from_error(Exit::Environment, &error)
                .hint("`results.json` is complete; free some space or choose another folder with `--out DIR`");
            return Err(self.with_way_on(error));
        }
        let n_failing = failing(&results.findings, &self.settings.output.fail_on);
        Ok(Exit::of_run(n_failing, statistics.ended_by, self.api.skipped.len()))
    }

    /// What could not be written can be later, where there is a journal.
    fn with_way_on(&self, error: CliError) -> CliError {
        if self.settings.output.max_journal == 0 {
            return error;
        }
        let folder = report::shell_word(&self.folder.path.display().to_string());
        error.hint(format!("free some space; `restive fuzz --resume {folder}` then writes everything, from its journal"))
    }

    /// Writes each file whatever became of the others, and prints the summary; the first error is told at the end.
    fn write_files(&self, evaluator: &mut RestEvaluator<'_>, results: &Results, run: &Run) -> Result<(), CliError> {
        let written = report::write(results, run.suite_files, &self.folder.path, SystemTime::now());
        let explained = self.write_explanation(evaluator, run.statistics, run.suite, run.secrets);
        let saved = self.save_suite(run.suite);
        let others = self.write_others(results, run);
        let other_files: Vec<_> = others.iter().filter_map(|written| written.as_ref().ok().copied()).collect();
        if !self.settings.output.schema {
            self.print_summary(results, written.is_ok(), &other_files, run);
        }
        warn_of_resets(evaluator);
        warn_of_driver(evaluator);
        warn_of_journal(evaluator);
        written?;
        others.into_iter().collect::<Result<Vec<_>, _>>()?;
        explained?;
        saved?;
        Ok(())
    }

    /// Files that are only written where they say something or are asked for, with what they hold.
    fn write_others(&self, results: &Results, run: &Run) -> Vec<Result<OtherFile, WriteError>> {
        let folder = &self.folder.path;
        let mut others = self.write_reports(results, run);
        if self.settings.output.debug {
            let written = report::write_library_calls(run.statistics, folder);
            others.push(written.map(|()| (LIBRARY_CALLS_FILE, "what came of each library call in the service")));
        }
        let inputs: Vec<_> = self.state.expansions.inputs().collect();
        if self.settings.output.schema || !self.api.discovered.is_empty() || !inputs.is_empty() {
            let additions = inputs.iter().map(|(idx, input)| (self.api.operation(*idx), addition(input)));
            let written = report::write_schema(&openapi::completed(self.api, additions), folder);
            others.push(written.map(|()| (SCHEMA_FILE, "the schema with what it lacks")));
        }
        others
    }

    /// Reports for other programs; what GitHub Actions reads is printed.
    fn write_reports(&self, results: &Results, run: &Run) -> Vec<Result<OtherFile, WriteError>> {
        let folder = &self.folder.path;
        let statements = results.findings.iter().filter_map(|finding| finding.statement.as_deref());
        let sources = Sources::find(Path::new("."), statements);
        let write = |format: &ReportFormat| match format {
            ReportFormat::Html => self.write_page(),
            ReportFormat::Har => {
                let written = report::write_har(run, folder, SystemTime::now());
                Some(written.map(|()| (HAR_FILE, "the calls of the suite, for tools that read HTTP archives")))
            }
            ReportFormat::Sarif => {
                Some(report::write_sarif(results, &sources, folder).map(|()| (SARIF_FILE, "for code hosts and editors")))
            }
            ReportFormat::Junit => Some(report::write_junit(results, folder).map(|()| (JUNIT_FILE, "for CI systems"))),
            ReportFormat::CodeQuality => {
                Some(report::write_code_quality(results, &sources, folder).map(|()| (CODE_QUALITY_FILE, "for GitLab")))
            }
            ReportFormat::Github => {
                print_for_github(results, &sources);
                None
            }
        };
        self.settings.output.reports.iter().filter_map(write).collect()
    }

    /// The page is made from the files of the run: without them there is none, which is told elsewhere.
    fn write_page(&self) -> Option<Result<OtherFile, WriteError>> {
        let folder = &self.folder.path;
        let text = made_page(folder, &[]).ok()?;
        let written = report::write_file(&folder.join(HTML_FILE), text.as_bytes());
        Some(written.map(|()| (HTML_FILE, "all of it, for a browser")))
    }

    /// Texts that no output may show: credentials of users, and values of header fields whose names tell that they are.
    fn secrets(&self, evaluator: &RestEvaluator<'_>) -> Vec<String> {
        let fields = self.settings.http.headers.iter().filter(|(name, _)| report::is_secret_name(name));
        // `Bearer` and the like are no secrets, and the rest alone is one.
        let values = fields.flat_map(|(_, value)| [Some(value.as_str()), value.split_once(' ').map(|(_, rest)| rest)]);
        evaluator.service().users.secrets().into_iter().chain(values.flatten().map(str::to_owned)).collect()
    }

    /// The kept tests in written form.
    fn suite(&self, findings: &[Finding], users: &[String], secrets: &[String], client: &Client) -> TestSuite {
        let (base_url, insecure) = (client.base_url(), client.is_insecure());
        let mut suite = TestSuite::from_solution(&SuiteSource {
            api: self.api,
            solution: &self.solution,
            targets: &self.state.targets,
            findings,
            finding_ids: &finding_ids(self.api, findings),
            users,
            base_url,
            title: &self.api.title,
            insecure,
            reset: suite_reset(&self.settings.reset.reset, &self.folder.path),
            secrets,
        });
        suite.base_url = self.lasting_url(&suite.base_url);
        suite
    }

    /// The base URL with the usual port instead of one that was free for this run only.
    fn lasting_url(&self, base_url: &str) -> String {
        let is_chosen = self.settings.sut.as_ref().is_some_and(|sut| sut.port.is_none());
        let names_port = self.settings.http.base_url.as_ref().is_some_and(|given| !given.contains("{port}"));
        let Ok(mut url) = url::Url::parse(base_url) else { return base_url.to_owned() };
        if !is_chosen || names_port || url.set_port(Some(USUAL_PORT)).is_err() {
            return base_url.to_owned();
        }
        url.as_str().trim_end_matches('/').to_owned()
    }

    fn write_suite(&self, suite: &TestSuite) -> (Vec<SuiteFile>, Option<suite::Error>) {
        if !self.settings.output.suite {
            return (Vec::new(), None);
        }
        let writers: Vec<_> = self.settings.output.formats.iter().map(|format| format.writer()).collect();
        match suite::write(suite, &writers, &self.folder.path.join("suite")) {
            Ok(files) => (files.into_iter().map(suite_file).collect(), None),
            Err(error) => (Vec::new(), Some(error)),
        }
    }

    /// Writes the tests without a form, for `restive render`.
    fn save_suite(&self, suite: &TestSuite) -> Result<(), WriteError> {
        if self.settings.output.suite { suite::save(suite, &self.folder.path) } else { Ok(()) }
    }

    /// Writes what `restive explain` answers from.
    fn write_explanation(
        &self,
        evaluator: &RestEvaluator<'_>,
        statistics: &RunStatistics,
        suite: &TestSuite,
        secrets: &[String],
    ) -> Result<(), report::WriteError> {
        let test_names: Vec<String> = suite.tests.iter().map(|test| test.name.clone()).collect();
        let elsewhere = evaluator.service().driver.as_ref().map(Driver::elsewhere).unwrap_or_default();
        let record = explain::record(&explain::Source {
            api: self.api,
            left_out: &self.left_out,
            state: &self.state,
            gene_limits: &self.settings.search.gene_limits,
            solution: &self.solution,
            test_names: &test_names,
            statistics,
            elsewhere: &elsewhere,
            is_guided: self.is_guided,
            secrets,
        });
        explain::write(&record, &self.folder.path)
    }

    fn statistics(&self, evaluator: &mut RestEvaluator<'_>) -> RunStatistics {
        let coverage = evaluator.service_mut().driver.as_mut().map(Driver::coverage);
        let service = evaluator.service();
        RunStatistics {
            rng_seed: self.settings.search.rng_seed,
            budget: BudgetText(self.settings.search.budget).to_string(),
            calls: self.state.calls,
            elapsed: self.search_time,
            sut_restarts: self.restarts,
            connections_opened: service.client.connections_opened(),
            connections_closed: service.client.connections_closed(),
            connections_given_up: service.client.connections_given_up(),
            targets_covered: self.state.archive.n_covered(),
            ended_by: match self.halt {
                // The search was over, but not what follows it.
                None if service.stop.is_requested() => EndedBy::Interrupted,
                None => EndedBy::Budget,
                Some(Halt::Interrupted) => EndedBy::Interrupted,
                Some(Halt::SutLost) => EndedBy::SutLost,
            },
            statuses: self.statuses.clone(),
            given_up: self.state.deaths.given_up(),
            held_back: self.state.waits.held_back(),
            demanded: self.state.refusals.demanded(),
            unchecked: evaluator.unchecked(),
            coverage,
            hints: HintCounts { marked: self.state.marker.n_marked(), ..self.state.specialisations.counts().clone() },
            expansions: self.state.expansions.counts().clone(),
            hint_traffic: service.driver.as_ref().map(|driver| driver.hint_traffic().clone()).unwrap_or_default(),
            curve: self.curve.clone().finish(&self.state),
            changes: self
                .changes
                .clone()
                .map(|changes| TouchedChanges { changes, operations: self.state.touched.operations().to_vec() }),
        }
    }

    fn print_summary(&self, results: &Results, has_results: bool, other_files: &[OtherFile], run: &Run) {
        let suite_files = run.suite_files;
        let folder = self.folder.path.display().to_string();
        let mut commands = commands(&folder, suite_files);
        if self.folder.path.join(explain::EXPLAIN_FILE).exists() {
            let ask = format!("restive explain {}", report::shell_word(&folder));
            commands.push(("ask why something was not reached".to_owned(), ask));
        }
        if run.statistics.ended_by != EndedBy::Budget && self.settings.output.max_journal > 0 {
            let resume = format!("restive fuzz --resume {}", report::shell_word(&folder));
            commands.push(("go on with the run".to_owned(), resume));
        }
        let places = SummaryPlaces { folder: &folder, has_results, other_files, suite_files, commands: &commands };
        let stderr = std::io::stderr();
        let style = Style::for_terminal(stderr.is_terminal());
        // A closed standard error must not keep the results from being written.
        let _ = write!(stderr.lock(), "{}", summary(results, &places, style));
    }
}

/// An input as a document says it.
fn addition(input: &ExtraInput) -> Addition {
    match input {
        ExtraInput::Parameter(location, name, schema) => Addition::Parameter(*location, name.clone(), schema.clone()),
        ExtraInput::Body(media_type, schema) => Addition::Body(media_type.clone(), schema.clone()),
    }
}

/// A file that is not always written, and what it holds.
type OtherFile = (&'static str, &'static str);

/// Prints annotations, and appends to the summary of the job, where the job has one. That nobody reads it is no failure.
fn print_for_github(results: &Results, sources: &Sources) {
    let _ = print(&report::annotations(results, sources));
    let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    let appended = file.and_then(|mut file| file.write_all(report::job_summary(results).as_bytes()));
    if let Err(error) = appended {
        tell(&format!("warning: the job has no summary: {error}\n"));
    }
}

/// How tests in the output folder `out` reset a service that the run reset by `reset`.
fn suite_reset(reset: &Reset, out: &Path) -> SuiteReset {
    match reset {
        Reset::Never => SuiteReset::Never,
        Reset::Restart => SuiteReset::LeftOut,
        Reset::Http { verb, url } => SuiteReset::Call { verb: verb.to_ascii_uppercase(), url: url.clone() },
        Reset::Command(words) => SuiteReset::Command { words: words.clone(), folder: way_back(out) },
    }
}

/// The folder that the run was started in, as seen from the suites in `out`; empty when `out` does not tell.
fn way_back(out: &Path) -> String {
    let is_below = out.components().all(|component| matches!(component, Component::Normal(_) | Component::CurDir));
    let depth = out.components().filter(|component| matches!(component, Component::Normal(_))).count();
    if is_below { vec![".."; depth + 2].join("/") } else { String::new() }
}

/// How to run each written form of the suite.
fn commands(folder: &str, suite_files: &[SuiteFile]) -> Vec<(String, String)> {
    let has = |form: &str| suite_files.iter().any(|file| file.file_path.starts_with(&format!("suite/{form}/")));
    let command = |writer: &&dyn SuiteWriter| {
        let command = format!("cd {folder}/suite/{} && {}", writer.name(), writer.command());
        (format!("run the {} suite", writer.title()), command)
    };
    WRITERS.iter().filter(|writer| has(writer.name())).map(command).collect()
}

/// Resets that failed make every result doubtful, so they are said even when all else went well.
fn warn_of_resets(evaluator: &RestEvaluator<'_>) {
    let resetter = &evaluator.service().resetter;
    if let Some(failure) = resetter.first_failure() {
        let (failures, resets) = (resetter.failures(), resetter.resets());
        tell(&format!("warning: {failures} of {resets} resets failed; the first: {failure}\n"));
    }
}

/// Who loses the driver on the way ends up with a search that is half black-box.
fn warn_of_driver(evaluator: &RestEvaluator<'_>) {
    if evaluator.service().driver.as_ref().is_some_and(|driver| !driver.is_connected()) {
        tell("warning: the connection to the driver was lost, and the run went on without it; `logs/sut.log` may say why\n");
    }
}

/// A run that cannot be resumed where it ended, or was not resumed where it had ended.
fn warn_of_journal(evaluator: &RestEvaluator<'_>) {
    if let Some(trouble) = evaluator.journal_trouble() {
        tell(&format!(
            "warning: not all of the run is in its journal, and resuming it goes back to where that ends: {trouble}\n"
        ));
    }
    let remembered = evaluator.remembered();
    if remembered.is_misfit {
        let calls = remembered.calls;
        tell(&format!("warning: the first {calls} calls were resumed; what the run did after them it did not do again\n"));
    }
    let sent = remembered.sent_again;
    if sent.are_too_many {
        tell("warning: the run went on with a service that was started anew: too many calls had changed the one before\n");
    } else if sent.otherwise > 0 {
        let SentAgain { calls, otherwise, .. } = sent;
        tell(&format!(
            "warning: {calls} calls that may have changed the service before were sent to it again when the run went on, and \
             {otherwise} had another status: it need not be where it was\n"
        ));
    }
}

/// A written file as the report names it.
fn suite_file(file: WrittenFile) -> SuiteFile {
    let place = |test: suite::WrittenTest| TestPlace { name: test.name, written_name: test.written_name, lines: test.lines };
    SuiteFile { file_path: format!("suite/{}", file.path), tests: file.tests.into_iter().map(place).collect() }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Reset, SuiteReset, suite_reset};

    #[test]
    fn suites_run_the_command_where_the_run_did_when_the_output_folder_tells() {
        let folder = |out: &str| match suite_reset(&Reset::Command(vec!["make".to_owned()]), Path::new(out)) {
            SuiteReset::Command { folder, .. } => folder,
            other => panic!("{other:?}"),
        };
        assert_eq!((folder("out"), folder("./a/b")), ("../../..".to_owned(), "../../../..".to_owned()));
        assert_eq!((folder("/tmp/out"), folder("../out")), (String::new(), String::new()));
    }

    #[test]
    fn what_suites_cannot_do_is_left_out() {
        assert_eq!(suite_reset(&Reset::Restart, Path::new("out")), SuiteReset::LeftOut);
        assert_eq!(suite_reset(&Reset::Never, Path::new("out")), SuiteReset::Never);
        let call = suite_reset(&Reset::Http { verb: "post".to_owned(), url: "/r".to_owned() }, Path::new("out"));
        assert_eq!(call, SuiteReset::Call { verb: "POST".to_owned(), url: "/r".to_owned() });
    }
}
