//! Reads, patches and prints JVM class files (JVMS chapter 4).
//!
//! Pure: bytes in, bytes out. Bytes that are no class file give an [`Error`] with kind and offset, never a panic.
//! It is *not* a model of a class that can be edited at will: a [`ClassFile`] only knows where things lie, and a [`Patcher`]
//! only puts instructions into methods, and constants, methods and bootstrap methods behind those that are there.
//!
//! ```
//! use restive_classfile::{ClassFile, Edit, Instruction, Patcher, opcode::op};
//!
//! # fn main() -> Result<(), restive_classfile::Error> {
//! # let class_bytes: &[u8] = include_bytes!("../tests/classes/Loops.class");
//! let class = ClassFile::read(class_bytes)?;
//! let mut patcher = Patcher::new(&class);
//! for method in &class.methods {
//!     if let Some(code) = class.code(method)? {
//!         patcher.patch(&code, &mut |instruction: &Instruction<'_>, _: &mut _, edit: &mut Edit| {
//!             if instruction.is_conditional() {
//!                 edit.before.push(op::NOP);
//!             }
//!             Ok(())
//!         })?;
//!     }
//! }
//! let patched = patcher.finish()?;
//! assert!(restive_classfile::print(&ClassFile::read(&patched)?)?.contains("nop"));
//! # Ok(())
//! # }
//! ```

mod annotation;
mod appended;
mod bootstrap;
mod class;
mod code;
mod constructor;
mod error;
mod instruction;
pub mod opcode;
mod patch;
mod pool;
mod print;
mod reader;
pub mod text;

pub use appended::{AppendedPool, PoolMark};
pub use bootstrap::BootstrapMethod;
pub use class::{Attribute, Attributes, ClassFile, Member};
pub use code::{Code, Handler, LineEntry};
pub use error::{Error, ErrorKind, Result};
pub use instruction::{Instruction, Instructions, Switch};
pub use patch::{CatchAll, Edit, Edits, NewMethod, Patcher};
pub use pool::{Constant, ConstantPool, MemberRef};
pub use print::{print, print_method};
pub use reader::Reader;
