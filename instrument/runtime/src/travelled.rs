//! Hints and schemas that the core has: each travels once.

use std::collections::{BTreeMap, BTreeSet};

use restive_driver_protocol::{Expansion, Hint};

/// Hints, and schemas, that are remembered; when there are more, all travel anew.
const MOST: usize = 1 << 15;
/// Hints in one feedback, at most; the first ones.
const MOST_AT_ONCE: usize = 256;

/// The schema of an input of which nothing is known where something was known of one of its name.
const ANY: &str = "{}";

/// Hints and schemas that were sent in this session.
#[derive(Debug, Default)]
pub(crate) struct Travelled {
    hints: BTreeSet<(String, String, String)>,
    /// Of places and names of inputs the schema that is known over there.
    schemas: BTreeMap<(String, String), String>,
}

impl Travelled {
    /// Leaves those of `hints` that the core does not have, which it is about to get; gives how many of these are too many.
    pub fn retain_new(&mut self, hints: &mut Vec<Hint>) -> u32 {
        let mut room = MOST_AT_ONCE;
        let mut dropped = 0;
        hints.retain(|Hint { tracked, usage, operand }| {
            let hint = (tracked.clone(), usage.clone(), operand.clone());
            if self.hints.contains(&hint) {
                return false;
            }
            if room == 0 {
                dropped += 1;
                return false;
            }
            if self.hints.len() >= MOST {
                self.hints.clear();
            }
            room -= 1;
            self.hints.insert(hint)
        });
        dropped
    }

    /// Leaves the schemas out that the core has.
    pub fn leave_schemas_out(&mut self, expansions: &mut [Expansion]) {
        for Expansion { place, name, schema } in expansions {
            let key = (place.clone(), name.clone());
            let known = self.schemas.get(&key);
            if known.is_none() && schema.is_empty() {
                continue;
            }
            if schema.is_empty() {
                // An empty one stands for what is known.
                schema.push_str(ANY);
            }
            if known == Some(&*schema) {
                schema.clear();
                continue;
            }
            if self.schemas.len() >= MOST {
                self.schemas.clear();
            }
            self.schemas.insert(key, schema.clone());
        }
    }

    /// Another core is served, which has none.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use restive_driver_protocol::{Expansion, Hint};

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
    fn a_schema_travels_with_the_first_input_of_its_name() {
        let told = |schema: &str| Expansion { place: "body".to_owned(), name: "a.B".to_owned(), schema: schema.to_owned() };
        let mut travelled = Travelled::default();
        let schemas = |travelled: &mut Travelled| {
            let mut expansions = [told("{}"), told("{}")];
            travelled.leave_schemas_out(&mut expansions);
            expansions.map(|expansion| expansion.schema)
        };
        assert_eq!(schemas(&mut travelled), ["{}", ""]);
        assert_eq!(schemas(&mut travelled), ["", ""]);
        travelled.clear();
        assert_eq!(schemas(&mut travelled), ["{}", ""]);
    }

    #[test]
    fn another_schema_of_a_name_travels_and_so_does_that_there_is_none() {
        let mut travelled = Travelled::default();
        let mut sent = |schema: &str| {
            let told = Expansion { place: "query".to_owned(), name: "id".to_owned(), schema: schema.to_owned() };
            let mut expansions = [told];
            travelled.leave_schemas_out(&mut expansions);
            expansions[0].schema.clone()
        };
        let integer = r#"{"type":"integer"}"#;
        assert_eq!(["", "", integer, integer, "", "", integer].map(&mut sent), ["", "", integer, "", "{}", "", integer]);
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
