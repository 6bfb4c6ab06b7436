//! What of the service's code was reached, and when (`instrumentation.md` 7).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use restive_driver_protocol::message::{Origin, Units};

use crate::search::CodeId;

use super::library_calls::{LibraryCall, library_calls};
use super::line_coverage::{LineCoverage, line_coverage};
use super::places::Places;

/// When a place was first reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Reached {
    /// Never.
    #[default]
    Never,
    /// While the service started.
    Boot,
    /// By what restive asked for before the first test, and by no call of a test so far.
    Preparation,
    /// By a call.
    Call,
    /// Between calls, or by threads that work for none, and by no call so far.
    Background,
}

/// How a place was reached that no call of a test reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elsewhere {
    /// Before the first test.
    Start,
    /// Between calls, or by threads that work for none, and by no call so far.
    Background,
}

/// How much there is, and how much of it was reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Extent {
    /// Places of loaded classes.
    pub total: u64,
    /// Those reached by calls, and not at the start.
    pub by_calls: u64,
    /// Those reached before the first test only.
    pub at_boot: u64,
    /// Those reached only by work that no call asked for, or that was done after its call.
    pub in_background: u64,
}

impl Extent {
    /// Reached in any way.
    pub fn reached(&self) -> u64 {
        self.by_calls + self.at_boot + self.in_background
    }

    fn note(&mut self, reached: Reached) {
        match reached {
            Reached::Never => {}
            Reached::Boot | Reached::Preparation => self.at_boot += 1,
            Reached::Call => self.by_calls += 1,
            Reached::Background => self.in_background += 1,
        }
    }
}

/// One class.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitCoverage {
    /// Its lines.
    pub lines: Extent,
    /// Sides of its branches and cases of its switches.
    pub branches: Extent,
    /// Outcomes of its calls of library methods that are measured.
    pub replacements: Extent,
    /// Methods with fewer probes than they should have, and why; empty for none.
    pub degraded: String,
}

/// What is counted of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counted {
    Line,
    Branch,
    Replacement,
}

impl UnitCoverage {
    fn extent_mut(&mut self, counted: Counted) -> &mut Extent {
        match counted {
            Counted::Line => &mut self.lines,
            Counted::Branch => &mut self.branches,
            Counted::Replacement => &mut self.replacements,
        }
    }
}

/// How much was reached so far, readable while a run goes on.
#[derive(Debug, Default)]
pub struct Counters {
    lines: AtomicU64,
    branches: AtomicU64,
}

impl Counters {
    /// Lines reached so far.
    pub fn lines(&self) -> u64 {
        self.lines.load(Ordering::Relaxed)
    }

    /// Branch sides and cases reached so far.
    pub fn branches(&self) -> u64 {
        self.branches.load(Ordering::Relaxed)
    }
}

/// What was reached in a run.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// What measured it, for people.
    pub driver: String,
    /// Per class with its package.
    pub units: BTreeMap<String, UnitCoverage>,
    /// Classes of the service that could not be measured, with the reason.
    pub skipped: BTreeMap<String, String>,
    /// Number of those.
    pub n_skipped: u64,
    /// Loaded classes of others, which were left alone.
    pub n_foreign: u64,
    /// Classes of others that lack hooks for tracked values, because they have no room for them.
    pub n_untracked: u64,
    /// Classes of the service whether loaded or not, where a jar tells.
    pub n_on_disk: Option<u64>,
    /// Calls of library methods with what came of them, by class.
    pub library_calls: BTreeMap<String, Vec<LibraryCall>>,
    /// Lines by class.
    pub lines_of: BTreeMap<String, LineCoverage>,
    reached: Vec<Reached>,
    /// The closeness that each place was brought to at best.
    nearest: Vec<f64>,
    names: Vec<Option<(String, Counted)>>,
    /// What was reached, so far.
    pub counters: Arc<Counters>,
}

impl Coverage {
    /// Notes what one feedback said.
    pub(super) fn note(&mut self, origin: Origin, reached: &[(CodeId, f64)], background: &[CodeId], places: &Places) {
        self.note_as(reached, places, &|code| match origin {
            Origin::Boot => Reached::Boot,
            Origin::Action if background.binary_search(&code).is_err() => Reached::Call,
            Origin::Action | Origin::Between => Reached::Background,
        });
    }

    /// Notes what was reached by no call of a test before the first of them.
    pub(super) fn note_preparation(&mut self, reached: &[(CodeId, f64)], places: &Places) {
        self.note_as(reached, places, &|_| Reached::Preparation);
    }

    fn note_as(&mut self, reached: &[(CodeId, f64)], places: &Places, how: &dyn Fn(CodeId) -> Reached) {
        for (code, closeness) in reached {
            let idx = code.0 as usize;
            if self.nearest.len() <= idx {
                self.nearest.resize(idx + 1, 0.0);
            }
            self.nearest[idx] = self.nearest[idx].max(*closeness);
            if *closeness < 1.0 {
                continue;
            }
            if self.reached.len() <= idx {
                self.reached.resize(idx + 1, Reached::Never);
                self.names.resize(idx + 1, None);
            }
            match (self.reached[idx], how(*code)) {
                (Reached::Never, how) => {
                    self.names[idx] = unit_of(places.name(*code)).map(|(unit, counted)| (unit.to_owned(), counted));
                    self.count(idx);
                    self.reached[idx] = how;
                }
                (Reached::Preparation | Reached::Background, Reached::Call) => self.reached[idx] = Reached::Call,
                _ => {}
            }
        }
    }

    /// Becomes `other`, before anything was noted; who looks on goes on doing so.
    pub(super) fn replace_by(&mut self, other: Self) {
        let counters = Arc::clone(&self.counters);
        counters.lines.store(other.counters.lines(), Ordering::Relaxed);
        counters.branches.store(other.counters.branches(), Ordering::Relaxed);
        *self = Self { counters, ..other };
    }

    /// Tells those who look on.
    fn count(&self, idx: usize) {
        match &self.names[idx] {
            Some((_, Counted::Line)) => self.counters.lines.fetch_add(1, Ordering::Relaxed),
            Some((_, Counted::Branch)) => self.counters.branches.fetch_add(1, Ordering::Relaxed),
            Some((_, Counted::Replacement)) | None => 0,
        };
    }

    /// Names of places that were reached, and by no call of a test first.
    pub(super) fn elsewhere(&self, places: &Places) -> BTreeMap<String, Elsewhere> {
        let how = |code: CodeId| match self.reached.get(code.0 as usize)? {
            Reached::Never | Reached::Call => None,
            Reached::Boot | Reached::Preparation => Some(Elsewhere::Start),
            Reached::Background => Some(Elsewhere::Background),
        };
        places.numbered().filter_map(|(code, name)| Some((name.to_owned(), how(code)?))).collect()
    }

    /// Whether the service reached it by starting.
    pub(super) fn is_of_boot(&self, code: CodeId) -> bool {
        self.reached.get(code.0 as usize) == Some(&Reached::Boot)
    }

    /// Whether a call has reached it: drivers do not tell it again.
    pub(super) fn is_covered(&self, code: CodeId) -> bool {
        self.reached.get(code.0 as usize) == Some(&Reached::Call)
    }

    /// Takes what there is from the drivers, and counts anew. A service that was started anew need not have loaded again
    /// what an earlier process of it had.
    pub(super) fn set_units(&mut self, all: Vec<Units>, places: &Places) {
        for unit in self.units.values_mut() {
            unit.replacements = Extent::default();
            unit.lines = Extent { total: unit.lines.total, ..Extent::default() };
            unit.branches = Extent { total: unit.branches.total, ..Extent::default() };
        }
        self.n_skipped = self.n_skipped.max(all.iter().map(|units| u64::from(units.skipped)).sum());
        self.n_foreign = self.n_foreign.max(all.iter().map(|units| u64::from(units.foreign)).sum());
        self.n_untracked = self.n_untracked.max(all.iter().map(|units| u64::from(units.untracked)).sum());
        for units in all {
            self.skipped.extend(units.skips.into_iter().map(|skip| (skip.name, skip.reason)));
            for unit in units.units {
                let own = self.units.entry(unit.name).or_default();
                own.lines.total = own.lines.total.max(u64::from(unit.lines));
                own.branches.total = own.branches.total.max(u64::from(unit.branches));
                own.degraded = unit.degraded;
            }
        }
        // A driver counts no calls, but it names each.
        for unit in places.names().filter_map(unit_of).filter(|(_, it)| *it == Counted::Replacement).map(|(unit, _)| unit) {
            self.units.entry(unit.to_owned()).or_default().replacements.total += 1;
        }
        for (reached, name) in self.reached.iter().zip(&self.names) {
            let Some((unit, counted)) = name else { continue };
            self.units.entry(unit.clone()).or_default().extent_mut(*counted).note(*reached);
        }
        // Of a class that only a process had that was killed, what it reached is known at least.
        for unit in self.units.values_mut() {
            unit.lines.total = unit.lines.total.max(unit.lines.reached());
            unit.branches.total = unit.branches.total.max(unit.branches.reached());
        }
    }

    /// Tells library calls anew.
    pub(super) fn set_library_calls(&mut self, places: &Places) {
        self.library_calls = library_calls(places, &|code| self.nearest.get(code.0 as usize).copied().unwrap_or_default());
    }

    /// Tells lines anew.
    pub(super) fn set_lines(&mut self, places: &Places) {
        let is_reached = |code: CodeId| self.reached.get(code.0 as usize).is_some_and(|reached| *reached != Reached::Never);
        self.lines_of = line_coverage(places.numbered().map(|(code, name)| (name, is_reached(code))));
    }

    /// Lines of all classes together.
    pub fn lines(&self) -> Extent {
        sum(self.units.values().map(|unit| unit.lines))
    }

    /// Branches of all classes together.
    pub fn branches(&self) -> Extent {
        sum(self.units.values().map(|unit| unit.branches))
    }

    /// Outcomes of library calls of all classes together.
    pub fn replacements(&self) -> Extent {
        sum(self.units.values().map(|unit| unit.replacements))
    }
}

fn sum(extents: impl Iterator<Item = Extent>) -> Extent {
    extents.fold(Extent::default(), |sum, extent| Extent {
        total: sum.total + extent.total,
        by_calls: sum.by_calls + extent.by_calls,
        at_boot: sum.at_boot + extent.at_boot,
        in_background: sum.in_background + extent.in_background,
    })
}

/// The class of a place and what it counts as; that a call returned or threw counts as nothing.
fn unit_of(name: &str) -> Option<(&str, Counted)> {
    let (kind, rest) = name.split_once(':')?;
    let counted = match kind {
        "line" => Counted::Line,
        "branch" | "switch" => Counted::Branch,
        "replace" => Counted::Replacement,
        _ => return None,
    };
    Some((rest.split_once(':').map_or(rest, |(unit, _)| unit), counted))
}

#[cfg(test)]
mod tests {
    use restive_driver_protocol::message::{Origin, Unit, Units};

    use super::super::places::Places;
    use super::{Coverage, Elsewhere, Extent};

    #[test]
    fn what_preparing_reached_is_credited_to_the_first_call_that_reaches_it() {
        let (mut places, mut coverage) = (Places::default(), Coverage::default());
        let ids = ["line:a.B:1", "line:a.B:2"].map(|name| places.intern(name));
        coverage.note_preparation(&[(ids[0], 1.0), (ids[1], 1.0)], &places);
        coverage.note(Origin::Action, &[(ids[1], 1.0)], &[], &places);
        coverage.set_units(Vec::new(), &places);
        // A driver that nobody asked for its classes has at least the lines that were reached.
        assert_eq!(coverage.lines(), Extent { total: 2, by_calls: 1, at_boot: 1, in_background: 0 });
        assert_eq!((coverage.counters.lines(), coverage.is_of_boot(ids[0])), (2, false));
    }

    #[test]
    fn places_count_for_what_reached_them_first() {
        let (mut places, mut coverage) = (Places::default(), Coverage::default());
        let names =
            ["line:a.B:1", "line:a.B:2", "line:a.B:3", "branch:a.B:2:0:then", "throws:a.B:2:0:c", "replace:a.B:2:0:c:true"];
        let ids = names.map(|name| places.intern(name));
        coverage.note(Origin::Boot, &[(ids[0], 1.0), (ids[3], 0.5)], &[], &places);
        coverage.note(
            Origin::Action,
            &[(ids[0], 1.0), (ids[1], 1.0), (ids[2], 1.0), (ids[4], 1.0), (ids[5], 1.0)],
            &[ids[2]],
            &places,
        );
        coverage.note(Origin::Between, &[(ids[3], 1.0)], &[], &places);
        let elsewhere = coverage.elsewhere(&places);
        let elsewhere: Vec<_> = elsewhere.iter().map(|(name, how)| (name.as_str(), *how)).collect();
        assert_eq!(
            elsewhere,
            [
                ("branch:a.B:2:0:then", Elsewhere::Background),
                ("line:a.B:1", Elsewhere::Start),
                ("line:a.B:3", Elsewhere::Background)
            ]
        );
        coverage.note(Origin::Between, &[(ids[2], 1.0)], &[], &places);
        assert!(!coverage.is_covered(ids[2]), "an action may tell of it still");
        let unit = Unit { name: "a.B".to_owned(), lines: 4, branches: 2, degraded: String::new() };
        coverage.set_units(vec![Units { measured: 1, units: vec![unit], ..Units::default() }], &places);
        assert_eq!(coverage.lines(), Extent { total: 4, by_calls: 1, at_boot: 1, in_background: 1 });
        assert_eq!(coverage.branches(), Extent { total: 2, by_calls: 0, at_boot: 0, in_background: 1 });
        assert_eq!(coverage.replacements(), Extent { total: 1, by_calls: 1, at_boot: 0, in_background: 0 });
        assert!(coverage.is_of_boot(ids[0]) && !coverage.is_of_boot(ids[1]));
        // Another process did not load it yet.
        coverage.set_units(vec![Units::default()], &places);
        assert_eq!(coverage.lines(), Extent { total: 4, by_calls: 1, at_boot: 1, in_background: 1 });
        assert_eq!(coverage.replacements().total, 1, "counted once");
        coverage.note(Origin::Action, &[(ids[2], 1.0)], &[], &places);
        coverage.set_units(vec![Units::default()], &places);
        assert_eq!(coverage.lines(), Extent { total: 4, by_calls: 2, at_boot: 1, in_background: 0 });
    }
}
