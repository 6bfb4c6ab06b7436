//! The `Code` attribute (JVMS 4.7.3) and the tables that debuggers read.

use crate::class::{Attribute, AttributeTable, Attributes};
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::Instructions;
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// The code of a method.
#[derive(Debug, Clone, Copy)]
pub struct Code<'a> {
    class_bytes: &'a [u8],
    /// Where the content of the attribute begins and ends in the class file.
    pub(crate) span: (usize, usize),
    /// How many entries the operand stack has at most; a long or double takes two.
    pub max_stack: u16,
    /// How many local variables there are; a long or double takes two.
    pub max_locals: u16,
    /// The instructions.
    pub code: &'a [u8],
    /// Where the instructions begin in the class file.
    pub code_offset: usize,
    exceptions: &'a [u8],
    attributes: AttributeTable,
}

/// A row of the exception table; positions are in bytes from the beginning of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Handler {
    /// The first position that is covered.
    pub start_pc: u16,
    /// The position behind the last that is covered.
    pub end_pc: u16,
    /// Where the handler begins.
    pub handler_pc: u16,
    /// The constant that names what is caught; 0 for everything.
    pub catch_type: u16,
}

/// A row of a `LineNumberTable` (JVMS 4.7.12).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineEntry {
    /// The position where the code of the line begins.
    pub start_pc: u16,
    /// The line of the source file.
    pub line: u16,
}

impl<'a> Code<'a> {
    pub(crate) fn read(class_bytes: &'a [u8], attribute: Attribute<'a>) -> Result<Code<'a>> {
        let span = (attribute.offset, attribute.offset + attribute.content.len());
        let mut reader = Reader::between(class_bytes, span.0, span.1);
        let (max_stack, max_locals) = (reader.u2()?, reader.u2()?);
        let length = reader.u4()?;
        // JVMS 4.7.3, code_length: greater than zero and less than 65536.
        if !(1..=0xffff).contains(&length) {
            return Err(reader.error(ErrorKind::CodeLength(length)));
        }
        let code_offset = reader.offset();
        let code = reader.take(length as usize)?;
        let n_exceptions = reader.u2()?;
        let exceptions = reader.take(usize::from(n_exceptions) * 8)?;
        let attributes = AttributeTable::skip(&mut reader)?;
        reader.finish(ErrorKind::AttributeLength)?;
        Ok(Code { class_bytes, span, max_stack, max_locals, code, code_offset, exceptions, attributes })
    }

    /// The instructions in order.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.code, self.code_offset)
    }

    /// The exception table; handlers that come first are preferred.
    pub fn handlers(&self) -> impl ExactSizeIterator<Item = Handler> + 'a {
        self.exceptions.chunks_exact(8).map(|row| {
            let u2 = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
            Handler { start_pc: u2(0), end_pc: u2(2), handler_pc: u2(4), catch_type: u2(6) }
        })
    }

    /// The attributes of the code.
    pub fn attributes<'c>(&self, pool: &'c ConstantPool<'a>) -> Attributes<'c, 'a> {
        self.attributes.iterate(pool, self.class_bytes)
    }

    /// All rows of all line number tables, in the order of the file.
    pub fn lines(&self, pool: &ConstantPool<'a>) -> Result<Vec<LineEntry>> {
        let mut lines = Vec::new();
        for attribute in self.attributes(pool) {
            let attribute = attribute?;
            if attribute.name == b"LineNumberTable" {
                let rows = table(attribute, 4)?;
                lines.extend(rows.chunks_exact(4).map(|row| LineEntry {
                    start_pc: u16::from_be_bytes([row[0], row[1]]),
                    line: u16::from_be_bytes([row[2], row[3]]),
                }));
            }
        }
        Ok(lines)
    }
}

/// The rows of an attribute that is a count and rows of `width` bytes each.
pub(crate) fn table(attribute: Attribute<'_>, width: usize) -> Result<&[u8]> {
    let wrong = || Error::new(ErrorKind::AttributeLength, attribute.offset);
    let (count, rows) = attribute.content.split_first_chunk::<2>().ok_or_else(wrong)?;
    if rows.len() == usize::from(u16::from_be_bytes(*count)) * width { Ok(rows) } else { Err(wrong()) }
}
