//! Drawing the values of one call: samples, examples of the schema, values from earlier answers, and what is wrong on purpose.

use crate::action::{Action, CallViolation, Expanded, Malformation, PlacedViolation, ValuePlace};
use crate::api::{Location, Operation};
use crate::gene::{Gene, Violation};
use crate::random::Random;

use super::names::{noun_around, noun_of, refers};
use super::{Problem, SearchState};

/// Body fields offered a value from the pool, at most.
const MAX_POOLED_FIELDS: usize = 64;

/// Which texts are drawn where the schema allows any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Texts {
    /// Any: empty, short and odd ones, too.
    Any,
    /// Letters and digits that can be told from other texts: what the service does with them shows when it is tracked.
    Telling,
}

/// Draws every gene of `action` anew; links, user and violation stay.
pub fn fill(problem: &Problem, state: &mut SearchState, action: &mut Action, texts: Texts) {
    let operation = problem.api.operation(action.operation_idx);
    let expanded = action.expanded.clone();
    let others = expanded.as_deref().map_or(&[][..], Expanded::parameters);
    let spoil = |place: &usize| state.spoilers.spoils(action, *place);
    let spoiling: Vec<usize> = (0..operation.parameters.len()).filter(spoil).collect();
    for (gene, parameter) in action.parameters.iter_mut().zip(operation.parameters.iter().chain(others)) {
        draw(gene, texts, &mut state.random);
        if state.random.chance(problem.settings.p_example)
            && let Some(example) = state.random.pick(&parameter.examples)
        {
            gene.assign(example);
        }
        let is_reference = parameter.location == Location::Path || refers(&parameter.name);
        if state.random.chance(if is_reference { p_reference(problem) } else { problem.settings.p_pool }) {
            let noun = noun_around(operation, parameter.location, &parameter.name);
            if let Some(value) = state.pool.draw(&noun, &parameter.name, &mut state.random) {
                gene.assign(value);
            }
        }
    }
    for place in spoiling {
        if let Some(Gene::Optional(gene)) = action.parameters.get_mut(place)
            && !state.random.chance(problem.settings.odds.spoiling_parameters)
        {
            gene.leave_out();
        }
    }
    fill_body(problem, state, action, operation, texts);
    state.refusals.mend(problem.api, action, problem.settings.odds.named_by_refusals, &mut state.random);
    state.expansions.open().vary(problem, action, texts, &mut state.random);
    state.specialisations.vary(action, problem.settings.odds.sample_special, &mut state.random);
    state.marker.mark_some(action, &mut state.random);
}

/// Draws a gene and all below it.
pub(super) fn draw(gene: &mut Gene, texts: Texts, random: &mut Random) {
    gene.sample(random);
    if texts == Texts::Telling {
        for site in gene.sites() {
            if let Some(gene) = gene.at_mut(&site.path) {
                gene.tell_apart(random);
            }
        }
    }
}

fn fill_body(problem: &Problem, state: &mut SearchState, action: &mut Action, operation: &Operation, texts: Texts) {
    let odds = &problem.settings.odds;
    let Some(body) = &mut action.body else { return };
    body.present = operation.body_required || state.random.chance(odds.optional_body);
    // The first media type is what authors document best.
    let n_documented = operation.bodies.len();
    // What the service reads comes as often as what its document says.
    body.active = if body.alternatives.len() > n_documented && (n_documented == 0 || state.random.chance(0.5)) {
        n_documented + state.random.below(body.alternatives.len() - n_documented)
    } else if state.random.chance(odds.first_media_type) {
        0
    } else {
        state.random.below(body.alternatives.len())
    };
    let gene = &mut body.alternatives[body.active];
    draw(gene, texts, &mut state.random);
    let examples = operation.bodies.get(body.active).map_or(&[][..], |body| &body.examples);
    if state.random.chance(problem.settings.p_example)
        && let Some(example) = state.random.pick(examples)
    {
        if gene.assign(example) && state.random.chance(odds.varied_example) {
            vary(state, gene);
        }
        return;
    }
    // A body with pooled values everywhere would only repeat what the service knows already.
    let p_other = if state.random.chance(problem.settings.p_pool) { odds.pooled_fields } else { 0.0 };
    assign_pooled(state, gene, &noun_of(&operation.url_path), (p_reference(problem), p_other));
}

/// Changes a few genes of a tree: what is near an example gets further than what is drawn.
fn vary(state: &mut SearchState, gene: &mut Gene) {
    for _ in 0..=state.random.below(3) {
        let sites = gene.sites();
        let Some(site) = state.random.pick(&sites) else { return };
        let Some(gene) = gene.at_mut(&site.path) else { continue };
        gene.mutate(&mut state.random);
    }
}

/// Probability that a reference takes a value of the pool: one to something that does not exist is nearly always refused.
fn p_reference(problem: &Problem) -> f64 {
    (2.0 * problem.settings.p_pool).min(problem.settings.odds.pooled_references)
}

/// Gives fields that have pooled values one of them, references and others with a probability each.
fn assign_pooled(state: &mut SearchState, gene: &mut Gene, noun: &str, (p_reference, p_other): (f64, f64)) {
    if state.pool.is_empty() {
        return;
    }
    for site in gene.sites().iter().filter(|site| !site.name.is_empty()).take(MAX_POOLED_FIELDS) {
        if !state.random.chance(if refers(&site.name) { p_reference } else { p_other }) {
            continue;
        }
        let Some(value) = state.pool.draw(noun, &site.name, &mut state.random) else { continue };
        if let Some(gene) = gene.at_mut(&site.path) {
            gene.assign(value);
        }
    }
}

/// Something wrong on purpose with `action`, drawn for its present values.
pub fn sample_violation(problem: &Problem, state: &mut SearchState, action: &Action) -> Option<CallViolation> {
    if state.random.chance(problem.settings.odds.malformed) {
        return sample_malformation(problem, state, action);
    }
    sample_value_violation(problem, state, action).or_else(|| sample_malformation(problem, state, action))
}

/// All that may be wrong with the request of `action` around its values.
pub fn malformations_of(problem: &Problem, action: &Action) -> Vec<Malformation> {
    let parameters = &problem.api.operation(action.operation_idx).parameters;
    let has_query = parameters.iter().any(|parameter| parameter.location == Location::Query);
    let has_body = action.body.as_ref().is_some_and(|body| body.present);
    Malformation::candidates(has_body, has_query)
}

/// Something wrong with the request around the values.
fn sample_malformation(problem: &Problem, state: &mut SearchState, action: &Action) -> Option<CallViolation> {
    let may_go_astray = state.random.chance(state.malformations.p_astray(&problem.settings.odds));
    let mut candidates = malformations_of(problem, action);
    candidates.retain(|candidate| {
        let is_astray = matches!(candidate, Malformation::Path(_));
        (may_go_astray || !is_astray) && candidate.applies(problem.api, action.operation_idx)
    });
    let weights = state.malformations.weights(&candidates, action.operation_idx);
    state.random.weighted(&weights).map(|idx| CallViolation::Request(candidates[idx]))
}

/// Something wrong with one parameter or the body.
fn sample_value_violation(problem: &Problem, state: &mut SearchState, action: &Action) -> Option<CallViolation> {
    let operation = problem.api.operation(action.operation_idx);
    let linked = |place: usize| {
        action.links.iter().any(|link| matches!(link.place, crate::action::LinkPlace::Parameter(idx) if idx == place))
    };
    let mut places: Vec<ValuePlace> = operation
        .parameters
        .iter()
        .enumerate()
        .filter(|(idx, parameter)| parameter.location != Location::Path || !linked(*idx))
        .map(|(idx, _)| ValuePlace::Parameter(idx))
        .collect();
    if action.body.as_ref().is_some_and(|body| body.present) {
        // Bodies have most of the constraints.
        places.extend([ValuePlace::Body; 3]);
    }
    let place = *state.random.pick(&places)?;
    let (gene, is_demanded) = match place {
        ValuePlace::Parameter(idx) => {
            let parameter = &operation.parameters[idx];
            // Without a value its path would be another one.
            (&action.parameters[idx], parameter.required && parameter.location != Location::Path)
        }
        ValuePlace::Body => (action.body.as_ref().map(|body| &body.alternatives[body.active])?, operation.body_required),
    };
    let violation = if is_demanded && state.random.chance(problem.settings.odds.left_out) {
        Violation::left_out()
    } else {
        gene.sample_violation(&mut state.random)?
    };
    Some(CallViolation::Value(PlacedViolation { place, violation }))
}
