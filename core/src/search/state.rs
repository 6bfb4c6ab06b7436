//! Everything a search knows at one moment: plain data, owned, apart from what acts on it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use crate::action::{Action, ActionResult, UserIdx};
use crate::api::{Api, OperationIdx, Verb};
use crate::random::Random;

use super::access::Access;
use super::accounts::{Accounts, name_account};
use super::archive::Archive;
use super::deaths::Deaths;
use super::documents::Documents;
use super::impact::{GeneKey, ImpactTable};
use super::logins::Logins;
use super::malformations::Malformations;
use super::names::noun_of;
use super::past::{Known, Past};
use super::pool::ResponsePool;
use super::refusals::Refusals;
use super::repeats::Repeats;
use super::resource::Resources;
use super::sampler::with_headers_made;
use super::spoilers::Spoilers;
use super::taken::Taken;
use super::waits::Waits;
use super::{Evaluation, Expansions, Individual, Marker, Problem, Specialisations, Targets, Touched};

/// Creating calls that succeeded, kept per operation.
pub const MAX_WORKED: usize = 4;

/// The state of a search.
#[derive(Debug, Clone)]
pub struct SearchState {
    /// All targets seen.
    pub targets: Targets,
    /// Best individuals per target.
    pub archive: Archive,
    /// Which genes matter for what.
    pub impact: ImpactTable,
    /// What is known of genes by hints.
    pub specialisations: Specialisations,
    /// Which values are marked.
    pub marker: Marker,
    /// Which parameters had a document.
    pub documents: Documents,
    /// Inputs that the service reads beyond its document.
    pub expansions: Expansions,
    /// Values from answers.
    pub pool: ResponsePool,
    /// Who creates what.
    pub resources: Resources,
    /// Who may call what.
    pub access: Access,
    /// Who wants a token, and where one is.
    pub logins: Logins,
    /// Who makes the accounts for that.
    pub accounts: Accounts,
    /// Which optional parameters calls are refused with.
    pub spoilers: Spoilers,
    /// Inputs that may be left out, and that refusals name.
    pub refusals: Refusals,
    /// Which operations work with what changed.
    pub touched: Touched,
    /// What was sent before.
    pub repeats: Repeats,
    /// Which inputs have values that are taken once they are used.
    pub taken: Taken,
    /// What tests left behind.
    pub past: Past,
    /// Creating calls that succeeded, the latest last, without links and with at most [`MAX_WORKED`] per operation.
    pub worked: BTreeMap<OperationIdx, VecDeque<Action>>,
    /// The random stream.
    pub random: Random,
    /// Calls that every search begins with.
    pub first_calls: VecDeque<(OperationIdx, Option<UserIdx>)>,
    /// Calls made.
    pub calls: u64,
    /// Evaluations made.
    pub evaluations: u64,
    /// Time spent.
    pub elapsed: Duration,
    /// Operations that succeeded at least once.
    pub succeeded: BTreeSet<OperationIdx>,
    /// Findings so far.
    pub n_findings: usize,
    /// Ends of the service, and operations that are not called any more because of them.
    pub deaths: Deaths,
    /// Operations that keep callers waiting.
    pub waits: Waits,
    /// What came of requests that are wrong on purpose.
    pub malformations: Malformations,
}

/// What changed comes first. What creates comes before what reads, and what deletes comes last, so that the first pass already meets
/// data.
fn first_calls(problem: &Problem) -> VecDeque<(OperationIdx, Option<UserIdx>)> {
    let mut operations = problem.operations.clone();
    operations.sort_by_key(|idx| {
        let verb = problem.api.operation(*idx).verb;
        let is_same = !problem.preferred.operations.contains(idx);
        (is_same, verb == Verb::Delete, !matches!(verb, Verb::Post | Verb::Put), *idx)
    });
    let users = problem.users().map(Some).chain([None]);
    users.flat_map(|user| operations.iter().map(move |operation_idx| (*operation_idx, user))).collect()
}

impl SearchState {
    /// The state before the first call: every operation waits to be called once as nobody and once as each user.
    pub fn new(problem: &Problem) -> Self {
        Self {
            targets: Targets::default(),
            archive: Archive::default(),
            impact: ImpactTable::default(),
            specialisations: Specialisations::default(),
            marker: Marker::new(problem.settings.marking),
            documents: Documents::default(),
            expansions: Expansions::new(problem),
            pool: ResponsePool::default(),
            resources: Resources::new(problem.api, &problem.operations),
            access: Access::default(),
            logins: Logins::new(problem.api.schemes.clone(), problem.n_users > 0),
            accounts: Accounts::new(problem.api, &problem.operations),
            spoilers: Spoilers::new(problem.api),
            refusals: Refusals::default(),
            touched: Touched::new(&problem.preferred),
            repeats: Repeats::default(),
            taken: Taken::default(),
            past: Past::default(),
            worked: BTreeMap::new(),
            random: Random::new(problem.settings.rng_seed, 0),
            first_calls: first_calls(problem),
            calls: 0,
            evaluations: 0,
            elapsed: Duration::ZERO,
            succeeded: BTreeSet::new(),
            n_findings: 0,
            deaths: Deaths::new(problem.settings.max_deaths),
            waits: Waits::new(problem.settings),
            malformations: Malformations::default(),
        }
    }

    /// Learns values and identities from the answers of `evaluation`.
    pub fn learn(&mut self, problem: &Problem, evaluation: &Evaluation) {
        self.waits.note(evaluation);
        self.note_deaths(evaluation);
        let taught = self.specialisations.learn(problem.api, evaluation, &mut self.random);
        self.marker.learn(evaluation, &taught);
        let is_news = self.expansions.open().are_any_known() && self.archive.lacks_code_of(evaluation, &self.targets);
        for individual in self.expansions.learn(problem, (evaluation, is_news), &mut self.marker, &mut self.random) {
            let individual = with_headers_made(problem, self, individual);
            self.have_tried(problem.api, individual);
        }
        if self.specialisations.are_told() {
            for individual in self.documents.learn(evaluation, &self.specialisations) {
                self.have_tried(problem.api, individual);
            }
        }
        self.learn_taken(problem.api, evaluation);
        self.n_findings = self.n_findings.max(evaluation.findings.last().map_or(0, |last| last + 1));
        let actions = &evaluation.individual.actions;
        self.past.learn(problem.api, actions, &evaluation.results);
        for (call_idx, (action, result)) in actions.iter().zip(&evaluation.results).enumerate() {
            self.malformations.note(action, result);
            if action.leads_astray() {
                continue;
            }
            if let Some(status) = result.status() {
                self.resources.note_followed(actions, call_idx, status);
                self.spoilers.note(action, status);
                self.access.note(result.request.operation_idx, result.request.user, status);
            }
            for individual in self.refusals.learn(problem.api, &actions[..=call_idx], result, &mut self.random) {
                self.have_tried(problem.api, individual);
            }
            let wanting = self.logins.learn(actions, &evaluation.results, call_idx);
            self.first_calls.extend(wanting.into_iter().map(|operation_idx| (operation_idx, None)));
            self.learn_success(problem, action, result);
        }
    }

    /// Learns from the answer of a call, where it succeeded.
    fn learn_success(&mut self, problem: &Problem, action: &Action, result: &ActionResult) {
        let Some(answer) = result.answer().filter(|answer| (200..300).contains(&answer.status)) else { return };
        let operation_idx = result.request.operation_idx;
        let operation = problem.api.operation(operation_idx);
        self.succeeded.insert(operation_idx);
        if let Some(json) = answer.json() {
            self.pool.learn(&noun_of(&operation.url_path), json);
        }
        if matches!(operation.verb, Verb::Post | Verb::Put) && action.violation.is_none() {
            self.remember(action);
        }
        self.resources.learn_links(operation_idx, result);
        if operation.verb == Verb::Post {
            self.resources.learn(operation_idx, result);
        }
    }

    /// Learns which values are taken once they are used, and has calls tried that tell.
    fn learn_taken(&mut self, api: &Api, evaluation: &Evaluation) {
        for individual in self.taken.learn(api, evaluation, &mut self.random) {
            self.specialisations.trials.push_exact(individual);
        }
    }

    /// Gives inputs of `actions` whose values are taken others by the odds, but for those of `fixed`.
    pub(super) fn renew_taken(&mut self, problem: &Problem, actions: &mut [Action], fixed: &[GeneKey]) {
        self.taken.renew(problem.api, actions, fixed, problem.settings.odds.renew_taken, &mut self.random);
    }

    /// `individual` with other values of inputs that are taken, so that it can be executed again on a service that keeps what was
    /// made.
    pub(super) fn vary_taken(&mut self, api: &Api, mut individual: Individual) -> Individual {
        self.taken.vary(api, &mut individual.actions, &mut self.random);
        individual
    }

    /// `individual` with an account of its own before each call that logs in to one that it does not make; none where that is
    /// nothing new.
    pub(super) fn with_accounts(&self, problem: &Problem, individual: &Individual) -> Option<Individual> {
        let mut completed = individual.clone();
        let mut login = 0;
        while login < completed.actions.len() && completed.actions.len() < problem.settings.max_test_size {
            let maker = self.accounts.maker(completed.actions[login].operation_idx);
            let maker = maker.filter(|_| self.accounts.made_at(&completed.actions, login).is_none());
            if let Some(account) = maker.and_then(|maker| self.worked.get(&maker)?.back()) {
                name_account(&mut completed.actions[login], account);
                completed.insert(login, vec![account.clone()]);
                login += 1;
            }
            login += 1;
        }
        (completed.actions.len() > individual.actions.len()).then_some(completed)
    }

    /// `individual`, which gave `results`, behind calls of earlier tests that it hangs on, with its own login; none where no such
    /// calls are known or there is no room for them.
    pub(super) fn with_past(
        &self,
        problem: &Problem,
        (individual, results): (&Individual, &[ActionResult]),
        with_removals: bool,
    ) -> Option<Individual> {
        let room = problem.settings.max_test_size;
        let (mut completed, let_in) = self.past.put_before(self.known(problem), (individual, results), room, with_removals)?;
        let mut links = completed.actions.iter().flat_map(|action| &action.links);
        if let Some(login) = links.find(|link| link.place.shows_credentials()).map(|link| link.from_action) {
            let maker = completed.actions[login].operation_idx;
            for idx in let_in {
                self.logins.let_in(&mut completed.actions[idx], maker, login);
            }
        }
        Some(completed)
    }

    /// How many things a test names that other tests made.
    pub(super) fn n_left_behind(&self, problem: &Problem, individual: &Individual) -> usize {
        self.past.n_foreign(self.known(problem), &individual.actions)
    }

    fn known<'a>(&'a self, problem: &Problem<'a>) -> Known<'a> {
        Known { api: problem.api, resources: &self.resources }
    }

    /// Has an individual tried for what its last call may tell.
    fn have_tried(&mut self, api: &Api, mut individual: Individual) {
        let last = individual.actions.len().saturating_sub(1);
        individual.remove_looks(api, last);
        self.specialisations.trials.push_other(individual);
    }

    /// Counts ends of the service; what is given up because of them is not worked on any more.
    pub fn note_deaths(&mut self, evaluation: &Evaluation) {
        let waits = &self.waits;
        if let Some(given_up) = self.deaths.note(evaluation, |operation_idx| waits.are_explained(operation_idx)) {
            self.archive.drop_calls_of(given_up);
        }
    }

    /// Takes out of `individual` what is not called any more, or not now; says whether anything was.
    pub(super) fn leave_out(&mut self, individual: &mut Individual) -> bool {
        let is_less = self.deaths.leave_out(individual);
        self.waits.hold_back(individual, self.calls) || is_less
    }

    fn remember(&mut self, action: &Action) {
        let worked = self.worked.entry(action.operation_idx).or_default();
        if worked.len() >= MAX_WORKED {
            worked.pop_front();
        }
        worked.push_back(Action { links: Vec::new(), ..action.clone() });
    }
}
