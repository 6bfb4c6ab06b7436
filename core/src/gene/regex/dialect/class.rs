//! Bracketed classes: `[…]` of both dialects.

use super::super::Dialect;
use super::Translator;
use super::escape::{Atom, literal};

impl Translator {
    /// The class whose bracket is consumed, in the syntax of `regex-syntax`.
    pub(super) fn class(&mut self) -> Result<String, String> {
        let negated = self.take("^");
        if self.dialect == Dialect::Ecma && self.take("]") {
            // `[^]` is any character, `[]` none.
            return Ok(if negated { "(?s:.)".to_owned() } else { "[a&&b]".to_owned() });
        }
        let mut text = String::from(if negated { "[^" } else { "[" });
        let mut first = true;
        loop {
            match self.peek() {
                None => return Err("unclosed class".to_owned()),
                Some(']') if !first => {
                    self.at += 1;
                    text.push(']');
                    return Ok(text);
                }
                Some('&') if self.dialect == Dialect::Java && self.take("&&") => text.push_str("&&"),
                Some(_) => text.push_str(&self.class_item()?),
            }
            first = false;
        }
    }

    /// A character, a range, an escape or, in Java, a class inside the class.
    fn class_item(&mut self) -> Result<String, String> {
        let start = self.class_atom()?;
        if self.peek() != Some('-') || matches!(self.chars.get(self.at + 1), None | Some(']')) {
            return Ok(start.in_class());
        }
        self.at += 1;
        if self.dialect == Dialect::Java && (self.peek() == Some('[') || self.chars[self.at..].starts_with(&['&', '&'])) {
            return Ok(start.in_class() + r"\-");
        }
        let end = self.class_atom()?;
        match (&start, &end) {
            (Atom::Single(from), Atom::Single(to)) if from > to => Err(format!("range `{from}-{to}` is empty")),
            (Atom::Single(from), Atom::Single(to)) => Ok(format!("{}-{}", literal(*from), literal(*to))),
            // `[\w-.]`: the hyphen stands for itself (ECMA-262 B.1.2).
            _ => Ok(format!(r"{}\-{}", start.in_class(), end.in_class())),
        }
    }

    fn class_atom(&mut self) -> Result<Atom, String> {
        match self.next() {
            None => Err("unclosed class".to_owned()),
            Some('\\') => self.escape(true),
            Some('[') if self.dialect == Dialect::Java => {
                self.nesting += 1;
                if self.nesting > super::MAX_NESTING {
                    return Err("too many classes inside each other".to_owned());
                }
                let class = self.class()?;
                self.nesting -= 1;
                Ok(Atom::Class(class))
            }
            Some(character) => Ok(Atom::Single(character)),
        }
    }
}
