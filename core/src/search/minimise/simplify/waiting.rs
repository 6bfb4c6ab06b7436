//! Tests without calls that wait in vain, but for one that shows it: every trial would wait again.

use std::collections::BTreeSet;

use crate::action::Outcome;
use crate::api::OperationIdx;

use super::{Draft, Simplifier};

impl Simplifier<'_, '_> {
    /// Each draft without calls that got no answer in time where one of `shown`, or of those before it, has such a call of
    /// the same operation, as far as there is room for trials; drafts of which nothing is left go.
    pub(super) fn without_waits(&mut self, drafts: Vec<Draft>, shown: &[Draft]) -> Vec<Draft> {
        let mut waiting: BTreeSet<OperationIdx> =
            shown.iter().flat_map(waits).map(|(_, operation_idx)| operation_idx).collect();
        let mut kept = Vec::new();
        for mut draft in drafts {
            let needless: Vec<usize> =
                waits(&draft).filter(|(_, operation_idx)| waiting.contains(operation_idx)).map(|(idx, _)| idx).collect();
            // Without another execution it stays as it is.
            let is_left = needless.is_empty() || self.is_used_up() || {
                let mut individual = draft.individual.clone();
                needless.iter().rev().for_each(|action_idx| individual.remove(*action_idx));
                self.cut(&mut draft, individual)
            };
            if is_left {
                waiting.extend(waits(&draft).map(|(_, operation_idx)| operation_idx));
                kept.push(draft);
            }
        }
        kept
    }
}

/// The calls of `draft` that got no answer in time: their positions and operations.
fn waits(draft: &Draft) -> impl Iterator<Item = (usize, OperationIdx)> {
    let calls = draft.results.iter().enumerate();
    let waits = calls.filter(|(_, result)| matches!(result.outcome, Outcome::TimedOut));
    waits.map(|(idx, result)| (idx, result.request.operation_idx))
}
