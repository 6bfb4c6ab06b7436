//! Bytes to text, and JSON or YAML text to a value of bounded depth.

mod noted;

use std::io::Read;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use noted::Noted;
pub(super) use noted::Repeated;

/// Nesting beyond which a document is refused; JSON has the same limit built in. All recursion over documents relies on
/// it.
const DEEPEST: usize = 128;
/// Parts that a YAML document may have once its aliases are replaced by what they stand for.
const MOST_PARTS: usize = 20_000_000;
/// Stack of the thread that parses YAML.
const STACK_BYTES: usize = 32 << 20;

/// The text that `bytes` are: UTF-8, or UTF-16 with the mark that Windows tools put in front; both also inside gzip, of
/// which no more than `limit_bytes` are unfolded. Whatever is not legal is replaced.
pub(super) fn of_bytes(bytes: &[u8], limit_bytes: u64) -> String {
    let mut unfolded = Vec::new();
    let is_unfolded =
        bytes.starts_with(&[0x1f, 0x8b]) && MultiGzDecoder::new(bytes).take(limit_bytes).read_to_end(&mut unfolded).is_ok();
    let bytes: &[u8] = if is_unfolded { &unfolded } else { bytes };
    match bytes {
        [0xff, 0xfe, rest @ ..] => of_utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => of_utf16(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn of_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    char::decode_utf16(units).map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The value that `text` writes down, with the keys that stand twice in one object; JSON is tried first unless it cannot
/// be.
pub(super) fn to_value(text: &str) -> Result<(Value, Vec<Repeated>), String> {
    noted(text).map(|Noted { value, repeated }| (value, repeated))
}

fn noted(text: &str) -> Result<Noted, String> {
    let text = text.trim_start_matches('\u{feff}');
    let is_like_json = text.trim_start().starts_with(['{', '[']);
    let json_error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) => error.to_string(),
    };
    // A broken JSON document is a YAML flow collection, of which nothing good comes when it is large or deep.
    if is_like_json && (text.len() > 1 << 20 || json_error.contains("recursion limit")) {
        return Err(json_error);
    }
    from_yaml(text).map_err(|yaml_error| if is_like_json { json_error } else { yaml_error })
}

/// Parses on a thread of its own: not optimised, the parser needs some 20 KiB of stack for each level of nesting.
fn from_yaml(text: &str) -> Result<Noted, String> {
    std::thread::scope(|scope| {
        let parser = std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
            let documents = serde_saphyr::from_multiple_with_options::<Noted>(text, yaml_options());
            // Of several documents in one stream, only the first can be meant.
            let first = |documents: Vec<Noted>| {
                documents.into_iter().find(|one| !one.value.is_null()).unwrap_or_else(|| Value::Null.into())
            };
            documents.map(first).map_err(|error| error.to_string())
        });
        let parsed = parser.map_err(|error| error.to_string())?.join();
        parsed.unwrap_or_else(|_| Err("the YAML parser broke off".to_owned()))
    })
}

fn yaml_options() -> serde_saphyr::Options {
    let budget = serde_saphyr::budget! {
        max_depth: DEEPEST,
        flow_nesting_limit: DEEPEST,
        max_events: MOST_PARTS,
        max_nodes: MOST_PARTS,
        max_total_scalar_bytes: 512 << 20,
        max_aliases: 1_000_000,
        max_anchors: 1_000_000,
        enforce_alias_anchor_ratio: false,
        simple_key_max_lookahead: 1 << 16,
    };
    serde_saphyr::options! {
        budget: budget,
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        // As YAML 1.2 has it: a parameter may well be called `y`, an enum value `no`.
        strict_booleans: true,
        with_snippet: false,
        reject_unsupported_tags: false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Repeated, of_bytes};
    use serde_json::{Value, json};
    use std::fmt::Write as _;
    use std::io::Write as _;

    fn to_value(text: &str) -> Result<Value, String> {
        super::to_value(text).map(|(value, _)| value)
    }

    #[test]
    fn keys_that_stand_twice_are_told_and_paths_merged() {
        let json = r#"{"paths": {"/a": {"get": 1, "x": [{"k": 1, "k": 2}]}, "/a": {"get": 2, "put": 3}}, "paths~": 1}"#;
        let yaml = "paths:\n  /a: {get: 1, x: [{k: 1, k: 2}]}\n  /a:\n    get: 2\n    put: 3\npaths~: 1\n";
        let told = |pointer: &str, is_merged| Repeated { pointer: pointer.to_owned(), is_merged };
        let expected = [told("/paths/~1a/x/0/k", false), told("/paths/~1a", true), told("/paths/~1a/get", false)];
        for text in [json, yaml] {
            let (value, repeated) = super::to_value(text).unwrap();
            assert_eq!(value, json!({ "paths": { "/a": { "get": 2, "x": [{ "k": 2 }], "put": 3 } }, "paths~": 1 }));
            assert_eq!(repeated, expected, "{text}");
        }
        let merge = "a: &a {x: 1}\nc: {<<: *a, x: 2}\n";
        assert_eq!(super::to_value(merge), Ok((json!({ "a": { "x": 1 }, "c": { "x": 2 } }), Vec::new())));
    }

    #[test]
    fn json_and_yaml_give_the_same_value() {
        let value = json!({ "openapi": "3.0.0", "paths": { "/a": { "get": { "responses": { "200": { "x": [1, 2.5, true, null] } } } } } });
        assert_eq!(to_value(&value.to_string()), Ok(value.clone()));
        let yaml =
            "openapi: '3.0.0'\npaths:\n  /a:\n    get:\n      responses:\n        200:\n          x: [1, 2.5, true, ~]\n";
        assert_eq!(to_value(yaml), Ok(value));
    }

    #[test]
    fn yaml_aliases_merge_keys_and_repeated_keys_are_read() {
        let yaml = "a: &a {x: 1}\nb: *a\nc:\n  <<: *a\n  y: 2\nd: 1\nd: 2\n";
        assert_eq!(to_value(yaml), Ok(json!({ "a": { "x": 1 }, "b": { "x": 1 }, "c": { "x": 1, "y": 2 }, "d": 2 })));
    }

    #[test]
    fn of_a_stream_of_documents_the_first_is_read() {
        for text in ["a: 1\n---\n", "---\na: 1\n---\nb: 2\n", "%YAML 1.2\n---\na: 1\n...\n", "---\n---\na: 1\n"] {
            assert_eq!(to_value(text), Ok(json!({ "a": 1 })), "{text:?}");
        }
    }

    #[test]
    fn bytes_of_every_usual_encoding_are_read() {
        let text = "{\"a\": \"\u{e9}\u{1f600}\"}";
        let units = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(text.as_bytes()).unwrap();
        let gzip = encoder.finish().unwrap();
        for bytes in [text.as_bytes().to_vec(), units(u16::to_le_bytes), units(u16::to_be_bytes), gzip.clone()] {
            assert_eq!(to_value(&of_bytes(&bytes, 1 << 20)), to_value(text), "{bytes:?}");
        }
        assert_eq!(of_bytes(&gzip, 3).len(), 3, "a bomb is cut at the limit");
        assert!(to_value(&of_bytes(&gzip[..20], 1 << 20)).is_err());
    }

    #[test]
    fn text_of_yaml_that_looks_like_something_else_stays_text() {
        let yaml = "a: 2020-01-01\nb: 1.0.0\nc: yes\nd: 0x10\ne: 08\n";
        let value = to_value(yaml).unwrap();
        assert_eq!(value["a"], json!("2020-01-01"));
        assert_eq!(value["b"], json!("1.0.0"));
        assert_eq!(value["c"], json!("yes"));
    }

    #[test]
    fn endless_nesting_is_refused() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{a: ", "}"), ("- ", ""), ("? ", "")] {
            let text = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            assert!(to_value(&text).is_err(), "{open}");
        }
        let indented = (0..2_000).fold(String::new(), |text, depth| text + &" ".repeat(depth) + "a:\n");
        assert!(to_value(&indented).is_err());
    }

    #[test]
    fn nesting_through_aliases_is_refused() {
        let mut text = "a0: &a0 [1]\n".to_owned();
        for depth in 1..2_000 {
            writeln!(text, "a{depth}: &a{depth} [*a{}]", depth - 1).unwrap();
        }
        assert!(to_value(&text).is_err());
    }

    #[test]
    fn a_bomb_of_aliases_is_refused() {
        let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
        for depth in 1..12 {
            let aliases = vec![format!("*a{}", depth - 1); 9].join(", ");
            writeln!(text, "a{depth}: &a{depth} [{aliases}]").unwrap();
        }
        assert!(to_value(&text).is_err());
    }
}
