//! Which targets a call reached, seen from outside (`search.md` 3): statuses and their classes, shapes of inputs that
//! succeeded, followed links, kinds of answers.
//!
//! Closeness is 1 when covered; partial credit tells how near the answer was, by what an HTTP service checks first:
//! route, credentials, existence, syntax, meaning.

mod answer_kind;
mod input_shape;

use std::collections::BTreeMap;

use crate::action::{Action, ActionResult, Outcome};
use crate::api::{Api, OperationIdx};
use crate::search::{TargetId, TargetKind, Targets};

pub use answer_kind::AnswerKinds;

/// Stands for all paths that no operation has.
const NO_OPERATION: OperationIdx = OperationIdx(u32::MAX);

/// Closeness per target of one evaluation, the best over its calls.
#[derive(Debug, Default)]
pub struct Reached {
    closeness: BTreeMap<TargetId, f64>,
}

impl Reached {
    /// Notes that `target` was reached with `closeness` in (0, 1].
    pub fn note(&mut self, target: TargetId, closeness: f64) {
        let best = self.closeness.entry(target).or_insert(closeness);
        *best = best.max(closeness);
    }

    /// All targets, ordered by id.
    pub fn into_closeness(self) -> Vec<(TargetId, f64)> {
        self.closeness.into_iter().collect()
    }
}

/// One call with everything that tells which targets it reached.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// Its genes.
    pub action: &'a Action,
    /// Positions of its links that found a value.
    pub links: &'a [usize],
    /// What it gave.
    pub result: &'a ActionResult,
    /// Ids of operations that succeeded before it in the same test, on the same resource.
    pub before: &'a [&'a str],
}

/// Notes every target that `call` reached.
pub fn note_call(call: Call<'_>, kinds: &mut AnswerKinds, targets: &mut Targets, reached: &mut Reached) {
    let Call { api, action, links, result, .. } = call;
    if action.leads_astray() {
        return note_astray(call, kinds, targets, reached);
    }
    let operation_idx = action.operation_idx;
    let id = &api.operation(operation_idx).id;
    let success = success_closeness(&result.outcome);
    reached.note(targets.intern(TargetKind::Goal, &format!("class:{id}:2xx")), success);
    reached.note(targets.intern(TargetKind::Goal, &format!("class:{id}:4xx")), refusal_closeness(&result.outcome));
    reached.note(targets.intern(TargetKind::Goal, &format!("class:{id}:5xx")), failure_closeness(&result.outcome));
    let Some(answer) = result.answer() else { return };
    reached.note(targets.intern(TargetKind::Goal, &format!("status:{id}:{}", answer.status)), 1.0);
    if let Some(kind) = kinds.kind_of(operation_idx, answer) {
        reached.note(targets.intern(TargetKind::Shape, &format!("answer:{id}:{}:{kind}", answer.status)), 1.0);
    }
    // What was wrong on purpose is no success of the shape it had before.
    if action.violation.is_none() {
        input_shape::note(call, success, targets, reached);
    }
    for before in call.before {
        reached.note(targets.intern(TargetKind::Shape, &format!("after:{before}:{id}")), success);
    }
    for link_idx in links {
        let place = place_name(api, operation_idx, action, *link_idx);
        reached.note(targets.intern(TargetKind::Shape, &format!("link:{id}:{place}")), success);
    }
}

/// What answers where no operation is, is told apart by verb only: nothing is known about it.
fn note_astray(call: Call<'_>, kinds: &mut AnswerKinds, targets: &mut Targets, reached: &mut Reached) {
    let Some(answer) = call.result.answer() else { return };
    let verb = call.result.request.verb.name();
    reached.note(targets.intern(TargetKind::Goal, &format!("astray:{verb}:{}", answer.status)), 1.0);
    if let Some(kind) = kinds.kind_of(NO_OPERATION, answer) {
        reached.note(targets.intern(TargetKind::Shape, &format!("astray:{verb}:{}:{kind}", answer.status)), 1.0);
    }
}

fn place_name(api: &Api, operation_idx: OperationIdx, action: &Action, link_idx: usize) -> String {
    match &action.links[link_idx].place {
        crate::action::LinkPlace::Parameter(idx) => api.operation(operation_idx).parameters[*idx].name.clone(),
        crate::action::LinkPlace::Body(pointer) => format!("body{pointer}"),
        crate::action::LinkPlace::Credentials(name, _) => name.clone(),
        crate::action::LinkPlace::Cookie(name) => format!("cookie {name}"),
    }
}

/// Closeness to a 2xx answer.
fn success_closeness(outcome: &Outcome) -> f64 {
    match outcome {
        Outcome::Answered(answer) => match answer.status {
            200..=299 => 1.0,
            300..=399 => 0.7,
            409 | 412 | 422 => 0.6,
            400 => 0.5,
            404 | 410 => 0.35,
            401 | 403 => 0.2,
            405 | 406 | 415 | 429 => 0.3,
            500..=599 => 0.45,
            _ => 0.25,
        },
        Outcome::TimedOut => 0.3,
        Outcome::Disconnected(_) | Outcome::Failed(_) => 0.1,
        Outcome::Unsent(_) => 0.05,
    }
}

/// Closeness to a 4xx answer.
fn refusal_closeness(outcome: &Outcome) -> f64 {
    match outcome {
        Outcome::Answered(answer) if (400..500).contains(&answer.status) => 1.0,
        Outcome::Answered(_) => 0.5,
        Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => 0.3,
        Outcome::Unsent(_) => 0.05,
    }
}

/// Closeness to a 5xx answer: a call that succeeded ran more of the service than one that was refused.
fn failure_closeness(outcome: &Outcome) -> f64 {
    match outcome {
        Outcome::Answered(answer) => match answer.status {
            500..=599 => 1.0,
            200..=299 => 0.5,
            409 | 422 => 0.4,
            400 => 0.35,
            401 | 403 | 404 | 405 | 415 => 0.2,
            _ => 0.3,
        },
        Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => 0.6,
        Outcome::Unsent(_) => 0.05,
    }
}

#[cfg(test)]
mod tests;
