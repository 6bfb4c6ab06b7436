//! Lists.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::seed::{Seed, Shape, no_examples};
use super::{Conversion, Gene, Mutation};
use crate::api::ArraySchema;
use crate::random::Random;

/// Draws for a member that must differ from the others.
const TRIES: usize = 30;

/// A list.
#[derive(Debug, Clone)]
pub struct ArrayGene {
    rules: Arc<ArrayRules>,
    members: Vec<Gene>,
    /// The last value whose members differ, when they must.
    kept: Option<Arc<Value>>,
}

#[derive(Debug)]
pub(super) struct ArrayRules {
    member: Option<Arc<Seed>>,
    min: usize,
    max: usize,
    /// Largest number of members that is drawn.
    drawn: usize,
    unique: bool,
    examples: Arc<[Value]>,
}

impl ArrayRules {
    pub(super) fn of(seed: &Seed, schema: &ArraySchema, examples: Arc<[Value]>) -> Self {
        let max = schema.max_items.unwrap_or(usize::MAX);
        Self::sized(seed, Shape::Schema(schema.items), (schema.min_items, max), schema.unique).with_examples(examples)
    }

    /// A list of anything.
    pub(super) fn list(seed: &Seed) -> Self {
        Self::sized(seed, Shape::Any, (0, usize::MAX), false)
    }

    fn sized(seed: &Seed, member: Shape, (min, max): (usize, usize), unique: bool) -> Self {
        let size = seed.source.extent(member).map(|extent| extent.size as usize);
        let left = seed.room.saturating_sub(1);
        let wanted = if seed.is_deepest() { min } else { min.saturating_add(seed.source.limits.max_members).min(max) };
        let drawn = size.map_or(min, |size| wanted.min(left / size).max(min));
        let room = size.map_or(0, |size| (left / drawn.max(1)).max(size));
        let member = size.map(|_| seed.below(member, room));
        Self { member, min, max, drawn, unique, examples: Arc::clone(no_examples()) }
    }

    fn with_examples(mut self, examples: Arc<[Value]>) -> Self {
        self.examples = examples;
        self
    }

    fn member(&self) -> Option<Gene> {
        self.member.as_ref().map(|seed| seed.gene()).filter(|gene| !matches!(gene, Gene::Never))
    }
}

impl ArrayGene {
    /// The list with its smallest value, or [`Gene::Never`] when not enough members were found.
    pub(super) fn build(rules: ArrayRules) -> Gene {
        let mut gene = Self { rules: Arc::new(rules), members: Vec::new(), kept: None };
        let mut random = Random::new(0, 0);
        for _ in 0..gene.rules.min {
            let Some(member) = gene.new_member().or_else(|| gene.drawn_member(&mut random)) else { return Gene::Never };
            gene.members.push(member);
        }
        if gene.rules.unique {
            gene.kept = Some(Arc::new(gene.render()));
        }
        Gene::Array(Box::new(gene))
    }

    /// The members in order.
    pub fn members(&self) -> &[Gene] {
        &self.members
    }

    /// Smallest and largest number of members that are allowed, and whether they must differ.
    pub fn sizes(&self) -> (usize, usize, bool) {
        (self.rules.min, self.rules.max, self.rules.unique)
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    /// Whether its length or order can be changed.
    pub(super) fn is_variable(&self) -> bool {
        self.rules.drawn > self.rules.min || self.members.len() > 1 || self.members.len() > self.rules.min
    }

    pub(super) fn member_mut(&mut self, idx: usize) -> Option<&mut Gene> {
        self.settle();
        self.members.get_mut(idx)
    }

    /// A member with its smallest value, none when one of that value is there already and may not be.
    fn new_member(&self) -> Option<Gene> {
        self.rules.member().filter(|member| self.may_join(member))
    }

    fn drawn_member(&self, random: &mut Random) -> Option<Gene> {
        let mut member = self.rules.member()?;
        for _ in 0..if self.rules.unique { TRIES } else { 1 } {
            member.sample(random);
            if self.may_join(&member) {
                return Some(member);
            }
        }
        None
    }

    fn may_join(&self, member: &Gene) -> bool {
        let value = if self.rules.unique { member.to_json() } else { None };
        value.is_none() || self.members.iter().all(|other| !is_same(&other.json_or_null(), value.as_ref()))
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        let before = std::mem::take(&mut self.members);
        let (min, drawn) = (self.rules.min, self.rules.drawn);
        let length = match random.below(10) {
            0 => min,
            1 => (min + 1).min(drawn),
            2 => drawn,
            _ => min + random.log_size(drawn - min),
        };
        for _ in 0..length {
            let Some(member) = self.drawn_member(random) else { break };
            self.members.push(member);
        }
        if self.members.len() < min {
            self.members = before;
        }
        self.settle();
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let (before, value) = (self.members.clone(), self.to_json());
        for _ in 0..4 {
            self.change(random);
            let changed = self.render();
            if changed != value && self.holds(&changed) {
                self.settle();
                return Mutation::Changed;
            }
            self.members.clone_from(&before);
        }
        Mutation::Unchanged
    }

    /// One member more or fewer, one twice, two swapped, or as short as it may be.
    fn change(&mut self, random: &mut Random) {
        let length = self.members.len();
        let may_grow = length < self.rules.drawn;
        let may_shrink = length > self.rules.min;
        match random.below(10) {
            0..=3 if may_grow => {
                if let Some(member) = self.drawn_member(random) {
                    self.members.insert(random.below(length + 1), member);
                }
            }
            4 if may_grow && length > 0 => {
                let mut member = self.members[random.below(length)].clone();
                if self.rules.unique {
                    member.sample(random);
                }
                self.members.insert(random.below(length + 1), member);
            }
            5..=6 if length > 1 => self.members.swap(random.below(length), random.below(length)),
            7 => self.members.truncate(self.rules.min),
            _ if may_shrink => drop(self.members.remove(random.below(length))),
            _ if length > 0 => {
                if let Some(member) = self.drawn_member(random) {
                    self.members[random.below(length)] = member;
                }
            }
            _ => {}
        }
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let Value::Array(values) = value else { return false };
        let most = self.rules.max.min(self.rules.drawn.max(MAX_TAKEN));
        if values.len() < self.rules.min || values.len() > most {
            return false;
        }
        let Some(members) = values.iter().map(|value| self.taken_member(value, conversion)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let before = std::mem::replace(&mut self.members, members);
        let holds = self.holds(&self.render());
        if holds {
            self.settle();
        } else {
            self.members = before;
        }
        holds
    }

    fn taken_member(&self, value: &Value, conversion: Conversion) -> Option<Gene> {
        let mut member = self.rules.member()?;
        member.take(value, conversion).then_some(member)
    }

    fn render(&self) -> Value {
        Value::Array(self.members.iter().map(Gene::json_or_null).collect())
    }

    pub(super) fn to_json(&self) -> Value {
        let value = self.render();
        match &self.kept {
            Some(kept) if !self.holds(&value) => Value::clone(kept),
            _ => value,
        }
    }

    /// Whether members differ where they must.
    fn holds(&self, value: &Value) -> bool {
        !self.rules.unique || value.as_array().is_none_or(|members| are_different(members))
    }

    /// Remembers the present value as valid, or goes back to the last valid one.
    fn settle(&mut self) {
        let Some(kept) = self.kept.clone() else { return };
        let value = self.render();
        if self.holds(&value) {
            self.kept = Some(Arc::new(value));
        } else if let Value::Array(values) = &*kept {
            let members: Option<Vec<Gene>> = values.iter().map(|value| self.taken_member(value, Conversion::Exact)).collect();
            self.members = members.unwrap_or_else(|| std::mem::take(&mut self.members));
        }
    }
}

/// Members taken over at most where the drawn number is smaller.
const MAX_TAKEN: usize = 100;

fn is_same(value: &Value, other: Option<&Value>) -> bool {
    other.is_some_and(|other| canonical(value) == canonical(other))
}

pub(super) fn are_different(members: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    members.iter().all(|member| seen.insert(canonical(member)))
}

/// Text that is equal for equal values: 1 and 1.0 are, 0 and -0.0 too, and fields have no order.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| (number + 0.0).to_string()),
        Value::Array(members) => format!("[{}]", members.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(fields) => {
            let mut fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), canonical(value))).collect();
            fields.sort_unstable();
            format!("{{{}}}", fields.join(","))
        }
        other => other.to_string(),
    }
}
