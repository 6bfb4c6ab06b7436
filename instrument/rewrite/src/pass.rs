//! The passes, each of which looks at one instruction and puts in what it wants.

pub(crate) mod calls;
mod compare;
mod ends;
pub(crate) mod exceptions;
mod exits;
pub(crate) mod flags;
pub(crate) mod indices;
pub(crate) mod inputs;
mod jumps;
mod lines;
mod loops;
mod replace;
pub(crate) mod strings;
mod switches;
pub(crate) mod track;

use restive_classfile::{Instruction, Result};

use crate::outcome::Level;
use crate::probes::Site;

type Pass = fn(&mut Site<'_, '_, '_, '_, '_, '_>, &Instruction<'_>) -> Result<()>;

/// All passes with the lowest level at which they still work, in the order in which their instructions stand.
///
/// An exception is noted before its handler's line is the last one. A line is marked before anything of it happens. A call is marked last, so that no probe stands between mark and call.
/// What a jump in a method with a boolean result says of it comes before the jump's own probe, which may end the asking.
/// Passes that replace an instruction exclude each other: `exits` calls, `compare` comparisons.
pub(crate) const PASSES: [(Level, Pass); 16] = [
    (Level::WithoutLines, exceptions::pass),
    (Level::WithoutSwitches, lines::pass),
    (Level::WithoutSwitches, ends::pass),
    (Level::WithoutLines, loops::pass),
    (Level::WithoutLines, exits::pass),
    (Level::WithoutLines, compare::pass),
    (Level::All, flags::account),
    (Level::WithoutLines, jumps::pass),
    (Level::All, strings::pass),
    (Level::All, switches::pass),
    (Level::All, flags::ask),
    (Level::All, track::pass),
    (Level::All, inputs::pass),
    (Level::All, replace::pass),
    (Level::All, indices::pass),
    (Level::All, calls::pass),
];
