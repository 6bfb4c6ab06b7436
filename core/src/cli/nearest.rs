//! The known name that a mistyped one most likely stands for.

/// The candidate with the fewest edits from `wanted`, none when even the best differs in more than a third.
///
/// An edit adds, drops, replaces or swaps neighbouring characters; case does not count. Of equals the first wins.
pub fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let characters: Vec<char> = candidate.to_lowercase().chars().collect();
        let distance = edits(&wanted, &characters);
        let limit = wanted.len().max(characters.len()).div_ceil(3);
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Optimal string alignment distance (Damerau 1964, each part changed at most once).
fn edits(from: &[char], to: &[char]) -> usize {
    let mut before_previous = vec![0; to.len() + 1];
    let mut previous: Vec<usize> = (0..=to.len()).collect();
    for (row, character) in from.iter().enumerate() {
        let mut current = vec![row + 1; to.len() + 1];
        for column in 0..to.len() {
            let replaced = previous[column] + usize::from(*character != to[column]);
            let mut least = replaced.min(previous[column + 1] + 1).min(current[column] + 1);
            let swapped = row > 0 && column > 0 && *character == to[column - 1] && from[row - 1] == to[column];
            if swapped {
                least = least.min(before_previous[column - 1] + 1);
            }
            current[column + 1] = least;
        }
        before_previous = std::mem::replace(&mut previous, current);
    }
    previous[to.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_typo_finds_its_word() {
        let words = ["budget", "rng-seed", "max-test-size"];
        assert_eq!(nearest("budgt", words), Some("budget"));
        assert_eq!(nearest("bugdet", words), Some("budget"));
        assert_eq!(nearest("RNG_SEED", words), Some("rng-seed"));
    }

    #[test]
    fn something_else_finds_nothing() {
        assert_eq!(nearest("colour", ["budget", "rng-seed"]), None);
        assert_eq!(nearest("", ["budget"]), None);
    }
}
