//! The constant pool (JVMS 4.4): an index of offsets into the class file, nothing is copied.

use std::borrow::Cow;

use crate::error::{Error, ErrorKind, Result};
use crate::reader::Reader;
use crate::text;

/// The constants of a class file.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    bytes: &'a [u8],
    /// Offset of the tag of each constant; 0 where there is none (index 0, second half of a long or double).
    offsets: Vec<u32>,
    end: usize,
}

/// One constant; numbers in it are indices of other constants unless something else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant<'a> {
    /// Modified UTF-8 (JVMS 4.4.7), as it stands in the file.
    Utf8(&'a [u8]),
    /// An `int`.
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// The bits of a `double`.
    Double(u64),
    /// A class: its name.
    Class(u16),
    /// A string: its text.
    String(u16),
    /// A field: class, name and type.
    Field(u16, u16),
    /// A method of a class: class, name and type.
    Method(u16, u16),
    /// A method of an interface: class, name and type.
    InterfaceMethod(u16, u16),
    /// A name and a descriptor.
    NameAndType(u16, u16),
    /// A method handle: kind (JVMS table 5.4.3.5-A), member.
    MethodHandle(u8, u16),
    /// A method type: its descriptor.
    MethodType(u16),
    /// A computed constant: number of the bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A computed call site: number of the bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A module: its name.
    Module(u16),
    /// A package: its name.
    Package(u16),
}

/// A field or method that an instruction names; all parts are modified UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// The internal name of the class; empty for a computed call site.
    pub class: &'a [u8],
    /// The name of the member.
    pub name: &'a [u8],
    /// The descriptor of the member.
    pub descriptor: &'a [u8],
}

impl<'a> ConstantPool<'a> {
    /// Reads `constant_pool_count` and the constants.
    pub(crate) fn read(bytes: &'a [u8], reader: &mut Reader<'a>) -> Result<ConstantPool<'a>> {
        let count = reader.u2()?;
        let mut offsets = vec![0; usize::from(count)];
        let mut index = 1;
        while index < usize::from(count) {
            // Offsets fit: a class file whose pool begins beyond 4 GB cannot be loaded (lengths are u4).
            offsets[index] = u32::try_from(reader.offset()).map_err(|_| reader.error(ErrorKind::Truncated))?;
            // JVMS 4.4.5: a long or double takes two entries.
            index += if skip_constant(reader)? { 2 } else { 1 };
        }
        Ok(ConstantPool { bytes, offsets, end: reader.offset() })
    }

    /// `constant_pool_count`: one more than the highest index.
    pub fn count(&self) -> u16 {
        // The count was read from 16 bits.
        u16::try_from(self.offsets.len()).unwrap_or(u16::MAX)
    }

    /// The offset of the first byte behind the constants.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The constant with this index.
    pub fn constant(&self, index: u16) -> Result<Constant<'a>> {
        let offset = self.offsets.get(usize::from(index)).copied().unwrap_or(0) as usize;
        if offset == 0 {
            return Err(Error::new(ErrorKind::ConstantIndex(index), self.end));
        }
        read_constant(&mut Reader::between(self.bytes, offset, self.end))
    }

    /// The text with this index, in modified UTF-8.
    pub fn utf8(&self, index: u16) -> Result<&'a [u8]> {
        match self.constant(index)? {
            Constant::Utf8(utf8) => Ok(utf8),
            _ => Err(self.wrong(index, "text")),
        }
    }

    /// The text with this index; what is no UTF-16 text shows as replacement characters.
    pub fn text(&self, index: u16) -> Result<Cow<'a, str>> {
        self.utf8(index).map(text::decode)
    }

    /// The internal name of the class with this index.
    pub fn class_name(&self, index: u16) -> Result<&'a [u8]> {
        match self.constant(index)? {
            Constant::Class(name) => self.utf8(name),
            _ => Err(self.wrong(index, "class")),
        }
    }

    /// The field, method or call site with this index.
    pub fn member(&self, index: u16) -> Result<MemberRef<'a>> {
        let (class, name_and_type) = match self.constant(index)? {
            Constant::Field(class, pair) | Constant::Method(class, pair) | Constant::InterfaceMethod(class, pair) => {
                (self.class_name(class)?, pair)
            }
            Constant::InvokeDynamic(_, pair) | Constant::Dynamic(_, pair) => (&b""[..], pair),
            _ => return Err(self.wrong(index, "member")),
        };
        match self.constant(name_and_type)? {
            Constant::NameAndType(name, descriptor) => {
                Ok(MemberRef { class, name: self.utf8(name)?, descriptor: self.utf8(descriptor)? })
            }
            _ => Err(self.wrong(name_and_type, "name and type")),
        }
    }

    #[cold]
    fn wrong(&self, index: u16, wanted: &'static str) -> Error {
        let offset = self.offsets.get(usize::from(index)).map_or(self.end, |offset| *offset as usize);
        Error::new(ErrorKind::ConstantKind { index, wanted }, offset)
    }
}

/// Skips one constant; true when it takes two entries.
fn skip_constant(reader: &mut Reader<'_>) -> Result<bool> {
    let is_wide = matches!(read_constant(reader)?, Constant::Long(_) | Constant::Double(_));
    Ok(is_wide)
}

/// Reads one constant, JVMS table 4.4-A.
fn read_constant<'a>(reader: &mut Reader<'a>) -> Result<Constant<'a>> {
    let start = *reader;
    Ok(match reader.u1()? {
        1 => {
            let length = reader.u2()?;
            Constant::Utf8(reader.take(usize::from(length))?)
        }
        3 => Constant::Integer(reader.i4()?),
        4 => Constant::Float(reader.u4()?),
        5 => Constant::Long(reader.u8()?.cast_signed()),
        6 => Constant::Double(reader.u8()?),
        7 => Constant::Class(reader.u2()?),
        8 => Constant::String(reader.u2()?),
        9 => Constant::Field(reader.u2()?, reader.u2()?),
        10 => Constant::Method(reader.u2()?, reader.u2()?),
        11 => Constant::InterfaceMethod(reader.u2()?, reader.u2()?),
        12 => Constant::NameAndType(reader.u2()?, reader.u2()?),
        15 => Constant::MethodHandle(reader.u1()?, reader.u2()?),
        16 => Constant::MethodType(reader.u2()?),
        17 => Constant::Dynamic(reader.u2()?, reader.u2()?),
        18 => Constant::InvokeDynamic(reader.u2()?, reader.u2()?),
        19 => Constant::Module(reader.u2()?),
        20 => Constant::Package(reader.u2()?),
        tag => return Err(start.error(ErrorKind::ConstantTag(tag))),
    })
}
