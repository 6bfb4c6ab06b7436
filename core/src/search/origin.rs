//! Where a call gets the name of a resource from that an earlier call of its test makes.

use serde_json::Value;

use crate::action::{Action, Link, LinkPlace, LinkSource};
use crate::api::{Api, Location, Operation, Parameter};
use crate::gene::{Gene, GeneSite};

use super::SearchState;
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
    let Some(end) = placeholder_in(operation, place) else { return };
    for (above, parameter) in operation.parameters.iter().enumerate() {
        let prefix = placeholder_in(operation, above).filter(|above| *above < end);
        let Some(prefix) = prefix.map(|above| &operation.url_path[..above + parameter.name.len() + 2]) else { continue };
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

/// The gene of the body of `action` that may be the name of what it makes, for a parameter called `name`: the field whose name
/// fits best, the outermost of several.
fn sent_as(action: &Action, name: &str) -> Option<Gene> {
    let body = action.body.as_ref().filter(|body| body.present)?;
    let gene = body.alternatives.get(body.active)?;
    let value = gene.to_json()?;
    let is_name = |site: &GeneSite| matches!(value.pointer(&site.pointer), Some(Value::String(_) | Value::Number(_)));
    let ranked = gene.sites().into_iter().filter(is_name).filter_map(|site| Some((rank_of_name(&site.name, name)?, site)));
    let (_, site) = ranked.min_by_key(|(rank, site)| (*rank, site.pointer.matches('/').count(), site.path.0.len()))?;
    gene.at(&site.path).cloned()
}

/// Where the placeholder of a parameter stands in the path; none where it is of none.
fn placeholder_in(operation: &Operation, place: usize) -> Option<usize> {
    let parameter = operation.parameters.get(place).filter(|parameter| parameter.location == Location::Path)?;
    operation.url_path.find(&format!("{{{}}}", parameter.name))
}
