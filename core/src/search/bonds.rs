//! Genes whose values the service compares with each other, or looks for in each other: bound to one another, they change together (paper 004, section 5).
//!
//! Difference from the source: what a value is compared with may be the value of another gene by chance, as a constant that
//! both know. So two genes are bound when that was seen twice, with another value each time.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::action::Action;
use crate::random::Random;

use super::Individual;
use super::impact::GeneKey;
use super::mutator::{gene_at, genes_of, keyed_sites};

/// Pairs that are remembered, at most.
const MOST: usize = 1_000;

/// Two genes, the lesser one first.
type Pair = (GeneKey, GeneKey);

/// Which genes are bound.
#[derive(Debug, Clone, Default)]
pub struct Bonds {
    /// Pairs seen once, with the value that the one was compared with.
    candidates: BTreeMap<Pair, String>,
    bound: BTreeSet<Pair>,
    partners: BTreeMap<GeneKey, BTreeSet<GeneKey>>,
}

impl Bonds {
    /// The value of `one` was compared with `operand`, which is the value of `other`; says whether they are bound.
    pub fn note(&mut self, one: GeneKey, other: GeneKey, operand: &str) -> bool {
        let pair = (one.min(other), one.max(other));
        if self.bound.contains(&pair) {
            return true;
        }
        match self.candidates.get(&pair) {
            Some(before) if before == operand => false,
            Some(_) => {
                self.candidates.remove(&pair);
                self.bound.insert(pair);
                self.partners.entry(one).or_default().insert(other);
                self.partners.entry(other).or_default().insert(one);
                true
            }
            None => {
                if self.candidates.len() + self.bound.len() < MOST {
                    self.candidates.insert(pair, operand.to_owned());
                }
                false
            }
        }
    }

    /// How many pairs are bound.
    pub fn count(&self) -> usize {
        self.bound.len()
    }

    /// Gives the genes that are bound to one of `changed` its value, wherever they are in `individual`, as far as their
    /// constraints allow.
    pub fn follow(&self, individual: &mut Individual, changed: &[GeneKey]) {
        if self.bound.is_empty() {
            return;
        }
        for key in changed {
            let Some(partners) = self.partners.get(key) else { continue };
            let values: Vec<Option<Value>> = individual.actions.iter().map(|action| value_of(action, *key)).collect();
            for (idx, action) in individual.actions.iter_mut().enumerate() {
                // That of the same call, of the last one before it, or of the first one behind it.
                let (before, behind) = (values[..=idx].iter().rev(), values[idx + 1..].iter());
                let Some(value) = before.chain(behind).flatten().next() else { continue };
                for (_, place, path) in keyed_sites(action).into_iter().filter(|site| partners.contains(&site.0)) {
                    if let Some(gene) = gene_at(action, place).and_then(|tree| tree.at_mut(&path)) {
                        gene.assign(value);
                    }
                }
            }
        }
    }

    /// Gives bound genes of an individual that was drawn the same value, each pair with probability `p`; nothing is drawn
    /// where no genes are bound.
    pub fn join(&self, individual: &mut Individual, p: f64, random: &mut Random) {
        let keys: BTreeSet<GeneKey> = if self.bound.is_empty() {
            return;
        } else {
            individual.actions.iter().flat_map(keyed_sites).map(|site| site.0).collect()
        };
        for (one, other) in &self.bound {
            if keys.contains(one) && keys.contains(other) && random.chance(p) {
                self.follow(individual, &[*one]);
            }
        }
    }
}

/// The value of a gene in a call; none where it is not sent.
fn value_of(action: &Action, key: GeneKey) -> Option<Value> {
    let (_, at, path) = keyed_sites(action).into_iter().find(|site| site.0 == key)?;
    genes_of(action).find(|(place, _)| *place == at)?.1.at(&path)?.to_json()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Bonds, MOST};
    use crate::action::Action;
    use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::search::Kept;
    use crate::search::impact::GeneKey;
    use crate::search::mutator::mutate;
    use crate::search::sampler::sample;
    use crate::search::{Budget, Evaluation, Execution, Hint, Individual, Problem, SearchSettings, SearchState, TargetKind};

    fn key(number: u64) -> GeneKey {
        GeneKey { operation_idx: OperationIdx(0), place: 0, key: number }
    }

    #[test]
    fn genes_are_bound_when_two_values_were_met() {
        let mut bonds = Bonds::default();
        assert!(!bonds.note(key(1), key(2), "abc"));
        assert!(!bonds.note(key(2), key(1), "abc"), "a constant that both have is no bond");
        assert!(bonds.note(key(2), key(1), "def"));
        assert!(bonds.note(key(1), key(2), "ghi"), "for ever");
        assert_eq!(bonds.count(), 1);
    }

    /// `GET /o` with two texts in its query.
    fn api() -> Api {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let parameters = ["one", "other"].map(|name| Parameter::query(name, schema)).into();
        api.operations.push(Operation { parameters, ..Operation::bare(Verb::Get, "/o") });
        api
    }

    /// An evaluated call with these values, of which the service compared the first with the second.
    fn compared(action: &Action, texts: [&str; 2]) -> Evaluation {
        asked("equals", action, texts)
    }

    /// The same of another usage.
    fn asked(usage: &str, action: &Action, [one, other]: [&str; 2]) -> Evaluation {
        let mut action = action.clone();
        for (gene, text) in action.parameters.iter_mut().zip([one, other]) {
            assert!(gene.assign(&text.into()));
        }
        let individual = Individual { actions: vec![action] };
        let execution = Execution { individual, calls: Vec::new(), elapsed: Duration::ZERO };
        let hint = Hint::told(one.to_owned(), usage, other.to_owned()).expect("a known usage");
        Evaluation { hints: vec![(0, hint)], ..Evaluation::new(execution, Vec::new()) }
    }

    fn values(individual: &Individual) -> Vec<Option<serde_json::Value>> {
        individual.actions[0].parameters.iter().map(crate::gene::Gene::to_json).collect()
    }

    #[test]
    fn bound_genes_change_together_from_then_on() {
        let api = api();
        let settings = SearchSettings { p_invalid: 0.0, p_structure: 0.0, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let target = state.targets.intern(TargetKind::Goal, "the operation");
        let action = problem.template(OperationIdx(0));
        let changed = |state: &mut SearchState| {
            let kept = Kept::new(compared(&action, ["same", "same"]));
            let mutants = (0..200).map(|_| mutate(&problem, state, &kept, target).individual);
            mutants.filter(|mutant| values(mutant) != values(&kept.individual)).collect::<Vec<_>>()
        };
        let are_same = |individual: &Individual| values(individual)[0] == values(individual)[1];
        let share = |mutants: &[Individual]| {
            let n_same = mutants.iter().filter(|mutant| are_same(mutant)).count();
            n_same as f64 / mutants.len() as f64
        };
        let before = changed(&mut state);
        assert!(before.len() > 50 && share(&before) < 0.2, "by chance: {}", share(&before));
        for pair in [["abcd", "efgh"], ["ijkl", "mnop"]] {
            state.specialisations.learn(&api, &compared(&action, pair), &mut state.random);
        }
        assert_eq!(state.specialisations.bonds().count(), 1);
        let mutants = changed(&mut state);
        assert!(mutants.len() > 50 && share(&mutants) > 0.6, "{}", share(&mutants));
        let drawn = (0..100).filter(|_| are_same(&sample(&problem, &mut state)));
        assert!(drawn.count() > 20);
    }

    #[test]
    fn what_equal_values_fulfil_binds() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let action = problem.template(OperationIdx(0));
        let n_bound = |usage: &str| {
            let mut state = SearchState::new(&problem);
            for pair in [["abcd", "efgh"], ["ijkl", "mnop"]] {
                state.specialisations.learn(&api, &asked(usage, &action, pair), &mut state.random);
            }
            state.specialisations.bonds().count()
        };
        assert_eq!(["equals", "starts_with", "ends_with", "contains", "matches"].map(n_bound), [1, 1, 1, 1, 0]);
    }

    #[test]
    fn what_is_told_of_two_equal_values_is_tried_with_both() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let action = problem.template(OperationIdx(0));
        let mut tried = |texts: [&str; 2], constant: &str| {
            let hint = Hint::told(texts[0].to_owned(), "equals", constant.to_owned()).expect("a known usage");
            let evaluation = Evaluation { hints: vec![(0, hint)], ..compared(&action, texts) };
            state.specialisations.learn(&api, &evaluation, &mut state.random);
            let next = (0..20).filter_map(|_| state.specialisations.trials.next());
            next.map(|it| values(&it.individual).into_iter().flatten().collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        let pair = |texts: [&str; 2]| texts.map(serde_json::Value::from).to_vec();
        assert_eq!(tried(["same", "same"], "emu"), [pair(["emu", "same"]), pair(["emu", "emu"])], "first alone");
        assert_eq!(tried(["abcd", "efgh"], "lynx"), [pair(["lynx", "efgh"])]);
    }

    #[test]
    fn pairs_are_bounded() {
        let mut bonds = Bonds::default();
        for number in 0..MOST as u64 + 10 {
            bonds.note(key(number), key(number + 1_000_000), "abc");
        }
        assert_eq!(bonds.candidates.len(), MOST);
    }
}
