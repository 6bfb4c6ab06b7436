//! Finding the character of a text that a distance depends on, by halves: of the characters in question the first half is
//! changed, and the distance says whether it is among them.
//!
//! What is looked for in a text (`contains`, `indexOf`, a pattern) is compared to the part that is most like it. A text that
//! came close by chance, or by many changes at once, does not tell where that part is, and what is changed elsewhere brings
//! nothing. Of 40 characters one is found in 7
//! evaluations, and a slope leads on from it (see [`super::slope`]), where mutation changes it in one of 40.

use std::ops::Range;

use crate::gene::{Gene, Measure, Part, Shift};

use super::TargetId;
use super::kept::Kept;
use super::mutator::{Mutant, keyed_sites};
use super::slope::{Slope, Spot};

/// Texts of a call that are looked at, at most.
const MOST_TEXTS: usize = 8;
/// By how much characters are moved: farther than those of texts that are nearly met are from what is wanted, so that no two
/// moves make up for each other; most letters stay characters that are printed.
const STEP: f64 = 11.0;

/// The search for a character that the distance to a target depends on.
#[derive(Debug, Clone)]
pub struct Bisection {
    /// Texts that may have it, the one that is looked at last.
    texts: Vec<Spot>,
    /// Characters of that one that are in question; none before it is known whether any is.
    range: Option<Range<usize>>,
    /// Those that were changed last.
    asked: Range<usize>,
    /// Whether the second half is changed, since the change of the first led away from the target.
    is_second: bool,
}

impl Bisection {
    /// The search among the texts of the call of `base` that came closest to `target`; none without any.
    pub fn new(base: &Kept, target: TargetId) -> Option<Self> {
        let action_idx = base.closest_call(target)?;
        let sites = keyed_sites(base.individual.actions.get(action_idx)?).into_iter();
        let spots = sites.map(|(key, place, path)| Spot { action_idx, place, path, key });
        let mut texts: Vec<Spot> = spots.filter(|spot| length(base, spot) > 0).take(MOST_TEXTS).collect();
        texts.reverse();
        (!texts.is_empty()).then_some(Self { texts, range: None, asked: 0..0, is_second: false })
    }

    /// The next individual to try from `kept`, the one that came closest to `target`; none when there is nothing left to try.
    pub fn next(&mut self, kept: &Kept, target: TargetId) -> Option<Mutant> {
        while let Some(spot) = self.texts.last() {
            self.asked = match &self.range {
                None => 0..length(kept, spot),
                Some(range) if self.is_second => range.start + range.len() / 2..range.end,
                Some(range) => range.start..range.start + range.len() / 2,
            };
            let part = Part::Characters { start: self.asked.start, end: self.asked.end };
            let base = kept.up_to_closest(target);
            if let Some(mutant) = [STEP, -STEP].into_iter().find_map(|by| spot.mutant(base.clone(), Shift { by, part }, 0)) {
                return Some(Mutant { moved: None, ..mutant });
            }
            self.look_at_next_text();
        }
        None
    }

    /// Learns how far the individual was from the target without the change that was tried last, and how far with it; answers
    /// where a slope is looked for when the character is found.
    ///
    /// Where that changes nothing, the search goes on from the changed one, so that what is alike in two places is left in one
    /// of them.
    pub fn learn(&mut self, [before, after]: [f64; 2]) -> Option<Slope> {
        let is_changed = after.is_finite() && before.total_cmp(&after).is_ne();
        let range = match self.range.take() {
            // Where the change of all leads away from the target, that of some may not.
            None if is_changed || after.is_infinite() => self.asked.clone(),
            None => {
                self.look_at_next_text();
                return None;
            }
            Some(_) if is_changed => self.asked.clone(),
            Some(range) if self.is_second => range.start..self.asked.start,
            Some(range) if after.is_infinite() => {
                self.range = Some(range);
                self.is_second = true;
                return None;
            }
            Some(range) => self.asked.end..range.end,
        };
        self.is_second = false;
        if range.len() == 1 {
            return self.texts.pop().map(|spot| Slope::around(spot, range.start));
        }
        self.range = Some(range);
        None
    }

    fn look_at_next_text(&mut self) {
        self.texts.pop();
        (self.range, self.is_second) = (None, false);
    }
}

/// Characters of the text at `spot`; 0 where that is none, or a number or date that is written as one.
fn length(kept: &Kept, spot: &Spot) -> usize {
    match spot.gene(&kept.individual).and_then(Gene::measure) {
        Some(Measure::Text(text)) => text.chars().count(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use serde_json::json;

    use super::Bisection;
    use crate::action::Action;
    use crate::api::{Api, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};
    use crate::gene::{Gene, Part, Shift};
    use crate::search::{Budget, Evaluation, Execution, Individual, Kept, SearchSettings, TargetId};

    /// A call with these texts in its query.
    fn call(texts: &[&str]) -> Individual {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let parameters = texts
            .iter()
            .enumerate()
            .map(|(idx, _)| Parameter { required: true, ..Parameter::query(&format!("x{idx}"), schema) });
        api.operations.push(Operation { parameters: parameters.collect(), ..Operation::bare(Verb::Get, "/o") });
        let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
        let mut action = Action::template(&api, OperationIdx(0), &limits);
        for (parameter, text) in action.parameters.iter_mut().zip(texts) {
            assert!(parameter.assign(&json!(text)));
        }
        Individual { actions: vec![action] }
    }

    fn texts(individual: &Individual) -> Vec<String> {
        let values = individual.actions[0].parameters.iter().filter_map(Gene::to_json);
        values.filter_map(|value| value.as_str().map(str::to_owned)).collect()
    }

    /// What is found from texts on, and in how many evaluations, where this is the distance.
    fn found(start: &[&str], distance: impl Fn(&[String]) -> f64) -> (Option<(u16, usize)>, usize) {
        let target = TargetId(0);
        let kept = |individual: Individual| {
            let mut kept =
                Kept::new(Evaluation::new(Execution { individual, calls: Vec::new(), elapsed: Duration::ZERO }, Vec::new()));
            kept.closeness = vec![(target, 0.5)];
            kept.closest_calls = vec![0];
            Arc::new(kept)
        };
        let mut current = kept(call(start));
        let mut bisection = Bisection::new(&current, target).expect("texts");
        let mut evaluations = 0;
        while let Some(mutant) = bisection.next(&current, target) {
            evaluations += 1;
            let distances = [&current.individual, &mutant.individual].map(|it| distance(&texts(it)));
            if let Some(slope) = bisection.learn(distances) {
                let look = slope.clone().follow(&current, target).expect("a look");
                let Some([Shift { part: Part::Character(position), .. }, ..]) = look.moved.as_ref().map(|it| &it.shifts[..])
                else {
                    panic!("the character found is looked at: {look:?}")
                };
                return (Some((slope.spot().key.place, *position)), evaluations);
            }
            if distances[1] <= distances[0] {
                current = kept(mutant.individual);
            }
        }
        (None, evaluations)
    }

    /// How far the part that is most like `wanted` is from it.
    fn to_contain(text: &str, wanted: &str) -> f64 {
        let (text, wanted): (Vec<char>, Vec<char>) = (text.chars().collect(), wanted.chars().collect());
        let apart = |(a, b): (&char, &char)| f64::from(u32::from(*a).abs_diff(u32::from(*b)));
        let distances = text.windows(wanted.len()).map(|part| part.iter().zip(&wanted).map(apart).sum::<f64>());
        distances.fold(f64::INFINITY, f64::min)
    }

    const LONG: &str = "thequickbrwnfxjmpsvlazydg0123456789ABCDE";

    #[test]
    fn the_part_that_is_most_like_what_is_looked_for_is_found() {
        let to_word = |wanted: &'static str| move |texts: &[String]| to_contain(&texts[0], wanted);
        for (wanted, expected) in [("jmpt", 14..18), ("thf", 0..3), ("CDF", 37..40)] {
            let (found, evaluations) = found(&[LONG], to_word(wanted));
            assert!(found.is_some_and(|(_, position)| expected.contains(&position)), "{wanted}: {found:?}");
            assert!(evaluations <= 7, "{wanted}: {evaluations}");
        }
    }

    #[test]
    fn what_is_alike_in_two_places_is_found_in_one() {
        let (found, _) = found(&["gnvaaaaaaaagnvaaaa"], |texts| to_contain(&texts[0], "gnu"));
        assert!(found.is_some_and(|(_, position)| (0..3).contains(&position) || (11..14).contains(&position)), "{found:?}");
    }

    #[test]
    fn another_text_is_looked_at_where_one_does_not_matter() {
        let (last, evaluations) = found(&["abcdefgh", "abcdefgh", LONG], |texts| to_contain(&texts[2], "jmpt"));
        assert!(last.is_some_and(|(_, position)| (14..18).contains(&position)) && evaluations <= 9, "{last:?}, {evaluations}");
        assert_eq!(found(&["abcdefgh", "abcd"], |_| 5.0), (None, 2), "one evaluation for each that does not");
    }

    #[test]
    fn what_must_stay_for_the_place_to_be_come_to_is_left() {
        let reached = |texts: &[String]| {
            if texts[0].starts_with("the") { to_contain(&texts[0], "jmpt") } else { f64::INFINITY }
        };
        let (found, _) = found(&[LONG], reached);
        assert!(found.is_some_and(|(_, position)| (14..18).contains(&position)), "{found:?}");
    }
}
