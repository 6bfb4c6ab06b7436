//! `restive fuzz --resume`: the settings that a run began with, with what may be said otherwise now.

use std::fs;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use toml::{Table, Value};

use crate::journal::RunFile;
use crate::report::{Setting, StoredError};
use crate::search::Budget;

use super::args::FuzzArgs;
use super::config::FILE_NAME;
use super::layers::Origin;
use super::{BudgetText, CliError, Config, Exit, MASK, Settings};

/// What may be another one when a run is resumed: it decides nothing about where the search goes.
const FREE: [&str; 5] = ["output.", "sut.", "http.max-rate", "driver.driver", "driver.driver-token"];

/// What may be more.
const BUDGET: &str = "search.budget";

/// The settings of the run in the output folder `out`, with what `args` say otherwise.
pub fn resumed(mut args: FuzzArgs, out: &Path, matches: &ArgMatches) -> Result<Settings, CliError> {
    let run = RunFile::read(out).map_err(|error| unreadable(out, &error))?;
    let config = config_of(&run, args.config.as_deref())?;
    args.output.out = Some(out.to_owned());
    let mut settings = Settings::resolve(args, &config, matches)?;
    let mut earlier_budget = None;
    for (key, value, origin) in &run.origins {
        let Some(setting) = settings.origins.iter_mut().find(|setting| setting.key == *key) else { continue };
        if setting.value == *value {
            setting.origin = Origin::named(origin).map_or(setting.origin, Origin::name);
        } else if key == BUDGET {
            check_more(value, settings.search.budget)?;
            earlier_budget = Some(value.clone());
        } else if !FREE.iter().any(|free| key.starts_with(free)) {
            return Err(refusal(out, setting, value));
        }
    }
    settings.resumed = Some(match earlier_budget {
        Some(budget) => run.with_more(budget, &settings.as_toml, &settings.origins),
        None => run,
    });
    Ok(settings)
}

/// A run that has used up its budget can be given more of the same, and none can be given less.
fn check_more(before: &str, budget: Budget) -> Result<(), CliError> {
    let is_more = match (before.parse().map(|BudgetText(before)| before), budget) {
        (Ok(Budget::Calls(before)), Budget::Calls(now)) => now > before,
        (Ok(Budget::Time(before)), Budget::Time(now)) => now > before,
        _ => false,
    };
    if is_more {
        return Ok(());
    }
    let now = BudgetText(budget);
    Err(CliError::usage(format!("a run that was begun with a budget of {before} cannot go on with one of {now}"))
        .hint(format!("leave it out, or name all that may be spent from the beginning on: more than {before}")))
}

fn unreadable(out: &Path, error: &StoredError) -> CliError {
    match error {
        StoredError::NoResults { .. } | StoredError::Missing { .. } => {
            CliError::environment(format!("`{}` holds no run that can be resumed: it has no journal", out.display()))
                .hint("name the folder that `restive fuzz --out DIR` wrote; without `--resume` a run begins anew")
        }
        StoredError::OtherVersion { written_by, .. } => {
            CliError::environment(format!("the run in `{}` was begun by restive {written_by}", out.display()))
                .hint("resume it with that version: another one would not go the same way")
        }
        _ => CliError::from_error(Exit::Environment, error).hint(error.hint()),
    }
}

fn refusal(out: &Path, setting: &Setting, before: &str) -> CliError {
    let key = &setting.key;
    if before.contains(MASK) {
        return CliError::usage(format!("the run in `{}` had `{key}`, which is not kept because it is secret", out.display()))
            .hint("give it again, by its flag, its variable or `restive.toml`");
    }
    CliError::usage(format!("`{key}` is {}, and {before} in the run in `{}`", setting.value, out.display())).hint(
        "leave it out: a run goes on with the settings that it began with, but for those of its output and of its service",
    )
}

/// The settings of `run` as if they stood in a file; what it keeps secret is taken from the file that is named, or there.
fn config_of(run: &RunFile, named: Option<&Path>) -> Result<Config, CliError> {
    // Its own errors are told where a run begins.
    Config::load(named)?;
    let path = named.unwrap_or(Path::new(FILE_NAME));
    let current: Table = fs::read_to_string(path).ok().and_then(|text| text.parse().ok()).unwrap_or_default();
    let mut kept: Table = run.settings.parse().unwrap_or_default();
    unmask(&mut kept, &current);
    let mut config = Config::parse(&kept.to_string(), Path::new("the journal"))?;
    let is_elsewhere = std::env::current_dir().is_ok_and(|here| here != Path::new(&run.folder));
    if is_elsewhere {
        config.folder = PathBuf::from(&run.folder);
    }
    Ok(config)
}

/// Replaces what is masked by what `current` has in its place, or takes it out.
fn unmask(kept: &mut Table, current: &Table) {
    let names: Vec<String> = kept.keys().cloned().collect();
    for name in names {
        match (kept.get_mut(&name), current.get(&name)) {
            (Some(Value::Table(inner)), other) => {
                let nothing = Table::new();
                unmask(inner, other.and_then(Value::as_table).unwrap_or(&nothing));
            }
            (Some(value), other) if is_masked(value) => match other {
                Some(other) => *value = other.clone(),
                None => drop(kept.remove(&name)),
            },
            _ => {}
        }
    }
}

fn is_masked(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(MASK))
}

#[cfg(test)]
mod tests {
    use toml::Table;

    use super::unmask;

    #[test]
    fn secrets_come_from_the_file_of_today_or_not_at_all() {
        let mut kept: Table =
            "[auth]\nbearer = '***'\nbasic = '***'\n[sut]\nenv = { A = '***', B = 'b' }".parse().expect("TOML");
        let current: Table = "[auth]\nbearer = 't'\n[sut]\nenv = { A = 'a', B = 'c' }".parse().expect("TOML");
        unmask(&mut kept, &current);
        let wanted: Table = "[auth]\nbearer = 't'\n[sut]\nenv = { A = 'a', B = 'b' }".parse().expect("TOML");
        assert_eq!(kept, wanted);
    }
}
