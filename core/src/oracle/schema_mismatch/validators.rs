//! Compiled schemas, made when they are first needed and kept as long as there is room.
//!
//! Equal schemas of different answers are compiled once. Together they are bounded, because in a large document every
//! answer reaches nearly every schema: those not used for longest go first.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::api::{Api, OperationIdx, StatusRange};

use super::Mismatch;
use super::compiled::Compiled;

/// JSON values in all compiled schemas together, at most; 60 MB.
const MAX_NODES: usize = 300_000;

/// Content codings counted by name, at most.
const MAX_CODINGS: usize = 8;

/// Which schema of an operation's answers is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// The body of that media type, by position.
    Media(usize),
    /// A header, by position.
    Header(usize),
}

/// A schema of the interface.
#[derive(Debug, Clone, Copy)]
pub(super) struct SchemaAt<'a> {
    /// Where it stands.
    pub(super) place: (OperationIdx, StatusRange, Part),
    /// The schema as a fragment for [`crate::api::JsonSchemas::closure`].
    pub(super) fragment: &'a Value,
}

/// Validators for the answers of an interface.
#[derive(Debug, Default)]
pub struct Validators {
    /// Positions in `slots` by place, so that a fragment is written out once only.
    places: BTreeMap<(OperationIdx, StatusRange, Part), usize>,
    /// The same by the fragment's text.
    fragments: BTreeMap<String, usize>,
    slots: Vec<Slot>,
    n_nodes: usize,
    uses: u64,
    unusable: Vec<(OperationIdx, String)>,
    too_costly: u64,
    /// Answers in JSON that is nested too deeply for our parser.
    too_deep: u64,
    /// Answers by the content coding they are in.
    unread: BTreeMap<String, u64>,
}

/// A schema that was needed at least once.
#[derive(Debug)]
struct Slot {
    /// None when it had to make room.
    compiled: Option<Compiled>,
    is_unusable: bool,
    last_use: u64,
}

impl Validators {
    /// Schemas that could not be compiled: the operation that needed it first, and the reason. The values they describe
    /// are not checked.
    pub fn unusable(&self) -> &[(OperationIdx, String)] {
        &self.unusable
    }

    /// How many values were not checked because that would have taken too many steps.
    pub fn too_costly(&self) -> u64 {
        self.too_costly
    }

    /// What was not compared with the schema: why, and how many answers (for schemas: how many of them).
    pub fn unchecked(&self) -> BTreeMap<String, u64> {
        let coding =
            |(name, count): (&String, &u64)| (format!("answers in the content coding `{}`", name.escape_debug()), *count);
        let mut unchecked: BTreeMap<String, u64> = self.unread.iter().map(coding).collect();
        if self.too_costly > 0 {
            unchecked.insert("answers that would take too many steps".to_owned(), self.too_costly);
        }
        if self.too_deep > 0 {
            unchecked.insert("answers nested deeper than 127 levels".to_owned(), self.too_deep);
        }
        if !self.unusable.is_empty() {
            unchecked.insert("schemas of answers that cannot be compiled".to_owned(), self.unusable.len() as u64);
        }
        unchecked
    }

    /// Notes that an answer was not checked because it is in that content coding.
    pub(super) fn note_unread(&mut self, coding: &str) {
        let is_new = !self.unread.contains_key(coding);
        let name = if is_new && self.unread.len() >= MAX_CODINGS { "other" } else { coding };
        *self.unread.entry(name.to_owned()).or_default() += 1;
    }

    /// Notes that an answer was not checked because it is nested too deeply.
    pub(super) fn note_too_deep(&mut self) {
        self.too_deep += 1;
    }

    /// Whether `value` matches; true when it cannot be told.
    pub(super) fn is_valid(&mut self, api: &Api, schema: SchemaAt<'_>, value: &Value) -> bool {
        self.ready(api, schema, value).is_none_or(|compiled| compiled.is_valid(value))
    }

    /// What of `value` does not match; nothing when it cannot be told.
    pub(super) fn mismatches(&mut self, api: &Api, schema: SchemaAt<'_>, value: &Value) -> Vec<Mismatch> {
        self.ready(api, schema, value).map_or_else(Vec::new, |compiled| compiled.mismatches(value))
    }

    /// The compiled schema, unless it cannot be compiled or `value` would take too long.
    fn ready(&mut self, api: &Api, schema: SchemaAt<'_>, value: &Value) -> Option<&Compiled> {
        let position = self.position(schema);
        self.uses += 1;
        self.slots[position].last_use = self.uses;
        if self.slots[position].is_unusable {
            return None;
        }
        if self.slots[position].compiled.is_none() {
            self.compile(api, schema, position);
        }
        let compiled = self.slots[position].compiled.as_ref()?;
        if !compiled.can_check(value) {
            self.too_costly += 1;
            return None;
        }
        Some(compiled)
    }

    fn position(&mut self, schema: SchemaAt<'_>) -> usize {
        if let Some(position) = self.places.get(&schema.place) {
            return *position;
        }
        let next = self.slots.len();
        let position = *self.fragments.entry(schema.fragment.to_string()).or_insert(next);
        if position == next {
            self.slots.push(Slot { compiled: None, is_unusable: false, last_use: 0 });
        }
        self.places.insert(schema.place, position);
        position
    }

    fn compile(&mut self, api: &Api, schema: SchemaAt<'_>, position: usize) {
        match Compiled::new(api, schema.fragment) {
            Ok(compiled) => {
                self.n_nodes += compiled.n_nodes();
                self.slots[position].compiled = Some(compiled);
                self.make_room(position);
            }
            Err(reason) => {
                self.slots[position].is_unusable = true;
                self.unusable.push((schema.place.0, reason));
            }
        }
    }

    /// Drops the schemas not used for longest until all fit; the one at `needed` stays.
    fn make_room(&mut self, needed: usize) {
        while self.n_nodes > MAX_NODES {
            let droppable = self.slots.iter_mut().enumerate();
            let droppable = droppable.filter(|(position, slot)| *position != needed && slot.compiled.is_some());
            let Some((_, oldest)) = droppable.min_by_key(|(_, slot)| slot.last_use) else { return };
            self.n_nodes -= oldest.compiled.take().map_or(0, |compiled| compiled.n_nodes());
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::{Api, OperationIdx, StatusRange};

    use super::{MAX_NODES, Part, SchemaAt, Validators};

    fn place(operation: u32) -> (OperationIdx, StatusRange, Part) {
        (OperationIdx(operation), StatusRange::Default, Part::Media(0))
    }

    #[test]
    fn equal_schemas_share_a_validator() {
        let api = Api::default();
        let mut validators = Validators::default();
        let fragment = json!({ "type": "string" });
        for operation in 0..5 {
            let schema = SchemaAt { place: place(operation), fragment: &fragment };
            assert!(validators.is_valid(&api, schema, &json!("x")) && !validators.is_valid(&api, schema, &json!(1)));
        }
        assert_eq!(validators.slots.len(), 1);
    }

    #[test]
    fn schemas_that_do_not_fit_together_are_dropped_and_made_again() {
        let large = |name: usize| -> Value {
            let properties = (0..40_000).map(|n| (format!("p{n}"), json!({ "minimum": name })));
            json!({ "properties": properties.collect::<serde_json::Map<_, _>>() })
        };
        let (api, mut validators) = (Api::default(), Validators::default());
        for round in 0..2 {
            for name in 0..5 {
                let fragment = large(name);
                let schema = SchemaAt { place: place(u32::try_from(name).unwrap()), fragment: &fragment };
                assert!(!validators.is_valid(&api, schema, &json!({ "p7": -1 })), "{round} {name}");
                assert!(validators.n_nodes <= MAX_NODES);
            }
        }
        assert_eq!(validators.slots.len(), 5);
        assert!(validators.slots.iter().filter(|slot| slot.compiled.is_some()).count() < 5);
    }
}
