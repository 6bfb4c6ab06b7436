//! Where genes come from: a place in the tree with its schema, built when it is first wanted.
//!
//! Size is settled beforehand: every place has *room*, a number of genes it may grow to, which it shares out among
//! its parts. No sequence of mutations can make a tree larger than its root's room, and nothing global is counted.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

use serde_json::Value;

use super::array::{ArrayGene, ArrayRules};
use super::choice::ChoiceGene;
use super::object::ObjectGene;
use super::text::TextRules;
use super::{BooleanGene, EnumGene, Gene, GeneLimits, IntegerGene, NullableGene, NumberGene, TextGene};
use crate::api::{Additional, Extent, IntegerSchema, NumberSchema, Schema, SchemaId, SchemaKind, Schemas, StringSchema};

/// Nesting of the smallest value beyond which a schema counts as unsatisfiable: parsers refuse more.
const MAX_HEIGHT: u32 = 64;
/// Built genes kept for reuse by one tree and its clones.
const MAX_PROTOTYPES: usize = 20_000;

/// What all places of one tree and its clones share.
pub(super) struct Source {
    pub(super) schemas: Schemas,
    pub(super) limits: GeneLimits,
    // Patterns are costly to translate, so each is translated once.
    texts: Mutex<BTreeMap<SchemaId, Option<Arc<TextRules>>>>,
    prototypes: AtomicUsize,
    found_out: Mutex<FoundOut>,
}

/// What was found out about choices whose values must match one alternative only, so that it is once per schema.
#[derive(Default)]
pub(super) struct FoundOut {
    /// How such values are found, by the choice.
    pub(super) ways: BTreeMap<SchemaId, usize>,
    /// Choices without any, with their depth and the number of alternatives that could be taken there.
    pub(super) empty: BTreeSet<(SchemaId, usize, usize)>,
    /// Position of the alternative that has the smallest, by the same.
    pub(super) first: BTreeMap<(SchemaId, usize, usize), usize>,
    /// Whether there are any, by choice and alternative.
    pub(super) only: BTreeMap<(SchemaId, SchemaId), bool>,
}

/// What kind of value belongs at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A value of a schema.
    Schema(SchemaId),
    /// Any JSON value; the rest are its kinds.
    Any,
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    List,
    Map,
}

/// A place in a tree: what belongs there, how deep it lies and how large it may grow.
pub(super) struct Seed {
    pub(super) source: Arc<Source>,
    pub(super) shape: Shape,
    /// Levels of nesting above it.
    pub(super) depth: usize,
    /// Genes it may grow to, itself included.
    pub(super) room: usize,
    prototype: OnceLock<Gene>,
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seed")
            .field("shape", &self.shape)
            .field("depth", &self.depth)
            .field("room", &self.room)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source").field("schemas", &self.schemas.len()).finish_non_exhaustive()
    }
}

/// The empty list of examples.
pub(super) fn no_examples() -> &'static Arc<[Value]> {
    static NONE: LazyLock<Arc<[Value]>> = LazyLock::new(|| Arc::from([]));
    &NONE
}

impl Source {
    /// The extent of what belongs at a place, none when there is no value within the limits.
    pub(super) fn extent(&self, shape: Shape) -> Option<Extent> {
        match shape {
            Shape::Schema(id) if !self.schemas.at(id).nullable => self.within_limits(id),
            _ => Some(Extent::PLAIN),
        }
    }

    fn within_limits(&self, id: SchemaId) -> Option<Extent> {
        let extent = self.schemas.extent(id)?;
        let small = extent.size as usize <= self.limits.max_genes.max(1) && extent.height <= MAX_HEIGHT;
        small.then_some(extent)
    }

    /// What was found out about choices; not to be held while values are drawn.
    pub(super) fn found_out(&self) -> MutexGuard<'_, FoundOut> {
        self.found_out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether values there have no parts.
    pub(super) fn is_plain(&self, shape: Shape) -> bool {
        match shape {
            Shape::Schema(id) => !matches!(
                self.schemas.at(id).kind,
                SchemaKind::Any | SchemaKind::Array(_) | SchemaKind::Object(_) | SchemaKind::Choice(_)
            ),
            Shape::Any | Shape::List | Shape::Map => false,
            Shape::Null | Shape::Boolean | Shape::Integer | Shape::Number | Shape::Text => true,
        }
    }

    /// Whether a schema says no more of its values than that they are objects.
    pub(super) fn is_bare_object(&self, id: SchemaId) -> bool {
        let SchemaKind::Object(object) = &self.schemas.at(id).kind else { return false };
        let is_open = matches!(object.additional, Additional::Unspecified);
        is_open && object.properties.is_empty() && object.min_properties == 0 && object.max_properties.is_none()
    }

    /// Constraints of the strings of schema `id`, translated at first use.
    pub(super) fn text_rules(&self, id: SchemaId, schema: &StringSchema) -> Option<Arc<TextRules>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || TextRules::new(schema, self.limits.max_string, examples(self.schemas.at(id))).map(Arc::new);
        texts.entry(id).or_insert_with(make).clone()
    }
}

fn examples(schema: &Schema) -> Arc<[Value]> {
    if schema.default.is_none() && schema.examples.is_empty() {
        return Arc::clone(no_examples());
    }
    schema.default.iter().chain(&schema.examples).cloned().collect()
}

impl Seed {
    /// The place of a whole tree.
    pub(super) fn root(schemas: &Schemas, id: SchemaId, limits: &GeneLimits) -> Self {
        let source = Source {
            schemas: schemas.clone(),
            limits: limits.clone(),
            texts: Mutex::default(),
            prototypes: AtomicUsize::new(0),
            found_out: Mutex::default(),
        };
        Self {
            source: Arc::new(source),
            shape: Shape::Schema(id),
            depth: 0,
            room: limits.max_genes.max(1),
            prototype: OnceLock::new(),
        }
    }

    /// The place of another whole tree, which shares with this one what was found out.
    pub(super) fn of_schema(&self, id: SchemaId) -> Self {
        let source = Arc::clone(&self.source);
        Self { source, shape: Shape::Schema(id), depth: self.depth, room: self.room, prototype: OnceLock::new() }
    }

    /// A place one level below this one.
    pub(super) fn below(&self, shape: Shape, room: usize) -> Arc<Self> {
        Arc::new(Self { source: Arc::clone(&self.source), shape, depth: self.depth + 1, room, prototype: OnceLock::new() })
    }

    /// Whether optional parts are left out here.
    pub(super) fn is_deepest(&self) -> bool {
        self.depth >= self.source.limits.max_depth
    }

    /// The gene of this place with its smallest value.
    pub(super) fn gene(&self) -> Gene {
        if let Some(gene) = self.prototype.get() {
            return gene.clone();
        }
        let gene = self.build();
        if self.source.prototypes.fetch_add(1, Ordering::Relaxed) < MAX_PROTOTYPES {
            return self.prototype.get_or_init(|| gene).clone();
        }
        gene
    }

    fn build(&self) -> Gene {
        let none = || Arc::clone(no_examples());
        match self.shape {
            Shape::Schema(id) => self.build_schema(id),
            Shape::Any => ChoiceGene::any(self, none()),
            Shape::Null => Gene::Enum(EnumGene::new([Value::Null])),
            Shape::Boolean => Gene::Boolean(BooleanGene::new()),
            Shape::Integer => {
                let schema = IntegerSchema { min: i64::MIN, max: i64::MAX, multiple_of: None };
                IntegerGene::new(&schema, none()).map_or(Gene::Never, Gene::Integer)
            }
            Shape::Number => NumberGene::new(&any_number(), none()).map_or(Gene::Never, Gene::Number),
            Shape::Text => TextRules::new(&StringSchema::default(), self.source.limits.max_string, none())
                .map_or(Gene::Never, |rules| Gene::Text(TextGene::new(Arc::new(rules)))),
            Shape::List => ArrayGene::build(ArrayRules::list(self)),
            Shape::Map => ObjectGene::map(self),
        }
    }

    fn build_schema(&self, id: SchemaId) -> Gene {
        let schema = self.source.schemas.at(id);
        let null = || Gene::Enum(EnumGene::cut_to_null());
        let usable = self.source.within_limits(id).filter(|extent| {
            // A cycle that may end in `null` ends there when it gets too deep or too large.
            !schema.nullable || extent.size == 1 || (!self.is_deepest() && extent.size as usize <= self.room)
        });
        let gene = usable.map_or(Gene::Never, |_| self.build_kind(id, schema));
        match gene {
            Gene::Never if schema.nullable => null(),
            Gene::Never => Gene::Never,
            gene if !schema.nullable => gene,
            Gene::Enum(gene) if gene.values().contains(&Value::Null) => Gene::Enum(gene),
            gene => Gene::Nullable(NullableGene::new(gene)),
        }
    }

    fn build_kind(&self, id: SchemaId, schema: &Schema) -> Gene {
        let examples = examples(schema);
        match &schema.kind {
            SchemaKind::Never => Gene::Never,
            SchemaKind::Any => ChoiceGene::any(self, examples),
            SchemaKind::Null => Gene::Enum(EnumGene::new([Value::Null])),
            SchemaKind::Boolean => Gene::Boolean(BooleanGene::new()),
            SchemaKind::Integer(integer) => IntegerGene::new(integer, examples).map_or(Gene::Never, Gene::Integer),
            SchemaKind::Number(number) => NumberGene::new(number, examples).map_or(Gene::Never, Gene::Number),
            SchemaKind::String(string) => {
                self.source.text_rules(id, string).map_or(Gene::Never, |rules| Gene::Text(TextGene::new(rules)))
            }
            SchemaKind::Enum(values) => Gene::Enum(EnumGene::new(values.as_slice())),
            SchemaKind::Array(array) => ArrayGene::build(ArrayRules::of(self, array, examples)),
            SchemaKind::Object(object) => ObjectGene::build(self, object, examples),
            SchemaKind::Choice(choice) => ChoiceGene::build(self, choice, &examples),
        }
    }
}

fn any_number() -> NumberSchema {
    NumberSchema {
        min: None,
        max: None,
        exclusive_min: false,
        exclusive_max: false,
        multiple_of: None,
        single_precision: false,
    }
}
