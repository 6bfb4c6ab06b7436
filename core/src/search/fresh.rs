//! Texts that a service takes once, as the name of a user, made anew each time a test is executed: of the same kind, so that
//! what allows the one allows the other. A test that is repeated on a service that is not reset would be refused otherwise.

use crate::random::Random;

/// Characters that stand for each other; a zero stays, for numbers do not begin with one, and letters of hexadecimal digits
/// stay among themselves.
const KINDS: [&str; 5] = ["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789"];
/// Characters that change, at least: texts with fewer soon come again.
const LEAST: usize = 6;
/// Characters that change of a text that was made longer for that.
const ROOMY: usize = 9;

/// A text that is another one in each execution of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreshText {
    /// The name of the input that has it.
    pub name: String,
    /// What it was in the last execution.
    pub text: String,
}

/// Whether a text can be another one each time: enough of it changes, and it is written alike wherever it stands.
pub(super) fn is_variable(text: &str) -> bool {
    n_changing(text) >= LEAST && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte))
}

/// Another text of the same kind: letters and digits in front of an `@`, or all of them, are drawn anew.
pub fn another(text: &str, random: &mut Random) -> String {
    let (head, tail) = text.split_at(end_of_head(text));
    let kind_of = |character: char| KINDS.into_iter().find(|kind| kind.contains(character));
    let mut draw = |character: char| {
        let kind = kind_of(character).map(str::as_bytes)?;
        Some(char::from(kind[random.below(kind.len())]))
    };
    let head: String = head.chars().map(|character| draw(character).unwrap_or(character)).collect();
    head + tail
}

/// `text` with letters more, so that enough of it changes.
pub(super) fn roomy(text: &str) -> String {
    let (head, tail) = text.split_at(end_of_head(text));
    let more = ROOMY.saturating_sub(n_changing(text));
    format!("{head}{}{tail}", "n".repeat(more))
}

/// What stands in front of an `@` tells mailboxes apart.
fn end_of_head(text: &str) -> usize {
    text.find('@').unwrap_or(text.len())
}

fn n_changing(text: &str) -> usize {
    text[..end_of_head(text)].chars().filter(|character| KINDS.iter().any(|kind| kind.contains(*character))).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{another, is_variable, roomy};
    use crate::random::Random;

    #[test]
    fn letters_and_digits_change_within_their_kind() {
        let mut random = Random::new(1, 0);
        let text = "user-07ab@mail.example";
        let other = another(text, &mut random);
        assert_ne!(other, text);
        let (head, tail) = other.split_once('@').expect("an address");
        assert_eq!((tail, head.len(), &head[4..6]), ("mail.example", 9, "-0"));
        let is_kind = |character: char, kind: &str| kind.contains(character);
        assert!(
            head.chars().skip(7).all(|it| is_kind(it, "abcdef")) && is_kind(head.as_bytes()[6].into(), "123456789"),
            "{head}"
        );
    }

    #[test]
    fn short_texts_are_made_longer_and_others_stay() {
        assert_eq!([roomy("aaa"), roomy("a1@b.c"), roomy("longenough")], ["aaannnnnn", "a1nnnnnnn@b.c", "longenough"]);
        for (text, expected) in
            [("abc", false), ("abcdef", true), ("ab@cdefgh", false), ("a\"bcdefg", false), ("ünicöde1", false)]
        {
            assert_eq!(is_variable(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_variable_stays_so(text in "[ -~]{0,20}", seed: u64) {
            let other = another(&text, &mut Random::new(seed, 0));
            prop_assert_eq!((other.len(), is_variable(&other)), (text.len(), is_variable(&text)));
            prop_assert!(is_variable(&roomy(&text)) || !text.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        }
    }
}
