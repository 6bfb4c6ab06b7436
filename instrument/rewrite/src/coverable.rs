//! From where on a method can be covered by a handler that knows none of its local variables.

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Code, Instruction, MemberRef, Result};

use crate::method::FIRST_WITH_FRAMES;

/// The first position of a method that such a handler may cover; none when it cannot have one.
///
/// In a constructor that is behind the call of another one: where `this` is not initialised a handler must not take it that
/// it was (JVMS 4.10.1.4). Subroutines are left alone, for their code belongs to whoever calls it.
pub(crate) fn from(
    code: &Code<'_>,
    instructions: &[Instruction<'_>],
    is_constructor: bool,
    class: &ClassFile<'_>,
) -> Result<Option<usize>> {
    if instructions.iter().any(|instruction| matches!(instruction.opcode, op::JSR | op::JSR_W | op::RET)) {
        return Ok(None);
    }
    if !is_constructor {
        return Ok(Some(0));
    }
    if class.major_version < FIRST_WITH_FRAMES {
        return Ok(None);
    }
    let last = code.last_uninitialised_this(&class.pool)?;
    let behind = behind_constructor_call(instructions, class);
    Ok(behind.filter(|from| *from > last && *from < code.code.len()))
}

/// Behind the last call of a constructor of this class or its superclass for which there was no `new`.
fn behind_constructor_call(instructions: &[Instruction<'_>], class: &ClassFile<'_>) -> Option<usize> {
    let names = [class.this_class, class.super_class].map(|index| class.pool.class_name(index).ok());
    let (mut n_new, mut behind) = (0usize, None);
    for instruction in instructions {
        let Some(index) = instruction.constant() else { continue };
        if instruction.opcode == op::NEW && names.contains(&class.pool.class_name(index).ok()) {
            n_new += 1;
        }
        let called = || class.pool.member(index).ok();
        let is_own = |member: MemberRef<'_>| member.name == b"<init>" && names.contains(&Some(member.class));
        if instruction.opcode == op::INVOKESPECIAL && called().is_some_and(is_own) {
            match n_new.checked_sub(1) {
                Some(left) => n_new = left,
                None => behind = Some(instruction.next_pc()),
            }
        }
    }
    behind
}
