//! Bounds of numbers, lengths and counts, of several schemas together.

use super::facts::Facts;
use crate::api::json_schema::keyword::{self, Bound, Node};

/// Takes in what a schema says about numbers.
pub(super) fn absorb_numbers(facts: &mut Facts<'_>, node: &Node) {
    let (lower, upper) = keyword::bounds(node);
    let is_tighter = |new: &Bound, old: &Bound, sign: f64| {
        let (new_at, old_at) = (sign * new.float(), sign * old.float());
        new_at > old_at || (new_at >= old_at && new.exclusive)
    };
    if let Some(lower) = lower
        && facts.lower.as_ref().is_none_or(|old| is_tighter(&lower, old, 1.0))
    {
        facts.lower = Some(lower);
    }
    if let Some(upper) = upper
        && facts.upper.as_ref().is_none_or(|old| is_tighter(&upper, old, -1.0))
    {
        facts.upper = Some(upper);
    }
    facts.gap = facts.gap.or_else(|| gap(node.get("not")?.as_object()?));
    facts.steps.extend(keyword::multiple_of(node).and_then(|step| step.as_f64()));
}

/// The range that a schema allows which says nothing else.
fn gap(node: &Node) -> Option<(f64, f64)> {
    let is_range = node.keys().all(|name| matches!(name.as_str(), "minimum" | "maximum"));
    let bound = |name: &str| keyword::number(node, name).and_then(|bound| bound.as_f64());
    is_range.then(|| (bound("minimum").unwrap_or(f64::MIN), bound("maximum").unwrap_or(f64::MAX)))
}

/// Makes `range` the part of it that lies in the other one.
pub(super) fn narrow(range: &mut (u64, Option<u64>), (least, most): (u64, Option<u64>)) {
    range.0 = range.0.max(least);
    range.1 = match (range.1, most) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
}
