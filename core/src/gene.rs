//! Genes: values with their constraints, made from schemas; the only thing the search changes.
//!
//! [`Gene::from_schema`] makes a tree of them. Constraints are shared between clones; optional parts are built when
//! they are first wanted, so that a schema of any size and with any cycles costs only what is used of it. A gene
//! keeps its constraints through every change. Rules that span several genes (members that must differ, numbers of
//! fields, `oneOf`) hold in what is rendered: a change below that breaks one has no effect.
//!
//! Not done here: how a value is written into a request ([`crate::action`]), which gene is changed ([`crate::search`]).

mod accepts;
mod array;
mod boolean;
mod choice;
mod draw;
mod enumeration;
mod integer;
mod measure;
mod named;
mod nullable;
mod number;
mod object;
mod optional;
mod regex;
mod seed;
mod separate;
mod simplify;
mod site;
mod text;
mod violation;

pub use array::ArrayGene;
pub use boolean::BooleanGene;
pub use choice::ChoiceGene;
pub use enumeration::EnumGene;
pub use integer::IntegerGene;
pub use measure::{Measure, Part, Shift};
pub use named::NamedGene;
pub use nullable::NullableGene;
pub use number::NumberGene;
pub use object::{FieldName, ObjectGene};
pub use optional::OptionalGene;
pub use regex::{Dialect, Pattern, PatternError};
pub use site::{GenePath, GeneSite};
pub use text::{Form, Lens, Specialisation, TextForm, TextGene, is_marked};
pub use violation::{Edit, Violation};

use std::sync::Arc;

use serde_json::Value;

use crate::api::{SchemaId, Schemas};
use crate::random::Random;

/// Probability that [`Gene::sample`] takes an example or the default of the schema where there is one.
const P_EXAMPLE: f64 = 0.2;

/// How large a gene tree may grow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneLimits {
    /// Nesting below which optional parts are left out and cycles are cut.
    pub max_depth: usize,
    /// Number of genes in one tree beyond which optional parts are left out.
    pub max_genes: usize,
    /// Members drawn for an array or map beyond its minimum.
    pub max_members: usize,
    /// Characters drawn for a string beyond its minimum.
    pub max_string: usize,
}

/// Whether a mutation changed the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// The value is another one.
    Changed,
    /// The gene has no other value, or none was found.
    Unchanged,
}

impl Mutation {
    fn of(changed: bool) -> Self {
        if changed { Self::Changed } else { Self::Unchanged }
    }
}

/// Whether a value may be converted when it is taken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conversion {
    /// Only as it is.
    Exact,
    /// Numbers and booleans as text, numeric text as numbers, `true` and `false` as booleans.
    Textual,
}

/// A mutable value with its constraints.
#[derive(Debug, Clone)]
pub enum Gene {
    /// A schema that allows no value, or none within the limits; stands for `null` where a value is demanded.
    Never,
    /// `true` or `false`.
    Boolean(BooleanGene),
    /// A whole number.
    Integer(IntegerGene),
    /// A number.
    Number(NumberGene),
    /// A string: plain, of a format, or after a pattern.
    Text(TextGene),
    /// One of listed values; a constant when only one is listed.
    Enum(EnumGene),
    /// A list.
    Array(Box<ArrayGene>),
    /// An object or a map.
    Object(Box<ObjectGene>),
    /// One of several alternatives, among them any JSON value.
    Choice(Box<ChoiceGene>),
    /// A value that may be left out.
    Optional(OptionalGene),
    /// A value or `null`.
    Nullable(NullableGene),
}

impl Gene {
    /// The gene of a schema, with its smallest valid value.
    ///
    /// Costs as much as that value is large. Clones share everything but the values: make one gene per place of an
    /// operation and clone it. A schema without a value within the limits gives a gene that is not
    /// [satisfiable](Self::is_satisfiable).
    pub fn from_schema(schemas: &Schemas, id: SchemaId, limits: &GeneLimits) -> Self {
        seed::Seed::root(schemas, id, limits).gene()
    }

    /// The genes of several schemas, which share what is found out on the way: cheaper than one by one.
    pub fn of_each<'s>(schemas: &'s Schemas, ids: &'s [SchemaId], limits: &'s GeneLimits) -> impl Iterator<Item = Self> + 's {
        let root = ids.first().map(|first| seed::Seed::root(schemas, *first, limits));
        ids.iter().filter_map(move |id| Some(root.as_ref()?.of_schema(*id).gene()))
    }

    /// The same gene as something that may be left out; it starts absent.
    #[must_use]
    pub fn into_optional(self) -> Self {
        match self {
            Self::Optional(mut optional) => {
                optional.leave_out();
                Self::Optional(optional)
            }
            gene => Self::Optional(OptionalGene::absent(gene)),
        }
    }

    /// Whether it has a valid value; false when a part that must be there has none and `null` stands in for it.
    pub fn is_satisfiable(&self) -> bool {
        let mut satisfiable = true;
        self.for_each(&mut |gene| satisfiable &= !matches!(gene, Self::Never));
        satisfiable
    }

    /// Whether the value of the active tree keeps every constraint of its schemas, formats included.
    ///
    /// False when it is not satisfiable, and when a format was given up that contradicts the lengths or the pattern
    /// beside it.
    pub fn keeps_constraints(&self) -> bool {
        // What is rendered may be an earlier value, so the tree of that value is looked at.
        let mut rendered = self.clone();
        let mut keeps = self.to_json().is_none_or(|value| rendered.assign(&value));
        rendered.for_each(&mut |gene| {
            keeps &= match gene {
                Self::Never => false,
                Self::Text(gene) => gene.keeps_format(),
                _ => true,
            }
        });
        keeps
    }

    /// Draws a new value for the whole tree.
    pub fn sample(&mut self, random: &mut Random) {
        if !self.examples().is_empty() && random.chance(P_EXAMPLE) && self.take_example(random) {
            return;
        }
        match self {
            Self::Never => {}
            Self::Boolean(gene) => gene.sample(random),
            Self::Integer(gene) => gene.sample(random),
            Self::Number(gene) => gene.sample(random),
            Self::Text(gene) => gene.sample(random),
            Self::Enum(gene) => gene.sample(random),
            Self::Array(gene) => gene.sample(random),
            Self::Object(gene) => gene.sample(random),
            Self::Choice(gene) => gene.sample(random),
            Self::Optional(gene) => gene.sample(random),
            Self::Nullable(gene) => gene.sample(random),
        }
    }

    /// Changes the value of this very gene (not of its children): a number, a string, presence, length, branch.
    pub fn mutate(&mut self, random: &mut Random) -> Mutation {
        match self {
            Self::Never => Mutation::Unchanged,
            Self::Boolean(gene) => gene.mutate(),
            Self::Integer(gene) => gene.mutate(random),
            Self::Number(gene) => gene.mutate(random),
            Self::Text(gene) => gene.mutate(random),
            Self::Enum(gene) => gene.mutate(random),
            Self::Array(gene) => gene.mutate(random),
            Self::Object(gene) => gene.mutate(random),
            Self::Choice(gene) => gene.mutate(random),
            Self::Optional(gene) => gene.mutate(random),
            Self::Nullable(gene) => gene.mutate(random),
        }
    }

    /// Narrows the value of this gene, or of what it holds in its place, as far as the constraints allow.
    ///
    /// Numbers and listed values take what a text of that kind says.
    pub fn specialise(&mut self, specialisation: &Arc<Specialisation>, random: &mut Random) -> Mutation {
        match self {
            Self::Text(gene) => gene.specialise(specialisation, random),
            Self::Boolean(_) | Self::Integer(_) | Self::Number(_) | Self::Enum(_) => {
                let before = self.to_json();
                let drawn = specialisation.draw(random, "").map(Value::String);
                Mutation::of(drawn.is_some_and(|value| self.assign(&value)) && self.to_json() != before)
            }
            _ => Mutation::Unchanged,
        }
    }

    /// Gives a text the marked value of `number`, where its constraints allow one and it is not narrowed.
    pub fn mark(&mut self, number: u64) -> Mutation {
        if let Self::Text(gene) = self { gene.mark(number) } else { Mutation::Unchanged }
    }

    /// Letters in place of a text that can hardly be told from others, where its schema does not say what it looks like.
    pub fn tell_apart(&mut self, random: &mut Random) {
        if let Self::Text(gene) = self {
            gene.tell_apart(random);
        }
    }

    /// Whether it is a text that may be marked: one that is not narrowed.
    pub fn is_markable(&self) -> bool {
        matches!(self, Self::Text(gene) if gene.is_markable())
    }

    /// Whether it is a text of a regular expression, which the schema or the service asks for, or one of parts that it does.
    pub fn is_of_pattern(&self) -> bool {
        matches!(self, Self::Text(gene) if gene.is_of_pattern())
    }

    /// Takes over the value of `other` as far as the constraints allow; says whether the value is now `other`'s.
    pub fn copy_value_from(&mut self, other: &Self) -> bool {
        match (other.to_json(), self) {
            (Some(value), gene) => gene.assign(&value),
            (None, Self::Optional(gene)) => {
                gene.leave_out();
                true
            }
            (None, _) => false,
        }
    }

    /// Takes over a JSON value when the constraints allow it; otherwise nothing changes and the answer is false.
    ///
    /// Numbers and booleans become text where text is wanted, and text that reads as one becomes a number or boolean.
    /// Optional `readOnly` fields of an object are passed over.
    pub fn assign(&mut self, value: &Value) -> bool {
        self.take(value, Conversion::Exact) || self.take(value, Conversion::Textual)
    }

    /// [`Self::assign`] with at most that conversion; nothing changes when the answer is false.
    fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        match self {
            Self::Never => false,
            Self::Boolean(gene) => gene.take(value, conversion),
            Self::Integer(gene) => gene.take(value, conversion),
            Self::Number(gene) => gene.take(value, conversion),
            Self::Text(gene) => gene.take(value, conversion),
            Self::Enum(gene) => gene.take(value, conversion),
            Self::Array(gene) => gene.take(value, conversion),
            Self::Object(gene) => gene.take(value, conversion),
            Self::Choice(gene) => gene.take(value, conversion),
            Self::Optional(gene) => gene.take(value, conversion),
            Self::Nullable(gene) => gene.take(value, conversion),
        }
    }

    /// The value, none when it is left out.
    pub fn to_json(&self) -> Option<Value> {
        match self {
            Self::Never => Some(Value::Null),
            Self::Boolean(gene) => Some(gene.to_json()),
            Self::Integer(gene) => Some(gene.to_json()),
            Self::Number(gene) => Some(gene.to_json()),
            Self::Text(gene) => Some(gene.to_json()),
            Self::Enum(gene) => Some(gene.to_json()),
            Self::Array(gene) => Some(gene.to_json()),
            Self::Object(gene) => Some(gene.to_json()),
            Self::Choice(gene) => gene.to_json(),
            Self::Optional(gene) => gene.to_json(),
            Self::Nullable(gene) => gene.to_json(),
        }
    }

    /// The value where one is demanded: `null` for what is left out.
    fn json_or_null(&self) -> Value {
        self.to_json().unwrap_or(Value::Null)
    }

    /// Examples and default of the schema, unchecked.
    fn examples(&self) -> &Arc<[Value]> {
        match self {
            Self::Integer(gene) => gene.examples(),
            Self::Number(gene) => gene.examples(),
            Self::Text(gene) => gene.examples(),
            Self::Array(gene) => gene.examples(),
            Self::Object(gene) => gene.examples(),
            Self::Choice(gene) => gene.examples(),
            Self::Never | Self::Boolean(_) | Self::Enum(_) | Self::Optional(_) | Self::Nullable(_) => seed::no_examples(),
        }
    }

    fn take_example(&mut self, random: &mut Random) -> bool {
        let examples = Arc::clone(self.examples());
        random.pick(&examples).is_some_and(|example| self.take(example, Conversion::Exact))
    }
}

#[cfg(test)]
mod tests;
