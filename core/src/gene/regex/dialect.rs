//! Translation of the ECMA-262 and Java dialects into the syntax of `regex-syntax`.
//!
//! Two texts come out: the *shape*, which strings are drawn from (no look-around, no atomic groups, no possessive
//! quantifiers: it matches at least what the pattern matches), and the *full* pattern with those for a matcher.
//! ECMA-262: section 22.2 with Annex B.1.2 (lenient escapes and braces). Java: `java.util.regex.Pattern`.

mod class;
mod escape;

use super::Dialect;

/// Groups inside each other before a pattern is refused.
const MAX_NESTING: usize = 100;

/// `.` without flags, as the dialects understand it.
const DOT: &str = r"[^\n\r\x{2028}\x{2029}]";

/// A pattern in the syntax of `regex-syntax`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Translation {
    /// What to draw strings from.
    pub(super) shape: String,
    /// What to match with, in the syntax of `fancy-regex`.
    pub(super) full: String,
    /// Inner patterns of positive look-aheads, without a leading `.*`.
    pub(super) wanted: Vec<String>,
    /// Whether the shape matches nothing that the pattern does not.
    pub(super) exact: bool,
    /// Whether an ECMA-262 engine understands the pattern as it is meant.
    pub(super) is_ecma: bool,
    /// Whether such an engine needs the `u` flag.
    pub(super) unicode: bool,
}

/// Translates `pattern`, or says what stands in the way.
pub(super) fn translate(pattern: &str, dialect: Dialect) -> Result<Translation, String> {
    let chars: Vec<char> = pattern.chars().collect();
    let mut translator = Translator {
        groups: groups(&chars),
        opened: 0,
        chars,
        at: 0,
        dialect,
        out: Translation { exact: true, is_ecma: true, ..Translation::default() },
        silent: 0,
        nesting: 0,
        dot_flag: false,
    };
    translator.alternatives()?;
    if translator.at < translator.chars.len() {
        return Err("unopened group".to_owned());
    }
    Ok(translator.out)
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    dialect: Dialect,
    groups: Vec<Group>,
    // Number of capturing groups that began before the present place.
    opened: usize,
    out: Translation,
    // Look-arounds around the present place; what is inside goes to the full pattern only.
    silent: usize,
    nesting: usize,
    // Whether inline flags may have changed the meaning of `.`.
    dot_flag: bool,
}

impl Translator {
    /// Everything up to the end or the closing parenthesis of the present group.
    fn alternatives(&mut self) -> Result<(), String> {
        // Whether there is something a quantifier can follow.
        let mut atom = false;
        while let Some(next) = self.peek() {
            match next {
                ')' => return Ok(()),
                '*' | '+' | '?' if atom => self.quantifier(),
                '{' if atom && self.counted_length().is_some() => self.quantifier(),
                '*' | '+' | '?' => return Err(format!("`{next}` follows nothing")),
                _ => {
                    self.at += 1;
                    atom = self.atom(next)?;
                    continue;
                }
            }
            // `a**` is an error in both dialects, but harmless.
            atom = true;
        }
        Ok(())
    }

    /// One atom that starts with `first`, already consumed; says whether a quantifier may follow.
    fn atom(&mut self, first: char) -> Result<bool, String> {
        match first {
            '|' => {
                self.emit("|");
                return Ok(false);
            }
            '^' | '$' => {
                self.emit(if first == '^' { "^" } else { "$" });
                return Ok(false);
            }
            '(' => return self.group(),
            '[' => {
                let class = self.class()?;
                self.emit(&class);
            }
            '\\' => return self.escape_outside(),
            '.' => self.emit(if self.dot_flag { "." } else { DOT }),
            literal => self.emit(&escape::literal(literal)),
        }
        Ok(true)
    }

    /// A quantifier with its lazy or possessive mark.
    fn quantifier(&mut self) {
        let length = self.counted_length().unwrap_or(1);
        let text: String = self.chars[self.at..self.at + length].iter().collect();
        self.at += length;
        self.emit(&text);
        match self.peek() {
            Some('?') => {
                self.at += 1;
                self.emit("?");
            }
            Some('+') => {
                self.at += 1;
                self.out.exact = false;
                self.out.full.push('+');
            }
            _ => {}
        }
    }

    /// Length of `{n}`, `{n,}` or `{n,m}` at the present place; other braces are literal.
    fn counted_length(&self) -> Option<usize> {
        let rest = self.chars[self.at..].strip_prefix(&['{'])?;
        let inner: String = rest.iter().take_while(|next| **next != '}').take(20).collect();
        let (least, most) = inner.split_once(',').unwrap_or((&inner, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let closed = rest.get(inner.chars().count()) == Some(&'}');
        (closed && !least.is_empty() && digits(least) && digits(most)).then_some(inner.len() + 2)
    }

    /// A group whose parenthesis is consumed.
    fn group(&mut self) -> Result<bool, String> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(format!("more than {MAX_NESTING} groups inside each other"));
        }
        let quantifiable = if !self.take("?") {
            self.capturing_group()?
        } else if self.take(":") {
            self.emit("(?:");
            self.close_group()?
        } else if self.take(">") {
            self.out.exact = false;
            self.out.full.push_str("(?>");
            self.emit_shape("(?:");
            self.close_group()?
        } else if let Some(look) = ["=", "!", "<=", "<!"].into_iter().find(|look| self.take(look)) {
            self.look_around(look)?
        } else if self.take("<") || self.take("P<") {
            self.skip_past('>')?;
            self.capturing_group()?
        } else if self.take("#") {
            self.skip_past(')')?;
            false
        } else {
            self.flags()?
        };
        self.nesting -= 1;
        Ok(quantifiable)
    }

    fn capturing_group(&mut self) -> Result<bool, String> {
        let number = self.opened;
        self.opened += 1;
        self.out.full.push('(');
        self.emit_shape("(?:");
        let start = self.out.shape.len();
        let quantifiable = self.close_group()?;
        let inside = self.out.shape[start..].strip_suffix(')').unwrap_or_default().to_owned();
        if let Some(group) = self.groups.get_mut(number) {
            group.shape = inside;
        }
        Ok(quantifiable)
    }

    fn close_group(&mut self) -> Result<bool, String> {
        self.alternatives()?;
        if !self.take(")") {
            return Err("unclosed group".to_owned());
        }
        self.emit(")");
        Ok(true)
    }

    fn look_around(&mut self, look: &str) -> Result<bool, String> {
        self.out.exact = false;
        self.out.full.push_str("(?");
        self.out.full.push_str(look);
        let start = self.out.full.len();
        self.silent += 1;
        self.alternatives()?;
        self.silent -= 1;
        if !self.take(")") {
            return Err("unclosed group".to_owned());
        }
        if look == "=" && self.silent == 0 {
            let inner = &self.out.full[start..];
            let wanted = [DOT, "."].iter().find_map(|dot| inner.strip_prefix(dot)?.strip_prefix('*')).unwrap_or(inner);
            self.out.wanted.push(wanted.trim_start_matches('?').to_owned());
        }
        self.out.full.push(')');
        // A quantifier behind it must find something.
        self.emit_shape("(?:)");
        Ok(true)
    }

    /// Inline flags, for the rest of the group or for a group of their own.
    fn flags(&mut self) -> Result<bool, String> {
        // Modifiers are too new for the engines; a pattern that has them is meant for another dialect.
        self.out.is_ecma = false;
        let mut text = String::new();
        loop {
            let flag = self.next().ok_or("unclosed group")?;
            match flag {
                // Unicode classes and line ends make no difference to what is drawn.
                'd' | 'u' | 'U' => {}
                'i' | 'm' | 's' | 'x' | '-' => text.push(flag),
                ':' | ')' => {
                    self.dot_flag |= text.contains('s');
                    if text.split('-').next().is_some_and(|set| set.contains('x')) {
                        self.drop_comments();
                    }
                    let text = text.replace('x', "");
                    return self.flag_group(text.trim_end_matches('-'), flag == ':');
                }
                other => return Err(format!("group `(?{other}` is not known")),
            }
        }
    }

    /// Takes blanks and comments out of what is left of the pattern: to Java they are nothing behind the flag `x`, also in
    /// classes. Where a group ends before the pattern does, those behind it go as well.
    fn drop_comments(&mut self) {
        let rest = self.chars.split_off(self.at);
        let mut is_quoted = false;
        let mut at = 0;
        while let Some(&next) = rest.get(at) {
            let after = rest.get(at + 1).copied();
            match next {
                '\\' => {
                    is_quoted = after == Some('Q') || is_quoted && after != Some('E');
                    self.chars.push(next);
                    self.chars.extend(after);
                    at += 1;
                }
                '#' if !is_quoted => {
                    let length = rest[at..].iter().take_while(|it| !matches!(it, '\n' | '\r')).count();
                    at += length.saturating_sub(1);
                }
                _ if next.is_ascii_whitespace() && !is_quoted => {}
                _ => self.chars.push(next),
            }
            at += 1;
        }
        if self.opened == 0 {
            self.groups = groups(&self.chars);
        }
    }

    fn flag_group(&mut self, text: &str, own_group: bool) -> Result<bool, String> {
        if own_group {
            self.emit("(?");
            self.emit(text);
            self.emit(":");
            return self.close_group();
        }
        if !text.is_empty() {
            self.emit(&format!("(?{text})"));
        }
        Ok(false)
    }

    fn emit(&mut self, text: &str) {
        self.out.full.push_str(text);
        self.emit_shape(text);
    }

    fn emit_shape(&mut self, text: &str) {
        if self.silent == 0 {
            self.out.shape.push_str(text);
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Consumes `text` when it comes next.
    fn take(&mut self, text: &str) -> bool {
        let length = text.chars().count();
        let found = self.chars[self.at..].iter().take(length).copied().eq(text.chars());
        self.at += if found { length } else { 0 };
        found
    }

    fn skip_past(&mut self, end: char) -> Result<String, String> {
        let rest = &self.chars[self.at..];
        let length = rest.iter().position(|next| *next == end).ok_or_else(|| format!("`{end}` is missing"))?;
        let skipped = rest[..length].iter().collect();
        self.at += length + 1;
        Ok(skipped)
    }
}

/// A capturing group.
#[derive(Debug, Default)]
struct Group {
    name: Option<String>,
    /// Its inside as a shape, empty before it is translated and inside look-around.
    shape: String,
}

/// The capturing groups, whose number tells back references from octal escapes.
fn groups(chars: &[char]) -> Vec<Group> {
    let (mut groups, mut in_class, mut at) = (Vec::new(), false, 0);
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 1,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => groups.extend(group(&chars[at + 1..])),
            _ => {}
        }
        at += 1;
    }
    groups
}

/// The group whose parenthesis stands before `chars`, none when it captures nothing.
fn group(chars: &[char]) -> Option<Group> {
    let Some(marked) = chars.strip_prefix(&['?']) else { return Some(Group::default()) };
    let marked = marked.strip_prefix(&['P']).unwrap_or(marked);
    let name = marked.strip_prefix(&['<']).filter(|name| !matches!(name.first(), Some('=' | '!')))?;
    Some(Group { name: Some(name.iter().take_while(|next| **next != '>').collect()), shape: String::new() })
}

#[cfg(test)]
mod tests;
