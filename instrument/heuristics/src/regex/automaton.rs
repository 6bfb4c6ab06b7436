//! The language of a regular expression, and the least cost of edits that bring a text into it.

use super::ranges::Ranges;
use super::syntax::Syntax;
use crate::{MISSING, UNKNOWN, UNSURE};

/// What a replaced char costs at most.
const MOST_REPLACED: i64 = MISSING - 1;

/// No way; more than all edits of the longest text cost.
const NONE: i64 = 1_000_000_000;

/// How many chars of a text are looked at.
const MOST_CHARS: usize = 8192;

/// How many instructions times chars one evaluation looks at.
const STEPS: usize = 1_000_000;

/// How many instructions are visited within rows; more only where loops are nested deeply. Then nothing is known.
const MOST_VISITS: usize = 4_000_000;

/// What of a text must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// All: `matches`.
    Whole,
    /// Its begin: `lookingAt`.
    Begin,
    /// Any part: `find`.
    Part,
}

/// A condition between two chars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    Begin,
    TextEnd,
    LastLineEnd,
    LineBegin,
    LineEnd,
    WordEdge,
    NoWordEdge,
}

/// One step of the automaton; next and other are indices of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instruction {
    Char { class: usize, next: usize },
    Fork { next: usize, other: usize },
    Jump { next: usize },
    Check { condition: Condition, unix: bool, next: usize },
    End,
}

impl Instruction {
    /// The same with all indices higher.
    pub(super) fn moved(self, by: usize) -> Instruction {
        self.with(|target| target + by)
    }

    fn with(self, target: impl Fn(usize) -> usize) -> Instruction {
        match self {
            Instruction::Char { class, next } => Instruction::Char { class, next: target(next) },
            Instruction::Fork { next, other } => Instruction::Fork { next: target(next), other: target(other) },
            Instruction::Jump { next } => Instruction::Jump { next: target(next) },
            Instruction::Check { condition, unix, next } => Instruction::Check { condition, unix, next: target(next) },
            Instruction::End => Instruction::End,
        }
    }
}

/// A regular expression that was read.
#[derive(Debug, Clone)]
pub struct Regex {
    instructions: Vec<Instruction>,
    classes: Vec<Ranges>,
    loose: bool,
}

impl Regex {
    /// Reads an expression of `java.util.regex`; flags as [`super::flag`]. None when it is not understood.
    pub fn read(source: &[u16], flags: u32) -> Option<Regex> {
        let mut syntax = Syntax::new(source, flags);
        syntax.read().ok()?;
        let Syntax { instructions, classes, loose, .. } = syntax;
        Some(Regex { instructions: without_jumps(&instructions), classes, loose })
    }

    /// How many instructions it has.
    pub fn n_states(&self) -> usize {
        self.instructions.len()
    }

    /// The least cost of edits after which the text matches; [`UNKNOWN`] when none help.
    ///
    /// Takes time in proportion to chars times instructions, at most a million of them, and more where loops are
    /// nested, at most four million.
    pub fn distance(&self, text: &[u16], how: How) -> f32 {
        let most = MOST_CHARS.min(STEPS / self.instructions.len());
        let mut chars: Vec<u32> = code_points(text).take(most + 1).collect();
        let cut = chars.len() > most;
        chars.truncate(most);
        match self.edits(&chars, how) {
            None | Some(NONE..) => UNKNOWN,
            Some(0) if cut || self.loose => UNSURE,
            Some(least) => least as f32,
        }
    }

    /// The least cost of edits, [`NONE`] or more where none help; none where it takes too much work.
    fn edits(&self, text: &[u32], how: How) -> Option<i64> {
        let end = self.instructions.len() - 1;
        let mut row = vec![NONE; self.instructions.len()];
        row[0] = 0;
        let mut n_visits = self.spread(&mut row, text, 0);
        let mut least = row[end];
        for (idx, c) in text.iter().enumerate() {
            if how != How::Whole && least == 0 {
                return Some(0);
            }
            row = self.read_char(&row, *c);
            if how == How::Part {
                row[0] = 0;
            }
            n_visits += self.spread(&mut row, text, idx + 1);
            if n_visits > MOST_VISITS {
                return None;
            }
            least = if how == How::Whole { row[end] } else { least.min(row[end]) };
        }
        Some(least)
    }

    /// From one row to the next by a char: deleted, or read as one of a class.
    fn read_char(&self, row: &[i64], c: u32) -> Vec<i64> {
        let cost = |class: &Ranges| class.distance(c).map_or(NONE, |distance| i64::from(distance).min(MOST_REPLACED));
        let costs: Vec<i64> = self.classes.iter().map(cost).collect();
        let mut next_row: Vec<i64> = row.iter().map(|cost| NONE.min(cost + MISSING)).collect();
        for (cost, instruction) in row.iter().zip(&self.instructions) {
            if let Instruction::Char { class, next } = *instruction {
                next_row[next] = next_row[next].min(cost + costs[class]);
            }
        }
        next_row
    }

    /// Within a row: what follows without a char, or with one inserted; where a way back brings something, on from there.
    /// How many instructions were visited.
    fn spread(&self, row: &mut [i64], text: &[u32], at: usize) -> usize {
        let (mut idx, mut n_visits) = (0, 0);
        while let Some(instruction) = self.instructions.get(idx) {
            n_visits += 1;
            let cost = row[idx];
            let mut onward = idx + 1;
            let (target, cost) = match *instruction {
                Instruction::Char { class, .. } if self.classes[class].is_empty() => (idx, cost),
                Instruction::Char { next, .. } => (next, cost + MISSING),
                Instruction::Fork { next, other } => {
                    if cost < row[other] {
                        row[other] = cost;
                        onward = onward.min(other);
                    }
                    (next, cost)
                }
                Instruction::Jump { next } => (next, cost),
                Instruction::Check { condition, unix, next } => (next, cost + condition.cost(unix, text, at)),
                Instruction::End => (idx, cost),
            };
            if cost < row[target] {
                row[target] = cost;
                onward = onward.min(target);
            }
            idx = onward;
        }
        n_visits
    }
}

/// The instructions but for jumps, whose targets take their place.
fn without_jumps(all: &[Instruction]) -> Vec<Instruction> {
    let is_kept = |instruction: &&Instruction| !matches!(instruction, Instruction::Jump { .. });
    let number = |target: usize| all[..behind(all, target)].iter().filter(is_kept).count();
    all.iter().filter(is_kept).map(|instruction| instruction.with(number)).collect()
}

/// Where jumps from here end.
fn behind(instructions: &[Instruction], mut target: usize) -> usize {
    for _ in instructions {
        let Some(Instruction::Jump { next }) = instructions.get(target) else { break };
        target = *next;
    }
    target
}

impl Condition {
    /// What it costs to pass it in front of the char at this index: nothing, an edit where one may help, or no way.
    fn cost(self, unix: bool, text: &[u32], at: usize) -> i64 {
        let before = at.checked_sub(1).and_then(|before| text.get(before)).copied();
        let after = text.get(at).copied();
        let in_pair = !unix && before == Some(13) && after == Some(10);
        let ends_line = after.is_some_and(|c| is_line_end(c, unix)) && !in_pair;
        match self {
            Condition::Begin => bar(at == 0),
            Condition::TextEnd => bar(after.is_none()),
            Condition::LastLineEnd => bar(after.is_none() || ends_line && is_last(&text[at..], unix)),
            Condition::LineBegin => {
                let begins = before.is_none_or(|c| is_line_end(c, unix)) && !in_pair;
                // A text does not go on behind its last line end.
                edit(begins && after.is_some())
            }
            Condition::LineEnd => edit(after.is_none() || ends_line),
            Condition::WordEdge => edit(is_word(before) != is_word(after)),
            Condition::NoWordEdge => edit(is_word(before) == is_word(after)),
        }
    }
}

fn bar(holds: bool) -> i64 {
    if holds { 0 } else { NONE }
}

fn edit(holds: bool) -> i64 {
    if holds { 0 } else { MISSING }
}

/// Whether nothing but one end of a line is left.
fn is_last(rest: &[u32], unix: bool) -> bool {
    rest.len() == 1 || !unix && rest == [13, 10]
}

/// Whether a char ends a line.
pub(super) fn is_line_end(c: u32, unix: bool) -> bool {
    c == 10 || !unix && matches!(c, 13 | 0x85 | 0x2028 | 0x2029)
}

fn is_word(c: Option<u32>) -> bool {
    c.and_then(char::from_u32).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The code points of a text; halves of surrogate pairs that stand alone are their own.
pub(super) fn code_points(text: &[u16]) -> impl Iterator<Item = u32> {
    char::decode_utf16(text.iter().copied()).map(|c| c.map_or_else(|half| half.unpaired_surrogate().into(), u32::from))
}

#[cfg(test)]
mod tests {
    use super::{How, Regex};
    use crate::UNKNOWN;

    fn utf16(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    #[test]
    fn loops_in_loops_are_followed_as_long_as_they_take_few_steps() {
        let nested = format!("{}a*b{}", "(".repeat(90), "b*)*".repeat(90));
        let regex = Regex::read(&utf16(&nested), 0).expect("it is understood");
        let distances = [40, 400].map(|n| regex.distance(&utf16(&("ab".repeat(n) + "c")), How::Whole));
        assert_eq!(distances.map(f32::to_bits), [1.0, UNKNOWN].map(f32::to_bits));
    }

    #[test]
    fn expressions_that_are_too_long_are_not_read() {
        let commented = |n: usize| utf16(&("(?x)a".to_owned() + &" ".repeat(n - 5)));
        assert!(Regex::read(&commented(8192), 0).is_some());
        assert!(Regex::read(&commented(8193), 0).is_none());
    }
}
