//! What a call refers to by the names of its parameters, header fields and fields of its body is made before it.

use crate::action::Action;
use crate::api::{Location, OperationIdx};
use crate::gene::GeneSite;
use crate::search::SearchState;
use crate::search::accounts::name_account;
use crate::search::names::refers;
use crate::search::origin::Origin;

use super::{Draft, MAX_DEPTH};

/// References of one body that are linked, at most.
const MAX_REFERENCES: usize = 12;

impl Draft<'_, '_> {
    /// Links query parameters and body fields whose names refer to a resource: `customerId`.
    pub(super) fn link_references(&mut self, action: &mut Action, depth: usize) {
        let odds = &self.problem.settings.odds;
        let p_link = if depth > 0 { odds.link_creators } else { odds.link_references };
        if depth >= MAX_DEPTH || !self.state.random.chance(p_link) {
            return;
        }
        let operation_idx = action.operation_idx;
        let operation = self.problem.api.operation(operation_idx);
        for (place, parameter) in operation.parameters.iter().enumerate() {
            if parameter.location == Location::Query
                && refers(&parameter.name)
                && action.parameters[place].to_json().is_some()
                && let Some(origin) = self.referred(operation_idx, &parameter.name, depth)
            {
                origin.name(self.problem.api, &self.actions, action, place);
            }
        }
        self.link_headers(action, depth);
        self.link_account(action, depth);
        let Some(body) = action.body.as_ref().filter(|body| body.present) else { return };
        let sites = body.alternatives[body.active].sites().into_iter();
        let fields: Vec<GeneSite> = sites.filter(|site| refers(&site.name)).take(MAX_REFERENCES).collect();
        for site in fields {
            if let Some(origin) = self.referred(operation_idx, &site.name, depth) {
                origin.name_in_body(action, site);
            }
        }
    }

    /// Links header fields and cookies whose names refer to a resource, or to what the caller said of it: `X-Tenant-Id`. Those
    /// that no document has are sent what was said alone.
    pub(super) fn link_headers(&mut self, action: &mut Action, depth: usize) {
        let operation_idx = action.operation_idx;
        let operation = self.problem.api.operation(operation_idx);
        let resources = &self.state.resources;
        let inputs = action.inputs(operation).enumerate();
        let headers = inputs.filter(|(_, it)| matches!(it.location, Location::Header | Location::Cookie));
        let made = headers.filter_map(|(place, it)| Some((place, resources.creator_of_header(operation_idx, &it.name)?)));
        let made: Vec<(usize, (OperationIdx, String))> = made.collect();
        for (place, (post, name)) in made {
            let key = format!("{name}:{}", self.problem.api.operation(post).url_path);
            let Some(mut origin) = self.made_by(post, (&name, key), depth) else { continue };
            origin.answered.take_if(|_| place >= operation.parameters.len());
            origin.name(self.problem.api, &self.actions, action, place);
        }
    }

    /// Has a call that logs in name an account that the test makes.
    fn link_account(&mut self, action: &mut Action, depth: usize) {
        let Some(maker) = self.state.accounts.maker(action.operation_idx) else { return };
        if let Some(position) = self.position_of(maker, depth) {
            name_account(action, &self.actions[position]);
        }
    }

    /// Has a call that is refused without credentials sent with those that other calls of the test have, or else by its odds with
    /// those that another one is told.
    pub(super) fn log_in(&mut self, action: &mut Action, depth: usize) {
        let SearchState { logins, random, .. } = &mut *self.state;
        let Some(maker) = logins.maker_of_credentials(action.operation_idx, random).filter(|_| depth < MAX_DEPTH) else {
            return;
        };
        let mut links = self.actions.iter().flat_map(|action| &action.links);
        let known = links.find(|link| link.place.shows_credentials()).map(|link| link.from_action);
        if known.is_none() && !random.chance(self.problem.settings.odds.log_in) {
            return;
        }
        if let Some(position) = known.or_else(|| self.position_of(maker, depth)) {
            self.state.logins.let_in(action, self.actions[position].operation_idx, position);
        }
    }

    /// The resource that `name` refers to: the one already made, or a new one.
    fn referred(&mut self, operation_idx: OperationIdx, name: &str, depth: usize) -> Option<Origin> {
        let post = self.state.resources.creator_of_name(operation_idx, name, "")?;
        self.made_by(post, (name, format!("noun:{}", self.problem.api.operation(post).url_path)), depth)
    }

    /// What `post` makes, known under `key` from then on: what it has already made, or something new.
    fn made_by(&mut self, post: OperationIdx, (name, key): (&str, String), depth: usize) -> Option<Origin> {
        if !self.made.contains_key(&key) {
            let from_action = self.position_of(post, depth)?;
            let origin = Origin::of_post((&self.actions, from_action), name, self.state);
            self.made.insert(key.clone(), origin);
        }
        self.made.get(&key).cloned()
    }

    /// Where a call of this operation stands, the first one, or a new one; none where there is no room.
    fn position_of(&mut self, operation_idx: OperationIdx, depth: usize) -> Option<usize> {
        let earlier = self.actions.iter().position(|action| action.operation_idx == operation_idx);
        let has_room = self.actions.len() + 1 < self.room;
        earlier.or_else(|| has_room.then(|| self.add_with_creators(operation_idx, depth + 1)))
    }
}
