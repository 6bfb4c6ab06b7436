//! Writes the new `Code` attribute (JVMS 4.7.3).

use super::handlers::Handlers;
use super::positions::Positions;
use super::{CatchAll, Edit, Edits, annotations, frames, tables};
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
    extra_locals: u16,
    landing: Option<Landing>,
}

/// The handler that was put behind the last instruction.
pub(super) struct Landing {
    pub catch_all: CatchAll,
    /// Its new position, which is where the old code ends.
    pub at: usize,
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
    let max_stack = max_stack.max(body.landing.as_ref().map_or(0, |landing| landing.catch_all.max_stack));
    let max_locals = code.max_locals.checked_add(body.extra_locals).ok_or_else(wrong_depth)?;
    let mut content = Vec::with_capacity(code.span.1 - code.span.0 + body.code.len());
    content.extend(max_stack.to_be_bytes());
    content.extend(max_locals.to_be_bytes());
    // At most 65,535 bytes, see `relocate`.
    content.extend([0, 0]);
    tables::push(&mut content, body.code.len());
    content.append(&mut body.code);
    let handlers = Handlers::moved(code, &body.positions, body.landing.as_ref())?;
    handlers.write(&mut content);
    write_attributes(class, code, &body, &handlers, &mut content)?;
    Ok(content)
}

fn relocate(code: &Code<'_>, pool: &mut AppendedPool, edits: &mut impl Edits) -> Result<Body> {
    let mut body = Body {
        code: Vec::with_capacity(code.code.len() * 2),
        positions: Positions::new(code.code.len(), code.code_offset),
        distances: Vec::new(),
        extra_stack: 0,
        extra_locals: 0,
        landing: None,
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
    let at = body.code.len();
    body.positions.note(code.code.len(), at, at);
    if let Some(catch_all) = edits.catch_all(pool)? {
        body.code.extend(&catch_all.code);
        body.landing = Some(Landing { catch_all, at });
    }
    if body.code.len() > MAX_CODE {
        return Err(Error::new(ErrorKind::CodeTooLong, code.code_offset + code.code.len()));
    }
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
        self.extra_locals = self.extra_locals.max(edit.extra_locals);
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

fn write_attributes(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    body: &Body,
    handlers: &Handlers,
    content: &mut Vec<u8>,
) -> Result<()> {
    let count_at = content.len();
    let mut count: u16 = 0;
    content.extend([0, 0]);
    let mut landing = body.landing.as_ref().filter(|landing| landing.catch_all.frames != 0);
    for attribute in code.attributes(&class.pool) {
        let attribute = attribute?;
        let begun = begin_attribute(attribute.name_index, content);
        let framed = if attribute.name == b"StackMapTable" { landing.take() } else { None };
        write_attribute(attribute, &body.positions, handlers, framed, content)?;
        end_attribute(begun, attribute.offset, content)?;
        // The count was read from 16 bits, or exceeds it by one.
        count = count.saturating_add(1);
    }
    if let Some(landing) = landing {
        let begun = begin_attribute(landing.catch_all.frames, content);
        frames::write_only(landing, content);
        end_attribute(begun, code.code_offset, content)?;
        count = count.saturating_add(1);
    }
    content[count_at..count_at + 2].copy_from_slice(&count.to_be_bytes());
    Ok(())
}

/// Writes the head of an attribute; gives where its length stands.
fn begin_attribute(name_index: u16, content: &mut Vec<u8>) -> usize {
    content.extend(name_index.to_be_bytes());
    content.extend([0; 4]);
    content.len() - 4
}

fn end_attribute(length_at: usize, offset: usize, content: &mut [u8]) -> Result<()> {
    let length = content.len() - length_at - 4;
    let length = u32::try_from(length).map_err(|_| Error::new(ErrorKind::AttributeLength, offset))?;
    content[length_at..length_at + 4].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

/// Writes the content of one attribute of the code; attributes without positions, or of unknown meaning, stay as they are.
fn write_attribute(
    attribute: Attribute<'_>,
    positions: &Positions,
    handlers: &Handlers,
    landing: Option<&Landing>,
    content: &mut Vec<u8>,
) -> Result<()> {
    match attribute.name {
        b"StackMapTable" => frames::write(attribute, positions, landing, content),
        b"LineNumberTable" => tables::write_lines(attribute, positions, content),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => tables::write_locals(attribute, positions, content),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            annotations::write(attribute, positions, handlers, content)
        }
        _ => {
            content.extend(attribute.content);
            Ok(())
        }
    }
}
