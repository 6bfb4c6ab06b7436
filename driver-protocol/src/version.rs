//! The version of the protocol, and which versions understand each other.

/// The first bytes of every hello.
pub const MAGIC: [u8; 4] = *b"RSTV";

/// The version this crate speaks.
pub const VERSION: Version = Version { major: 1, minor: 5 };

/// A version of the protocol.
///
/// A change that an older peer cannot read raises `major`; a field added at the end of a message, a new operation or a
/// new text in an open list raises `minor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// Must be equal on both sides.
    pub major: u16,
    /// May differ; the side with the higher one leaves out what the other cannot know.
    pub minor: u16,
}

impl Version {
    /// Whether both sides can work together.
    pub fn understands(self, other: Self) -> bool {
        self.major == other.major
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minor_versions_understand_each_other_and_major_ones_do_not() {
        assert!(VERSION.understands(Version { major: VERSION.major, minor: 7 }));
        assert!(!VERSION.understands(Version { major: VERSION.major + 1, minor: 0 }));
    }
}
