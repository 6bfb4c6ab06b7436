//! Telling answers of one operation and status apart by what they say.
//!
//! Two refusals with different messages come from different places in the service, so each kind of answer is a target.
//! Values are left out: only field names, and the words of messages.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::action::Answer;
use crate::api::OperationIdx;

/// Kinds told apart per operation and status; later ones count as no kind.
const MAX_KINDS: usize = 16;
/// Words of a message that count.
const MAX_WORDS: usize = 12;
/// Fields looked at.
const MAX_FIELDS: usize = 60;
/// Names of fields that hold messages.
const MESSAGES: [&str; 9] = ["message", "error", "detail", "details", "title", "reason", "description", "code", "msg"];

/// The kinds of answers seen so far.
#[derive(Debug, Clone, Default)]
pub struct AnswerKinds {
    seen: BTreeMap<(OperationIdx, u16), BTreeSet<u64>>,
}

impl AnswerKinds {
    /// A stable number for the kind of `answer`, none when it is not told apart.
    pub fn kind_of(&mut self, operation_idx: OperationIdx, answer: &Answer) -> Option<String> {
        let signature = signature(answer)?;
        let kinds = self.seen.entry((operation_idx, answer.status)).or_default();
        if !kinds.contains(&signature) && kinds.len() >= MAX_KINDS {
            return None;
        }
        kinds.insert(signature);
        Some(format!("{signature:016x}"))
    }
}

fn signature(answer: &Answer) -> Option<u64> {
    let mut hash = Fnv::default();
    if let Some(json) = answer.json() {
        let mut left = MAX_FIELDS;
        add_json(json, answer.status >= 400, 0, &mut left, &mut hash);
        return Some(hash.0);
    }
    // The text of a page that succeeded is its content, not its kind.
    if answer.status < 400 || answer.body.is_empty() {
        return None;
    }
    let text = String::from_utf8_lossy(&answer.body[..answer.body.len().min(400)]);
    add_words(&text, &mut hash);
    Some(hash.0)
}

fn add_json(value: &Value, refused: bool, depth: usize, left: &mut usize, hash: &mut Fnv) {
    if *left == 0 || depth > 3 {
        return;
    }
    *left -= 1;
    match value {
        Value::Null => hash.add(b"n"),
        Value::Bool(_) => hash.add(b"b"),
        Value::Number(_) => hash.add(b"0"),
        Value::String(_) => hash.add(b"s"),
        Value::Array(members) => {
            hash.add(b"[");
            if let Some(first) = members.first() {
                add_json(first, refused, depth + 1, left, hash);
            }
        }
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            for name in names.into_iter().take(MAX_FIELDS) {
                hash.add(name.as_bytes());
                let value = &fields[name];
                if refused
                    && let Value::String(text) = value
                    && MESSAGES.contains(&name.to_ascii_lowercase().as_str())
                {
                    add_words(text, hash);
                } else {
                    add_json(value, refused, depth + 1, left, hash);
                }
            }
        }
    }
}

/// Adds the first words outside quotation marks; anything with a digit is a value, not a word.
fn add_words(text: &str, hash: &mut Fnv) {
    let outside = text.split(['"', '\'', '`']).step_by(2).collect::<Vec<_>>().join(" ");
    let words = outside
        .split(|c: char| c.is_whitespace() || ",.:;()[]{}<>=/".contains(c))
        .filter(|word| !word.is_empty() && word.chars().all(char::is_alphabetic));
    for word in words.take(MAX_WORDS) {
        hash.add(word.as_bytes());
        hash.add(b" ");
    }
}

/// FNV-1a, 64 bits: stable between runs and platforms.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{AnswerKinds, MAX_KINDS};
    use crate::action::Answer;
    use crate::api::OperationIdx;

    fn refusal(body: serde_json::Value) -> Answer {
        Answer { status: 400, json: Some(body), ..Answer::default() }
    }

    #[test]
    fn messages_tell_answers_apart_and_values_do_not() {
        let mut kinds = AnswerKinds::default();
        let mut kind = |message: &str| kinds.kind_of(OperationIdx(0), &refusal(json!({ "message": message })));
        assert_eq!(kind("name 'x1' is too long"), kind("name 'abc' is too long"));
        assert_eq!(kind("pet 17 not found"), kind("pet 4 not found"));
        assert_ne!(kind("name is too long"), kind("age is negative"));
    }

    #[test]
    fn kinds_per_status_are_bounded() {
        let mut kinds = AnswerKinds::default();
        let named = |n: usize| "x".repeat(n + 1);
        for n in 0..MAX_KINDS {
            assert!(kinds.kind_of(OperationIdx(0), &refusal(json!({ named(n): 1 }))).is_some());
        }
        assert!(kinds.kind_of(OperationIdx(0), &refusal(json!({ named(99): 1 }))).is_none());
        assert!(kinds.kind_of(OperationIdx(0), &refusal(json!({ named(0): 1 }))).is_some());
    }
}
