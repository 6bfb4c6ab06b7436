//! Writes the new `Code` attribute (JVMS 4.7.3).

use super::positions::Positions;
use super::{Edit, Edits, annotations, frames, tables};
use crate::appended::AppendedPool;
use crate::class::{Attribute, ClassFile};
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::{Instruction, padding};
use crate::opcode::Format;

/// The longest code array, JVMS 4.7.3.
const MAX_CODE: usize = 0xffff;

/// A distance that is filled in when all positions are known.
struct Distance {
    /// Where the distance stands in the new code.
    at: usize,
    /// How many bytes it has: 2 or 4.
    width: usize,
    /// The new position that it counts from.
    from: usize,
    /// The old position that it leads to.
    to: usize,
}

struct Body {
    code: Vec<u8>,
    positions: Positions,
    distances: Vec<Distance>,
    extra_stack: u16,
}

/// The new content of the attribute.
pub(super) fn patched(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    pool: &mut AppendedPool,
    edits: &mut impl Edits,
) -> Result<Vec<u8>> {
    let mut body = relocate(code, pool, edits)?;
    body.fill_in_distances(code)?;
    let wrong_depth = || Error::new(ErrorKind::StackTooDeep, code.span.0);
    let max_stack = code.max_stack.checked_add(body.extra_stack).ok_or_else(wrong_depth)?;
    let mut content = Vec::with_capacity(code.span.1 - code.span.0 + body.code.len());
    content.extend(max_stack.to_be_bytes());
    content.extend(code.max_locals.to_be_bytes());
    // At most 65,535 bytes, see `relocate`.
    content.extend([0, 0]);
    tables::push(&mut content, body.code.len());
    content.append(&mut body.code);
    tables::write_handlers(code, &body.positions, &mut content)?;
    write_attributes(class, code, &body.positions, &mut content)?;
    Ok(content)
}

fn relocate(code: &Code<'_>, pool: &mut AppendedPool, edits: &mut impl Edits) -> Result<Body> {
    let mut body = Body {
        code: Vec::with_capacity(code.code.len() * 2),
        positions: Positions::new(code.code.len(), code.code_offset),
        distances: Vec::new(),
        extra_stack: 0,
    };
    let mut edit = Edit::default();
    for instruction in code.instructions() {
        let instruction = instruction?;
        edit.clear();
        edits.edit(&instruction, pool, &mut edit)?;
        body.push(&instruction, &edit);
        if body.code.len() > MAX_CODE {
            return Err(Error::new(ErrorKind::CodeTooLong, code.code_offset + instruction.pc));
        }
    }
    let end = body.code.len();
    body.positions.note(code.code.len(), end, end);
    Ok(body)
}

impl Body {
    fn push(&mut self, instruction: &Instruction<'_>, edit: &Edit) {
        let start = self.code.len();
        self.code.extend(&edit.before);
        let real = self.code.len();
        self.positions.note(instruction.pc, start, real);
        if edit.replacement.is_empty() {
            self.push_original(instruction, real);
        } else {
            self.code.extend(&edit.replacement);
        }
        self.code.extend(&edit.after);
        self.extra_stack = self.extra_stack.max(edit.extra_stack);
    }

    fn push_original(&mut self, instruction: &Instruction<'_>, real: usize) {
        if let Some(to) = instruction.jump_target() {
            let width = if instruction.format() == Format::Jump4 { 4 } else { 2 };
            self.distances.push(Distance { at: real + 1, width, from: real, to });
            self.code.extend(instruction.bytes());
        } else if let Some(switch) = instruction.switch() {
            let old = instruction.bytes();
            let (old_padding, new_padding) = (padding(instruction.pc), padding(real));
            self.code.push(instruction.opcode);
            // What stands in the padding means nothing; it is kept where there is as much of it, so that nothing changes.
            let kept = if old_padding == new_padding { &old[1..=old_padding] } else { &[0; 3][..new_padding] };
            self.code.extend(kept);
            let table = self.code.len();
            self.code.extend(&old[1 + old_padding..]);
            let (first, step) = if instruction.format() == Format::TableSwitch { (12, 4) } else { (12, 8) };
            self.distances.push(Distance { at: table, width: 4, from: real, to: switch.default_target() });
            for (idx, (_, to)) in switch.targets().enumerate() {
                self.distances.push(Distance { at: table + first + idx * step, width: 4, from: real, to });
            }
        } else {
            self.code.extend(instruction.bytes());
        }
    }

    fn fill_in_distances(&mut self, code: &Code<'_>) -> Result<()> {
        for distance in &self.distances {
            let to = self.positions.start(distance.to)?;
            let too_far = || Error::new(ErrorKind::JumpTooFar, code.code_offset);
            let value = to.checked_signed_diff(distance.from).ok_or_else(too_far)?;
            let value = i32::try_from(value).map_err(|_| too_far())?;
            if distance.width == 2 {
                let short = i16::try_from(value).map_err(|_| too_far())?;
                self.code[distance.at..distance.at + 2].copy_from_slice(&short.to_be_bytes());
            } else {
                self.code[distance.at..distance.at + 4].copy_from_slice(&value.to_be_bytes());
            }
        }
        Ok(())
    }
}

fn write_attributes(class: &ClassFile<'_>, code: &Code<'_>, positions: &Positions, content: &mut Vec<u8>) -> Result<()> {
    let count_at = content.len();
    let mut count: u16 = 0;
    content.extend([0, 0]);
    for attribute in code.attributes(&class.pool) {
        let attribute = attribute?;
        let length_at = content.len() + 2;
        content.extend(attribute.name_index.to_be_bytes());
        content.extend([0; 4]);
        write_attribute(attribute, positions, content)?;
        let length = content.len() - length_at - 4;
        let length = u32::try_from(length).map_err(|_| Error::new(ErrorKind::AttributeLength, attribute.offset))?;
        content[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
        // The count was read from 16 bits.
        count = count.saturating_add(1);
    }
    content[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
    Ok(())
}

/// Writes the content of one attribute of the code; attributes without positions, or of unknown meaning, stay as they are.
fn write_attribute(attribute: Attribute<'_>, positions: &Positions, content: &mut Vec<u8>) -> Result<()> {
    match attribute.name {
        b"StackMapTable" => frames::write(attribute, positions, content),
        b"LineNumberTable" => tables::write_lines(attribute, positions, content),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::write_locals(attribute, positions, content),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            annotations::write(attribute, positions, content)
        }
        _ => {
            content.extend(attribute.content);
            Ok(())
        }
    }
}
