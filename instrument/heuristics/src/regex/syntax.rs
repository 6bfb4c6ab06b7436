//! Reads a regular expression in the dialect of `java.util.regex` into instructions.
//!
//! What is known of a part stands in one block of instructions, whose jumps stay in it or go to its end; so a block can be
//! moved and copied.

use super::automaton::{Condition, Instruction};
use super::flag;
use super::ranges::Ranges;

/// How many instructions there may be.
pub(super) const MOST: usize = 4096;

/// How deep groups and sets may be nested.
const NESTED: usize = 100;

/// How long an expression may be, in UTF-16 units.
const LONGEST: usize = 8192;

/// How many properties, and ranges in all their cases, there may be.
const MOST_LOOKUPS: usize = 64;

/// The expression is none, or beyond what is read.
#[derive(Debug)]
pub(super) struct NotUnderstood;

pub(super) type Read<T> = Result<T, NotUnderstood>;

/// A reader in the middle of an expression.
pub(super) struct Syntax {
    /// Code points; halves of surrogate pairs may stand alone.
    source: Vec<u32>,
    is_too_long: bool,
    n_lookups: usize,
    at: usize,
    flags: u32,
    depth: usize,
    /// Whether what comes stands between `\Q` and `\E`.
    pub(super) quoting: bool,
    /// What was read.
    pub(super) instructions: Vec<Instruction>,
    /// The classes that the instructions name.
    pub(super) classes: Vec<Ranges>,
    /// Whether a text may be accepted that the expression does not match.
    pub(super) loose: bool,
}

impl Syntax {
    pub(super) fn new(source: &[u16], flags: u32) -> Syntax {
        let is_too_long = source.len() > LONGEST;
        let source = super::automaton::code_points(source).collect();
        let (instructions, classes) = (Vec::new(), Vec::new());
        Syntax {
            source,
            is_too_long,
            n_lookups: 0,
            at: 0,
            flags,
            depth: 0,
            quoting: false,
            instructions,
            classes,
            loose: false,
        }
    }

    /// Reads it all.
    pub(super) fn read(&mut self) -> Read<()> {
        if self.is_too_long || self.is(flag::CANON_EQ | flag::UNICODE_CHARACTER_CLASS) {
            return Err(NotUnderstood);
        }
        if self.is(flag::LITERAL) {
            while self.more() {
                let c = self.next()?;
                self.literal(c)?;
            }
        } else {
            self.alternatives()?;
            if self.more() {
                return Err(NotUnderstood);
            }
        }
        self.emit(Instruction::End).map(drop)
    }

    // Instructions.

    pub(super) fn emit(&mut self, instruction: Instruction) -> Read<usize> {
        if self.instructions.len() >= MOST {
            return Err(NotUnderstood);
        }
        self.instructions.push(instruction);
        Ok(self.instructions.len() - 1)
    }

    /// Makes room for a fork in front of the block that reaches from here to the end.
    pub(super) fn insert(&mut self, start: usize, fork: Instruction) -> Read<()> {
        if self.instructions.len() >= MOST {
            return Err(NotUnderstood);
        }
        for instruction in &mut self.instructions[start..] {
            *instruction = instruction.moved(1);
        }
        self.instructions.insert(start, fork);
        Ok(())
    }

    /// Appends a copy of a block.
    pub(super) fn copy(&mut self, start: usize, length: usize) -> Read<usize> {
        let copied = self.instructions.len();
        for idx in start..start + length {
            self.emit(self.instructions[idx].moved(copied - start))?;
        }
        Ok(copied)
    }

    pub(super) fn emit_class(&mut self, ranges: Ranges) -> Read<()> {
        let ranges = ranges.tidy();
        let class = self.classes.iter().position(|known| *known == ranges).unwrap_or_else(|| {
            self.classes.push(ranges);
            self.classes.len() - 1
        });
        let next = self.instructions.len() + 1;
        self.emit(Instruction::Char { class, next }).map(drop)
    }

    pub(super) fn emit_condition(&mut self, condition: Condition) -> Read<()> {
        let (next, unix) = (self.instructions.len() + 1, self.is(flag::UNIX_LINES));
        self.emit(Instruction::Check { condition, unix, next }).map(drop)
    }

    pub(super) fn literal(&mut self, c: u32) -> Read<()> {
        let ranges = self.cased(c, c)?;
        self.emit_class(ranges)
    }

    /// The chars from one to another, in all cases where the flags say so.
    pub(super) fn cased(&mut self, first: u32, last: u32) -> Read<Ranges> {
        let ranges = Ranges::new(first, last);
        if !self.is(flag::CASE_INSENSITIVE) {
            return Ok(ranges);
        }
        if self.is(flag::UNICODE_CASE) && first != last {
            self.look_up()?;
        }
        Ok(ranges.cased(self.is(flag::UNICODE_CASE)))
    }

    /// Counts what looks at many chars.
    pub(super) fn look_up(&mut self) -> Read<()> {
        self.n_lookups += 1;
        if self.n_lookups > MOST_LOOKUPS { Err(NotUnderstood) } else { Ok(()) }
    }

    pub(super) fn is(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }

    // Chars of the source.

    pub(super) fn more(&self) -> bool {
        self.at < self.source.len()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.source.get(self.at).and_then(|c| char::from_u32(*c))
    }

    pub(super) fn next(&mut self) -> Read<u32> {
        let c = *self.source.get(self.at).ok_or(NotUnderstood)?;
        self.at += 1;
        Ok(c)
    }

    /// Goes on behind this text if it comes.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let comes = text.chars().enumerate().all(|(idx, c)| self.source.get(self.at + idx) == Some(&u32::from(c)));
        if comes {
            self.at += text.chars().count();
        }
        comes
    }

    /// Where reading stands, and back to there.
    pub(super) fn place(&self) -> usize {
        self.at
    }

    pub(super) fn back_to(&mut self, place: usize) {
        self.at = place;
    }

    /// Leaves out what comments and quoting are made of.
    pub(super) fn skip(&mut self) {
        loop {
            let comments = self.is(flag::COMMENTS);
            if self.quoting {
                if !self.take("\\E") {
                    return;
                }
                self.quoting = false;
            } else if self.take("\\Q") {
                self.quoting = true;
            } else if comments && matches!(self.peek(), Some(' ' | '\t'..='\r')) {
                self.at += 1;
            } else if comments && self.take("#") {
                while self.more()
                    && !self.peek().is_some_and(|c| super::automaton::is_line_end(c.into(), self.is(flag::UNIX_LINES)))
                {
                    self.at += 1;
                }
            } else {
                return;
            }
        }
    }

    pub(super) fn deeper(&mut self) -> Read<()> {
        self.depth += 1;
        if self.depth > NESTED { Err(NotUnderstood) } else { Ok(()) }
    }

    pub(super) fn shallower(&mut self) {
        self.depth -= 1;
    }

    // Grammar.

    fn alternatives(&mut self) -> Read<()> {
        self.deeper()?;
        let mut jumps = Vec::new();
        let mut start = self.instructions.len();
        self.sequence()?;
        while !self.quoting && self.take("|") {
            let other = self.instructions.len() + 2;
            self.insert(start, Instruction::Fork { next: start + 1, other })?;
            jumps.push(self.emit(Instruction::Jump { next: 0 })?);
            start = self.instructions.len();
            self.sequence()?;
        }
        let next = self.instructions.len();
        for jump in jumps {
            self.instructions[jump] = Instruction::Jump { next };
        }
        self.shallower();
        Ok(())
    }

    fn sequence(&mut self) -> Read<()> {
        loop {
            self.skip();
            if !self.more() || !self.quoting && matches!(self.peek(), Some('|' | ')')) {
                return Ok(());
            }
            let start = self.instructions.len();
            if self.atom()? {
                self.quantifiers(start)?;
            }
        }
    }

    /// Reads an atom; false when nothing may repeat it.
    fn atom(&mut self) -> Read<bool> {
        let c = self.next()?;
        if self.quoting {
            return self.literal(c).map(|()| true);
        }
        let multiline = self.is(flag::MULTILINE);
        match char::from_u32(c) {
            Some('(') => return self.group(),
            Some('[') => {
                let set = self.set()?;
                self.emit_class(set)?;
            }
            Some('.') => self.emit_class(self.dot())?,
            Some('^') => self.emit_condition(if multiline { Condition::LineBegin } else { Condition::Begin })?,
            Some('$') => self.emit_condition(if multiline { Condition::LineEnd } else { Condition::LastLineEnd })?,
            Some('*' | '+' | '?') => return Err(NotUnderstood),
            Some('\\') => self.escape()?,
            _ => self.literal(c)?,
        }
        Ok(true)
    }

    fn dot(&self) -> Ranges {
        let none = match (self.is(flag::DOTALL), self.is(flag::UNIX_LINES)) {
            (true, _) => Ranges::default(),
            (false, true) => Ranges::new(10, 10),
            (false, false) => Ranges::of(&[(10, 10), (13, 13), (0x85, 0x85), (0x2028, 0x2029)]),
        };
        none.negate()
    }

    fn group(&mut self) -> Read<bool> {
        let before = self.flags;
        if self.take("?") {
            if self.take(">") {
                self.loose = true;
            } else if self.take("<") {
                self.name()?;
            } else if !self.take(":") && self.inline_flags()? {
                return Ok(false);
            }
        }
        self.alternatives()?;
        self.skip();
        if self.quoting || !self.take(")") {
            return Err(NotUnderstood);
        }
        self.flags = before;
        Ok(true)
    }

    /// The name of a group; look-behind is none.
    fn name(&mut self) -> Read<()> {
        let start = self.at;
        loop {
            match char::from_u32(self.next()?) {
                Some('>') => return Ok(()),
                Some(c) if c.is_ascii_alphabetic() || c.is_ascii_digit() && self.at > start + 1 => {}
                _ => return Err(NotUnderstood),
            }
        }
    }

    /// Flags up to `):`; true when they hold for what follows in the group around. Look-ahead has none.
    fn inline_flags(&mut self) -> Read<bool> {
        let mut on = true;
        loop {
            let flag = match char::from_u32(self.next()?) {
                Some(')') => return Ok(true),
                Some(':') => return Ok(false),
                Some('-') => {
                    on = false;
                    continue;
                }
                Some('i') => flag::CASE_INSENSITIVE,
                Some('m') => flag::MULTILINE,
                Some('s') => flag::DOTALL,
                Some('d') => flag::UNIX_LINES,
                Some('u') => flag::UNICODE_CASE,
                Some('x') => flag::COMMENTS,
                _ => return Err(NotUnderstood),
            };
            self.flags = if on { self.flags | flag } else { self.flags & !flag };
        }
    }
}
