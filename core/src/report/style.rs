//! Colours for a terminal, and text made safe for one.

use std::borrow::Cow;

/// Whether and how text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    colour: bool,
}

impl Style {
    /// Without colours.
    pub const fn plain() -> Self {
        Self { colour: false }
    }

    /// With colours.
    pub const fn coloured() -> Self {
        Self { colour: true }
    }

    /// Coloured when the stream is a terminal that takes colours and `NO_COLOR` is not set.
    pub fn for_terminal(is_terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        Self { colour: is_terminal && !refused && !dumb }
    }

    /// For faults and errors.
    pub fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// For what went well.
    pub fn green(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// For what is uncertain.
    pub fn yellow(self, text: &str) -> String {
        self.wrap("33", text)
    }

    /// For hints.
    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    /// For headings.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For what matters less.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// `text` with everything a terminal would obey instead of show written as `\u{…}`; line breaks become spaces.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' | '\t' => shown.push(' '),
            _ if is_obeyed(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal does something other than show the character: control characters and changes of direction.
pub(super) fn is_obeyed(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A number with thousands separated: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 call`, `2,000 calls`.
pub fn count(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { singular } else { plural })
}

/// `text` cut to `max` characters, with `…` when something is missing.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max) {
        None => Cow::Borrowed(text),
        Some(_) => Cow::Owned(text.chars().take(max.saturating_sub(1)).chain(['…']).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, count, grouped, printable, shortened};

    #[test]
    fn colours_appear_only_when_asked_for() {
        assert_eq!(Style::plain().red("x"), "x");
        assert_eq!(Style::coloured().red("x"), "\u{1b}[1;31mx\u{1b}[0m");
        assert_eq!(Style::for_terminal(false), Style::plain());
    }

    #[test]
    fn escapes_and_direction_changes_are_shown() {
        assert_eq!(printable("a\u{1b}[31mb\nc\u{202e}d"), "a\\u{1b}[31mb c\\u{202e}d");
        assert_eq!(printable("größe"), "größe");
    }

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn one_is_singular_and_everything_else_plural() {
        assert_eq!(count(1, "call", "calls"), "1 call");
        assert_eq!(count(0, "call", "calls"), "0 calls");
    }

    #[test]
    fn cut_text_ends_with_an_ellipsis_and_keeps_its_length() {
        assert_eq!(shortened("abcdef", 4), "abc…");
        assert_eq!(shortened("abcd", 4), "abcd");
    }
}
