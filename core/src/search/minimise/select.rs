//! Which of the kept individuals become tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::search::Kept;
use crate::search::archive::Archive;
use crate::search::{TargetId, TargetKind, Targets};

use super::draft::Draft;

/// The first covered fault that no test is there for and that is not in `passed_over`, as one; the archive keeps the
/// shortest that was found.
pub(super) fn next_fault(
    archive: &Archive,
    targets: &Targets,
    drafts: &[Draft],
    passed_over: &BTreeSet<TargetId>,
) -> Option<Draft> {
    let is_open =
        |target: &TargetId| !passed_over.contains(target) && drafts.iter().all(|draft| !draft.targets.contains(target));
    let mut faults = archive.covered().filter(|target| targets.kind(*target) == TargetKind::Fault);
    let fault = faults.find(is_open)?;
    archive.covering(fault).map(|kept| Draft::new(kept, vec![fault]))
}

/// A small set of kept individuals that together cover all of `open`, each with the targets it is there for.
///
/// Greedy: most uncovered targets first, then fewer actions, then the order of the archive.
pub(super) fn select(archive: &Archive, mut open: BTreeSet<TargetId>) -> Vec<Draft> {
    let mut candidates = candidates(archive, &open);
    let mut selected = Vec::new();
    while !open.is_empty() {
        // Stale counts are upper bounds, so targets that went are dropped from every list only here.
        for (_, targets) in &mut candidates {
            targets.retain(|target| open.contains(target));
        }
        let best = candidates
            .iter()
            .enumerate()
            .max_by_key(|(idx, (kept, targets))| (targets.len(), usize::MAX - kept.individual.actions.len(), usize::MAX - idx))
            .map(|(idx, _)| idx);
        let Some(best) = best else { break };
        let (kept, targets) = candidates.swap_remove(best);
        if targets.is_empty() {
            break;
        }
        for target in &targets {
            open.remove(target);
        }
        selected.push(Draft::new(&kept, targets));
    }
    selected
}

/// Each individual that stands for one of `open`, once, with all targets it covers.
fn candidates(archive: &Archive, open: &BTreeSet<TargetId>) -> Vec<(Arc<Kept>, Vec<TargetId>)> {
    let mut seen = BTreeSet::new();
    let mut candidates = Vec::new();
    for kept in open.iter().filter_map(|target| archive.covering(*target)) {
        if seen.insert(Arc::as_ptr(kept) as usize) {
            let covered = kept.closeness.iter().filter(|(_, closeness)| *closeness >= 1.0).map(|(id, _)| *id).collect();
            candidates.push((Arc::clone(kept), covered));
        }
    }
    candidates
}
