//! Tracked values and hints as the runtime class takes and tells them: texts as their length and their UTF-16 units.

use restive_driver_protocol::Hint;
use restive_rewrite::{PART, PART_PREFIX, Usage};

/// UTF-16 units of a value that is tracked, at most; the same as in `Tracking.java`.
const LONGEST: usize = 200;
/// Values of one action that are tracked, at most.
const MOST_VALUES: usize = 512;

/// The values that can be tracked, one behind the other.
pub(crate) fn packed(values: &[String]) -> Vec<u16> {
    let mut packed = Vec::new();
    for value in values.iter().take(MOST_VALUES) {
        let units: Vec<u16> = value.encode_utf16().collect();
        if let Some(length) = u16::try_from(units.len()).ok().filter(|length| (1..=LONGEST).contains(&usize::from(*length))) {
            packed.push(length);
            packed.extend(units);
        }
    }
    packed
}

/// Hints, each as its usage, its value and the other operand; what is damaged ends them.
pub(crate) fn unpacked(units: &[u16]) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut rest = units;
    while let Some((hint, behind)) = first(rest) {
        hints.extend(hint);
        rest = behind;
    }
    hints
}

/// The first hint, none where its usage is not known, and what is behind it.
fn first(units: &[u16]) -> Option<(Option<Hint>, &[u16])> {
    let (usage, rest) = units.split_first()?;
    let (tracked, rest) = text(rest)?;
    let (operand, rest) = text(rest)?;
    let prefix = if usage & PART == 0 { "" } else { PART_PREFIX };
    let usage = Usage::of_number(usage & !PART).map(|usage| format!("{prefix}{}", usage.name()));
    let hint = usage.map(|usage| Hint { tracked, usage, operand });
    Some((hint, rest))
}

fn text(units: &[u16]) -> Option<(String, &[u16])> {
    let (length, rest) = units.split_first()?;
    let (text, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((String::from_utf16_lossy(text), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_with_their_lengths_in_units() {
        let values = ["abc", "", "😀", &"x".repeat(LONGEST + 1)].map(str::to_owned);
        let emoji: Vec<u16> = "😀".encode_utf16().collect();
        assert_eq!(packed(&values), [&[3, 97, 98, 99, 2][..], &emoji].concat());
        assert_eq!(packed(&vec!["ab".to_owned(); MOST_VALUES + 1]).len(), 3 * MOST_VALUES);
    }

    #[test]
    fn hints_are_read_as_far_as_they_are_whole() {
        let hint = |usage: &str, operand: &str| Hint {
            tracked: "ab".to_owned(),
            usage: usage.to_owned(),
            operand: operand.to_owned(),
        };
        let told = [0, 2, 97, 98, 1, 99, 8 + PART, 2, 97, 98, 0, 99, 2, 97, 98, 0, 4, 2, 97];
        assert_eq!(unpacked(&told), [hint("equals", "c"), hint("part_integer", "")], "99 is no usage, and the last is cut");
    }
}
