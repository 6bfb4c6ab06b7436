//! Makes each loop stoppable: `loop()` in front of each jump that leads back.
//!
//! The other probes look at a plain field, which a compiler may read once in front of a loop; this one reads the mode anew.

use restive_classfile::{Instruction, Result};

use crate::probes::Site;

pub(super) fn pass(site: &mut Site<'_, '_, '_, '_, '_, '_>, instruction: &Instruction<'_>) -> Result<()> {
    if instruction.jump_target().is_none_or(|target| target > instruction.pc) {
        return Ok(());
    }
    site.before(0).call("loop", "()V")
}
