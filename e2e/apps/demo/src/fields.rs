//! Reads bodies, path ids and query parameters, and checks them against their rules.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::request::Parts;
use serde_json::{Map, Value};

use crate::answer::Problem;
use crate::date::Date;

/// Bodies are read up to that many bytes.
const MAX_BODY_BYTES: usize = 65_536;

/// A request body, whatever its media type; nothing when it was too long or broke off.
pub(crate) struct Body(Option<Vec<u8>>);

impl<S: Send + Sync> FromRequest<S> for Body {
    type Rejection = Infallible;

    async fn from_request(request: Request, _: &S) -> Result<Self, Infallible> {
        let bytes = to_bytes(request.into_body(), MAX_BODY_BYTES).await;
        Ok(Self(bytes.ok().map(|bytes| bytes.to_vec())))
    }
}

impl Body {
    /// The JSON object it holds; 400 for anything else.
    pub(crate) fn object(&self) -> Result<Map<String, Value>, Problem> {
        let Some(bytes) = &self.0 else {
            return Err(Problem::Unreadable(format!("the body could not be read or is longer than {MAX_BODY_BYTES} bytes")));
        };
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(Problem::Unreadable("the body must be a JSON object".to_owned())),
            Err(_) => Err(Problem::Unreadable("the body is not JSON".to_owned())),
        }
    }
}

/// The fields of a JSON object.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    place: String,
}

impl<'a> Fields<'a> {
    /// The fields of a body.
    pub(crate) fn of(object: &'a Map<String, Value>) -> Self {
        Self { object, place: String::new() }
    }

    /// The fields of an object that lies at `place` inside the body.
    pub(crate) fn inside(value: &'a Value, place: &str) -> Result<Self, Problem> {
        let object = value.as_object().ok_or_else(|| Problem::invalid(place, "must be an object"))?;
        Ok(Self { object, place: format!("{place}.") })
    }

    /// The value of a field, if it is there.
    pub(crate) fn value(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name)
    }

    fn required<T>(&self, name: &str, value: Option<T>) -> Result<T, Problem> {
        value.ok_or_else(|| self.broken(name, "is required"))
    }

    /// The refusal of a field.
    pub(crate) fn broken(&self, name: &str, rule: impl Into<String>) -> Problem {
        Problem::invalid(&format!("{}{name}", self.place), rule)
    }

    /// A text whose length in characters lies in `length`.
    pub(crate) fn text(&self, name: &str, length: RangeInclusive<usize>) -> Result<String, Problem> {
        let text = self.optional_text(name, length)?;
        self.required(name, text)
    }

    /// Like [`Self::text`], but may be absent.
    pub(crate) fn optional_text(&self, name: &str, length: RangeInclusive<usize>) -> Result<Option<String>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.as_str().ok_or_else(|| self.broken(name, "must be a string"))?;
        if !length.contains(&text.chars().count()) {
            return Err(self.broken(name, format!("must have {} to {} characters", length.start(), length.end())));
        }
        Ok(Some(text.to_owned()))
    }

    /// A text that passes a check; `rule` says what it demands.
    pub(crate) fn checked_text(&self, name: &str, rule: &str, check: fn(&str) -> bool) -> Result<Option<String>, Problem> {
        match self.optional_text(name, 1..=60)? {
            Some(text) if !check(&text) => Err(self.broken(name, rule)),
            other => Ok(other),
        }
    }

    /// An integer in `range`.
    pub(crate) fn integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<u64, Problem> {
        let integer = self.optional_integer(name, range)?;
        self.required(name, integer)
    }

    /// Like [`Self::integer`], but may be absent.
    pub(crate) fn optional_integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        match value.as_u64() {
            Some(integer) if range.contains(&integer) => Ok(Some(integer)),
            _ => Err(self.broken(name, format!("must be an integer from {} to {}", range.start(), range.end()))),
        }
    }

    /// A date as `YYYY-MM-DD`.
    pub(crate) fn date(&self, name: &str) -> Result<Date, Problem> {
        let date = self.optional_date(name)?;
        self.required(name, date)
    }

    /// Like [`Self::date`], but may be absent.
    pub(crate) fn optional_date(&self, name: &str) -> Result<Option<Date>, Problem> {
        let Some(text) = self.optional_text(name, 0..=60)? else { return Ok(None) };
        Date::parse(&text).map(Some).ok_or_else(|| self.broken(name, "must be a date like 2026-05-31"))
    }

    /// One of the named choices.
    pub(crate) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<T, Problem> {
        let choice = self.optional_choice(name, choices)?;
        self.required(name, choice)
    }

    /// Like [`Self::choice`], but may be absent.
    pub(crate) fn optional_choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>, Problem> {
        let Some(value) = self.value(name) else { return Ok(None) };
        let text = value.as_str().unwrap_or_default();
        choice(text, choices).map(Some).ok_or_else(|| self.broken(name, format!("must be one of {}", listing(choices))))
    }
}

/// The id in a path with one placeholder; 400 unless it is a positive integer.
pub(crate) struct PathId(pub(crate) Result<u64, Problem>);

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.ok();
        let text = parameters.as_ref().and_then(|parameters| parameters.iter().next()).map(|(_, text)| text);
        let id = text.and_then(|text| text.parse().ok()).filter(|id| *id > 0);
        Ok(Self(id.ok_or_else(|| Problem::Unreadable("the id in the path must be a positive integer".to_owned()))))
    }
}

/// The query parameters in order.
pub(crate) struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        Ok(Self(pairs.map(|Query(pairs)| pairs).unwrap_or_default()))
    }
}

impl Parameters {
    /// The first value of that name.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// An integer in `range`; 400 for anything else.
    pub(crate) fn integer(&self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let integer = text.parse().ok().filter(|integer| range.contains(integer));
        let rule = format!("`{name}` must be an integer from {} to {}", range.start(), range.end());
        integer.map(Some).ok_or(Problem::Unreadable(rule))
    }

    /// How many members a list may have: `limit`, 1 to 100, else 20.
    pub(crate) fn limit(&self) -> Result<usize, Problem> {
        let limit = self.integer("limit", 1..=100)?.unwrap_or(20);
        Ok(usize::try_from(limit).expect("at most 100"))
    }

    /// One of the named choices; 400 for anything else.
    pub(crate) fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Result<Option<T>, Problem> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let rule = format!("`{name}` must be one of {}", listing(choices));
        choice(text, choices).map(Some).ok_or(Problem::Unreadable(rule))
    }

    /// A date as `YYYY-MM-DD` that must be there; 400 for anything else.
    pub(crate) fn date(&self, name: &str) -> Result<Date, Problem> {
        let rule = format!("`{name}` must be a date like 2026-05-31");
        self.text(name).and_then(Date::parse).ok_or(Problem::Unreadable(rule))
    }
}

fn choice<T: Copy>(text: &str, choices: &[(&str, T)]) -> Option<T> {
    choices.iter().find(|(name, _)| *name == text).map(|(_, value)| *value)
}

fn listing<T>(choices: &[(&str, T)]) -> String {
    choices.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}
