//! Rewrites stack map frames (JVMS 4.7.4).
//!
//! A frame says by how much it lies behind the one before it, minus one, and its first byte may hold both that and its kind:
//! a frame whose distance grows past 63 changes its kind to the one that says the same with 16 bits more.

use super::positions::Positions;
use super::tables::push;
use super::write::Landing;
use crate::class::Attribute;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

const SAME_LOCALS_1_STACK_ITEM: u8 = 64;
const RESERVED: u8 = 128;
const SAME_LOCALS_1_STACK_ITEM_EXTENDED: u8 = 247;
const CHOP: u8 = 248;
const SAME_EXTENDED: u8 = 251;
const FULL: u8 = 255;

/// JVMS 4.7.4, `Object_variable_info`.
const OBJECT: u8 = 7;

/// Writes all frames anew, and one for the handler that was put behind the last instruction.
pub(super) fn write(
    attribute: Attribute<'_>,
    positions: &Positions,
    landing: Option<&Landing>,
    content: &mut Vec<u8>,
) -> Result<()> {
    let mut frames = Frames { reader: Reader::new(attribute.content), positions, content };
    frames.write(landing).map_err(|error| Error::new(error.kind(), attribute.offset + error.offset()))
}

/// Writes the one frame of a method that had none: that of the handler that was put behind its last instruction.
pub(super) fn write_only(landing: &Landing, content: &mut Vec<u8>) {
    content.extend(1u16.to_be_bytes());
    write_landing(landing, landing.at, content);
}

/// No local variable, and what was thrown on the stack.
fn write_landing(landing: &Landing, delta: usize, content: &mut Vec<u8>) {
    content.push(FULL);
    push(content, delta);
    content.extend([0, 0, 0, 1, OBJECT]);
    content.extend(landing.catch_all.throwable.to_be_bytes());
}

struct Frames<'a, 'b> {
    reader: Reader<'a>,
    positions: &'b Positions,
    content: &'b mut Vec<u8>,
}

impl Frames<'_, '_> {
    fn write(&mut self, landing: Option<&Landing>) -> Result<()> {
        let count = self.reader.u2()?;
        let new_count = count.checked_add(u16::from(landing.is_some()));
        let new_count = new_count.ok_or_else(|| self.reader.error(ErrorKind::CodeTooLong))?;
        self.content.extend(new_count.to_be_bytes());
        let (mut old, mut new) = (None, None);
        for _ in 0..count {
            self.frame(&mut old, &mut new)?;
        }
        if let Some(landing) = landing {
            // Only damaged code has a frame behind its end.
            let delta = landing.at.checked_sub(new.map_or(0, |before| before + 1));
            let delta = delta.ok_or_else(|| self.reader.error(ErrorKind::AttributeLength))?;
            write_landing(landing, delta, self.content);
        }
        self.reader.finish(ErrorKind::AttributeLength)
    }

    /// Copies one frame; `old` and `new` are the positions of the frame before it.
    fn frame(&mut self, old: &mut Option<usize>, new: &mut Option<usize>) -> Result<()> {
        let start = self.reader;
        let tag = self.reader.u1()?;
        let delta = match tag {
            0..SAME_LOCALS_1_STACK_ITEM => usize::from(tag),
            SAME_LOCALS_1_STACK_ITEM..RESERVED => usize::from(tag - SAME_LOCALS_1_STACK_ITEM),
            RESERVED..SAME_LOCALS_1_STACK_ITEM_EXTENDED => return Err(start.error(ErrorKind::FrameType(tag))),
            _ => usize::from(self.reader.u2()?),
        };
        // JVMS 4.7.4: the first frame lies at its delta, each other one byte more behind the one before it.
        let pc = old.map_or(delta, |before| before + delta + 1);
        let position = self.positions.start(pc).map_err(|error| start.error(error.kind()))?;
        let new_delta = new.map_or(position, |before| position - before - 1);
        (*old, *new) = (Some(pc), Some(position));
        self.head(tag, new_delta);
        self.types(tag)
    }

    /// Writes the kind and the distance of a frame.
    fn head(&mut self, tag: u8, delta: usize) {
        let small = u8::try_from(delta).ok().filter(|delta| *delta < SAME_LOCALS_1_STACK_ITEM);
        let promoted = match (tag, small) {
            (0..SAME_LOCALS_1_STACK_ITEM, Some(delta)) => return self.content.push(delta),
            (0..SAME_LOCALS_1_STACK_ITEM, None) => SAME_EXTENDED,
            (SAME_LOCALS_1_STACK_ITEM..RESERVED, Some(delta)) => return self.content.push(SAME_LOCALS_1_STACK_ITEM + delta),
            (SAME_LOCALS_1_STACK_ITEM..RESERVED, None) => SAME_LOCALS_1_STACK_ITEM_EXTENDED,
            _ => tag,
        };
        self.content.push(promoted);
        push(self.content, delta);
    }

    /// Copies the types that follow the head of a frame of this kind.
    fn types(&mut self, tag: u8) -> Result<()> {
        match tag {
            SAME_LOCALS_1_STACK_ITEM..=SAME_LOCALS_1_STACK_ITEM_EXTENDED => self.verification_type(),
            // An append frame has one type for 252, two for 253, three for 254.
            SAME_EXTENDED..FULL => (SAME_EXTENDED..tag).try_for_each(|_| self.verification_type()),
            FULL => {
                self.counted_types()?;
                self.counted_types()
            }
            0..SAME_LOCALS_1_STACK_ITEM | CHOP..SAME_EXTENDED => Ok(()),
        }
    }

    fn counted_types(&mut self) -> Result<()> {
        let count = self.reader.u2()?;
        self.content.extend(count.to_be_bytes());
        (0..count).try_for_each(|_| self.verification_type())
    }

    /// JVMS 4.7.4, `verification_type_info`.
    fn verification_type(&mut self) -> Result<()> {
        let start = self.reader;
        let tag = self.reader.u1()?;
        self.content.push(tag);
        match tag {
            0..=6 => {}
            OBJECT => self.content.extend(self.reader.u2()?.to_be_bytes()),
            8 => {
                // The position of the `new` instruction itself.
                let pc = usize::from(self.reader.u2()?);
                let position = self.positions.real(pc).map_err(|error| start.error(error.kind()))?;
                push(self.content, position);
            }
            _ => return Err(start.error(ErrorKind::VerificationType(tag))),
        }
        Ok(())
    }
}
