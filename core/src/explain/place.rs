//! What the name of a place in the code says: class and line.

/// Class and line of a place in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place<'a> {
    /// `line`, `branch`, `switch`, `replace`, `returns`, `throws`.
    pub(super) kind: &'a str,
    /// With its package.
    pub(super) class: &'a str,
    /// None where the class has no line numbers.
    pub(super) line: Option<u32>,
}

impl<'a> Place<'a> {
    /// That of a target's name; none for what is no place.
    pub(super) fn of(name: &'a str) -> Option<Self> {
        let mut parts = name.splitn(4, ':');
        let (kind, class, line) = (parts.next()?, parts.next()?, parts.next()?);
        Some(Self { kind, class, line: line.parse().ok() })
    }

    /// Whether it has conditions that say how near the search came.
    pub(super) fn is_condition(&self) -> bool {
        matches!(self.kind, "branch" | "switch" | "replace")
    }

    /// Whether `name` is the class, with its package or without.
    pub(super) fn is_of(&self, name: &str) -> bool {
        let rest = self.class.strip_suffix(name);
        !name.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::Place;

    #[test]
    fn a_name_tells_class_and_line() {
        let place = Place::of("branch:com.acme.Shop$Till:17:0:then").expect("a place");
        assert_eq!((place.kind, place.class, place.line), ("branch", "com.acme.Shop$Till", Some(17)));
        assert_eq!(Place::of("line:com.acme.Shop:open(I)V").and_then(|it| it.line), None);
        assert!(place.is_of("Shop$Till") && place.is_of("com.acme.Shop$Till") && place.is_of("acme.Shop$Till"));
        assert!(!place.is_of("Till") && !place.is_of("hop$Till") && !place.is_of(""));
    }
}
