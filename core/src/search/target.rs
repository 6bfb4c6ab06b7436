//! Things to cover, by dense id and stable name.

use std::collections::HashMap;

/// One thing to cover: a status of an operation, a fault, later a line or a branch side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetId(pub u32);

/// What a target is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    /// An outcome that is wanted for itself.
    Goal,
    /// A goal that gets a test of its own, which shows nothing else.
    Fault,
    /// An end of the service, which no test can show: the others would find none.
    Death,
    /// A place in the service's code, as a driver sees it: a line, one side of a branch. What runs once in the life of a
    /// process is not covered again.
    Code,
    /// A shape of input or answer that keeps tests different; most shapes that never succeed never can.
    Shape,
}

/// Names of all targets seen so far; ids are given in order of first sight.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    names: Vec<String>,
    kinds: Vec<TargetKind>,
    // Looked up by key only; its order never matters.
    ids: HashMap<String, TargetId>,
}

impl Targets {
    /// The id of `name`, a new one at first sight.
    ///
    /// # Panics
    /// With more than `u32::MAX` targets.
    pub fn intern(&mut self, kind: TargetKind, name: &str) -> TargetId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = TargetId(u32::try_from(self.names.len()).expect("there are fewer than 2^32 targets"));
        self.names.push(name.to_owned());
        self.kinds.push(kind);
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The name of `id`.
    pub fn name(&self, id: TargetId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The kind of `id`.
    pub fn kind(&self, id: TargetId) -> TargetKind {
        self.kinds[id.0 as usize]
    }

    /// All ids, in the order of first sight.
    ///
    /// # Panics
    /// Never: ids have 32 bits.
    pub fn ids(&self) -> impl Iterator<Item = TargetId> + use<> {
        let n_targets = u32::try_from(self.names.len()).expect("there are fewer than 2^32 targets");
        (0..n_targets).map(TargetId)
    }

    /// Number of targets seen.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether none was seen.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
