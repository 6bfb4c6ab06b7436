//! Schemas of values, as the genes need them: constraints resolved, `allOf` merged, references by id.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::extent::{Extent, extents};

/// Position of a schema in [`Schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaId(pub u32);

/// All schemas of an interface; they refer to each other by id and may be cyclic. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Schemas {
    items: Arc<Vec<Schema>>,
    extents: Arc<OnceLock<Vec<Option<Extent>>>>,
}

impl Schemas {
    /// Adds a schema and returns its id.
    ///
    /// # Panics
    /// With more than `u32::MAX` schemas.
    pub fn push(&mut self, schema: Schema) -> SchemaId {
        let id = SchemaId(u32::try_from(self.items.len()).expect("an interface has fewer than 2^32 schemas"));
        Arc::make_mut(&mut self.items).push(schema);
        self.forget_extents();
        id
    }

    /// Puts `schema` in the place of the one at `id`, so that cycles can be closed.
    pub fn replace(&mut self, id: SchemaId, schema: Schema) {
        Arc::make_mut(&mut self.items)[id.0 as usize] = schema;
        self.forget_extents();
    }

    /// The size of the smallest value of `id`, `null` of a nullable schema not counted; none when it has no finite value.
    ///
    /// The first call after a change looks at every schema once.
    pub fn extent(&self, id: SchemaId) -> Option<Extent> {
        self.extents.get_or_init(|| extents(&self.items))[id.0 as usize]
    }

    fn forget_extents(&mut self) {
        if self.extents.get().is_some() {
            self.extents = Arc::default();
        }
    }

    /// The schema at `id`.
    pub fn at(&self, id: SchemaId) -> &Schema {
        &self.items[id.0 as usize]
    }

    /// Number of schemas.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

/// One schema.
#[derive(Debug, Clone)]
pub struct Schema {
    /// What values it allows.
    pub kind: SchemaKind,
    /// Whether `null` is allowed too.
    pub nullable: bool,
    /// Default value from the document.
    pub default: Option<Value>,
    /// Examples from the document.
    pub examples: Vec<Value>,
    /// Whether the type is only guessed from other keywords: validators allow values of other types too.
    pub guessed: bool,
    /// `readOnly`: left out of requests when optional.
    pub read_only: bool,
    /// How it is written as XML.
    pub xml: Option<Box<XmlHints>>,
}

impl Schema {
    /// A schema of that kind without anything else.
    pub fn new(kind: SchemaKind) -> Self {
        Self { kind, nullable: false, guessed: false, default: None, examples: Vec::new(), read_only: false, xml: None }
    }
}

/// What values a schema allows.
#[derive(Debug, Clone)]
pub enum SchemaKind {
    /// Any JSON value.
    Any,
    /// No value at all (`false`, or contradicting parts).
    Never,
    /// Only `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// Whole numbers.
    Integer(IntegerSchema),
    /// Numbers.
    Number(NumberSchema),
    /// Strings.
    String(StringSchema),
    /// One of listed values (`enum`, `const`); never empty.
    Enum(Vec<Value>),
    /// Arrays.
    Array(ArraySchema),
    /// Objects and maps.
    Object(ObjectSchema),
    /// `oneOf` and `anyOf`.
    Choice(ChoiceSchema),
}

/// Whole numbers from `min` to `max`, both included, that are a multiple of `multiple_of`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntegerSchema {
    /// Smallest value.
    pub min: i64,
    /// Largest value.
    pub max: i64,
    /// Step, at least 1, when given.
    pub multiple_of: Option<i64>,
}

/// Numbers between two bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberSchema {
    /// Lower bound, when given.
    pub min: Option<f64>,
    /// Upper bound, when given.
    pub max: Option<f64>,
    /// Whether the lower bound itself is not allowed.
    pub exclusive_min: bool,
    /// Whether the upper bound itself is not allowed.
    pub exclusive_max: bool,
    /// Step, above 0, when given.
    pub multiple_of: Option<f64>,
    /// Whether values are 32-bit floats.
    pub single_precision: bool,
}

/// Which language a regular expression is written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatternDialect {
    /// ECMA-262, the language of the patterns of `OpenAPI`; a match anywhere in the text counts.
    #[default]
    Ecma,
    /// `java.util.regex`, which documents made from Java code are full of; a match anywhere in the text counts,
    /// `String.matches` must be written with `^(?:…)$`. Validation knows nothing of such patterns.
    Java,
}

/// Strings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StringSchema {
    /// Least number of characters (Unicode scalar values).
    pub min_length: usize,
    /// Largest number of characters, when given.
    pub max_length: Option<usize>,
    /// Regular expression, unanchored, when given.
    pub pattern: Option<String>,
    /// The language of the regular expression.
    pub pattern_dialect: PatternDialect,
    /// `format` keyword, lower-cased, when given.
    pub format: Option<String>,
}

/// Arrays.
#[derive(Debug, Clone)]
pub struct ArraySchema {
    /// Schema of the members.
    pub items: SchemaId,
    /// Least number of members.
    pub min_items: usize,
    /// Largest number of members, when given.
    pub max_items: Option<usize>,
    /// Whether members must differ.
    pub unique: bool,
}

/// Objects with known properties, and maps.
#[derive(Debug, Clone)]
pub struct ObjectSchema {
    /// Known properties in document order; a required name without schema is listed with an [`SchemaKind::Any`] schema.
    pub properties: Vec<Property>,
    /// What other properties may hold.
    pub additional: Additional,
    /// What the names of properties that are not listed must fit, when that is limited.
    pub names: Option<SchemaId>,
    /// Least number of properties.
    pub min_properties: usize,
    /// Largest number of properties, when given.
    pub max_properties: Option<usize>,
    /// Whether it is an array with a value of its own at each place (`prefixItems`): the properties are its members, named by
    /// their positions and all required.
    pub is_tuple: bool,
}

/// One known property of an object.
#[derive(Debug, Clone)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// Its schema.
    pub schema: SchemaId,
    /// Whether it must be there.
    pub required: bool,
}

/// What properties that are not listed may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Additional {
    /// There may be none.
    Forbidden,
    /// Anything; the document does not speak of them.
    Unspecified,
    /// Values of that schema: the object is a map.
    Typed(SchemaId),
}

/// `oneOf` (exactly one branch may match) or `anyOf` (one or more).
#[derive(Debug, Clone)]
pub struct ChoiceSchema {
    /// Branches in document order; never empty.
    pub options: Vec<SchemaId>,
    /// Whether a value may match one branch only.
    pub exclusive: bool,
    /// Property that names the branch, and its value per branch (same order as `options`), when given.
    pub discriminator: Option<(String, Vec<String>)>,
}

/// How a value is written as XML (OpenAPI 3.0.3, "XML Object").
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct XmlHints {
    /// Element or attribute name.
    pub name: Option<String>,
    /// Namespace URI.
    pub namespace: Option<String>,
    /// Namespace prefix.
    pub prefix: Option<String>,
    /// Whether it is an attribute.
    pub attribute: bool,
    /// Whether an array has an element around its members.
    pub wrapped: bool,
}
