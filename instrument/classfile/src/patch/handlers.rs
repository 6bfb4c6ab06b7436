//! Rewrites the exception table.
//!
//! What is put in front of the first instruction of a handler must not be covered by that handler. Compilers let handlers
//! of `finally` and `synchronized` cover their own beginning, where nothing can throw; where something can, the quick
//! compiler of `HotSpot` leaves the whole method to the interpreter ("exception handler covers itself").

use super::positions::Positions;
use super::tables::push;
use super::write::Landing;
use crate::code::{Code, Handler};
use crate::error::{Error, ErrorKind, Result};

/// The new exception table (JVMS 4.7.3).
pub(super) struct Handlers {
    rows: Vec<Row>,
    /// Of each old row, which is the first that it became.
    first_rows: Vec<u16>,
}

/// A row, in new positions.
struct Row {
    start: usize,
    end: usize,
    handler: usize,
    catch_type: u16,
}

impl Handlers {
    /// Handlers that come first are preferred, so the one that was added comes last.
    pub fn moved(code: &Code<'_>, positions: &Positions, landing: Option<&Landing>) -> Result<Handlers> {
        let handlers = code.handlers();
        let mut moved =
            Handlers { rows: Vec::with_capacity(handlers.len() + 1), first_rows: Vec::with_capacity(handlers.len()) };
        let too_many = |_| Error::new(ErrorKind::CodeTooLong, code.code_offset);
        for handler in handlers {
            moved.first_rows.push(u16::try_from(moved.rows.len()).map_err(too_many)?);
            moved.push(handler, positions)?;
        }
        if let Some(Landing { catch_all, at }) = landing {
            moved.rows.push(Row { start: positions.start(catch_all.from)?, end: *at, handler: *at, catch_type: 0 });
        }
        u16::try_from(moved.rows.len()).map_err(too_many)?;
        Ok(moved)
    }

    fn push(&mut self, handler: Handler, positions: &Positions) -> Result<()> {
        let Handler { start_pc, end_pc, handler_pc, catch_type } = handler;
        let [start, end, entry] = [start_pc, end_pc, handler_pc].map(|pc| positions.start(usize::from(pc)));
        let (start, end, entry) = (start?, end?, entry?);
        let covers_itself = (start_pc..end_pc).contains(&handler_pc);
        let behind = if covers_itself { positions.real(usize::from(handler_pc))? } else { entry };
        if behind == entry {
            self.rows.push(Row { start, end, handler: entry, catch_type });
            return Ok(());
        }
        // JVMS 4.7.3: what is covered is never empty.
        if start < entry {
            self.rows.push(Row { start, end: entry, handler: entry, catch_type });
        }
        self.rows.push(Row { start: behind, end, handler: entry, catch_type });
        Ok(())
    }

    /// Which row an old one became; of rows that were parted the first.
    pub fn index(&self, old: usize) -> Option<u16> {
        self.first_rows.get(old).copied()
    }

    /// Appends count and rows.
    pub fn write(&self, content: &mut Vec<u8>) {
        push(content, self.rows.len());
        for Row { start, end, handler, catch_type } in &self.rows {
            for pc in [start, end, handler] {
                push(content, *pc);
            }
            content.extend(catch_type.to_be_bytes());
        }
    }
}
