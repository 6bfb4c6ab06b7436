//! The one error of this crate: what is wrong, and at which byte.

use std::fmt;

/// The result of reading or patching.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a class file cannot be read or patched; one word wide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(Box<Place>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    kind: ErrorKind,
    offset: usize,
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes end before the structure does.
    Truncated,
    /// The file does not begin with `0xCAFEBABE`.
    Magic(u32),
    /// Bytes follow the last attribute of the class.
    TrailingBytes,
    /// A constant has a tag that no version of the format defines.
    ConstantTag(u8),
    /// An index that lies outside the constant pool, or in the unused half of a long or double.
    ConstantIndex(u16),
    /// A constant of another kind than its use wants.
    ConstantKind {
        /// The index of the constant.
        index: u16,
        /// The kind that its use wants.
        wanted: &'static str,
    },
    /// A byte that is no instruction.
    Opcode(u8),
    /// The length of a code array is 0 or above 65,535.
    CodeLength(u32),
    /// A position that is not the beginning of an instruction.
    Position(i64),
    /// A stack map frame of a reserved type.
    FrameType(u8),
    /// A verification type with an undefined tag.
    VerificationType(u8),
    /// A type annotation with an undefined target.
    AnnotationTarget(u8),
    /// An element value with an undefined tag, or nested too deeply.
    ElementValue(u8),
    /// An attribute is shorter or longer than its content.
    AttributeLength,
    /// The patched code would be longer than 65,535 bytes.
    CodeTooLong,
    /// A 16-bit jump of the patched code would not reach its target.
    JumpTooFar,
    /// The patched code would want more than 65,535 stack entries.
    StackTooDeep,
    /// The constant pool has no room for another entry.
    PoolFull,
    /// A text is longer than a constant can be.
    TextTooLong,
    /// There are more of these than a class file can count.
    TooMany(&'static str),
    /// An attribute that is to grow is not there.
    Missing(&'static str),
}

impl Error {
    /// An error of this kind at this byte of the class file.
    #[cold]
    pub fn new(kind: ErrorKind, offset: usize) -> Error {
        Error(Box::new(Place { kind, offset }))
    }

    /// What is wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The byte of the class file where it was noticed, counted from 0.
    pub fn offset(&self) -> usize {
        self.0.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at offset {:#x})", self.0.kind, self.0.offset)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Truncated => f.write_str("the class file ends in the middle of a structure"),
            ErrorKind::Magic(found) => write!(f, "not a class file: begins with {found:#010x}"),
            ErrorKind::TrailingBytes => f.write_str("bytes follow the end of the class"),
            ErrorKind::ConstantTag(tag) => write!(f, "constant with unknown tag {tag}"),
            ErrorKind::ConstantIndex(index) => write!(f, "no constant {index}"),
            ErrorKind::ConstantKind { index, wanted } => write!(f, "constant {index} is no {wanted}"),
            ErrorKind::Opcode(opcode) => write!(f, "unknown instruction {opcode:#04x}"),
            ErrorKind::CodeLength(length) => write!(f, "code of {length} bytes, wanted 1 to 65535"),
            ErrorKind::Position(pc) => write!(f, "no instruction begins at {pc}"),
            ErrorKind::FrameType(tag) => write!(f, "stack map frame of reserved type {tag}"),
            ErrorKind::VerificationType(tag) => write!(f, "verification type with unknown tag {tag}"),
            ErrorKind::AnnotationTarget(tag) => write!(f, "type annotation with unknown target {tag:#04x}"),
            ErrorKind::ElementValue(tag) => write!(f, "element value with unknown tag {tag:#04x}, or nested too deeply"),
            ErrorKind::AttributeLength => f.write_str("the length of an attribute does not fit its content"),
            ErrorKind::CodeTooLong => f.write_str("the code would be longer than 65535 bytes"),
            ErrorKind::JumpTooFar => f.write_str("a jump would be longer than 32767 bytes"),
            ErrorKind::StackTooDeep => f.write_str("the stack would be deeper than 65535 entries"),
            ErrorKind::PoolFull => f.write_str("the constant pool is full"),
            ErrorKind::TextTooLong => f.write_str("a text is longer than 65535 bytes"),
            ErrorKind::TooMany(what) => write!(f, "more than 65535 {what}"),
            ErrorKind::Missing(attribute) => write!(f, "the class has no attribute {attribute}"),
        }
    }
}
