//! `META-INF/MANIFEST.MF`: the main section.

use std::collections::BTreeMap;

/// Attributes of the main section.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest(BTreeMap<String, String>);

impl Manifest {
    /// Reads `text` up to the first empty line; a line that begins with a blank continues the one before.
    pub(super) fn parse(text: &str) -> Self {
        let mut attributes: Vec<(String, String)> = Vec::new();
        for line in text.lines().take_while(|line| !line.trim_end_matches('\r').is_empty()) {
            if let (Some(rest), Some((_, value))) = (line.strip_prefix(' '), attributes.last_mut()) {
                value.push_str(rest);
            } else if let Some((name, value)) = line.split_once(':') {
                attributes.push((name.to_ascii_lowercase(), value.strip_prefix(' ').unwrap_or(value).to_owned()));
            }
        }
        Self(attributes.into_iter().map(|(name, value)| (name, value.trim().to_owned())).collect())
    }

    /// The value of an attribute, none when it is not there or empty; case of the name does not count.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(&name.to_ascii_lowercase()).map(String::as_str).filter(|value| !value.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::Manifest;

    #[test]
    fn long_lines_are_joined_and_other_sections_left_out() {
        let manifest =
            Manifest::parse("Manifest-Version: 1.0\r\nMain-Class: com.acme.ve\r\n ry.Main\r\n\r\nName: x\r\nA: b\r\n");
        assert_eq!(manifest.get("main-class"), Some("com.acme.very.Main"));
        assert_eq!((manifest.get("A"), Manifest::parse("Class-Path: \n").get("Class-Path")), (None, None));
    }
}
