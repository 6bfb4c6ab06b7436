//! Annotations (JVMS 4.7.16, 4.7.17): the types of those on a class, and how all are passed over.

use crate::class::{Attribute, ClassFile};
use crate::error::{ErrorKind, Result};
use crate::reader::Reader;

/// How deeply element values may be nested; no compiler comes near it.
const MAX_DEPTH: usize = 64;

impl<'a> ClassFile<'a> {
    /// The descriptors of the types of the annotations on the class, whether the running program sees them or not.
    ///
    /// # Errors
    /// When an attribute is damaged.
    pub fn annotation_types(&self) -> Result<Vec<&'a [u8]>> {
        let mut types = Vec::new();
        for attribute in self.attributes() {
            let attribute = attribute?;
            if matches!(attribute.name, b"RuntimeVisibleAnnotations" | b"RuntimeInvisibleAnnotations") {
                self.append_types(attribute, &mut types)?;
            }
        }
        Ok(types)
    }

    fn append_types(&self, attribute: Attribute<'a>, types: &mut Vec<&'a [u8]>) -> Result<()> {
        let mut reader = Reader::new(attribute.content);
        for _ in 0..reader.u2()? {
            let mut start = reader;
            types.push(self.pool.utf8(start.u2()?)?);
            skip(&mut reader)?;
        }
        reader.finish(ErrorKind::AttributeLength)
    }
}

/// Passes over an annotation (JVMS 4.7.16, `annotation`).
pub(crate) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    annotation(reader, 0)
}

fn annotation(reader: &mut Reader<'_>, depth: usize) -> Result<()> {
    reader.u2()?;
    for _ in 0..reader.u2()? {
        reader.u2()?;
        element_value(reader, depth + 1)?;
    }
    Ok(())
}

/// JVMS 4.7.16.1, `element_value`.
fn element_value(reader: &mut Reader<'_>, depth: usize) -> Result<()> {
    let start = *reader;
    let tag = reader.u1()?;
    match tag {
        _ if depth > MAX_DEPTH => Err(start.error(ErrorKind::ElementValue(tag))),
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => reader.take(2).map(|_| ()),
        b'e' => reader.take(4).map(|_| ()),
        b'@' => annotation(reader, depth),
        b'[' => {
            let count = reader.u2()?;
            (0..count).try_for_each(|_| element_value(reader, depth + 1))
        }
        _ => Err(start.error(ErrorKind::ElementValue(tag))),
    }
}
