//! The table of OpenAPI 3.0.3 "Style Examples", nested values, and render-parse round trips.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::escape::Escape;
use super::Encoding;
use crate::api::Style;

mod decode;

fn encoding(style: Style, explode: bool) -> Encoding<'static> {
    Encoding { name: "color", style, explode, escape: Escape::Reserved }
}

fn text(style: Style, explode: bool, value: &Value) -> String {
    encoding(style, explode).text(value)
}

fn query(style: Style, explode: bool, value: &Value) -> String {
    joined(&encoding(style, explode).pairs(value))
}

fn joined(pairs: &[(String, String)]) -> String {
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// Empty, string, array and object of the specification's examples.
fn examples() -> [Value; 4] {
    [json!(""), json!("blue"), json!(["blue", "black", "brown"]), json!({"R": 100, "G": 200, "B": 150})]
}

#[test]
fn styles_of_path_and_header_follow_the_table() {
    let table = [
        (Style::Matrix, false, [";color", ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"]),
        (Style::Matrix, true, [";color", ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"]),
        (Style::Label, false, [".", ".blue", ".blue,black,brown", ".R,100,G,200,B,150"]),
        (Style::Label, true, [".", ".blue", ".blue.black.brown", ".R=100.G=200.B=150"]),
        (Style::Simple, false, ["", "blue", "blue,black,brown", "R,100,G,200,B,150"]),
        (Style::Simple, true, ["", "blue", "blue,black,brown", "R=100,G=200,B=150"]),
    ];
    for (style, explode, expected) in table {
        for (value, expected) in examples().iter().zip(expected) {
            assert_eq!(text(style, explode, value), expected, "{style:?} {explode} {value}");
        }
    }
}

#[test]
fn styles_of_the_query_follow_the_table() {
    let exploded = "color=blue&color=black&color=brown";
    let table = [
        (Style::Form, false, ["color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"]),
        (Style::Form, true, ["color=", "color=blue", exploded, "R=100&G=200&B=150"]),
        (
            Style::SpaceDelimited,
            false,
            ["color=", "color=blue", "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"],
        ),
        (
            Style::PipeDelimited,
            false,
            ["color=", "color=blue", "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"],
        ),
        (
            Style::TabDelimited,
            false,
            ["color=", "color=blue", "color=blue%09black%09brown", "color=R%09100%09G%09200%09B%09150"],
        ),
        (Style::PipeDelimited, true, ["color=", "color=blue", exploded, "R=100&G=200&B=150"]),
        (
            Style::DeepObject,
            true,
            [
                "color=",
                "color=blue",
                "color%5B%5D=blue&color%5B%5D=black&color%5B%5D=brown",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
            ],
        ),
    ];
    for (style, explode, expected) in table {
        for (value, expected) in examples().iter().zip(expected) {
            assert_eq!(query(style, explode, value), expected, "{style:?} {explode} {value}");
        }
    }
}

#[test]
fn empty_arrays_and_objects_are_not_sent_in_a_query() {
    for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::TabDelimited, Style::DeepObject] {
        for explode in [false, true] {
            for value in [json!([]), json!({}), Value::Null, json!([null]), json!({"a": null})] {
                assert_eq!(query(style, explode, &value), "", "{style:?} {explode} {value}");
            }
        }
    }
    assert_eq!(text(Style::Matrix, true, &json!([])), ";color");
    assert_eq!(text(Style::Label, true, &json!({})), ".");
}

#[test]
fn deep_objects_nest() {
    let value = json!({"a": {"b": [1, 2], "c": [{"d": true}, {"d": null}]}, "e f": "&", "g": null});
    let expected = "color[a][b][]=1&color[a][b][]=2&color[a][c][0][d]=true&color[e%20f]=%26";
    assert_eq!(query(Style::DeepObject, true, &value), expected.replace('[', "%5B").replace(']', "%5D"));
}

#[test]
fn containers_inside_other_styles_are_json_text() {
    assert_eq!(query(Style::Form, true, &json!([{"a": 1}, [2]])), "color=%7B%22a%22%3A1%7D&color=%5B2%5D");
    assert_eq!(text(Style::Simple, true, &json!({"a": {"b": "c"}})), "a=%7B%22b%22%3A%22c%22%7D");
}

#[test]
fn delimiters_inside_values_are_escaped() {
    assert_eq!(text(Style::Simple, false, &json!(["a,b", "c/d"])), "a%2Cb,c%2Fd");
    assert_eq!(text(Style::Matrix, true, &json!({"a;b": "c=d"})), ";a%3Bb=c%3Dd");
    assert_eq!(query(Style::Form, false, &json!(["a,b", "c&d"])), "color=a%2Cb,c%26d");
    let reserved = Encoding { escape: Escape::KeepReserved, ..encoding(Style::Form, true) };
    assert_eq!(joined(&reserved.pairs(&json!("a/b?c&d"))), "color=a/b?c%26d");
}

#[test]
fn scalars_are_written_as_json_writes_them() {
    assert_eq!(text(Style::Simple, false, &json!(-1.5)), "-1.5");
    assert_eq!(text(Style::Simple, false, &json!(1e300)), "1e%2B300");
    assert_eq!(text(Style::Simple, false, &json!(false)), "false");
    assert_eq!(text(Style::Simple, false, &Value::Null), "null");
    assert_eq!(text(Style::Simple, false, &json!(u64::MAX)), "18446744073709551615");
}

/// Texts; `avoid` are the delimiters that the style cannot tell from content.
fn members(avoid: &'static [char]) -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(any::<String>().prop_map(move |text| text.replace(avoid, "")), 1..5)
}

fn objects(avoid: &'static [char]) -> impl Strategy<Value = Value> {
    let name = any::<String>().prop_map(move |text| format!("n{}", text.replace(avoid, "")));
    let text = any::<String>().prop_map(move |text| text.replace(avoid, ""));
    proptest::collection::vec((name, text), 1..5)
        .prop_map(|fields| fields.into_iter().map(|(name, text)| (name, Value::from(text))).collect())
}

proptest! {
    #[test]
    fn scalars_come_back(value in any::<String>(), explode: bool) {
        let value = Value::from(value);
        for style in [Style::Matrix, Style::Label, Style::Simple] {
            prop_assert_eq!(decode::scalar(style, &text(style, explode, &value)), value.clone());
        }
        for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::TabDelimited, Style::DeepObject] {
            prop_assert_eq!(decode::query_scalar(&query(style, explode, &value)), value.clone());
        }
    }

    #[test]
    fn arrays_come_back(members in members(&['.', '|', ' ', '\t']), explode: bool) {
        let value = json!(members);
        for style in [Style::Matrix, Style::Label, Style::Simple] {
            prop_assert_eq!(decode::array(style, explode, &text(style, explode, &value)), value.clone(), "{:?}", style);
        }
        for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::TabDelimited, Style::DeepObject] {
            prop_assert_eq!(decode::query_array(style, explode, &query(style, explode, &value)), value.clone(), "{:?}", style);
        }
    }

    #[test]
    fn objects_come_back(value in objects(&['.', '|', ' ', '\t', '[', ']']), explode: bool) {
        for style in [Style::Matrix, Style::Label, Style::Simple] {
            prop_assert_eq!(decode::object(style, explode, &text(style, explode, &value)), value.clone(), "{:?}", style);
        }
        for style in [Style::Form, Style::SpaceDelimited, Style::PipeDelimited, Style::TabDelimited, Style::DeepObject] {
            prop_assert_eq!(decode::query_object(style, explode, &query(style, explode, &value)), value.clone(), "{:?}", style);
        }
    }

    #[test]
    fn a_path_text_has_only_legal_characters(value in objects(&[]), explode: bool) {
        for style in [Style::Matrix, Style::Label, Style::Simple] {
            let text = text(style, explode, &value);
            prop_assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%,;=".contains(&byte)), "{}", text);
        }
    }
}
