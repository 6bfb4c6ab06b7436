//! From where on a method can be covered by a handler that knows none of its local variables.

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Code, Instruction, MemberRef, Result};

/// JVMS 4.10: the first version whose code is checked by stack map frames.
const FIRST_WITH_FRAMES: u16 = 50;

/// What such a handler may cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Coverable {
    /// From this position to the end.
    pub from: usize,
    /// Whether code of this version says by stack map frames what types it works on.
    pub has_frames: bool,
}

/// What such a handler may cover of a method; none when it cannot have one.
///
/// In a constructor that is behind the call of another one: where `this` is not initialised a handler must not take it that
/// it was (JVMS 4.10.1.4). Subroutines are left alone, for their code belongs to whoever calls it.
pub(crate) fn find(
    code: &Code<'_>,
    instructions: &[Instruction<'_>],
    is_constructor: bool,
    class: &ClassFile<'_>,
) -> Result<Option<Coverable>> {
    if instructions.iter().any(|instruction| matches!(instruction.opcode, op::JSR | op::JSR_W | op::RET)) {
        return Ok(None);
    }
    let has_frames = class.major_version >= FIRST_WITH_FRAMES;
    if !is_constructor {
        return Ok(Some(Coverable { from: 0, has_frames }));
    }
    if !has_frames {
        return Ok(None);
    }
    let last = code.last_uninitialised_this(&class.pool)?;
    let behind = behind_constructor_call(instructions, class).filter(|from| *from > last && *from < code.code.len());
    Ok(behind.map(|from| Coverable { from, has_frames }))
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
