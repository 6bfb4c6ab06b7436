//! Ids of places in the code that last for a run: every process numbers them anew, and names stay.

use std::collections::HashMap;

use crate::search::CodeId;

/// All places named so far.
#[derive(Debug, Default)]
pub(super) struct Places {
    names: Vec<String>,
    // Looked up by key only; its order never matters.
    ids: HashMap<String, CodeId>,
    n_told: usize,
}

impl Places {
    /// The id of `name`, a new one at first sight.
    pub(super) fn intern(&mut self, name: &str) -> CodeId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = CodeId(u32::try_from(self.names.len()).expect("there are fewer than 2^32 places"));
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The name of `id`.
    pub(super) fn name(&self, id: CodeId) -> &str {
        &self.names[id.0 as usize]
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Names from that position on, in the order of first sight.
    pub(super) fn names_from(&self, first: usize) -> &[String] {
        &self.names[first..]
    }

    /// All names, in the order of first sight.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// All ids with their names, in the order of first sight.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (CodeId, &str)> {
        (0..).map(CodeId).zip(self.names())
    }

    /// Names that were not given out before.
    pub(super) fn take_new(&mut self) -> Vec<String> {
        let new = self.names[self.n_told..].to_vec();
        self.n_told = self.names.len();
        new
    }
}
