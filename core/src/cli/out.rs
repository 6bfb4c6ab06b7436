//! The output folder: made ready before the run, so that nothing is lost after it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::report::TEMPORARY;

use super::{CliError, Exit, OutputSettings};

/// Names that restive writes; a folder with only these holds earlier results.
const OURS: [&str; 14] = [
    "results.json",
    "explain.json",
    "report.json",
    "report.html",
    "suite",
    "junit.xml",
    "results.sarif",
    "code-quality.json",
    "suite.har",
    "logs",
    "schema",
    "debug",
    "journal",
    "README.md",
];

/// A folder that results can be written to: it exists, is writable and holds nothing of an earlier run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputFolder {
    /// The folder.
    pub path: PathBuf,
    /// Where earlier results were moved to.
    pub previous: Option<PathBuf>,
}

/// A folder that results cannot be written to.
#[derive(Debug, thiserror::Error)]
pub enum OutError {
    /// Results of an earlier run would be lost.
    #[error("`{}` holds the results of an earlier run", path.display())]
    EarlierResults {
        /// The folder.
        path: PathBuf,
    },
    /// Something else would be mixed up with results.
    #[error("`{}` holds files that are not restive's, such as `{example}`", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
        /// One of them.
        example: String,
    },
    /// A file has the name.
    #[error("`{}` is not a folder", path.display())]
    NotAFolder {
        /// The file.
        path: PathBuf,
    },
    /// The disk says no.
    #[error("cannot {action} `{}`", path.display())]
    Disk {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl OutError {
    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::EarlierResults { path } => format!(
                "choose another folder with `--out DIR`, or `--overwrite` to move them to `{}`",
                previous_of(path).display()
            ),
            Self::Foreign { .. } | Self::NotAFolder { .. } => "choose a new or empty folder with `--out DIR`".to_owned(),
            Self::Disk { source, .. } if source.kind() == io::ErrorKind::StorageFull => {
                "free some space, or choose a folder on another disk with `--out DIR`".to_owned()
            }
            Self::Disk { .. } => "choose a folder that you may write to with `--out DIR`".to_owned(),
        }
    }
}

impl From<OutError> for CliError {
    fn from(error: OutError) -> Self {
        Self::from_error(Exit::Environment, &error).hint(error.hint())
    }
}

impl OutputFolder {
    /// Makes the folder of `settings` ready; that of a run that is resumed holds what it has written.
    ///
    /// Nothing is deleted but what an earlier `--overwrite` had moved aside.
    pub fn prepare(settings: &OutputSettings, is_resumed: bool) -> Result<Self, OutError> {
        let path = settings.folder.clone();
        let mut previous = None;
        match content(&path)? {
            _ if is_resumed => {}
            Content::Nothing => {}
            Content::Foreign(example) => return Err(OutError::Foreign { path, example }),
            Content::Results if settings.overwrite => previous = Some(move_aside(&path)?),
            Content::Results => return Err(OutError::EarlierResults { path }),
        }
        let disk = |action| {
            let path = path.clone();
            move |source| OutError::Disk { action, path, source }
        };
        fs::create_dir_all(&path).map_err(disk("make the output folder"))?;
        try_writing(&path).map_err(disk("write to the output folder"))?;
        Ok(Self { path, previous })
    }
}

enum Content {
    Nothing,
    Results,
    Foreign(String),
}

fn content(path: &Path) -> Result<Content, OutError> {
    let disk = |source| OutError::Disk { action: "look into the output folder", path: path.to_owned(), source };
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Content::Nothing),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(OutError::NotAFolder { path: path.to_owned() });
        }
        Err(error) => return Err(disk(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry.map_err(disk)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    let is_ours = |name: &str| OURS.contains(&name) || name.starts_with(TEMPORARY);
    if let Some(foreign) = names.iter().find(|name| !is_ours(name)) {
        return Ok(Content::Foreign(foreign.clone()));
    }
    // The log of a service that did not start is no result: the next try may have its place.
    let is_result = |name: &String| name != "logs" && !name.starts_with(TEMPORARY);
    Ok(if names.iter().any(is_result) { Content::Results } else { Content::Nothing })
}

fn previous_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or(path.as_os_str()).to_owned();
    name.push(".previous");
    path.with_file_name(name)
}

/// Renames the folder; one that an earlier call had moved there gives way, but only if it holds nothing else.
fn move_aside(path: &Path) -> Result<PathBuf, OutError> {
    let previous = previous_of(path);
    match content(&previous)? {
        Content::Foreign(example) => return Err(OutError::Foreign { path: previous, example }),
        Content::Nothing => {}
        Content::Results => fs::remove_dir_all(&previous).map_err(|source| OutError::Disk {
            action: "remove the older results in",
            path: previous.clone(),
            source,
        })?,
    }
    fs::rename(path, &previous).map_err(|source| OutError::Disk {
        action: "move aside the earlier results in",
        path: path.to_owned(),
        source,
    })?;
    Ok(previous)
}

/// Writes a file and removes it again.
fn try_writing(folder: &Path) -> io::Result<()> {
    let probe = folder.join(format!("{TEMPORARY}probe"));
    fs::write(&probe, b"restive")?;
    fs::remove_file(&probe)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{OutError, OutputFolder};
    use crate::cli::{OutputSettings, SuiteFormat};

    fn prepare(folder: &Path, overwrite: bool) -> Result<OutputFolder, OutError> {
        let formats = SuiteFormat::USUAL.to_vec();
        let folder = folder.to_owned();
        let settings = OutputSettings {
            folder,
            overwrite,
            formats,
            reports: Vec::new(),
            baseline: None,
            fail_on: Vec::new(),
            suite: true,
            debug: false,
            quiet: true,
            max_journal: 0,
            schema: false,
        };
        OutputFolder::prepare(&settings, false)
    }

    #[test]
    fn a_new_or_empty_folder_is_taken() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("a/b");
        assert_eq!(prepare(&folder, false).expect("made").previous, None);
        prepare(&folder, false).expect("still empty");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
    }

    #[test]
    fn earlier_results_are_kept_or_moved_aside_never_lost() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("out");
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("results.json"), "first").expect("written");
        let error = prepare(&folder, false).expect_err("results are there");
        assert!(error.hint().contains("--overwrite") && error.hint().contains("out.previous"), "{}", error.hint());
        let previous = prepare(&folder, true).expect("moved aside").previous.expect("moved somewhere");
        assert_eq!(fs::read_to_string(previous.join("results.json")).expect("kept"), "first");
        fs::write(folder.join("results.json"), "second").expect("written");
        prepare(&folder, true).expect("moved aside again");
        assert_eq!(fs::read_to_string(previous.join("results.json")).expect("kept"), "second");
    }

    #[test]
    fn logs_of_a_start_that_failed_are_in_nobodys_way() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("logs")).expect("made");
        fs::write(folder.path().join(".restive-results.json"), "half").expect("written");
        prepare(folder.path(), false).expect("no results are there");
    }

    #[test]
    fn foreign_files_are_never_touched() {
        let parent = tempfile::tempdir().expect("a folder");
        fs::write(parent.path().join("thesis.tex"), "").expect("written");
        for overwrite in [false, true] {
            let error = prepare(parent.path(), overwrite).expect_err("foreign files");
            assert!(error.to_string().contains("thesis.tex"));
        }
        let file = parent.path().join("thesis.tex");
        assert!(matches!(prepare(&file, true), Err(OutError::NotAFolder { .. })));
        assert!(prepare(&file.join("below"), false).is_err());
    }

    #[test]
    fn a_folder_moved_aside_does_not_replace_foreign_files() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = parent.path().join("out");
        for (path, text) in [("out/results.json", "mine"), ("out.previous/thesis.tex", "other")] {
            fs::create_dir_all(parent.path().join(path).parent().expect("a folder")).expect("made");
            fs::write(parent.path().join(path), text).expect("written");
        }
        assert!(matches!(prepare(&folder, true), Err(OutError::Foreign { .. })));
        assert!(folder.join("results.json").exists());
    }
}
