//! What a media type says about the text it stands for.

/// Whether a media type is JSON: `application/json`, `text/json` or `+json`; parameters do not matter.
pub fn is_json_media(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    let (kind, subtype) = essence.split_once('/').unwrap_or_default();
    let known = kind.eq_ignore_ascii_case("application") || kind.eq_ignore_ascii_case("text");
    let suffix = subtype.len().checked_sub("+json".len()).and_then(|start| subtype.get(start..));
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("+json"))
        || (known && (subtype.eq_ignore_ascii_case("json") || subtype.eq_ignore_ascii_case("x-json")))
}

#[cfg(test)]
mod tests {
    use super::is_json_media;

    #[test]
    fn json_media_types_are_told_from_others() {
        for media_type in
            ["application/json", "Application/JSON;charset=utf-8", "text/json", "application/hal+json", "a/b+JSON"]
        {
            assert!(is_json_media(media_type), "{media_type}");
        }
        for media_type in ["", "json", "text/plain", "application/jsonp", "application/x-ndjson", "+json", "a/é+jso"] {
            assert!(!is_json_media(media_type), "{media_type}");
        }
    }
}
