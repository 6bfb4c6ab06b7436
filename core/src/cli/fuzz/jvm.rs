//! The Java that runs a jar.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::CliError;

/// Where distributions put their JVMs, a folder each.
const USUAL_FOLDERS: [&str; 3] = ["/usr/lib/jvm", "/usr/java", "/opt/java"];

/// The program: as given, else that of `JAVA_HOME`, else the first of `PATH`.
pub(super) fn find(given: Option<&Path>) -> Result<PathBuf, CliError> {
    if let Some(given) = given {
        return choose(given);
    }
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let of_path = || on_path("java");
    home.filter(|java| java.is_file()).or_else(of_path).ok_or_else(|| {
        let installed = installed().into_iter().next_back().map(|jvm| format!("`--java {}`", jvm.java.display()));
        let hint = installed.unwrap_or_else(|| "install one, or name it with `--java FILE`".to_owned());
        CliError::environment("no JVM found: neither `JAVA_HOME` nor `PATH` has a `java`").hint(hint)
    })
}

/// A program by its path or name, or a folder that a JVM is installed in.
fn choose(given: &Path) -> Result<PathBuf, CliError> {
    let within = given.join("bin/java");
    let named = || if given.components().count() == 1 { on_path(given) } else { None };
    let found = [given.to_owned(), within].into_iter().find(|path| path.is_file()).or_else(named);
    // A relative path must still be right in the folder that the service is started in.
    found.map(|path| std::path::absolute(&path).unwrap_or(path)).ok_or_else(|| {
        CliError::environment(format!("no JVM found: `--java {}` does not exist", given.display()))
            .hint("name the program `java`, or the folder that holds `bin/java`")
    })
}

fn on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name.as_ref())).find(|file| file.is_file())
}

/// A JVM of this machine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Installed {
    /// Version of Java: 8, 11, 17…
    pub(super) version: u16,
    /// The program.
    pub(super) java: PathBuf,
}

/// The JVMs in the usual folders, the oldest version first.
pub(super) fn installed() -> Vec<Installed> {
    let homes = USUAL_FOLDERS.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let found = homes.filter_map(|home| {
        let version = version_of(&fs::read_to_string(home.path().join("release")).ok()?)?;
        let java = home.path().join("bin/java");
        java.is_file().then_some(Installed { version, java })
    });
    let mut found: Vec<Installed> = found.collect();
    found.sort();
    found
}

/// The version that the file `release` of a JVM names: `JAVA_VERSION="17.0.15"`, `"1.8.0_402"`.
fn version_of(release: &str) -> Option<u16> {
    let value = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?.trim().trim_matches('"');
    let mut parts = value.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse().ok());
    match parts.next()?? {
        1 => parts.next()?,
        version => Some(version),
    }
}

#[cfg(test)]
mod tests {
    use super::{find, version_of};

    #[test]
    fn versions_are_read_in_both_notations() {
        assert_eq!(version_of("A=1\nJAVA_VERSION=\"17.0.15\"\n"), Some(17));
        assert_eq!(
            (version_of("JAVA_VERSION=\"1.8.0_402\""), version_of("JAVA_VERSION=\"25\""), version_of("")),
            (Some(8), Some(25), None)
        );
    }

    #[test]
    fn a_java_that_is_not_there_is_named() {
        let error = find(Some("/no/such/java".as_ref())).expect_err("it is not there");
        assert!(error.message.contains("/no/such/java"));
    }
}
