//! Marks each call before it happens and after it has returned: `MARKS[id] = 2; call; MARKS[id] = 3`.
//!
//! What is still 2 when the marks are read did not return. Nothing else is needed to see an exception, so there is no
//! handler and no new frame. What is missed: a call that threw and was repeated with success before the marks were read.

use restive_classfile::opcode::op;
use restive_classfile::{Instruction, MemberRef, Result, text};

use super::{exits, replace};
use crate::method::Method;
use crate::probes::{Family, Shared, Site};
use crate::references;
use crate::target::{Detail, Symbol};

const CALLED: i32 = 2;
const RETURNED: i32 = 3;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_call = matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE) && site.plan().calls;
    let is_replaced = site.plan().exits && exits::replacement(site.method, instruction).is_some();
    if !is_call || is_replaced || site.method.string_switches.is_part(instruction.pc) {
        return Ok(());
    }
    let Some(member) = site.method.member(instruction).filter(|member| !is_safe(member)) else { return Ok(()) };
    if member.name == b"requireNonNull" && site.method.label.starts_with(references::PREFIX) {
        // Belongs to the call of which the method was made.
        return Ok(());
    }
    let callee = callee(site, instruction, &member);
    let id = site.targets(Family::Call, [Detail::Returns(callee), Detail::Throws(callee)])?;
    replace::in_front(site, instruction, id)?;
    site.before(3).mark(id, CALLED)?;
    site.after(3).mark(id, RETURNED)
}

/// Whether the method has calls but those that never throw and always return at once.
pub(crate) fn any_is_marked(method: &Method<'_, '_>) -> bool {
    let is_marked = |call: &Instruction<'_>| method.member(call).is_none_or(|member| !is_safe(&member));
    method.instructions.iter().any(|instruction| Method::is_call(instruction) && is_marked(instruction))
}

/// The label of the callee.
pub(super) fn callee(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>, member: &MemberRef<'_>) -> Symbol {
    let index = instruction.constant().unwrap_or_default();
    let Shared { table, callees, .. } = site.shared;
    *callees.entry(index).or_insert_with(|| table.symbol(&label(member)))
}

/// Classes of boxed numbers, whose `valueOf` a compiler puts in where the source has no call.
const BOXES: [&[u8]; 8] = [
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Character",
    b"java/lang/Double",
    b"java/lang/Float",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Short",
];

/// Calls that never throw and always return, most of which are no calls in the source.
fn is_safe(member: &MemberRef<'_>) -> bool {
    match (member.class, member.name) {
        (b"java/lang/Object", b"<init>") => true,
        (b"java/lang/StringBuilder" | b"java/lang/StringBuffer", name) => {
            // Appending an object calls its `toString`.
            let is_append = name == b"append" && !member.descriptor.starts_with(b"(Ljava/lang/Object;)");
            is_append || name == b"toString" || member.descriptor == b"()V"
        }
        (class, b"valueOf") if BOXES.contains(&class) => !member.descriptor.starts_with(b"(L"),
        _ => false,
    }
}

/// Class without package, and method.
fn label(member: &MemberRef<'_>) -> String {
    let class = text::decode(member.class);
    let simple = class.rsplit('/').next().unwrap_or(&class);
    format!("{simple}.{}", text::decode(member.name))
}
