//! Objects with known fields, and maps.

mod open;
mod rules;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::seed::{Seed, no_examples};
use super::{Conversion, EnumGene, Gene, Mutation, OptionalGene};
use crate::api::ObjectSchema;
use crate::random::Random;
pub use open::FieldName;
use rules::ObjectRules;

/// Draws for a change that keeps the number of fields within its limits.
const TRIES: usize = 8;
/// Probability that fields are added which the schema allows but does not speak of.
const P_UNKNOWN: f64 = 0.02;
/// Names that are made up for fields which the schema does not list.
const NAMES: [&str; 12] = ["a", "b", "key", "id", "name", "value", "0", "x-y", "", "__proto__", "é", "type"];

/// An object.
#[derive(Debug, Clone)]
pub struct ObjectGene {
    rules: Arc<ObjectRules>,
    /// One gene per known field that may be sent, in document order; those not required are [`Gene::Optional`].
    fields: Vec<Gene>,
    /// Fields the schema does not list, with different names that are not listed either.
    extras: Vec<Extra>,
    /// The last value with an allowed number of fields, when that is limited.
    kept: Option<Arc<Value>>,
}

/// A field that the schema does not list.
#[derive(Debug, Clone)]
struct Extra {
    name: String,
    gene: Gene,
    /// Whether the service knows the name; else it was made up, or came with a value.
    is_known: bool,
}

impl ObjectGene {
    /// The object with its smallest value, or [`Gene::Never`].
    pub(super) fn build(seed: &Seed, schema: &ObjectSchema, examples: Arc<[Value]>) -> Gene {
        Self::of_rules(ObjectRules::of(seed, schema, examples))
    }

    /// A map of anything.
    pub(super) fn map(seed: &Seed) -> Gene {
        Self::of_rules(ObjectRules::map(seed))
    }

    fn of_rules(rules: ObjectRules) -> Gene {
        let rules = Arc::new(rules);
        let fields: Vec<Gene> = rules
            .fields
            .iter()
            .map(|field| {
                if field.required { field.seed.gene() } else { Gene::Optional(OptionalGene::of_seed(Arc::clone(&field.seed))) }
            })
            .collect();
        if fields.iter().any(|gene| matches!(gene, Gene::Never)) {
            return Gene::Never;
        }
        let mut gene = Self { rules, fields, extras: Vec::new(), kept: None };
        if gene.rules.is_counted {
            let mut random = Random::new(0, 0);
            if !gene.bring_into_limits(&mut random, false) {
                return Gene::Never;
            }
            gene.kept = Some(Arc::new(gene.render()));
        }
        Gene::Object(Box::new(gene))
    }

    /// The genes that are rendered, fields first.
    pub fn parts(&self) -> impl Iterator<Item = &Gene> {
        self.fields.iter().chain(self.extras.iter().map(|extra| &extra.gene))
    }

    /// Name, child number and gene of every field, whether present or not.
    pub(super) fn named_parts(&self) -> impl Iterator<Item = (usize, &str, &Gene)> {
        let fields = self.rules.fields.iter().zip(&self.fields).map(|(field, gene)| (&*field.name, gene));
        let extras = self.extras.iter().map(|extra| (extra.name.as_str(), &extra.gene));
        fields.chain(extras).enumerate().map(|(idx, (name, gene))| (idx, name, gene))
    }

    /// Names of the fields that the schema does not list.
    pub fn extra_names(&self) -> impl Iterator<Item = &str> {
        self.extras.iter().map(|extra| extra.name.as_str())
    }

    /// Whether the name of the field with that child number is a part of the object's structure: it is listed, or the service
    /// knows it. The names in a map are values else.
    pub(super) fn has_known_name(&self, idx: usize) -> bool {
        idx.checked_sub(self.fields.len()).and_then(|idx| self.extras.get(idx)).is_none_or(|extra| extra.is_known)
    }

    /// Number of fields the schema lists and that may be sent.
    pub(super) fn known_fields(&self) -> usize {
        self.fields.len()
    }

    /// Whether fields that are not listed are forbidden.
    pub fn forbids_extras(&self) -> bool {
        self.rules.extra.is_none()
    }

    /// Names of fields that must be there.
    pub fn required(&self) -> impl Iterator<Item = &str> {
        self.rules.fields.iter().filter(|field| field.required).map(|field| &*field.name)
    }

    /// Whether the schema speaks of a field of that name.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.rules.fields.iter().any(|field| *field.name == *name)
            || self.rules.passed_over.iter().chain(&self.rules.out_of_reach).any(|known| known == name)
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    /// Whether its own change is more than the presence of a field, which has a site of its own.
    pub(super) fn is_variable(&self) -> bool {
        self.rules.is_map && self.rules.extras_drawn > 0 || !self.extras.is_empty() || self.kept.is_some()
    }

    pub(super) fn part_mut(&mut self, idx: usize) -> Option<&mut Gene> {
        self.settle();
        let known = self.fields.len();
        if idx < known { self.fields.get_mut(idx) } else { self.extras.get_mut(idx - known).map(|extra| &mut extra.gene) }
    }

    /// Makes the field a constant when its schema allows the value; for discriminators.
    pub(super) fn pin(&mut self, name: &str, value: &Value) {
        let Some(idx) = self.rules.fields.iter().position(|field| *field.name == *name) else { return };
        if self.fields[idx].take(value, Conversion::Exact) {
            self.fields[idx] = Gene::Enum(EnumGene::new([value.clone()]));
            self.settle();
        }
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        let before = self.kept.is_some().then(|| self.clone());
        // Fields that come and go together show more than fields that each toss their own coin.
        let p_present = match random.below(10) {
            0 => 0.0,
            1 => 1.0,
            2..=4 => 0.2,
            _ => 0.6,
        };
        for gene in &mut self.fields {
            match gene {
                Gene::Optional(gene) => gene.sample_presence(random, p_present),
                gene => gene.sample(random),
            }
        }
        self.extras.clear();
        let count = if self.rules.is_map || random.chance(P_UNKNOWN) { random.log_size(self.rules.extras_drawn) } else { 0 };
        for _ in 0..count {
            self.add_extra(random, true);
        }
        if !self.bring_into_limits(random, true)
            && let Some(before) = before
        {
            *self = before;
        }
        self.settle();
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let (before, value) = (self.clone(), self.to_json());
        for _ in 0..TRIES {
            self.change(random);
            let changed = self.render();
            if changed != value && self.holds(&changed) {
                self.settle();
                return Mutation::Changed;
            }
            self.clone_from(&before);
        }
        Mutation::Unchanged
    }

    /// A field comes or goes; where their number is limited, sometimes one for another.
    fn change(&mut self, random: &mut Random) {
        let prefers_extras = self.rules.is_map || !self.extras.is_empty() || random.chance(P_UNKNOWN);
        if prefers_extras && random.chance(0.6) {
            match random.below(4) {
                0 if !self.extras.is_empty() => drop(self.extras.remove(random.below(self.extras.len()))),
                1 if !self.extras.is_empty() => {
                    let idx = random.below(self.extras.len());
                    if let Some(name) = self.new_name(random) {
                        let extra = &mut self.extras[idx];
                        (extra.name, extra.is_known) = (name, false);
                    }
                }
                _ => self.add_extra(random, true),
            }
            return;
        }
        for _ in 0..if self.kept.is_some() && random.chance(0.5) { 2 } else { 1 } {
            let optional: Vec<usize> =
                (0..self.fields.len()).filter(|idx| matches!(self.fields[*idx], Gene::Optional(_))).collect();
            if let Some(idx) = random.pick(&optional) {
                self.fields[*idx].mutate(random);
            }
        }
    }

    fn add_extra(&mut self, random: &mut Random, sampled: bool) {
        // The smallest value has only the extras that its size was computed with, or a cycle would have no end.
        let drawn = if sampled { self.rules.extras_drawn } else { 0 };
        if self.extras.len() >= drawn.max(self.rules.extras_needed) {
            return;
        }
        let Some(mut gene) = self.rules.extra.as_ref().map(|seed| seed.gene()) else { return };
        if matches!(gene, Gene::Never) {
            return;
        }
        if sampled {
            gene.sample(random);
        }
        if let Some(name) = self.new_name(random) {
            self.extras.push(Extra { name, gene, is_known: false });
        }
    }

    /// A name that no field has, none when no draw is allowed.
    fn new_name(&self, random: &mut Random) -> Option<String> {
        for _ in 0..TRIES {
            let name = (*random.pick(&NAMES).expect("names are listed")).to_owned();
            if !self.is_taken(&name) && self.rules.allows_name(&name) {
                return Some(name);
            }
        }
        if let Some(names) = &self.rules.names {
            let mut name = names.gene();
            let mut drawn = (0..TRIES).filter_map(|_| {
                name.sample(random);
                Some(name.to_json()?.as_str()?.to_owned())
            });
            return drawn.find(|name| !self.is_taken(name) && self.rules.allows_name(name));
        }
        let mut number = self.extras.len();
        while self.is_taken(&format!("key{number}")) {
            number += 1;
        }
        Some(format!("key{number}"))
    }

    fn is_taken(&self, name: &str) -> bool {
        self.knows(name) || self.extras.iter().any(|other| other.name == name)
    }

    /// Puts fields in or takes them out until their number is allowed; false when it cannot be.
    fn bring_into_limits(&mut self, random: &mut Random, sampled: bool) -> bool {
        if !self.rules.is_counted {
            return true;
        }
        let (min, max) = (self.rules.min, self.rules.max);
        let mut order: Vec<usize> = (0..self.fields.len()).collect();
        if sampled {
            random.shuffle(&mut order);
        } else {
            order.retain(|idx| self.rules.fields[*idx].forced);
        }
        for idx in order {
            let count = self.count();
            let Gene::Optional(gene) = &mut self.fields[idx] else { continue };
            let is_in = gene.present().is_some();
            if count > max && is_in {
                gene.leave_out();
            } else if count < min && !is_in && gene.put_in() && sampled {
                gene.present_mut().into_iter().for_each(|gene| gene.sample(random));
            }
        }
        let count = self.count();
        self.extras.truncate(self.extras.len().saturating_sub(count.saturating_sub(max)));
        for _ in self.count()..min {
            self.add_extra(random, sampled);
        }
        (min..=max).contains(&self.count())
    }

    /// Number of fields that are rendered.
    fn count(&self) -> usize {
        let is_in = |gene: &&Gene| !matches!(gene, Gene::Optional(gene) if gene.present().is_none());
        self.fields.iter().filter(is_in).count() + self.extras.len()
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let values = match value {
            Value::Object(fields) if !self.rules.is_tuple => Cow::Borrowed(fields),
            Value::Array(members) if self.rules.is_tuple => Cow::Owned(by_position(members)),
            _ => return false,
        };
        let mut taken = self.clone();
        let done = taken.take_fields(&values, conversion) && taken.holds(&taken.render());
        if done {
            *self = taken;
            self.settle();
        }
        done
    }

    fn take_fields(&mut self, values: &Map<String, Value>, conversion: Conversion) -> bool {
        let rules = Arc::clone(&self.rules);
        for (field, gene) in rules.fields.iter().zip(&mut self.fields) {
            let taken = match (values.get(&*field.name), &mut *gene) {
                (Some(value), gene) => gene.take(value, conversion),
                (None, Gene::Optional(gene)) => {
                    gene.leave_out();
                    true
                }
                (None, _) => false,
            };
            if !taken {
                return false;
            }
        }
        self.extras.clear();
        let known = |name: &str| rules.fields.iter().any(|field| *field.name == *name);
        for (name, value) in values.iter().filter(|(name, _)| !known(name) && !rules.passed_over.contains(name)) {
            let taken = rules.extra.iter().chain(&rules.looked_up).find_map(|seed| {
                let mut gene = seed.gene();
                gene.take(value, conversion).then_some(gene)
            });
            let Some(gene) = taken.filter(|_| !rules.out_of_reach.contains(name) && rules.allows_name(name)) else {
                return false;
            };
            self.extras.push(Extra { name: name.clone(), gene, is_known: false });
        }
        true
    }

    fn render(&self) -> Value {
        Value::Object(self.named_parts().filter_map(|(_, name, gene)| Some((name.to_owned(), gene.to_json()?))).collect())
    }

    pub(super) fn to_json(&self) -> Value {
        if self.rules.is_tuple {
            // All its fields must be there, and no others may: their number is always right.
            return Value::Array(self.fields.iter().map(Gene::json_or_null).collect());
        }
        let value = self.render();
        match &self.kept {
            Some(kept) if !self.holds(&value) => Value::clone(kept),
            _ => value,
        }
    }

    /// Whether the number of fields is allowed.
    fn holds(&self, value: &Value) -> bool {
        !self.rules.is_counted
            || value.as_object().is_none_or(|fields| (self.rules.min..=self.rules.max).contains(&fields.len()))
    }

    /// Remembers the present value as valid, or goes back to the last valid one.
    fn settle(&mut self) {
        let Some(kept) = self.kept.clone() else { return };
        let value = self.render();
        if self.holds(&value) {
            self.kept = Some(Arc::new(value));
        } else if let Value::Object(fields) = &*kept {
            self.take_fields(fields, Conversion::Exact);
        }
    }
}

/// The members of an array as fields named by their positions.
pub(super) fn by_position(members: &[Value]) -> Map<String, Value> {
    members.iter().enumerate().map(|(idx, member)| (idx.to_string(), member.clone())).collect()
}

impl Default for ObjectRules {
    fn default() -> Self {
        Self {
            fields: Vec::new(),
            extra: None,
            looked_up: None,
            names: None,
            extras_drawn: 0,
            extras_needed: 0,
            is_map: false,
            is_tuple: false,
            min: 0,
            max: usize::MAX,
            is_counted: false,
            passed_over: Vec::new(),
            out_of_reach: Vec::new(),
            examples: Arc::clone(no_examples()),
        }
    }
}
