//! Tells which inputs are read by name, and what bodies are read into: a copy of an operand goes to a hook in front of the call,
//! or one of its result to a hook behind it.

use restive_classfile::opcode::op;
use restive_classfile::{AppendedPool, Edit, Instruction, Result};

use crate::emit::{Emitter, Home, Member, Members};
use crate::inputs::{InputCall, InputHook, InputPlace, ROOTED, find};
use crate::probes::Site;
use crate::replacement::Operand;

/// What a hook takes from the stack: the result, two operands and a number, above the result that stays.
const HOOK_STACK: u16 = 5;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    let is_call = matches!(instruction.opcode, op::INVOKEVIRTUAL..=op::INVOKEINTERFACE);
    if !is_call || !site.plan().inputs {
        return Ok(());
    }
    let member = site.method.member(instruction);
    match member.and_then(|member| find(&member, instruction.opcode == op::INVOKESTATIC)) {
        Some(known) => tell(&known, site.method.n_locals, (site.edit, site.pool, &mut site.shared.members)),
        None => Ok(()),
    }
}

/// Puts the hook of a row around a call, in a method with that many local variables.
pub(crate) fn tell(
    call: &InputCall,
    n_locals: u16,
    (edit, pool, members): (&mut Edit, &mut AppendedPool, &mut Members<'_>),
) -> Result<()> {
    edit.need_stack(HOOK_STACK);
    let InputCall { row, operands, gives_object } = call;
    let number = row.place.number();
    let above = |operand: u8| operands.get(usize::from(operand) + 1..).unwrap_or_default();
    let named = "(Ljava/lang/Object;I)V";
    match row.hook {
        InputHook::Read(operand) => {
            Above::store(above(operand), n_locals, edit).around(edit, pool, members, &[], (op::DUP, "read", named, number))
        }
        InputHook::Fill => {
            Above::store(above(0), n_locals, edit).around(edit, pool, members, &[], (op::DUP, "hold", named, number))
        }
        InputHook::Typed => {
            Above::store(above(0), n_locals, edit).around(edit, pool, members, &[], (op::DUP, "typed", named, number))
        }
        InputHook::Parse(operand) => {
            let above = Above::store(above(operand), n_locals, edit);
            above.around(edit, pool, members, &[], (op::DUP, "parse", named, number))?;
            if *gives_object { behind(edit, pool, members, &[], ("grown", named, number)) } else { Ok(()) }
        }
        InputHook::ReadAs(name, read, media_type) => {
            let lowest = name.min(read);
            let above = Above::store(operands.get(usize::from(lowest)..).unwrap_or_default(), n_locals, edit);
            let local = |operand: u8| above.local(usize::from(operand - lowest));
            let taken = [Some(local(name)), Some(local(read)), media_type.map(local)];
            let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V";
            above.around_all(edit, (pool, members), &taken, ("readAs", descriptor, number))
        }
        InputHook::Look | InputHook::LookRooted => {
            let number = number + if row.hook == InputHook::LookRooted { ROOTED } else { 0 };
            let above = Above::store(above(1), n_locals, edit);
            let kept: &[u16] = if *gives_object { &[above.end(), above.end() + 1] } else { &[] };
            above.around(edit, pool, members, kept, (op::DUP2, "look", "(Ljava/lang/Object;Ljava/lang/Object;I)V", number))?;
            if *gives_object { behind(edit, pool, members, kept, ("child", CHILD, number)) } else { Ok(()) }
        }
        InputHook::Member => {
            let above = Above::store(above(0), n_locals, edit);
            let kept = [above.end()];
            above.around(edit, pool, members, &kept, (op::DUP, "typed", named, InputPlace::ArrayKey.number()))?;
            behind(edit, pool, members, &kept, ("child", CHILD, number))
        }
        InputHook::Reach => {
            let mut code = Emitter { code: &mut edit.before, pool, members };
            code.int(number)?;
            code.member(op::INVOKESTATIC, hook("reach", "(I)V"))
        }
        InputHook::Hold => behind(edit, pool, members, &[], ("hold", named, number)),
    }
}

/// The hook that takes the result, what it was found in, and by which name.
const CHILD: &str = "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V";

/// A hook behind the call: it is given a copy of the result, what was kept of the operands, and a number.
fn behind(
    edit: &mut Edit,
    pool: &mut AppendedPool,
    members: &mut Members<'_>,
    kept: &[u16],
    (name, descriptor, number): (&'static str, &'static str, i32),
) -> Result<()> {
    let mut code = Emitter { code: &mut edit.after, pool, members };
    code.plain(&[op::DUP]);
    for local in kept {
        code.local(op::ALOAD, *local);
    }
    if descriptor == CHILD && kept.len() < 2 {
        code.plain(&[op::ACONST_NULL]);
    }
    code.int(number)?;
    code.member(op::INVOKESTATIC, hook(name, descriptor))
}

fn hook(name: &'static str, descriptor: &'static str) -> Member {
    Member { home: Home::Inputs, name, descriptor }
}

/// Operands that wait in local variables behind those of the method, for the hook to come to those below them.
struct Above<'o> {
    operands: &'o [Operand],
    first: u16,
}

impl<'o> Above<'o> {
    fn store(operands: &'o [Operand], first: u16, edit: &mut Edit) -> Above<'o> {
        let above = Above { operands, first };
        // Two more for operands that are kept for the hook behind the call.
        edit.need_locals(above.end() - first + 2);
        above
    }

    /// The first local variable behind them.
    fn end(&self) -> u16 {
        self.local(self.operands.len())
    }

    /// Puts them aside, copies what is on top then, into local variables as well where it is to be kept, calls the hook with a
    /// number, and puts them back.
    fn around(
        &self,
        edit: &mut Edit,
        pool: &mut AppendedPool,
        members: &mut Members<'_>,
        kept: &[u16],
        (copy, name, descriptor, number): (u8, &'static str, &'static str, i32),
    ) -> Result<()> {
        let mut code = Emitter { code: &mut edit.before, pool, members };
        self.put_aside(&mut code);
        if !kept.is_empty() {
            code.plain(&[copy]);
            for local in kept.iter().rev() {
                code.local(op::ASTORE, *local);
            }
        }
        code.plain(&[copy]);
        code.int(number)?;
        code.member(op::INVOKESTATIC, hook(name, descriptor))?;
        self.put_back(&mut code);
        Ok(())
    }

    /// Puts them aside, calls the hook with some of them (null for none) and a number, and puts them back.
    fn around_all(
        &self,
        edit: &mut Edit,
        (pool, members): (&mut AppendedPool, &mut Members<'_>),
        taken: &[Option<u16>],
        (name, descriptor, number): (&'static str, &'static str, i32),
    ) -> Result<()> {
        let mut code = Emitter { code: &mut edit.before, pool, members };
        self.put_aside(&mut code);
        for local in taken {
            match local {
                Some(local) => code.local(op::ALOAD, *local),
                None => code.plain(&[op::ACONST_NULL]),
            }
        }
        code.int(number)?;
        code.member(op::INVOKESTATIC, hook(name, descriptor))?;
        self.put_back(&mut code);
        Ok(())
    }

    /// The local variable in which one of them waits.
    fn local(&self, idx: usize) -> u16 {
        self.first + self.operands.iter().take(idx).map(|operand| operand.words()).sum::<u16>()
    }

    fn put_aside(&self, code: &mut Emitter<'_, '_>) {
        for (idx, operand) in self.operands.iter().enumerate().rev() {
            code.local(op::ISTORE + operand.order(), self.local(idx));
        }
    }

    fn put_back(&self, code: &mut Emitter<'_, '_>) {
        for (idx, operand) in self.operands.iter().enumerate() {
            code.local(op::ILOAD + operand.order(), self.local(idx));
        }
    }
}
