//! What became of a request.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::api::is_stream_media;

use super::Request;

/// A request with its outcome.
#[derive(Debug, Clone)]
pub struct ActionResult {
    /// As sent.
    pub request: Request,
    /// What came back.
    pub outcome: Outcome,
    /// From sending to the last byte of the answer.
    pub elapsed: Duration,
}

/// What came back for a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Outcome {
    /// A complete answer.
    Answered(Answer),
    /// No complete answer within the time limit.
    TimedOut,
    /// The service broke the connection off before a complete answer, or answered with something that is not HTTP; the
    /// text says how.
    Disconnected(String),
    /// No answer for a reason that is not the answer's: no connection could be opened, or a limit of ours was reached; the
    /// text says why.
    Failed(String),
    /// It was not sent; the text says why.
    Unsent(String),
}

/// An HTTP answer.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Header fields as received, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Body bytes without content codings as far as they are known, up to the size limit.
    pub body: Vec<u8>,
    /// What of the content codings could not be undone.
    pub coding: Coding,
    /// Whether the rest of the body was not read: it was longer than the size limit, or a stream that went on.
    pub truncated: bool,
    /// The body as JSON, parsed once on arrival; none when it is not JSON.
    #[serde(skip)]
    pub json: Option<Value>,
}

/// What became of the content codings (`Content-Encoding`) of a body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Coding {
    /// There were none, or they are undone.
    #[default]
    Plain,
    /// The body is as it came, because nobody here knows this coding or the body was cut off.
    Kept(String),
    /// The body is as it came, because it is not in the coding that it is said to be in.
    Wrong(String),
}

impl ActionResult {
    /// The answer, when there is one.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.outcome {
            Outcome::Answered(answer) => Some(answer),
            Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) | Outcome::Unsent(_) => None,
        }
    }

    /// Whether it is a stream that went on.
    pub fn is_endless(&self) -> bool {
        self.answer().is_some_and(|answer| answer.truncated && answer.header("content-type").is_some_and(is_stream_media))
    }

    /// Cuts the body to `max_bytes` and forgets its parsed form; [`Self::restore`] brings that back.
    pub fn shorten(&mut self, max_bytes: usize) {
        if let Outcome::Answered(answer) = &mut self.outcome {
            answer.truncated |= answer.body.len() > max_bytes;
            answer.body.truncate(max_bytes);
            answer.body.shrink_to_fit();
            answer.json = None;
        }
    }

    /// Parses the body again, as far as it is complete.
    pub fn restore(&mut self) {
        if let Outcome::Answered(answer) = &mut self.outcome
            && answer.json.is_none()
            && !answer.truncated
            && answer.coding == Coding::Plain
        {
            answer.json = serde_json::from_slice(&answer.body).ok();
        }
    }

    /// The status code, when there is an answer.
    pub fn status(&self) -> Option<u16> {
        self.answer().map(|answer| answer.status)
    }
}

impl Answer {
    /// The first field of that name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The cookies that it sets, by the last field of each name; without those that it takes back (RFC 6265, 5.2).
    pub fn cookies(&self) -> Vec<(&str, &str)> {
        let mut kept: Vec<(&str, &str)> = Vec::new();
        for (_, field) in self.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie")) {
            let mut parts = field.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|pair| pair.split_once('=')) else { continue };
            let is_deletion = parts.any(|attribute| attribute.eq_ignore_ascii_case("max-age=0"));
            kept.retain(|(earlier, _)| *earlier != name);
            if !is_deletion && !name.is_empty() {
                kept.push((name, value));
            }
        }
        kept
    }

    /// Whether it says that its connection ends with it (RFC 9112, 9.6).
    pub fn says_close(&self) -> bool {
        let said = self.headers.iter().filter(|(field, _)| field.eq_ignore_ascii_case("connection"));
        said.flat_map(|(_, value)| value.split(',')).any(|option| option.trim().eq_ignore_ascii_case("close"))
    }

    /// The body as JSON, when it is JSON.
    pub fn json(&self) -> Option<&Value> {
        self.json.as_ref()
    }
}
