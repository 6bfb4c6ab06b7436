//! What git says of a repository.

use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use unidiff::PatchSet;

use crate::journal::RUN_FILE;
use crate::report::{REPORT_FILE, RESULTS_FILE};

/// Path of a file, and its lines that changed.
type FileLines = (String, Vec<RangeInclusive<u32>>);

/// Why it is not known what changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangesError {
    /// The program cannot be run.
    #[error("cannot run `git`, which knows what changed: {0}")]
    NoGit(std::io::Error),
    /// The folder is in no repository.
    #[error("`{}` is in no git repository, so nobody knows what changed in it", .0.display())]
    NoRepository(PathBuf),
    /// It does not know the revision.
    #[error("git knows no revision `{0}`")]
    NoRevision(String),
    /// What it tells cannot be kept for the moment.
    #[error("cannot write files as they were: {0}")]
    Write(#[from] std::io::Error),
    /// Anything else.
    #[error("`git {command}` failed: {reason}")]
    Failed {
        /// What it was asked.
        command: String,
        /// What it said.
        reason: String,
    },
}

impl ChangesError {
    /// The next step.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoGit(_) => "install git, or leave `--changed-since` out",
            Self::NoRepository(_) => "start restive in the checkout of the service, or leave `--changed-since` out",
            Self::NoRevision(_) => {
                "name a branch, a tag or a commit that the checkout has; CI systems fetch the last commit alone unless told \
                 otherwise (`fetch-depth: 0` of actions/checkout, `GIT_DEPTH: 0` of GitLab)"
            }
            Self::Write(_) => "see to it that the folder for temporary files has room, or leave `--changed-since` out",
            Self::Failed { .. } => "see to it that git works in this folder, or leave `--changed-since` out",
        }
    }
}

/// The root of the repository around `folder`.
pub(super) fn root(folder: &Path) -> Result<PathBuf, ChangesError> {
    match ask(folder, &["rev-parse", "--show-toplevel"]) {
        Ok(text) => Ok(PathBuf::from(text.trim_end_matches('\n'))),
        Err(ChangesError::Failed { reason, .. }) if reason.contains("not a git repository") => {
            Err(ChangesError::NoRepository(folder.to_owned()))
        }
        Err(error) => Err(error),
    }
}

/// Path and changed lines of each file that is another one than where the repository branched off `revision`; such files as
/// git was not told of yet are new ones.
pub(super) fn changed(root: &Path, revision: &str) -> Result<Vec<FileLines>, ChangesError> {
    let base = base(root, revision)?;
    let options = ["--unified=0", "--no-color", "--no-ext-diff", "--no-renames", "--src-prefix=a/", "--dst-prefix=b/"];
    let diff = ask(root, &[&["diff"][..], &options, &[&base, "--"]].concat())?;
    let mut files = lines_of(&diff).map_err(|reason| ChangesError::Failed { command: "diff".to_owned(), reason })?;
    let untracked = ask(root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let all_lines = || vec![RangeInclusive::new(1, u32::MAX)];
    let new = untracked.split('\0').filter(|path| !path.is_empty() && !is_of_a_run(root, path));
    files.extend(new.map(|path| (path.to_owned(), all_lines())));
    Ok(files)
}

/// Whether a file lies in the output folder of a run: what restive wrote is no work on the service.
fn is_of_a_run(root: &Path, path: &str) -> bool {
    let has = |folder: &Path, file: &str| root.join(folder).join(file).exists();
    let is_output = |folder: &Path| has(folder, RUN_FILE) || has(folder, RESULTS_FILE) && has(folder, REPORT_FILE);
    Path::new(path).ancestors().skip(1).any(is_output)
}

/// The commit that work since `revision` began at: what was changed there meanwhile is not this checkout's. A shallow clone
/// may not know it, and then it is the revision itself.
pub(super) fn base(root: &Path, revision: &str) -> Result<String, ChangesError> {
    let commit = format!("{revision}^{{commit}}");
    let known = ask(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    let known = known.map_err(|error| match error {
        ChangesError::Failed { .. } => ChangesError::NoRevision(revision.to_owned()),
        other => other,
    })?;
    let known = known.trim();
    let branched_off = ask(root, &["merge-base", known, "HEAD"]);
    Ok(branched_off.map_or_else(|_| known.to_owned(), |commit| commit.trim().to_owned()))
}

/// The text of a file in a commit; none where it has no such file.
pub(super) fn content(root: &Path, commit: &str, path: &Path) -> Option<String> {
    let components: Vec<_> = path.components().map(|component| component.as_os_str().to_string_lossy()).collect();
    ask(root, &["show", &format!("{commit}:{}", components.join("/"))]).ok()
}

/// Path and changed lines of each file of a diff that is still there.
fn lines_of(diff: &str) -> Result<Vec<FileLines>, String> {
    let mut patch = PatchSet::new();
    patch.parse(diff).map_err(|error| error.to_string())?;
    let still_there = patch.files().iter().filter(|file| !file.is_removed_file());
    let file = |file: &unidiff::PatchedFile| {
        let hunks = file.hunks().iter().filter(|hunk| hunk.target_length > 0);
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let lines = hunks.map(|hunk| number(hunk.target_start)..=number(hunk.target_start + hunk.target_length - 1));
        (file.path(), lines.collect())
    };
    Ok(still_there.map(file).collect())
}

/// What git answers in `folder`; bytes that are no text become replacement characters.
fn ask(folder: &Path, words: &[impl AsRef<OsStr>]) -> Result<String, ChangesError> {
    let mut git = Command::new("git");
    // Its messages are looked at, and its names of files are taken as they are.
    git.current_dir(folder).env("LC_ALL", "C").args(["-c", "core.quotePath=false"]).args(words);
    let output = git.output().map_err(ChangesError::NoGit)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it did not say why").to_owned();
    let command: Vec<_> = words.iter().map(|word| word.as_ref().to_string_lossy()).collect();
    Err(ChangesError::Failed { command: command.join(" "), reason })
}
