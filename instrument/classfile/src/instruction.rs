//! Decodes instructions (JVMS 6.5); an [`Instruction`] borrows its bytes and reads operands when asked.

use crate::error::{Error, ErrorKind, Result};
use crate::opcode::{Format, describe, op};
use crate::reader::Reader;

/// One instruction of a code array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction<'a> {
    /// Where it begins, in bytes from the beginning of the code array.
    pub pc: usize,
    /// Its opcode; for a wide instruction that of `wide`.
    pub opcode: u8,
    format: Format,
    bytes: &'a [u8],
}

/// The table of a `tableswitch` or `lookupswitch`.
#[derive(Debug, Clone, Copy)]
pub struct Switch<'a> {
    pc: usize,
    default: i32,
    first_key: Option<i32>,
    entries: &'a [u8],
}

impl<'a> Instruction<'a> {
    /// The instruction at `pc` of this code array, which begins at `code_offset` of the class file.
    pub fn decode(code: &'a [u8], pc: usize, code_offset: usize) -> Result<Instruction<'a>> {
        let at = |kind| Error::new(kind, code_offset + pc);
        let opcode = *code.get(pc).ok_or_else(|| at(ErrorKind::Truncated))?;
        let (_, format) = describe(opcode).ok_or_else(|| at(ErrorKind::Opcode(opcode)))?;
        let length = length(code, pc, format).ok_or_else(|| at(ErrorKind::Truncated))?;
        let bytes = code.get(pc..pc.saturating_add(length)).ok_or_else(|| at(ErrorKind::Truncated))?;
        if format == Format::Wide && !is_widenable(bytes[1]) {
            return Err(at(ErrorKind::Opcode(bytes[1])));
        }
        Ok(Instruction { pc, opcode, format, bytes })
    }

    /// All bytes of the instruction, opcode and padding included.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The position behind the instruction.
    pub fn next_pc(&self) -> usize {
        self.pc + self.bytes.len()
    }

    /// What follows the opcode.
    pub fn format(&self) -> Format {
        self.format
    }

    /// The mnemonic; for a wide instruction that of the instruction that is made wide.
    pub fn mnemonic(&self) -> &'static str {
        let opcode = if self.format == Format::Wide { self.bytes[1] } else { self.opcode };
        describe(opcode).map_or("?", |(mnemonic, _)| mnemonic)
    }

    /// The constant that the instruction names.
    pub fn constant(&self) -> Option<u16> {
        match self.format {
            Format::Constant1 => Some(u16::from(self.bytes[1])),
            Format::Constant2 | Format::InvokeInterface | Format::InvokeDynamic | Format::MultiArray => Some(self.u2(1)),
            _ => None,
        }
    }

    /// The opcode and the local variable of a load, a store, `iinc` or `ret`, in its long form (`iload_1` is `iload` of 1).
    pub fn local(&self) -> Option<(u8, u16)> {
        match self.format {
            Format::Local | Format::Increment => Some((self.opcode, u16::from(self.bytes[1]))),
            Format::Wide => Some((self.bytes[1], self.u2(2))),
            _ => short_local(self.opcode),
        }
    }

    /// The immediate number of `bipush`, `sipush`, `iconst_…` or an `iinc`.
    pub fn immediate(&self) -> Option<i32> {
        match (self.format, self.opcode) {
            (Format::Byte, _) => Some(i32::from(self.bytes[1].cast_signed())),
            (Format::Short, _) => Some(i32::from(self.u2(1).cast_signed())),
            (Format::Increment, _) => Some(i32::from(self.bytes[2].cast_signed())),
            (Format::Wide, _) if self.bytes[1] == op::IINC => Some(i32::from(self.u2(4).cast_signed())),
            (_, op::ICONST_M1..=op::ICONST_5) => Some(i32::from(self.opcode) - i32::from(op::ICONST_0)),
            _ => None,
        }
    }

    /// The number of dimensions or of argument slots, or the primitive type, that the instruction names beside a constant.
    pub fn count(&self) -> Option<u8> {
        match self.format {
            Format::PrimitiveType => Some(self.bytes[1]),
            Format::InvokeInterface | Format::MultiArray => Some(self.bytes[3]),
            _ => None,
        }
    }

    /// The distance of a jump from `pc`, in bytes.
    pub fn jump_distance(&self) -> Option<i32> {
        match self.format {
            Format::Jump2 => Some(i32::from(self.u2(1).cast_signed())),
            Format::Jump4 => Some(self.i4(1)),
            _ => None,
        }
    }

    /// Where a jump goes, as a position in the code array; `usize::MAX` when that lies before its beginning.
    pub fn jump_target(&self) -> Option<usize> {
        self.jump_distance().map(|distance| target(self.pc, distance))
    }

    /// Whether this jumps or falls through, depending on a condition.
    pub fn is_conditional(&self) -> bool {
        matches!(self.opcode, op::IFEQ..=op::IF_ACMPNE | op::IFNULL | op::IFNONNULL)
    }

    /// Whether the next instruction can be reached from here without a jump.
    pub fn falls_through(&self) -> bool {
        let opcode = if self.format == Format::Wide { self.bytes[1] } else { self.opcode };
        !matches!(
            opcode,
            op::GOTO | op::GOTO_W | op::TABLESWITCH | op::LOOKUPSWITCH | op::IRETURN..=op::RETURN | op::ATHROW | op::RET
        )
    }

    /// The table of a switch.
    pub fn switch(&self) -> Option<Switch<'a>> {
        let start = 1 + padding(self.pc);
        let (first_key, entries) = match self.format {
            Format::TableSwitch => (Some(self.i4(start + 4)), start + 12),
            Format::LookupSwitch => (None, start + 8),
            _ => return None,
        };
        Some(Switch { pc: self.pc, default: self.i4(start), first_key, entries: &self.bytes[entries..] })
    }

    fn u2(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn i4(&self, at: usize) -> i32 {
        i32::from_be_bytes([self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]])
    }
}

impl<'a> Switch<'a> {
    /// The distance to the default, in bytes from the instruction.
    pub fn default_distance(&self) -> i32 {
        self.default
    }

    /// Where the default goes, as [`Instruction::jump_target`].
    pub fn default_target(&self) -> usize {
        target(self.pc, self.default)
    }

    /// Key and distance of each case, in the order of the table.
    pub fn cases(&self) -> impl ExactSizeIterator<Item = (i32, i32)> + 'a {
        let first_key = self.first_key;
        let width = if first_key.is_some() { 4 } else { 8 };
        self.entries.chunks_exact(width).enumerate().map(move |(idx, entry)| {
            let distance = i32::from_be_bytes([entry[width - 4], entry[width - 3], entry[width - 2], entry[width - 1]]);
            let key = match first_key {
                // JVMS 6.5 tableswitch: `low` and those that follow. A table has fewer entries than a code array bytes.
                Some(low) => low.wrapping_add(i32::try_from(idx).unwrap_or(i32::MAX)),
                None => i32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]]),
            };
            (key, distance)
        })
    }

    /// Key and target of each case, the target as [`Instruction::jump_target`].
    pub fn targets(&self) -> impl ExactSizeIterator<Item = (i32, usize)> + 'a {
        let pc = self.pc;
        self.cases().map(move |(key, distance)| (key, target(pc, distance)))
    }
}

/// How many bytes stand between the opcode of a switch and its default, which is 4-byte aligned in the code array.
pub fn padding(pc: usize) -> usize {
    3 - pc % 4
}

fn target(pc: usize, distance: i32) -> usize {
    isize::try_from(distance).ok().and_then(|distance| pc.checked_add_signed(distance)).unwrap_or(usize::MAX)
}

fn is_widenable(opcode: u8) -> bool {
    matches!(opcode, op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET | op::IINC)
}

/// `iload_0` to `astore_3`: five types with four locals each, twice.
fn short_local(opcode: u8) -> Option<(u8, u16)> {
    let (base, first) = match opcode {
        op::ILOAD_0..=op::ALOAD_3 => (op::ILOAD, op::ILOAD_0),
        op::ISTORE_0..=op::ASTORE_3 => (op::ISTORE, op::ISTORE_0),
        _ => return None,
    };
    let number = opcode - first;
    Some((base + number / 4, u16::from(number % 4)))
}

/// The bytes of an instruction; none where the operands that tell it are missing or contradict each other.
fn length(code: &[u8], pc: usize, format: Format) -> Option<usize> {
    Some(match format {
        Format::Plain => 1,
        Format::Byte | Format::Constant1 | Format::Local | Format::PrimitiveType => 2,
        Format::Short | Format::Constant2 | Format::Increment | Format::Jump2 => 3,
        Format::MultiArray => 4,
        Format::Jump4 | Format::InvokeInterface | Format::InvokeDynamic => 5,
        Format::Wide => {
            if *code.get(pc + 1)? == op::IINC {
                6
            } else {
                4
            }
        }
        Format::TableSwitch => {
            let mut reader = Reader::between(code, pc + 1 + padding(pc) + 4, code.len());
            let (low, high) = (reader.i4().ok()?, reader.i4().ok()?);
            let n_cases = usize::try_from(i64::from(high) - i64::from(low) + 1).ok()?;
            1 + padding(pc) + 12 + n_cases.checked_mul(4)?
        }
        Format::LookupSwitch => {
            let mut reader = Reader::between(code, pc + 1 + padding(pc) + 4, code.len());
            let n_cases = usize::try_from(reader.i4().ok()?).ok()?;
            1 + padding(pc) + 8 + n_cases.checked_mul(8)?
        }
    })
}

/// All instructions of a code array in order; ends after the first error.
#[derive(Debug, Clone)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: usize,
    code_offset: usize,
}

impl<'a> Instructions<'a> {
    /// The instructions of this code array, which begins at `code_offset` of the class file.
    pub fn new(code: &'a [u8], code_offset: usize) -> Instructions<'a> {
        Instructions { code, pc: 0, code_offset }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.pc >= self.code.len() {
            return None;
        }
        let decoded = Instruction::decode(self.code, self.pc, self.code_offset);
        self.pc = decoded.as_ref().map_or(self.code.len(), Instruction::next_pc);
        Some(decoded)
    }
}

#[cfg(test)]
mod tests {
    use super::{Instruction, op};
    use crate::error::ErrorKind;

    fn decode(code: &[u8]) -> Instruction<'_> {
        Instruction::decode(code, 0, 0).unwrap()
    }

    #[test]
    fn short_and_wide_forms_name_the_same_local() {
        assert_eq!(decode(&[op::ALOAD_2]).local(), Some((op::ALOAD, 2)));
        assert_eq!(decode(&[op::DSTORE_3]).local(), Some((op::DSTORE, 3)));
        assert_eq!(decode(&[op::WIDE, op::ISTORE, 1, 0]).local(), Some((op::ISTORE, 256)));
    }

    #[test]
    fn negative_numbers_are_read_with_their_sign() {
        assert_eq!(decode(&[op::BIPUSH, 0xff]).immediate(), Some(-1));
        assert_eq!(decode(&[op::ICONST_M1]).immediate(), Some(-1));
        assert_eq!(decode(&[op::WIDE, op::IINC, 0, 1, 0xff, 0x00]).immediate(), Some(-256));
    }

    #[test]
    fn a_jump_before_the_code_has_no_target() {
        assert_eq!(decode(&[op::GOTO, 0xff, 0xff]).jump_target(), Some(usize::MAX));
    }

    #[test]
    fn table_switch_counts_keys_from_low() {
        let mut code = vec![op::TABLESWITCH, 0, 0, 0];
        for number in [20, -1, 0, 24, 28] {
            code.extend(i32::to_be_bytes(number));
        }
        let switch = decode(&code).switch().unwrap();
        assert_eq!(switch.targets().collect::<Vec<_>>(), [(-1, 24), (0, 28)]);
        assert_eq!(switch.default_target(), 20);
    }

    #[test]
    fn switches_that_lie_about_their_size_are_errors() {
        for (low, high) in [(1, -1), (i32::MIN, i32::MAX), (0, 1)] {
            let mut code = vec![op::TABLESWITCH, 0, 0, 0, 0, 0, 0, 0];
            code.extend(i32::to_be_bytes(low));
            code.extend(i32::to_be_bytes(high));
            assert_eq!(Instruction::decode(&code, 0, 7).unwrap_err().kind(), ErrorKind::Truncated);
        }
    }
}
