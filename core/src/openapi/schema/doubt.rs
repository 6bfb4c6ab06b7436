//! Which schemas may contradict themselves in a way that only the attempt to make a value shows: patterns that no text of
//! the lengths beside them matches, formats that they contradict, `oneOf` where every value fits several branches, too few
//! different members.
//!
//! Here they are only noted; [`crate::action::settle`] makes the attempt.

use super::super::reader::Place;
use super::Lowering;
use crate::api::{Doubt, SchemaId, SchemaKind};

impl<'a> Lowering<'_, 'a> {
    /// The doubt about a schema of this kind that stands at `place` and has its format from `formats`.
    pub(super) fn doubt(
        &self,
        schema: SchemaId,
        kind: &SchemaKind,
        (place, formats): (Place<'a>, &[Place<'a>]),
    ) -> Option<Doubt> {
        let has_form = matches!(kind, SchemaKind::String(string)
            if string.pattern.is_some() || string.min_length > 0 || string.max_length.is_some());
        let formats: Vec<String> =
            if has_form { formats.iter().map(|place| self.reader.reference(*place)).collect() } else { Vec::new() };
        let is_doubtful = !formats.is_empty() || may_be_empty(kind);
        is_doubtful.then(|| Doubt { schema, pointer: self.reader.pointer(place), formats })
    }
}

/// Whether only the attempt shows that some value fits a schema of this kind.
fn may_be_empty(kind: &SchemaKind) -> bool {
    match kind {
        SchemaKind::String(schema) => schema.pattern.is_some(),
        SchemaKind::Number(schema) => schema.multiple_of.is_some(),
        SchemaKind::Array(schema) => schema.unique && schema.min_items > 1,
        SchemaKind::Choice(schema) => schema.exclusive,
        _ => false,
    }
}
