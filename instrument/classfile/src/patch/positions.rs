//! Where each old instruction comes to lie.

use crate::error::{Error, ErrorKind, Result};

const NONE: u32 = u32::MAX;

/// The two positions of each old instruction; see the module above.
pub(super) struct Positions {
    start: Vec<u32>,
    real: Vec<u32>,
    code_offset: usize,
}

impl Positions {
    /// Positions for a code array of this length at this offset of the class file.
    pub fn new(code_length: usize, code_offset: usize) -> Positions {
        Positions { start: vec![NONE; code_length + 1], real: vec![NONE; code_length + 1], code_offset }
    }

    /// Notes an instruction; a code array is never longer than 65,535 bytes, so positions fit.
    pub fn note(&mut self, pc: usize, start: usize, real: usize) {
        self.start[pc] = u32::try_from(start).unwrap_or(NONE);
        self.real[pc] = u32::try_from(real).unwrap_or(NONE);
    }

    /// In front of what was put before the instruction at `pc`; the end of the code counts as an instruction.
    pub fn start(&self, pc: usize) -> Result<usize> {
        self.look_up(&self.start, pc)
    }

    /// The instruction at `pc` itself.
    pub fn real(&self, pc: usize) -> Result<usize> {
        self.look_up(&self.real, pc)
    }

    /// [`Positions::start`] of the instruction that `pc` lies in; for tables of debuggers, where virtual machines are lenient.
    pub fn start_around(&self, pc: usize) -> Result<usize> {
        self.start(self.floor(pc))
    }

    /// [`Positions::real`] of the instruction that `pc` lies in.
    pub fn real_around(&self, pc: usize) -> Result<usize> {
        self.real(self.floor(pc))
    }

    fn floor(&self, pc: usize) -> usize {
        (0..=pc.min(self.start.len() - 1))
            .rev()
            .find(|at| self.start[*at] != NONE)
            .filter(|_| pc < self.start.len())
            .unwrap_or(pc)
    }

    fn look_up(&self, map: &[u32], pc: usize) -> Result<usize> {
        match map.get(pc) {
            Some(position) if *position != NONE => Ok(*position as usize),
            _ => Err(Error::new(ErrorKind::Position(i64::try_from(pc).unwrap_or(i64::MAX)), self.code_offset)),
        }
    }
}
