//! The fields and methods that a class names, looked up once.

use restive_classfile::opcode::op;
use restive_classfile::{Constant, ConstantPool, Instruction, MemberRef};

/// All members that the constant pool of a class names, by index.
#[derive(Debug)]
pub(crate) struct MemberTable<'a> {
    members: Vec<Option<MemberRef<'a>>>,
}

impl<'a> MemberTable<'a> {
    pub fn of(pool: &ConstantPool<'a>) -> MemberTable<'a> {
        MemberTable { members: (0..pool.count()).map(|index| member(pool, index)).collect() }
    }

    /// The field or method that an instruction names.
    pub fn named_by(&self, instruction: &Instruction<'_>) -> Option<MemberRef<'a>> {
        let is_member = matches!(instruction.opcode, op::GETSTATIC..=op::INVOKEDYNAMIC);
        let index = instruction.constant().filter(|_| is_member)?;
        self.members.get(usize::from(index)).copied().flatten()
    }
}

fn member<'a>(pool: &ConstantPool<'a>, index: u16) -> Option<MemberRef<'a>> {
    match pool.constant(index).ok()? {
        Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) | Constant::InvokeDynamic(..) => {
            pool.member(index).ok()
        }
        _ => None,
    }
}
