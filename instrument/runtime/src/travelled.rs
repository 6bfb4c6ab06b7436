//! Hints that the core has: each travels once.

use std::collections::BTreeSet;

use restive_driver_protocol::Hint;

/// Hints that are remembered; when there are more, all travel anew.
const MOST: usize = 1 << 15;
/// Hints in one feedback, at most; the first ones.
const MOST_AT_ONCE: usize = 256;

/// Hints that were sent in this session.
#[derive(Debug, Default)]
pub(crate) struct Travelled(BTreeSet<(String, String, String)>);

impl Travelled {
    /// Leaves those of `hints` that the core does not have, which it is about to get; gives how many of these are too many.
    pub fn retain_new(&mut self, hints: &mut Vec<Hint>) -> u32 {
        let mut room = MOST_AT_ONCE;
        let mut dropped = 0;
        hints.retain(|Hint { tracked, usage, operand }| {
            let hint = (tracked.clone(), usage.clone(), operand.clone());
            if self.0.contains(&hint) {
                return false;
            }
            if room == 0 {
                dropped += 1;
                return false;
            }
            if self.0.len() >= MOST {
                self.0.clear();
            }
            room -= 1;
            self.0.insert(hint)
        });
        dropped
    }

    /// Another core is served, which has none.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use restive_driver_protocol::Hint;

    use super::{MOST_AT_ONCE, Travelled};

    fn hint(tracked: &str, operand: &str) -> Hint {
        Hint { tracked: tracked.to_owned(), usage: "equals".to_owned(), operand: operand.to_owned() }
    }

    #[test]
    fn the_same_hint_travels_once_in_a_session() {
        let mut travelled = Travelled::default();
        let mut hints = vec![hint("abc", "blue"), hint("abc", "blue"), hint("abc", "red")];
        assert_eq!((travelled.retain_new(&mut hints), hints.len()), (0, 2));
        let mut again = vec![hint("abc", "red"), hint("abcd", "red")];
        travelled.retain_new(&mut again);
        assert_eq!(again, [hint("abcd", "red")]);
        travelled.clear();
        let mut anew = vec![hint("abc", "red")];
        travelled.retain_new(&mut anew);
        assert_eq!(anew.len(), 1);
    }

    #[test]
    fn what_is_too_much_for_one_feedback_is_counted_and_travels_later() {
        let mut travelled = Travelled::default();
        let all: Vec<Hint> = (0..MOST_AT_ONCE + 3).map(|idx| hint("abc", &idx.to_string())).collect();
        let mut hints = all.clone();
        assert_eq!((travelled.retain_new(&mut hints), hints.len()), (3, MOST_AT_ONCE));
        let mut rest = all;
        assert_eq!((travelled.retain_new(&mut rest), rest.len()), (0, 3));
    }
}
