//! The beginning of a class file: its version, the classes it refers to and those of its annotations.

/// Oldest class file version; Java 1.1.
const FIRST_MAJOR: u16 = 44;

/// The least version of Java that loads the class; none when these are not the bytes of one.
pub(super) fn java_version(bytes: &[u8]) -> Option<u16> {
    // JVMS 4.1: magic, minor version, major version.
    let is_class = bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]);
    is_class.then(|| number(bytes, 6)?.checked_sub(FIRST_MAJOR)).flatten()
}

/// Names of the classes that a class refers to, itself included, with slashes; as far as the bytes can be read.
pub(super) fn referenced(bytes: &[u8]) -> Vec<&str> {
    let Constants { texts, classes } = Constants::read(bytes);
    let texts = classes.into_iter().filter_map(|idx| texts.get(usize::from(idx)).copied().flatten());
    texts.filter_map(|text| std::str::from_utf8(text).ok()).filter_map(element).collect()
}

/// Whether any text among the constants of a class is one of these; descriptors of annotations are such texts (JVMS 4.7.16).
pub(super) fn has_text(bytes: &[u8], wanted: &[&str]) -> bool {
    Constants::read(bytes).texts.into_iter().flatten().any(|text| wanted.iter().any(|wanted| wanted.as_bytes() == text))
}

/// Constants of a class file by their index, as far as they can be read.
#[derive(Default)]
struct Constants<'a> {
    texts: Vec<Option<&'a [u8]>>,
    /// Indices of names of classes.
    classes: Vec<u16>,
}

impl<'a> Constants<'a> {
    fn read(bytes: &'a [u8]) -> Self {
        let Some(count) = java_version(bytes).and_then(|_| number(bytes, 8)) else { return Self::default() };
        let mut texts: Vec<Option<&[u8]>> = vec![None; usize::from(count)];
        let mut classes = Vec::new();
        let mut at = 10;
        let mut idx = 1;
        while idx < usize::from(count) {
            let Some(tag) = bytes.get(at) else { break };
            // JVMS 4.4: sizes of the constants after their tag.
            let size = match tag {
                1 => {
                    let Some(length) = number(bytes, at + 1).map(usize::from) else { break };
                    texts[idx] = bytes.get(at + 3..at + 3 + length);
                    2 + length
                }
                7 => {
                    classes.extend(number(bytes, at + 1));
                    2
                }
                8 | 16 | 19 | 20 => 2,
                15 => 3,
                3..=6 | 9..=12 | 17 | 18 => 4 + if matches!(tag, 5 | 6) { 4 } else { 0 },
                _ => break,
            };
            // JVMS 4.4.5: eight-byte constants take two places.
            idx += if matches!(tag, 5 | 6) { 2 } else { 1 };
            at += 1 + size;
        }
        Self { texts, classes }
    }
}

/// The class itself, of an array that of its elements; none for arrays of numbers.
fn element(name: &str) -> Option<&str> {
    let stripped = name.trim_start_matches('[');
    if stripped.len() == name.len() {
        return Some(name);
    }
    stripped.strip_prefix('L')?.strip_suffix(';')
}

fn number(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

#[cfg(test)]
mod tests {
    use super::{has_text, java_version, referenced};
    use crate::jar::tests::class;

    #[test]
    fn classes_are_read_across_constants_of_every_size() {
        let bytes = class("com/acme/Main", &["org/lib/A", "[[Lorg/lib/B;", "[I"], 61);
        assert_eq!(java_version(&bytes), Some(17));
        assert_eq!(referenced(&bytes), ["com/acme/Main", "org/lib/A", "org/lib/B"]);
        assert!(has_text(&bytes, &["org/lib/C", "org/lib/A"]) && !has_text(&bytes, &["org/lib", ""]));
    }

    #[test]
    fn what_is_no_class_or_cut_off_gives_what_there_is() {
        let bytes = class("com/acme/Main", &["org/lib/A"], 61);
        for length in 0..bytes.len() {
            assert!(referenced(&bytes[..length]).len() <= 2);
        }
        assert_eq!((java_version(b"PK"), referenced(b"PK").len()), (None, 0));
    }
}
