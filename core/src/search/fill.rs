//! Drawing the values of one call: samples, examples of the schema, values from earlier answers, and what is wrong on purpose.

use crate::action::{Action, PlacedViolation, ValuePlace};
use crate::api::{Location, Operation};
use crate::gene::Gene;

use super::resource::{noun_around, noun_of};
use super::{Problem, SearchState};

/// Body fields offered a value from the pool, at most.
const MAX_POOLED_FIELDS: usize = 64;

/// Draws every gene of `action` anew; links, user and violation stay.
pub fn fill(problem: &Problem, state: &mut SearchState, action: &mut Action) {
    let operation = problem.api.operation(action.operation_idx);
    for (gene, parameter) in action.parameters.iter_mut().zip(&operation.parameters) {
        gene.sample(&mut state.random);
        if state.random.chance(problem.settings.p_example)
            && let Some(example) = state.random.pick(&parameter.examples)
        {
            gene.assign(example);
        }
        if state.random.chance(problem.settings.p_pool) {
            let noun = noun_around(operation, parameter.location, &parameter.name);
            if let Some(value) = state.pool.draw(&noun, &parameter.name, &mut state.random) {
                gene.assign(value);
            }
        }
    }
    fill_body(problem, state, action, operation);
}

fn fill_body(problem: &Problem, state: &mut SearchState, action: &mut Action, operation: &Operation) {
    let Some(body) = &mut action.body else { return };
    body.present = operation.body_required || state.random.chance(0.9);
    // The first media type is what authors document best.
    body.active = if state.random.chance(0.7) { 0 } else { state.random.below(body.alternatives.len()) };
    let gene = &mut body.alternatives[body.active];
    gene.sample(&mut state.random);
    let examples = &operation.bodies[body.active].examples;
    if state.random.chance(problem.settings.p_example)
        && let Some(example) = state.random.pick(examples)
    {
        gene.assign(example);
        return;
    }
    // A body with pooled values everywhere would only repeat what the service knows already.
    if state.random.chance(problem.settings.p_pool) {
        assign_pooled(state, gene, &noun_of(&operation.url_path));
    }
}

/// Gives about half of the fields that have pooled values one of them.
fn assign_pooled(state: &mut SearchState, gene: &mut Gene, noun: &str) {
    if state.pool.is_empty() {
        return;
    }
    for site in gene.sites().iter().filter(|site| !site.name.is_empty()).take(MAX_POOLED_FIELDS) {
        if !state.random.chance(0.5) {
            continue;
        }
        let Some(value) = state.pool.draw(noun, &site.name, &mut state.random) else { continue };
        if let Some(gene) = gene.at_mut(&site.path) {
            gene.assign(value);
        }
    }
}

/// Something wrong on purpose with one parameter or the body of `action`, drawn for its present values.
pub fn sample_violation(problem: &Problem, state: &mut SearchState, action: &Action) -> Option<PlacedViolation> {
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
    let gene = match place {
        ValuePlace::Parameter(idx) => &action.parameters[idx],
        ValuePlace::Body => action.body.as_ref().map(|body| &body.alternatives[body.active])?,
    };
    Some(PlacedViolation { place, violation: gene.sample_violation(&mut state.random)? })
}
