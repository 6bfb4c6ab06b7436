//! The instructions that probes consist of.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Result};

use crate::hash::FastMap;
use crate::runtime;

/// Members of the runtime classes that were used so far in a class, with their constants.
#[derive(Debug)]
pub(crate) struct Members<'p> {
    runtime_class: &'p str,
    known: FastMap<Member, u16>,
}

/// A static member of a runtime class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Member {
    pub home: Home,
    pub name: &'static str,
    pub descriptor: &'static str,
}

/// One of the classes that live in the service's JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Home {
    /// What probes report to.
    Probes,
    /// What stands around calls of library methods.
    Calls,
    /// What stands around validators of beans.
    Constraints,
    /// What looks for tracked values among operands.
    Tracking,
    /// What notes which inputs are read.
    Inputs,
}

/// `MARKS` of the runtime class.
pub(crate) const MARKS: Member = Member { home: Home::Probes, name: "MARKS", descriptor: "[S" };
/// `last` of the runtime class.
pub(crate) const LAST: Member = Member { home: Home::Probes, name: "last", descriptor: "I" };

/// The part of an id that `sipush` can push.
pub(crate) const LOW_HALF: u32 = 0x7fff;

/// A pool with less room than this gets no constant for each id.
const CROWDED: u16 = 0x6000;

impl<'p> Members<'p> {
    pub fn new(runtime_class: &'p str) -> Members<'p> {
        Members { runtime_class, known: FastMap::default() }
    }

    /// Forgets the constants, after a pool was rolled back.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn constant(&mut self, member: Member, pool: &mut AppendedPool) -> Result<u16> {
        if let Some(index) = self.known.get(&member) {
            return Ok(*index);
        }
        let Member { home, name, descriptor } = member;
        let class = runtime::class_name(self.runtime_class, home);
        let index = if descriptor.starts_with('(') {
            pool.method(&class, name, descriptor)?
        } else {
            pool.field(&class, name, descriptor)?
        };
        self.known.insert(member, index);
        Ok(index)
    }
}

/// Appends instructions to a piece of code.
pub(crate) struct Emitter<'c, 'p> {
    pub code: &'c mut Vec<u8>,
    pub pool: &'c mut AppendedPool,
    pub members: &'c mut Members<'p>,
}

impl Emitter<'_, '_> {
    /// Instructions without operands.
    pub fn plain(&mut self, opcodes: &[u8]) {
        self.code.extend(opcodes);
    }

    /// Pushes an `int` the shortest way.
    pub fn int(&mut self, value: i32) -> Result<()> {
        match (i8::try_from(value), i16::try_from(value)) {
            (Ok(small @ -1..=5), _) => self.code.push(op::ICONST_0.wrapping_add_signed(small)),
            (Ok(byte), _) => self.code.extend([op::BIPUSH, byte.cast_unsigned()]),
            (_, Ok(short)) => self.with_operand(op::SIPUSH, short.cast_unsigned()),
            _ => {
                let index = self.pool.integer(value)?;
                self.load(index);
            }
        }
        Ok(())
    }

    /// Pushes a target id; a table never has more than `i32::MAX` targets, for no array has.
    ///
    /// Wants two stack entries where the pool is short of room: an id beyond 16 bits is then the sum of a constant that many
    /// ids share and a short number.
    pub fn id(&mut self, id: u32) -> Result<()> {
        let low = id & LOW_HALF;
        if id == low || self.pool.room() > CROWDED {
            return self.int(id.cast_signed());
        }
        let index = self.pool.integer((id - low).cast_signed())?;
        self.load(index);
        self.int(low.cast_signed())?;
        self.plain(&[op::IADD]);
        Ok(())
    }

    /// Pushes a constant of one word.
    pub fn load(&mut self, index: u16) {
        match u8::try_from(index) {
            Ok(index) => self.code.extend([op::LDC, index]),
            Err(_) => self.with_operand(op::LDC_W, index),
        }
    }

    /// Calls a static method, reads or writes a static field of the runtime class.
    pub fn member(&mut self, opcode: u8, member: Member) -> Result<()> {
        let index = self.members.constant(member, self.pool)?;
        self.with_operand(opcode, index);
        Ok(())
    }

    /// Calls a static method of the runtime class.
    pub fn call(&mut self, name: &'static str, descriptor: &'static str) -> Result<()> {
        self.member(op::INVOKESTATIC, Member { home: Home::Probes, name, descriptor })
    }

    /// Calls a method of the class that stands around calls.
    pub fn call_around(&mut self, name: &'static str, descriptor: &'static str) -> Result<()> {
        self.member(op::INVOKESTATIC, Member { home: Home::Calls, name, descriptor })
    }

    /// Loads or stores a local variable: `opcode` is one of `iload` to `aload`, `istore` to `astore`.
    pub fn local(&mut self, opcode: u8, local: u16) {
        if let Ok(local) = u8::try_from(local) {
            self.code.extend([opcode, local]);
        } else {
            self.code.push(op::WIDE);
            self.with_operand(opcode, local);
        }
    }

    /// Sets the mark of a target; wants three stack entries.
    pub fn mark(&mut self, id: u32, value: i32) -> Result<()> {
        self.member(op::GETSTATIC, MARKS)?;
        self.id(id)?;
        self.int(value)?;
        self.plain(&[op::SASTORE]);
        Ok(())
    }

    fn with_operand(&mut self, opcode: u8, operand: u16) {
        let [high, low] = operand.to_be_bytes();
        self.code.extend([opcode, high, low]);
    }
}

#[cfg(test)]
mod tests {
    use restive_classfile::opcode::op;
    use restive_classfile::{AppendedPool, ClassFile, Patcher};

    use super::{Emitter, Members};

    const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");

    fn pushed(id: u32, pool: &mut AppendedPool) -> Vec<u8> {
        let mut code = Vec::new();
        Emitter { code: &mut code, pool, members: &mut Members::new("A") }.id(id).unwrap();
        code
    }

    #[test]
    fn ids_take_as_few_bytes_as_can_be() {
        let class = ClassFile::read(LOOPS).unwrap();
        let mut pool = Patcher::new(&class).pool;
        assert_eq!(pushed(5, &mut pool), [op::ICONST_5]);
        assert_eq!(pushed(6, &mut pool), [op::BIPUSH, 6]);
        assert_eq!(pushed(128, &mut pool), [op::SIPUSH, 0, 128]);
        assert_eq!(pushed(32_768, &mut pool)[0], op::LDC);
    }

    #[test]
    fn large_ids_share_a_constant_where_the_pool_is_nearly_full() {
        let class = ClassFile::read(LOOPS).unwrap();
        let mut pool = Patcher::new(&class).pool;
        (0..50_000).for_each(|value| assert!(pool.integer(value).is_ok()));
        let mut room = Vec::new();
        for id in [100_000, 100_001, 100_300] {
            let code = pushed(id, &mut pool);
            assert_eq!((code[0], code[3], code[6]), (op::LDC_W, op::SIPUSH, op::IADD));
            room.push(pool.room());
        }
        assert!(room.iter().all(|left| *left == room[0]));
    }
}
