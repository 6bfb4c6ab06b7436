//! A JDK or a jar, unpacked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

/// Class files below a folder.
pub struct Corpus {
    /// What it is called in the table.
    pub name: String,
    folder: TempDir,
    /// Whether the first part of a path is a module.
    pub has_modules: bool,
    /// Jars that its classes may need.
    pub beside: Vec<PathBuf>,
}

/// One class of a corpus.
pub struct Class {
    /// Its path below the folder of the corpus.
    pub file: PathBuf,
    /// Its name, with dots.
    pub name: String,
    /// Whether it may have probes: not so `java.lang`, which the probes themselves need.
    pub may_have_probes: bool,
}

impl Corpus {
    /// All modules of a JDK.
    pub fn of_jdk(home: &Path) -> Result<Corpus> {
        let folder = tempfile::tempdir()?;
        let mut jimage = Command::new(home.join("bin/jimage"));
        run(jimage.arg("extract").arg("--dir").arg(folder.path()).arg(home.join("lib/modules")))?;
        let release = fs::read_to_string(home.join("release"))?;
        let version = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=")).unwrap_or("?");
        Ok(Corpus { name: format!("JDK {}", version.trim_matches('"')), folder, has_modules: true, beside: Vec::new() })
    }

    /// A jar, unpacked by the `jar` of a JDK, and the jars that its classes may need.
    pub fn of_jar(jar: &Path, beside: &[PathBuf], jdk: &Path) -> Result<Corpus> {
        let folder = tempfile::tempdir()?;
        let jar = jar.canonicalize().with_context(|| format!("cannot find `{}`", jar.display()))?;
        run(Command::new(jdk.join("bin/jar")).arg("xf").arg(&jar).current_dir(folder.path()))?;
        let name = jar.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Corpus { name, folder, has_modules: false, beside: beside.to_vec() })
    }

    /// Where the classes lie.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// All classes, sorted by path; versions for other releases of Java and descriptions of modules are left out.
    pub fn classes(&self) -> Result<Vec<Class>> {
        let mut files = Vec::new();
        collect(self.folder(), "class", &mut files)?;
        files.sort();
        let mut classes = Vec::new();
        for file in files {
            let file = file.strip_prefix(self.folder())?.to_owned();
            let parts = file.iter().skip(usize::from(self.has_modules));
            let name = parts.collect::<PathBuf>().with_extension("").to_string_lossy().replace('/', ".");
            if !name.starts_with("META-INF.") && !name.ends_with("-info") {
                let may_have_probes = !name.starts_with("java.lang.");
                classes.push(Class { file, name, may_have_probes });
            }
        }
        Ok(classes)
    }
}

/// Adds all files below a folder whose name ends so.
pub fn collect(folder: &Path, extension: &str, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, extension, files)?;
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    Ok(())
}

/// Runs a command to its end; gives its output.
pub fn run(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot start {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?} failed: {}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
