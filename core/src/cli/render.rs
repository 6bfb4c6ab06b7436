//! `restive render`: the tests of a run that ended, in another form.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::report::{count, shell_word};
use crate::suite::{self, SuiteReset, SuiteWriter, TestSuite};

use super::{CliError, Exit, SuiteFormat, tell};

/// Flags of `restive render`.
#[derive(Debug, Clone, Args)]
pub struct RenderArgs {
    /// Output folder of a run
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// Form of the tests (repeatable)
    #[arg(long, value_name = "NAME", value_enum, value_delimiter = ',', required = true)]
    pub format: Vec<SuiteFormat>,
    /// Folder that gets a folder for each form [default: OUT/suite]
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
    /// Replace files that were changed since they were written, or that are of another run
    #[arg(long)]
    pub overwrite: bool,
}

/// Reads the tests of a run and writes them in each form.
pub fn render(args: &RenderArgs) -> Result<Exit, CliError> {
    let mut suite = suite::load(&args.out)?;
    let folder = args.write.clone().unwrap_or_else(|| args.out.join("suite"));
    if args.write.is_some() {
        fix_reset_folder(&mut suite, &args.out.join("suite/form"));
    }
    let mut formats = args.format.clone();
    formats.sort();
    formats.dedup();
    let writers: Vec<&dyn SuiteWriter> = formats.into_iter().map(SuiteFormat::writer).collect();
    if !args.overwrite {
        refuse_changes(&suite, &writers, &folder)?;
    }
    suite::write(&suite, &writers, &folder).map_err(|error| suite_error(&error))?;
    for writer in writers {
        let place = folder.join(writer.name());
        let place = shell_word(&place.display().to_string());
        tell(&format!("{} in {place}\n", count(suite.tests.len() as u64, "test", "tests")));
        tell(&format!("  run them: cd {place} && {}\n", writer.command()));
    }
    Ok(Exit::Clean)
}

/// Work of people is in the way, and stays.
fn refuse_changes(suite: &TestSuite, writers: &[&dyn SuiteWriter], folder: &Path) -> Result<(), CliError> {
    match suite::replaced(suite, writers, folder).map_err(|error| suite_error(&error))? {
        None => Ok(()),
        Some(path) => {
            let place = folder.join(path);
            let message = format!("`{}` was changed, or is of another run", place.display());
            Err(CliError::environment(message).hint("choose another folder with `--write DIR`, or `--overwrite` to replace it"))
        }
    }
}

/// Where the reset command runs, seen from everywhere: `form` is the place that it was seen from.
pub(super) fn fix_reset_folder(suite: &mut TestSuite, form: &Path) {
    let SuiteReset::Command { folder, .. } = &mut suite.reset else { return };
    let base = form.parent().and_then(|suites| suites.canonicalize().ok());
    // The last of the steps up leaves the folder of the form itself.
    if let (Some(base), Some(rest)) = (base, folder.strip_prefix("..")) {
        let place = base.join(rest.trim_start_matches('/'));
        *folder = place.canonicalize().unwrap_or(place).display().to_string();
    }
}

fn suite_error(error: &suite::Error) -> CliError {
    CliError::from_error(Exit::Environment, error).hint("choose a folder that you may write to with `--write DIR`")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn suite() -> TestSuite {
        TestSuite {
            title: "Pets".to_owned(),
            base_url: "http://127.0.0.1:1".to_owned(),
            insecure: false,
            reset: SuiteReset::Never,
            users: Vec::new(),
            tests: Vec::new(),
        }
    }

    fn args(out: &Path, write: Option<&Path>, overwrite: bool) -> RenderArgs {
        let write = write.map(Path::to_owned);
        RenderArgs { out: out.to_owned(), format: vec![SuiteFormat::Pytest], write, overwrite }
    }

    #[test]
    fn what_people_changed_is_replaced_only_when_told_to() {
        let out = tempfile::tempdir().expect("a folder");
        suite::save(&suite(), out.path()).expect("writable");
        let render = |overwrite| render(&args(out.path(), None, overwrite));
        assert_eq!(render(false).expect("nothing is in the way"), Exit::Clean);
        assert_eq!(render(false).expect("it is the same again"), Exit::Clean);
        let readme = out.path().join("suite/pytest/README.md");
        fs::write(&readme, "mine").expect("writable");
        let error = render(false).expect_err("changed");
        assert!(error.exit == Exit::Environment && error.message.contains("README.md"), "{error:?}");
        assert_eq!(fs::read_to_string(&readme).expect("still there"), "mine");
        assert_eq!(render(true).expect("replaced"), Exit::Clean);
        assert_ne!(fs::read_to_string(&readme).expect("written"), "mine");
    }

    #[test]
    fn a_folder_without_a_run_ends_with_3_and_a_hint() {
        let folder = tempfile::tempdir().expect("a folder");
        let error = render(&args(folder.path(), None, false)).expect_err("no run");
        assert!(error.exit == Exit::Environment && error.hint.is_some(), "{error:?}");
    }

    #[test]
    fn the_reset_command_runs_where_it_did() {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        fs::create_dir_all(out.join("suite")).expect("writable");
        let mut suite = suite();
        suite.reset = SuiteReset::Command { words: vec!["make".to_owned()], folder: "../../..".to_owned() };
        fix_reset_folder(&mut suite, &out.join("suite/form"));
        let place = folder.path().canonicalize().expect("a folder");
        let expected = SuiteReset::Command { words: vec!["make".to_owned()], folder: place.display().to_string() };
        assert_eq!(suite.reset, expected);
    }
}
