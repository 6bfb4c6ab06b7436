//! `suite.har`: the calls of the kept tests as an HTTP Archive 1.2, for tools that show or repeat recorded calls.
//!
//! A test is a page of the archive. The format wants a time for each call: calls are told as if they had been made one after
//! the other until the file was written. Credentials do not stand in it.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::run::Run;
use super::secret::{Mask, is_secret_name};
use crate::action::{ActionResult, Answer, Outcome, Request};

/// Bytes of a body, at most.
const MOST_OF_BODY: usize = 100_000;
/// What stands in place of a secret.
const MASKED: &str = "***";

/// The file's text; `now` is the time at which the last call ends.
pub(super) fn har(run: &Run, now: SystemTime) -> String {
    let archive = Archive { run, mask: Mask::new(run.secrets) };
    let all = run.solution.tests.iter().flat_map(|test| &test.results);
    let mut at = now.checked_sub(all.map(|result| result.elapsed).sum()).unwrap_or(now);
    let (mut pages, mut entries) = (Vec::new(), Vec::new());
    for (idx, test) in run.solution.tests.iter().enumerate() {
        let id = format!("test_{idx}");
        let title = run.suite.tests.get(idx).map_or(id.as_str(), |test| test.name.as_str());
        pages.push(json!({ "startedDateTime": date(at), "id": id, "title": title, "pageTimings": {} }));
        for result in &test.results {
            entries.push(archive.entry(&id, result, at));
            at += result.elapsed;
        }
    }
    let log = json!({ "log": {
        "version": "1.2",
        "creator": { "name": "restive", "version": env!("CARGO_PKG_VERSION") },
        "pages": pages,
        "entries": entries,
    } });
    format!("{log:#}\n")
}

/// A time with thousandths of a second; the beginning of time where it has no such form.
fn date(at: SystemTime) -> String {
    let whole = OffsetDateTime::from(at);
    let whole = whole.replace_millisecond(whole.millisecond()).unwrap_or(whole);
    whole.format(&Rfc3339).unwrap_or_else(|_| "1970-01-01T00:00:00Z".to_owned())
}

struct Archive<'a> {
    run: &'a Run<'a>,
    mask: Mask,
}

impl Archive<'_> {
    fn entry(&self, page: &str, result: &ActionResult, at: SystemTime) -> Value {
        let milliseconds = milliseconds(result.elapsed);
        let mut entry = json!({
            "pageref": page,
            "startedDateTime": date(at),
            "time": milliseconds,
            "request": self.request(&result.request),
            "response": self.response(result),
            "cache": {},
            "timings": { "send": 0, "wait": milliseconds, "receive": 0 },
        });
        if let Some(user) = result.request.user {
            let name = self.run.user_names.get(usize::from(user.0)).map_or("a user", String::as_str);
            entry["comment"] = format!("sent with the credentials of {name}, which are left out").into();
        }
        entry
    }

    fn request(&self, request: &Request) -> Value {
        let url = self.masked(&format!("{}{}", self.run.base_url, request.url));
        let is_own = |name: &str| request.headers.iter().any(|(own, _)| own.eq_ignore_ascii_case(name));
        let common = self.run.headers.iter().filter(|(name, _)| !is_own(name));
        let query = url.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        let query: Vec<Value> = url::form_urlencoded::parse(query.as_bytes())
            .map(|(name, value)| json!({ "name": self.masked(&name), "value": self.masked(&value) }))
            .collect();
        let mut shown = json!({
            "method": request.verb.name(),
            "url": url,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": self.headers(common.chain(&request.headers)),
            "queryString": query,
            "headersSize": -1,
            "bodySize": request.body.as_ref().map_or(0, Vec::len),
        });
        if let Some(body) = &request.body {
            let (text, comment) = self.text(body);
            let mut data = json!({ "mimeType": media_type(&request.headers), "text": text });
            // The format has no word for it in requests, as it has in responses.
            let comment =
                comment.or_else(|| STANDARD.decode(&text).is_ok_and(|bytes| bytes == *body).then(|| "in Base64".to_owned()));
            if let Some(comment) = comment {
                data["comment"] = comment.into();
            }
            shown["postData"] = data;
        }
        shown
    }

    fn response(&self, result: &ActionResult) -> Value {
        let nothing = Answer::default();
        let (answer, comment) = match &result.outcome {
            Outcome::Answered(answer) => (answer, None),
            Outcome::TimedOut => (&nothing, Some("no answer within the time limit".to_owned())),
            Outcome::Failed(reason) => (&nothing, Some(reason.clone())),
            Outcome::Disconnected(reason) => (&nothing, Some(format!("the connection broke: {reason}"))),
            Outcome::Unsent(reason) => (&nothing, Some(format!("not sent: {reason}"))),
        };
        let location = answer.headers.iter().find(|(name, _)| name == "location").map_or("", |(_, value)| value.as_str());
        let mut shown = json!({
            "status": answer.status,
            "statusText": reqwest::StatusCode::from_u16(answer.status).ok().and_then(|it| it.canonical_reason()).unwrap_or(""),
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": self.headers(&answer.headers),
            "content": self.content(answer),
            "redirectURL": self.masked(location),
            "headersSize": -1,
            "bodySize": if answer.truncated { -1 } else { i64::try_from(answer.body.len()).unwrap_or(-1) },
        });
        if let Some(comment) = comment {
            shown["comment"] = self.masked(&comment).into();
        }
        shown
    }

    fn content(&self, answer: &Answer) -> Value {
        let (text, comment) = self.text(&answer.body);
        let mut content = json!({ "size": answer.body.len(), "mimeType": media_type(&answer.headers), "text": text });
        if comment.is_none() && std::str::from_utf8(&answer.body).is_err() {
            content["encoding"] = "base64".into();
        }
        let cut = answer.truncated.then(|| "the rest was not read: it is longer than the size limit, or a stream".to_owned());
        if let Some(comment) = comment.or(cut) {
            content["comment"] = comment.into();
        }
        content
    }

    /// A body as text, in Base64 where it is none; with a comment where it is not all of it.
    fn text(&self, body: &[u8]) -> (String, Option<String>) {
        let lossy = String::from_utf8_lossy(body);
        let masked = self.masked(&lossy);
        if body.len() > MOST_OF_BODY {
            let cut: String = masked.chars().take(MOST_OF_BODY).collect();
            return (cut, Some(format!("the beginning of {} bytes", body.len())));
        }
        match std::str::from_utf8(body) {
            Ok(_) => (masked, None),
            Err(_) if masked == lossy => (STANDARD.encode(body), None),
            // What hides a secret cannot show the bytes around it.
            Err(_) => (masked, Some("no UTF-8, with a secret in it: what is no text is replaced".to_owned())),
        }
    }

    fn headers<'h>(&self, fields: impl IntoIterator<Item = &'h (String, String)>) -> Vec<Value> {
        let value = |(name, value): &(String, String)| {
            let value = if is_secret_name(name) { MASKED.to_owned() } else { self.masked(value) };
            json!({ "name": name, "value": value })
        };
        fields.into_iter().map(value).collect()
    }

    fn masked(&self, text: &str) -> String {
        self.mask.apply(text).into_owned()
    }
}

fn media_type(headers: &[(String, String)]) -> &str {
    headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type")).map_or("", |(_, value)| value.as_str())
}

/// Thousandths of a second, to a thousandth of these.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests;
