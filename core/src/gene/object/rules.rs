//! Constraints of an object: its fields, and the room each of them has.

use std::sync::Arc;

use serde_json::Value;

use crate::api::{Additional, ObjectSchema, Property};
use crate::gene::choice::Formats;
use crate::gene::seed::{Seed, Shape};

/// Constraints of an object.
#[derive(Debug)]
pub(super) struct ObjectRules {
    pub(super) fields: Vec<Field>,
    /// What fields that are not listed hold; none when they are forbidden.
    pub(super) extra: Option<Arc<Seed>>,
    /// What those hold that the service looks up by their names: anything, where the schema says no more than that they are
    /// objects, for so do generators of documents say that they may be of any class.
    pub(super) looked_up: Option<Arc<Seed>>,
    /// What their names must fit, when that is limited.
    pub(super) names: Option<Arc<Seed>>,
    /// Fields drawn at most that are not listed.
    pub(super) extras_drawn: usize,
    /// Fields of the smallest value that are not listed.
    pub(super) extras_needed: usize,
    /// Whether fields that are not listed are the point of the object.
    pub(super) is_map: bool,
    pub(super) min: usize,
    pub(super) max: usize,
    /// Whether the number of fields can become too small or too large.
    pub(super) is_counted: bool,
    /// Optional fields that are `readOnly`.
    pub(super) passed_over: Vec<String>,
    /// Optional fields left out for want of room, depth or any valid value.
    pub(super) out_of_reach: Vec<String>,
    /// Whether it is an array whose members are the fields.
    pub(super) is_tuple: bool,
    pub(super) examples: Arc<[Value]>,
}

/// A field that may be sent.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Arc<str>,
    pub(super) required: bool,
    pub(super) seed: Arc<Seed>,
    /// Whether the smallest value has it.
    pub(super) forced: bool,
}

/// How the room of an object is shared out: plain fields take one each, the rest is split evenly.
struct Shares {
    share: usize,
}

impl ObjectRules {
    pub(super) fn of(seed: &Seed, schema: &ObjectSchema, examples: Arc<[Value]>) -> Self {
        let mut rules = Self {
            min: schema.min_properties,
            max: schema.max_properties.unwrap_or(usize::MAX),
            is_tuple: schema.is_tuple,
            is_map: schema.properties.is_empty() || matches!(schema.additional, Additional::Typed(_)),
            examples,
            ..Self::default()
        };
        let extra = match schema.additional {
            Additional::Forbidden => None,
            Additional::Unspecified => Some(Shape::Any),
            Additional::Typed(id) => Some(Shape::Schema(id)),
        };
        let candidates = rules.candidates(seed, schema);
        let extra_size = extra.and_then(|shape| seed.source.extent(shape)).map(|extent| extent.size);
        let chosen = fillers(&candidates, schema.min_properties, extra_size);
        let (shares, mut plain_left) = Shares::split(seed, &candidates, extra, &chosen);
        for (property, size) in candidates {
            let is_plain = seed.source.is_plain(Shape::Schema(property.schema));
            let forced = property.required || chosen.contains(&property.name.as_str());
            let fits = forced || (!seed.is_deepest() && if is_plain { plain_left > 0 } else { size as usize <= shares.share });
            if !fits {
                rules.out_of_reach.push(property.name.clone());
                continue;
            }
            plain_left -= usize::from(is_plain && !forced);
            let room = if is_plain { 1 } else { (size as usize).max(shares.share) };
            let seed = seed.below(Shape::Schema(property.schema), room);
            rules.fields.push(Field { name: property.name.as_str().into(), required: property.required, seed, forced });
        }
        rules.names = schema.names.map(|id| seed.below(Shape::Schema(id), 1));
        rules.add_extras(seed, extra, shares.share);
        let forced = rules.fields.iter().filter(|field| field.forced).count();
        rules.extras_needed = rules.min.saturating_sub(forced);
        let required = rules.fields.iter().filter(|field| field.required).count();
        rules.is_counted = rules.min > required || schema.max_properties.is_some();
        rules
    }

    /// Properties that have a value and may be sent, with the size of their smallest one.
    fn candidates<'a>(&mut self, seed: &Seed, schema: &'a ObjectSchema) -> Vec<(&'a Property, u32)> {
        let mut candidates = Vec::new();
        for property in &schema.properties {
            let is_read_only = seed.source.schemas.at(property.schema).read_only;
            match seed.source.extent(Shape::Schema(property.schema)) {
                _ if is_read_only && !property.required => self.passed_over.push(property.name.clone()),
                Some(extent) => candidates.push((property, extent.size)),
                None => self.out_of_reach.push(property.name.clone()),
            }
        }
        candidates
    }

    /// A map of anything.
    pub(super) fn map(seed: &Seed) -> Self {
        let mut rules = Self { is_map: true, ..Self::default() };
        let members = seed.source.limits.max_members.max(1);
        rules.add_extras(seed, Some(Shape::Any), seed.room.saturating_sub(1) / members);
        rules
    }

    /// Whether a field that is not listed may have that name.
    pub(super) fn allows_name(&self, name: &str) -> bool {
        let fits = |names: &Arc<Seed>| match names.shape {
            Shape::Schema(id) => names.source.accepts(id, &Value::from(name), Formats::Asserted),
            _ => true,
        };
        self.names.as_ref().is_none_or(fits)
    }

    fn add_extras(&mut self, seed: &Seed, extra: Option<Shape>, room: usize) {
        let Some(shape) = extra else { return };
        let Some(size) = seed.source.extent(shape).map(|extent| extent.size as usize) else { return };
        let fits = !seed.is_deepest() && size <= room;
        self.extras_drawn = if fits { seed.source.limits.max_members } else { 0 };
        let extra = seed.below(shape, room.max(size));
        let is_bare = matches!(shape, Shape::Schema(id) if seed.source.is_bare_object(id));
        self.looked_up = Some(if is_bare { seed.below(Shape::Any, room.max(1)) } else { Arc::clone(&extra) });
        self.extra = Some(extra);
    }
}

impl Shares {
    /// The share of every part that is not plain, and the number of optional plain fields there is room for.
    fn split(seed: &Seed, candidates: &[(&Property, u32)], extra: Option<Shape>, chosen: &[&str]) -> (Self, usize) {
        let is_forced = |property: &Property| property.required || chosen.contains(&property.name.as_str());
        let is_plain = |property: &Property| seed.source.is_plain(Shape::Schema(property.schema));
        let forced: usize = candidates.iter().filter(|(property, _)| is_forced(property)).map(|(_, size)| *size as usize).sum();
        let left = seed.room.saturating_sub(1 + forced);
        let optional_plain = candidates.iter().filter(|(property, _)| !is_forced(property) && is_plain(property)).count();
        let plain = optional_plain.min(left);
        let extras = if extra.is_some() { seed.source.limits.max_members } else { 0 };
        let parts = candidates.iter().filter(|(property, _)| !is_plain(property)).count() + extras;
        (Self { share: (left - plain) / parts.max(1) }, plain)
    }
}

/// Names of the smallest optional fields that are needed to reach the least number of fields.
///
/// The same choice as in [`crate::api::Schemas::extent`]: fields that are not listed are preferred where they are smaller,
/// so that what is chosen has an end.
fn fillers<'a>(candidates: &[(&'a Property, u32)], min: usize, extra_size: Option<u32>) -> Vec<&'a str> {
    let required = candidates.iter().filter(|(property, _)| property.required).count();
    let mut optional: Vec<(u32, &str)> = candidates
        .iter()
        .filter(|(property, size)| !property.required && extra_size.is_none_or(|extra| *size <= extra))
        .map(|(property, size)| (*size, property.name.as_str()))
        .collect();
    optional.sort_by_key(|(size, _)| *size);
    optional.into_iter().take(min.saturating_sub(required)).map(|(_, name)| name).collect()
}
