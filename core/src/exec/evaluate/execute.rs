//! Sends the calls of individuals, one after the other, and keeps the service alive between them.

use std::time::Instant;

use crate::action::{Action, ActionResult, Outcome, Request, render};
use crate::api::{Api, OperationIdx};
use crate::driver::{Driver, Next};
use crate::exec::Service;
use crate::exec::growth::MemoryWatch;
use crate::exec::service::{End, Revival};
use crate::search::{
    Death, ExecutedCall, Execution, Executor, Feedback, Halt, Individual, LeftTexts, Meanwhile, Proof, ReadInput, ReadPlace,
    Tracking, tracked_values,
};

use super::memory::Memory;

/// Executes individuals against a service.
#[derive(Debug)]
pub(super) struct RestExecutor<'a> {
    pub(super) api: &'a Api,
    pub(super) service: Service,
    pub(super) memory: Memory,
    /// What the service's process needs.
    pub(super) watch: MemoryWatch,
    lost: bool,
    /// Whether the driver was told which values of the next test's first call are to be tracked.
    is_next_told: bool,
}

/// What comes of one call.
struct Step {
    call: ExecutedCall,
    /// Whether the next one can follow.
    goes_on: bool,
}

impl<'a> RestExecutor<'a> {
    /// An executor that has sent nothing.
    pub(super) fn new(api: &'a Api, service: Service) -> Self {
        Self { api, service, memory: Memory::default(), watch: MemoryWatch::default(), lost: false, is_next_told: false }
    }

    /// Takes in what became of the request of one action, after which comes `next`; none when the user stopped it before
    /// anything could be told.
    fn step(&mut self, action: &Action, next: Next, links: Vec<usize>, result: ActionResult) -> Option<Step> {
        let mut feedback = self.service.driver.as_mut().and_then(|driver| driver.end(next));
        self.memory.note_call(self.service.driver.as_mut());
        if feedback.as_ref().is_some_and(|feedback| feedback.last_statement.is_some()) && result.answer().is_none() {
            self.service.client.note_received();
        }
        self.note_wanted_body(action, &result, feedback.as_mut());
        if result.answer().is_none() && self.service.stop.is_requested() {
            return None;
        }
        // Whether a service lives is looked up where no operation is either, so that there it would say the same.
        let is_telling = !action.leads_astray() || self.service.sut.is_some();
        let suspects = if result.answer().is_none() { self.service.suspects() } else { Vec::new() };
        let last = self.service.inquest.last();
        let revival = match result.outcome {
            Outcome::TimedOut | Outcome::Disconnected(_) if !is_telling => Revival::Alive,
            Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => {
                self.service.revive(result.request.operation_idx)
            }
            Outcome::Answered(_) | Outcome::Unsent(_) => Revival::Alive,
        };
        self.lost = matches!(revival, Revival::Lost | Revival::Dead(_));
        if self.lost && self.service.stop.is_requested() {
            // Nobody waited long enough to say what became of the service.
            return None;
        }
        let sut_death = self.charged(&revival, &result, &suspects, last);
        Some(Step { call: ExecutedCall { result, links, sut_death, feedback }, goes_on: revival == Revival::Alive })
    }

    /// Sends the calls of `individual` until one of them ends the test.
    fn send(&mut self, individual: &Individual, meanwhile: &mut dyn Meanwhile) -> Vec<ExecutedCall> {
        let tracking = self.begin(individual.actions.first(), meanwhile.was_told());
        let mut calls = Vec::with_capacity(individual.actions.len());
        let mut ahead = None;
        let mut left = LeftTexts::default();
        for (idx, action) in individual.actions.iter().enumerate() {
            let rendered: Rendered = ahead.take().unwrap_or_else(|| Rendered::new(self.api, action, &calls));
            // A request that needs nothing of earlier answers is made while the one before it is on its way.
            let following = individual.actions.get(idx + 1);
            let unlinked = following.filter(|next| next.links.is_empty());
            let api = self.api;
            let mut values = None;
            let result = self.service.send(&rendered.request, &mut || {
                ahead = unlinked.map(|next| Rendered::new(api, next, &[]));
                values = following.map(|next| values_behind(api, action, next, &mut left, tracking));
                meanwhile.work();
                if following.is_none() {
                    values = first_of(meanwhile).map(|next| values_of(api, next, tracking));
                }
            });
            // Of what could not be sent nothing was waited for.
            let values = values.or_else(|| following.map(|next| values_behind(api, action, next, &mut left, tracking)));
            let next = match following {
                // Where there is no answer, the service is asked what became of it, which is no call's work.
                _ if result.answer().is_none() => Next::Pause,
                Some(_) => Next::Action(idx + 1),
                None => self.after_test(tracking, values.is_some()),
            };
            self.tell_tracked(tracking, next, values);
            let Some(step) = self.step(action, next, rendered.links, result) else { break };
            calls.push(step.call);
            if !step.goes_on {
                break;
            }
            if let (Some(_), Next::Pause, Some(driver)) = (following, next, &mut self.service.driver) {
                driver.begin_action(idx + 1);
            }
        }
        calls
    }

    /// Tells the driver which values of the call that comes next are tracked, if any are.
    fn tell_tracked(&mut self, tracking: Option<Tracking>, next: Next, values: Option<Vec<String>>) {
        if let (Some(_), Some(driver)) = (tracking, &mut self.service.driver) {
            self.is_next_told = next == Next::Test;
            driver.track(values.unwrap_or_default());
        }
    }

    /// What comes after a test whose values are tracked so: the next one's have to be told before they are.
    fn after_test(&self, tracking: Option<Tracking>, is_next_known: bool) -> Next {
        let waits = self.service.resets() || (tracking.is_some() && !is_next_known);
        if waits { Next::Pause } else { Next::Test }
    }

    /// A body that the call should have had is an input that the service would have read.
    pub(super) fn note_wanted_body(&self, action: &Action, result: &ActionResult, feedback: Option<&mut Feedback>) {
        let expands = self.service.driver.as_ref().is_some_and(Driver::expands);
        if let (true, Some(feedback)) = (expands, feedback) {
            feedback.inputs.extend(wanted_body(self.api, action, result));
        }
    }

    /// Looks now and then at how much memory the service has.
    fn look_at_memory(&mut self) {
        let now = self.memory.clock();
        let Some(sut) = self.service.sut.as_ref().filter(|sut| self.watch.is_due(now, sut.restarts())) else { return };
        if let Some(bytes) = sut.memory() {
            self.watch.note(now, bytes);
        }
    }

    /// Begins a test with this call; says which values of its calls are tracked, if any are. `was_told` says whether it is
    /// the one that was known to be next when the test before it ended.
    fn begin(&mut self, first: Option<&Action>, was_told: bool) -> Option<Tracking> {
        let is_told = std::mem::take(&mut self.is_next_told) && was_told;
        self.service.reset();
        let driver = self.service.driver.as_mut()?;
        let tracking = driver.tracks().then(|| driver.followed());
        if !(is_told && driver.has_begun()) {
            if tracking.is_some() {
                driver.pause();
            }
            driver.track(first.map(|first| values_of(self.api, first, tracking)).unwrap_or_default());
            driver.begin();
        }
        tracking
    }

    /// Who is charged with the end of the service, if that showed in `result`; `last` was called last before.
    fn charged(
        &mut self,
        revival: &Revival,
        result: &ActionResult,
        suspects: &[Request],
        last: Option<OperationIdx>,
    ) -> Option<Death> {
        let how = revival.death()?.to_owned();
        if let Revival::Restarted(End::Gone(_)) = revival {
            let death = self.service.charge(self.api, how, result, suspects);
            // It was ended again to find that out.
            self.lost = !self.service.is_there();
            return Some(death);
        }
        // What could not connect is no culprit.
        let innocent = matches!(result.outcome, Outcome::Failed(_));
        let culprit = last.filter(|_| innocent).unwrap_or(result.request.operation_idx);
        Some(Death { how, culprit, proof: Proof::Untried })
    }
}

/// Media types that are tried one after the other where the answer is 415.
const MEDIA_TYPES: [&str; 4] = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];

/// The body that a call should have had although its operation documents none: the answer is 415, and so the service was
/// not asked at all.
fn wanted_body(api: &Api, action: &Action, result: &ActionResult) -> Option<ReadInput> {
    let answer = result.answer().filter(|answer| answer.status == 415)?;
    if action.violation.is_some() || !api.operation(action.operation_idx).bodies.is_empty() {
        return None;
    }
    let said = answer.header("accept").or_else(|| answer.header("accept-post")).unwrap_or_default();
    let mut media_types = said.split(',').map(|it| it.split(';').next().unwrap_or_default().trim());
    let told = media_types.find(|it| it.contains('/') && !it.contains('*'));
    let sent = action.body.as_ref().filter(|body| body.present).map(|body| body.active);
    let media_type = match sent {
        None => told.unwrap_or(MEDIA_TYPES[0]),
        // What was sent was not wanted either.
        Some(active) => {
            let refused = &action.expanded.as_ref()?.bodies().get(active)?.media_type;
            let tried = MEDIA_TYPES.iter().position(|known| known == refused)?;
            told.or(MEDIA_TYPES.get(tried + 1).copied())?
        }
    };
    Some(ReadInput { place: ReadPlace::Wanted, name: media_type.to_owned(), schema: "".into() })
}

/// A request, and the positions of its action's links that found a value.
pub(super) struct Rendered {
    pub(super) request: Request,
    pub(super) links: Vec<usize>,
}

impl Rendered {
    pub(super) fn new(api: &Api, action: &Action, earlier: &[ExecutedCall]) -> Self {
        let mut links = Vec::new();
        let request = render(api, action, &mut |link| {
            let value = link.resolve(&earlier.get(link.from_action)?.result)?;
            links.extend(action.links.iter().position(|other| other == link));
            Some(value)
        });
        Self { request, links }
    }
}

/// Values of a call that are to be tracked.
fn values_of(api: &Api, action: &Action, tracking: Option<Tracking>) -> Vec<String> {
    tracking.map(|tracking| tracked_values(api, action, tracking)).unwrap_or_default()
}

/// Values to be tracked with `next`, which comes after `action`: its own, and what calls before it may have left.
fn values_behind(api: &Api, action: &Action, next: &Action, left: &mut LeftTexts, tracking: Option<Tracking>) -> Vec<String> {
    let Some(tracking) = tracking else { return Vec::new() };
    if !api.operation(action.operation_idx).verb.is_safe() {
        left.note(action, tracking);
    }
    let mut values = tracked_values(api, next, tracking);
    left.add_to(&mut values);
    values
}

/// The first call of what is executed next, where that is known by now.
fn first_of(meanwhile: &dyn Meanwhile) -> Option<&Action> {
    meanwhile.next().and_then(|next| next.actions.first())
}

/// Work of someone who does not know what is executed next.
struct Aimless<'a>(&'a mut dyn FnMut());

impl Meanwhile for Aimless<'_> {
    fn work(&mut self) {
        (self.0)();
    }

    fn was_told(&self) -> bool {
        false
    }

    fn next(&self) -> Option<&Individual> {
        None
    }
}

impl Executor for RestExecutor<'_> {
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt> {
        self.execute_before(individual, &mut Aimless(meanwhile))
    }

    fn execute_before(&mut self, individual: Individual, meanwhile: &mut dyn Meanwhile) -> Result<Execution, Halt> {
        if self.service.stop.is_requested() {
            return Err(Halt::Interrupted);
        }
        let individual = match self.remember(individual, &mut || meanwhile.work()) {
            Ok(execution) => return Ok(execution),
            Err(individual) => individual,
        };
        if self.lost {
            return Err(Halt::SutLost);
        }
        let began = Instant::now();
        let calls = self.send(&individual, meanwhile);
        if calls.is_empty() && !individual.actions.is_empty() {
            return Err(Halt::Interrupted);
        }
        let execution = Execution { individual, calls, elapsed: began.elapsed() };
        self.note_execution(&execution);
        self.look_at_memory();
        Ok(execution)
    }

    fn survey(&mut self, is_on: bool) {
        if let Some(driver) = &mut self.service.driver {
            driver.survey(is_on);
        }
    }
}
