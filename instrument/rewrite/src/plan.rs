//! What is to be measured.

use crate::replacement::ReplacementFamily;

/// Which probes are put in, and what they report to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one kind of probe, and every combination makes sense")]
pub struct Plan {
    /// The internal name of the runtime class, such as `java/lang/RestiveProbes`.
    pub runtime_class: String,
    /// Mark each line, and keep the one that was executed last.
    pub lines: bool,
    /// Measure both sides of each conditional jump.
    pub jumps: bool,
    /// Measure each case of each switch.
    pub switches: bool,
    /// Mark each call before and after.
    pub calls: bool,
    /// Put an exception in the place of `System.exit` and the like.
    pub exits: bool,
    /// Tell of exceptions that leave a method or come to one of its handlers.
    pub exceptions: bool,
    /// Note at the end of each method what it executed last, where background threads disturb; wants `lines`.
    pub ends: bool,
    /// Tell how far the booleans that methods return were from the other value; wants `jumps`.
    pub flags: bool,
    /// Measure calls of these library methods.
    pub replacements: Vec<ReplacementFamily>,
    /// Tell of operands of library calls that are tracked values.
    pub tracking: bool,
    /// Tell which inputs are read by name, and what bodies are read into.
    pub inputs: bool,
}

impl Plan {
    /// All probes, reporting to this runtime class.
    pub fn all(runtime_class: &str) -> Plan {
        Plan {
            runtime_class: runtime_class.to_owned(),
            lines: true,
            jumps: true,
            switches: true,
            calls: true,
            exits: true,
            exceptions: true,
            ends: true,
            flags: true,
            replacements: ReplacementFamily::ALL.to_vec(),
            tracking: true,
            inputs: true,
        }
    }
}
