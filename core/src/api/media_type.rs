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

/// Media types whose bodies may go on for ever.
const STREAMS: [&str; 6] = [
    // Server-sent events (HTML, 9.2).
    "text/event-stream",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/stream+json",
    "multipart/x-mixed-replace",
];

/// Whether this is the name of a media type of streams, which need not end.
pub fn is_stream_media(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    STREAMS.iter().any(|stream| essence.eq_ignore_ascii_case(stream))
}

#[cfg(test)]
mod tests {
    use super::{is_json_media, is_stream_media};

    #[test]
    fn streams_are_told_by_their_media_types() {
        assert!(is_stream_media("Text/Event-Stream; charset=utf-8") && is_stream_media("application/x-ndjson"));
        assert!(!is_stream_media("text/event") && !is_stream_media("application/json") && !is_stream_media(""));
    }

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
