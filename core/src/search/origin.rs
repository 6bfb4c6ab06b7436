//! Where a call gets the name of a resource from that an earlier call of its test makes, and what else changes with that name.

use serde_json::Value;

use crate::action::{Action, Link, LinkPlace, LinkSource, ValuePlace};
use crate::api::{Api, Location, Operation, Parameter};
use crate::gene::{Gene, GenePath, GeneSite};

use super::SearchState;
use super::mutator::{gene_at, genes_of};
use super::resource::rank_of_name;

/// How often an answer is asked for a name that no answer of its operation was seen to have, where the caller sent one.
const UNTOLD_ASKED: f64 = 0.1;

/// Where a resource that an action makes gets its name from.
#[derive(Debug, Clone)]
pub(super) struct Origin {
    /// The action that makes it.
    pub from_action: usize,
    /// What of its answer is the name; none where the caller chooses that.
    pub answered: Option<LinkSource>,
    /// What the caller sent as its name: for what makes it under that name and answers nothing that tells it.
    pub sent: Option<Box<Gene>>,
}

impl Origin {
    /// Where the name of what the POST at a position among `actions` makes comes from, for a parameter called `name`.
    pub fn of_post((actions, from_action): (&[Action], usize), name: &str, state: &mut SearchState) -> Self {
        let post = actions[from_action].operation_idx;
        let sent = sent_as(&actions[from_action], name).map(Box::new);
        let SearchState { resources, random, .. } = state;
        let is_told = sent.is_none() || resources.tells_identity(post, name) || random.chance(UNTOLD_ASKED);
        let answered = is_told.then(|| resources.identity(post, name, random));
        Self { from_action, answered, sent }
    }

    /// Has `action` refer to the resource by a field of its body.
    pub fn name_in_body(&self, action: &mut Action, field: GeneSite) {
        let gene = gene_at(action, ValuePlace::Body).and_then(|body| body.at_mut(&field.path));
        if let (Some(gene), Some(sent)) = (gene, &self.sent) {
            gene.copy_value_from(sent);
        }
        if let Some(source) = self.answered.clone() {
            action.links.push(Link { place: LinkPlace::Body(field.pointer), from_action: self.from_action, source });
        }
    }

    /// Has `action`, which comes behind `actions`, name the resource by its parameter at `place`, and those that it lies in.
    pub fn name(&self, api: &Api, actions: &[Action], action: &mut Action, place: usize) {
        if let Some(gene) = &self.sent {
            action.parameters[place].copy_value_from(gene);
        }
        if let Some(source) = self.answered.clone() {
            action.links.push(Link { place: LinkPlace::Parameter(place), from_action: self.from_action, source });
        }
        if let Some(maker) = actions.get(self.from_action) {
            stay_beside(api, action, place, maker);
        }
    }
}

/// Takes over what the path of `maker` has before the parameter at `place`, by its link and as the value that is sent where
/// that finds nothing: what it made is there alone, whether anything made what it lies in or not.
fn stay_beside(api: &Api, action: &mut Action, place: usize, maker: &Action) {
    let [operation, made_by] = [action.operation_idx, maker.operation_idx].map(|idx| api.operation(idx));
    let Some(whole) = prefix_to(operation, place) else { return };
    for (above, parameter) in operation.parameters.iter().enumerate() {
        let Some(prefix) = prefix_to(operation, above).filter(|prefix| prefix.len() < whole.len()) else { continue };
        let is_same = |other: &Parameter| other.location == Location::Path && other.name == parameter.name;
        let Some(other) = made_by.parameters.iter().position(is_same) else { continue };
        if !made_by.url_path.starts_with(prefix) {
            continue;
        }
        action.parameters[above].copy_value_from(&maker.parameters[other]);
        action.links.retain(|link| link.place != LinkPlace::Parameter(above));
        let link = maker.links.iter().find(|link| link.place == LinkPlace::Parameter(other));
        action.links.extend(link.map(|link| Link { place: LinkPlace::Parameter(above), ..link.clone() }));
    }
}

/// Has calls that name by `before` what the call at `changed` names, or makes, call it what that call says now: its gene at the
/// place and path given had that value.
pub(super) fn rename(api: &Api, actions: &mut [Action], changed: (usize, ValuePlace, &GenePath), before: &Value) {
    let (changed_idx, changed_place, path) = changed;
    let Some(changed) = actions.get(changed_idx) else { return };
    let operation = api.operation(changed.operation_idx);
    let named = match changed_place {
        ValuePlace::Parameter(place) => prefix_to(operation, place).map(|prefix| (prefix, &operation.parameters[place].name)),
        ValuePlace::Body => None,
    };
    let Some(after) = value_at(changed, changed_place, path).filter(|after| after != before) else { return };
    for (_, action) in actions.iter_mut().enumerate().filter(|(idx, _)| *idx != changed_idx) {
        rename_in_path(api.operation(action.operation_idx), action, named.map(|(prefix, _)| prefix), (before, &after));
        if let Some((_, name)) = named {
            rename_in_body(action, name, (before, &after));
        }
    }
}

/// The name that a gene of a call may be, to be told to [`rename`] after it was changed: a text or a number.
pub(super) fn name_at(action: &Action, place: ValuePlace, path: &GenePath) -> Option<Value> {
    value_at(action, place, path).filter(|value| value.is_number() || value.as_str().is_some_and(|text| !text.is_empty()))
}

fn value_at(action: &Action, place: ValuePlace, path: &GenePath) -> Option<Value> {
    let (_, gene) = genes_of(action).find(|(other, _)| *other == place)?;
    gene.at(path)?.to_json()
}

/// Renames what the path of a call names, below `prefix` alone where there is one; what a link names stays.
fn rename_in_path(operation: &Operation, action: &mut Action, prefix: Option<&str>, (before, after): (&Value, &Value)) {
    for place in 0..operation.parameters.len() {
        let is_below = prefix_to(operation, place).is_some_and(|other| prefix.is_none_or(|prefix| other == prefix));
        let is_linked = action.links.iter().any(|link| link.place == LinkPlace::Parameter(place));
        if is_below && !is_linked && action.parameters[place].to_json().as_ref() == Some(before) {
            action.parameters[place].assign(after);
        }
    }
}

/// Renames what a call makes by its body, where that was its name.
fn rename_in_body(action: &mut Action, name: &str, (before, after): (&Value, &Value)) {
    let Some(path) = name_site(action, name).map(|site| site.path) else { return };
    let gene = gene_at(action, ValuePlace::Body).and_then(|body| body.at_mut(&path));
    if let Some(gene) = gene.filter(|gene| gene.to_json().as_ref() == Some(before)) {
        gene.assign(after);
    }
}

/// The gene of the body of `action` that may be the name of what it makes, for a parameter called `name`.
fn sent_as(action: &Action, name: &str) -> Option<Gene> {
    let path = name_site(action, name)?.path;
    let body = action.body.as_ref()?;
    body.alternatives.get(body.active)?.at(&path).cloned()
}

/// Where that gene stands: the field whose name fits best, the outermost of several.
fn name_site(action: &Action, name: &str) -> Option<GeneSite> {
    let body = action.body.as_ref().filter(|body| body.present)?;
    let gene = body.alternatives.get(body.active)?;
    let value = gene.to_json()?;
    let is_name = |site: &GeneSite| matches!(value.pointer(&site.pointer), Some(Value::String(_) | Value::Number(_)));
    let ranked = gene.sites().into_iter().filter(is_name).filter_map(|site| Some((rank_of_name(&site.name, name)?, site)));
    let (_, site) = ranked.min_by_key(|(rank, site)| (*rank, site.pointer.matches('/').count(), site.path.0.len()))?;
    Some(site)
}

/// The path up to and with the placeholder of a parameter; none where it is of none.
fn prefix_to(operation: &Operation, place: usize) -> Option<&str> {
    let parameter = operation.parameters.get(place).filter(|parameter| parameter.location == Location::Path)?;
    let placeholder = format!("{{{}}}", parameter.name);
    let start = operation.url_path.find(&placeholder)?;
    Some(&operation.url_path[..start + placeholder.len()])
}
