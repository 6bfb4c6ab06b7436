//! Where a lock is let go, and nothing may come between.
//!
//! `HotSpot` compiles a method with `synchronized` blocks only if each lock is let go on every way out of it, that of an
//! exception included. Compilers write `monitorexit` so that nothing in front of it can throw where nothing covers it:
//! a probe there, which in the eyes of the JVM may throw, would leave the method to the interpreter for ever. See `can_trap`
//! and `do_exception_edge` in its `generateOopMap.cpp`.

use restive_classfile::opcode::op;
use restive_classfile::{Code, Handler, Instruction};

/// The positions of instructions in front of which nothing may stand, ascending.
pub(crate) fn releases(code: &Code<'_>, instructions: &[Instruction<'_>]) -> Vec<usize> {
    let handlers: Vec<Handler> = code.handlers().collect();
    let mut positions = Vec::new();
    for (idx, exit) in instructions.iter().enumerate().filter(|(_, instruction)| instruction.opcode == op::MONITOREXIT) {
        let load = idx.checked_sub(1).filter(|at| loaded(instructions, *at).is_some());
        let store = idx.checked_sub(2).filter(|at| is_cleanup(instructions, &handlers, *at));
        if store.is_some() || !load.is_some_and(|at| is_covered(instructions, &handlers, at)) {
            positions.extend([store, load].into_iter().flatten().map(|at| instructions[at].pc));
            positions.push(exit.pc);
        }
    }
    positions
}

/// The variable whose reference the instruction with this index pushes.
fn loaded(instructions: &[Instruction<'_>], at: usize) -> Option<u16> {
    instructions.get(at)?.local().filter(|(opcode, _)| *opcode == op::ALOAD).map(|(_, local)| local)
}

/// Whether a handler begins here that lets a lock go: `astore; aload; monitorexit`.
fn is_cleanup(instructions: &[Instruction<'_>], handlers: &[Handler], at: usize) -> bool {
    let begins = |pc: usize| handlers.iter().any(|handler| usize::from(handler.handler_pc) == pc);
    released(instructions, at).is_some() && begins(instructions[at].pc)
}

/// The variable that holds the lock which the instructions from here on let go.
fn released(instructions: &[Instruction<'_>], at: usize) -> Option<u16> {
    let [store, _, exit] = instructions.get(at..at + 3)? else { return None };
    let is_store = store.local().is_some_and(|(opcode, _)| opcode == op::ASTORE);
    loaded(instructions, at + 1).filter(|_| is_store && exit.opcode == op::MONITOREXIT)
}

/// Whether what is thrown at this load of a lock comes to a handler that lets the same lock go.
fn is_covered(instructions: &[Instruction<'_>], handlers: &[Handler], at: usize) -> bool {
    let pc = instructions[at].pc;
    let first = handlers.iter().find(|handler| (usize::from(handler.start_pc)..usize::from(handler.end_pc)).contains(&pc));
    let Some(handler) = first.filter(|handler| handler.catch_type == 0) else { return false };
    let entry = instructions.binary_search_by_key(&usize::from(handler.handler_pc), |instruction| instruction.pc);
    entry.is_ok_and(|entry| released(instructions, entry) == loaded(instructions, at))
}
