//! Which operation creates what another one needs, from names of path segments, parameters and body fields,
//! and which part of an answer identifies what was created, or leads to another operation, learned from answers (`search.md` 4).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, Link, LinkSource};
use crate::api::{Api, Location, OperationIdx, SchemaKind, Verb};
use crate::random::Random;

use super::Problem;
use super::address::Addresses;
use super::names::{has_several_words, normalise, noun_of, rank_of_name, refers, singular, split_verb};

/// Scalar fields remembered per creating operation.
const MAX_FIELDS: usize = 40;
/// Rank of a field whose name says nothing.
const NO_NAME: u8 = 9;
/// Characters of a text that names something whatever the field that holds it is called.
const LEAST_TELLING: usize = 6;
/// Links to one operation that are learned, at most.
const MAX_LINKS: usize = 16;
/// Successful answers of one operation in which URLs are looked for, at most.
const MAX_LOOKS: u32 = 64;
/// How often a link that was seen is followed whatever comes of it.
const FOLLOWED_ANYWAY: u32 = 6;
/// One of so many calls that follow it must succeed from then on.
const LEAST_MET: u32 = 8;

/// Creating operations by what they create, and what their answers look like.
#[derive(Debug, Clone, Default)]
pub struct Resources {
    /// POST operations (and PUT ones where there is none) by collection path.
    by_path: BTreeMap<String, Vec<OperationIdx>>,
    /// POST operations by the singular noun of their last fixed segment.
    by_noun: BTreeMap<String, Vec<OperationIdx>>,
    /// By a text that the body of one POST alone has (`apiKey`), that POST; none where several have it.
    by_text: BTreeMap<String, Option<OperationIdx>>,
    /// OpenAPI links by the operation they lead to.
    links: BTreeMap<OperationIdx, Vec<AnswerLink>>,
    /// What URLs in answers were seen to lead to, by that operation.
    seen: BTreeMap<OperationIdx, Vec<SeenLink>>,
    /// What URLs lead to.
    addresses: Addresses,
    /// JSON pointers of scalars in successful answers, with whether a `Location` header came.
    learned: BTreeMap<OperationIdx, Learned>,
}

/// An OpenAPI link, or a URL that answers were seen to have, from the operation it leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLink {
    /// The operation whose answer is used.
    pub from: OperationIdx,
    /// Parameter positions and what of the answer goes there.
    pub parameters: Vec<(usize, LinkSource)>,
}

/// A link by a URL that was seen, and what came of it.
#[derive(Debug, Clone)]
struct SeenLink {
    link: AnswerLink,
    n_followed: u32,
    /// How often what it led to was there.
    n_met: u32,
}

impl SeenLink {
    /// Whether it may lead to something: services also tell of URLs that nothing is at, such as those that they were asked for.
    fn is_worth_it(&self) -> bool {
        self.n_followed < FOLLOWED_ANYWAY || self.n_met * LEAST_MET >= self.n_followed
    }
}

/// What successful answers of an operation offered.
#[derive(Debug, Clone, Default)]
struct Learned {
    pointers: Vec<String>,
    location: bool,
    /// Answers in which URLs were looked for.
    n_looks: u32,
}

/// An operation that creates what a parameter names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creator {
    /// A POST: its answer says what the new resource is called.
    Post(OperationIdx),
    /// A PUT or POST on the path of the resource itself: the caller chooses the name.
    Named(OperationIdx),
}

impl Resources {
    /// Reads off the creators among `operations`.
    pub fn new(api: &Api, operations: &[OperationIdx]) -> Self {
        let mut resources = Self { addresses: Addresses::new(api, operations), ..Self::default() };
        for operation_idx in operations {
            let operation = api.operation(*operation_idx);
            let url_path = operation.url_path.trim_end_matches('/');
            match operation.verb {
                Verb::Post => {
                    resources.by_path.entry(url_path.to_owned()).or_default().push(*operation_idx);
                    let noun = noun_of(url_path);
                    if !noun.is_empty() && !url_path.ends_with('}') {
                        resources.by_noun.entry(noun).or_default().push(*operation_idx);
                    }
                    resources.add_texts(api, *operation_idx);
                }
                Verb::Put if url_path.ends_with('}') => {
                    resources.by_path.entry(url_path.to_owned()).or_default().push(*operation_idx);
                }
                _ => {}
            }
            resources.add_document_links(api, operations, *operation_idx);
        }
        resources.add_verbs(api, operations);
        resources
    }

    /// Notes the texts in the body of a POST whose names have several words, for one word names many things.
    fn add_texts(&mut self, api: &Api, post: OperationIdx) {
        let mut names = BTreeSet::new();
        for body in &api.operation(post).bodies {
            let SchemaKind::Object(object) = &api.schemas.at(body.schema).kind else { continue };
            let texts = object.properties.iter().filter(|it| matches!(api.schemas.at(it.schema).kind, SchemaKind::String(_)));
            names.extend(texts.filter(|it| has_several_words(&it.name)).map(|it| normalise(&it.name)));
        }
        for name in names {
            self.by_text.entry(name).and_modify(|of| *of = None).or_insert(Some(post));
        }
    }

    /// Creators by the verb at the end of their path, behind those that need none.
    fn add_verbs(&mut self, api: &Api, operations: &[OperationIdx]) {
        for operation_idx in operations.iter().filter(|idx| api.operation(**idx).verb == Verb::Post) {
            let url_path = api.operation(*operation_idx).url_path.trim_end_matches('/');
            let Some((collection, rest)) = split_verb(url_path) else { continue };
            if rest.is_empty() {
                self.by_path.entry(collection.to_owned()).or_default().push(*operation_idx);
            }
            let noun = if rest.is_empty() { noun_of(collection) } else { singular(&normalise(rest)) };
            self.by_noun.entry(noun).or_default().push(*operation_idx);
        }
    }

    fn add_document_links(&mut self, api: &Api, operations: &[OperationIdx], from: OperationIdx) {
        for link in api.operation(from).responses.iter().flat_map(|response| &response.links) {
            let parameters = &api.operation(link.operation_idx).parameters;
            let sources = link.parameters.iter().filter_map(|(name, expression)| {
                let name = ["path.", "query.", "header.", "cookie."].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
                let place = parameters.iter().position(|parameter| parameter.name == *name)?;
                Some((place, source_of(expression.as_str()?)?))
            });
            let parameters: Vec<(usize, LinkSource)> = sources.collect();
            if !parameters.is_empty() && operations.contains(&link.operation_idx) {
                self.links.entry(link.operation_idx).or_default().push(AnswerLink { from, parameters });
            }
        }
    }

    /// By its odds a link that leads to `operation_idx`.
    pub fn draw_link(&self, problem: &Problem, operation_idx: OperationIdx, random: &mut Random) -> Option<AnswerLink> {
        let (api, odds) = (problem.api, &problem.settings.odds);
        let documented = self.document_links(operation_idx);
        if !documented.is_empty() && random.chance(odds.document_links) {
            return random.pick(documented).cloned();
        }
        let seen = self.seen_links(operation_idx);
        let has_creator = |name: &str| !self.creators_of_path_parameter(api, operation_idx, name).is_empty();
        let mut in_path = api.operation(operation_idx).parameters.iter().filter(|it| it.location == Location::Path);
        let mut is_made = || in_path.all(|parameter| has_creator(&parameter.name));
        if seen.is_empty() || !random.chance(if is_made() { odds.other_links } else { odds.seen_links }) {
            return None;
        }
        random.pick(&seen).map(|link| (*link).clone())
    }

    /// OpenAPI links that lead to `operation_idx`.
    fn document_links(&self, operation_idx: OperationIdx) -> &[AnswerLink] {
        self.links.get(&operation_idx).map_or(&[], Vec::as_slice)
    }

    /// Links by URLs in answers that lead to `operation_idx`, without those that lead nowhere.
    fn seen_links(&self, operation_idx: OperationIdx) -> Vec<&AnswerLink> {
        let seen = self.seen.get(&operation_idx).into_iter().flatten();
        seen.filter(|seen| seen.is_worth_it()).map(|seen| &seen.link).collect()
    }

    /// Notes whether the call at `call_idx` met what a URL of an earlier answer leads to, where it follows one.
    pub fn note_followed(&mut self, actions: &[Action], call_idx: usize, status: u16) {
        let Some(action) = actions.get(call_idx) else { return };
        let follows = |link: &&Link| matches!(link.source, LinkSource::Segment(..));
        let Some(first) = action.links.iter().find(follows) else { return };
        let Some(from) = actions.get(first.from_action).map(|action| action.operation_idx) else { return };
        let is_it = |seen: &&mut SeenLink| {
            seen.link.from == from && seen.link.parameters.iter().any(|(_, source)| *source == first.source)
        };
        if let Some(seen) = self.seen.get_mut(&action.operation_idx).and_then(|seen| seen.iter_mut().find(is_it)) {
            seen.n_followed += 1;
            seen.n_met += u32::from((200..300).contains(&status));
        }
    }

    /// Who creates what the path parameter `name` of `operation` names; never `operation_idx` itself. Several only where a path
    /// does not tell: by the noun, and a POST on the path of the thing itself, which may as well change what is there.
    pub fn creators_of_path_parameter(&self, api: &Api, operation_idx: OperationIdx, name: &str) -> Vec<Creator> {
        let operation = api.operation(operation_idx);
        let placeholder = format!("{{{name}}}");
        let Some(end) = operation.url_path.find(&placeholder) else { return Vec::new() };
        let collection = operation.url_path[..end].trim_end_matches('/');
        let item = &operation.url_path[..end + placeholder.len()];
        let find = |url_path: &str, verb: Verb| {
            let mut there = self.by_path.get(url_path).into_iter().flatten().copied();
            there.find(|idx| *idx != operation_idx && api.operation(*idx).verb == verb)
        };
        let by_path = find(collection, Verb::Post).map(Creator::Post);
        if let Some(creator) = by_path.or_else(|| find(item, Verb::Put).map(Creator::Named)) {
            return vec![creator];
        }
        let by_noun = self.creator_of_name(operation_idx, name, &noun_of(collection)).map(Creator::Post);
        by_noun.into_iter().chain(find(item, Verb::Post).map(Creator::Named)).collect()
    }

    /// The POST that creates what a field or parameter called `name` refers to: `customerId`, `customer_id`, `customer`.
    pub fn creator_of_name(&self, operation_idx: OperationIdx, name: &str, noun: &str) -> Option<OperationIdx> {
        let name = normalise(name);
        let stem =
            ["uuid", "ids", "id", "key", "name", "code"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(&name);
        let candidates = [stem, noun];
        let found = candidates.iter().filter(|noun| !noun.is_empty()).find_map(|noun| self.by_noun.get(&singular(noun)))?;
        found.iter().copied().find(|idx| *idx != operation_idx)
    }

    /// The POST that creates what a header field refers to, and the name that this has there: `X-Tenant-Id` what `POST /tenants`
    /// creates, `X-Shop-ApiKey` the `apiKey` in the body of a POST.
    pub fn creator_of_header(&self, operation_idx: OperationIdx, header: &str) -> Option<(OperationIdx, String)> {
        let starts = header.match_indices(['-', '_']).map(|(at, _)| at + 1);
        let names: Vec<String> = [0].into_iter().chain(starts).map(|start| normalise(&header[start..])).collect();
        names.into_iter().find_map(|name| {
            let referred = if refers(&name) { self.creator_of_name(operation_idx, &name, "") } else { None };
            let post = referred.or_else(|| self.by_text.get(&name).copied().flatten())?;
            (post != operation_idx).then_some((post, name))
        })
    }

    /// Notes what a successful answer of a creating operation offers.
    pub fn learn(&mut self, operation_idx: OperationIdx, result: &ActionResult) {
        let Some(answer) = result.answer().filter(|answer| (200..300).contains(&answer.status)) else { return };
        let learned = self.learned.entry(operation_idx).or_default();
        learned.location |= answer.header("location").is_some();
        if let Some(json) = answer.json() {
            collect_pointers(json, &mut String::new(), 0, &mut learned.pointers);
        }
    }

    /// Notes which operations the URLs in a successful answer of `from` lead to.
    pub fn learn_links(&mut self, from: OperationIdx, result: &ActionResult) {
        let Some(json) = result.answer().filter(|answer| (200..300).contains(&answer.status)).and_then(Answer::json) else {
            return;
        };
        let learned = self.learned.entry(from).or_default();
        if learned.n_looks >= MAX_LOOKS {
            return;
        }
        learned.n_looks += 1;
        for (operation_idx, parameters) in self.addresses.in_answer(from, json) {
            let links = self.seen.entry(operation_idx).or_default();
            let link = AnswerLink { from, parameters };
            if links.len() < MAX_LINKS && links.iter().all(|seen| seen.link != link) {
                links.push(SeenLink { link, n_followed: 0, n_met: 0 });
            }
        }
    }

    /// Whether no successful answer of `creator` was seen, or one had something that may be the name of what it created, for a
    /// parameter called `name`.
    pub fn tells_identity(&self, creator: OperationIdx, name: &str) -> bool {
        let is_told = |learned: &Learned| {
            learned.location || learned.pointers.iter().any(|pointer| rank_of_pointer(pointer, name) < NO_NAME)
        };
        self.learned.get(&creator).is_none_or(is_told)
    }

    /// The part of the answer of `creator` that identifies what it created, for a parameter called `name`.
    ///
    /// Among the fields that were seen, an equal name wins, then `id`, then a name that ends so, then `Location`, then what else
    /// may be one; before anything was seen, `id` or `Location`.
    pub fn identity(&self, creator: OperationIdx, name: &str, random: &mut Random) -> LinkSource {
        let Some(learned) = self.learned.get(&creator).filter(|learned| learned.location || !learned.pointers.is_empty())
        else {
            return if random.chance(0.7) { LinkSource::Body("/id".to_owned()) } else { LinkSource::LocationSegment };
        };
        let rank = |pointer: &String| rank_of_pointer(pointer, name);
        let best = learned.pointers.iter().min_by_key(|pointer| (rank(pointer), pointer.matches('/').count(), pointer.len()));
        match best {
            Some(pointer) if learned.location && rank(pointer) > 2 && random.chance(0.9) => LinkSource::LocationSegment,
            Some(pointer) if random.chance(0.95) && !(learned.location && random.chance(0.1)) => {
                LinkSource::Body(pointer.clone())
            }
            Some(_) if learned.location => LinkSource::LocationSegment,
            Some(_) => random.pick(&learned.pointers).map_or(LinkSource::LocationSegment, |p| LinkSource::Body(p.clone())),
            None => LinkSource::LocationSegment,
        }
    }
}

/// What of an answer says `text`, as the name that a parameter called `name` wants; a short text where only its name tells.
pub fn told_as(answer: &Answer, name: &str, text: &str) -> Option<LinkSource> {
    let mut pointers = Vec::new();
    let json = answer.json().inspect(|json| collect_pointers(json, &mut String::new(), 0, &mut pointers));
    let says_it = |source: &LinkSource| {
        source.resolve(answer).is_some_and(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned) == text)
    };
    let ranked = pointers.into_iter().map(|pointer| (rank_of_pointer(&pointer, name), pointer.matches('/').count(), pointer));
    let telling = ranked.filter(|(rank, ..)| *rank < NO_NAME || text.len() >= LEAST_TELLING);
    let mut told =
        telling.map(|(rank, depth, pointer)| (rank, depth, LinkSource::Body(pointer))).filter(|(.., it)| says_it(it));
    let best = json.and_then(|_| told.by_ref().min_by_key(|(rank, depth, _)| (*rank, *depth))).map(|(.., source)| source);
    best.or_else(|| Some(LinkSource::LocationSegment).filter(says_it))
}

/// Whether what is at a JSON pointer may be the name that a parameter called `name` wants; the best rank is 0.
fn rank_of_pointer(pointer: &str, name: &str) -> u8 {
    rank_of_name(pointer.rsplit('/').next().unwrap_or_default(), name).unwrap_or(NO_NAME)
}

/// What of an answer a run-time expression means (OpenAPI 3.0.3, "Runtime Expressions"); none for requests and constants.
fn source_of(expression: &str) -> Option<LinkSource> {
    let rest = expression.trim().trim_start_matches('{').trim_end_matches('}').strip_prefix("$response.")?;
    if let Some(pointer) = rest.strip_prefix("body#") {
        return Some(LinkSource::Body(pointer.to_owned()));
    }
    rest.strip_prefix("header.").map(|name| LinkSource::Header(name.to_owned()))
}

/// Adds the pointers of all scalars of the first few levels.
fn collect_pointers(value: &Value, pointer: &mut String, depth: usize, pointers: &mut Vec<String>) {
    match value {
        Value::Object(fields) if depth < 4 => {
            for (name, value) in fields {
                let length = pointer.len();
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                collect_pointers(value, pointer, depth + 1, pointers);
                pointer.truncate(length);
            }
        }
        Value::Array(members) if depth < 4 => {
            if let Some(first) = members.first() {
                let length = pointer.len();
                pointer.push_str("/0");
                collect_pointers(first, pointer, depth + 1, pointers);
                pointer.truncate(length);
            }
        }
        Value::String(text) if text.is_empty() || text.len() > 200 => {}
        Value::String(_) | Value::Number(_) if pointers.len() < MAX_FIELDS && !pointers.contains(pointer) => {
            pointers.push(pointer.clone());
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
