//! What the passes work with at one instruction, and what they share in a class.

use restive_classfile::{AppendedPool, CatchAll, Edit, Edits, Error, ErrorKind, Instruction, Result};

use crate::emit::{Emitter, LOW_HALF, Members};
use crate::hash::FastMap;
use crate::method::Method;
use crate::outcome::Level;
use crate::pass::flags::Telling;
use crate::pass::{PASSES, exceptions};
use crate::plan::Plan;
use crate::target::{Detail, Place, Symbol, Target, TargetTable};

/// Things that are counted separately at each place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    Branch,
    Switch,
    Call,
    Replacement,
    Index,
}

/// What the methods of a class have in common.
pub(crate) struct Shared<'p> {
    pub plan: &'p Plan,
    pub table: &'p mut TargetTable,
    pub class: Symbol,
    pub members: Members<'p>,
    /// How many of each family there were at each place.
    ordinals: FastMap<(Place, Family), u16>,
    /// What was counted since the last [`Shared::begin`].
    counted: Vec<(Place, Family)>,
    pub is_table_full: bool,
    /// The label of each callee by its constant.
    pub callees: FastMap<u16, Symbol>,
    /// Position and id of the jump for which the call in front of it has asked.
    pub asked: Option<(usize, u32)>,
    /// Where the present method tells how far its boolean was from the other value.
    pub telling: Telling,
}

impl<'p> Shared<'p> {
    pub fn new(plan: &'p Plan, table: &'p mut TargetTable, class_name: &str) -> Shared<'p> {
        let class = table.symbol(class_name);
        let members = Members::new(&plan.runtime_class);
        Shared {
            plan,
            table,
            class,
            members,
            ordinals: FastMap::default(),
            counted: Vec::new(),
            is_table_full: false,
            callees: FastMap::default(),
            asked: None,
            telling: Telling::Nowhere,
        }
    }

    /// Begins an attempt at a method; gives the length of the table to come back to.
    pub fn begin(&mut self) -> u32 {
        self.counted.clear();
        self.asked = None;
        self.telling = Telling::Nowhere;
        self.table.len()
    }

    /// Takes back what an attempt did that failed.
    pub fn take_back(&mut self, table_len: u32) {
        self.table.truncate(table_len);
        self.members.forget();
        for key in self.counted.drain(..) {
            if let Some(count) = self.ordinals.get_mut(&key) {
                *count = count.saturating_sub(1);
            }
        }
    }

    fn ordinal(&mut self, place: Place, family: Family) -> u16 {
        let count = self.ordinals.entry((place, family)).or_default();
        let ordinal = *count;
        *count = count.saturating_add(1);
        self.counted.push((place, family));
        ordinal
    }
}

/// One attempt at a method, as the patcher drives it.
pub(crate) struct Attempt<'m, 's, 'a, 'c, 'p> {
    pub method: &'m Method<'a, 'c>,
    pub shared: &'s mut Shared<'p>,
    pub level: Level,
    /// The index of the next instruction.
    pub idx: usize,
    /// How many instructions got a probe.
    pub n_probed: usize,
}

impl Edits for Attempt<'_, '_, '_, '_, '_> {
    fn edit(&mut self, instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit) -> Result<()> {
        let mut site = Site { method: self.method, idx: self.idx, shared: self.shared, pool, edit };
        let is_release = self.method.is_release(instruction.pc);
        for (level, pass) in PASSES {
            if self.level <= level && !is_release {
                pass(&mut site, instruction)?;
            }
        }
        self.idx += 1;
        self.n_probed += usize::from(edit.extra_stack > 0 || !edit.before.is_empty());
        Ok(())
    }

    fn catch_all(&mut self, pool: &mut AppendedPool) -> Result<Option<CatchAll>> {
        if self.n_probed == 0 || !self.shared.plan.exceptions {
            return Ok(None);
        }
        exceptions::catch_all(self.method, pool, &mut self.shared.members)
    }
}

/// One instruction of a method that is rewritten.
pub(crate) struct Site<'m, 's, 'a, 'c, 'p, 'e> {
    pub method: &'m Method<'a, 'c>,
    pub idx: usize,
    pub shared: &'s mut Shared<'p>,
    pub pool: &'e mut AppendedPool,
    pub edit: &'e mut Edit,
}

impl<'p> Site<'_, '_, '_, '_, 'p, '_> {
    pub fn plan(&self) -> &'p Plan {
        self.shared.plan
    }

    /// The line of this instruction, or the method where there are no lines.
    pub fn place(&mut self) -> Place {
        let pc = self.method.instructions.get(self.idx).map_or(0, |instruction| instruction.pc);
        match self.method.line_at(pc) {
            Some(line) => Place::Line(line),
            None => Place::Method(self.shared.table.symbol(&self.method.label)),
        }
    }

    /// The id of the first of new targets at this place.
    pub fn targets(&mut self, family: Family, details: impl IntoIterator<Item = Detail>) -> Result<u32> {
        let place = self.place();
        let ordinal = self.shared.ordinal(place, family);
        let class = self.shared.class;
        let block: Vec<_> = details.into_iter().map(|detail| Target { class, place, ordinal, detail }).collect();
        self.block(&block)
    }

    /// The id of the first of these targets.
    pub fn block(&mut self, block: &[Target]) -> Result<u32> {
        if let Some(id) = self.shared.table.block(block) {
            return Ok(id);
        }
        self.shared.is_table_full = true;
        Err(Error::new(ErrorKind::PoolFull, 0))
    }

    /// A large id may take one entry more than the number itself, see [`Emitter::id`].
    fn need_stack(&mut self, n: u16) {
        let is_large = self.shared.table.len() > LOW_HALF;
        self.edit.need_stack(n + u16::from(is_large && n > 0));
    }

    /// Writes in front of the instruction; `n` is how many stack entries that wants.
    pub fn before(&mut self, n: u16) -> Emitter<'_, 'p> {
        self.need_stack(n);
        Emitter { code: &mut self.edit.before, pool: self.pool, members: &mut self.shared.members }
    }

    /// Writes in the place of the instruction; `n` is how many stack entries more than before that wants.
    pub fn replacement(&mut self, n: u16) -> Emitter<'_, 'p> {
        self.need_stack(n);
        Emitter { code: &mut self.edit.replacement, pool: self.pool, members: &mut self.shared.members }
    }

    /// Writes behind the instruction; `n` is how many stack entries that wants.
    pub fn after(&mut self, n: u16) -> Emitter<'_, 'p> {
        self.need_stack(n);
        Emitter { code: &mut self.edit.after, pool: self.pool, members: &mut self.shared.members }
    }
}
