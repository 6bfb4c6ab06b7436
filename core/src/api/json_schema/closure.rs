//! Cutting a self-contained JSON Schema out of the documents.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::demanded::{demanded, forbids, shuts_out};
use super::keyword::{self, Bound, Node, TypeSet};
use super::{Dialect, Direction, JsonSchemas};

/// Longest chain of references that is followed.
const LONGEST_CHAIN: usize = 100;
/// Closed parts inside each other that are opened; beyond, they stay closed.
const MOST_OPENED: usize = 8;

/// What a schema is applied to, seen from the named schema it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Applies {
    /// The same value, as one more demand.
    Always,
    /// The same value, as one of several ways.
    AsBranch,
    /// A member or property of it.
    ToPart,
}

/// One closure in the making. Named schemas are numbered in the order they are met; the fragment itself is 0.
pub(super) struct Closure<'a> {
    schemas: &'a JsonSchemas,
    direction: Direction,
    numbers: BTreeMap<String, usize>,
    queue: Vec<String>,
    /// Named schemas that apply to the very value the schema with that number applies to.
    applied: Vec<Vec<usize>>,
    /// References that would make a schema apply to the same value for ever.
    cut: BTreeSet<(usize, usize)>,
    current: usize,
    patterns: BTreeMap<String, bool>,
    /// Number of closed parts around the present one that are being opened.
    opened: usize,
    /// Names demanded by what the next object is an opened part of.
    inherited: BTreeSet<String>,
}

impl<'a> Closure<'a> {
    pub(super) fn new(schemas: &'a JsonSchemas, direction: Direction) -> Self {
        Self {
            schemas,
            direction,
            numbers: BTreeMap::new(),
            queue: Vec::new(),
            applied: Vec::new(),
            cut: BTreeSet::new(),
            current: 0,
            patterns: BTreeMap::new(),
            opened: 0,
            inherited: BTreeSet::new(),
        }
    }

    /// The self-contained schema.
    pub(super) fn schema(mut self, fragment: &Value) -> Value {
        let schema = self.attempt(fragment);
        self.cut = circular(&self.applied);
        if self.cut.is_empty() { schema } else { self.attempt(fragment) }
    }

    fn attempt(&mut self, fragment: &Value) -> Value {
        (self.numbers, self.queue, self.applied, self.current) = (BTreeMap::new(), Vec::new(), vec![Vec::new()], 0);
        let dialect = self.schemas.resolve("#").map(|(_, dialect)| dialect).unwrap_or_default();
        let mut root = match self.convert(fragment, dialect, Applies::Always) {
            Value::Object(root) => root,
            Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
            _ => Map::new(),
        };
        let mut named = Map::new();
        while self.current < self.queue.len() {
            let reference = self.queue[self.current].clone();
            self.current += 1;
            self.applied.push(Vec::new());
            let (value, dialect) = self.schemas.resolve(&reference).unwrap_or((&Value::Bool(true), dialect));
            named.insert(format!("d{}", self.current), self.convert(value, dialect, Applies::Always));
        }
        root.insert("$schema".to_owned(), Value::from("https://json-schema.org/draft/2020-12/schema"));
        if !named.is_empty() {
            root.insert("$defs".to_owned(), Value::Object(named));
        }
        Value::Object(root)
    }

    fn convert(&mut self, value: &Value, dialect: Dialect, applies: Applies) -> Value {
        match value {
            Value::Object(node) if keyword::is_reference_only(node, dialect) => self.reference(node, applies),
            Value::Object(node) => self.object(node, dialect, applies),
            Value::Bool(_) => value.clone(),
            _ => Value::Bool(true),
        }
    }

    fn reference(&mut self, node: &Node, applies: Applies) -> Value {
        let Some(reference) = keyword::reference(node).and_then(|reference| self.target(reference)) else {
            return Value::Bool(true);
        };
        let next = self.queue.len() + 1;
        let number = *self.numbers.entry(reference).or_insert_with_key(|reference| {
            self.queue.push(reference.clone());
            next
        });
        if applies != Applies::ToPart {
            if self.cut.contains(&(self.current, number)) {
                return Value::Bool(applies == Applies::Always);
            }
            self.applied[self.current].push(number);
        }
        json!({ "$ref": format!("#/$defs/d{number}") })
    }

    /// The last reference of a chain of references, none when it leads nowhere.
    fn target(&self, reference: &str) -> Option<String> {
        let mut reference = reference;
        for _ in 0..LONGEST_CHAIN {
            let (value, dialect) = self.schemas.resolve(reference)?;
            match value {
                Value::Object(node) if keyword::is_reference_only(node, dialect) => reference = keyword::reference(node)?,
                _ if keyword::is_schema(value) => return Some(reference.to_owned()),
                _ => return None,
            }
        }
        None
    }

    fn object(&mut self, node: &Node, dialect: Dialect, applies: Applies) -> Value {
        let mut out = Map::new();
        let inherited = std::mem::take(&mut self.inherited);
        // Forced through `anyOf`, which makes everything else a branch.
        let is_forced_null = keyword::is_nullable(node, dialect) && is_composed(node);
        let applies = if is_forced_null { Applies::AsBranch } else { applies };
        if keyword::reference(node).is_some()
            && let Value::Object(reference) = self.reference(node, applies)
        {
            out.extend(reference);
        }
        put_values(node, dialect, &mut out);
        if self.direction == Direction::Answer {
            put_integer_range(node, &mut out);
        }
        self.put_strings(node, &mut out);
        self.put_required(node, &mut out);
        let schemas = self.schemas;
        let mut demanded = demanded(schemas, node);
        demanded.extend(inherited.iter().map(String::as_str));
        let is_opened = forbids(node, &demanded) || shuts_out(schemas, node);
        for name in node.keys() {
            let value = match name.as_str() {
                "allOf" => self.all_of(node, &demanded, dialect, applies),
                "additionalProperties" if is_opened => None,
                _ => self.applicator(node, name, dialect, applies),
            };
            if let Some(value) = value {
                let is_any = name == "oneOf" && keyword::is_told_apart(node);
                out.insert(if is_any { "anyOf" } else { name }.to_owned(), value);
            }
        }
        if is_forced_null { json!({ "anyOf": [out, { "type": "null" }] }) } else { Value::Object(out) }
    }

    /// The parts, of which those that forbid what another demands are opened.
    fn all_of(&mut self, node: &Node, demanded: &BTreeSet<&str>, dialect: Dialect, applies: Applies) -> Option<Value> {
        let mut parts = Vec::new();
        for (_, part) in keyword::list(node, "allOf") {
            parts.push(match self.opened_part(part, demanded, dialect) {
                Some((open, dialect)) => {
                    self.opened += 1;
                    self.inherited = demanded.iter().map(|name| (*name).to_owned()).collect();
                    let part = self.object(&open, dialect, applies);
                    self.opened -= 1;
                    part
                }
                None => self.convert(part, dialect, applies),
            });
        }
        (!parts.is_empty()).then_some(Value::Array(parts))
    }

    fn opened_part(&self, part: &Value, demanded: &BTreeSet<&str>, dialect: Dialect) -> Option<(Node, Dialect)> {
        let (part, dialect) = match part.as_object()? {
            node if keyword::is_reference_only(node, dialect) => {
                self.schemas.resolve(&self.target(keyword::reference(node)?)?)?
            }
            _ => (part, dialect),
        };
        let mut open = part.as_object().filter(|node| self.opened < MOST_OPENED && forbids(node, demanded))?.clone();
        open.shift_remove("additionalProperties");
        Some((open, dialect))
    }

    fn put_strings(&mut self, node: &Node, out: &mut Map<String, Value>) {
        if let Some(pattern) = keyword::pattern(node)
            && self.compiles(pattern)
        {
            out.insert("pattern".to_owned(), Value::from(pattern));
        }
        // A listed value is meant, even when it is not of the format.
        if let Some(format) = node.get("format").and_then(Value::as_str).filter(|_| keyword::listed(node).is_empty()) {
            out.insert("format".to_owned(), Value::from(format));
        }
    }

    fn put_required(&self, node: &Node, out: &mut Map<String, Value>) {
        let properties = node.get("properties").and_then(Value::as_object);
        let is_left_out = |name: &&str| {
            self.direction == Direction::Answer
                && properties.and_then(|properties| properties.get(*name)).is_some_and(|property| self.is_write_only(property))
        };
        let names: Vec<&str> = keyword::required(node).into_iter().filter(|name| !is_left_out(name)).collect();
        if !names.is_empty() {
            out.insert("required".to_owned(), json!(names));
        }
    }

    fn is_write_only(&self, property: &Value) -> bool {
        let says_so = |value: &Value| value.get("writeOnly") == Some(&Value::Bool(true));
        let target = property.get("$ref").and_then(Value::as_str).and_then(|reference| self.target(reference));
        says_so(property) || target.and_then(|target| self.schemas.resolve(&target)).is_some_and(|(value, _)| says_so(value))
    }

    fn compiles(&mut self, pattern: &str) -> bool {
        if let Some(compiles) = self.patterns.get(pattern) {
            return *compiles;
        }
        let compiles = keyword::compiles(pattern);
        self.patterns.insert(pattern.to_owned(), compiles);
        compiles
    }

    /// A keyword that holds schemas, none when it is another one or has nothing usable.
    fn applicator(&mut self, node: &Node, name: &str, dialect: Dialect, applies: Applies) -> Option<Value> {
        let is_new = dialect == Dialect::OpenApi31;
        let branch = if applies == Applies::ToPart { Applies::ToPart } else { Applies::AsBranch };
        match name {
            "anyOf" | "oneOf" => self.list(node, name, dialect, branch),
            "prefixItems" if is_new => self.list(node, name, dialect, Applies::ToPart),
            "not" => self.single(&node[name], dialect, branch),
            "if" | "then" | "else" if is_new => self.single(&node[name], dialect, branch),
            "items" | "additionalProperties" => self.single(&node[name], dialect, Applies::ToPart),
            "contains" | "propertyNames" | "unevaluatedItems" | "unevaluatedProperties" if is_new => {
                self.single(&node[name], dialect, Applies::ToPart)
            }
            "properties" | "patternProperties" => self.map(&node[name], name, dialect, Applies::ToPart),
            "dependentSchemas" if is_new => self.map(&node[name], name, dialect, branch),
            "dependentRequired" if is_new => dependent_names(&node[name]),
            _ => None,
        }
    }

    fn single(&mut self, value: &Value, dialect: Dialect, applies: Applies) -> Option<Value> {
        keyword::is_schema(value).then(|| self.convert(value, dialect, applies))
    }

    fn list(&mut self, node: &Node, name: &str, dialect: Dialect, applies: Applies) -> Option<Value> {
        let parts: Vec<Value> =
            keyword::list(node, name).into_iter().map(|(_, part)| self.convert(part, dialect, applies)).collect();
        (!parts.is_empty()).then_some(Value::Array(parts))
    }

    fn map(&mut self, value: &Value, name: &str, dialect: Dialect, applies: Applies) -> Option<Value> {
        let mut out = Map::new();
        for (key, part) in value.as_object()?.iter().filter(|(_, part)| keyword::is_schema(part)) {
            if name != "patternProperties" || self.compiles(key) {
                out.insert(key.clone(), self.convert(part, dialect, applies));
            }
        }
        Some(Value::Object(out))
    }
}

fn is_composed(node: &Node) -> bool {
    ["$ref", "allOf", "anyOf", "oneOf", "not"].iter().any(|name| node.contains_key(*name))
}

/// Types, listed values, numbers and counts.
fn put_values(node: &Node, dialect: Dialect, out: &mut Map<String, Value>) {
    let types = keyword::types(node);
    let values = keyword::enumeration(node, types);
    let lists_null = values.as_ref().is_some_and(|values| values.iter().any(|value| value.is_null()));
    let is_nullable = keyword::is_nullable(node, dialect) || lists_null;
    if let Some(types) = types {
        let types = if is_nullable { types.union(TypeSet::NULL) } else { types };
        out.insert("type".to_owned(), types.members().map(|(_, name)| Value::from(name)).collect());
    }
    if let Some(values) = values {
        let mut values: Vec<Value> = values.into_iter().map(std::borrow::Cow::into_owned).collect();
        if is_nullable && !values.contains(&Value::Null) {
            values.push(Value::Null);
        }
        out.insert("enum".to_owned(), Value::Array(values));
    }
    put_bounds(node, out);
    for (least, most) in [("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties")] {
        let (minimum, maximum) = keyword::counts(node, least, most);
        put_counts(out, (least, (minimum > 0).then_some(minimum)), (most, maximum));
    }
    if dialect == Dialect::OpenApi31 && node.contains_key("contains") {
        let counts = ("minContains", keyword::count(node, "minContains"));
        put_counts(out, counts, ("maxContains", keyword::count(node, "maxContains")));
    }
    if node.get("uniqueItems") == Some(&Value::Bool(true)) {
        out.insert("uniqueItems".to_owned(), Value::Bool(true));
    }
}

fn put_counts(out: &mut Map<String, Value>, least: (&str, Option<u64>), most: (&str, Option<u64>)) {
    for (name, count) in [least, most] {
        if let Some(count) = count {
            out.insert(name.to_owned(), Value::from(count));
        }
    }
}

fn put_bounds(node: &Node, out: &mut Map<String, Value>) {
    let (lower, upper) = keyword::bounds(node);
    let mut put = |bound: Option<Bound>, inclusive: &str, exclusive: &str| {
        if let Some(Bound { at, exclusive: is_exclusive }) = bound {
            out.insert(if is_exclusive { exclusive } else { inclusive }.to_owned(), Value::Number(at));
        }
    };
    put(lower, "minimum", "exclusiveMinimum");
    put(upper, "maximum", "exclusiveMaximum");
    if let Some(step) = keyword::multiple_of(node) {
        out.insert("multipleOf".to_owned(), Value::Number(step));
    }
}

/// The range of `format: int32` or `int64`, which is all that it says; bounds of the schema's own are believed.
fn put_integer_range(node: &Node, out: &mut Map<String, Value>) {
    let is_number = |types: TypeSet| types == types.intersection(TypeSet::NUMBER.union(TypeSet::NULL));
    if !keyword::types(node).is_none_or(is_number) || !keyword::listed(node).is_empty() {
        return;
    }
    let (least, most) = match node.get("format").and_then(Value::as_str) {
        Some("int32") => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some("int64") => (i64::MIN, i64::MAX),
        _ => return,
    };
    let has = |out: &Map<String, Value>, names: [&str; 2]| names.iter().any(|name| out.contains_key(*name));
    if !has(out, ["minimum", "exclusiveMinimum"]) {
        out.insert("minimum".to_owned(), Value::from(least));
    }
    if !has(out, ["maximum", "exclusiveMaximum"]) {
        out.insert("maximum".to_owned(), Value::from(most));
    }
}

fn dependent_names(value: &Value) -> Option<Value> {
    let mut out = Map::new();
    for (name, needed) in value.as_object()? {
        let needed: BTreeSet<&str> = needed.as_array()?.iter().filter_map(Value::as_str).collect();
        out.insert(name.clone(), json!(needed));
    }
    Some(Value::Object(out))
}

/// Edges without which no walk along `applied` returns to where it was.
fn circular(applied: &[Vec<usize>]) -> BTreeSet<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Walk {
        Unseen,
        Open,
        Done,
    }
    let mut walks = vec![Walk::Unseen; applied.len()];
    let mut cut = BTreeSet::new();
    for start in 0..applied.len() {
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 && walks[node] != Walk::Unseen {
                continue;
            }
            walks[node] = Walk::Open;
            let Some(&target) = applied[node].get(next) else {
                walks[node] = Walk::Done;
                continue;
            };
            stack.push((node, next + 1));
            match walks[target] {
                Walk::Unseen => stack.push((target, 0)),
                Walk::Open => drop(cut.insert((node, target))),
                Walk::Done => {}
            }
        }
    }
    cut
}
