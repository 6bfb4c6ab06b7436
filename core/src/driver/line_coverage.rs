//! Which lines of a class were reached: what a coverage view of its source shows.

use std::collections::{BTreeMap, BTreeSet};

/// Lines of one class by what became of them; each stands in one of the two first sets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineCoverage {
    /// Lines that were executed, however.
    pub reached: BTreeSet<u32>,
    /// Lines that were not.
    pub missed: BTreeSet<u32>,
    /// Executed lines of which one side of a branch, or one case of a switch, was never taken.
    pub partly: BTreeSet<u32>,
}

/// The lines of all classes, from the names of places and whether each was reached. Places without a line number are left out.
pub(super) fn line_coverage<'a>(places: impl IntoIterator<Item = (&'a str, bool)>) -> BTreeMap<String, LineCoverage> {
    let mut classes: BTreeMap<String, LineCoverage> = BTreeMap::new();
    for (name, is_reached) in places {
        let Some((kind, class, line)) = place(name) else { continue };
        let lines = classes.entry(class.to_owned()).or_default();
        match (kind, is_reached) {
            ("line", true) => lines.reached.insert(line),
            ("line", false) => lines.missed.insert(line),
            ("branch" | "switch", false) => lines.partly.insert(line),
            _ => false,
        };
    }
    for lines in classes.values_mut() {
        let LineCoverage { reached, missed, partly } = lines;
        missed.retain(|line| !reached.contains(line));
        partly.retain(|line| reached.contains(line));
    }
    classes
}

/// Kind, class and line of `line:com.acme.Shop:17` or `branch:com.acme.Shop:17:0:then`.
fn place(name: &str) -> Option<(&str, &str, u32)> {
    let mut parts = name.splitn(4, ':');
    let (kind, class, line) = (parts.next()?, parts.next()?, parts.next()?);
    Some((kind, class, line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::line_coverage;

    #[test]
    fn a_line_is_reached_partly_reached_or_missed() {
        let places = [
            ("line:a.B:1", true),
            ("line:a.B:2", true),
            ("line:a.B:3", false),
            ("branch:a.B:1:0:then", true),
            ("branch:a.B:1:0:else", true),
            ("branch:a.B:2:0:then", true),
            ("switch:a.B:2:0:7", false),
            // A condition of a line that was never come to makes it no more missed than it is.
            ("branch:a.B:3:0:then", false),
            ("line:a.B:open()V", true),
            ("returns:a.B:4:0:c", false),
            ("odd", true),
        ];
        let classes = line_coverage(places);
        assert_eq!(classes.len(), 1);
        let lines = &classes["a.B"];
        let numbers = |lines: &std::collections::BTreeSet<u32>| lines.iter().copied().collect::<Vec<_>>();
        assert_eq!((numbers(&lines.reached), numbers(&lines.missed), numbers(&lines.partly)), (vec![1, 2], vec![3], vec![2]));
    }
}
