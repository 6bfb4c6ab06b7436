//! Whether a text matches, by the engines of the dialects, without ever taking long.
//!
//! A linear engine comes first: it knows everything but look-around and the like, and refuses most of what has to be
//! refused. Only what it lets through is shown to the backtracking engine of the dialect, and only when the text is
//! short enough for the repetitions of the pattern.

use regex_syntax::hir::{Hir, HirKind};

use super::Dialect;
use super::dialect::Translation;

/// Steps the engine of ECMA-262, which has no limit of its own, may roughly take.
const STEPS: f64 = 1e6;
/// Parts of an unrolled pattern up to which the linear engine is built.
const LINEAR_PARTS: u64 = 20_000;
/// Steps of the engine with Java's features.
const BACKTRACKS: usize = 100_000;

/// The engines for one pattern.
#[derive(Debug)]
pub(super) struct Matcher {
    /// Knows no look-around: what it refuses does not match, what it accepts may not either.
    linear: Option<regex::Regex>,
    /// Whether the linear engine is right about what it accepts.
    exact: bool,
    /// Every feature, translated, with a limit on its steps.
    full: Option<fancy_regex::Regex>,
    /// The pattern as written.
    ecma: Option<regress::Regex>,
    variable: Variable,
}

/// Repetitions and alternatives of a pattern that an engine can take in several ways.
#[derive(Debug, Clone, Copy, Default)]
struct Variable {
    count: i32,
    nested: bool,
}

impl Matcher {
    pub(super) fn new(pattern: &str, dialect: Dialect, translation: &Translation, shape: &Hir) -> Self {
        let linear = (parts(shape) <= LINEAR_PARTS)
            .then(|| regex::RegexBuilder::new(&translation.shape).size_limit(8 << 20).build().ok())
            .flatten();
        let ecma = (dialect == Dialect::Ecma && translation.is_ecma)
            .then(|| regress::Regex::with_flags(pattern, if translation.unicode { "u" } else { "" }).ok())
            .flatten();
        // A pattern too large for the linear engine needs another judge of texts that are too long for the last one.
        let needs_full = !translation.exact || dialect == Dialect::Java || ecma.is_none() || linear.is_none();
        let full = needs_full
            .then(|| fancy_regex::RegexBuilder::new(&translation.full).backtrack_limit(BACKTRACKS).build().ok())
            .flatten();
        Self { linear, exact: translation.exact, full, ecma, variable: variable(shape) }
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        if let Some(linear) = &self.linear
            && !linear.is_match(text)
        {
            return false;
        }
        let mut known = self.exact && self.linear.is_some();
        if let Some(full) = &self.full {
            match full.is_match(text) {
                Ok(true) => known = true,
                Ok(false) => return false,
                // The limit was reached.
                Err(_) => return known,
            }
        }
        match &self.ecma {
            Some(ecma) if self.variable.steps(text.len()) <= STEPS => ecma.find(text).is_some(),
            _ => known,
        }
    }
}

impl Variable {
    /// Steps a backtracking engine takes at worst for a text of that many bytes.
    fn steps(self, length: usize) -> f64 {
        let length = length as f64 + 1.0;
        if self.nested { length.exp2() } else { length.powi(self.count.saturating_add(1)) }
    }
}

/// Characters and classes of the pattern with its counted repetitions written out.
fn parts(shape: &Hir) -> u64 {
    match shape.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(regex_syntax::hir::Class::Bytes(_)) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => class.ranges().len() as u64,
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            parts(&repetition.sub).saturating_mul(u64::from(times))
        }
        HirKind::Capture(capture) => parts(&capture.sub),
        HirKind::Concat(subs) | HirKind::Alternation(subs) => subs.iter().fold(0, |sum, sub| sum.saturating_add(parts(sub))),
    }
}

/// Choices a backtracking engine may have to take back.
fn variable(shape: &Hir) -> Variable {
    match shape.kind() {
        HirKind::Repetition(repetition) => {
            let below = variable(&repetition.sub);
            let varies = repetition.max != Some(repetition.min);
            let times = repetition.max.and_then(|max| i32::try_from(max).ok()).unwrap_or(1);
            let unbounded = repetition.max.is_none_or(|max| max > 100);
            Variable {
                count: below.count.saturating_mul(times).saturating_add(i32::from(varies)),
                nested: below.nested || (unbounded && below.count > 0),
            }
        }
        HirKind::Capture(capture) => variable(&capture.sub),
        HirKind::Concat(subs) => all_of(subs, 0),
        HirKind::Alternation(subs) => all_of(subs, 1),
        HirKind::Empty | HirKind::Look(_) | HirKind::Literal(_) | HirKind::Class(_) => Variable::default(),
    }
}

fn all_of(subs: &[Hir], own: i32) -> Variable {
    let start = Variable { count: own, nested: false };
    subs.iter()
        .map(variable)
        .fold(start, |all, sub| Variable { count: all.count.saturating_add(sub.count), nested: all.nested || sub.nested })
}

/// The last line of a parse error, which says what is wrong; the lines before draw the pattern.
pub(super) fn reason(error: &regex_syntax::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
