//! Marked values: texts that no service knows, told from each other by their numbers (paper 004, section 5).

/// What a marked value begins with, and ends with.
const EDGES: (&str, &str) = ("restive_", "_input");
/// The same where there is little room.
const SHORT_EDGES: (&str, &str) = ("zq", "qz");

/// The same of a document in JSON, for services that read such texts by themselves look at its parts.
const DOCUMENT_EDGES: (&str, &str) = ("{\"restive_name\":\"restive_", "_input\"}");
/// How many marked values there are to one that is a document.
const EACH_DOCUMENT: u64 = 8;

/// The marked values of a number, the one to be taken first before others; of at least `min` characters where digits can do
/// that.
pub(super) fn forms(number: u64, min: usize) -> impl Iterator<Item = String> {
    let documents = number.is_multiple_of(EACH_DOCUMENT).then_some(DOCUMENT_EDGES);
    documents.into_iter().chain([EDGES, SHORT_EDGES]).map(move |(start, end)| {
        // A number as wide as a page helps nobody.
        let width = min.min(64).saturating_sub(start.len() + end.len());
        format!("{start}{number:0width$}{end}")
    })
}

/// Whether a text is a marked value.
pub fn is_marked(text: &str) -> bool {
    [EDGES, SHORT_EDGES, DOCUMENT_EDGES].into_iter().any(|(start, end)| {
        let number = text.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::{forms, is_marked};

    #[test]
    fn marked_values_are_known_and_unique() {
        let all = |number, min| forms(number, min).collect::<Vec<_>>();
        assert_eq!(all(7, 0), ["restive_7_input", "zq7qz"]);
        assert_eq!(all(7, 20)[0], "restive_000007_input");
        assert_eq!(all(16, 0)[0], r#"{"restive_name":"restive_16_input"}"#);
        for text in forms(12, 0).chain(forms(16, 0)).chain(forms(12, 30)) {
            assert!(is_marked(&text), "{text}");
        }
        for text in ["restive__input", "restive_7a_input", "xrestive_7_input", "zqqz", "", "RESTIVE_7_INPUT"] {
            assert!(!is_marked(text), "{text}");
        }
    }
}
