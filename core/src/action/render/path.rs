//! The path of a request: the operation's template with its placeholders filled in.
//!
//! A value never changes the route. Slashes in it are escaped by the caller's encoding, unless the value may have several
//! segments. A segment that a value leaves empty, `.` or `..` gets an escaped blank appended: URL parsers (WHATWG URL,
//! "double-dot URL path segment") remove such segments even when they are written as `%2E`, so those three values themselves
//! cannot be sent.

use super::escape::literal;

/// The blank that keeps a segment from being removed on the way.
const ROUTE_KEEPER: &str = "%20";

/// `template` with each `{name}` replaced by what `value_of` gives for it, percent-encoded throughout.
///
/// A placeholder without a value stays, braces escaped. A fragment is left out, since it is never sent.
pub(super) fn fill(template: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut path = Path::default();
    let mut rest = template;
    while !rest.is_empty() && !path.ended {
        let open = rest.find('{').unwrap_or(rest.len());
        path.push_literal(&rest[..open]);
        rest = &rest[open..];
        let Some(close) = rest.find('}') else {
            path.push_literal(rest);
            break;
        };
        match value_of(&rest[1..close]) {
            Some(value) => path.push_value(&value),
            None => path.push_literal(&rest[..=close]),
        }
        rest = &rest[close + 1..];
    }
    path.finish()
}

/// The path written so far, with the segment at its end kept apart.
#[derive(Default)]
struct Path {
    written: String,
    segment: String,
    has_value: bool,
    in_query: bool,
    ended: bool,
}

impl Path {
    fn push_literal(&mut self, text: &str) {
        if self.ended {
            return;
        }
        let (text, fragment) = text.split_once('#').map_or((text, false), |(text, _)| (text, true));
        for piece in text.split_inclusive(['/', '?']) {
            let (inner, end) = piece.split_at(piece.trim_end_matches(['/', '?']).len());
            self.segment.push_str(&literal(inner));
            if !end.is_empty() {
                self.end_segment();
                self.in_query |= end == "?";
                self.written.push_str(end);
            }
        }
        self.ended = fragment;
    }

    fn push_value(&mut self, value: &str) {
        if self.ended {
            return;
        }
        for (idx, segment) in value.split('/').enumerate() {
            if idx > 0 {
                self.end_segment();
                self.written.push('/');
            }
            self.segment.push_str(segment);
            // An empty one between or behind others is none that the route lacks.
            self.has_value = !segment.is_empty() || segment.len() == value.len();
        }
    }

    fn end_segment(&mut self) {
        if self.has_value && !self.in_query && matches!(self.segment.as_str(), "" | "." | "..") {
            self.segment.push_str(ROUTE_KEEPER);
        }
        self.written.push_str(&self.segment);
        self.segment.clear();
        self.has_value = false;
    }

    fn finish(mut self) -> String {
        self.end_segment();
        if self.written.starts_with('/') { self.written } else { format!("/{}", self.written) }
    }
}

#[cfg(test)]
mod tests {
    use super::fill;

    fn filled(template: &str, value: &str) -> String {
        fill(template, |name| (name == "id").then(|| value.to_owned()))
    }

    #[test]
    fn placeholders_are_filled_wherever_they_stand() {
        assert_eq!(filled("/pets/{id}", "7"), "/pets/7");
        assert_eq!(filled("/pets/{id}/toys/{id}.json", "7"), "/pets/7/toys/7.json");
        assert_eq!(filled("/v1/{id}:cancel", "7"), "/v1/7:cancel");
        assert_eq!(filled("{id}", "7"), "/7");
    }

    #[test]
    fn values_that_would_change_the_route_get_a_blank() {
        for (value, sent) in [("", "%20"), (".", ".%20"), ("..", "..%20"), ("...", "...")] {
            assert_eq!(filled("/pets/{id}/toys", value), format!("/pets/{sent}/toys"));
            assert_eq!(filled("/pets/{id}", value), format!("/pets/{sent}"));
        }
        assert_eq!(filled("/files/{id}.", "."), "/files/..%20");
        assert_eq!(filled("/files/{id}.txt", ""), "/files/.txt");
    }

    #[test]
    fn values_of_several_segments_keep_them() {
        for (value, sent) in [("v2/check", "v2/check"), ("a/../b", "a/..%20/b"), ("a//b", "a//b"), ("a/", "a/"), ("", "%20")] {
            assert_eq!(filled("/files/{id}", value), format!("/files/{sent}"));
        }
        assert_eq!(filled("/x?q={id}", "a/../b"), "/x?q=a/../b");
    }

    #[test]
    fn no_kept_segment_is_removed_by_a_url_parser() {
        for value in ["", ".", ".."] {
            let url = url::Url::parse(&format!("http://localhost{}", filled("/a/{id}/b", value))).expect("a legal URL");
            assert_eq!(url.path_segments().map(Iterator::count), Some(3), "{url}");
        }
    }

    #[test]
    fn template_text_is_made_legal() {
        assert_eq!(filled("/a b/{unknown}/{id", "7"), "/a%20b/%7Bunknown%7D/%7Bid");
        assert_eq!(filled("/#X-Amz-Target={id}", "7"), "/");
        assert_eq!(filled("/{id}#acl", "7"), "/7");
        assert_eq!(filled("/search?q={id}&x=/", ""), "/search?q=&x=/");
    }
}
