//! Reads a regular expression in the dialect of `java.util.regex` into instructions.
//!
//! What is known of a part stands in one block of instructions, whose jumps stay in it or go to its end; so a block can be
//! moved and copied.

use super::automaton::{Condition, Instruction};
use super::flag;
use super::ranges::Ranges;

/// How many instructions there may be.
const MOST: usize = 4096;

/// How deep groups and sets may be nested.
const NESTED: usize = 100;

/// The expression is none, or beyond what is read.
#[derive(Debug)]
pub(super) struct NotUnderstood;

pub(super) type Read<T> = Result<T, NotUnderstood>;

/// A reader in the middle of an expression.
pub(super) struct Syntax {
    /// Code points; halves of surrogate pairs may stand alone.
    source: Vec<u32>,
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
        let source = super::automaton::code_points(source).collect();
        let (instructions, classes) = (Vec::new(), Vec::new());
        Syntax { source, at: 0, flags, depth: 0, quoting: false, instructions, classes, loose: false }
    }

    /// Reads it all.
    pub(super) fn read(&mut self) -> Read<()> {
        if self.is(flag::CANON_EQ | flag::UNICODE_CHARACTER_CLASS) {
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

    fn emit(&mut self, instruction: Instruction) -> Read<usize> {
        if self.instructions.len() >= MOST {
            return Err(NotUnderstood);
        }
        self.instructions.push(instruction);
        Ok(self.instructions.len() - 1)
    }

    /// Makes room for a fork in front of the block that reaches from here to the end.
    fn insert(&mut self, start: usize, fork: Instruction) -> Read<()> {
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
    fn copy(&mut self, start: usize, length: usize) -> Read<usize> {
        let copied = self.instructions.len();
        for idx in start..start + length {
            self.emit(self.instructions[idx].moved(copied - start))?;
        }
        Ok(copied)
    }

    fn emit_class(&mut self, ranges: Ranges) -> Read<()> {
        let ranges = ranges.tidy();
        let class = self.classes.iter().position(|known| *known == ranges).unwrap_or_else(|| {
            self.classes.push(ranges);
            self.classes.len() - 1
        });
        let next = self.instructions.len() + 1;
        self.emit(Instruction::Char { class, next }).map(drop)
    }

    fn emit_condition(&mut self, condition: Condition) -> Read<()> {
        let (next, unix) = (self.instructions.len() + 1, self.is(flag::UNIX_LINES));
        self.emit(Instruction::Check { condition, unix, next }).map(drop)
    }

    fn literal(&mut self, c: u32) -> Read<()> {
        let ranges = self.cased(Ranges::new(c, c));
        self.emit_class(ranges)
    }

    pub(super) fn cased(&self, ranges: Ranges) -> Ranges {
        if self.is(flag::CASE_INSENSITIVE) { ranges.cased(self.is(flag::UNICODE_CASE)) } else { ranges }
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

    // Quantifiers.

    fn quantifiers(&mut self, start: usize) -> Read<()> {
        self.skip();
        while !self.quoting {
            let (least, most) = if self.take("?") {
                (0, Some(1))
            } else if self.take("*") {
                (0, None)
            } else if self.take("+") {
                (1, None)
            } else if self.take("{") {
                self.counts()?
            } else {
                break;
            };
            self.repeat(start, least, most)?;
            // Reluctant ones have the same language.
            if !self.take("?") && self.take("+") {
                self.loose = true;
            }
            self.skip();
        }
        Ok(())
    }

    fn counts(&mut self) -> Read<(usize, Option<usize>)> {
        let least = self.count()?;
        let most = match self.take(",") {
            false => Some(least),
            true if self.peek() == Some('}') => None,
            true => Some(self.count()?),
        };
        if !self.take("}") || most.is_some_and(|most| most < least) {
            return Err(NotUnderstood);
        }
        Ok((least, most))
    }

    fn count(&mut self) -> Read<usize> {
        let mut value = None;
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
            value = Some((value.unwrap_or(0) * 10 + digit as usize).min(100_000));
            self.at += 1;
        }
        value.ok_or(NotUnderstood)
    }

    /// Repeats the block from here to the end.
    fn repeat(&mut self, start: usize, least: usize, most: Option<usize>) -> Read<()> {
        let length = self.instructions.len() - start;
        match most {
            _ if length == 0 => {}
            Some(0) => self.instructions.truncate(start),
            None if least == 0 => {
                let other = self.instructions.len() + 2;
                self.insert(start, Instruction::Fork { next: start + 1, other })?;
                self.emit(Instruction::Jump { next: start })?;
            }
            _ => {
                let mut copied = start;
                for _ in 1..least {
                    copied = self.copy(start, length)?;
                }
                match most {
                    None => self.emit(Instruction::Fork { next: copied, other: self.instructions.len() + 1 }).map(drop)?,
                    Some(most) => self.options(start, length, least, most)?,
                }
            }
        }
        Ok(())
    }

    /// What may come after the least number of times: each copy in turn is the last, or another follows.
    fn options(&mut self, start: usize, length: usize, least: usize, most: usize) -> Read<()> {
        let mut optional = most - least;
        if optional * (length + 1) > MOST {
            return Err(NotUnderstood);
        }
        let mut forks = Vec::new();
        let mut block = start;
        if least == 0 {
            self.insert(start, Instruction::Fork { next: start + 1, other: 0 })?;
            forks.push(start);
            block += 1;
            optional -= 1;
        }
        for _ in 0..optional {
            let next = self.instructions.len() + 1;
            forks.push(self.emit(Instruction::Fork { next, other: 0 })?);
            self.copy(block, length)?;
        }
        let other = self.instructions.len();
        for fork in forks {
            self.instructions[fork] = Instruction::Fork { next: fork + 1, other };
        }
        Ok(())
    }

    // Escapes.

    /// What follows a backslash outside of a set.
    fn escape(&mut self) -> Read<()> {
        let c = self.next()?;
        match char::from_u32(c) {
            Some('b') => self.emit_condition(Condition::WordEdge),
            Some('B') => self.emit_condition(Condition::NoWordEdge),
            Some('A') => self.emit_condition(Condition::Begin),
            Some('z') => self.emit_condition(Condition::TextEnd),
            Some('Z') => self.emit_condition(Condition::LastLineEnd),
            Some('R') => self.line_break(),
            _ => {
                if let Some(ranges) = self.predefined(c)? {
                    return self.emit_class(ranges);
                }
                let c = self.escaped(c)?;
                self.literal(c)
            }
        }
    }

    /// `\R`: CR LF, or one of the others.
    fn line_break(&mut self) -> Read<()> {
        let fork = self.instructions.len();
        self.emit(Instruction::Fork { next: fork + 1, other: fork + 4 })?;
        self.emit_class(Ranges::new(13, 13))?;
        self.emit_class(Ranges::new(10, 10))?;
        self.emit(Instruction::Jump { next: fork + 5 })?;
        self.emit_class(Ranges::of(&[(10, 13), (0x85, 0x85), (0x2028, 0x2029)]))
    }
}
