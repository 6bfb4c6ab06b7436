//! Rewrites the tables that debuggers read.

use super::positions::Positions;
use crate::class::Attribute;
use crate::code::table;
use crate::error::{Error, ErrorKind, Result};

/// JVMS 4.7.12, `LineNumberTable`.
pub(super) fn write_lines(attribute: Attribute<'_>, positions: &Positions, content: &mut Vec<u8>) -> Result<()> {
    let rows = table(attribute, 4)?;
    content.extend(&attribute.content[..2]);
    for row in rows.chunks_exact(4) {
        push(content, positions.start_around(u2(row, 0))?);
        content.extend(&row[2..]);
    }
    Ok(())
}

/// JVMS 4.7.13 and 4.7.14, `LocalVariableTable` and `LocalVariableTypeTable`, which have the same shape.
pub(super) fn write_locals(attribute: Attribute<'_>, positions: &Positions, content: &mut Vec<u8>) -> Result<()> {
    let rows = table(attribute, 10)?;
    content.extend(&attribute.content[..2]);
    for row in rows.chunks_exact(10) {
        let moved = scope(u2(row, 0), u2(row, 2), positions);
        let (start, length) = moved.map_err(|error| Error::new(error.kind(), attribute.offset))?;
        push(content, start);
        push(content, length);
        content.extend(&row[4..]);
    }
    Ok(())
}

/// New beginning and length of the scope of a local variable.
pub(super) fn scope(start_pc: usize, length: usize, positions: &Positions) -> Result<(usize, usize)> {
    let start = positions.start_around(start_pc)?;
    let end = positions.start_around(start_pc + length)?;
    let length = end.checked_sub(start).ok_or_else(|| Error::new(ErrorKind::AttributeLength, start_pc))?;
    Ok((start, length))
}

/// The 16-bit number at `at` of a row.
pub(super) fn u2(row: &[u8], at: usize) -> usize {
    usize::from(u16::from_be_bytes([row[at], row[at + 1]]))
}

/// Appends a position of the new code, or a count that was read from 16 bits.
pub(super) fn push(content: &mut Vec<u8>, position: usize) {
    content.extend(short(position));
}

/// A position of the new code as it stands in the file; code that is longer than 65,535 bytes was refused before.
pub(super) fn short(position: usize) -> [u8; 2] {
    u16::try_from(position).unwrap_or(u16::MAX).to_be_bytes()
}
