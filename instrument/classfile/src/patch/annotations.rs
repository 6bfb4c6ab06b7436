//! Rewrites type annotations on code (JVMS 4.7.20), of which some name positions; their length does not change.

use super::handlers::Handlers;
use super::positions::Positions;
use super::tables::{scope, short};
use crate::annotation;
use crate::class::Attribute;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;

pub(super) fn write(attribute: Attribute<'_>, positions: &Positions, handlers: &Handlers, content: &mut Vec<u8>) -> Result<()> {
    let start = content.len();
    content.extend(attribute.content);
    let mut annotations = Annotations { reader: Reader::new(attribute.content), positions, handlers, content, start };
    annotations.write().map_err(|error| Error::new(error.kind(), attribute.offset + error.offset()))
}

struct Annotations<'a, 'b> {
    reader: Reader<'a>,
    positions: &'b Positions,
    handlers: &'b Handlers,
    content: &'b mut [u8],
    /// Where the copy of the attribute begins in `content`.
    start: usize,
}

impl Annotations<'_, '_> {
    fn write(&mut self) -> Result<()> {
        for _ in 0..self.reader.u2()? {
            self.target()?;
            // JVMS 4.7.20.2, type_path: two bytes per step.
            let n_steps = self.reader.u1()?;
            self.reader.take(usize::from(n_steps) * 2)?;
            annotation::skip(&mut self.reader)?;
        }
        self.reader.finish(ErrorKind::AttributeLength)
    }

    /// JVMS 4.7.20.1, `target_info`.
    fn target(&mut self) -> Result<()> {
        let start = self.reader;
        let skipped = match self.reader.u1()? {
            0x00 | 0x01 | 0x16 => 1,
            0x10 | 0x11 | 0x12 | 0x17 => 2,
            0x13..=0x15 => 0,
            0x40 | 0x41 => return self.scopes(),
            0x42 => return self.handler(),
            0x43..=0x46 => return self.position(),
            0x47..=0x4b => {
                self.position()?;
                1
            }
            tag => return Err(start.error(ErrorKind::AnnotationTarget(tag))),
        };
        self.reader.take(skipped).map(|_| ())
    }

    /// JVMS 4.7.20.1, `localvar_target`.
    fn scopes(&mut self) -> Result<()> {
        for _ in 0..self.reader.u2()? {
            let at = self.reader;
            let (start_pc, length) = (self.reader.u2()?, self.reader.u2()?);
            let moved = scope(usize::from(start_pc), usize::from(length), self.positions);
            let (start, length) = moved.map_err(|error| at.error(error.kind()))?;
            self.overwrite(at.offset(), start);
            self.overwrite(at.offset() + 2, length);
            self.reader.u2()?;
        }
        Ok(())
    }

    /// JVMS 4.7.20.1, `catch_target`; an index of no row stays.
    fn handler(&mut self) -> Result<()> {
        let at = self.reader;
        let old = usize::from(self.reader.u2()?);
        if let Some(index) = self.handlers.index(old) {
            self.overwrite(at.offset(), usize::from(index));
        }
        Ok(())
    }

    /// JVMS 4.7.20.1, `offset_target` and `type_argument_target`: the instruction itself.
    fn position(&mut self) -> Result<()> {
        let at = self.reader;
        let pc = usize::from(self.reader.u2()?);
        let position = self.positions.real_around(pc).map_err(|error| at.error(error.kind()))?;
        self.overwrite(at.offset(), position);
        Ok(())
    }

    fn overwrite(&mut self, offset: usize, position: usize) {
        let at = self.start + offset;
        self.content[at..at + 2].copy_from_slice(&short(position));
    }
}
