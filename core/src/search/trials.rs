//! Trials: calls as they were, with one value narrowed to what a hint says, that wait to be executed.

use std::collections::VecDeque;

use super::Individual;
use super::archive::Offered;
use super::hint::Usage;
use super::impact::GeneKey;
use super::slope::Spot;

/// Other proposals between two that try something, at most.
const MOST_BETWEEN: u32 = 8;
/// Trials of hints that wait, at most.
const MOST_WAITING: usize = 256;
/// Others that wait, at most.
const MOST_OTHERS: usize = 64;
/// What a trial led to needs no turn while no more than these wait: where hints abound, what is left of the budget is worth more.
const FEW: usize = 3;

/// What waits to be tried.
#[derive(Debug, Clone)]
pub struct Trial {
    /// What is executed.
    pub individual: Individual,
    /// The gene that was narrowed; none where something else is to be learned.
    pub narrowed: Option<Spot>,
    /// Whether it tells something just as it is: values in it that are taken stay.
    pub is_exact: bool,
}

/// The trials that wait, and how often one of them is proposed.
#[derive(Debug, Clone, Default)]
pub struct Trials {
    /// Those of hints, each at the position of its turn.
    hinted: [Queue; 3],
    /// Whose turn it is: that of the first or of the second.
    turn: Turn,
    /// What else is to be learned; however many hints there are, every second trial is one of these while some wait, unless
    /// nothing came of the last ones.
    others: VecDeque<Trial>,
    /// Whether the last one was none of these.
    was_hinted: bool,
    /// Whether the last proposal was one of all that wait.
    was_trial: bool,
    /// Whether the next one of a hint came of a trial that was just weighed, and needs no turn.
    leads_on: bool,
    hinted_pace: Pace,
    other_pace: Pace,
}

/// Trials that wait, in their order.
#[derive(Debug, Clone, Default)]
struct Queue {
    waiting: VecDeque<Trial>,
    /// Those of them, the last ones, that came of what was evaluated last.
    n_latest: usize,
}

/// Whose turn it is among trials of hints.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Turn {
    /// What the service wants of a value.
    #[default]
    Wanted,
    /// A text that it can take apart or decode, for what it wants of what is in it to show.
    TakenApart,
    /// The value of a probe, while none of the others waits.
    OfProbe,
}

/// How often one of those that wait is proposed.
#[derive(Debug, Clone, Copy)]
struct Pace {
    /// Proposals that try nothing between two of them: 1 after one that brought something, twice as many after one that did
    /// not.
    between: u32,
    /// Proposals that tried nothing since the last.
    since: u32,
}

impl Trials {
    /// Has it wait; says whether there is room.
    pub fn push(&mut self, trial: Trial, turn: Turn) -> bool {
        let has_room = self.n_hinted() < MOST_WAITING;
        if has_room {
            let queue = self.queue_mut(turn);
            queue.waiting.push_back(trial);
            queue.n_latest += 1;
        }
        has_room
    }

    /// Has an individual tried from which something else is to be learned, where there is room.
    pub fn push_other(&mut self, individual: Individual) {
        self.push_as(individual, false);
    }

    /// The same, to be executed with the values that are taken.
    pub fn push_exact(&mut self, individual: Individual) {
        self.push_as(individual, true);
    }

    fn push_as(&mut self, individual: Individual, is_exact: bool) {
        if self.others.len() < MOST_OTHERS {
            self.others.push_back(Trial { individual, narrowed: None, is_exact });
        }
    }

    /// What is evaluated next is another individual than that which the latest ones came of.
    pub fn forget_latest(&mut self) {
        self.hinted.iter_mut().for_each(|queue| queue.n_latest = 0);
        self.leads_on = false;
    }

    /// What is to be tried now; at least every other time nothing, so that the search goes on however much there is.
    pub fn next(&mut self) -> Option<Trial> {
        let next = if self.was_trial { None } else { self.next_due() };
        self.was_trial = next.is_some();
        if next.is_none() {
            self.hinted_pace.pass();
            self.other_pace.pass();
        }
        next
    }

    /// What the trial that was just weighed led to, where it needs no turn.
    pub fn next_of_led(&mut self) -> Option<Trial> {
        std::mem::take(&mut self.leads_on).then(|| self.next_hinted()).flatten()
    }

    /// Whether so few wait that what comes of the next one may need no turn.
    pub fn are_few(&self) -> bool {
        self.n_hinted() + self.others.len() <= FEW
    }

    fn n_hinted(&self) -> usize {
        self.hinted.iter().map(|queue| queue.waiting.len()).sum()
    }

    fn next_due(&mut self) -> Option<Trial> {
        let is_hint_due = self.hinted_pace.is_due() && self.n_hinted() > 0;
        let is_other_due = self.other_pace.is_due() && !self.others.is_empty();
        if is_other_due && (self.was_hinted || !is_hint_due) {
            self.was_hinted = false;
            self.other_pace.since = 0;
            self.next_other()
        } else if is_hint_due {
            self.was_hinted = true;
            self.hinted_pace.since = 0;
            self.next_hinted()
        } else {
            None
        }
    }

    fn next_other(&mut self) -> Option<Trial> {
        self.others.pop_front()
    }

    fn next_hinted(&mut self) -> Option<Trial> {
        let mut turns = [self.turn, self.turn.other(), Turn::OfProbe].into_iter();
        let turn = turns.find(|turn| !self.queue(*turn).waiting.is_empty())?;
        // They take turns where both wait: a constant may be all that is missing, and what waits behind many of them may lead
        // to others.
        let other = turn.other();
        self.turn = if self.queue(other).waiting.is_empty() { Turn::Wanted } else { other };
        self.queue_mut(turn).waiting.pop_front()
    }

    /// What is known after one was executed that narrowed a gene, or none of them: where such ones bring nothing, fewer of them
    /// are tried. One that led the service to tell more of the same gene has brought something, too.
    pub fn weigh(&mut self, narrowed: Option<&Spot>, offered: Offered) {
        let leads_on = narrowed.is_some_and(|spot| self.latest().any(|trial| trial.narrows(spot.key)));
        let has_brought = leads_on || offered.covered + offered.improved > 0;
        let pace = if narrowed.is_some() { &mut self.hinted_pace } else { &mut self.other_pace };
        pace.between = if has_brought { 1 } else { (2 * pace.between).min(MOST_BETWEEN) };
        let n_longer = self.n_hinted() + self.others.len() - self.latest().count();
        self.leads_on = leads_on && n_longer <= FEW;
        if leads_on || offered.covered > 0 {
            self.prefer_latest();
        }
    }

    /// Those that came of what was evaluated last.
    fn latest(&self) -> impl Iterator<Item = &Trial> {
        self.hinted.iter().flat_map(Queue::latest)
    }

    /// What came of the individual that was evaluated last is tried before all that waits longer: what a hint said led it to
    /// where no other was, and what is told there may lead on.
    fn prefer_latest(&mut self) {
        let comes_first = [Turn::Wanted, Turn::TakenApart].into_iter().find(|turn| self.queue(*turn).n_latest > 0);
        self.turn = comes_first.unwrap_or(self.turn);
        self.hinted.iter_mut().for_each(Queue::prefer_latest);
    }

    fn queue(&self, turn: Turn) -> &Queue {
        &self.hinted[turn as usize]
    }

    fn queue_mut(&mut self, turn: Turn) -> &mut Queue {
        &mut self.hinted[turn as usize]
    }
}

impl Trial {
    /// Whether it has a new value for such a gene.
    fn narrows(&self, key: GeneKey) -> bool {
        self.narrowed.as_ref().is_some_and(|spot| spot.key == key)
    }
}

impl Queue {
    fn latest(&self) -> impl Iterator<Item = &Trial> {
        self.waiting.iter().rev().take(self.n_latest)
    }

    fn prefer_latest(&mut self) {
        let n_latest = std::mem::take(&mut self.n_latest).min(self.waiting.len());
        self.waiting.rotate_right(n_latest);
    }
}

impl Turn {
    /// Of a trial that such a hint made, on the value of a probe or of an input.
    pub fn of(usage: Usage, is_of_probe: bool) -> Self {
        match usage {
            _ if is_of_probe => Self::OfProbe,
            usage if usage.takes_apart() => Self::TakenApart,
            _ => Self::Wanted,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Wanted => Self::TakenApart,
            Self::TakenApart | Self::OfProbe => Self::Wanted,
        }
    }
}

impl Pace {
    fn is_due(self) -> bool {
        self.since >= self.between
    }

    fn pass(&mut self) {
        self.since = self.since.saturating_add(1);
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self { between: 1, since: 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{Action, ValuePlace};
    use crate::api::OperationIdx;
    use crate::gene::GenePath;

    /// A trial that is told from others by how many calls it has.
    fn trial(n_calls: usize) -> Trial {
        let (operation_idx, parameters, links) = (OperationIdx(0), Vec::new(), Vec::new());
        let action = Action { operation_idx, parameters, body: None, user: None, links, violation: None, expanded: None };
        Trial { individual: Individual { actions: vec![action; n_calls] }, narrowed: None, is_exact: false }
    }

    /// A gene by a number.
    fn spot(key: u64) -> Spot {
        let key = GeneKey { operation_idx: OperationIdx(0), place: 0, key };
        Spot { action_idx: 0, place: ValuePlace::Parameter(0), path: GenePath::default(), key }
    }

    const NOTHING: Offered = Offered { covered: 0, improved: 0 };
    const NEARER: Offered = Offered { covered: 0, improved: 1 };
    const COVERED: Offered = Offered { covered: 1, improved: 0 };

    fn all(trials: &mut Trials) -> Vec<usize> {
        (0..99).filter_map(|_| trials.next()).map(|it| it.individual.actions.len()).collect()
    }

    #[test]
    fn fewer_are_proposed_while_nothing_comes_of_it() {
        let mut trials = Trials::default();
        assert!((0..100).all(|_| trials.push(trial(1), Turn::Wanted)));
        let proposed = [NOTHING, NOTHING, NOTHING, NEARER, NEARER].map(|offered| {
            let proposed = (0..36).filter(|_| trials.next().is_some()).count();
            trials.weigh(Some(&spot(1)), offered);
            proposed
        });
        assert_eq!(proposed, [18, 12, 7, 4, 18]);
    }

    #[test]
    fn what_else_brings_nothing_slows_no_hint_down() {
        let mut trials = Trials::default();
        assert!((0..100).all(|_| trials.push(trial(1), Turn::Wanted)));
        (0..MOST_OTHERS).for_each(|_| trials.push_other(trial(2).individual));
        let (mut n_hints, mut n_others) = (0, 0);
        for _ in 0..100 {
            let Some(tried) = trials.next() else { continue };
            let is_hint = tried.individual.actions.len() == 1;
            let narrowed = is_hint.then(|| spot(1));
            trials.weigh(narrowed.as_ref(), if is_hint { NEARER } else { NOTHING });
            *(if is_hint { &mut n_hints } else { &mut n_others }) += 1;
        }
        assert!(n_hints > 40 && n_others > 5, "{n_hints} and {n_others} of 100");
    }

    #[test]
    fn what_came_of_a_trial_that_led_on_is_tried_before_what_waits_longer() {
        let mut trials = Trials::default();
        for (came, offered) in [([1, 2].as_slice(), NEARER), (&[3, 4], COVERED), (&[5], NEARER), (&[], COVERED)] {
            trials.forget_latest();
            assert!(came.iter().all(|n_calls| trials.push(trial(*n_calls), Turn::Wanted)));
            trials.weigh(Some(&spot(1)), offered);
        }
        assert_eq!(all(&mut trials), [3, 4, 1, 2, 5]);
    }

    #[test]
    fn what_came_of_a_trial_that_led_on_has_the_turn() {
        let mut trials = Trials::default();
        for (n_calls, turn) in [(1, Turn::TakenApart), (2, Turn::TakenApart), (3, Turn::Wanted)] {
            assert!(trials.push(trial(n_calls), turn));
        }
        let next = (0..2).find_map(|_| trials.next()).map(|it| it.individual.actions.len());
        assert_eq!((next, trials.turn), (Some(3), Turn::TakenApart));
        trials.forget_latest();
        assert!(trials.push(trial(4), Turn::Wanted));
        trials.weigh(Some(&spot(1)), COVERED);
        assert_eq!(all(&mut trials), [4, 1, 2]);
    }

    #[test]
    fn what_a_trial_led_to_needs_no_turn_while_few_others_wait() {
        let mut trials = Trials::default();
        let mut of_led = |came: &[usize], told_of: u64| {
            trials.forget_latest();
            let narrowed = Some(spot(told_of));
            let is_pushed =
                |n_calls: &usize| trials.push(Trial { narrowed: narrowed.clone(), ..trial(*n_calls) }, Turn::Wanted);
            assert!(came.iter().all(is_pushed));
            trials.weigh(Some(&spot(1)), COVERED);
            [(); 2].map(|()| trials.next_of_led().map(|it| it.individual.actions.len()))
        };
        assert_eq!(of_led(&[1], 2), [None, None], "told of another gene, it waits for its turn");
        assert_eq!(of_led(&[2, 3], 1), [Some(2), None], "one of them");
        assert_eq!(of_led(&[], 1), [None, None], "what waits came of another one");
        assert_eq!(of_led(&[4, 5], 1), [Some(4), None]);
        assert_eq!(of_led(&[6, 7], 1), [Some(6), None], "three wait longer");
        assert_eq!(of_led(&[8, 9], 1), [None, None], "four do");
        assert_eq!(all(&mut trials), [8, 9, 7, 5, 3, 1]);
    }

    #[test]
    fn more_that_is_told_of_the_same_gene_is_something() {
        let pace_after = |told_of: u64| {
            let mut trials = Trials::default();
            assert!(trials.push(trial(1), Turn::TakenApart));
            trials.forget_latest();
            assert!(trials.push(Trial { narrowed: Some(spot(told_of)), ..trial(2) }, Turn::TakenApart));
            trials.weigh(Some(&spot(1)), NOTHING);
            (trials.hinted_pace.between, all(&mut trials))
        };
        assert_eq!([pace_after(1), pace_after(2)], [(1, vec![2, 1]), (2, vec![1, 2])]);
    }

    #[test]
    fn what_is_wanted_and_what_is_taken_apart_take_turns_where_both_wait() {
        let mut trials = Trials::default();
        for (n_calls, turn) in [(1, Turn::TakenApart), (2, Turn::TakenApart), (3, Turn::TakenApart), (4, Turn::Wanted)] {
            assert!(trials.push(trial(n_calls), turn));
        }
        assert_eq!(all(&mut trials), [4, 1, 2, 3]);
        // What is told of a probe waits for both.
        for (n_calls, turn) in [(1, Turn::OfProbe), (2, Turn::TakenApart), (3, Turn::Wanted), (4, Turn::Wanted)] {
            assert!(trials.push(trial(n_calls), turn));
        }
        assert_eq!(all(&mut trials), [3, 2, 4, 1]);
        // What was the only one to wait takes nobody's turn.
        assert!(trials.push(trial(5), Turn::Wanted));
        assert_eq!(all(&mut trials), [5]);
        assert!(trials.push(trial(6), Turn::TakenApart) && trials.push(trial(7), Turn::Wanted));
        assert_eq!(all(&mut trials), [7, 6]);
    }

    #[test]
    fn what_else_is_to_be_learned_takes_turns_with_hints_however_many_wait() {
        let mut trials = Trials::default();
        let n_waiting = (0..300).filter(|_| trials.push(trial(1), Turn::Wanted)).count();
        assert_eq!(n_waiting, MOST_WAITING);
        for n_calls in [2, 3] {
            trials.push_other(trial(n_calls).individual);
        }
        assert_eq!(all(&mut trials)[..5], [1, 2, 1, 3, 1]);
        (0..2 * MOST_OTHERS).for_each(|_| trials.push_other(trial(4).individual));
        let mut others = 0;
        while let Some(next) = (0..9).find_map(|_| trials.next()) {
            others += usize::from(next.individual.actions.len() == 4);
        }
        assert_eq!(others, MOST_OTHERS, "there is room for so many");
    }

    #[test]
    fn there_is_room_for_so_many() {
        let mut trials = Trials::default();
        let n_waiting =
            (0..300).filter(|at| trials.push(trial(1), if at % 2 == 0 { Turn::Wanted } else { Turn::TakenApart })).count();
        assert_eq!(n_waiting, MOST_WAITING);
    }
}
