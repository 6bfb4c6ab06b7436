//! Which operations work with the code that changed: tests of these are wanted first.

use std::collections::{BTreeMap, BTreeSet};

use crate::api::OperationIdx;

use super::{Execution, Individual, TargetId, TargetKind, Targets, Verdict};

/// Calls that succeed after which an operation that was never seen in changed code is taken for one that does not work with
/// it.
const ENOUGH_ANSWERS: u32 = 3;
/// The same for calls of any outcome.
const ENOUGH_CALLS: u32 = 30;

/// What changed in the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changed {
    /// Top-level classes with their packages; none where nobody would tell what calls reach.
    pub classes: BTreeSet<String>,
    /// Operations that changed, as far as known before any call.
    pub operations: BTreeSet<OperationIdx>,
}

/// What is known of the operations that work with what changed.
#[derive(Debug, Clone, Default)]
pub struct Touched {
    classes: BTreeSet<String>,
    /// In order.
    operations: Vec<OperationIdx>,
    /// For each target whether it is a place in a changed class.
    is_place: Vec<bool>,
    looks: BTreeMap<OperationIdx, Looks>,
}

/// Calls of an operation by which nothing was seen in changed code.
#[derive(Debug, Clone, Copy, Default)]
struct Looks {
    calls: u32,
    answers: u32,
}

impl Touched {
    /// What is known before any call.
    pub fn new(changed: &Changed) -> Self {
        let operations = changed.operations.iter().copied().collect();
        Self { classes: changed.classes.clone(), operations, ..Self::default() }
    }

    /// Operations that work with what changed, in order.
    pub fn operations(&self) -> &[OperationIdx] {
        &self.operations
    }

    /// Those of `operations` that are called most: the ones that work with what changed, or while none is known those that may;
    /// none where nothing changed.
    pub fn wanted(&self, operations: &[OperationIdx]) -> Vec<OperationIdx> {
        if !self.operations.is_empty() || self.classes.is_empty() {
            return self.operations.clone();
        }
        operations.iter().copied().filter(|operation_idx| self.is_open(*operation_idx)).collect()
    }

    /// Whether `operation_idx` is one of them.
    pub fn is_touched(&self, operation_idx: OperationIdx) -> bool {
        self.operations.binary_search(&operation_idx).is_ok()
    }

    /// Whether a call of `individual` may show that its operation works with changed code, which is not known yet.
    pub fn is_undecided(&self, individual: &Individual) -> bool {
        !self.classes.is_empty() && individual.actions.iter().any(|action| self.is_open(action.operation_idx))
    }

    /// Whether it is not known yet whether an operation works with changed code.
    fn is_open(&self, operation_idx: OperationIdx) -> bool {
        let looks = self.looks.get(&operation_idx).copied().unwrap_or_default();
        !self.is_touched(operation_idx) && looks.answers < ENOUGH_ANSWERS && looks.calls < ENOUGH_CALLS
    }

    /// Learns from what each call of `execution` reached; gives the targets that tests of what changed come nearer to.
    pub fn learn(&mut self, execution: &Execution, verdicts: &[Verdict], targets: &Targets) -> Vec<TargetId> {
        if self.classes.is_empty() && self.operations.is_empty() {
            return Vec::new();
        }
        self.know(targets);
        let mut favoured = Vec::new();
        for (call, verdict) in execution.calls.iter().zip(verdicts) {
            let operation_idx = call.result.request.operation_idx;
            let places = verdict.closeness.iter().map(|(target, _)| *target).filter(|it| self.is_place[it.0 as usize]);
            let places: Vec<TargetId> = places.collect();
            if !places.is_empty() {
                self.touch(operation_idx);
            }
            favoured.extend(places);
            if self.is_touched(operation_idx) {
                let others = verdict.closeness.iter().map(|(target, _)| *target);
                favoured.extend(others.filter(|target| targets.kind(*target) != TargetKind::Code));
            } else {
                let looks = self.looks.entry(operation_idx).or_default();
                looks.calls += 1;
                looks.answers += u32::from(call.result.status().is_some_and(|status| (200..300).contains(&status)));
            }
        }
        favoured
    }

    fn touch(&mut self, operation_idx: OperationIdx) {
        if let Err(position) = self.operations.binary_search(&operation_idx) {
            self.operations.insert(position, operation_idx);
        }
    }

    /// Looks at targets that were not there before.
    fn know(&mut self, targets: &Targets) {
        let new = targets.ids().skip(self.is_place.len());
        let is_place = |target| targets.kind(target) == TargetKind::Code && self.is_changed(targets.name(target));
        let new: Vec<bool> = new.map(is_place).collect();
        self.is_place.extend(new);
    }

    /// Whether the place of that name (`branch:com.acme.Shop$Cart:17:0:then`) is in a changed class.
    fn is_changed(&self, name: &str) -> bool {
        let class = name.split(':').nth(1).unwrap_or_default();
        self.classes.contains(top_level(class))
    }
}

/// The top-level class of a class with its package: `com.acme.Foo` of `com.acme.Foo$Bar`.
pub fn top_level(class: &str) -> &str {
    class.split_once('$').map_or(class, |(top, _)| top)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use crate::action::{ActionResult, Answer, Outcome, Request};
    use crate::api::{OperationIdx, Verb};
    use crate::search::{ExecutedCall, Execution, Individual, TargetId, TargetKind, Targets, Verdict};

    use super::{Changed, ENOUGH_ANSWERS, ENOUGH_CALLS, Touched, top_level};

    fn changed() -> Touched {
        let classes = ["a.Shop".to_owned()].into();
        Touched::new(&Changed { classes, operations: [OperationIdx(7)].into() })
    }

    fn call(operation: u32, status: u16) -> ExecutedCall {
        let (url, headers, operation_idx) = (String::new(), Vec::new(), OperationIdx(operation));
        let request = Request { operation_idx, verb: Verb::Get, url, headers, body: None, user: None };
        let outcome = Outcome::Answered(Answer { status, ..Answer::default() });
        let result = ActionResult { request, outcome, elapsed: Duration::ZERO };
        ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
    }

    /// Calls of operations with their statuses and what they reached.
    fn learn(touched: &mut Touched, targets: &Targets, calls: &[(u32, u16, &[u32])]) -> Vec<u32> {
        let verdict = |reached: &[u32]| {
            let closeness = reached.iter().map(|target| (TargetId(*target), 0.5)).collect();
            Verdict { closeness, findings: Vec::new() }
        };
        let verdicts: Vec<Verdict> = calls.iter().map(|(_, _, reached)| verdict(reached)).collect();
        let calls = calls.iter().map(|(operation, status, _)| call(*operation, *status)).collect();
        let execution = Execution { individual: Individual::default(), calls, elapsed: Duration::ZERO };
        touched.learn(&execution, &verdicts, targets).into_iter().map(|target| target.0).collect()
    }

    fn undecided(touched: &Touched, operation: u32) -> bool {
        let mut individual = Individual::default();
        individual.actions.push(crate::action::Action {
            operation_idx: OperationIdx(operation),
            parameters: Vec::new(),
            body: None,
            user: None,
            links: Vec::new(),
            violation: None,
            expanded: None,
        });
        touched.is_undecided(&individual)
    }

    #[test]
    fn an_operation_is_touched_once_a_call_of_it_comes_to_changed_code() {
        let mut targets = Targets::default();
        for (kind, name) in [
            (TargetKind::Code, "line:a.Shop$Cart:3"),
            (TargetKind::Code, "line:a.Shopping:3"),
            (TargetKind::Goal, "GET /a 200"),
            (TargetKind::Code, "branch:a.Shop:3:0:then"),
        ] {
            targets.intern(kind, name);
        }
        let mut touched = changed();
        assert_eq!(learn(&mut touched, &targets, &[(0, 200, &[1, 2]), (1, 404, &[0, 2]), (7, 200, &[1, 2])]), [0, 2, 2]);
        assert_eq!(touched.operations(), [1, 7].map(OperationIdx));
        targets.intern(TargetKind::Fault, "fault");
        assert_eq!(learn(&mut touched, &targets, &[(1, 500, &[3, 4])]), [3, 3 + 1]);
    }

    #[test]
    fn operations_are_looked_at_until_enough_of_their_calls_came_elsewhere() {
        let targets = Targets::default();
        let mut touched = changed();
        assert!(undecided(&touched, 0) && !undecided(&touched, 7), "what is known needs no look");
        for _ in 0..ENOUGH_ANSWERS {
            assert!(undecided(&touched, 0));
            learn(&mut touched, &targets, &[(0, 200, &[])]);
        }
        for _ in 0..ENOUGH_CALLS {
            assert!(undecided(&touched, 1));
            learn(&mut touched, &targets, &[(1, 400, &[])]);
        }
        assert!(!undecided(&touched, 0) && !undecided(&touched, 1));
        assert!(!undecided(&Touched::new(&Changed::default()), 0), "nothing changed");
        assert_eq!(learn(&mut Touched::default(), &targets, &[(0, 200, &[])]), [] as [u32; 0]);
    }

    #[test]
    fn operations_that_may_work_with_what_changed_are_wanted_until_one_is_known() {
        let mut targets = Targets::default();
        let place = targets.intern(TargetKind::Code, "line:a.Shop:3").0;
        let all = [0, 1, 2].map(OperationIdx);
        let wanted = |touched: &Touched| touched.wanted(&all).into_iter().map(|it| it.0).collect::<Vec<_>>();
        let mut touched = Touched::new(&Changed { classes: ["a.Shop".to_owned()].into(), operations: BTreeSet::new() });
        assert_eq!(wanted(&touched), [0, 1, 2]);
        (0..ENOUGH_ANSWERS).for_each(|_| assert!(learn(&mut touched, &targets, &[(0, 200, &[])]).is_empty()));
        learn(&mut touched, &targets, &[(1, 400, &[])]);
        assert_eq!(wanted(&touched), [1, 2], "a call that was refused shows nothing");
        learn(&mut touched, &targets, &[(1, 200, &[place])]);
        assert_eq!(wanted(&touched), [1]);
        assert_eq!(wanted(&changed()), [7], "known before any call");
        assert_eq!(wanted(&Touched::default()), [] as [u32; 0], "nothing changed");
    }

    #[test]
    fn classes_within_a_class_are_in_its_file() {
        assert_eq!(["a.B", "a.B$C", "a.B$C$1"].map(top_level), ["a.B"; 3]);
    }
}
