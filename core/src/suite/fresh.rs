//! Texts that a test draws anew each time it is executed, for the service takes them once: where they stand in its requests.

use crate::api::MediaKind;
use crate::search::FreshText;

use super::linked::media_kind;
use super::model::{Escape, FreshValue, Piece, TestBody, TestCall};
use super::naming::{MAX_VARIABLE, Names, bounded, snake};

/// Has `calls` send other texts than `texts` each time: each is drawn before the first call that sends it.
pub(super) fn draw_anew(calls: &mut [TestCall], texts: &[FreshText], names: &mut Names) {
    for FreshText { name, text } in texts {
        if !calls.iter().any(|call| TestCall::sends(call, text)) {
            continue;
        }
        let name = names.unique(&variable(name));
        for call in calls.iter_mut() {
            cut_call(call, text, &name);
        }
        if let Some(first) = calls.iter_mut().find(|call| call.uses(&name)) {
            first.fresh.push(FreshValue { name, seen: text.as_str().into() });
        }
    }
}

/// `new_` and the name of the input, as far as there is room.
fn variable(name: &str) -> String {
    let snake = snake(name);
    let name = if snake.is_empty() { "value" } else { bounded(&snake, MAX_VARIABLE - "new_".len()) };
    format!("new_{name}")
}

impl TestCall {
    /// Whether a fixed part of the request has `text`.
    fn sends(&self, text: &str) -> bool {
        self.pieces().any(|piece| matches!(piece, Piece::Text(fixed) if fixed.contains(text) || fixed.contains(&in_url(text))))
    }
}

fn in_url(text: &str) -> String {
    Escape::Url.apply(text)
}

/// Puts the variable `name` wherever `call` sends `text`.
fn cut_call(call: &mut TestCall, text: &str, name: &str) {
    let kind = media_kind(call.headers.iter().map(|(name, value)| (name.as_str(), value.as_slice())));
    cut(&mut call.url, text, name, &[Escape::Url, Escape::Plain]);
    for (field, value) in &mut call.headers {
        let escapes = if field.eq_ignore_ascii_case("cookie") { [Escape::Url, Escape::Plain] } else { [Escape::Plain; 2] };
        cut(value, text, name, &escapes);
    }
    let Some(TestBody::Text(body)) = &mut call.body else { return };
    match kind {
        MediaKind::Json => cut(body, text, name, &[Escape::JsonString]),
        MediaKind::Form => cut(body, text, name, &[Escape::Url, Escape::Plain]),
        MediaKind::Xml => cut(body, text, name, &[Escape::Xml]),
        MediaKind::Multipart | MediaKind::Text | MediaKind::Binary => cut(body, text, name, &[Escape::Plain]),
    }
}

/// Cuts the fixed parts of `pieces` where they have `text`, written in the first of `escapes` that is found.
fn cut(pieces: &mut Vec<Piece>, text: &str, name: &str, escapes: &[Escape]) {
    let cut_piece = |piece: Piece| {
        let Piece::Text(fixed) = &piece else { return vec![piece] };
        let found = escapes.iter().map(|escape| (*escape, escape.apply(text))).find(|(_, written)| fixed.contains(written));
        let Some((escape, written)) = found else { return vec![piece] };
        let mut parts = Vec::new();
        for (idx, part) in fixed.split(&written).enumerate() {
            if idx > 0 {
                parts.push(Piece::Captured { name: name.to_owned(), escape });
            }
            if !part.is_empty() {
                parts.push(Piece::Text(part.to_owned()));
            }
        }
        parts
    };
    *pieces = std::mem::take(pieces).into_iter().flat_map(cut_piece).collect();
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::Verb;
    use crate::suite::sample::{call, captured, text, with_body};

    #[test]
    fn variables_have_short_names_of_several_words() {
        assert_eq!([variable("userName"), variable("")], ["new_user_name", "new_value"]);
        let long = variable(&"long ".repeat(50));
        assert!(long.len() <= MAX_VARIABLE && long.starts_with("new_long_"), "{long}");
        assert!(variable(&"l".repeat(250)).contains('_'), "it is no keyword");
    }

    #[test]
    fn a_text_is_drawn_once_and_sent_wherever_it_stood() {
        let account = |path: &str| {
            let body = vec![text(r#"{"username":"kqzvtw","mail":"kqzvtw@b.c"}"#)];
            with_body(call(Verb::Post, vec![text(path)], 201), "application/json", TestBody::Text(body))
        };
        let form = vec![text("mail=kqzvtw%40b.c&x="), captured("user_id", Escape::Url)];
        let form = with_body(
            call(Verb::Post, vec![text("/users/kqzvtw/"), captured("user_id", Escape::Url)], 200),
            "application/x-www-form-urlencoded",
            TestBody::Text(form),
        );
        let mut calls = [call(Verb::Get, vec![text("/users")], 200), account("/users"), account("/login"), form];
        let fresh = |name: &str, text: &str| FreshText { name: name.to_owned(), text: text.to_owned() };
        let texts = [fresh("mail", "kqzvtw@b.c"), fresh("userName", "kqzvtw"), fresh("", "elsewhere")];
        draw_anew(&mut calls, &texts, &mut Names::default());
        let drawn = |call: &TestCall| call.fresh.iter().map(|it| (it.name.clone(), it.seen.clone())).collect::<Vec<_>>();
        let expected = [("new_mail", "kqzvtw@b.c"), ("new_user_name", "kqzvtw")];
        assert_eq!(drawn(&calls[1]), expected.map(|(name, text)| (name.to_owned(), json!(text))));
        assert!([0, 2, 3].iter().all(|idx| calls[*idx].fresh.is_empty()));
        let json = |name: &str| captured(name, Escape::JsonString);
        let body =
            vec![text(r#"{"username":""#), json("new_user_name"), text(r#"","mail":""#), json("new_mail"), text(r#""}"#)];
        assert_eq!(calls[2].body, Some(TestBody::Text(body)));
        let url = |name: &str| captured(name, Escape::Url);
        assert_eq!(calls[3].url, [text("/users/"), url("new_user_name"), text("/"), url("user_id")]);
        assert_eq!(calls[3].body, Some(TestBody::Text(vec![text("mail="), url("new_mail"), text("&x="), url("user_id")])));
    }
}
