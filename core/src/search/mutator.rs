//! Changing a copy of an individual: its list of calls (structure) or its values (`search.md` 2 and 5).

use serde_json::Value;

use crate::action::{Action, Link, LinkPlace, ValuePlace};
use crate::gene::{FieldName, Gene, GenePath, GeneSite, Shift};

use super::fill::{Texts, fill, sample_violation};
use super::impact::GeneKey;
use super::kept::Kept;
use super::logins::guards;
use super::names::{noun_around, noun_of};
use super::origin;
use super::sampler::{extend, sample_user, with_creators};
use super::slope::{Move, Spot};
use super::{Individual, Problem, SearchState, TargetId, TargetKind};

/// A changed copy.
#[derive(Debug)]
pub struct Mutant {
    /// The copy.
    pub individual: Individual,
    /// The genes that were changed; empty after a structural mutation.
    pub genes: Vec<GeneKey>,
    /// The change, when it was to a single number or character and to nothing else.
    pub moved: Option<Move>,
}

/// A changed copy of the individual of `kept`, for coming closer to `target`.
pub fn mutate(problem: &Problem, state: &mut SearchState, kept: &Kept, target: TargetId) -> Mutant {
    let structural = problem.settings.max_test_size > 1
        && state.random.chance(state.impact.p_structure(target, problem.settings.p_structure));
    let mut individual;
    let (genes, moved) = if structural {
        individual = kept.individual.clone();
        expand(problem, state, &mut individual);
        mutate_structure(problem, state, &mut individual);
        if state.logins.are_known() && state.random.chance(problem.settings.odds.log_in) {
            state.logins.share(&mut individual, &state.accounts);
        }
        (Vec::new(), None)
    } else {
        individual = kept.up_to_closest(target);
        expand(problem, state, &mut individual);
        mutate_values(problem, state, &mut individual, target)
    };
    individual.actions.truncate(problem.settings.max_test_size);
    Mutant { individual, genes, moved }
}

/// Offers what was found since the individual was made.
fn expand(problem: &Problem, state: &mut SearchState, individual: &mut Individual) {
    for action in &mut individual.actions {
        state.expansions.expand(action, &problem.settings.gene_limits, &mut state.random);
    }
}

fn mutate_structure(problem: &Problem, state: &mut SearchState, individual: &mut Individual) {
    let length = individual.actions.len();
    let room = problem.settings.max_test_size.saturating_sub(length);
    let odds = &problem.settings.odds;
    let choice = state.random.weighted(&[
        if length > 1 { odds.remove_call } else { 0.0 },
        if room > 0 { odds.add_call } else { 0.0 },
        if length > 1 { odds.swap_calls } else { 0.0 },
        odds.replace_call,
    ]);
    match choice {
        Some(0) => drop(remove_needless(state, individual)),
        Some(1) if state.random.chance(odds.extend) => extend(problem, state, individual),
        Some(1) => {
            let operation_idx = problem.operations[state.random.below(problem.operations.len())];
            let actions = with_creators(problem, state, operation_idx, room);
            individual.insert(state.random.below(length + 1), actions);
        }
        Some(2) => {
            let one = state.random.below(length);
            let other = (one + 1 + state.random.below(length - 1)) % length;
            individual.swap(one, other);
        }
        _ => {
            let action_idx = remove_needless(state, individual);
            let operation_idx = problem.operations[state.random.below(problem.operations.len())];
            let actions = with_creators(problem, state, operation_idx, room + 1);
            individual.insert(action_idx, actions);
        }
    }
}

/// Takes out a call, unless a later one logs in to the account that it makes: that is there still, but in no service that is
/// started anew. The position where it was, or behind it.
fn remove_needless(state: &mut SearchState, individual: &mut Individual) -> usize {
    let action_idx = state.random.below(individual.actions.len());
    if state.accounts.is_logged_in_to(&individual.actions, action_idx) {
        return action_idx + 1;
    }
    individual.remove(action_idx);
    action_idx
}

/// Something of an individual that a value mutation can change.
#[derive(Debug)]
enum Change {
    /// One gene.
    Gene(usize, ValuePlace, GeneSite),
    /// All genes of an action.
    Refill(usize),
    /// Whose credentials are sent.
    User(usize),
    /// Which media type is sent.
    Alternative(usize),
    /// Whether the body is sent.
    Presence(usize),
    /// What is wrong on purpose.
    Violation(usize),
    /// A link goes, and the gene's own value is sent.
    Unlink(usize, usize),
}

/// Changes values, and says which genes, and how far where it was but a single number.
fn mutate_values(
    problem: &Problem,
    state: &mut SearchState,
    individual: &mut Individual,
    target: TargetId,
) -> (Vec<GeneKey>, Option<Move>) {
    let (mut weights, mut changes) = list_changes(problem, state, individual, target);
    let n_changes = if state.random.chance(problem.settings.odds.one_change) { 1 } else { 1 + state.random.log_size(4) };
    // A gene beneath what is wrong on purpose is not sent, so that changing it would tell nothing of a distance.
    let climbs = state.targets.kind(target) == TargetKind::Code;
    let mut genes = Vec::new();
    let mut moved = None;
    for change_idx in 0..n_changes {
        let Some(idx) = state.random.weighted(&weights) else { break };
        weights.swap_remove(idx);
        let change = changes.swap_remove(idx);
        if let (true, Change::Gene(action_idx, place, _)) = (climbs, &change) {
            show(&mut individual.actions[*action_idx], *place);
        }
        let by = apply(problem, state, individual, &change, &mut genes);
        moved = by.filter(|_| change_idx == 0);
    }
    state.specialisations.bonds().follow(individual, &genes);
    (genes, moved)
}

/// Sends the genes at `place` again where something wrong on purpose stands in their place; they take its value, since that is
/// what came close, when they can.
fn show(action: &mut Action, place: ValuePlace) {
    let Some(violation) = action.take_hiding(place) else { return };
    if let Some(gene) = gene_at(action, place)
        && let Some(sent) = gene.to_json().and_then(|value| violation.apply(value))
    {
        gene.assign(&sent);
    }
}

/// Everything that can be changed, with its weight.
fn list_changes(problem: &Problem, state: &SearchState, individual: &Individual, target: TargetId) -> (Vec<f64>, Vec<Change>) {
    let odds = &problem.settings.odds;
    let of_kind = if state.targets.kind(target) == TargetKind::Code { odds.change_violation_code } else { 1.0 };
    let (mut weights, mut changes) = (Vec::new(), Vec::new());
    let guards = guards(&individual.actions, &state.accounts);
    for (action_idx, action) in individual.actions.iter().enumerate() {
        let focus = match action_idx + 1 {
            // The last call is the one that came closest, and the others prepare it.
            length if length == individual.actions.len() => odds.last_call,
            _ if guards.contains(&action_idx) => odds.change_login,
            _ => 1.0,
        };
        for (place, gene) in genes_of(action) {
            for site in gene.sites() {
                let impact = state.impact.weight(gene_key(action, place, &site), target);
                // The square root keeps a large body from taking all changes, and a small parameter from none.
                weights.push(focus * site.weight.max(1.0).sqrt() * impact);
                changes.push(Change::Gene(action_idx, place, site));
            }
        }
        for (weight, change) in changes_beside_genes(problem, action_idx, action, of_kind) {
            weights.push(focus * weight);
            changes.push(change);
        }
    }
    (weights, changes)
}

/// What can be changed of a call but its genes, with its weight; `of_violation` is that of what is wrong on purpose, as a factor.
fn changes_beside_genes(problem: &Problem, action_idx: usize, action: &Action, of_violation: f64) -> Vec<(f64, Change)> {
    let odds = &problem.settings.odds;
    let mut changes = Vec::new();
    if problem.n_users > 0 {
        changes.push((odds.change_user, Change::User(action_idx)));
    }
    if let Some(body) = &action.body {
        if body.alternatives.len() > 1 {
            changes.push((odds.change_media_type, Change::Alternative(action_idx)));
        }
        if !problem.api.operation(action.operation_idx).body_required {
            changes.push((odds.change_presence, Change::Presence(action_idx)));
        }
    }
    changes.push((odds.change_violation * of_violation, Change::Violation(action_idx)));
    changes.push((odds.refill, Change::Refill(action_idx)));
    let weight_of = |link: &Link| if link.place.shows_credentials() { odds.unlink * odds.change_login } else { odds.unlink };
    let links = action.links.iter().enumerate();
    changes.extend(links.map(|(link_idx, link)| (weight_of(link), Change::Unlink(action_idx, link_idx))));
    changes
}

/// The genes of an action that are sent: all parameters without a link, and the active body.
pub(crate) fn genes_of(action: &Action) -> impl Iterator<Item = (ValuePlace, &Gene)> {
    let linked = |idx: usize| action.links.iter().any(|link| link.place == LinkPlace::Parameter(idx));
    let parameters = action.parameters.iter().enumerate().filter(move |(idx, _)| !linked(*idx));
    let body = action.body.iter().filter(|body| body.present).map(|body| (ValuePlace::Body, &body.alternatives[body.active]));
    parameters.map(|(idx, gene)| (ValuePlace::Parameter(idx), gene)).chain(body)
}

/// Every gene of an action that is sent and can be changed by itself: its identity, its place, the way to it there.
pub(super) fn keyed_sites(action: &Action) -> Vec<(GeneKey, ValuePlace, GenePath)> {
    let sites = genes_of(action).flat_map(|(place, gene)| gene.sites().into_iter().map(move |site| (place, site)));
    sites.map(|(place, site)| (gene_key(action, place, &site), place, site.path)).collect()
}

/// The gene at a place of `action`, of a body that of its active media type.
pub fn gene_at(action: &mut Action, place: ValuePlace) -> Option<&mut Gene> {
    match place {
        ValuePlace::Parameter(idx) => action.parameters.get_mut(idx),
        ValuePlace::Body => action.body.as_mut().map(|body| &mut body.alternatives[body.active]),
    }
}

pub(super) fn gene_key(action: &Action, place: ValuePlace, site: &GeneSite) -> GeneKey {
    gene_key_of(action, place, site.key)
}

/// The identity of the gene at `place` of `action` that has `key` there ([`GeneSite::key`]).
pub(crate) fn gene_key_of(action: &Action, place: ValuePlace, key: u64) -> GeneKey {
    GeneKey { operation_idx: action.operation_idx, place: action.place_number(place), key }
}

/// Makes a change, and says how far it moved a number.
fn apply(
    problem: &Problem,
    state: &mut SearchState,
    individual: &mut Individual,
    change: &Change,
    genes: &mut Vec<GeneKey>,
) -> Option<Move> {
    match change {
        Change::Gene(action_idx, place, site) => {
            let key = gene_key(&individual.actions[*action_idx], *place, site);
            genes.push(key);
            let shifts = change_with_names(problem, state, individual, (*action_idx, *place, site))?;
            let spot = Spot { action_idx: *action_idx, place: *place, path: site.path.clone(), key };
            return Some(Move { spot, shifts, steps: 0, is_look: false });
        }
        Change::Refill(action_idx) => fill(problem, state, &mut individual.actions[*action_idx], Texts::Any),
        Change::User(action_idx) => individual.actions[*action_idx].user = sample_user(problem, state),
        Change::Alternative(action_idx) => {
            if let Some(body) = &mut individual.actions[*action_idx].body {
                body.active = (body.active + 1 + state.random.below(body.alternatives.len() - 1)) % body.alternatives.len();
                body.alternatives[body.active].sample(&mut state.random);
            }
        }
        Change::Presence(action_idx) => {
            if let Some(body) = &mut individual.actions[*action_idx].body {
                body.present = !body.present;
            }
        }
        Change::Violation(action_idx) => {
            let action = &individual.actions[*action_idx];
            let is_dropped = problem.settings.p_invalid <= 0.0
                || (action.violation.is_some() && state.random.chance(problem.settings.odds.put_right));
            let violation = if is_dropped { None } else { sample_violation(problem, state, action) };
            individual.actions[*action_idx].violation = violation;
        }
        Change::Unlink(action_idx, link_idx) => {
            let links = &mut individual.actions[*action_idx].links;
            if *link_idx < links.len() {
                links.remove(*link_idx);
            }
        }
    }
    None
}

/// A gene of an individual: action, place in it, and site in the gene tree there.
type GenePlace<'a> = (usize, ValuePlace, &'a GeneSite);

/// Changes one gene, and by its odds what other calls name by its value; says what [`change_gene`] does.
fn change_with_names(
    problem: &Problem,
    state: &mut SearchState,
    individual: &mut Individual,
    at: GenePlace<'_>,
) -> Option<Vec<Shift>> {
    let (action_idx, place, site) = at;
    let has_others = individual.actions.len() > 1;
    let before = has_others.then(|| origin::name_at(&individual.actions[action_idx], place, &site.path)).flatten();
    let shifts = change_gene(problem, state, individual, at);
    if let Some(before) = before
        && state.random.chance(problem.settings.odds.rename)
    {
        origin::rename(problem.api, &mut individual.actions, (action_idx, place, &site.path), &before);
    }
    shifts
}

/// Gives one gene a value from elsewhere, a fresh one, or mutates it; says how far that moved it, in each way to see it, when
/// it is a number.
fn change_gene(
    problem: &Problem,
    state: &mut SearchState,
    individual: &mut Individual,
    at: GenePlace<'_>,
) -> Option<Vec<Shift>> {
    let (action_idx, place, site) = at;
    let key = gene_key(&individual.actions[action_idx], place, site);
    if state.specialisations.has(key)
        && state.random.chance(problem.settings.odds.specialise)
        && let Some(specialisation) = state.specialisations.draw(key, &mut state.random)
    {
        let gene = gene_at(&mut individual.actions[action_idx], place)?.at_mut(&site.path)?;
        gene.specialise(&specialisation, &mut state.random);
        return None;
    }
    if put_in_key(problem, state, &mut individual.actions[action_idx], place, site) {
        return None;
    }
    let gene = gene_at(&mut individual.actions[action_idx], place)?.at_mut(&site.path)?;
    if gene.is_markable() && state.marker.wants(key, &mut state.random) && state.marker.mark(gene) {
        return None;
    }
    // What the service wants of a value is given up seldom.
    let wanted = gene.specialised().filter(|_| !state.random.chance(problem.settings.odds.give_up_wanted)).cloned();
    let value = if wanted.is_none() { other_value(problem, state, individual, at) } else { None };
    let gene = gene_at(&mut individual.actions[action_idx], place)?.at_mut(&site.path)?;
    let before = gene.measure();
    if value.is_some_and(|value| gene.assign(&value)) {
        // Taken over.
    } else if state.random.chance(problem.settings.odds.resample) {
        match wanted {
            Some(wanted) => drop(gene.specialise(&wanted, &mut state.random)),
            None => gene.sample(&mut state.random),
        }
    } else {
        gene.mutate(&mut state.random);
    }
    Some(gene.measure()?.shifts_from(&before?)).filter(|shifts| !shifts.is_empty())
}

/// Puts a key that the service knows, or shows, into an object that the document leaves open, now and then; says whether it did.
fn put_in_key(problem: &Problem, state: &mut SearchState, action: &mut Action, place: ValuePlace, site: &GeneSite) -> bool {
    let open = state.expansions.open();
    let is_known = place == ValuePlace::Body && open.are_known(action.operation_idx);
    if !is_known || !state.random.chance(problem.settings.odds.specialise) {
        return false;
    }
    let Some((name, value)) = open.draw(action, site, &mut state.random) else { return false };
    let gene = gene_at(action, place).and_then(|gene| gene.at_mut(&site.path));
    gene.is_some_and(|gene| gene.put_in_field(FieldName::Known(name), value.as_ref(), &mut state.random))
}

/// A value from elsewhere for a gene: from the response pool, or of another gene of the individual.
fn other_value(problem: &Problem, state: &mut SearchState, individual: &Individual, at: GenePlace<'_>) -> Option<Value> {
    let (action_idx, place, site) = at;
    let action = &individual.actions[action_idx];
    let operation = problem.api.operation(action.operation_idx);
    if state.random.chance(problem.settings.p_pool) {
        let (noun, name) = match place {
            ValuePlace::Parameter(idx) if site.name.is_empty() => {
                let parameter = action.inputs(operation).nth(idx)?;
                (noun_around(operation, parameter.location, &parameter.name), parameter.name.as_str())
            }
            _ => (noun_of(&operation.url_path), site.name.as_str()),
        };
        if let Some(value) = state.pool.draw(&noun, name, &mut state.random) {
            return Some(value.clone());
        }
    }
    if !state.random.chance(problem.settings.odds.copy) {
        return None;
    }
    let other = state.random.pick(&individual.actions)?;
    let values: Vec<Value> = genes_of(other).filter_map(|(_, gene)| gene.to_json()).collect();
    let mut value = state.random.pick(&values)?;
    // Down to a scalar, one random member at a time.
    loop {
        value = match value {
            Value::Object(fields) => {
                let members: Vec<&Value> = fields.values().collect();
                state.random.pick(&members)?
            }
            Value::Array(members) => state.random.pick(members)?,
            _ => return Some(value.clone()),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::action::{CallViolation, Link, LinkPlace, LinkSource, PlacedViolation, ValuePlace};
    use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::gene::{Edit, Violation};
    use crate::search::Kept;
    use crate::search::odds::SearchOdds;
    use crate::search::sampler::sample;
    use crate::search::{Budget, Evaluation, Execution, Individual, Problem, SearchSettings, SearchState, TargetKind};

    use super::{Change, list_changes, mutate};

    /// `POST /o` with a required query parameter.
    fn api() -> Api {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::Boolean));
        let parameter = Parameter::query("x", schema);
        api.operations.push(Operation { parameters: vec![parameter], ..Operation::bare(Verb::Post, "/o") });
        api
    }

    #[test]
    fn what_lets_later_calls_in_is_changed_less() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let target = state.targets.intern(TargetKind::Goal, "the operation");
        let mut individual = Individual { actions: vec![problem.template(OperationIdx(0)); 3] };
        let (place, source) = (LinkPlace::Cookie("sid".to_owned()), LinkSource::Cookie("sid".to_owned()));
        individual.actions[2].links = vec![Link { place, from_action: 1, source }];
        let (weights, changes) = list_changes(&problem, &state, &individual, target);
        let weight_of = |is_it: &dyn Fn(&Change) -> bool| {
            let it = changes.iter().zip(&weights).find(|(change, _)| is_it(change));
            *it.expect("it can be changed").1
        };
        let refill = |idx| weight_of(&|change| matches!(change, Change::Refill(it) if *it == idx));
        let odds = &settings.odds;
        assert!((refill(1) - odds.change_login * refill(0)).abs() < 1e-9, "the login");
        assert!((refill(2) - odds.last_call * refill(0)).abs() < 1e-9, "what it lets in");
        let unlink = weight_of(&|change| matches!(change, Change::Unlink(2, 0)));
        assert!((unlink - odds.last_call * odds.unlink * odds.change_login).abs() < 1e-9);
    }

    /// What is wrong on purpose with the last calls of 400 samples and of a mutant of each.
    fn violations(p_invalid: f64) -> Vec<Option<CallViolation>> {
        let api = api();
        let settings = SearchSettings { p_invalid, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let target = state.targets.intern(TargetKind::Goal, "the operation");
        let mut violations = Vec::new();
        for _ in 0..400 {
            let individual = sample(&problem, &mut state);
            let execution = Execution { individual, calls: Vec::new(), elapsed: Duration::ZERO };
            let kept = Kept::new(Evaluation::new(execution, Vec::new()));
            let mutant = mutate(&problem, &mut state, &kept, target).individual;
            let last = [&kept.individual, &mutant].map(|it| it.actions.last().and_then(|action| action.violation.clone()));
            violations.extend(last);
        }
        violations
    }

    #[test]
    fn a_gene_takes_the_wrong_value_that_hid_it_when_it_can() {
        let api = api();
        let settings = SearchSettings::new(Budget::Calls(100), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let mut action = sample(&problem, &mut state).actions.remove(0);
        let place = ValuePlace::Parameter(0);
        let mut shown = |start: bool, sent: serde_json::Value| {
            action.parameters[0].assign(&start.into());
            let violation = Violation { pointer: String::new(), edit: Edit::Replace(sent), description: String::new() };
            action.violation = Some(CallViolation::Value(PlacedViolation { place, violation }));
            super::show(&mut action, place);
            assert_eq!(action.violation, None);
            action.parameters[0].to_json()
        };
        assert_eq!(shown(false, serde_json::json!("true")), Some(true.into()), "it reads as one");
        assert_eq!(shown(false, serde_json::json!("yes")), Some(false.into()), "no boolean");
    }

    /// Of 300 mutants of `PUT` and `GET /things/{name}` with the same name: those with another name in both, and in one.
    fn renamed(rename: f64) -> (usize, usize) {
        let mut api = Api::default();
        let text = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let name = Parameter { location: Location::Path, ..Parameter::query("name", text) };
        for verb in [Verb::Put, Verb::Get] {
            api.operations.push(Operation { parameters: vec![name.clone()], ..Operation::bare(verb, "/things/{name}") });
        }
        let odds = SearchOdds { rename, unlink: 0.0, refill: 0.0, ..SearchOdds::default() };
        let settings = SearchSettings { p_structure: 0.0, p_invalid: 0.0, odds, ..SearchSettings::new(Budget::Calls(100), 1) };
        let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
        let mut state = SearchState::new(&problem);
        let target = state.targets.intern(TargetKind::Goal, "the operation");
        let actions = [0, 1].map(|idx| {
            let mut action = problem.template(OperationIdx(idx));
            assert!(action.parameters[0].assign(&"lamp".into()));
            action
        });
        let execution =
            Execution { individual: Individual { actions: actions.to_vec() }, calls: Vec::new(), elapsed: Duration::ZERO };
        let kept = Kept::new(Evaluation::new(execution, Vec::new()));
        let mut n_renamed = (0, 0);
        for _ in 0..300 {
            let actions = mutate(&problem, &mut state, &kept, target).individual.actions;
            let [one, other] = [0, 1].map(|idx| actions[idx].parameters[0].to_json());
            n_renamed.0 += usize::from(one == other && one != Some("lamp".into()));
            n_renamed.1 += usize::from(one != other);
        }
        n_renamed
    }

    #[test]
    fn what_other_calls_name_the_same_is_renamed_with_it() {
        let [without, with] = [0.0, 1.0].map(renamed);
        assert!(without.0 < 30 && without.1 > 100, "{without:?}");
        assert!(with.0 > 100 && with.1 < 90, "{with:?}");
    }

    #[test]
    fn nothing_is_wrong_where_nothing_shall_be() {
        assert!(violations(0.0).iter().all(Option::is_none));
    }

    #[test]
    fn demanded_parameters_are_left_out_now_and_then() {
        let is_left_out = |violation: &Option<CallViolation>| matches!(violation, Some(CallViolation::Value(PlacedViolation { violation, .. })) if *violation == Violation::left_out());
        assert!(violations(0.5).iter().filter(|it| is_left_out(it)).count() > 5);
    }
}
