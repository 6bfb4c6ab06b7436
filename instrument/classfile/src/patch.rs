//! Puts instructions into the code of methods, and methods behind those of the class; all else stays byte by byte.
//!
//! Mechanics only: what goes where is the business of an [`Edits`].
//! The constant pool only grows, so indices in code, annotations and attributes nobody knows stay valid.
//! Two positions are kept for each old instruction, and mixing them up breaks `new X(c ? a : b)`:
//!
//! - `start`, in front of what was put before it: where jumps, handlers, frames, lines and scopes of locals go;
//! - `real`, the instruction itself: what the distance of a jump counts from, what an uninitialised object in a frame and
//!   a type annotation mean.
//!
//! Jumps are never widened, since that would want new frames: [`ErrorKind::JumpTooFar`] and [`ErrorKind::CodeTooLong`]
//! ask for fewer insertions.

mod annotations;
mod append;
mod frames;
mod handlers;
mod positions;
mod tables;
mod write;

use append::Appended;
pub use append::NewMethod;

use crate::appended::AppendedPool;
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::instruction::Instruction;

/// What is done at one instruction; empty means that it stays.
#[derive(Debug, Default)]
pub struct Edit {
    /// Put in front; whoever jumps to the instruction comes through here too.
    pub before: Vec<u8>,
    /// Stands in the place of the instruction when it is not empty; must not jump.
    pub replacement: Vec<u8>,
    /// Put behind; whoever jumps to the next instruction does not come through here.
    pub after: Vec<u8>,
    /// How many stack entries `before`, `replacement` or `after` want at most beyond what the instruction finds or leaves.
    pub extra_stack: u16,
    /// How many local variables behind those of the method they use; what is stored there must be read before any jump arrives.
    pub extra_locals: u16,
}

impl Edit {
    /// Raises `extra_stack` to `entries` if it is lower.
    pub fn need_stack(&mut self, entries: u16) {
        self.extra_stack = self.extra_stack.max(entries);
    }

    /// Raises `extra_locals` to `variables` if it is lower.
    pub fn need_locals(&mut self, variables: u16) {
        self.extra_locals = self.extra_locals.max(variables);
    }

    fn clear(&mut self) {
        self.before.clear();
        self.replacement.clear();
        self.after.clear();
        self.extra_stack = 0;
        self.extra_locals = 0;
    }
}

/// A handler for everything that is put behind the last instruction of a method.
///
/// It knows no local variable, so it fits wherever something is thrown: only where `this` of a constructor is not initialised
/// it does not (JVMS 4.10.1.4), which is why it begins at some instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatchAll {
    /// The old position from which on instructions are covered; to the end of the old code.
    pub from: usize,
    /// The handler: finds what was thrown on the stack, and must not run over its end.
    pub code: Vec<u8>,
    /// How deep the stack gets in the handler.
    pub max_stack: u16,
    /// The constant that names `java/lang/Throwable`.
    pub throwable: u16,
    /// The constant `StackMapTable`, for methods that have none; 0 for class files that want none (before version 50).
    pub frames: u16,
}

/// Decides what is put where.
pub trait Edits {
    /// Says what is done at this instruction; called once for each, in the order of the code.
    ///
    /// Inserted instructions must leave stack, locals and flow of control as they are; that is not checked here.
    fn edit(&mut self, instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit) -> Result<()>;

    /// What becomes of exceptions that no handler of the method takes; called once, behind the last instruction.
    fn catch_all(&mut self, _pool: &mut AppendedPool) -> Result<Option<CatchAll>> {
        Ok(None)
    }
}

impl<F: FnMut(&Instruction<'_>, &mut AppendedPool, &mut Edit) -> Result<()>> Edits for F {
    fn edit(&mut self, instruction: &Instruction<'_>, pool: &mut AppendedPool, edit: &mut Edit) -> Result<()> {
        self(instruction, pool, edit)
    }
}

/// A class file in the course of being patched.
#[derive(Debug)]
pub struct Patcher<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// The constants that are added.
    pub pool: AppendedPool,
    /// The `Code` attributes that change.
    replaced: Vec<Piece>,
    appended: Appended,
}

/// Bytes that stand in the place of others.
#[derive(Debug)]
struct Piece {
    /// Where the old bytes begin and end.
    start: usize,
    end: usize,
    bytes: Vec<u8>,
}

impl Piece {
    /// An attribute whose content lies there gets another one. JVMS 4.7: the length stands in the four bytes in front of it.
    fn attribute((start, end): (usize, usize), content: &[u8]) -> Result<Piece> {
        let length = u32::try_from(content.len()).map_err(|_| Error::new(ErrorKind::CodeTooLong, start))?;
        Ok(Piece { start: start - 4, end, bytes: [&length.to_be_bytes(), content].concat() })
    }
}

impl<'c, 'a> Patcher<'c, 'a> {
    /// Begins to patch this class.
    pub fn new(class: &'c ClassFile<'a>) -> Patcher<'c, 'a> {
        Patcher {
            class,
            pool: AppendedPool::new(class.pool.count(), class.pool.end()),
            replaced: Vec::new(),
            appended: Appended::default(),
        }
    }

    /// Patches the code of one method; on an error the method stays as it was and constants added for it are forgotten.
    ///
    /// # Errors
    /// When the code is damaged, or does not fit the format with what `edits` puts in.
    pub fn patch(&mut self, code: &Code<'a>, edits: &mut impl Edits) -> Result<()> {
        let mark = self.pool.mark();
        let patched = write::patched(self.class, code, &mut self.pool, edits);
        match patched.and_then(|content| Piece::attribute(code.span, &content)) {
            Ok(piece) => {
                self.replaced.push(piece);
                Ok(())
            }
            Err(error) => {
                self.pool.roll_back(mark);
                Err(error)
            }
        }
    }

    /// The new class file.
    ///
    /// # Errors
    /// When the bootstrap methods that others were appended to are damaged, or longer than a class file can say.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.replaced.extend(self.appended.pieces(self.class)?);
        self.replaced.sort_by_key(|piece| piece.start);
        let old = self.class.bytes();
        let grown: usize = self.replaced.iter().map(|piece| piece.bytes.len().saturating_sub(piece.end - piece.start)).sum();
        let mut bytes = Vec::with_capacity(old.len() + grown + self.pool.bytes().len());
        // JVMS 4.1: magic and versions, count, constants.
        bytes.extend(&old[..8]);
        bytes.extend(self.pool.count().max(self.class.pool.count()).to_be_bytes());
        bytes.extend(&old[10..self.class.pool.end()]);
        bytes.extend(self.pool.bytes());
        let mut at = self.class.pool.end();
        for piece in &self.replaced {
            bytes.extend(&old[at..piece.start]);
            bytes.extend(&piece.bytes);
            at = piece.end;
        }
        bytes.extend(&old[at..]);
        Ok(bytes)
    }
}
