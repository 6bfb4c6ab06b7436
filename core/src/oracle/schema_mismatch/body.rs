//! Media type and body of an answer.

use serde::de::IgnoredAny;

use crate::action::{Answer, Coding};
use crate::api::{ResponseMedia, is_json_media};

use super::validators::{Part, SchemaAt};
use super::{Mismatch, ResponsePlace, Validators};

/// An undocumented media type, a missing or malformed body, or what of a JSON body does not match its schema.
pub(super) fn check(place: &ResponsePlace<'_>, validators: &mut Validators, answer: &Answer) -> Vec<Mismatch> {
    let documented = &place.response.media;
    if documented.is_empty() {
        return Vec::new();
    }
    if answer.body.is_empty() {
        return missing(documented).into_iter().collect();
    }
    let Some(media_type) = answer.header("content-type").filter(|media_type| !essence(media_type).is_empty()) else {
        return vec![Mismatch {
            key: "media type missing".to_owned(),
            message: format!("no media type, wanted {}", names(documented)),
        }];
    };
    let Some(position) = best(documented, media_type) else {
        let shown: String = essence(media_type).chars().take(60).collect();
        let message = format!("media type `{}` is not documented, only {}", shown.escape_debug(), names(documented));
        return vec![Mismatch { key: "media type".to_owned(), message }];
    };
    match &answer.coding {
        Coding::Plain => {}
        Coding::Wrong(coding) => return vec![wrongly_coded(coding)],
        Coding::Kept(coding) => {
            validators.note_unread(coding);
            return Vec::new();
        }
    }
    if !is_json_media(media_type) || answer.truncated {
        return Vec::new();
    }
    match (answer.json(), &documented[position].json_schema) {
        (None, _) => unread(validators, &answer.body).into_iter().collect(),
        (Some(_), None) => Vec::new(),
        (Some(json), Some(fragment)) => {
            let schema = SchemaAt { place: (place.operation_idx, place.response.status, Part::Media(position)), fragment };
            validators.mismatches(place.api, schema, json)
        }
    }
}

/// The mistake that keeps JSON from being read; without one it is nested too deeply, which is counted.
fn unread(validators: &mut Validators, body: &[u8]) -> Option<Mismatch> {
    let mistake = malformed(body);
    if mistake.is_none() {
        validators.note_too_deep();
    }
    mistake
}

fn wrongly_coded(coding: &str) -> Mismatch {
    let message = format!("body is not in the coding `{}` that `Content-Encoding` says", coding.escape_debug());
    Mismatch { key: "content coding".to_owned(), message }
}

fn missing(documented: &[ResponseMedia]) -> Option<Mismatch> {
    let is_json = |media: &ResponseMedia| is_json_media(&media.media_type) && media.json_schema.is_some();
    documented
        .iter()
        .all(is_json)
        .then(|| Mismatch { key: "body missing".to_owned(), message: format!("no body, wanted {}", names(documented)) })
}

/// Where the mistake is; none when there is none, so that the JSON is nested too deeply for our parser.
fn malformed(body: &[u8]) -> Option<Mismatch> {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let error = serde_json::from_slice::<IgnoredAny>(body).err()?;
    let (line, column) = (error.line(), error.column());
    Some(Mismatch {
        key: "body is not JSON".to_owned(),
        message: format!("body is not JSON: mistake at line {line}, column {column}"),
    })
}

/// The documented media type that fits best: an exact one before a range before `*/*`.
fn best(documented: &[ResponseMedia], media_type: &str) -> Option<usize> {
    let found = essence(media_type);
    let rank = |media: &ResponseMedia| {
        let wanted = essence(&media.media_type);
        let range = wanted.strip_suffix("/*");
        match range {
            Some("*") => Some(2),
            Some(kind) => found.split('/').next().is_some_and(|found| found == kind).then_some(1),
            None => (wanted == found).then_some(0),
        }
    };
    let ranked = documented.iter().enumerate().filter_map(|(position, media)| Some((rank(media)?, position)));
    ranked.min().map(|(_, position)| position)
}

/// A media type without parameters, in lower case.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn names(documented: &[ResponseMedia]) -> String {
    documented.iter().map(|media| format!("`{}`", media.media_type)).collect::<Vec<_>>().join(", ")
}
