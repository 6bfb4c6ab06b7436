//! Reads an answer: head, body up to its limit, content codings undone, JSON parsed once.
//!
//! A stream need not end: it is read while it comes, and not for long.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};

use hyper::body::{Body as _, Incoming};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde_json::Value;

use crate::action::{Answer, Coding};
use crate::api::{is_json_media, is_stream_media};

use super::Failure;
use super::coding::{Decoded, decode};

/// Room made for a body before its first byte, at most: a claimed length costs nothing to lie about.
const MAX_TRUSTED_LENGTH: usize = 64 * 1024;

/// How long a stream is read.
const STREAM_LIMIT: Duration = Duration::from_secs(1);
/// How long the next piece of a stream is waited for, above which it is taken for one that goes on.
const STREAM_PAUSE: Duration = Duration::from_millis(200);

/// Sends `request` and reads the answer, its body up to `max_body_bytes`.
///
/// A longer body, and the rest of a stream, is cut off and its connection closed. Whoever runs this looks at it once more now and
/// then while nothing comes.
pub(crate) async fn receive(
    http: &reqwest::Client,
    request: reqwest::Request,
    max_body_bytes: usize,
) -> Result<Answer, Failure> {
    let mut response = http.execute(request).await.map_err(|error| Failure::before_answer(&error))?;
    let mut content = Content::new(response.content_length(), max_body_bytes, response.headers());
    while content.is_wanted() {
        let mut chunk = pin!(response.chunk());
        let next = poll_fn(|context| match chunk.as_mut().poll(context) {
            Poll::Pending if content.is_cut_off() => Poll::Ready(Ok(None)),
            next => next,
        });
        match next.await {
            Ok(Some(chunk)) => content.add(&chunk),
            Ok(None) => break,
            Err(error) => return Err(Failure::within_body(&error, content.body.len())),
        }
    }
    Ok(content.into_answer(response.status().as_u16(), response.headers()))
}

/// The same for an answer to what is `sending` over a connection of our own.
pub(crate) async fn receive_directly(
    sending: impl Future<Output = hyper::Result<hyper::Response<Incoming>>>,
    max_body_bytes: usize,
) -> Result<Answer, Failure> {
    let (head, mut incoming) = sending.await.map_err(|error| Failure::exchanging(&error))?.into_parts();
    let mut content = Content::new(incoming.size_hint().exact(), max_body_bytes, &head.headers);
    while content.is_wanted() {
        let next = poll_fn(|context| match Pin::new(&mut incoming).poll_frame(context) {
            Poll::Pending if content.is_cut_off() => Poll::Ready(None),
            next => next,
        });
        match next.await {
            // What is no data is a trailer, which nobody reads.
            Some(Ok(frame)) => frame.data_ref().into_iter().for_each(|chunk| content.add(chunk)),
            Some(Err(error)) => return Err(Failure::exchanging_body(&error, content.body.len())),
            None => break,
        }
    }
    Ok(content.into_answer(head.status.as_u16(), &head.headers))
}

/// The body of an answer, as far as it was read.
struct Content {
    body: Vec<u8>,
    max_bytes: usize,
    truncated: bool,
    /// Of a stream.
    stream: Option<Stream>,
}

/// When a stream began, and when its last piece came.
struct Stream {
    start: Instant,
    last: Instant,
}

impl Content {
    /// One of an answer with these `headers` that is said to become `claimed` bytes long.
    fn new(claimed: Option<u64>, max_bytes: usize, headers: &HeaderMap) -> Self {
        let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_stream = claimed.is_none() && media_type.is_some_and(is_stream_media);
        let stream = is_stream.then(Instant::now).map(|start| Stream { start, last: start });
        let claimed = claimed.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let body = Vec::with_capacity(claimed.min(max_bytes).min(MAX_TRUSTED_LENGTH));
        // Who wants nothing of the body must not wait for it either.
        Self { body, max_bytes, truncated: max_bytes == 0, stream }
    }

    /// Whether what has come of a stream is all that is read of it; that is so from then on.
    fn is_cut_off(&mut self) -> bool {
        let is_long = |stream: &Stream| stream.start.elapsed() >= STREAM_LIMIT || stream.last.elapsed() >= STREAM_PAUSE;
        self.truncated |= self.stream.as_ref().is_some_and(is_long);
        self.truncated
    }

    /// Whether the rest is to be read.
    fn is_wanted(&self) -> bool {
        !self.truncated
    }

    fn add(&mut self, chunk: &[u8]) {
        let room = self.max_bytes - self.body.len();
        self.truncated = chunk.len() > room;
        self.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if let Some(stream) = &mut self.stream {
            stream.last = Instant::now();
            self.truncated |= stream.start.elapsed() >= STREAM_LIMIT;
        }
    }

    fn into_answer(self, status: u16, headers: &HeaderMap) -> Answer {
        let Decoded { body, truncated, coding } = decode(&codings(headers), self.body, self.truncated, self.max_bytes);
        let is_readable = !truncated && coding == Coding::Plain;
        let json = if is_readable { parse_json(headers.get(CONTENT_TYPE), &body) } else { None };
        Answer { status, headers: fields(headers), body, coding, truncated, json }
    }
}

/// All values of `Content-Encoding` in one text.
fn codings(headers: &HeaderMap) -> String {
    let values = headers.get_all(CONTENT_ENCODING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    values.collect::<Vec<_>>().join(",")
}

fn fields(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))).collect()
}

/// The body as JSON when its media type says so or its first character does; nesting is limited by the parser.
fn parse_json(content_type: Option<&HeaderValue>, body: &[u8]) -> Option<Value> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let first = body.iter().find(|byte| !byte.is_ascii_whitespace())?;
    let looks_like_json = matches!(first, b'{' | b'[');
    let is_json = content_type.is_some_and(|value| value.to_str().is_ok_and(is_json_media));
    if looks_like_json || is_json { serde_json::from_slice(body).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;
    use serde_json::json;

    use super::parse_json;

    #[test]
    fn json_is_recognised_by_media_type_or_by_its_look() {
        let json_type = HeaderValue::from_static("application/problem+json; charset=utf-8");
        let text_type = HeaderValue::from_static("text/plain");
        assert_eq!(parse_json(Some(&json_type), b"12"), Some(json!(12)));
        assert_eq!(parse_json(Some(&text_type), b"12"), None);
        assert_eq!(parse_json(Some(&text_type), b" {\"a\":1}"), Some(json!({"a": 1})));
        assert_eq!(parse_json(None, b"\xEF\xBB\xBF[1]"), Some(json!([1])));
        assert_eq!(parse_json(Some(&json_type), b"{\"a\":"), None);
        assert_eq!(parse_json(Some(&json_type), b"\xFF\xFE{"), None);
    }

    #[test]
    fn deep_nesting_is_no_json_instead_of_an_overflow() {
        let deep = [b"[".repeat(1_000_000), b"]".repeat(1_000_000)].concat();
        assert_eq!(parse_json(None, &deep), None);
    }
}
