//! What the places of a source say about a value, taken together.

use std::collections::{BTreeSet, HashSet};

use serde_json::Value;

use super::super::reader::Place;
use super::ranges::{absorb_numbers, narrow};
use super::remarks::absorb_remarks;
use super::tuple::{PLACES, is_tuple};
use super::{Lowering, Source};
use crate::api::json_schema::demanded::{demanded, forbids, shuts_out};
use crate::api::json_schema::keyword::{self, Bound, Node, TypeSet};
use crate::api::{Dialect, XmlHints};

/// Nesting of `allOf` and references in one schema beyond which no more is read.
const DEEPEST: usize = 64;

/// Keywords that validation knows and genes do not; [`PLACES`] only where there may be more or fewer members.
const UNSUPPORTED: [&str; 13] = [
    "not",
    "if",
    PLACES,
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
    "$dynamicRef",
    "contentSchema",
];

/// Whether `null` is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Null {
    /// Nothing is said about it.
    #[default]
    Silent,
    /// It is not.
    Forbidden,
    /// It is.
    Allowed,
    /// It is, whatever the rest says (`nullable`).
    Forced,
}

impl Null {
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Forbidden, _) | (_, Self::Forbidden) => Self::Forbidden,
            (Self::Forced, _) | (_, Self::Forced) => Self::Forced,
            (Self::Allowed, _) | (_, Self::Allowed) => Self::Allowed,
            _ => Self::Silent,
        }
    }
}

/// What one object schema says about properties.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) properties: Vec<(&'a str, Place<'a>)>,
    pub(super) rest: Rest<'a>,
    /// Whether `patternProperties` may allow names that are not listed.
    pub(super) has_patterns: bool,
}

/// What an object schema says about properties it does not list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rest<'a> {
    Open,
    Closed,
    Typed(Place<'a>),
}

/// A `oneOf` or `anyOf`.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// Address of the list.
    pub(super) address: usize,
    pub(super) options: Vec<Place<'a>>,
    pub(super) exclusive: bool,
    pub(super) discriminator: Option<(String, Vec<String>)>,
}

/// Everything that is demanded of a value.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    pub(super) never: bool,
    pub(super) null: Null,
    pub(super) types: Option<TypeSet>,
    pub(super) values: Option<Vec<Value>>,
    pub(super) lower: Option<Bound>,
    pub(super) upper: Option<Bound>,
    /// Range of numbers that `not` takes out, both ends included; of several the first.
    pub(super) gap: Option<(f64, f64)>,
    pub(super) steps: Vec<f64>,
    pub(super) length: (u64, Option<u64>),
    pub(super) patterns: Vec<&'a str>,
    /// Patterns that validation does not know, Java's most likely.
    pub(super) other_patterns: Vec<&'a str>,
    pub(super) format: Option<&'a str>,
    /// Places with the keyword `format`.
    pub(super) formats: Vec<Place<'a>>,
    pub(super) items: Vec<Place<'a>>,
    /// Schemas of the members of an array that has one for each of them; of several the first.
    pub(super) tuple: Vec<Place<'a>>,
    pub(super) n_items: (u64, Option<u64>),
    pub(super) unique: bool,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) required: Vec<&'a str>,
    pub(super) names: Vec<Place<'a>>,
    pub(super) n_properties: (u64, Option<u64>),
    pub(super) groups: Vec<Group<'a>>,
    pub(super) default: Option<Value>,
    pub(super) examples: Vec<Value>,
    pub(super) read_only: bool,
    pub(super) xml: Option<Box<XmlHints>>,
    seen: HashSet<usize>,
}

/// Where a schema stands among those that hold for the same value.
#[derive(Clone, Copy)]
struct Stand<'s, 'a> {
    /// Addresses of `oneOf` and `anyOf` lists that a branch was taken of already.
    spent: &'s [usize],
    /// Names demanded by what this is an opened part of.
    inherited: &'s BTreeSet<&'a str>,
    depth: usize,
}

impl Stand<'_, '_> {
    fn deeper(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

impl Facts<'_> {
    /// Whether nothing is demanded but what the groups do.
    pub(super) fn is_free(&self) -> bool {
        let bounds = (&self.length, &self.n_items, &self.n_properties);
        !self.never
            && self.types.is_none()
            && self.values.is_none()
            && (self.lower.is_none() && self.upper.is_none() && self.steps.is_empty())
            && bounds == (&(0, None), &(0, None), &(0, None))
            && (self.patterns.is_empty() && self.other_patterns.is_empty() && self.format.is_none())
            && (self.items.is_empty() && self.tuple.is_empty() && !self.unique)
            && (self.parts.is_empty() && self.required.is_empty())
    }
}

impl<'a> Lowering<'_, 'a> {
    /// What all places of `source` say.
    pub(super) fn facts(&mut self, source: &Source<'a>) -> Facts<'a> {
        let mut facts = Facts { types: source.only, ..Facts::default() };
        let stand = Stand { spent: &source.spent, inherited: &BTreeSet::new(), depth: 0 };
        for place in &source.places {
            let null = self.absorb(&mut facts, *place, stand);
            facts.null = facts.null.and(null);
        }
        facts
    }

    fn absorb(&mut self, facts: &mut Facts<'a>, place: Place<'a>, stand: Stand<'_, 'a>) -> Null {
        let node = match place.value {
            Value::Object(node) => node,
            Value::Bool(allows) => {
                facts.never |= !allows;
                return Null::Silent;
            }
            _ => {
                self.reader.repair(place, "is no schema, taken to allow anything");
                return Null::Silent;
            }
        };
        if stand.depth > DEEPEST || !facts.seen.insert(place.address()) {
            return Null::Silent;
        }
        let mut null = Null::Silent;
        if let Some(reference) = keyword::reference(node) {
            let is_alone = keyword::is_reference_only(node, place.dialect);
            match self.reader.target(reference) {
                Ok(target) if is_alone => null = self.absorb(facts, target, stand.deeper()),
                Ok(target) => null = self.absorb(facts, target, Stand { inherited: &BTreeSet::new(), ..stand.deeper() }),
                Err(reason) => self.reader.repair(place, format!("{reason}, taken to allow anything")),
            }
            if is_alone {
                return null;
            }
        }
        self.count_unsupported(place, node);
        null = null.and(self.absorb_node(facts, place, node));
        null = null.and(self.absorb_parts(facts, (place, node), stand));
        if keyword::is_nullable(node, place.dialect) { Null::Forced } else { null }
    }

    /// Properties, and the schemas that hold besides; what they demand may open closed objects.
    fn absorb_parts(&mut self, facts: &mut Facts<'a>, (place, node): (Place<'a>, &'a Node), stand: Stand<'_, 'a>) -> Null {
        let nothing = BTreeSet::new();
        let alone = Stand { inherited: &nothing, ..stand.deeper() };
        let mut null = Null::Silent;
        let mut demanded = demanded(self.reader.schemas(), node);
        demanded.extend(stand.inherited);
        let is_opened = forbids(node, &demanded) || shuts_out(self.reader.schemas(), node);
        self.absorb_object(facts, place, node, is_opened);
        for part in self.reader.members(place, "allOf") {
            let is_opened = self.canonical(part).object().is_some_and(|part| forbids(part, &demanded));
            let stand = Stand { inherited: &demanded, ..alone };
            null = null.and(self.absorb(facts, part, if is_opened { stand } else { alone }));
        }
        for name in ["oneOf", "anyOf"] {
            null = null.and(self.absorb_group(facts, (place, name), alone));
        }
        null
    }

    fn count_unsupported(&mut self, place: Place<'a>, node: &Node) {
        let is_unknown = |name: &&&str| node.contains_key(**name) && !(**name == PLACES && is_tuple(node));
        let mut names = UNSUPPORTED.iter().filter(is_unknown).peekable();
        if names.peek().is_some() && self.counted.insert(place.address()) {
            names.for_each(|name| self.reader.unsupported(name));
        }
        if node.get("items").is_some_and(Value::is_array) && self.counted.insert(place.address()) {
            self.reader.unsupported("items as list");
        }
    }

    /// The keywords of one schema object that stand for themselves.
    fn absorb_node(&mut self, facts: &mut Facts<'a>, place: Place<'a>, node: &'a Node) -> Null {
        let types = keyword::types(node);
        if let Some(types) = types {
            facts.types = Some(facts.types.map_or(types, |known| known.intersection(types)));
        }
        let values = keyword::enumeration(node, types);
        if let Some(doubt) = doubt(node, types, values.is_some()) {
            self.reader.repair(place, doubt);
        }
        let null = match (&values, types) {
            (Some(values), _) if !values.iter().any(|value| value.is_null()) => Null::Forbidden,
            (None, Some(types)) if !types.contains(TypeSet::NULL) => Null::Forbidden,
            (None, None) => Null::Silent,
            _ => Null::Allowed,
        };
        if let Some(values) = values {
            let values: Vec<Value> = values.into_iter().map(std::borrow::Cow::into_owned).collect();
            match &mut facts.values {
                Some(known) => known.retain(|value| values.contains(value)),
                None => facts.values = Some(values),
            }
        }
        absorb_numbers(facts, node);
        self.absorb_strings(facts, place, node);
        self.absorb_array(facts, place, node);
        absorb_remarks(facts, node);
        null
    }

    fn absorb_strings(&mut self, facts: &mut Facts<'a>, place: Place<'a>, node: &'a Node) {
        narrow(&mut facts.length, keyword::counts(node, "minLength", "maxLength"));
        if let Some(format) = string_format(node) {
            facts.format.get_or_insert(format);
        }
        if node.get("format").is_some_and(Value::is_string) {
            facts.formats.push(place);
        }
        let Some(pattern) = keyword::pattern(node) else { return };
        if node.get("pattern").is_some_and(|written| written != pattern) {
            self.reader.repair(place, "`pattern` is written between slashes, read without them");
        }
        let is_known = *self.patterns.entry(pattern).or_insert_with(|| keyword::compiles(pattern));
        let patterns = if is_known { &mut facts.patterns } else { &mut facts.other_patterns };
        if !patterns.contains(&pattern) {
            patterns.push(pattern);
        }
    }

    fn absorb_array(&mut self, facts: &mut Facts<'a>, place: Place<'a>, node: &'a Node) {
        narrow(&mut facts.n_items, keyword::counts(node, "minItems", "maxItems"));
        facts.unique |= node.get("uniqueItems") == Some(&Value::Bool(true));
        if let Some(items) = self.reader.child(place, "items").filter(|items| keyword::is_schema(items.value)) {
            facts.items.push(items);
        }
        if place.dialect == Dialect::OpenApi31 && is_tuple(node) && facts.tuple.is_empty() {
            facts.tuple = self.reader.members(place, PLACES);
        }
    }

    fn absorb_object(&mut self, facts: &mut Facts<'a>, place: Place<'a>, node: &'a Node, is_opened: bool) {
        narrow(&mut facts.n_properties, keyword::counts(node, "minProperties", "maxProperties"));
        for name in keyword::required(node) {
            if !facts.required.contains(&name) {
                facts.required.push(name);
            }
        }
        if place.dialect == Dialect::OpenApi31 {
            let names = self.reader.child(place, "propertyNames");
            facts.names.extend(names.filter(|names| keyword::is_schema(names.value)));
        }
        let rest = match self.reader.child(place, "additionalProperties") {
            Some(rest) if rest.value == &Value::Bool(false) => {
                if is_opened {
                    Rest::Open
                } else {
                    Rest::Closed
                }
            }
            Some(rest) if keyword::is_schema(rest.value) => Rest::Typed(rest),
            _ => Rest::Open,
        };
        let mut properties = self.reader.fields(place, "properties");
        properties.retain(|(name, property)| {
            let is_schema = keyword::is_schema(property.value);
            if !is_schema {
                self.reader.repair(*property, format!("property `{name}` has no schema, left out"));
            }
            is_schema
        });
        if !properties.is_empty() || !matches!(rest, Rest::Open) {
            let has_patterns = node.contains_key("patternProperties");
            facts.parts.push(Part { properties, rest, has_patterns });
        }
    }

    fn absorb_group(&mut self, facts: &mut Facts<'a>, (place, name): (Place<'a>, &'static str), stand: Stand<'_, 'a>) -> Null {
        let spent = stand.spent;
        let mut options = self.reader.members(place, name);
        options.retain(|option| keyword::is_schema(option.value));
        let Some(list) = self.reader.child(place, name) else { return Null::Silent };
        let is_null = |option: &Place<'a>| option.object().is_some_and(|node| keyword::types(node) == Some(TypeSet::NULL));
        let n_options = options.len();
        if n_options == 2 {
            options.retain(|option| !is_null(option));
        }
        if spent.contains(&list.address()) || options.is_empty() {
            return Null::Silent;
        }
        let discriminator = Self::discriminator(place, &options);
        let exclusive = name == "oneOf" && !place.object().is_some_and(keyword::is_told_apart);
        let group = Group { address: list.address(), options, exclusive, discriminator };
        match &group.options[..] {
            [single] => {
                let null = self.absorb(facts, *single, stand);
                if n_options == 2 { Null::Allowed } else { null }
            }
            [first, ..] if spent.len() + facts.groups.len() >= 3 => {
                self.reader.unsupported("oneOf or anyOf beside three others (the first branch is taken)");
                self.absorb(facts, *first, stand)
            }
            _ => {
                if facts.seen.insert(group.address) {
                    facts.groups.push(group);
                }
                Null::Silent
            }
        }
    }

    /// The property that names a branch, and the name of each branch.
    fn discriminator(place: Place<'_>, options: &[Place<'_>]) -> Option<(String, Vec<String>)> {
        let discriminator = place.value.get("discriminator")?;
        let property = discriminator.get("propertyName")?.as_str()?;
        let mapping = discriminator.get("mapping").and_then(Value::as_object);
        let names = options.iter().map(|option| {
            let reference = option.text("$ref")?;
            let last = reference.rsplit('/').next().unwrap_or(reference);
            let is_meant = |value: &Value| value.as_str().is_some_and(|to| to == reference || to == last);
            let mapped = mapping.into_iter().flatten().find(|(_, to)| is_meant(to)).map(|(name, _)| name.as_str());
            Some(mapped.unwrap_or(last).to_owned())
        });
        Some((property.to_owned(), names.collect::<Option<Vec<_>>>()?))
    }
}

/// What of `type` and `enum` was not believed in.
fn doubt(node: &Node, types: Option<TypeSet>, has_values: bool) -> Option<String> {
    let named = node.get("type").filter(|named| !named.is_null())?;
    match (keyword::named_types(node), types) {
        (None, _) => Some(format!("`type` {named} is not known, left out")),
        (Some(_), None) => Some(format!("no value of `enum` is of `type` {named}, the type is left out")),
        _ if !has_values && !keyword::listed(node).is_empty() => {
            Some(format!("no value of `enum` is of `type` {named}, the values are left out"))
        }
        _ => None,
    }
}

/// `format`, or what stands for it; of numbers too.
fn string_format(node: &Node) -> Option<&str> {
    let text = |name: &str| node.get(name).and_then(Value::as_str);
    match (text("format"), text("contentEncoding")) {
        (Some(format), _) => Some(format),
        (None, Some("base64")) => Some("byte"),
        _ if text("type") == Some("file") => Some("binary"),
        _ if text("contentMediaType") == Some("application/octet-stream") => Some("binary"),
        _ => text("type").filter(|name| matches!(*name, "date" | "date-time" | "uuid" | "int32" | "int64" | "float")),
    }
}
