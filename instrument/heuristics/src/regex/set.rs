//! Sets in brackets, predefined classes, and escaped chars.

use super::automaton::{Condition, Instruction};
use super::flag;
use super::ranges::{LAST, Ranges};
use super::syntax::{NotUnderstood, Read, Syntax};

impl Syntax {
    /// What follows an opening bracket, to the closing one.
    pub(super) fn set(&mut self) -> Read<Ranges> {
        self.deeper()?;
        let negated = self.take("^");
        let mut all: Option<Ranges> = None;
        let mut part = Ranges::default();
        let mut any = false;
        loop {
            self.skip();
            if !self.quoting && any && self.take("]") {
                break;
            }
            if !self.quoting && self.take("&&") {
                let side = std::mem::take(&mut part).tidy();
                all = Some(match all {
                    Some(all) => all.intersect(&side),
                    None => side,
                });
                self.skip();
                // An empty side is read differently by different versions.
                if !any || matches!(self.peek(), Some(']' | '&')) {
                    return Err(NotUnderstood);
                }
                continue;
            }
            any = true;
            self.member(&mut part)?;
        }
        self.shallower();
        let all = match all {
            Some(all) => all.intersect(&part.tidy()),
            None => part.tidy(),
        };
        Ok(if negated { all.negate() } else { all })
    }

    /// One char, range, class or set inside of a set.
    fn member(&mut self, part: &mut Ranges) -> Read<()> {
        let mut c = self.next()?;
        if !self.quoting && c == u32::from('[') {
            part.add(&self.set()?);
            return Ok(());
        }
        if !self.quoting && c == u32::from('\\') {
            let letter = self.next()?;
            if let Some(ranges) = self.predefined(letter)? {
                part.add(&ranges);
                return Ok(());
            }
            c = self.escaped(letter)?;
        }
        let mut last = c;
        self.skip();
        let before = self.place();
        if !self.quoting && self.take("-") {
            self.skip();
            if matches!(self.peek(), Some(']' | '[')) {
                self.back_to(before);
            } else {
                last = self.range_end()?;
            }
        }
        if last < c {
            return Err(NotUnderstood);
        }
        part.add(&self.cased(c, last)?);
        Ok(())
    }

    fn range_end(&mut self) -> Read<u32> {
        let c = self.next()?;
        if self.quoting || c != u32::from('\\') {
            return Ok(c);
        }
        let letter = self.next()?;
        if "dDsSwWhHvVpP".chars().any(|class| u32::from(class) == letter) {
            return Err(NotUnderstood);
        }
        self.escaped(letter)
    }

    /// What follows a backslash outside of a set.
    pub(super) fn escape(&mut self) -> Read<()> {
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

    /// The class that a letter behind a backslash stands for.
    pub(super) fn predefined(&mut self, letter: u32) -> Read<Option<Ranges>> {
        let Some(letter) = char::from_u32(letter) else { return Ok(None) };
        let ranges = match letter.to_ascii_lowercase() {
            'd' => Ranges::new(0x30, 0x39),
            's' => Ranges::of(&[(9, 13), (0x20, 0x20)]),
            'w' => Ranges::of(&[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)]),
            'h' => Ranges::of(&[
                (9, 9),
                (0x20, 0x20),
                (0xa0, 0xa0),
                (0x1680, 0x1680),
                (0x180e, 0x180e),
                (0x2000, 0x200a),
                (0x202f, 0x202f),
                (0x205f, 0x205f),
                (0x3000, 0x3000),
            ]),
            'v' => Ranges::of(&[(10, 13), (0x85, 0x85), (0x2028, 0x2029)]),
            'p' => self.property()?,
            _ => return Ok(None),
        };
        Ok(Some(if letter.is_ascii_uppercase() { ranges.negate() } else { ranges }))
    }

    fn property(&mut self) -> Read<Ranges> {
        let mut name = String::new();
        if self.take("{") {
            while !self.take("}") {
                name.extend(char::from_u32(self.next()?));
            }
        } else {
            name.extend(char::from_u32(self.next()?));
        }
        let category = name.strip_prefix("Is").unwrap_or(&name);
        let of_case = matches!(name.as_str(), "Lower" | "Upper") || matches!(category, "Lu" | "Ll" | "Lt");
        if self.is(flag::CASE_INSENSITIVE) && of_case {
            // Since which version cases are one for these differs.
            return Err(NotUnderstood);
        }
        if let Some(ranges) = posix(&name) {
            return Ok(ranges);
        }
        self.look_up()?;
        Ranges::of_category(category).ok_or(NotUnderstood)
    }

    /// The char that an escape stands for.
    pub(super) fn escaped(&mut self, letter: u32) -> Read<u32> {
        Ok(match char::from_u32(letter) {
            Some('t') => 9,
            Some('n') => 10,
            Some('r') => 13,
            Some('f') => 12,
            Some('a') => 7,
            Some('e') => 27,
            Some('0') => self.octal()?,
            Some('x') if self.take("{") => {
                let c = self.hex(1, 6)?;
                if !self.take("}") {
                    return Err(NotUnderstood);
                }
                c
            }
            Some('x') => self.hex(2, 2)?,
            Some('u') => self.unit()?,
            Some('c') => self.next()? ^ 64,
            Some('1'..='9' | 'a'..='z' | 'A'..='Z') => return Err(NotUnderstood),
            _ => letter,
        })
    }

    fn octal(&mut self) -> Read<u32> {
        let mut value = None;
        for _ in 0..3 {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(8)) else { break };
            let longer = value.unwrap_or(0) * 8 + digit;
            if longer > 0o377 {
                break;
            }
            value = Some(longer);
            self.next()?;
        }
        value.ok_or(NotUnderstood)
    }

    fn hex(&mut self, least: usize, most: usize) -> Read<u32> {
        let mut value = 0;
        for idx in 0..most {
            let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) else {
                if idx < least {
                    return Err(NotUnderstood);
                }
                break;
            };
            value = value * 16 + digit;
            self.next()?;
        }
        if value > LAST { Err(NotUnderstood) } else { Ok(value) }
    }

    /// Four hex digits, and four more where they are halves of one char.
    fn unit(&mut self) -> Read<u32> {
        let high = self.hex(4, 4)?;
        let before = self.place();
        if (0xd800..0xdc00).contains(&high) && self.take("\\u") {
            let low = self.hex(4, 4)?;
            if (0xdc00..0xe000).contains(&low) {
                return Ok(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00));
            }
            self.back_to(before);
        }
        Ok(high)
    }
}

fn posix(name: &str) -> Option<Ranges> {
    Some(Ranges::of(match name {
        "Lower" => &[(0x61, 0x7a)],
        "Upper" => &[(0x41, 0x5a)],
        "ASCII" => &[(0, 127)],
        "Alpha" => &[(0x41, 0x5a), (0x61, 0x7a)],
        "Digit" => &[(0x30, 0x39)],
        "Alnum" => &[(0x30, 0x39), (0x41, 0x5a), (0x61, 0x7a)],
        "Punct" => &[(0x21, 0x2f), (0x3a, 0x40), (0x5b, 0x60), (0x7b, 0x7e)],
        "Graph" => &[(0x21, 0x7e)],
        "Print" => &[(0x20, 0x7e)],
        "Blank" => &[(9, 9), (0x20, 0x20)],
        "Cntrl" => &[(0, 31), (127, 127)],
        "XDigit" => &[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)],
        "Space" => &[(9, 13), (0x20, 0x20)],
        _ => return None,
    }))
}
