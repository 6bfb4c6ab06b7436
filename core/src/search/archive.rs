//! Per target, the best individuals seen so far (MIO, Arcuri 2018, section 3).
//!
//! Differences from the source: time is no tie-breaker, since a clock must not decide anything in a run that is
//! repeatable; instead an individual with a call that timed out, or that the
//! service ended in, loses against any other.

use std::sync::Arc;

use crate::api::OperationIdx;
use crate::random::Random;

use super::kept::Kept;
use super::odds::PickOdds;
use super::standing::{Moment, Standing};
use super::{Evaluation, TargetId, TargetKind, Targets};

/// A goal was picked seldom when it was picked fewer times than this since a test came closer to it.
const FRESH_PICKS: u32 = 3;
/// A search for a place in the code stalls when that was picked so often since anything came closer.
const STALLED_PICKS: u32 = 3;

/// The individuals of one target.
#[derive(Debug, Clone, Default)]
struct Population {
    /// Best first; exactly one once the target is covered.
    members: Vec<(f64, Arc<Kept>)>,
    /// Of those that cover the target with a value from an earlier answer the one that is best: the shortest often names
    /// what another test happened to leave behind. Kept for goals and faults, which tests are made for.
    linked: Option<Arc<Kept>>,
    /// How often it was picked since it last improved.
    picks: u32,
    /// When it was seen first.
    seen: Moment,
    /// When it last came closer.
    improved: Moment,
    /// Whether individuals were seen that come less close than others: there is a way to go.
    has_slope: bool,
    /// Whether tests of it are wanted first.
    is_favoured: bool,
}

impl Population {
    /// Best closeness, none before the first member.
    fn standing(&self) -> Option<f64> {
        self.members.first().map(|(closeness, _)| *closeness)
    }

    fn is_covered(&self) -> bool {
        self.standing().is_some_and(|best| best >= 1.0)
    }

    /// Offers an individual at the moment `now`.
    fn offer(&mut self, closeness: f64, kept: &Arc<Kept>, capacity: usize, now: Moment) {
        let before = self.standing();
        self.take(closeness, kept, capacity);
        if self.standing() > before {
            self.improved = now;
        }
        if before.is_none() {
            self.seen = now;
        }
    }

    fn take(&mut self, closeness: f64, kept: &Arc<Kept>, capacity: usize) {
        if self.is_covered() {
            if closeness >= 1.0 && covers_better(kept, &self.members[0].1) {
                self.members[0] = (closeness, Arc::clone(kept));
            }
        } else if closeness >= 1.0 {
            self.members = vec![(1.0, Arc::clone(kept))];
        } else {
            let best = self.standing();
            self.has_slope |= best.is_some_and(|best| (closeness - best).abs() > f64::EPSILON);
            if best.is_none_or(|best| closeness > best) {
                self.picks = 0;
            }
            self.insert(closeness, kept);
            self.members.truncate(capacity);
        }
    }

    fn wants_linked(&self, kept: &Kept) -> bool {
        !kept.is_costly && self.linked.as_ref().is_none_or(|old| covers_better(kept, old))
    }

    /// Puts `kept` in order: higher closeness, no time-out, fewer actions; a newer one goes before its equals.
    fn insert(&mut self, closeness: f64, kept: &Arc<Kept>) {
        let is_better = |(old_closeness, old): &(f64, Arc<Kept>)| {
            old_closeness
                .total_cmp(&closeness)
                .then_with(|| kept.is_costly.cmp(&old.is_costly))
                .then_with(|| kept.size().cmp(&old.size()))
                .is_gt()
        };
        let idx = self.members.partition_point(is_better);
        self.members.insert(idx, (closeness, Arc::clone(kept)));
    }
}

/// What offering an evaluation changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Offered {
    /// Targets covered for the first time.
    pub covered: usize,
    /// Targets that came closer without being covered, first sights included.
    pub improved: usize,
}

/// All populations, and which targets still want work.
#[derive(Debug, Clone, Default)]
pub struct Archive {
    populations: Vec<Population>,
    /// Reached but uncovered places in the code, ordered.
    open_code: Vec<TargetId>,
    /// Reached but uncovered goals, ordered.
    open_goals: Vec<TargetId>,
    /// Reached but uncovered shapes, ordered.
    open_shapes: Vec<TargetId>,
    n_covered: usize,
    /// Whether any target is favoured.
    has_favourites: bool,
    /// When what is offered next was executed.
    pub now: Moment,
}

impl Archive {
    /// Covered targets.
    pub fn n_covered(&self) -> usize {
        self.n_covered
    }

    /// Whether nothing was kept yet.
    pub fn is_empty(&self) -> bool {
        self.populations.is_empty()
    }

    /// Whether a place in the code is reached but uncovered.
    pub fn has_open_code(&self) -> bool {
        !self.open_code.is_empty()
    }

    /// Whether `target` is covered.
    pub fn is_covered(&self, target: TargetId) -> bool {
        self.populations.get(target.0 as usize).is_some_and(Population::is_covered)
    }

    /// Whether an evaluation that was not offered yet covers some of the service's code that nothing kept covers.
    pub fn lacks_code_of(&self, evaluation: &Evaluation, targets: &Targets) -> bool {
        let covered = evaluation.closeness.iter().filter(|(_, closeness)| *closeness >= 1.0);
        covered.into_iter().any(|(target, _)| targets.kind(*target) == TargetKind::Code && !self.is_covered(*target))
    }

    /// The individual kept for a covered target.
    pub fn covering(&self, target: TargetId) -> Option<&Arc<Kept>> {
        let population = self.populations.get(target.0 as usize)?;
        if population.is_covered() { population.members.first().map(|(_, kept)| kept) } else { None }
    }

    /// How near the search came to `target`; none where it never came near, or what did is not called any more.
    pub fn standing(&self, target: TargetId) -> Option<Standing<'_>> {
        let population = self.populations.get(target.0 as usize)?;
        let (closeness, kept) = population.members.first()?;
        Some(Standing { closeness: *closeness, kept, since: population.improved })
    }

    /// The individual kept for a covered goal or fault whose call takes a value from an earlier answer, where one was seen.
    pub fn linked(&self, target: TargetId) -> Option<&Arc<Kept>> {
        self.populations.get(target.0 as usize)?.linked.as_ref()
    }

    /// Open places in the code that were seen for the first time by what was offered last, `kept`.
    pub fn first_seen<'a>(&'a self, kept: &'a Kept) -> impl Iterator<Item = TargetId> + 'a {
        let reached = kept.closeness.iter().map(|(target, _)| *target);
        let is_new = |target: TargetId| self.populations.get(target.0 as usize).is_some_and(|it| it.seen == self.now);
        reached.filter(move |target| is_new(*target) && self.is_open_code(*target))
    }

    /// What came closest to a place in the code that was just picked, where that was often since anything came closer, though
    /// some come closer than others; none where it was not, and where that was told before.
    pub fn stalled(&self, target: TargetId) -> Option<&Arc<Kept>> {
        let population = self.populations.get(target.0 as usize)?;
        let is_stalled = population.picks == STALLED_PICKS && population.has_slope && self.is_open_code(target);
        population.members.first().map(|(_, kept)| kept).filter(|kept| is_stalled && !kept.is_costly)
    }

    /// Whether it is an open place in the code that was seen before and to which what was offered last came closer.
    pub fn has_just_come_closer(&self, target: TargetId) -> bool {
        let has_improved = |it: &Population| it.improved == self.now && it.seen != self.now;
        self.populations.get(target.0 as usize).is_some_and(has_improved) && self.is_open_code(target)
    }

    /// Whether it is a place in the code that was seen and not reached.
    pub fn is_open_code(&self, target: TargetId) -> bool {
        self.open_code.binary_search(&target).is_ok()
    }

    /// All covered targets in order.
    ///
    /// # Panics
    /// Never: populations are indexed by target id, which has 32 bits.
    pub fn covered(&self) -> impl Iterator<Item = TargetId> + '_ {
        self.populations
            .iter()
            .enumerate()
            .filter(|(_, population)| population.is_covered())
            .map(|(idx, _)| TargetId(u32::try_from(idx).expect("populations are indexed by target id")))
    }

    /// Whether `kept` would stand for some covered target.
    fn will_keep(&self, kept: &Kept, targets: &Targets) -> bool {
        kept.closeness.iter().filter(|(_, closeness)| *closeness >= 1.0).any(|(target, _)| {
            self.covering(*target).is_none_or(|old| covers_better(kept, old)) || self.wants_linked(kept, *target, targets)
        })
    }

    fn wants_linked(&self, kept: &Kept, target: TargetId, targets: &Targets) -> bool {
        let is_goal = matches!(targets.kind(target), TargetKind::Goal | TargetKind::Fault);
        let population = self.populations.get(target.0 as usize);
        is_goal && kept.is_linked_to(target) && population.is_none_or(|population| population.wants_linked(kept))
    }

    /// Offers an evaluation to every target it reached; lists longer than `capacity` (at least 1) lose their worst.
    pub fn offer(&mut self, evaluation: Evaluation, capacity: usize, targets: &Targets) -> (Arc<Kept>, Offered) {
        let kept = Kept::new(evaluation);
        let stands = self.will_keep(&kept, targets);
        let kept = Arc::new(kept.shortened(stands));
        let offered = self.offer_kept(&kept, capacity, targets);
        (kept, offered)
    }

    fn offer_kept(&mut self, kept: &Arc<Kept>, capacity: usize, targets: &Targets) -> Offered {
        let mut offered = Offered::default();
        if let Some((last, _)) = kept.closeness.last() {
            let needed = last.0 as usize + 1;
            if self.populations.len() < needed {
                self.populations.resize_with(needed, Population::default);
            }
        }
        for (target, closeness) in kept.closeness.iter().filter(|(_, closeness)| *closeness > 0.0) {
            let is_linked = *closeness >= 1.0 && self.wants_linked(kept, *target, targets);
            let population = &mut self.populations[target.0 as usize];
            let open = match targets.kind(*target) {
                TargetKind::Code => &mut self.open_code,
                TargetKind::Goal | TargetKind::Fault | TargetKind::Death => &mut self.open_goals,
                TargetKind::Shape => &mut self.open_shapes,
            };
            let before = population.standing();
            population.offer(*closeness, kept, capacity.max(1), self.now);
            if is_linked {
                population.linked = Some(Arc::clone(kept));
            }
            let after = population.standing();
            if before.is_none() && after.is_some_and(|best| best < 1.0) {
                insert_ordered(open, *target);
            }
            if before.is_none_or(|best| best < 1.0) && after == Some(1.0) {
                self.n_covered += 1;
                offered.covered += 1;
                remove_ordered(open, *target);
            } else if after > before {
                offered.improved += 1;
            }
        }
        offered
    }

    /// Has tests of these targets wanted first from now on; those that were not reached yet are passed over.
    pub fn favour(&mut self, targets: &[TargetId]) {
        for target in targets {
            if let Some(population) = self.populations.get_mut(target.0 as usize) {
                population.is_favoured = true;
                self.has_favourites = true;
            }
        }
    }

    /// Cuts every list to `capacity` (at least 1), worst first.
    pub fn shrink(&mut self, capacity: usize) {
        for target in self.open_code.iter().chain(&self.open_goals).chain(&self.open_shapes) {
            self.populations[target.0 as usize].members.truncate(capacity.max(1));
        }
    }

    /// Forgets individuals that call `operation_idx` where they cover nothing; a target that is left without any is not
    /// worked on.
    pub fn drop_calls_of(&mut self, operation_idx: OperationIdx) {
        for open in [&mut self.open_code, &mut self.open_goals, &mut self.open_shapes] {
            open.retain(|target| {
                let members = &mut self.populations[target.0 as usize].members;
                members.retain(|(_, kept)| !kept.individual.calls(operation_idx));
                !members.is_empty()
            });
        }
    }

    /// A target to work on and one of its individuals, none while nothing was kept.
    ///
    /// With the probabilities of `odds` an open place in the code, goal or shape, or a covered target; where the drawn
    /// kind has none, the next one in that order that has. Among open ones of a kind, that which was picked least since
    /// it last improved; of the many places in the code half of the time any, or one that comes closer in ever smaller
    /// steps would keep all others from being picked. By the odds only those places in the code are looked at to which some
    /// individuals came closer than others: most others (references, cases of enums) are reached by chance or never.
    ///
    /// While a favoured one is open, by the odds only favoured ones are looked at.
    pub fn pick(&mut self, odds: PickOdds, random: &mut Random) -> Option<(TargetId, Arc<Kept>)> {
        let is_favouring = self.has_open_favourite() && random.chance(odds.favoured);
        let favoured = if is_favouring { self.pick_of(odds, random, true) } else { None };
        favoured.or_else(|| self.pick_of(odds, random, false))
    }

    fn has_open_favourite(&self) -> bool {
        let mut open = self.open_code.iter().chain(&self.open_goals).chain(&self.open_shapes);
        self.has_favourites && open.any(|target| self.populations[target.0 as usize].is_favoured)
    }

    fn pick_of(&mut self, odds: PickOdds, random: &mut Random, is_favouring: bool) -> Option<(TargetId, Arc<Kept>)> {
        if odds.fresh_goal > 0.0 && self.has_fresh_goal(is_favouring) && random.chance(odds.fresh_goal) {
            return self.pick_open(TargetKind::Goal, odds, random, is_favouring);
        }
        let draw = random.unit();
        let bounds = [odds.code, odds.code + odds.goal, odds.code + odds.goal + odds.shape];
        let first = bounds.iter().filter(|bound| draw >= **bound).count();
        (0..4).find_map(|step| match (first + step) % 4 {
            0 => self.pick_open(TargetKind::Code, odds, random, is_favouring),
            1 => self.pick_open(TargetKind::Goal, odds, random, is_favouring),
            2 => self.pick_open(TargetKind::Shape, odds, random, is_favouring),
            _ => self.pick_covered(random, is_favouring),
        })
    }

    /// Whether an open goal was picked seldom, so that those picked least are all such.
    fn has_fresh_goal(&self, is_favouring: bool) -> bool {
        let population = |target: &TargetId| &self.populations[target.0 as usize];
        let wanted = self.open_goals.iter().map(population).filter(|population| !is_favouring || population.is_favoured);
        wanted.map(|population| population.picks).min().is_some_and(|picks| picks < FRESH_PICKS)
    }

    fn pick_open(
        &mut self,
        kind: TargetKind,
        odds: PickOdds,
        random: &mut Random,
        is_favouring: bool,
    ) -> Option<(TargetId, Arc<Kept>)> {
        let open = match kind {
            TargetKind::Code => &self.open_code,
            TargetKind::Goal | TargetKind::Fault | TargetKind::Death => &self.open_goals,
            TargetKind::Shape => &self.open_shapes,
        };
        let population = |target: &TargetId| &self.populations[target.0 as usize];
        let is_code = kind == TargetKind::Code;
        let is_any = is_code && random.chance(odds.any_code);
        let wanted = || open.iter().filter(|target| !is_favouring || population(target).is_favoured);
        let is_sloping = is_code && random.chance(odds.sloping_code) && wanted().any(|target| population(target).has_slope);
        let looked_at = || wanted().filter(|target| !is_sloping || population(target).has_slope);
        let fewest = looked_at().map(|target| population(target).picks).min()?;
        let candidates: Vec<TargetId> =
            looked_at().copied().filter(|target| is_any || population(target).picks == fewest).collect();
        let target = *random.pick(&candidates)?;
        let population = &mut self.populations[target.0 as usize];
        population.picks = population.picks.saturating_add(1);
        let answered: Vec<&Arc<Kept>> =
            population.members.iter().map(|(_, kept)| kept).filter(|kept| !kept.is_costly).collect();
        let kept = match random.pick(&answered) {
            Some(kept) => Arc::clone(kept),
            None => Arc::clone(&random.pick(&population.members)?.1),
        };
        Some((target, kept))
    }

    fn pick_covered(&self, random: &mut Random, is_favouring: bool) -> Option<(TargetId, Arc<Kept>)> {
        let is_wanted = |target: &TargetId| !is_favouring || self.populations[target.0 as usize].is_favoured;
        let covered: Vec<TargetId> = self.covered().filter(is_wanted).collect();
        let target = *random.pick(&covered)?;
        Some((target, Arc::clone(self.covering(target)?)))
    }
}

/// Whether `new` should stand for a covered target instead of `old`.
fn covers_better(new: &Kept, old: &Kept) -> bool {
    if new.is_costly != old.is_costly {
        return old.is_costly;
    }
    new.size() < old.size() || (new.size() == old.size() && new.sum > old.sum)
}

fn insert_ordered(targets: &mut Vec<TargetId>, target: TargetId) {
    if let Err(idx) = targets.binary_search(&target) {
        targets.insert(idx, target);
    }
}

fn remove_ordered(targets: &mut Vec<TargetId>, target: TargetId) {
    if let Ok(idx) = targets.binary_search(&target) {
        targets.remove(idx);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use crate::action::{Action, Link, LinkPlace, LinkSource};
    use crate::api::OperationIdx;
    use crate::random::Random;
    use crate::search::{Evaluation, Execution, Individual, TargetId, TargetKind, Targets};

    use super::{Archive, FRESH_PICKS, Kept, PickOdds};

    const GOALS: PickOdds =
        PickOdds { fresh_goal: 0.0, code: 0.0, goal: 1.0, shape: 0.0, any_code: 0.5, sloping_code: 0.0, favoured: 1.0 };

    /// Goals 0 and 1, shape 2.
    fn targets() -> Targets {
        let mut targets = Targets::default();
        for (kind, name) in [(TargetKind::Goal, "a"), (TargetKind::Goal, "b"), (TargetKind::Shape, "c")] {
            targets.intern(kind, name);
        }
        targets
    }

    fn kept(size: usize, closeness: &[(u32, f64)]) -> Arc<Kept> {
        let action = Action {
            operation_idx: OperationIdx(0),
            parameters: Vec::new(),
            body: None,
            user: None,
            links: Vec::new(),
            violation: None,
            expanded: None,
        };
        Arc::new(Kept::new(Evaluation {
            hints: Vec::new(),
            inputs: Vec::new(),
            individual: Individual { actions: vec![action; size] },
            results: Vec::new(),
            closeness: closeness.iter().map(|(id, closeness)| (TargetId(*id), *closeness)).collect(),
            closest_calls: Vec::new(),
            findings: Vec::new(),
            deaths: Vec::new(),
            elapsed: Duration::ZERO,
        }))
    }

    #[test]
    fn code_that_nothing_kept_covers_is_lacking_and_no_shape_is() {
        let mut targets = targets();
        let code = targets.intern(TargetKind::Code, "line");
        let mut archive = Archive::default();
        let lacks = |archive: &Archive, target: TargetId, closeness: f64| {
            let closeness = vec![(target, closeness)];
            let execution =
                Execution { individual: Individual { actions: Vec::new() }, calls: Vec::new(), elapsed: Duration::ZERO };
            archive.lacks_code_of(&Evaluation { closeness, ..Evaluation::new(execution, Vec::new()) }, &targets)
        };
        assert_eq!(
            [lacks(&archive, code, 1.0), lacks(&archive, code, 0.9), lacks(&archive, TargetId(2), 1.0)],
            [true, false, false]
        );
        archive.offer_kept(&kept(1, &[(code.0, 1.0)]), 10, &targets);
        assert!(!lacks(&archive, code, 1.0));
    }

    #[test]
    fn covered_target_keeps_the_shorter_individual() {
        let mut archive = Archive::default();
        assert_eq!(archive.offer_kept(&kept(3, &[(0, 1.0)]), 10, &targets()).covered, 1);
        assert_eq!(archive.offer_kept(&kept(2, &[(0, 1.0)]), 10, &targets()).covered, 0);
        archive.offer_kept(&kept(4, &[(0, 1.0), (1, 1.0)]), 10, &targets());
        assert_eq!(archive.covering(TargetId(0)).expect("covered").individual.actions.len(), 2);
    }

    #[test]
    fn covered_target_prefers_the_larger_sum_on_equal_size() {
        let mut archive = Archive::default();
        archive.offer_kept(&kept(2, &[(0, 1.0)]), 10, &targets());
        archive.offer_kept(&kept(2, &[(0, 1.0), (1, 0.5)]), 10, &targets());
        assert_eq!(archive.covering(TargetId(0)).expect("covered").closeness.len(), 2);
        archive.offer_kept(&kept(2, &[(0, 1.0)]), 10, &targets());
        assert_eq!(archive.covering(TargetId(0)).expect("covered").closeness.len(), 2);
    }

    #[test]
    fn a_goal_keeps_one_that_makes_what_it_names_beside_a_shorter_one() {
        let of_calls = |size: usize, target: u32, is_linked: bool| {
            let mut one = Arc::into_inner(kept(size, &[(target, 1.0)])).expect("just made");
            one.closest_calls = vec![u16::try_from(size - 1).expect("small")];
            if is_linked {
                let link = Link { place: LinkPlace::Parameter(0), from_action: 0, source: LinkSource::LocationSegment };
                one.individual.actions[size - 1].links.push(link);
            }
            Arc::new(one)
        };
        let mut archive = Archive::default();
        let size = |kept: Option<&Arc<Kept>>| kept.map(|kept| kept.individual.actions.len());
        for (size, is_linked) in [(4, true), (1, false), (3, true), (5, true)] {
            archive.offer_kept(&of_calls(size, 0, is_linked), 10, &targets());
        }
        assert_eq!((size(archive.covering(TargetId(0))), size(archive.linked(TargetId(0)))), (Some(1), Some(3)));
        archive.offer_kept(&of_calls(2, 2, true), 10, &targets());
        assert_eq!(size(archive.linked(TargetId(2))), None, "no test is made for a shape");
    }

    #[test]
    fn open_target_keeps_the_best_up_to_its_capacity() {
        let mut archive = Archive::default();
        for closeness in [0.1, 0.5, 0.3, 0.4] {
            archive.offer_kept(&kept(1, &[(0, closeness)]), 2, &targets());
        }
        let members: Vec<f64> = archive.populations[0].members.iter().map(|(closeness, _)| *closeness).collect();
        assert_eq!(members, [0.5, 0.4]);
        archive.shrink(1);
        assert_eq!(archive.populations[0].members.len(), 1);
    }

    #[test]
    fn a_target_knows_when_it_last_came_closer() {
        let mut archive = Archive::default();
        let since = |archive: &Archive| archive.standing(TargetId(0)).map(|it| (it.closeness, it.since.calls));
        assert_eq!(since(&archive), None);
        for (calls, closeness) in [(10, 0.2), (20, 0.5), (30, 0.5), (40, 0.3)] {
            archive.now.calls = calls;
            archive.offer_kept(&kept(1, &[(0, closeness)]), 2, &targets());
        }
        assert_eq!(since(&archive), Some((0.5, 20)));
        for calls in [50, 60] {
            archive.now.calls = calls;
            archive.offer_kept(&kept(1, &[(0, 1.0)]), 2, &targets());
        }
        assert_eq!(since(&archive), Some((1.0, 50)));
    }

    #[test]
    fn pick_takes_turns_and_improvement_resets_the_counter() {
        let mut archive = Archive::default();
        let mut random = Random::new(1, 0);
        archive.offer_kept(&kept(1, &[(0, 0.5), (1, 0.5)]), 10, &targets());
        let first = archive.pick(GOALS, &mut random).expect("not empty").0;
        let second = archive.pick(GOALS, &mut random).expect("not empty").0;
        assert_ne!(first, second);
        archive.offer_kept(&kept(1, &[(first.0, 0.6)]), 10, &targets());
        assert_eq!(archive.pick(GOALS, &mut random).expect("not empty").0, first);
    }

    #[test]
    fn kinds_of_targets_are_picked_by_their_odds() {
        let mut archive = Archive::default();
        let mut random = Random::new(1, 0);
        archive.offer_kept(&kept(1, &[(0, 1.0), (1, 0.5), (2, 0.5)]), 10, &targets());
        let odds = PickOdds { code: 0.0, goal: 0.5, shape: 0.3, ..GOALS };
        let mut picks = [0; 3];
        for _ in 0..1_000 {
            picks[archive.pick(odds, &mut random).expect("not empty").0.0 as usize] += 1;
        }
        let [covered, goal, shape] = picks;
        assert!(goal > shape && shape > covered && covered > 100, "{picks:?}");
    }

    #[test]
    fn goals_that_were_picked_seldom_come_first_for_a_while() {
        let mut archive = Archive::default();
        let mut random = Random::new(1, 0);
        archive.offer_kept(&kept(1, &[(0, 0.5), (1, 0.5), (2, 0.5)]), 10, &targets());
        let odds = PickOdds { fresh_goal: 0.5, goal: 0.0, shape: 1.0, ..GOALS };
        let mut goals = |archive: &mut Archive| {
            (0..200).filter(|_| archive.pick(odds, &mut random).expect("not empty").0 != TargetId(2)).count()
        };
        let n_fresh = 2 * FRESH_PICKS as usize;
        assert_eq!(goals(&mut archive), n_fresh);
        assert_eq!(goals(&mut archive), 0);
        archive.offer_kept(&kept(1, &[(0, 0.6)]), 10, &targets());
        assert_eq!(goals(&mut archive), n_fresh / 2, "it came closer to one of them");
    }

    #[test]
    fn places_with_a_way_to_go_are_picked_more_often_than_others() {
        let mut targets = Targets::default();
        for name in ["a", "b", "c", "d"] {
            targets.intern(TargetKind::Code, name);
        }
        let mut archive = Archive::default();
        let mut random = Random::new(1, 0);
        for closeness in [0.5, 0.4] {
            archive.offer_kept(&kept(1, &[(0, 0.5), (1, 0.5), (2, closeness), (3, 0.5)]), 10, &targets);
        }
        let mut picks = |sloping_code: f64| {
            let odds = PickOdds { code: 1.0, goal: 0.0, sloping_code, ..GOALS };
            (0..400).filter(|_| archive.pick(odds, &mut random).expect("not empty").0 == TargetId(2)).count()
        };
        let [never, always, half] = [0.0, 1.0, 0.5].map(&mut picks);
        assert_eq!(always, 400);
        assert!((50..150).contains(&never) && (200..350).contains(&half), "{never} {half}");
    }

    #[test]
    fn favoured_targets_are_picked_by_their_odds_as_long_as_they_are_open() {
        let picks = |favourites: &[TargetId], covered: &[(u32, f64)], favoured: f64| {
            let (mut archive, mut random) = (Archive::default(), Random::new(1, 0));
            archive.favour(favourites);
            archive.offer_kept(&kept(1, &[(0, 0.5), (1, 0.5), (2, 0.5)]), 10, &targets());
            archive.favour(favourites);
            archive.offer_kept(&kept(1, covered), 10, &targets());
            let odds = PickOdds { goal: 0.5, shape: 0.5, favoured, ..GOALS };
            (0..400).filter(|_| archive.pick(odds, &mut random).expect("not empty").0 == TargetId(2)).count()
        };
        let favourite = [TargetId(2)];
        let [always, half, never] = [1.0, 0.5, 0.0].map(|favoured| picks(&favourite, &[], favoured));
        assert_eq!(always, 400);
        assert!((260..340).contains(&half) && (160..240).contains(&never), "{half} {never}");
        assert!((160..240).contains(&picks(&[], &[], 1.0)), "there is no favourite");
        let (covered, as_before) = (picks(&favourite, &[(2, 1.0)], 1.0), picks(&[], &[(2, 1.0)], 1.0));
        assert_eq!(covered, as_before, "no favourite is open");
    }

    #[test]
    fn covered_targets_are_picked_only_when_nothing_is_open() {
        let mut archive = Archive::default();
        let mut random = Random::new(1, 0);
        archive.offer_kept(&kept(1, &[(0, 1.0), (1, 0.5)]), 10, &targets());
        assert!((0..20).all(|_| archive.pick(GOALS, &mut random).expect("not empty").0 == TargetId(1)));
        archive.offer_kept(&kept(1, &[(1, 1.0)]), 10, &targets());
        assert!(archive.pick(GOALS, &mut random).is_some());
    }
}
