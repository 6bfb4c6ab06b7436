//! A call that succeeded in what may change something.

use crate::action::{Action, ActionResult, Answer, LinkPlace, Request, ValuePlace};
use crate::search::mutator::gene_at;

/// Bytes of an answer that is remembered with its call.
const MAX_ANSWER: usize = 4 * 1024;

/// A call that succeeded in what may change something.
#[derive(Debug, Clone)]
pub(super) struct Deed {
    /// The call, with the values that it was sent with and without links.
    pub action: Action,
    /// Whether it was let in by what an earlier call of its test was told.
    pub was_let_in: bool,
    /// Its URL and the text of its body.
    sent: String,
    /// The `Location` of its answer.
    location: Option<String>,
    /// The text of that, as far as it may tell the name of what it made.
    told: String,
}

impl Deed {
    /// `action` with values and without links, which was sent as `request` and got `answer`.
    pub fn new(action: Action, was_let_in: bool, (request, answer): (&Request, &Answer)) -> Self {
        let body = request.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        let told = Some(&answer.body).filter(|body| body.len() <= MAX_ANSWER && answer.json().is_some());
        Self {
            action,
            was_let_in,
            sent: format!("{}\n{body}", request.url),
            location: answer.header("location").map(str::to_owned),
            told: told.map_or_else(String::new, |told| String::from_utf8_lossy(told).into_owned()),
        }
    }

    /// Bytes that it takes, without its genes.
    pub fn n_bytes(&self) -> usize {
        size_of::<Self>() + self.sent.len() + self.told.len()
    }

    /// Whether its request may say `text`: a quick look, for which odd characters may be written otherwise there.
    pub fn may_say(&self, text: &str) -> bool {
        is_odd(text) || self.sent.contains(text)
    }

    /// The same of what it was told.
    pub fn may_tell(&self, text: &str) -> bool {
        is_odd(text) || self.told.contains(text) || self.location.as_ref().is_some_and(|location| location.contains(text))
    }

    /// What may tell a name of what it was answered.
    pub fn answer(&self) -> Answer {
        let location = self.location.iter().map(|location| ("location".to_owned(), location.clone()));
        Answer { headers: location.collect(), json: serde_json::from_str(&self.told).ok(), ..Answer::default() }
    }
}

fn is_odd(text: &str) -> bool {
    !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
}

/// A call with the values that its links found, without links; none where it has no room for one.
pub(super) fn settled(action: &Action, results: &[ActionResult]) -> Option<Action> {
    let mut settled = Action { links: Vec::new(), ..action.clone() };
    for link in &action.links {
        let Some(value) = results.get(link.from_action).and_then(|earlier| link.resolve(earlier)) else { continue };
        let gene = match &link.place {
            LinkPlace::Parameter(place) => settled.parameters.get_mut(*place),
            LinkPlace::Body(pointer) => {
                let body = gene_at(&mut settled, ValuePlace::Body)?;
                let site = body.sites().into_iter().find(|site| site.pointer == *pointer)?;
                body.at_mut(&site.path)
            }
            LinkPlace::Credentials(..) | LinkPlace::Cookie(_) => continue,
        };
        if !gene?.assign(&value) {
            return None;
        }
    }
    Some(settled)
}
