//! Text in generated code that is there for its readers: comments.

/// Characters of a comment, at most.
const MAX_COMMENT: usize = 300;

/// Whether a reader of the code sees the character: no control, format, private or unassigned one, and no blank other
/// than the space.
pub(super) fn is_visible(character: char) -> bool {
    matches!(character, ' ' | '\'' | '"' | '\\') || character.escape_debug().len() == 1
}

/// `text` for one line of a comment: nothing in it ends a comment, starts an escape or hides, and it is cut when long.
pub(super) fn comment(text: &str) -> String {
    let harmless = |character| match character {
        '\\' => '/',
        '"' => '\'',
        _ if is_visible(character) => character,
        _ => ' ',
    };
    let mut line: String = text.chars().take(MAX_COMMENT).map(harmless).collect();
    if text.chars().nth(MAX_COMMENT).is_some() {
        line.push('…');
    }
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_on_one_line_and_end_nothing() {
        assert_eq!(comment("a\nb\"\"\"c\\u000ad\u{2029}"), "a b'''c/u000ad");
        assert_eq!(comment(&"x".repeat(1000)).chars().count(), MAX_COMMENT + 1);
    }

    #[test]
    fn letters_of_all_scripts_are_visible_and_tricks_are_not() {
        assert!("aé字😀".chars().all(is_visible));
        assert!(!"\u{0}\u{a0}\u{200b}\u{202e}\u{2028}\u{feff}\u{e000}\u{ffff}".chars().any(is_visible));
    }
}
