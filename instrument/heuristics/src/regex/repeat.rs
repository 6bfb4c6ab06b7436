//! Quantifiers: how often a block repeats.

use super::automaton::Instruction;
use super::syntax::{MOST, NotUnderstood, Read, Syntax};

impl Syntax {
    /// Reads what says how often the block from here to the end repeats.
    pub(super) fn quantifiers(&mut self, start: usize) -> Read<()> {
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
            self.next()?;
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
}
