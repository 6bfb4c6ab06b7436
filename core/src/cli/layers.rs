//! Joins the layers of settings: a flag wins over the environment, the environment over the file, the file over the
//! default; what was chosen is written down with its origin.

use clap::ArgMatches;
use clap::parser::ValueSource;
use toml::Value;

use crate::report::Setting;

use super::{BudgetText, CommandLine, FailOn, Preset, ReportFormat, Size, SuiteFormat, TaintText, Time};

/// What is shown instead of a secret.
pub const MASK: &str = "***";

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A flag.
    Flag,
    /// A `RESTIVE_…` variable.
    Environment,
    /// `restive.toml`.
    File,
    /// The preset that was chosen.
    Preset,
    /// Nobody set it.
    Default,
    /// A list of which parts were set in the file and parts elsewhere.
    Joined,
}

impl Origin {
    /// The origin of that name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [Self::Flag, Self::Environment, Self::File, Self::Preset, Self::Default, Self::Joined];
        all.into_iter().find(|origin| origin.name() == name)
    }

    /// The word in results and `--show-config`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File => "file",
            Self::Preset => "preset",
            Self::Default => "default",
            Self::Joined => "flag and file",
        }
    }
}

/// A value as `restive.toml` writes it.
pub trait Shown {
    /// The value in TOML.
    fn shown(&self) -> Value;
}

macro_rules! shown {
    ($($type:ty: $value:ident => $shown:expr;)*) => {
        $(impl Shown for $type {
            fn shown(&self) -> Value {
                let $value = self;
                Value::from($shown)
            }
        })*
    };
}

shown! {
    String: value => value.clone();
    std::path::PathBuf: value => value.to_string_lossy().replace('\\', "/");
    bool: value => *value;
    f64: value => *value;
    u16: value => i64::from(*value);
    u64: value => i64::try_from(*value).unwrap_or(i64::MAX);
    usize: value => i64::try_from(*value).unwrap_or(i64::MAX);
    BudgetText: value => value.to_string();
    Preset: value => value.to_string();
    TaintText: value => value.to_string();
    Time: value => value.to_string();
    Size: value => value.to_string();
    CommandLine: value => value.0.clone();
    Vec<String>: value => value.clone();
    Vec<FailOn>: value => value.iter().map(|kind| kind.name()).collect::<Vec<_>>();
    Vec<ReportFormat>: value => value.iter().map(|format| format.name()).collect::<Vec<_>>();
    Vec<SuiteFormat>: value => value.iter().map(|format| format.name()).collect::<Vec<_>>();
}

#[derive(Debug)]
struct Entry {
    key: &'static str,
    value: Option<Value>,
    origin: Origin,
}

/// The layers, and what was chosen from them so far.
#[derive(Debug)]
pub struct Layers<'a> {
    matches: &'a ArgMatches,
    entries: Vec<Entry>,
}

impl<'a> Layers<'a> {
    /// Layers whose upper two are told apart by `matches`.
    pub fn new(matches: &'a ArgMatches) -> Self {
        Self { matches, entries: Vec::new() }
    }

    /// The value that holds for `key`, none when no layer has one.
    pub fn pick<T: Shown>(&mut self, key: &'static str, typed: Option<T>, file: Option<T>, default: Option<T>) -> Option<T> {
        let (value, origin) = self.choose(key, typed, file, default);
        self.record(key, value.as_ref().map(Shown::shown), origin);
        value
    }

    /// Like [`Layers::pick`] where the default is a value.
    pub fn pick_or<T: Shown + Clone>(&mut self, key: &'static str, typed: Option<T>, file: Option<T>, default: T) -> T {
        self.pick(key, typed, file, Some(default.clone())).unwrap_or(default)
    }

    /// Like [`Layers::pick_or`] where a preset may say what holds before the default does.
    pub fn pick_or_preset<T: Shown + Clone>(
        &mut self,
        key: &'static str,
        [typed, file]: [Option<T>; 2],
        preset: Option<T>,
        default: T,
    ) -> T {
        let is_chosen = typed.is_some() || file.is_some();
        match preset.filter(|_| !is_chosen) {
            Some(value) => {
                self.record(key, Some(value.shown()), Origin::Preset);
                value
            }
            None => self.pick_or(key, typed, file, default),
        }
    }

    /// Like [`Layers::pick`] without a default, for a text that is shown otherwise than it is used.
    pub fn pick_shown_as(
        &mut self,
        key: &'static str,
        typed: Option<String>,
        file: Option<String>,
        show: impl Fn(&str) -> String,
    ) -> Option<String> {
        let (value, origin) = self.choose(key, typed, file, None);
        self.record(key, value.as_deref().map(|text| Value::from(show(text))), origin);
        value
    }

    /// Like [`Layers::pick`] for something that is never shown.
    pub fn pick_secret(&mut self, key: &'static str, typed: Option<String>, file: Option<String>) -> Option<String> {
        let (value, origin) = self.choose(key, typed, file, None);
        self.record(key, value.as_ref().map(|_| Value::from(MASK)), origin);
        value
    }

    /// Writes down a value that was put together elsewhere.
    pub fn record(&mut self, key: &'static str, value: Option<Value>, origin: Origin) {
        self.entries.push(Entry { key, value, origin });
    }

    /// The layer a typed value of `key` comes from.
    pub fn typed_origin(&self, key: &str) -> Origin {
        let id = arg_id(key);
        match self.matches.try_contains_id(&id).is_ok().then(|| self.matches.value_source(&id)).flatten() {
            Some(ValueSource::EnvVariable) => Origin::Environment,
            _ => Origin::Flag,
        }
    }

    /// Where the value recorded for `key` came from.
    pub fn origin_of(&self, key: &str) -> Origin {
        self.entries.iter().rev().find(|entry| entry.key == key).map_or(Origin::Default, |entry| entry.origin)
    }

    /// Everything chosen, in the order it was chosen.
    pub fn into_settings(self) -> Vec<Setting> {
        self.entries
            .into_iter()
            .map(|entry| Setting { key: entry.key.to_owned(), value: value_text(entry.value), origin: entry.origin.name() })
            .collect()
    }

    /// Everything chosen as a `restive.toml` with the origins as comments; secrets stand in it as [`MASK`].
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut section = "";
        for entry in &self.entries {
            let (table, name) = entry.key.split_once('.').unwrap_or(("", entry.key));
            if table != section {
                text.push_str(if section.is_empty() { "[" } else { "\n[" });
                text.push_str(table);
                text.push_str("]\n");
                section = table;
            }
            let line = match &entry.value {
                Some(value) => format!("{:<50} # {}\n", format!("{name} = {value}"), entry.origin.name()),
                None => format!("{:<50} # not set\n", format!("# {name} =")),
            };
            text.push_str(&line);
        }
        text
    }

    fn choose<T>(&self, key: &str, typed: Option<T>, file: Option<T>, default: Option<T>) -> (Option<T>, Origin) {
        match (typed, file) {
            (Some(value), _) => (Some(value), self.typed_origin(key)),
            (None, Some(value)) => (Some(value), Origin::File),
            (None, None) => (default, Origin::Default),
        }
    }
}

/// Id of the flag for a key: `search.p-random` is `p_random`, but sections with a prefix keep it (`reset_http`).
fn arg_id(key: &str) -> String {
    let (section, name) = key.split_once('.').unwrap_or(("", key));
    let name = name.replace('-', "_");
    match (section, name.as_str()) {
        ("reset", _) | ("auth", "file") => format!("{section}_{name}"),
        _ => name,
    }
}

fn value_text(value: Option<Value>) -> String {
    match value {
        None => Setting::NOT_SET.to_owned(),
        Some(Value::String(text)) => text,
        Some(other) => other.to_string(),
    }
}
