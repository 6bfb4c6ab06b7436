//! Membership: `Collection.contains`, `Map.containsKey`, `Enum.valueOf`.
//!
//! `d` is the least distance of the value to any element of its type; [`UNKNOWN`] when there is none (paper, section 4,
//! *Collection.contains*). Differences from the source: at most 64 elements are looked at, evenly spread; of what can only
//! be iterated, over the first 1,024.

use crate::value::{self, Value};
use crate::{UNKNOWN, UNSURE, narrow, text};

/// How many elements are looked at.
const LOOK: usize = 64;

/// How far an iterator is followed.
const FOLLOW: usize = 1024;

/// How many constants of an enum are looked at.
const CONSTANTS: usize = 256;

/// How elements can be come by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Each at once, as in a list.
    Indexed,
    /// One after the other, as in a set.
    Iterated,
}

/// `collection.contains(value)`; with the keys `map.containsKey(value)`. Null is never looked for.
pub fn contained(elements: &[Value], value: &Value, access: Access) -> f32 {
    if matches!(value, Value::Null | Value::Other) {
        return UNKNOWN;
    }
    let elements = if access == Access::Indexed { elements } else { &elements[..elements.len().min(FOLLOW)] };
    spread(elements, LOOK).map(|element| value::equal(value, element)).fold(UNKNOWN, f32::min)
}

/// `collection.containsAll(values)`: the sum over the values of `d / (1 + d)`, in `[0, 64]`.
///
/// The first 64 values count.
pub fn contained_all(elements: &[Value], values: &[Value], access: Access) -> f32 {
    let share = |value: &Value| {
        let distance = f64::from(contained(elements, value, access));
        distance / (1.0 + distance)
    };
    let sum: f64 = values.iter().take(LOOK).map(share).sum();
    if sum == 0.0 && values.len() > LOOK { UNSURE } else { narrow(sum) }
}

/// `Enum.valueOf(type, name)`, `Currency.getInstance(code)`: the distance to the nearest of the constants.
///
/// Of more than 256 that many are looked at, evenly spread.
pub fn best_constant(name: &[u16], constants: &[Vec<u16>]) -> f32 {
    spread(constants, CONSTANTS).map(|constant| text::equal(name, constant)).fold(UNKNOWN, f32::min)
}

/// At most `most` of the elements.
fn spread<T>(elements: &[T], most: usize) -> impl Iterator<Item = &T> {
    let looks = elements.len().min(most);
    (0..looks).map(move |look| &elements[look * elements.len() / looks])
}
