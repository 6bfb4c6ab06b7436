//! The JVM that starts a jar: as given, else the usual one of this machine, else one that is new enough.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::CliError;

/// Where distributions put their JVMs, a folder each.
const USUAL_FOLDERS: [&str; 4] = ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"];
/// Where tools put theirs below the user's folder.
const HOME_FOLDERS: [&str; 6] = [
    ".sdkman/candidates/java",
    ".jdks",
    ".gradle/jdks",
    ".asdf/installs/java",
    ".local/share/mise/installs/java",
    "Library/Java/JavaVirtualMachines",
];

/// A JVM of this machine; older versions are less.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Jvm {
    /// Version of Java (8, 11, 17…); none when its files do not tell.
    pub(super) version: Option<u16>,
    /// The program.
    pub(super) java: PathBuf,
}

impl fmt::Display for Jvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Some(version) => write!(f, "Java {version} (`{}`)", self.java.display()),
            None => write!(f, "`{}`", self.java.display()),
        }
    }
}

impl Jvm {
    /// The JVM of a program.
    fn of(java: PathBuf) -> Self {
        // `java` on the `PATH` is mostly a link into the folder of the JVM, in which a file tells its version.
        let real = java.canonicalize().unwrap_or_else(|_| java.clone());
        let home = real.parent().and_then(Path::parent).map(Path::to_owned);
        // Java 8 has a `jre` in its folder, and the file beside that.
        let releases = home.iter().flat_map(|home| [home.join("release"), home.join("../release")]);
        let version = releases.filter_map(|file| fs::read_to_string(file).ok()).find_map(|text| version_of(&text));
        Self { version, java }
    }

    /// Whether it is known to be older than `wanted`.
    pub(super) fn is_older(&self, wanted: u16) -> bool {
        self.version.is_some_and(|version| version < wanted)
    }
}

/// The JVM as given, else that of `JAVA_HOME`, else the first of `PATH`, and in place of these an installed one when they
/// are missing or older than `wanted`.
pub(super) fn find(given: Option<&Path>, wanted: Option<u16>) -> Result<Jvm, CliError> {
    if let Some(given) = given {
        return named(given).map(Jvm::of);
    }
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let usual = home.filter(|java| java.is_file()).or_else(|| on_path("java")).map(Jvm::of);
    choose(usual, installed(), wanted).ok_or_else(|| {
        CliError::environment("no JVM found: neither `JAVA_HOME`, `PATH` nor the usual folders have a `java`")
            .hint("install one, or name it with `--java FILE`")
    })
}

/// The usual JVM when it will do, else the oldest installed one that does, else whatever there is.
fn choose(usual: Option<Jvm>, installed: Vec<Jvm>, wanted: Option<u16>) -> Option<Jvm> {
    let does = |jvm: &Jvm| wanted.is_none_or(|wanted| !jvm.is_older(wanted));
    if usual.as_ref().is_some_and(does) {
        return usual;
    }
    let fitting = installed.iter().find(|jvm| does(jvm)).cloned();
    fitting.or(usual).or_else(|| installed.into_iter().next_back())
}

/// A program by its path or name, or a folder that a JVM is installed in.
fn named(given: &Path) -> Result<PathBuf, CliError> {
    let by_name = || if given.components().count() == 1 { on_path(given) } else { None };
    let within = program_in(given);
    let found = Some(given.to_owned()).filter(|path| path.is_file()).or(within).or_else(by_name);
    // A relative path must still be right in the folder that the service is started in.
    found.map(|path| std::path::absolute(&path).unwrap_or(path)).ok_or_else(|| {
        CliError::environment(format!("no JVM found at `{}`", given.display()))
            .hint(format!("`--java` wants the program `java`, or the folder that holds `bin/java`{}", listed(installed())))
    })
}

/// What a hint adds of the installed JVMs, one for each version.
fn listed(mut installed: Vec<Jvm>) -> String {
    // Folders beside each other are often links to one.
    installed.dedup_by_key(|jvm| jvm.version);
    let names: Vec<String> = installed.iter().map(Jvm::to_string).collect();
    if names.is_empty() { String::new() } else { format!("; found here: {}", names.join(", ")) }
}

/// The program of a JVM that is installed in `folder`.
fn program_in(folder: &Path) -> Option<PathBuf> {
    ["bin/java", "Contents/Home/bin/java"].into_iter().map(|below| folder.join(below)).find(|java| java.is_file())
}

fn on_path(name: impl AsRef<Path>) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name.as_ref())).find(|file| file.is_file())
}

/// The JVMs of known version in the usual folders, the oldest version first.
pub(super) fn installed() -> Vec<Jvm> {
    let user = std::env::var_os("HOME").map(PathBuf::from);
    let below_home = user.iter().flat_map(|user| HOME_FOLDERS.map(|folder| user.join(folder)));
    let folders = USUAL_FOLDERS.map(PathBuf::from).into_iter().chain(below_home);
    let homes = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let jvms = homes.filter_map(|home| program_in(&home.path())).map(Jvm::of).filter(|jvm| jvm.version.is_some());
    let mut found: Vec<Jvm> = jvms.collect();
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
    use std::fs;

    use super::{Jvm, choose, find, listed, version_of};

    fn jvm(version: u16) -> Jvm {
        Jvm { version: Some(version), java: format!("/jvm/{version}/bin/java").into() }
    }

    #[test]
    fn versions_are_read_in_both_notations() {
        assert_eq!(version_of("A=1\nJAVA_VERSION=\"17.0.15\"\n"), Some(17));
        assert_eq!(
            (version_of("JAVA_VERSION=\"1.8.0_402\""), version_of("JAVA_VERSION=\"25\""), version_of("")),
            (Some(8), Some(25), None)
        );
    }

    #[test]
    fn the_usual_java_gives_way_only_to_one_that_is_new_enough() {
        let installed = || vec![jvm(8), jvm(17), jvm(21), jvm(25)];
        let version = |usual: Option<Jvm>, wanted| choose(usual, installed(), wanted).and_then(|jvm| jvm.version);
        assert_eq!(version(Some(jvm(17)), Some(11)), Some(17));
        assert_eq!((version(Some(jvm(17)), Some(18)), version(Some(jvm(17)), None)), (Some(21), Some(17)));
        assert_eq!((version(Some(jvm(17)), Some(30)), version(None, Some(30))), (Some(17), Some(25)));
        let unknown = Jvm { version: None, java: "/x/java".into() };
        assert_eq!(choose(Some(unknown.clone()), installed(), Some(21)), Some(unknown));
        assert_eq!(choose(None, Vec::new(), None), None);
    }

    #[test]
    fn a_java_that_is_not_there_is_named() {
        let error = find(Some("/no/such/java".as_ref()), None).expect_err("it is not there");
        assert!(error.message.contains("/no/such/java"));
    }

    #[test]
    fn each_version_that_is_installed_is_listed_once() {
        assert_eq!(listed(Vec::new()), "");
        let text = listed(vec![jvm(17), jvm(17), jvm(25)]);
        assert_eq!(text, "; found here: Java 17 (`/jvm/17/bin/java`), Java 25 (`/jvm/25/bin/java`)");
    }

    #[test]
    fn a_jvm_is_named_by_its_program_or_by_its_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("bin")).expect("made");
        fs::write(folder.path().join("bin/java"), "").expect("written");
        fs::write(folder.path().join("release"), "JAVA_VERSION=\"21.0.8\"").expect("written");
        let java = folder.path().join("bin/java");
        for given in [folder.path(), &java] {
            assert_eq!(find(Some(given), Some(25)).expect("it is there"), Jvm { version: Some(21), java: java.clone() });
        }
    }
}
