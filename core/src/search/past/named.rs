//! What calls name, and who makes what goes by that name.

use serde_json::Value;

use crate::action::{Action, Link, LinkPlace, LinkSource};
use crate::api::{Api, OperationIdx};
use crate::search::names::refers;
use crate::search::origin::sent_as;
use crate::search::resource::{Creator, Resources, told_as};

use super::Deed;

/// Characters of a text that says more than others.
const LEAST_TELLING: usize = 3;
/// Characters of a text that two calls do not say by chance.
const LEAST_ALIKE: usize = 6;

/// Something that a call names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    /// The operation of the call.
    pub operation_idx: OperationIdx,
    /// Where.
    pub place: NamePlace,
    /// As a path has it.
    pub text: String,
}

/// Where a call names something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NamePlace {
    /// By the path parameter at this position.
    Path(usize),
    /// By the field at this JSON pointer of its body, which refers to it.
    Body(String),
}

/// What is known of a service, for following names.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// Its operations.
    pub api: &'a Api,
    /// Who makes what.
    pub resources: &'a Resources,
}

impl<'a> Known<'a> {
    /// What a call names by its path.
    pub(super) fn path_names(self, action: &Action) -> impl Iterator<Item = Name> {
        let operation = self.api.operation(action.operation_idx);
        let in_path = (0..operation.parameters.len()).filter(|place| operation.prefix_to(*place).is_some());
        let unlinked = in_path.filter(|place| !is_linked(action, &LinkPlace::Parameter(*place)));
        unlinked.filter_map(|place| {
            let text = text_of(&action.parameters.get(place)?.to_json()?)?;
            Some(Name { operation_idx: action.operation_idx, place: NamePlace::Path(place), text })
        })
    }

    /// What a call names by its path and by what its body refers to, but for what it takes from earlier answers.
    pub(super) fn names(self, action: &Action) -> Vec<Name> {
        let mut names: Vec<Name> = self.path_names(action).collect();
        let body = action.body.as_ref().filter(|body| body.present).map(|body| &body.alternatives[body.active]);
        let Some((body, json)) = body.and_then(|body| Some((body, body.to_json()?))) else { return names };
        for site in body.sites().into_iter().filter(|site| refers(&site.name)) {
            let text = json.pointer(&site.pointer).and_then(text_of);
            let place = LinkPlace::Body(site.pointer.clone());
            if let Some(text) = text.filter(|_| !is_linked(action, &place)) {
                names.push(Name { operation_idx: action.operation_idx, place: NamePlace::Body(site.pointer), text });
            }
        }
        names
    }

    /// What the call at `idx` names that no earlier call of the test makes under this name.
    pub(super) fn foreign_names(self, actions: &[Action], idx: usize) -> Vec<Name> {
        let is_made = |name: &Name| {
            let creators = self.creators(name);
            actions[..idx].iter().any(|action| self.says(action, name, &creators))
        };
        self.names(&actions[idx]).into_iter().filter(|name| !is_made(name)).collect()
    }

    /// Who makes what `name` names.
    pub(super) fn creators(self, name: &Name) -> Vec<Creator> {
        match &name.place {
            NamePlace::Path(_) => self.resources.creators_of_path_parameter(self.api, name.operation_idx, self.parameter(name)),
            NamePlace::Body(_) => {
                let post = self.resources.creator_of_name(name.operation_idx, self.parameter(name), "");
                post.map(Creator::Post).into_iter().collect()
            }
        }
    }

    /// The name of the parameter or field.
    fn parameter(self, name: &'a Name) -> &'a str {
        match &name.place {
            NamePlace::Path(place) => &self.api.operation(name.operation_idx).parameters[*place].name,
            NamePlace::Body(pointer) => pointer.rsplit('/').find(|it| it.parse::<usize>().is_err()).unwrap_or_default(),
        }
    }

    /// The path up to what `name` names, whatever its parameters are called; none of what a body names.
    pub(super) fn thing(self, name: &Name) -> Option<String> {
        let NamePlace::Path(place) = name.place else { return None };
        let prefix = self.api.operation(name.operation_idx).prefix_to(place)?;
        Some(
            prefix
                .split('/')
                .map(|segment| if segment.starts_with('{') { "{}" } else { segment })
                .collect::<Vec<_>>()
                .join("/"),
        )
    }

    /// Whether `action` makes what `name` names under the name that it sends; where nobody is known to make that, whether its
    /// body says the same where a name like that would stand, or a text that is not said by chance.
    fn says(self, action: &Action, name: &Name, creators: &[Creator]) -> bool {
        let is_it = |value: Option<Value>| value.as_ref().and_then(text_of).as_ref() == Some(&name.text);
        let sends_it = || is_it(sent_as(action, self.parameter(name)).and_then(|gene| gene.to_json()));
        let says_it = || texts_of(action).iter().any(|(text, _)| *text == name.text);
        if creators.is_empty() {
            return sends_it() || name.text.len() >= LEAST_ALIKE && says_it();
        }
        creators.iter().any(|creator| match creator {
            Creator::Post(post) if action.operation_idx == *post => sends_it(),
            Creator::Named(named) if action.operation_idx == *named => {
                self.path_names(action).last().is_some_and(|other| other.text == name.text)
            }
            Creator::Post(_) | Creator::Named(_) => false,
        })
    }

    /// Whether `deed` made what `name` names.
    pub(super) fn made(self, deed: &Deed, name: &Name, creators: &[Creator]) -> bool {
        deed.may_say(&name.text) && self.says(&deed.action, name, creators) || self.told(deed, name, creators).is_some()
    }

    /// What of the answer of `deed` is what `name` names, where it may have made that.
    fn told(self, deed: &Deed, name: &Name, creators: &[Creator]) -> Option<LinkSource> {
        let is_unknown = creators.is_empty() && name.text.len() >= LEAST_ALIKE;
        let may_make = is_unknown || creators.contains(&Creator::Post(deed.action.operation_idx));
        let answer = Some(deed).filter(|deed| may_make && deed.may_tell(&name.text)).map(Deed::answer);
        answer.and_then(|answer| told_as(&answer, self.parameter(name), &name.text))
    }

    /// Has the calls behind `position` take from its answer what `deed`, which stands there, was told and they name.
    pub(super) fn link(self, actions: &mut [Action], position: usize, deed: &Deed) {
        for action in &mut actions[position + 1..] {
            for name in self.names(action) {
                let source = self.told(deed, &name, &self.creators(&name));
                action.links.extend(source.map(|source| Link { place: name.place.into(), from_action: position, source }));
            }
        }
    }
}

impl From<NamePlace> for LinkPlace {
    fn from(place: NamePlace) -> Self {
        match place {
            NamePlace::Path(place) => Self::Parameter(place),
            NamePlace::Body(pointer) => Self::Body(pointer),
        }
    }
}

fn is_linked(action: &Action, place: &LinkPlace) -> bool {
    action.links.iter().any(|link| link.place == *place)
}

/// A scalar as a path has it.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The texts in the body of a call, each with its JSON pointer, less those that say little.
pub(super) fn texts_of(action: &Action) -> Vec<(String, String)> {
    let body = action.body.as_ref().filter(|body| body.present).map(|body| &body.alternatives[body.active]);
    let Some((body, json)) = body.and_then(|body| Some((body, body.to_json()?))) else { return Vec::new() };
    let text = |pointer: &str| json.pointer(pointer)?.as_str().filter(|it| it.len() >= LEAST_TELLING).map(str::to_owned);
    body.sites().into_iter().filter_map(|site| Some((text(&site.pointer)?, site.pointer))).collect()
}
