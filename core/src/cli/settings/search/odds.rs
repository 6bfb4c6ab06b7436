//! `[search.odds]`: only names that there are, and only numbers that can be odds.

use std::collections::BTreeMap;

use crate::search::SearchOdds;

use super::super::super::CliError;
use super::super::super::layers::Layers;
use super::super::super::nearest::nearest;

const PREFIX: &str = "search.odds.";

/// The odds of the file where it has some, else the usual ones.
pub(super) fn pick(layers: &mut Layers, file: &BTreeMap<String, f64>) -> Result<SearchOdds, CliError> {
    let mut odds = SearchOdds::default();
    let names: Vec<&str> = odds.entries().into_iter().map(|(key, ..)| &key[PREFIX.len()..]).collect();
    if let Some(unknown) = file.keys().find(|name| !names.contains(&name.as_str())) {
        let error = CliError::usage(format!("found `{unknown}` in [search.odds], wanted one of its names"));
        return Err(match nearest(unknown, names) {
            Some(name) => error.hint(format!("did you mean `{name}`?")),
            None => error.hint("`--show-config` lists them as `odds.…`"),
        });
    }
    for (key, kind, value) in odds.entries() {
        *value = layers.pick_or(key, None, file.get(&key[PREFIX.len()..]).copied(), *value);
        let range = kind.range();
        if !range.contains(value) {
            let (name, least, most) = (&key[PREFIX.len()..], range.start(), range.end());
            let message = format!("found {value} for `{name}` in [search.odds], wanted a number from {least} to {most}");
            return Err(CliError::usage(message));
        }
    }
    check_sum("pick", &[odds.pick_goal, odds.pick_shape])?;
    check_sum("guided-pick", &[odds.guided_pick_code, odds.guided_pick_goal, odds.guided_pick_shape])?;
    Ok(odds)
}

/// The probabilities of alternatives leave nothing below 0 to the last one.
fn check_sum(kind: &str, shares: &[f64]) -> Result<(), CliError> {
    let sum: f64 = shares.iter().sum();
    if sum <= 1.0 + 1e-9 {
        return Ok(());
    }
    Err(CliError::usage(format!("found {sum} as the sum of `{kind}-…` in [search.odds], wanted 1 at most")))
}
