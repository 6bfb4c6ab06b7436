//! Identifiers that a service made up, in the bytes of messages.

use std::collections::HashMap;

/// Bytes of a UUID as text.
const LENGTH: usize = 36;

/// A UUID as text, in lower case as it was found.
pub type Id = [u8; LENGTH];

/// All UUIDs in `bytes`, in order.
pub fn find(bytes: &[u8]) -> Vec<Id> {
    positions(bytes).into_iter().map(|at| id_at(bytes, at)).collect()
}

/// What the service of now calls what another one called by the key.
#[derive(Debug, Default)]
pub struct Renaming(HashMap<Id, Id>);

impl Renaming {
    /// Learns from two answers to the same request; those with another number of ids say nothing.
    pub fn learn(&mut self, then: &[Id], now: &[Id]) {
        if then.len() == now.len() {
            self.0.extend(then.iter().copied().zip(now.iter().copied()));
        }
    }

    /// Puts the ids of now in the places of the others; the length stays.
    pub fn apply(&self, bytes: &mut [u8]) {
        for at in positions(bytes) {
            if let Some(now) = self.0.get(&id_at(bytes, at)) {
                bytes[at..at + LENGTH].copy_from_slice(now);
            }
        }
    }
}

fn positions(bytes: &[u8]) -> Vec<usize> {
    let mut positions = Vec::new();
    let mut at = 0;
    while at + LENGTH <= bytes.len() {
        // The first hyphen stands behind eight digits.
        let Some(hyphen) = bytes[at + 8..].iter().position(|byte| *byte == b'-') else { break };
        at += hyphen;
        if bytes.get(at..at + LENGTH).is_some_and(is_id) {
            positions.push(at);
            at += LENGTH;
        } else {
            at += 1;
        }
    }
    positions
}

fn is_id(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    })
}

fn id_at(bytes: &[u8], at: usize) -> Id {
    let mut id = [0; LENGTH];
    id.copy_from_slice(&bytes[at..at + LENGTH]);
    id
}

#[cfg(test)]
mod tests {
    use super::{Renaming, find};

    const ONE: &str = "11111111-2222-3333-4444-555555555555";
    const OTHER: &str = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee";

    #[test]
    fn ids_are_found_among_other_hyphens() {
        let text = format!("a-b-{ONE}-c {{\"id\":\"{OTHER}\"}} 1-2-3");
        assert_eq!(find(text.as_bytes()), [ONE, OTHER].map(|id| <[u8; 36]>::try_from(id.as_bytes()).expect("36 bytes")));
        assert!(find(b"11111111-2222-3333-4444-55555555555").is_empty());
    }

    #[test]
    fn what_was_learnt_is_replaced_and_the_rest_stays() {
        let mut renaming = Renaming::default();
        renaming.learn(&find(ONE.as_bytes()), &find(OTHER.as_bytes()));
        renaming.learn(&find(OTHER.as_bytes()), &[]);
        let mut request = format!("GET /a/{ONE}?b={OTHER}").into_bytes();
        renaming.apply(&mut request);
        assert_eq!(request, format!("GET /a/{OTHER}?b={OTHER}").into_bytes());
    }
}
