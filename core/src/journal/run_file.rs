//! What a run is that has a journal: settings, place and interface.

use std::fmt::{self, Write as _};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::api::Api;
use crate::changes::Changes;
use crate::report::{Setting, StoredError, WriteError, read_stored, write_file};

/// The file of an output folder that says so.
pub const RUN_FILE: &str = "journal/run.json";

/// Grows when an older restive would misread a journal.
const FORMAT_VERSION: u32 = 1;

/// What has to be the same when a run is resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    format_version: u32,
    /// The restive that began it.
    pub restive_version: String,
    /// The folder that it was begun in; paths are meant from there.
    pub folder: String,
    /// All settings as a `restive.toml`, secrets masked.
    pub settings: String,
    /// The same with their origins: key, value, origin.
    pub origins: Vec<(String, String, String)>,
    /// A number that is another one for another interface, nearly always.
    pub interface: String,
    /// Budgets that the run had used up before it was given more, first to last, as `60s` or `2000 calls`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_budgets: Vec<String>,
    /// What had changed since the user's revision, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Changes>,
}

impl RunFile {
    /// What there is to say of a run that begins here with these settings.
    pub fn new(as_toml: &str, origins: &[Setting], api: &Api) -> Self {
        let folder = std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
        Self {
            format_version: FORMAT_VERSION,
            restive_version: env!("CARGO_PKG_VERSION").to_owned(),
            folder,
            settings: as_toml.to_owned(),
            origins: told(origins),
            interface: interface(api),
            earlier_budgets: Vec::new(),
            changes: None,
        }
    }

    /// The same with what had changed when it began.
    #[must_use]
    pub fn since(mut self, changes: Option<&Changes>) -> Self {
        self.changes = changes.cloned();
        self
    }

    /// The same run with more to spend, which its settings say; it had `budget` before.
    #[must_use]
    pub fn with_more(mut self, budget: String, as_toml: &str, origins: &[Setting]) -> Self {
        self.earlier_budgets.push(budget);
        as_toml.clone_into(&mut self.settings);
        self.origins = told(origins);
        self
    }

    /// Writes it into the output folder `out`.
    ///
    /// # Errors
    /// When the disk says no.
    pub fn write(&self, out: &Path) -> Result<(), WriteError> {
        let path = out.join(RUN_FILE);
        let parent = path.parent().unwrap_or(out);
        std::fs::create_dir_all(parent).map_err(|error| WriteError::new(parent, error))?;
        let text = serde_json::to_value(self).map_err(|error| WriteError::new(&path, error.into()))?;
        write_file(&path, format!("{text:#}\n").as_bytes())
    }

    /// Reads that of the output folder `out`.
    ///
    /// # Errors
    /// When there is none, or another restive wrote it.
    pub fn read(out: &Path) -> Result<Self, StoredError> {
        let value = read_stored(out, RUN_FILE, FORMAT_VERSION)?;
        let run: Self =
            serde_json::from_value(value).map_err(|error| StoredError::damaged(out, RUN_FILE, error.to_string()))?;
        if run.restive_version != env!("CARGO_PKG_VERSION") {
            let (path, found) = (out.join(RUN_FILE), FORMAT_VERSION.to_string());
            return Err(StoredError::OtherVersion { path, found, wanted: FORMAT_VERSION, written_by: run.restive_version });
        }
        Ok(run)
    }

    /// Whether it is about that interface.
    pub fn is_of(&self, api: &Api) -> bool {
        self.interface == interface(api)
    }
}

/// Settings with their origins.
fn told(origins: &[Setting]) -> Vec<(String, String, String)> {
    origins.iter().map(|it| (it.key.clone(), it.value.clone(), it.origin.to_owned())).collect()
}

/// Of everything that requests are made from.
fn interface(api: &Api) -> String {
    let mut hashed = Hashed(DefaultHasher::new());
    write!(hashed, "{:?} {:?}", api.operations, api.schemas).expect("hashing does not fail");
    format!("{:016x}", hashed.0.finish())
}

/// What is written to it is hashed; documents are too large to be written out for that.
struct Hashed(DefaultHasher);

impl fmt::Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
