//! Makes the [`Record`] of a run that ended: looks names up, keeps it small, masks secrets.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::Action;
use crate::api::{Api, Skipped};
use crate::driver::Elsewhere;
use crate::gene::GeneLimits;
use crate::random::Random;
use crate::report::{Mask, RunStatistics, shortened};
use crate::search::{
    GeneKey, HeldBack, Logged, LoggedHint, Origin, SearchState, Solution, SolvedTest, Standing, TargetId, TargetKind, Tries,
    Usage,
};

use super::chosen::{Chosen, chosen};
use super::names::{Named, SentGene, names, operations, printed, sent_genes, value_in};
use super::record::{
    CallRecord, EffectRecord, ElsewhereRecord, FORMAT_VERSION, HintRecord, InputRecord, Kind, LeftOut, OperationRecord,
    OriginRecord, Record, SpecialisedRecord, TargetRecord, TestRecord,
};

/// Inputs of a target, at most.
const MOST_INPUTS: usize = 6;
/// Characters of a value or operand.
const MOST_CHARACTERS: usize = 80;
/// Classes that are not measured, at most.
const MOST_UNMEASURED: usize = 200;

/// A run that ended.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// Operations that the user's filters left out.
    pub left_out: &'a [Skipped],
    /// The search's last state.
    pub state: &'a SearchState,
    /// Limits of the genes that it changed.
    pub gene_limits: &'a GeneLimits,
    /// The kept tests.
    pub solution: &'a Solution,
    /// Their names, in the same order.
    pub test_names: &'a [String],
    /// Its counters.
    pub statistics: &'a RunStatistics,
    /// Places in the code that were reached, and by no call of a test first.
    pub elsewhere: &'a BTreeMap<String, Elsewhere>,
    /// Whether that guided the search.
    pub is_guided: bool,
    /// Texts that no output may show.
    pub secrets: &'a [String],
}

/// What is kept of a run.
pub fn record(source: &Source) -> Record {
    let builder = Builder::new(source);
    let (targets, left_out) = builder.targets();
    let unmeasured = source.statistics.coverage.iter().flat_map(|coverage| &coverage.skipped).take(MOST_UNMEASURED);
    Record {
        format_version: FORMAT_VERSION,
        restive_version: env!("CARGO_PKG_VERSION").to_owned(),
        calls: source.state.calls,
        is_guided: source.is_guided,
        left_out,
        operations: builder.operations(),
        targets,
        tests: builder.tests(),
        inputs: builder.inputs(),
        unmeasured: unmeasured.map(|(name, reason)| (name.clone(), reason.clone())).collect(),
    }
}

struct Builder<'a> {
    source: &'a Source<'a>,
    mask: Mask,
    names: BTreeMap<GeneKey, Named>,
    /// Positions in the list of inputs.
    inputs: BTreeMap<GeneKey, usize>,
    /// Hints of each gene, in the order of the file.
    hints: BTreeMap<GeneKey, Vec<(&'a LoggedHint, &'a Logged)>>,
    /// Targets that are kept, and those of them that come with their inputs.
    kept: BTreeSet<TargetId>,
    detailed: BTreeSet<TargetId>,
    left_out: LeftOut,
}

impl<'a> Builder<'a> {
    fn new(source: &'a Source<'a>) -> Self {
        let mut hints: BTreeMap<GeneKey, Vec<_>> = BTreeMap::new();
        for (hint, logged) in source.state.specialisations.log().hints() {
            if let Some(gene) = hint.gene {
                hints.entry(gene).or_default().push((hint, logged));
            }
        }
        let Chosen { kept, detailed, left_out } = chosen(source.state);
        let effects = detailed.iter().flat_map(|target| effects(source, *target)).map(|(gene, _)| gene);
        let wanted: BTreeSet<GeneKey> = effects.chain(hints.keys().copied()).collect();
        let templates: Vec<Action> =
            operations(source.api).map(|idx| Action::template(source.api, idx, source.gene_limits)).collect();
        let names = names(source.api, source.state, source.solution, &templates, wanted.iter().copied());
        let inputs = wanted.into_iter().enumerate().map(|(idx, gene)| (gene, idx)).collect();
        Self { source, mask: Mask::new(source.secrets), names, inputs, hints, kept, detailed, left_out }
    }

    fn operations(&self) -> Vec<OperationRecord> {
        let Source { api, state, statistics, .. } = self.source;
        let called = operations(api).map(|idx| {
            let given_up = statistics.given_up.get(&idx).map(|n| format!("not called any more: it ended the service ({n})"));
            let held_back = statistics.held_back.get(&idx).map(|why| match why {
                HeldBack::TimeOuts(n) => format!("called seldom: it gave no answer in time ({n})"),
                HeldBack::Input(input) => {
                    let with = input.describe(api.operation(idx));
                    format!("called seldom {with}: it gave no answer in time then ({})", input.time_outs)
                }
                HeldBack::Slow(cost) => format!("called less often than others: {:.0} ms in the mean", 1000.0 * cost.mean()),
            });
            let unclaimed = state.specialisations.log().hints();
            let unclaimed = unclaimed.filter(|(hint, _)| hint.operation_idx == idx && hint.gene.is_none());
            OperationRecord {
                id: api.operation(idx).id.clone(),
                statuses: statistics.statuses.get(&idx).cloned().unwrap_or_default(),
                skipped: None,
                restrained: given_up.or(held_back),
                hints: unclaimed.map(|(hint, logged)| self.hint(hint, logged)).collect(),
            }
        });
        let skipped = api.skipped.iter().chain(self.source.left_out).map(|skipped| OperationRecord {
            id: skipped.operation.clone(),
            skipped: Some(match skipped.pointer.as_str() {
                "" => skipped.reason.clone(),
                pointer => format!("{} (at {pointer})", skipped.reason),
            }),
            ..OperationRecord::default()
        });
        called.chain(skipped).collect()
    }

    fn inputs(&self) -> Vec<InputRecord> {
        let input = |gene: &GeneKey| InputRecord {
            operation: gene.operation_idx.0 as usize,
            place: self.names[gene].place.clone(),
            tried: self.source.state.impact.tries_of(*gene),
            hints: self.hints.get(gene).into_iter().flatten().map(|(hint, logged)| self.hint(hint, logged)).collect(),
        };
        self.inputs.keys().map(input).collect()
    }

    fn hint(&self, hint: &LoggedHint, logged: &Logged) -> HintRecord {
        let specialisation = logged.specialisation.as_ref();
        let taken = hint.gene.zip(specialisation).and_then(|(gene, it)| self.source.state.specialisations.taken(gene, it));
        let gene = hint.gene.and_then(|gene| self.names[&gene].gene.as_ref());
        // Chance has a say in what is drawn: a stream of its own, so that the same run gives the same file.
        let fits = gene.zip(specialisation).is_none_or(|(gene, it)| gene.can_be(it, &mut Random::new(0, 0)));
        let unused = match (specialisation, hint.gene, taken) {
            (None, ..) if matches!(hint.usage, Usage::Matches | Usage::Find) => Some("the pattern cannot be translated"),
            (None, ..) => Some("how to make such a value is not known"),
            (_, None, _) => Some("no input of the call had that value as it is"),
            // Of a part or another form of the value that may hold which does not hold of the value.
            (_, _, Some(1..)) => None,
            _ if !fits => Some("no such value keeps the constraints of the schema"),
            (Some(it), _, None) if gene.is_some_and(|gene| gene.is_always(it, &mut Random::new(0, 0))) => {
                Some("all values by its schema are so")
            }
            (_, _, None) => Some("there were too many hints for it"),
            _ => None,
        };
        HintRecord {
            usage: hint.usage.name().to_owned(),
            operand: self.shown(&hint.operand),
            arrived: logged.arrived,
            taken: if unused.is_some() { 0 } else { taken.unwrap_or(0) },
            unused: unused.map(str::to_owned),
        }
    }

    fn targets(&self) -> (Vec<TargetRecord>, LeftOut) {
        let mut tests: BTreeMap<TargetId, Vec<usize>> = BTreeMap::new();
        for (idx, test) in self.source.solution.tests.iter().enumerate() {
            for target in &test.targets {
                tests.entry(*target).or_default().push(idx);
            }
        }
        let target =
            |target: &TargetId| TargetRecord { tests: tests.get(target).cloned().unwrap_or_default(), ..self.target(*target) };
        (self.kept.iter().map(target).collect(), self.left_out)
    }

    fn target(&self, target: TargetId) -> TargetRecord {
        let state = self.source.state;
        let standing = state.archive.standing(target);
        let Tries { structure, values, gains } = state.impact.tries_for(target);
        let effects = if self.detailed.contains(&target) { effects(self.source, target) } else { Vec::new() };
        let effect = |(gene, moved): (GeneKey, u32)| EffectRecord {
            input: self.inputs[&gene],
            moved,
            value: standing.and_then(|it| self.value(it, target, gene)),
        };
        TargetRecord {
            name: self.mask.apply(state.targets.name(target)).into_owned(),
            kind: kind(state.targets.kind(target)),
            closeness: standing.map_or(0.0, |it| it.closeness),
            elsewhere: if standing.is_some_and(|it| it.closeness >= 1.0) { None } else { elsewhere(self.source, target) },
            since: standing.map_or(0, |it| it.since.calls),
            origin: standing.map(|it| origin(it.since.origin)),
            call: standing.and_then(|it| closest_call(it, target)),
            tries: structure + values,
            gains,
            inputs: effects.into_iter().map(effect).collect(),
            tests: Vec::new(),
        }
    }

    /// The value of a gene in the individual that came closest: of the call that did, or of the last one before it.
    fn value(&self, standing: Standing<'_>, target: TargetId, gene: GeneKey) -> Option<String> {
        let last = standing.kept.closest_call(target)?;
        let actions = standing.kept.individual.actions.iter().take(last + 1).rev();
        actions
            .filter(|action| action.operation_idx == gene.operation_idx)
            .find_map(|action| value_in(action, gene))
            .map(|it| self.shown(&it))
    }

    fn tests(&self) -> Vec<TestRecord> {
        let tests = self.source.solution.tests.iter().enumerate();
        let test = |(idx, test): (usize, &SolvedTest)| TestRecord {
            name: self.source.test_names.get(idx).cloned().unwrap_or_else(|| format!("test_{idx}")),
            calls: test.individual.actions.iter().map(|action| action.operation_idx.0 as usize).collect(),
            specialised: self.specialised(test),
        };
        tests.map(test).collect()
    }

    /// Inputs of a test that have a value of the kind that the service was seen to want.
    fn specialised(&self, test: &SolvedTest) -> Vec<SpecialisedRecord> {
        let mut found = Vec::new();
        for (call, action) in test.individual.actions.iter().enumerate() {
            for SentGene { key, gene, value, .. } in sent_genes(self.source.api, action) {
                let (Some(hints), Some(value)) = (self.hints.get(&key), value) else { continue };
                // Something wrong on purpose may stand in its place.
                if gene.to_json().is_none_or(|json| printed(&json) != value) {
                    continue;
                }
                let by = |(hint, logged): &(&LoggedHint, &Logged)| match gene.specialised() {
                    Some(specialised) => logged.specialisation.as_deref().is_some_and(|it| specialised.comes_to(it)),
                    None => hint.usage == Usage::Equals && hint.operand == value,
                };
                if let Some(hint) = hints.iter().position(by) {
                    found.push(SpecialisedRecord { call, input: self.inputs[&key], hint, value: self.shown(&value) });
                }
            }
        }
        found
    }

    /// Masked before it is cut, so that no half of a secret stays.
    fn shown(&self, text: &str) -> String {
        shortened(&self.mask.apply(text), MOST_CHARACTERS).into_owned()
    }
}

/// How `target` was reached when no call of a test reached it.
fn elsewhere(source: &Source, target: TargetId) -> Option<ElsewhereRecord> {
    source.elsewhere.get(source.state.targets.name(target)).map(|how| match how {
        Elsewhere::Start => ElsewhereRecord::Start,
        Elsewhere::Background => ElsewhereRecord::Background,
    })
}

/// Genes that moved the closeness to `target`, the strongest first; only of operations that the test which came closest
/// calls, for others were changed beside what moved it.
fn effects(source: &Source, target: TargetId) -> Vec<(GeneKey, u32)> {
    let Some(standing) = source.state.archive.standing(target) else { return Vec::new() };
    let mut effects = source.state.impact.effects_on(target);
    effects.retain(|(gene, _)| standing.kept.up_to_closest(target).calls(gene.operation_idx));
    effects.truncate(MOST_INPUTS);
    effects
}

fn closest_call(standing: Standing<'_>, target: TargetId) -> Option<CallRecord> {
    let index = standing.kept.closest_call(target)?;
    let actions = &standing.kept.individual.actions;
    let operation = actions.get(index)?.operation_idx.0 as usize;
    Some(CallRecord { operation, index, of: actions.len() })
}

fn kind(kind: TargetKind) -> Kind {
    match kind {
        TargetKind::Code => Kind::Code,
        TargetKind::Goal => Kind::Goal,
        TargetKind::Fault => Kind::Fault,
        TargetKind::Death => Kind::Death,
        TargetKind::Shape => Kind::Shape,
    }
}

fn origin(origin: Origin) -> OriginRecord {
    match origin {
        Origin::Sampled => OriginRecord::Sampled,
        Origin::Mutated => OriginRecord::Mutated,
        Origin::Hinted => OriginRecord::Hinted,
    }
}

#[cfg(test)]
mod tests;
