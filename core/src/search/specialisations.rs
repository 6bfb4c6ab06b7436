//! What is known of genes by hints: for each the specialisations that the service was seen to want (paper 004, section 5).
//!
//! Differences from the source: what was learned of a gene holds for it in every individual, not only in the one that was
//! executed; and each specialisation is tried once right away in the call that it came from, for there the service is known
//! to look at the value.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::action::Action;
use crate::api::{Api, OperationIdx};
use crate::gene::{Gene, Lens, Mutation, Specialisation};
use crate::random::Random;

use super::bonds::Bonds;
use super::hint::{Hint, Usage};
use super::hint_log::HintLog;
use super::impact::GeneKey;
use super::mutator::{gene_at, keyed_sites};
use super::origin;
use super::slope::Spot;
use super::tracking::{GeneInPlay, genes_in_play};
use super::trials::{Trial, Trials, Turn};
use super::{Evaluation, Individual, probe};

/// Specialisations of one gene, at most.
const MOST_OF_GENE: usize = 64;
/// Characters of an operand that something is made of, at most: agents tell shorter ones, other drivers may not.
const LONGEST_OPERAND: usize = 4_000;
/// Places of a gene's value that take the same specialisation, at most.
const MOST_PLACES: usize = 4;
/// Genes with specialisations, at most.
const MOST_GENES: usize = 4_000;
/// Specialisations that are not made twice, at most.
const MOST_MADE: usize = 4_000;

/// What is known of genes by hints.
#[derive(Debug, Clone, Default)]
pub struct Specialisations {
    of_genes: BTreeMap<GeneKey, Vec<Known>>,
    /// What was told of genes whose own values are all so anyway: an integer is read as a number.
    needless: BTreeMap<GeneKey, Vec<Arc<Specialisation>>>,
    /// What was made of hints, by usage and operand; none where nothing could be.
    made: BTreeMap<(Usage, String), Option<Arc<Specialisation>>>,
    /// Genes whose values are compared with each other.
    bonds: Bonds,
    /// What waits to be tried of it.
    pub trials: Trials,
    counts: HintCounts,
    /// What arrived, for telling it afterwards.
    log: HintLog,
}

/// What a gene may be narrowed to.
#[derive(Debug, Clone)]
struct Known {
    specialisation: Arc<Specialisation>,
    /// How often it was chosen.
    n_taken: u32,
}

/// How many hints there were, and what came of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HintCounts {
    /// Those that arrived, by what was done with the value.
    pub arrived: BTreeMap<Usage, u64>,
    /// Genes that took a specialisation.
    pub genes: usize,
    /// Values that were marked, each time another.
    pub marked: u64,
    /// Hints that could not be used: patterns that cannot be translated, what the constraints of a gene do not allow, and what
    /// was more, or longer, than is kept.
    pub unused: u64,
}

impl Specialisations {
    /// Learns from the hints of `evaluation`; what is new waits to be tried in the calls that it came from, without those that
    /// only look. The genes of which something new was told.
    pub fn learn(&mut self, api: &Api, evaluation: &Evaluation, random: &mut Random) -> BTreeSet<GeneKey> {
        let mut taught = BTreeSet::new();
        self.trials.forget_latest();
        for hints in evaluation.hints.chunk_by(|(one, _), (other, _)| one == other) {
            let Some((call_idx, _)) = hints.first() else { continue };
            let Some(actions) = evaluation.individual.actions.get(..=*call_idx) else { continue };
            let in_play: Vec<Vec<GeneInPlay>> = actions.iter().map(genes_in_play).collect();
            for hint in leading_first(hints) {
                *self.counts.arrived.entry(hint.usage).or_default() += 1;
                let made = self.made_of(hint);
                let at = whose(hint, evaluation, &in_play).unwrap_or(*call_idx);
                let genes = &in_play[at];
                let owners = genes.iter().filter(|gene| gene.seen_as(hint).is_some()).map(|gene| gene.key);
                self.log.note(hint, actions[at].operation_idx, owners, made.as_ref());
                if self.binds(hint, &in_play) {
                    continue;
                }
                let Some(specialisation) = made else {
                    self.counts.unused += 1;
                    continue;
                };
                for gene in genes {
                    let Some(specialisation) = gene.seen_as(hint).map(|lenses| through(lenses, &specialisation)) else {
                        continue;
                    };
                    if !self.is_needless(&actions[at], gene, &specialisation) && self.note(gene.key, &specialisation) {
                        taught.insert(gene.key);
                        let mut individual = Individual { actions: actions.to_vec() };
                        let at = individual.remove_looks(api, at);
                        let turn = Turn::of(hint.usage, probe::is_at(&individual.actions[at], gene.place));
                        let trial = self.trial(api, individual, (at, genes), gene, &specialisation, random);
                        if trial.is_none_or(|trial| !self.trials.push(trial, turn)) {
                            self.counts.unused += 1;
                        }
                    }
                }
            }
        }
        taught
    }

    /// Whether the operands of a hint are the values of two genes that are bound.
    fn binds(&mut self, hint: &Hint, in_play: &[Vec<GeneInPlay>]) -> bool {
        if hint.is_part || !hint.usage.holds_of_equals() {
            return false;
        }
        let mut is_bound = false;
        for gene in in_play.iter().flatten().filter(|gene| gene.has(&hint.tracked)) {
            for other in in_play.iter().flatten().filter(|other| other.key != gene.key && other.has(&hint.operand)) {
                is_bound |= self.bonds.note(gene.key, other.key, &hint.operand);
            }
        }
        is_bound
    }

    /// Gives bound genes of an individual that was drawn the same value, each pair with probability `p`.
    pub fn join_bound(&self, individual: &mut Individual, p: f64, random: &mut Random) {
        self.bonds.join(individual, p, random);
    }

    /// Genes whose values are compared with each other.
    pub fn bonds(&self) -> &Bonds {
        &self.bonds
    }

    /// What a hint makes of a gene; patterns are costly to translate, so each is translated once.
    fn made_of(&mut self, hint: &Hint) -> Option<Arc<Specialisation>> {
        if hint.operand.len() > LONGEST_OPERAND {
            return None;
        }
        let key = (hint.usage, hint.operand.clone());
        if let Some(made) = self.made.get(&key) {
            return made.clone();
        }
        let made = hint.specialisation().map(Arc::new);
        if self.made.len() >= MOST_MADE {
            self.made.clear();
        }
        self.made.insert(key, made.clone());
        made
    }

    /// Whether all values that the gene draws by itself are so. To narrow it is then worse than nothing: its own draws know
    /// the edges of its schema, such as a leap day or the number 0.
    fn is_needless(&mut self, action: &Action, gene: &GeneInPlay, specialisation: &Arc<Specialisation>) -> bool {
        let kept = self.of_genes.get(&gene.key).map_or(&[][..], Vec::as_slice);
        if kept.len() >= MOST_OF_GENE || kept.iter().any(|it| it.specialisation == *specialisation) {
            return false;
        }
        let needless = self.needless.get(&gene.key).map_or(&[][..], Vec::as_slice);
        if needless.contains(specialisation) {
            return true;
        }
        // A stream of its own: what is asked changes nothing that is drawn later.
        let is_always = gene.found_in(action).is_some_and(|it| it.is_always(specialisation, &mut Random::new(0, 0)));
        if is_always && needless.len() < MOST_OF_GENE && self.needless.len() < MOST_GENES {
            self.needless.entry(gene.key).or_default().push(Arc::clone(specialisation));
        }
        is_always
    }

    /// Keeps it; says whether it is new.
    fn note(&mut self, key: GeneKey, specialisation: &Arc<Specialisation>) -> bool {
        if self.of_genes.len() >= MOST_GENES && !self.of_genes.contains_key(&key) {
            self.counts.unused += 1;
            return false;
        }
        let known = self.of_genes.entry(key).or_default();
        if known.iter().any(|it| it.specialisation == *specialisation) {
            return false;
        }
        // A part may be found in another place of every value.
        let n_places = known.iter().filter(|it| it.specialisation.differs_in_place(specialisation)).count();
        if known.len() >= MOST_OF_GENE || n_places >= MOST_PLACES {
            self.counts.unused += 1;
            return false;
        }
        known.push(Known { specialisation: Arc::clone(specialisation), n_taken: 0 });
        true
    }

    /// `individual` with a gene narrowed, to be tried: one of `genes`, those in play in its call `at`. With the second of several
    /// that had the same value all of them have the new one, for the service may want them equal; with the first it alone. What
    /// was wrong with the value on purpose is not: it would be sent in place of the new one.
    fn trial(
        &mut self,
        api: &Api,
        mut individual: Individual,
        (at, genes): (usize, &[GeneInPlay]),
        gene: &GeneInPlay,
        specialisation: &Arc<Specialisation>,
        random: &mut Random,
    ) -> Option<Trial> {
        let action = individual.actions.get_mut(at)?;
        let before = origin::name_at(action, gene.place, &gene.path);
        action.put_right(gene.place);
        let found = narrowed(action, gene)?;
        if found.specialise(specialisation, random) == Mutation::Unchanged {
            return None;
        }
        let value = found.to_json();
        self.took(gene.key, specialisation);
        if let Some(value) = value.filter(|_| is_second_of_equal(gene, genes)) {
            give_equal(action, gene, genes, &value);
        }
        if let Some(before) = before {
            origin::rename(api, &mut individual.actions, (at, gene.place, &gene.path), &before);
        }
        let spot = Spot { action_idx: at, place: gene.place, path: gene.path.clone(), key: gene.key };
        Some(Trial { individual, narrowed: Some(spot), is_exact: false })
    }

    fn took(&mut self, key: GeneKey, specialisation: &Arc<Specialisation>) {
        let Some(known) = self.of_genes.get_mut(&key) else { return };
        let is_first = known.iter().all(|it| it.n_taken == 0);
        self.counts.genes += usize::from(is_first);
        if let Some(known) = known.iter_mut().find(|it| it.specialisation == *specialisation) {
            known.n_taken = known.n_taken.saturating_add(1);
        }
    }

    /// One of the specialisations of a gene, mostly one that was drawn least; none where none is known.
    pub fn draw(&mut self, key: GeneKey, random: &mut Random) -> Option<Arc<Specialisation>> {
        let known = self.of_genes.get_mut(&key)?;
        let least = known.iter().map(|it| it.n_taken).min()?;
        let rarest: Vec<usize> = (0..known.len()).filter(|idx| known[*idx].n_taken == least).collect();
        let idx = if random.chance(0.5) { *random.pick(&rarest)? } else { random.below(known.len()) };
        let drawn = Arc::clone(&known[idx].specialisation);
        self.took(key, &drawn);
        Some(drawn)
    }

    /// Whether anything is known of a gene.
    pub fn has(&self, key: GeneKey) -> bool {
        self.of_genes.contains_key(&key)
    }

    /// Whether the service told what it wants of a gene, and not only how it decodes it.
    pub fn is_told(&self, key: GeneKey) -> bool {
        let only_decodes = |known: &Known| matches!(*known.specialisation, Specialisation::Within(Lens::Form(_), _));
        self.of_genes.get(&key).is_some_and(|known| !known.iter().all(only_decodes))
    }

    /// Whether any hint arrived: the service is one that tells.
    pub fn are_told(&self) -> bool {
        !self.counts.arrived.is_empty()
    }

    /// Narrows genes of `action` of which something is known, each with probability `p`.
    pub fn vary(&mut self, action: &mut Action, p: f64, random: &mut Random) {
        if !self.knows(action.operation_idx) {
            return;
        }
        for (key, place, path) in keyed_sites(action) {
            if !self.has(key) || !random.chance(p) {
                continue;
            }
            let Some(specialisation) = self.draw(key, random) else { continue };
            if let Some(gene) = gene_at(action, place).and_then(|tree| tree.at_mut(&path)) {
                gene.specialise(&specialisation, random);
            }
        }
    }

    /// Whether anything is known of any gene of an operation.
    fn knows(&self, operation_idx: OperationIdx) -> bool {
        let first = GeneKey { operation_idx, place: 0, key: 0 };
        self.of_genes.range(first..).next().is_some_and(|(key, _)| key.operation_idx == operation_idx)
    }

    /// What arrived.
    pub fn log(&self) -> &HintLog {
        &self.log
    }

    /// How often a gene was narrowed to that; none where it is not kept for it.
    pub fn taken(&self, key: GeneKey, specialisation: &Specialisation) -> Option<u32> {
        let known = self.of_genes.get(&key)?.iter().filter(|it| it.specialisation.comes_to(specialisation));
        known.map(|it| it.n_taken).reduce(u32::saturating_add)
    }

    /// How many hints there were, and what came of them.
    pub fn counts(&self) -> &HintCounts {
        &self.counts
    }
}

/// The hints of a call, those before others that leave most of a value: what takes the place of it leads to no more than itself.
fn leading_first(hints: &[(usize, Hint)]) -> impl Iterator<Item = &Hint> {
    let (leading, others): (Vec<_>, Vec<_>) = hints.iter().map(|(_, hint)| hint).partition(|it| it.usage.adds_to());
    leading.into_iter().chain(others)
}

/// Of which call the value of a hint is: of the one that it arrived with, the last of those that have these genes in play, or
/// else of the last one before it that may have left it in the service; none where no gene has it.
fn whose(hint: &Hint, evaluation: &Evaluation, in_play: &[Vec<GeneInPlay>]) -> Option<usize> {
    let last = in_play.len().checked_sub(1)?;
    let may_leave = |at: usize| evaluation.results.get(at).is_some_and(|result| !result.request.verb.is_safe());
    let has_it = |at: &usize| in_play[*at].iter().any(|gene| gene.seen_as(hint).is_some());
    (0..=last).rev().filter(|at| *at == last || may_leave(*at)).find(has_it)
}

/// A specialisation of what the last of these lenses shows, as one of the whole.
fn through(lenses: Vec<Lens>, specialisation: &Arc<Specialisation>) -> Arc<Specialisation> {
    let inner = Arc::clone(specialisation);
    lenses.into_iter().rfold(inner, |inner, lens| Arc::new(Specialisation::Within(lens, inner)))
}

fn narrowed<'a>(action: &'a mut Action, gene: &GeneInPlay) -> Option<&'a mut Gene> {
    gene_at(action, gene.place)?.at_mut(&gene.path)
}

/// Whether just one of those `genes` that have the same value stands before it.
fn is_second_of_equal(gene: &GeneInPlay, genes: &[GeneInPlay]) -> bool {
    genes.iter().take_while(|other| other.key != gene.key).filter(|other| other.has_same_value(gene)).count() == 1
}

/// Puts `value` in the place of all those `genes` of a call that had the same value as `gene`.
fn give_equal(action: &mut Action, gene: &GeneInPlay, genes: &[GeneInPlay], value: &Value) {
    for other in genes.iter().filter(|other| other.key != gene.key && other.has_same_value(gene)) {
        if let Some(found) = narrowed(action, other) {
            found.assign(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::json;

    use super::{MOST_OF_GENE, Specialisations};
    use crate::action::{Action, ActionResult, CallViolation, Outcome, PlacedViolation, Request, ValuePlace};
    use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::gene::{Edit, Gene, Specialisation, Violation};
    use crate::random::Random;
    use crate::search::impact::GeneKey;
    use crate::search::{
        Budget, Evaluation, ExecutedCall, Execution, Hint, Individual, LeftTexts, Problem, SearchSettings, Tracking,
    };

    fn key(operation: u32) -> GeneKey {
        GeneKey { operation_idx: OperationIdx(operation), place: 0, key: 7 }
    }

    fn constant(number: usize) -> Arc<Specialisation> {
        Arc::new(Specialisation::Constant(number.to_string()))
    }

    #[test]
    fn a_gene_has_each_specialisation_once_and_not_too_many() {
        let mut known = Specialisations::default();
        assert!(known.note(key(1), &constant(0)) && !known.note(key(1), &constant(0)));
        let added = (0..MOST_OF_GENE + 9).filter(|number| known.note(key(1), &constant(*number))).count();
        assert_eq!((added, known.counts().unused), (MOST_OF_GENE - 1, 9));
        assert!(known.knows(OperationIdx(1)) && !known.knows(OperationIdx(0)) && !known.knows(OperationIdx(2)));
    }

    #[test]
    fn what_was_taken_least_is_drawn_most() {
        let (mut known, mut random) = (Specialisations::default(), Random::new(3, 0));
        (0..4).for_each(|number| assert!(known.note(key(1), &constant(number))));
        assert_eq!(known.counts().genes, 0);
        for _ in 0..40 {
            assert!(known.draw(key(1), &mut random).is_some());
        }
        assert_eq!(known.counts().genes, 1);
        assert!(known.of_genes[&key(1)].iter().all(|it| it.n_taken >= 5), "{:?}", known.of_genes);
        assert!(known.draw(key(2), &mut random).is_none());
    }

    const VERBS: [Verb; 2] = [Verb::Get, Verb::Post];

    /// An operation with each verb, all of which have a text in their query.
    fn api() -> Api {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let text_of = |verb| Operation { parameters: vec![Parameter::query("q", schema)], ..Operation::bare(verb, "/o") };
        api.operations = VERBS.map(text_of).into();
        api
    }

    /// A call of the operation with that verb.
    fn call(verb: Verb, text: &str) -> Action {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, [0, 1].map(OperationIdx).into(), 0, &settings);
        let idx = VERBS.iter().position(|it| *it == verb).expect("one of the operations");
        let mut action = problem.template(OperationIdx(u32::try_from(idx).expect("a small number")));
        assert!(action.parameters[0].assign(&text.into()));
        action
    }

    fn texts(individual: &Individual) -> Vec<String> {
        let values = individual.actions.iter().flat_map(|action| &action.parameters).filter_map(Gene::to_json);
        values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    /// What is tried after these calls, of the last of which the service tells that it wants `emu` where this text is.
    fn tried(calls: &[(Verb, &str)], tracked: &str) -> Vec<Vec<String>> {
        tried_for(calls, vec![Hint::told(tracked.to_owned(), "equals", "emu".to_owned()).expect("a known usage")])
    }

    /// What is tried after these calls, of the last of which the service tells this.
    fn tried_for(calls: &[(Verb, &str)], hints: Vec<Hint>) -> Vec<Vec<String>> {
        let actions = calls.iter().map(|(verb, text)| call(*verb, text)).collect();
        tried_in(actions, hints).iter().map(texts).collect()
    }

    /// The same of actions.
    fn tried_in(actions: Vec<Action>, hints: Vec<Hint>) -> Vec<Individual> {
        let mut known = learned(actions, hints);
        (0..9).filter_map(|_| known.trials.next()).map(|it| it.individual).collect()
    }

    /// What is known after these hints of the last of these actions.
    fn learned(actions: Vec<Action>, hints: Vec<Hint>) -> Specialisations {
        let executed = |action: &Action| {
            let (url, verb) = ("/o".to_owned(), VERBS[action.operation_idx.0 as usize]);
            let (operation_idx, headers) = (action.operation_idx, Vec::new());
            let request = Request { operation_idx, verb, url, headers, body: None, user: None };
            let result = ActionResult { request, outcome: Outcome::TimedOut, elapsed: Duration::ZERO };
            ExecutedCall { result, links: Vec::new(), sut_death: None, feedback: None }
        };
        let calls: Vec<ExecutedCall> = actions.iter().map(executed).collect();
        let hints = hints.into_iter().map(|hint| (calls.len() - 1, hint)).collect();
        let execution = Execution { individual: Individual { actions }, calls, elapsed: Duration::ZERO };
        let mut known = Specialisations::default();
        known.learn(&api(), &Evaluation { hints, ..Evaluation::new(execution, Vec::new()) }, &mut Random::new(1, 0));
        known
    }

    #[test]
    fn names_of_inputs_are_counted_and_not_told_as_values_that_were_not_used() {
        let hint = |tracked: &str| Hint::told(tracked.to_owned(), "equals", "emu".to_owned()).expect("a known usage");
        let hints = ["restive-key:/a", "restive-query", "text"].map(hint).to_vec();
        let known = learned(vec![call(Verb::Get, "text")], hints);
        assert_eq!((known.counts.arrived.values().sum::<u64>(), known.log.hints().count()), (3, 1));
    }

    #[test]
    fn what_a_later_call_tells_of_a_text_that_was_left_is_tried_with_both() {
        let [get, post] = VERBS;
        assert_eq!(tried(&[(post, "left"), (get, "looked")], "left"), [["emu", "looked"]]);
        assert_eq!(tried(&[(post, "left"), (get, "looked")], "looked"), [["left", "emu"]]);
        assert_eq!(tried(&[(post, "same"), (get, "same")], "same"), [["same", "emu"]], "its own comes first");
        assert_eq!(tried(&[(post, "left"), (post, "left"), (get, "looked")], "left"), [["left", "emu", "looked"]]);
        assert!(tried(&[(get, "left"), (get, "looked")], "left").is_empty(), "it leaves nothing");
        assert_eq!(tried(&[(get, "before"), (post, "left"), (get, "between"), (get, "looked")], "left"), [["emu", "looked"]]);
    }

    #[test]
    fn what_is_wrong_on_purpose_about_a_value_is_not_sent_in_place_of_what_is_tried() {
        let wrong = |place| {
            let violation =
                Violation { pointer: String::new(), edit: Edit::Replace(json!("too long")), description: String::new() };
            let violation = Some(CallViolation::Value(PlacedViolation { place, violation }));
            let hint = Hint::told("text".to_owned(), "equals", "emu".to_owned()).expect("a known usage");
            let tried = tried_in(vec![Action { violation, ..call(Verb::Get, "text") }], vec![hint]);
            tried[0].actions[0].violation.is_some()
        };
        assert_eq!([ValuePlace::Parameter(0), ValuePlace::Body].map(wrong), [false, true]);
    }

    #[test]
    fn what_leaves_most_of_a_value_is_tried_first() {
        let told = [("equals", "emu"), ("equals", "gnu"), ("contains", "=")]
            .map(|(usage, operand)| Hint::told("texts".to_owned(), usage, operand.to_owned()).expect("a known usage"));
        assert_eq!(tried_for(&[(Verb::Get, "texts")], told.to_vec()), [["tex=ts"], ["emu"], ["gnu"]]);
    }

    #[test]
    fn what_all_values_of_a_gene_are_is_not_tried() {
        let tried = |pattern: &str| {
            let hint = Hint::told("texts".to_owned(), "matches", pattern.to_owned()).expect("a known usage");
            tried_for(&[(Verb::Get, "texts")], vec![hint]).len()
        };
        assert_eq!(["(?s).*", "[a-z]{3}[0-9]"].map(tried), [0, 1]);
    }

    #[test]
    fn what_is_wanted_and_what_is_taken_apart_are_tried_in_turns() {
        let told = ["url_decoded", "base64", "split", "equals", "starts_with"].map(|usage| {
            let operand = match usage {
                "split" => ",",
                "equals" | "starts_with" => "emu",
                _ => "",
            };
            Hint::told("texts".to_owned(), usage, operand.to_owned()).expect("a known usage")
        });
        let tried = tried_for(&[(Verb::Get, "texts")], told.to_vec());
        let wanted: Vec<bool> = tried.iter().map(|texts| texts[0].starts_with("emu")).collect();
        assert_eq!(wanted, [true, false, true, false, false], "{tried:?}");
    }

    #[test]
    fn texts_that_were_left_are_tracked_behind_those_of_the_call() {
        let mut left = LeftTexts::default();
        for text in ["first", "second", "first"] {
            left.note(&call(Verb::Post, text), Tracking::Undisturbed);
        }
        let with = |left: &LeftTexts, own: &str| {
            let mut values = vec![own.to_owned()];
            left.add_to(&mut values);
            values
        };
        assert_eq!(with(&left, "own"), ["own", "second", "first"]);
        assert_eq!(with(&left, "first"), ["first", "second"]);
        (0..100).for_each(|number| left.note(&call(Verb::Post, &format!("text{number}")), Tracking::Undisturbed));
        assert_eq!((with(&left, "own").len(), with(&left, "own")[1].as_str()), (65, "text99"));
        let mut plain = LeftTexts::default();
        plain.note(&call(Verb::Post, "plain"), Tracking::Marked);
        assert_eq!(plain, LeftTexts::default(), "marked values alone are followed");
    }
}
