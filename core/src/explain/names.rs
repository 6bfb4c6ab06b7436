//! Names for the genes of a run: their keys are hashes, so the calls that are left are walked through at its end.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;

use crate::action::{Action, CallViolation, ValuePlace};
use crate::api::{Api, OperationIdx};
use crate::gene::Gene;
use crate::search::Kept;
use crate::search::{GeneKey, SearchState, Solution, gene_key_of, genes_of};

/// A gene that was asked for.
#[derive(Debug, Clone)]
pub(super) struct Named {
    /// `query limit`, `body /items/*/name`.
    pub(super) place: String,
    /// One of its kind; none where no call that is left has it.
    pub(super) gene: Option<Gene>,
}

/// The names of `wanted` genes.
pub(super) fn names(
    api: &Api,
    state: &SearchState,
    solution: &Solution,
    templates: &[Action],
    wanted: impl Iterator<Item = GeneKey>,
) -> BTreeMap<GeneKey, Named> {
    let unnamed = |key: GeneKey| (key, Named { place: format!("{} (a part of it)", place_of(api, key)), gene: None });
    let mut names: BTreeMap<GeneKey, Named> = wanted.map(unnamed).collect();
    let mut left = names.len();
    let tests = solution.tests.iter().flat_map(|test| &test.individual.actions);
    let kept = nearest(state).flat_map(|kept| &kept.individual.actions);
    let worked = state.worked.values().flatten();
    for action in templates.iter().chain(tests).chain(worked).chain(kept) {
        if left == 0 {
            break;
        }
        left -= name_genes_of(api, action, &mut names);
    }
    names
}

/// The individuals that came closest to some target, each once.
fn nearest(state: &SearchState) -> impl Iterator<Item = &Kept> {
    // Only asked whether it holds one; its order never matters.
    let mut seen: HashSet<*const Kept> = HashSet::new();
    let standings = state.targets.ids().filter_map(|target| state.archive.standing(target));
    standings.map(|standing| standing.kept).filter(move |kept| seen.insert(std::ptr::from_ref(*kept)))
}

/// Names those genes of `action` that have no name yet; says how many.
fn name_genes_of(api: &Api, action: &Action, names: &mut BTreeMap<GeneKey, Named>) -> usize {
    let first = GeneKey { operation_idx: action.operation_idx, place: 0, key: 0 };
    let is_wanted = |(key, named): (&GeneKey, &Named)| key.operation_idx == action.operation_idx && named.gene.is_none();
    if !names.range(first..).take_while(|(key, _)| key.operation_idx == action.operation_idx).any(is_wanted) {
        return 0;
    }
    let mut n_named = 0;
    for SentGene { key, place, gene, .. } in sent_genes(api, action) {
        if let Some(named) = names.get_mut(&key).filter(|named| named.gene.is_none()) {
            *named = Named { place, gene: Some(gene.clone()) };
            n_named += 1;
        }
    }
    n_named
}

/// A gene of a call with what is sent for it.
pub(super) struct SentGene<'a> {
    pub(super) key: GeneKey,
    /// Its name.
    pub(super) place: String,
    pub(super) gene: &'a Gene,
    /// The value as it is printed; none where none is sent.
    pub(super) value: Option<String>,
}

/// The genes of `action` with what is sent for them.
pub(super) fn sent_genes<'a>(api: &'a Api, action: &'a Action) -> impl Iterator<Item = SentGene<'a>> {
    genes_of(action).flat_map(move |(place, tree)| {
        let sent = sent(action, place, tree);
        tree.named().into_iter().map(move |named| {
            let key = gene_key_of(action, place, named.key);
            let name = [place_in(api, action, place), named.name].join(" ");
            let value = sent.as_ref().and_then(|json| json.pointer(&named.pointer)).map(printed);
            SentGene { key, place: name.trim_end().to_owned(), gene: named.gene, value }
        })
    })
}

/// What is sent at `place`, with what is wrong on purpose there.
fn sent(action: &Action, place: ValuePlace, tree: &Gene) -> Option<Value> {
    let value = tree.to_json()?;
    match &action.violation {
        Some(CallViolation::Value(placed)) if placed.place == place => placed.violation.apply(value),
        _ => Some(value),
    }
}

/// Where a gene of `action` is sent: `query limit`, `body`.
fn place_in(api: &Api, action: &Action, place: ValuePlace) -> String {
    let operation = api.operation(action.operation_idx);
    let ValuePlace::Parameter(idx) = place else {
        let body = action.body.as_ref();
        let active = body.filter(|body| body.alternatives.len() > 1).and_then(|body| action.media_at(api, body.active));
        return active.map_or_else(|| "body".to_owned(), |(_, body)| format!("body ({})", body.media_type));
    };
    let parameter = action.inputs(operation).nth(idx);
    parameter.map(|parameter| format!("{} {}", parameter.location.name(), parameter.name)).unwrap_or_default()
}

/// The same of a gene of which no call is left.
fn place_of(api: &Api, key: GeneKey) -> String {
    let operation = api.operation(key.operation_idx);
    let idx = usize::from(key.place);
    if let Some(parameter) = operation.parameters.get(idx) {
        return format!("{} {}", parameter.location.name(), parameter.name);
    }
    match operation.bodies.get(idx - operation.parameters.len()) {
        Some(body) if operation.bodies.len() > 1 => format!("body ({})", body.media_type),
        Some(_) => "body".to_owned(),
        None => "input beyond the schema".to_owned(),
    }
}

/// The calls of all operations with their smallest values.
pub(super) fn operations(api: &Api) -> impl Iterator<Item = OperationIdx> {
    (0..api.operations.len()).filter_map(|idx| u32::try_from(idx).ok()).map(OperationIdx)
}

/// The value that `action` sends for the gene `key`, as it is printed; none where it has no such gene or sends none.
pub(super) fn value_in(action: &Action, key: GeneKey) -> Option<String> {
    let is_place = |(place, _): &(ValuePlace, &Gene)| gene_key_of(action, *place, 0).place == key.place;
    let (place, tree) = genes_of(action).find(is_place)?;
    let pointer = tree.named().into_iter().find(|named| named.key == key.key)?.pointer;
    sent(action, place, tree)?.pointer(&pointer).map(printed)
}

/// A value as it is printed: a text without quotes.
pub(super) fn printed(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
