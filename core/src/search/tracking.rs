//! The values of a call that a driver is asked to track: real ones, sent as they are (`search.md` 8.1), or marked ones (paper
//! 004, section 5), with what services often make of a text before they use it.

use std::collections::VecDeque;

use serde_json::Value;

use crate::action::{Action, ValuePlace};
use crate::api::Api;
use crate::gene::{Form, Gene, GenePath, GeneSite, Lens, is_marked};

use super::hint::Hint;
use super::impact::GeneKey;
use super::mutator::{gene_key, genes_of};
use super::probe;
use super::uploads;

/// Characters of a value that is tracked: shorter ones are everywhere, longer ones nobody compares.
const LENGTHS: std::ops::RangeInclusive<usize> = 3..=200;
/// Genes of a call whose values are tracked, at most.
const MOST_GENES: usize = 64;
/// Texts of earlier calls that are tracked with a later one, at most: each is held against what the service compares.
const MOST_LEFT: usize = 64;
/// Values that occur everywhere.
const COMMON: [&str; 4] = ["true", "false", "null", "undefined"];

/// Which values are followed to where the service uses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracking {
    /// Real values, sent as they are.
    Undisturbed,
    /// Marked values, those of regular expressions, as in the paper, and those with parts that the service asked for.
    Marked,
    /// Real values, some of which are marked ones.
    Both,
    /// None.
    Off,
}

impl Tracking {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Undisturbed, Self::Marked, Self::Both, Self::Off];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Undisturbed => "undisturbed",
            Self::Marked => "marked",
            Self::Both => "both",
            Self::Off => "off",
        }
    }

    /// Whether some values are marked.
    pub fn marks(self) -> bool {
        matches!(self, Self::Marked | Self::Both)
    }
}

/// A gene whose value is sent with a call.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneInPlay {
    /// Its identity.
    pub key: GeneKey,
    /// The place in the action.
    pub place: ValuePlace,
    /// The way to the gene there.
    pub path: GenePath,
    /// Whether it is marked, or of a regular expression, which the paper tracks, or has parts that the service asked for.
    pub is_conspicuous: bool,
    /// The value as it is printed, and as services often use it: without blanks around it, in lower and in upper case, decoded
    /// and encoded.
    pub texts: Vec<TrackedText>,
}

/// A value as a service may use it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrackedText {
    /// The text.
    pub text: String,
    /// What form of the value it is; none where the service takes any such text in the place of the value.
    pub form: Option<Form>,
}

impl GeneInPlay {
    /// The gene in `action`.
    pub fn found_in<'a>(&self, action: &'a Action) -> Option<&'a Gene> {
        genes_of(action).find(|(place, _)| *place == self.place)?.1.at(&self.path)
    }

    /// Whether the value is used as this text.
    pub fn has(&self, text: &str) -> bool {
        self.texts.iter().any(|it| it.text == text)
    }

    /// Whether its value is printed as that of `other` is.
    pub fn has_same_value(&self, other: &Self) -> bool {
        self.texts.first() == other.texts.first()
    }

    /// What a hint shows of the value, the outermost lens first; none where it is not of this gene, or tells of nothing but
    /// the value.
    pub fn seen_as(&self, hint: &Hint) -> Option<Vec<Lens>> {
        let tracked = hint.tracked.as_str();
        if !hint.is_part {
            let seen = self.texts.iter().find(|it| it.text == tracked)?;
            return Some(seen.form.clone().map(Lens::Form).into_iter().collect());
        }
        self.texts.iter().find_map(|it| {
            let start = it.text.find(tracked)?;
            if is_around(&it.text, start, hint) {
                return None;
            }
            let part = Lens::of_part(&it.text, start, start + tracked.len());
            Some(it.form.clone().map(Lens::Form).into_iter().chain([part]).collect())
        })
    }
}

/// Whether the other operand of a hint is the text around the part at `start` of `text`: a service that looks for `kind`
/// where there is `kinds` compares a constant with the value, and the part is of the value by chance. To take `kinds` for what
/// it wants makes `kindss` of the value, and so on.
fn is_around(text: &str, start: usize, hint: &Hint) -> bool {
    let mut places = hint.operand.match_indices(&hint.tracked).map(|(skipped, _)| start.checked_sub(skipped));
    hint.operand != hint.tracked
        && places.any(|place| place.and_then(|place| text.get(place..)).is_some_and(|rest| rest.starts_with(&hint.operand)))
}

/// The genes of `action` with values that can be told from others.
pub fn genes_in_play(action: &Action) -> Vec<GeneInPlay> {
    let mut found: Vec<GeneInPlay> = Vec::new();
    for (place, gene) in genes_of(action) {
        let Some(json) = gene.to_json() else { continue };
        let mut sites = gene.sites();
        // What may be left out or null stands at the same place as its value; the innermost is the one that has it.
        sites.dedup_by(|next, before| {
            let is_same = next.pointer == before.pointer;
            if is_same {
                std::mem::swap(next, before);
            }
            is_same
        });
        for site in sites {
            let Some(texts) = json.pointer(&site.pointer).and_then(texts_of) else { continue };
            let key = gene_key(action, place, &site);
            let GeneSite { path, .. } = site;
            let is_conspicuous = texts.iter().any(|it| is_marked(&it.text)) || gene.at(&path).is_some_and(Gene::is_of_pattern);
            found.push(GeneInPlay { key, place, path, is_conspicuous, texts });
            if found.len() >= MOST_GENES {
                return found;
            }
        }
    }
    found
}

/// The texts to be tracked for `action`, each once.
pub fn tracked_values(api: &Api, action: &Action, tracking: Tracking) -> Vec<String> {
    let mut values: Vec<String> = followed_genes(action, tracking).flat_map(|gene| gene.texts).map(|it| it.text).collect();
    values.extend(probe::sent_by(action));
    values.extend(uploads::sent_by(api, action));
    values.sort_unstable();
    values.dedup();
    values
}

/// The genes of `action` whose values are followed.
fn followed_genes(action: &Action, tracking: Tracking) -> impl Iterator<Item = GeneInPlay> {
    genes_in_play(action).into_iter().filter(move |gene| match tracking {
        Tracking::Undisturbed | Tracking::Both => true,
        Tracking::Marked => gene.is_conspicuous,
        Tracking::Off => false,
    })
}

/// Texts that calls of a test may have left in the service, which may look at them in later calls only, as they were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftTexts(VecDeque<String>);

impl LeftTexts {
    /// Notes what a call sends that may change the service; what was left first is forgotten when it is too much.
    pub fn note(&mut self, action: &Action, tracking: Tracking) {
        let texts = followed_genes(action, tracking).filter_map(|gene| gene.texts.into_iter().next());
        for TrackedText { text, .. } in texts.filter(|it| it.form.is_none()) {
            if !self.0.contains(&text) {
                self.0.push_front(text);
            }
        }
        self.0.truncate(MOST_LEFT);
    }

    /// Adds them to `values` of a later call, behind those that it has itself.
    pub fn add_to(&self, values: &mut Vec<String>) {
        let others: Vec<String> = self.0.iter().filter(|text| !values.contains(text)).cloned().collect();
        values.extend(others);
    }
}

/// A scalar as it is printed, and what services often make of that; none of one that cannot be told from others.
fn texts_of(value: &Value) -> Option<Vec<TrackedText>> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    if COMMON.contains(&text.trim().to_lowercase().as_str()) {
        return None;
    }
    let trimmed = text.trim().to_owned();
    let plain = [trimmed.to_lowercase(), trimmed.to_uppercase()].map(|text| (None, text));
    let forms = if text.len() <= *LENGTHS.end() { Form::of(&text) } else { Vec::new() };
    let forms = forms.into_iter().map(|(form, text)| (Some(form), text));
    let mut texts = vec![TrackedText { text, form: None }];
    for (form, text) in plain.into_iter().chain(forms) {
        if texts.iter().all(|it| it.text != text) {
            texts.push(TrackedText { text, form });
        }
    }
    texts.retain(|TrackedText { text, .. }| LENGTHS.contains(&text.chars().count()));
    (!texts.is_empty()).then_some(texts)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Form, Hint, is_around, texts_of};
    use crate::search::Usage;

    #[test]
    fn values_are_tracked_as_services_use_them() {
        let plain = |value| -> Option<Vec<String>> {
            Some(texts_of(&value)?.into_iter().filter(|it| it.form.is_none()).map(|it| it.text).collect())
        };
        assert_eq!(plain(json!(" aBc ")), Some([" aBc ", "abc", "ABC"].map(str::to_owned).to_vec()));
        assert_eq!(plain(json!(1234)), Some(vec!["1234".to_owned()]));
        let decoded = texts_of(&json!("aGVsbG8=")).expect("it is tracked");
        assert!(decoded.iter().any(|it| it.text == "hello" && it.form == Some(Form::Base64Decoded)), "{decoded:?}");
    }

    #[test]
    fn what_is_around_a_part_is_nothing_that_is_wanted() {
        let is_around = |text: &str, tracked: &str, operand: &str| {
            let (tracked, operand) = (tracked.to_owned(), operand.to_owned());
            let start = text.find(&tracked).expect("a part");
            is_around(text, start, &Hint { tracked, is_part: true, usage: Usage::Equals, operand })
        };
        // A service that looks for `kind` in a map whose key is of the value.
        assert!(is_around("{akinds\"x}", "kind", "kinds") && is_around("{mankind\"x}", "kind", "mankind"));
        assert!(!is_around("{akinds\"x}", "kinds", "kind"), "a constant may well be a part of what is there");
        assert!(!is_around("kind,kinds", "kind", "kinds"), "one part may have to be as another is");
    }

    #[test]
    fn what_is_everywhere_is_not_tracked() {
        for value in [json!("ab"), json!(12), json!("TRUE"), json!(true), Value::Null, json!([1]), json!("x".repeat(201))] {
            assert_eq!(texts_of(&value), None, "{value}");
        }
    }
}
