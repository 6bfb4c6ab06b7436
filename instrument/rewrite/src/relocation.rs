//! Classes of libraries that a jar brings along below a package of its own (shaded), or in another namespace.

/// What the names of packages begin with that no namespace of Java EE stands in front of.
const TOP: [&[u8]; 5] = [b"com/", b"io/", b"net/", b"org/", b"tools/"];

/// What stands in front of the name of a class of a library where it was moved: `javax/` or `jakarta/`, and what a jar that
/// brings its libraries along calls them all below; none where it is another class.
pub(crate) fn package_above<'n>(class: &'n [u8], name: &[u8]) -> Option<&'n [u8]> {
    let before = class.strip_suffix(name)?;
    let below = before.strip_suffix(b"javax/").or_else(|| before.strip_suffix(b"jakarta/")).unwrap_or(before);
    let is_named = below.len() < before.len() || TOP.iter().any(|top| name.starts_with(top));
    (below.is_empty() || is_named && below.ends_with(b"/")).then_some(before)
}
