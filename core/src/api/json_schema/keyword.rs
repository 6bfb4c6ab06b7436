//! What single schema keywords mean, read leniently: one reading for validation and for the genes.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::Dialect;

/// A schema object's keywords.
pub(crate) type Node = Map<String, Value>;

/// Demanded lengths and counts beyond this are taken for mistakes: nobody can send such a value.
pub(crate) const LARGEST_MINIMUM: u64 = 100_000;

/// A set of JSON types; `null` is a member like the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TypeSet(u8);

impl TypeSet {
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(2);
    pub(crate) const INTEGER: Self = Self(4);
    pub(crate) const NUMBER: Self = Self(8 | 4);
    pub(crate) const STRING: Self = Self(16);
    pub(crate) const ARRAY: Self = Self(32);
    pub(crate) const OBJECT: Self = Self(64);

    const NAMED: [(Self, &'static str); 7] = [
        (Self::NULL, "null"),
        (Self::BOOLEAN, "boolean"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::STRING, "string"),
        (Self::ARRAY, "array"),
        (Self::OBJECT, "object"),
    ];

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn without_null(self) -> Self {
        Self(self.0 & !1)
    }

    pub(crate) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The single types of the set; numbers include whole numbers.
    pub(crate) fn members(self) -> impl Iterator<Item = (Self, &'static str)> {
        let has_number = self.contains(Self::NUMBER);
        Self::NAMED.into_iter().filter(move |(set, _)| self.contains(*set) && !(has_number && *set == Self::INTEGER))
    }

    /// The type of a value.
    pub(crate) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if is_whole(number) => Self::INTEGER,
            Value::Number(_) => Self::NUMBER,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    /// The type of that name; names of other languages that stand in real documents count too.
    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "null" => Some(Self::NULL),
            "boolean" | "bool" => Some(Self::BOOLEAN),
            "integer" | "int" | "int32" | "int64" | "long" => Some(Self::INTEGER),
            "number" | "float" | "double" | "decimal" => Some(Self::NUMBER),
            "string" | "str" | "file" | "date" | "date-time" | "datetime" | "uuid" => Some(Self::STRING),
            "array" | "list" => Some(Self::ARRAY),
            "object" | "map" => Some(Self::OBJECT),
            _ => None,
        }
    }
}

fn is_whole(number: &Number) -> bool {
    number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// The types that `type` names, none when it says nothing usable.
///
/// A plain type that no value of `enum` has is not believed in; where an array or object is wanted, `enum` is not.
pub(crate) fn types(node: &Node) -> Option<TypeSet> {
    let named = named_types(node)?;
    let is_plain = !named.contains(TypeSet::ARRAY) && !named.contains(TypeSet::OBJECT);
    let is_contradicted = is_plain && !listed(node).is_empty() && enumeration(node, Some(named)).is_none();
    (!is_contradicted).then_some(named)
}

/// The types that `type` names, none when it names nothing known.
pub(crate) fn named_types(node: &Node) -> Option<TypeSet> {
    match node.get("type")? {
        Value::String(name) => TypeSet::named(name),
        Value::Array(names) => {
            let known = names.iter().map(|name| name.as_str().and_then(TypeSet::named));
            known.reduce(|one, other| Some(one?.union(other?))).flatten()
        }
        _ => None,
    }
}

/// Whether `nullable` (or its older spelling) allows `null`; OpenAPI 3.1 does not know the keyword.
pub(crate) fn is_nullable(node: &Node, dialect: Dialect) -> bool {
    let says_so = |name| match node.get(name) {
        Some(Value::Bool(nullable)) => *nullable,
        Some(Value::String(text)) => text == "true",
        _ => false,
    };
    dialect == Dialect::OpenApi30 && (says_so("nullable") || says_so("x-nullable"))
}

/// Whether a `discriminator` tells the branches of `oneOf` apart, so that a value may match others than the named one.
pub(crate) fn is_told_apart(node: &Node) -> bool {
    let property = node.get("discriminator").and_then(|discriminator| discriminator.get("propertyName"));
    property.is_some_and(Value::is_string) && !node.contains_key("anyOf")
}

/// The values of `enum` and `const`; texts and numbers that YAML confused become the type that `type` names.
///
/// None without the keywords or without a value of `types`.
pub(crate) fn enumeration(node: &Node, types: Option<TypeSet>) -> Option<Vec<Cow<'_, Value>>> {
    let kept = match types {
        None => distinct(listed(node).iter().map(Cow::Borrowed)),
        Some(types) => distinct(listed(node).iter().filter_map(|value| coerced(value, types))),
    };
    (!kept.is_empty()).then_some(kept)
}

/// The values of `enum` and `const` as they stand there.
pub(crate) fn listed(node: &Node) -> &[Value] {
    match (node.get("const"), node.get("enum")) {
        (Some(constant), _) => std::slice::from_ref(constant),
        (None, Some(Value::Array(values))) => values,
        (None, Some(single @ (Value::String(_) | Value::Number(_) | Value::Bool(_)))) => std::slice::from_ref(single),
        _ => &[],
    }
}

fn distinct<'a>(values: impl Iterator<Item = Cow<'a, Value>>) -> Vec<Cow<'a, Value>> {
    let mut seen = std::collections::HashSet::new();
    values.filter(|value| seen.insert(value.to_string())).collect()
}

/// `value` as a member of `types`, none when it cannot be one.
fn coerced(value: &Value, types: TypeSet) -> Option<Cow<'_, Value>> {
    if value.is_null() || types.contains(TypeSet::of(value)) {
        return Some(Cow::Borrowed(value));
    }
    match value {
        Value::Number(_) | Value::Bool(_) if types.contains(TypeSet::STRING) => {
            Some(Cow::Owned(Value::from(value.to_string())))
        }
        Value::String(text) => {
            let parsed: Value = serde_json::from_str(text.trim()).ok()?;
            (!parsed.is_null() && types.contains(TypeSet::of(&parsed))).then_some(Cow::Owned(parsed))
        }
        _ => None,
    }
}

/// A count such as `maxLength`: whole and not negative, also as text or with a zero fraction.
pub(crate) fn count(node: &Node, name: &str) -> Option<u64> {
    match node.get(name)? {
        Value::Number(number) if is_whole(number) => number.as_u64().or_else(|| count_of(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn count_of(float: f64) -> Option<u64> {
    // The range is checked, and a count beyond 2^53 is as good as none.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is whole and lies in the range")]
    (0.0..9e15).contains(&float).then_some(float as u64)
}

/// Two counts that bound a size: an unsendable minimum and a maximum below the minimum are not believed in.
pub(crate) fn counts(node: &Node, least: &str, most: &str) -> (u64, Option<u64>) {
    let minimum = count(node, least).filter(|minimum| *minimum <= LARGEST_MINIMUM).unwrap_or(0);
    (minimum, count(node, most).filter(|maximum| *maximum >= minimum))
}

/// One end of a range of numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    /// Where it lies.
    pub(crate) at: Number,
    /// Whether that number itself is left out.
    pub(crate) exclusive: bool,
}

impl Bound {
    pub(crate) fn float(&self) -> f64 {
        self.at.as_f64().unwrap_or(0.0)
    }
}

/// Lower and upper bound; an upper bound that leaves nothing is not believed in.
pub(crate) fn bounds(node: &Node) -> (Option<Bound>, Option<Bound>) {
    let lower = bound(node, "minimum", "exclusiveMinimum", |new, old| new >= old);
    let upper = bound(node, "maximum", "exclusiveMaximum", |new, old| new <= old);
    let upper = upper.filter(|upper| {
        lower.as_ref().is_none_or(|lower| {
            lower.float() < upper.float() || (lower.float() <= upper.float() && !lower.exclusive && !upper.exclusive)
        })
    });
    (lower, upper)
}

fn bound(node: &Node, inclusive: &str, exclusive: &str, is_tighter: fn(f64, f64) -> bool) -> Option<Bound> {
    let plain = number(node, inclusive).map(|at| Bound { at, exclusive: node.get(exclusive) == Some(&Value::Bool(true)) });
    let strict = number(node, exclusive).map(|at| Bound { at, exclusive: true });
    match (plain, strict) {
        (Some(plain), Some(strict)) => Some(if is_tighter(strict.float(), plain.float()) { strict } else { plain }),
        (plain, strict) => plain.or(strict),
    }
}

/// A number, also as text.
pub(crate) fn number(node: &Node, name: &str) -> Option<Number> {
    match node.get(name)? {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => serde_json::from_str(text.trim()).ok(),
        _ => None,
    }
}

/// `multipleOf`, which must be above 0.
pub(crate) fn multiple_of(node: &Node) -> Option<Number> {
    number(node, "multipleOf").filter(|step| step.as_f64().is_some_and(|step| step > 0.0))
}

/// Names that must be there, each once; where nothing but listed properties is allowed, only those.
pub(crate) fn required(node: &Node) -> Vec<&str> {
    let Some(names) = node.get("required").and_then(Value::as_array) else { return Vec::new() };
    let properties = node.get("properties").and_then(Value::as_object);
    let is_closed = node.get("additionalProperties") == Some(&Value::Bool(false)) && !node.contains_key("patternProperties");
    let mut kept = Vec::new();
    for name in names.iter().filter_map(Value::as_str) {
        let is_possible = !is_closed || properties.is_some_and(|properties| properties.contains_key(name));
        if is_possible && !kept.contains(&name) {
            kept.push(name);
        }
    }
    kept
}

/// Whether `value` can stand where a schema is wanted.
pub(crate) fn is_schema(value: &Value) -> bool {
    value.is_object() || value.is_boolean()
}

/// The schemas of `allOf`, `anyOf`, `oneOf` or `prefixItems` with their positions; what is no schema is left out.
pub(crate) fn list<'a>(node: &'a Node, name: &str) -> Vec<(usize, &'a Value)> {
    let items = node.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().enumerate().filter(|(_, item)| is_schema(item)).collect()
}

/// The reference of a schema, `$dynamicRef` included.
pub(crate) fn reference(node: &Node) -> Option<&str> {
    node.get("$ref").or_else(|| node.get("$dynamicRef"))?.as_str()
}

/// Whether nothing but the reference counts in this schema.
pub(crate) fn is_reference_only(node: &Node, dialect: Dialect) -> bool {
    reference(node).is_some() && (dialect == Dialect::OpenApi30 || node.len() == 1)
}

/// The regular expression of `pattern`; one between slashes, as some languages write it, without them.
///
/// With the slashes no text could match where the expression has its anchors.
pub(crate) fn pattern(node: &Node) -> Option<&str> {
    let text = node.get("pattern")?.as_str()?;
    let inside = text.strip_prefix('/').and_then(|text| text.rsplit_once('/'));
    let is_delimited = |(inside, flags): &(&str, &str)| {
        flags.bytes().all(|flag| b"dgimsuy".contains(&flag)) && (inside.starts_with('^') || inside.ends_with('$'))
    };
    Some(inside.filter(is_delimited).map_or(text, |(inside, _)| inside))
}

/// Whether validation can use the regular expression (ECMA-262 dialect).
pub(crate) fn compiles(pattern: &str) -> bool {
    jsonschema::validator_for(&serde_json::json!({ "pattern": pattern })).is_ok()
}
