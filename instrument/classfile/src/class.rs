//! A class file as offsets (JVMS 4.1): what is wanted is read from the bytes when asked.

use crate::code::Code;
use crate::error::{ErrorKind, Result};
use crate::pool::ConstantPool;
use crate::reader::Reader;

/// A class file whose structure was checked down to the attributes of its members.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    bytes: &'a [u8],
    /// The major version: 52 is Java 8, 69 Java 25.
    pub major_version: u16,
    /// The constants.
    pub pool: ConstantPool<'a>,
    /// `access_flags` (JVMS table 4.1-B).
    pub access: u16,
    /// The constant that names the class.
    pub this_class: u16,
    /// The constant that names its superclass; 0 for `java/lang/Object`.
    pub super_class: u16,
    /// The constants that name its interfaces.
    pub interfaces: Vec<u16>,
    /// Its fields.
    pub fields: Vec<Member>,
    /// Its methods.
    pub methods: Vec<Member>,
    /// Where `methods_count` stands, and where the last method ends.
    pub(crate) method_table: (usize, usize),
    attributes: AttributeTable,
}

/// A field (JVMS 4.5) or method (JVMS 4.6).
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// `access_flags` (JVMS tables 4.5-A and 4.6-A).
    pub access: u16,
    /// The constant with its name.
    pub name: u16,
    /// The constant with its descriptor.
    pub descriptor: u16,
    attributes: AttributeTable,
}

/// Where a table of attributes lies, from the first attribute to behind the last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttributeTable {
    pub start: usize,
    pub end: usize,
}

/// One attribute (JVMS 4.7).
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'a> {
    /// The constant with its name.
    pub name_index: u16,
    /// Its name in modified UTF-8.
    pub name: &'a [u8],
    /// The offset of its content in the class file.
    pub offset: usize,
    /// Its content.
    pub content: &'a [u8],
}

impl<'a> ClassFile<'a> {
    /// Reads the structure of a class file; neither code nor attributes are looked into.
    ///
    /// # Errors
    /// When the bytes are no class file or end too early or too late.
    pub fn read(bytes: &'a [u8]) -> Result<ClassFile<'a>> {
        let mut reader = Reader::new(bytes);
        let magic = reader.u4()?;
        if magic != 0xcafe_babe {
            return Err(Reader::new(bytes).error(ErrorKind::Magic(magic)));
        }
        let _minor_version = reader.u2()?;
        let major_version = reader.u2()?;
        let pool = ConstantPool::read(bytes, &mut reader)?;
        let (access, this_class, super_class) = (reader.u2()?, reader.u2()?, reader.u2()?);
        let n_interfaces = reader.u2()?;
        let interfaces = (0..n_interfaces).map(|_| reader.u2()).collect::<Result<_>>()?;
        let fields = read_members(&mut reader)?;
        let methods_at = reader.offset();
        let methods = read_members(&mut reader)?;
        let method_table = (methods_at, reader.offset());
        let attributes = AttributeTable::skip(&mut reader)?;
        reader.finish(ErrorKind::TrailingBytes)?;
        Ok(ClassFile {
            bytes,
            major_version,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            method_table,
            attributes,
        })
    }

    /// All bytes.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The internal name of the class, in modified UTF-8.
    pub fn name(&self) -> Result<&'a [u8]> {
        self.pool.class_name(self.this_class)
    }

    /// The attributes of the class.
    pub fn attributes(&self) -> Attributes<'_, 'a> {
        self.attributes.iterate(&self.pool, self.bytes)
    }

    /// The attributes of a field or method of this class.
    pub fn member_attributes(&self, member: &Member) -> Attributes<'_, 'a> {
        member.attributes.iterate(&self.pool, self.bytes)
    }

    /// The code of a method of this class; none when it is abstract or native.
    pub fn code(&self, method: &Member) -> Result<Option<Code<'a>>> {
        for attribute in self.member_attributes(method) {
            let attribute = attribute?;
            if attribute.name == b"Code" {
                return Code::read(self.bytes, attribute).map(Some);
            }
        }
        Ok(None)
    }
}

fn read_members(reader: &mut Reader<'_>) -> Result<Vec<Member>> {
    let count = reader.u2()?;
    let mut members = Vec::new();
    for _ in 0..count {
        let (access, name, descriptor) = (reader.u2()?, reader.u2()?, reader.u2()?);
        members.push(Member { access, name, descriptor, attributes: AttributeTable::skip(reader)? });
    }
    Ok(members)
}

impl AttributeTable {
    /// Passes over `attributes_count` and the attributes.
    pub fn skip(reader: &mut Reader<'_>) -> Result<AttributeTable> {
        let count = reader.u2()?;
        let start = reader.offset();
        for _ in 0..count {
            reader.u2()?;
            let length = reader.u4()?;
            reader.take(usize::try_from(length).map_err(|_| reader.error(ErrorKind::Truncated))?)?;
        }
        Ok(AttributeTable { start, end: reader.offset() })
    }

    pub fn iterate<'c, 'a>(self, pool: &'c ConstantPool<'a>, bytes: &'a [u8]) -> Attributes<'c, 'a> {
        Attributes { pool, reader: Reader::between(bytes, self.start, self.end) }
    }
}

/// Attributes in the order of the file; ends after the first error.
#[derive(Debug, Clone)]
pub struct Attributes<'c, 'a> {
    pool: &'c ConstantPool<'a>,
    reader: Reader<'a>,
}

impl<'a> Attributes<'_, 'a> {
    fn read(&mut self) -> Result<Attribute<'a>> {
        let name_index = self.reader.u2()?;
        let name = self.pool.utf8(name_index)?;
        let length = self.reader.u4()?;
        let offset = self.reader.offset();
        let content = self.reader.take(usize::try_from(length).map_err(|_| self.reader.error(ErrorKind::Truncated))?)?;
        Ok(Attribute { name_index, name, offset, content })
    }
}

impl<'a> Iterator for Attributes<'_, 'a> {
    type Item = Result<Attribute<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.reader.remaining() == 0 {
            return None;
        }
        let attribute = self.read();
        if attribute.is_err() {
            self.reader = Reader::new(&[]);
        }
        Some(attribute)
    }
}
