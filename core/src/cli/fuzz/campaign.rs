//! One run from the first call to the written files.

use std::time::Duration;

use crate::api::{Api, OperationIdx, Skipped};
use crate::changes::Changes;
use crate::cli::{BudgetText, CliError, Exit, OutputFolder, Progress, Settings, Snapshot, tell};
use crate::driver::Driver;
use crate::exec::{Reset, RestEvaluator, Service};
use crate::journal::{Journal, RunFile};
use crate::oracle::{Confirmation, FaultCode};
use crate::report::Baseline;
use crate::search::minimise::{self, SolveLimits};
use crate::search::{
    Budget, Changed, Evaluator, Halt, Marker, Marking, Problem, Schedule, SearchSettings, SearchState, Solution, mio,
};

use super::observe::{Curve, phase};
use super::outcome::Outcome;
use super::watched::{MAKING, Watched};

/// Time that even the shortest run may take to make and verify tests.
const MIN_SOLVE_TIME: Duration = Duration::from_secs(4);
/// The part of a time budget that a service which does not answer is asked again for, as its inverse.
const HANG_SHARE: u32 = 10;
/// The least of that time.
const MIN_HANG_PATIENCE: Duration = Duration::from_secs(2);
/// How many times longer than the search making and verifying tests may take in a run with a call budget, before that is
/// taken for a service that has become slow; healthy ones take once to three times as long.
const PATIENCE: u32 = 10;
/// Time that even the shortest search gives it.
const MIN_PATIENCE: Duration = Duration::from_mins(2);

/// A run that is ready to start.
#[derive(Debug)]
pub struct Campaign<'a> {
    /// Everything the user wants.
    pub settings: &'a Settings,
    /// Where results go.
    pub folder: OutputFolder,
    /// The interface without what is left out.
    pub api: Api,
    /// Operations that the user's filters left out.
    pub left_out: Vec<Skipped>,
    /// The service, ready for calls.
    pub service: Service,
    /// What changed since the user's revision, where there is one.
    pub changes: Option<Changes>,
    /// What of the service that is.
    pub preferred: Changed,
}

impl Campaign<'_> {
    /// Searches, minimises and confirms where tests are wanted, and writes.
    /// Findings are compared with those of `baseline`.
    pub fn run(self, baseline: Option<Baseline>) -> Result<Exit, CliError> {
        let Self { settings, folder, api, left_out, service, changes, preferred } = self;
        let operations = (0..api.operations.len()).map(|idx| OperationIdx(u32::try_from(idx).expect("below 2^32"))).collect();
        let n_users = u16::try_from(service.users.len()).expect("user numbers fit in 16 bits");
        let problem = Problem::new(&api, operations, n_users, &settings.search).preferring(preferred);
        let mut state = SearchState::new(&problem);
        if !service.driver.as_ref().is_some_and(Driver::tracks) {
            // Nobody would tell what became of marked values.
            state.marker = Marker::new(Marking::Never);
        }
        let mut evaluator = RestEvaluator::keeping(&api, service, journal(settings, &folder, &api, changes.as_ref())?);
        evaluator.speed_up_clock(settings.clock_speed);
        evaluator.service_mut().inquest.patience = hang_patience(settings.search.budget);
        let counters = evaluator.service().driver.as_ref().map(Driver::counters);
        let is_guided = evaluator.service().driver.as_ref().is_some_and(Driver::guides);
        let mut curve = Curve::new(counters);
        let mut progress = Progress::new(settings.search.budget, settings.output.quiet);
        let halt = search(settings, &problem, &mut state, &mut evaluator, &mut |state, schedule| {
            curve.note(state);
            progress.update(|| snapshot(&problem, state, schedule));
        });
        let search_time = evaluator.elapsed();
        let statuses = evaluator.statuses().clone();
        let restarts = evaluator.restarts();
        let solution = if settings.output.suite {
            progress.phase(MAKING);
            make_tests(settings, &problem, &mut state, &mut evaluator, &mut progress, halt)
        } else {
            Solution::default()
        };
        progress.finish();
        evaluator.judge_memory();
        let api = &api;
        let outcome = Outcome {
            settings,
            folder,
            api,
            left_out,
            state,
            solution,
            halt,
            restarts,
            search_time,
            statuses,
            curve,
            is_guided,
            baseline,
            changes,
        };
        outcome.write(&mut evaluator)
    }
}

/// How long a service that does not answer is asked again: in a run of a minute that must not take most of it.
fn hang_patience(budget: Budget) -> Option<Duration> {
    match budget {
        Budget::Time(budget) => Some((budget / HANG_SHARE).max(MIN_HANG_PATIENCE)),
        Budget::Calls(_) => None,
    }
}

/// Searches until the budget is used up. A run that was given more first does what it did before, tests included, for these
/// may have found something.
fn search(
    settings: &Settings,
    problem: &Problem<'_>,
    state: &mut SearchState,
    evaluator: &mut RestEvaluator<'_>,
    observe: &mut dyn FnMut(&SearchState, &Schedule),
) -> Option<Halt> {
    let earlier = settings.resumed.iter().flat_map(|run| &run.earlier_budgets);
    for BudgetText(budget) in earlier.filter_map(|budget| budget.parse().ok()) {
        let shorter = SearchSettings { budget, ..settings.search.clone() };
        let problem = problem.within(&shorter);
        let halt = mio::run(&problem, state, evaluator, observe);
        if halt.is_some() {
            return halt;
        }
        if evaluator.comes_to_tests() {
            let moment = evaluator.elapsed();
            make_tests(settings, &problem, state, evaluator, &mut Progress::new(budget, true), None);
            evaluator.search_on(moment);
        }
    }
    mio::run(problem, state, evaluator, observe)
}

/// The journal that the run writes; none where none is wanted. What cannot be written is told, and keeps no run from going.
fn journal(
    settings: &Settings,
    folder: &OutputFolder,
    api: &Api,
    changes: Option<&Changes>,
) -> Result<Option<Journal>, CliError> {
    let (path, max_bytes) = (&folder.path, settings.output.max_journal);
    if let Some(run) = &settings.resumed {
        if !run.is_of(api) {
            let message = "the interface of the service is not the one that the run was begun with";
            return Err(CliError::environment(message.to_owned()).hint("begin a new run, without `--resume`"));
        }
        let reopened = Journal::reopen(path, max_bytes).map_err(|error| {
            CliError::environment(format!("cannot read the journal in `{}`: {error}", path.display()))
                .hint("see to it that you may read the folder and its files")
        })?;
        if !run.earlier_budgets.is_empty() {
            run.write(path).map_err(|error| CliError::from_error(Exit::Environment, &error))?;
        }
        return Ok(Some(reopened));
    }
    if max_bytes == 0 {
        return Ok(None);
    }
    match RunFile::new(&settings.as_toml, &settings.origins, api).since(changes).write(path) {
        Ok(()) => Ok(Some(Journal::new(path, max_bytes))),
        Err(error) => {
            tell(&format!("warning: {error}: this run cannot be resumed\n"));
            Ok(None)
        }
    }
}

/// What is shown of the search now.
fn snapshot(problem: &Problem<'_>, state: &SearchState, schedule: &Schedule) -> Snapshot<'static> {
    Snapshot {
        calls: state.calls,
        elapsed: state.elapsed,
        targets: state.archive.n_covered(),
        operations_2xx: state.succeeded.len(),
        operations: problem.operations.len(),
        findings: state.n_findings,
        phase: phase(schedule, state),
    }
}

/// Makes tests of what was found, and tries them again.
fn make_tests(
    settings: &Settings,
    problem: &Problem<'_>,
    state: &mut SearchState,
    evaluator: &mut RestEvaluator<'_>,
    progress: &mut Progress,
    halt: Option<Halt>,
) -> Solution {
    let limits = solve_limits(problem.settings.budget, state, evaluator.elapsed());
    make_ready_for_tests(settings, evaluator, halt);
    let solution = minimise::solve(problem, state, &mut Watched::new(evaluator, progress), limits, halt);
    confirm(evaluator, &solution, halt);
    solution
}

/// Tests are made in the world that the suites will find, and those cannot start a service anew.
fn make_ready_for_tests(settings: &Settings, evaluator: &mut RestEvaluator<'_>, halt: Option<Halt>) {
    // The classes of a service that ends later are known by then.
    evaluator.begin_tests(halt.is_none());
    let service = evaluator.service_mut();
    service.resets_tests = settings.reset.reset != Reset::Restart;
    if let Some(sut) = &mut service.sut {
        sut.favour_quick_starts(true);
    }
    if let Some(driver) = &mut service.driver {
        driver.report_all();
    }
}

/// Making and verifying tests may cost half of what the search may, and always enough for a short run.
fn solve_limits(budget: Budget, state: &SearchState, search_time: Duration) -> SolveLimits {
    match budget {
        Budget::Calls(_) => SolveLimits {
            patience: Some(search_time + (search_time * PATIENCE).max(MIN_PATIENCE)),
            ..SolveLimits::of_calls((state.calls / 2).max(500))
        },
        Budget::Time(budget) => SolveLimits::of_time(search_time, (budget / 2).max(MIN_SOLVE_TIME)),
    }
}

/// Tells findings that showed again from those that did not, and shows each by its shortest test.
fn confirm(evaluator: &mut RestEvaluator<'_>, solution: &Solution, halt: Option<Halt>) {
    if halt.is_some() || solution.executions == 0 {
        return;
    }
    let findings = evaluator.findings_mut();
    for position in 0..findings.len() {
        // An end of the service was tried again when it showed: no test can.
        if findings.as_slice()[position].fault.code == FaultCode::SutDeath {
            continue;
        }
        let is_tried = solution.tried.contains(&position);
        let confirmation = match (solution.shown.contains(&position), is_tried) {
            (true, _) => Confirmation::Confirmed,
            (false, true) => Confirmation::Unstable,
            // What a shorter run has tried is not forgotten.
            (false, false) => continue,
        };
        findings.confirm(position, confirmation);
    }
    for (position, requests) in &solution.alone {
        findings.show_only_by(*position, requests.clone());
    }
    // Backwards, so that the first of equally short tests is what stays.
    for test in solution.tests.iter().rev() {
        for position in &test.findings {
            findings.show_by(*position, test.results.iter().map(|result| result.request.clone()).collect());
        }
    }
}
