//! The table of targets: dense ids, and the names behind them.

use std::fmt;

use crate::hash::FastMap;
use crate::runtime;

/// All targets of all classes so far. An id, once given, keeps its meaning.
#[derive(Debug)]
pub struct TargetTable {
    capacity: u32,
    targets: Vec<Target>,
    /// The id of the first target of each block.
    blocks: FastMap<Target, u32>,
    symbols: Symbols,
    n_slots: i32,
}

/// What kind of target this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetKind {
    /// A line of a class.
    Line,
    /// A side of a conditional jump.
    Branch,
    /// A case or the default of a switch.
    Switch,
    /// A call that returns.
    Returns,
    /// A call that does not.
    Throws,
    /// An outcome of a call of a library method.
    Replacement,
}

/// A text that is kept once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Symbol(u32);

/// Where in a class a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// A line of the source.
    Line(u16),
    /// Name and descriptor of the method, where there are no lines.
    Method(Symbol),
}

/// What is the target at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Detail {
    Line,
    Then,
    Else,
    Number(i32),
    Text(Symbol),
    Default,
    Returns(Symbol),
    Throws(Symbol),
    /// True, found or equal.
    Holds(Symbol),
    Fails(Symbol),
}

/// One target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Target {
    pub class: Symbol,
    pub place: Place,
    /// Which jump, switch or call of the place it belongs to, from 0.
    pub ordinal: u16,
    pub detail: Detail,
}

#[derive(Debug, Default)]
struct Symbols {
    texts: Vec<Box<str>>,
    known: FastMap<Box<str>, u32>,
}

impl TargetTable {
    /// An empty table with room for this many targets.
    pub fn with_capacity(capacity: u32) -> TargetTable {
        TargetTable { capacity, targets: Vec::new(), blocks: FastMap::default(), symbols: Symbols::default(), n_slots: 0 }
    }

    /// How many targets there are; the next id.
    pub fn len(&self) -> u32 {
        // Never more than the capacity.
        u32::try_from(self.targets.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// How many targets there is room for.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// The name of a target, the same in every run; none for an id that is not given yet.
    pub fn name(&self, id: u32) -> Option<String> {
        let target = self.targets.get(id as usize)?;
        Some(Named { target, symbols: &self.symbols }.to_string())
    }

    /// Id and name of the targets from this id on.
    pub fn names_since(&self, id: u32) -> impl Iterator<Item = (u32, String)> + '_ {
        (id..self.len()).filter_map(|id| Some((id, self.name(id)?)))
    }

    /// The kind of a target; none for an id that is not given yet.
    pub fn kind(&self, id: u32) -> Option<TargetKind> {
        self.targets.get(id as usize).map(|target| match target.detail {
            Detail::Line => TargetKind::Line,
            Detail::Then | Detail::Else => TargetKind::Branch,
            Detail::Number(_) | Detail::Text(_) | Detail::Default => TargetKind::Switch,
            Detail::Returns(_) => TargetKind::Returns,
            Detail::Throws(_) => TargetKind::Throws,
            Detail::Holds(_) | Detail::Fails(_) => TargetKind::Replacement,
        })
    }

    /// Whether two targets stand at the same place: a call at a line, say.
    pub fn are_together(&self, one: u32, other: u32) -> bool {
        let place = |id: u32| self.targets.get(id as usize).map(|target| (target.class, target.place));
        place(one).is_some() && place(one) == place(other)
    }

    /// The id of the target of a line of the class of this name (with dots); none when it has none.
    pub fn line(&self, class_name: &str, line: u16) -> Option<u32> {
        let class = Symbol(*self.symbols.known.get(class_name)?);
        self.known(&Target { class, place: Place::Line(line), ordinal: 0, detail: Detail::Line })
    }

    /// The id of the target of fulfilling a constraint on a property of the class of this name (with dots), which the one of
    /// not fulfilling it follows; none when there is no room.
    pub fn constraint(&mut self, class_name: &str, property: &str, constraint: &str) -> Option<u32> {
        let (class, place) = (self.symbol(class_name), Place::Method(self.symbol(property)));
        let constraint = self.symbol(constraint);
        let block = [Detail::Holds(constraint), Detail::Fails(constraint)];
        self.block(&block.map(|detail| Target { class, place, ordinal: 0, detail }))
    }

    /// The id of a target that begins a block; none when it has none yet.
    pub(crate) fn known(&self, target: &Target) -> Option<u32> {
        self.blocks.get(target).copied()
    }

    /// A place for one more method that returns a boolean; none when there is no room.
    pub(crate) fn next_slot(&mut self) -> Option<i32> {
        let slot = self.n_slots;
        self.n_slots += 1;
        (slot < runtime::N_SLOTS).then_some(slot)
    }

    /// The symbol of a text.
    pub(crate) fn symbol(&mut self, text: &str) -> Symbol {
        self.symbols.intern(text)
    }

    /// The id of the first of these targets, which have ids one after the other; none when there is no room.
    ///
    /// A block that was asked for before has its old ids.
    pub(crate) fn block(&mut self, block: &[Target]) -> Option<u32> {
        let first = *block.first()?;
        if let Some(id) = self.blocks.get(&first) {
            let known = self.targets.get(*id as usize..)?;
            if known.starts_with(block) {
                return Some(*id);
            }
        }
        let id = self.len();
        let n_targets = u32::try_from(block.len()).ok()?;
        if n_targets > self.capacity - id {
            return None;
        }
        self.targets.extend(block);
        self.blocks.insert(first, id);
        Some(id)
    }

    /// Takes back all ids from this one on.
    pub(crate) fn truncate(&mut self, len: u32) {
        for target in self.targets.drain(len as usize..) {
            if self.blocks.get(&target).is_some_and(|id| *id >= len) {
                self.blocks.remove(&target);
            }
        }
    }
}

impl Symbols {
    fn intern(&mut self, text: &str) -> Symbol {
        if let Some(number) = self.known.get(text) {
            return Symbol(*number);
        }
        // Fewer symbols than bytes of class files.
        let number = u32::try_from(self.texts.len()).unwrap_or(u32::MAX);
        self.texts.push(text.into());
        self.known.insert(text.into(), number);
        Symbol(number)
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.texts.get(symbol.0 as usize).map_or("", |text| text)
    }
}

struct Named<'a> {
    target: &'a Target,
    symbols: &'a Symbols,
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Target { class, place, ordinal, detail } = *self.target;
        let kind = match detail {
            Detail::Line => "line",
            Detail::Then | Detail::Else => "branch",
            Detail::Number(_) | Detail::Text(_) | Detail::Default => "switch",
            Detail::Returns(_) => "returns",
            Detail::Throws(_) => "throws",
            Detail::Holds(_) | Detail::Fails(_) => "replace",
        };
        write!(f, "{kind}:{}:", self.symbols.text(class))?;
        match place {
            Place::Line(line) => write!(f, "{line}")?,
            Place::Method(method) => f.write_str(self.symbols.text(method))?,
        }
        match detail {
            Detail::Line => Ok(()),
            Detail::Then => write!(f, ":{ordinal}:then"),
            Detail::Else => write!(f, ":{ordinal}:else"),
            Detail::Number(key) => write!(f, ":{ordinal}:case {key}"),
            Detail::Text(text) => write!(f, ":{ordinal}:case {}", self.symbols.text(text)),
            Detail::Default => write!(f, ":{ordinal}:default"),
            Detail::Returns(callee) | Detail::Throws(callee) => write!(f, ":{ordinal}:{}", self.symbols.text(callee)),
            Detail::Holds(callee) => write!(f, ":{ordinal}:{}:true", self.symbols.text(callee)),
            Detail::Fails(callee) => write!(f, ":{ordinal}:{}:false", self.symbols.text(callee)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Detail, Place, Target, TargetKind, TargetTable};

    fn branch(table: &mut TargetTable, line: u16) -> [Target; 2] {
        let class = table.symbol("com.acme.Foo");
        [Detail::Then, Detail::Else].map(|detail| Target { class, place: Place::Line(line), ordinal: 1, detail })
    }

    #[test]
    fn a_block_has_neighbouring_ids_and_keeps_them() {
        let mut table = TargetTable::with_capacity(4);
        let (one, other) = (branch(&mut table, 42), branch(&mut table, 43));
        assert_eq!((table.block(&one), table.block(&other), table.block(&one)), (Some(0), Some(2), Some(0)));
        assert_eq!(table.name(1).as_deref(), Some("branch:com.acme.Foo:42:1:else"));
        assert_eq!(table.kind(3), Some(TargetKind::Branch));
        assert_eq!(table.names_since(3).map(|(id, _)| id).collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn constraints_have_the_names_of_their_properties() {
        let mut table = TargetTable::with_capacity(4);
        let id = table.constraint("com.acme.Order", "name", "Size");
        assert_eq!((id, table.constraint("com.acme.Order", "name", "Size")), (Some(0), Some(0)));
        assert_eq!(table.name(1).as_deref(), Some("replace:com.acme.Order:name:0:Size:false"));
    }

    #[test]
    fn a_full_table_gives_no_id_and_a_truncated_one_gives_them_again() {
        let mut table = TargetTable::with_capacity(3);
        let (one, other) = (branch(&mut table, 1), branch(&mut table, 2));
        assert_eq!((table.block(&one), table.block(&other)), (Some(0), None));
        table.truncate(0);
        assert_eq!((table.block(&other), table.name(2)), (Some(0), None));
    }
}
