//! `restive report`: makes `report.html` of a run anew, from its files alone.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use crate::explain::{self, Shortfall, shortfall};
use crate::report::{HTML_FILE, PageSource, SourceTexts, StoredError, page, read_results, write_file};

use super::{CliError, Exit, print, tell};

/// Flags of `restive report`.
#[derive(Debug, Clone, Args)]
pub struct ReportArgs {
    /// Output folder of a run
    #[arg(value_name = "OUT")]
    pub out: PathBuf,
    /// File to write [default: `report.html` in OUT]
    #[arg(long, value_name = "FILE")]
    pub write: Option<PathBuf>,
    /// Folder or jar with the sources of the service (repeatable) [default: the current folder, and the jar of sources beside
    /// the jar of the run]
    #[arg(long, value_name = "PATH")]
    pub sources: Vec<PathBuf>,
}

/// Reads what the run left, and writes the page about it.
pub fn report(args: &ReportArgs) -> Result<Exit, CliError> {
    if let Some(missing) = args.sources.iter().find(|path| !path.exists()) {
        return Err(CliError::environment(format!("there are no sources at `{}`", missing.display()))
            .hint("name a folder, or a jar of sources, with `--sources PATH`"));
    }
    let path = args.write.clone().unwrap_or_else(|| args.out.join(HTML_FILE));
    let text = made_page(&args.out, &args.sources)?;
    write_file(&path, text.as_bytes())?;
    print(&format!("{}\n", path.display()))
}

/// The page about the run with the output folder `out`; sources are looked for where they are told to be, else where they
/// usually are.
///
/// # Errors
/// When the folder holds no results. A record for `restive explain` that cannot be read is told, and the page does without.
pub(super) fn made_page(out: &Path, sources: &[PathBuf]) -> Result<String, StoredError> {
    let results = read_results(out)?;
    let shortfall = told_shortfall(out);
    let sources = found_sources(&results, sources);
    Ok(page(&PageSource { results: &results, shortfall: shortfall.as_ref(), sources: &sources }))
}

fn told_shortfall(out: &Path) -> Option<Shortfall> {
    match explain::read(out) {
        Ok(record) => Some(shortfall(&record)),
        Err(StoredError::Missing { .. }) => None,
        Err(error) => {
            tell(&format!("warning: the page does not tell what came near: {error}\n"));
            None
        }
    }
}

fn found_sources(results: &Value, given: &[PathBuf]) -> SourceTexts {
    let classes = classes(results);
    let classes: Vec<&str> = classes.iter().map(String::as_str).collect();
    if given.is_empty() {
        let jar = results["configuration"]["sut.jar"]["value"].as_str().map(Path::new);
        let jars: Vec<PathBuf> = jar.and_then(jar_of_sources).into_iter().collect();
        return SourceTexts::find(&[PathBuf::from(".")], &jars, &classes);
    }
    let (folders, jars): (Vec<PathBuf>, Vec<PathBuf>) = given.iter().cloned().partition(|path| path.is_dir());
    SourceTexts::find(&folders, &jars, &classes)
}

/// `app-1.0-sources.jar` beside `app-1.0.jar`, as Maven and Gradle name it.
fn jar_of_sources(jar: &Path) -> Option<PathBuf> {
    let stem = jar.file_stem()?.to_str()?;
    let path = jar.with_file_name(format!("{stem}-sources.jar"));
    path.is_file().then_some(path)
}

/// The classes of the service, those with findings first.
fn classes(results: &Value) -> Vec<String> {
    let findings = results["findings"].as_array().into_iter().flatten();
    // Results of an older restive have the last statement only.
    let statements = findings.filter_map(|finding| finding["statement"].as_str().or(finding["last_statement"].as_str()));
    let failed = statements.filter_map(|statement| Some(statement.rsplit_once(':')?.0));
    let measured = results["coverage"]["per_class"].as_array().into_iter().flatten();
    let measured = measured.filter_map(|class| class["name"].as_str());
    failed.chain(measured).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{classes, jar_of_sources};

    #[test]
    fn classes_with_findings_come_first() {
        let results = json!({
            "findings": [{ "statement": "a.Failed:7", "last_statement": "a.A:9" }, { "last_statement": "a.Old:7" }, {}],
            "coverage": { "per_class": [{ "name": "a.A" }, { "name": "a.Failed" }] },
        });
        assert_eq!(classes(&results), ["a.Failed", "a.Old", "a.A", "a.Failed"]);
    }

    #[test]
    fn a_jar_of_sources_lies_beside_the_jar() {
        let folder = tempfile::tempdir().expect("a folder");
        let jar = folder.path().join("app-1.0.jar");
        assert_eq!(jar_of_sources(&jar), None);
        fs::write(folder.path().join("app-1.0-sources.jar"), "").expect("written");
        assert_eq!(jar_of_sources(&jar), Some(folder.path().join("app-1.0-sources.jar")));
    }
}
