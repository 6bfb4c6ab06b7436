//! Where a call gets the name of a resource from that an earlier call of its test makes, and what else changes with that name.

use serde_json::Value;

use crate::action::{Action, Link, LinkPlace, LinkSource, ValuePlace};
use crate::api::{Api, Location, Operation, Parameter};
use crate::gene::{Gene, GenePath, GeneSite};

use super::SearchState;
use super::accounts::{rename_account, share_accounts};
use super::mutator::{gene_at, genes_of};
use super::names::{rank_of_name, refers};

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
    let Some(whole) = operation.prefix_to(place) else { return };
    for (above, parameter) in operation.parameters.iter().enumerate() {
        let Some(prefix) = operation.prefix_to(above).filter(|prefix| prefix.len() < whole.len()) else { continue };
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

/// Has other calls than that at `changed` go on naming the same as it does, or makes: what they call `before`, as it did by its
/// gene at the place and path given, has the value of that gene now.
pub(super) fn rename(api: &Api, actions: &mut [Action], changed: (usize, ValuePlace, &GenePath), before: &Value) {
    let (changed_idx, changed_place, path) = changed;
    let Some(changed) = actions.get(changed_idx) else { return };
    let operation = api.operation(changed.operation_idx);
    let named = match changed_place {
        ValuePlace::Parameter(place) => operation.prefix_to(place).map(|prefix| (prefix, &operation.parameters[place].name)),
        ValuePlace::Body => None,
    };
    let Some(after) = value_at(changed, changed_place, path).filter(|after| after != before) else { return };
    let maker = (changed_place == ValuePlace::Body).then_some(changed.operation_idx);
    for (_, action) in actions.iter_mut().enumerate().filter(|(idx, _)| *idx != changed_idx) {
        let operation = api.operation(action.operation_idx);
        rename_parameters(operation, action, named.map(|(prefix, _)| prefix), (before, &after));
        rename_in_body(action, named.map(|(_, name)| name.as_str()), (before, &after));
        if maker.is_some_and(|maker| share_accounts(api, maker, action.operation_idx)) {
            rename_account(action, (before, &after));
        }
    }
}

/// The name that a gene of a call may be, to be told to [`rename`] after it was changed: a text or a number.
pub(super) fn name_at(action: &Action, place: ValuePlace, path: &GenePath) -> Option<Value> {
    value_at(action, place, path).filter(|value| value.is_number() || value.as_str().is_some_and(|text| !text.is_empty()))
}

fn value_at(action: &Action, place: ValuePlace, path: &GenePath) -> Option<Value> {
    gene_of(action, place, path)?.to_json()
}

/// A gene of those that a call sends.
pub(super) fn gene_of<'a>(action: &'a Action, place: ValuePlace, path: &GenePath) -> Option<&'a Gene> {
    genes_of(action).find(|(other, _)| *other == place)?.1.at(path)
}

/// Renames what the path of a call names, below `prefix` alone where there is one, what its query refers to, and what its header
/// fields say; where there is a link this is what is sent when it finds nothing.
fn rename_parameters(operation: &Operation, action: &mut Action, prefix: Option<&str>, (before, after): (&Value, &Value)) {
    let is_name = |place: usize, parameter: &Parameter| match parameter.location {
        Location::Path => prefix.is_none_or(|prefix| operation.prefix_to(place) == Some(prefix)),
        Location::Query => refers(&parameter.name),
        Location::Header | Location::Cookie => before.is_string(),
        _ => false,
    };
    let inputs = action.inputs(operation).enumerate();
    let names: Vec<usize> = inputs.filter(|(place, it)| is_name(*place, it)).map(|(place, _)| place).collect();
    for place in names {
        if action.parameters[place].to_json().as_ref() == Some(before) {
            action.parameters[place].assign(after);
        }
    }
}

/// Renames what a call makes by its body, as a parameter called `name` has it, and what fields there refer to.
fn rename_in_body(action: &mut Action, name: Option<&str>, (before, after): (&Value, &Value)) {
    let made = name.and_then(|name| name_site(action, name));
    let Some(body) = gene_at(action, ValuePlace::Body) else { return };
    let referring = body.sites().into_iter().filter(|site| refers(&site.name));
    for site in made.into_iter().chain(referring) {
        if let Some(gene) = body.at_mut(&site.path).filter(|gene| gene.to_json().as_ref() == Some(before)) {
            gene.assign(after);
        }
    }
}

/// The gene of the body of `action` that may be the name of what it makes, for a parameter called `name`.
pub(super) fn sent_as(action: &Action, name: &str) -> Option<Gene> {
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::rename;
    use crate::action::{Action, Link, LinkPlace, LinkSource, ValuePlace};
    use crate::api::OperationIdx;
    use crate::gene::{Gene, GenePath};
    use crate::openapi::{self, parse};
    use crate::search::{Budget, Problem, SearchSettings};

    /// What stands where the same user is named: in the path, in what an order refers to, and in its note.
    #[test]
    fn what_is_named_alike_is_renamed_where_it_is_a_name() {
        let text = json!({"type": "string"});
        let parameter = |place: &str, name: &str| json!({"name": name, "in": place, "required": true, "schema": text});
        let order = json!({"type": "object", "required": ["userId", "note"], "properties": {"userId": text, "note": text}});
        let body = json!({"required": true, "content": {"application/json": {"schema": order}}});
        let answers = json!({"200": {"description": ""}});
        let put = json!({"parameters": [parameter("path", "userId")], "responses": answers});
        let post = json!({"parameters": [parameter("query", "userId"), parameter("query", "note")], "requestBody": body,
            "responses": answers});
        let paths = json!({"/users/{userId}": {"put": put}, "/users/{userId}/mail": {"get": put}, "/orders": {"post": post},
            "/groups/{userId}": {"get": put}});
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        let api = parse(&document.to_string(), &openapi::Origin::Text).expect("a document");
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, (0..4).map(OperationIdx).collect(), 0, &settings);
        let at = |url_path: &str| {
            let mut indices = (0..4).map(OperationIdx);
            let mut action =
                problem.template(indices.find(|idx| api.operation(*idx).url_path == url_path).expect("it is there"));
            assert!(action.parameters.iter_mut().all(|gene| gene.assign(&"ann".into())));
            if let Some(body) = &mut action.body {
                body.present = true;
                assert!(body.alternatives[body.active].assign(&json!({"userId": "ann", "note": "ann"})));
            }
            action
        };
        let mut actions = ["/users/{userId}", "/users/{userId}/mail", "/orders", "/groups/{userId}"].map(at);
        let source = LinkSource::Body("/id".to_owned());
        actions[1].links.push(Link { place: LinkPlace::Parameter(0), from_action: 0, source });
        assert!(actions[0].parameters[0].assign(&"bob".into()));
        let changed = (0, ValuePlace::Parameter(0), &GenePath::default());
        rename(&api, &mut actions, changed, &"ann".into());
        let sent = |action: &Action| -> Vec<Value> {
            let body = action.body.as_ref().and_then(|body| body.alternatives[body.active].to_json());
            action.parameters.iter().filter_map(Gene::to_json).chain(body).collect()
        };
        assert_eq!(sent(&actions[1]), ["bob"], "what is sent where its link finds nothing");
        assert_eq!(sent(&actions[2]), [json!("bob"), json!("ann"), json!({"userId": "bob", "note": "ann"})]);
        assert_eq!(sent(&actions[3]), ["ann"], "a group is no user");
    }
}
