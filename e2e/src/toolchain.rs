//! What must be on the machine for some tests: Python, a JDK with Maven, Node.js.
//!
//! Where a toolchain is missing the test says `SKIPPED: …` and ends; with `CI=true` it fails instead.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::install;
use crate::process::run;

/// How long an installation may take.
pub const INSTALL_LIMIT: Duration = Duration::from_mins(10);

/// The folder of files that say how third-party services are installed and started: `e2e/services/`.
pub fn service_files() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("services")
}

/// Whether all of these programs start; if not, says so loudly.
///
/// # Errors
/// When one is missing and the environment variable `CI` is `true`.
pub fn available(programs: &[&str]) -> Result<bool> {
    for program in programs {
        let mut command = Command::new(program);
        let status = command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !status.is_ok_and(|status| status.success()) {
            skip(&format!("`{program} --version` does not run here"))?;
            return Ok(false);
        }
    }
    Ok(true)
}

/// The program `java` of a JDK of this version or newer: that of `PATH`, else an installed one; none when there is none.
pub fn java_from(version: u32) -> Option<PathBuf> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let usual = std::env::split_paths(&on_path).map(|folder| folder.join("java")).find(|java| java.is_file());
    let usual = usual.and_then(|java| java.canonicalize().ok());
    let mut homes: Vec<PathBuf> = usual.and_then(|java| java.ancestors().nth(2).map(Path::to_owned)).into_iter().collect();
    homes.extend(std::env::split_paths(&std::env::var_os("RESTIVE_JDKS").unwrap_or_default()));
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    for folder in ["/usr/lib/jvm", "/usr/java", "/opt/java", "/Library/Java/JavaVirtualMachines"] {
        let mut found: Vec<_> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        found.sort();
        homes.extend(found);
    }
    let is_new_enough = |home: &PathBuf| {
        let release = fs::read_to_string(home.join("release")).unwrap_or_default();
        release_version(&release).is_some_and(|found| found >= version)
    };
    homes.into_iter().filter(is_new_enough).map(|home| home.join("bin/java")).find(|java| java.is_file())
}

/// The version that the file `release` of a JVM tells: 25 for `JAVA_VERSION="25.0.1"`.
fn release_version(text: &str) -> Option<u32> {
    let line = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    line.split(['.', '"', '-', '+']).next()?.parse().ok()
}

/// Says that something is skipped; an error where the environment variable `CI` is `true`.
pub fn skip(reason: &str) -> Result<()> {
    if std::env::var("CI").is_ok_and(|value| value == "true") {
        bail!("{reason}; with CI=true nothing is skipped");
    }
    // Not `eprintln!`, whose text the test frame keeps to itself when the test passes.
    writeln!(std::io::stderr(), "SKIPPED: {reason}")?;
    Ok(())
}

/// The folder of a Python environment with the packages of a requirements file; `bin/python` is in it.
///
/// It is made again when the content of the file changes.
pub fn python_environment(name: &str, requirements: &Path) -> Result<PathBuf> {
    let version = fs::read_to_string(requirements).with_context(|| format!("cannot read `{}`", requirements.display()))?;
    install::once(name, &version, |folder| {
        let environment = folder.join("python");
        run(Command::new("python3").args(["-m", "venv"]).arg(&environment), folder, "venv", INSTALL_LIMIT)?.success()?;
        let mut pip = Command::new(environment.join("bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]).arg(requirements);
        run(&mut pip, folder, "pip", INSTALL_LIMIT)?.success()?;
        Ok(())
    })
    .map(|folder| folder.join("python"))
}

/// The folder into which an npm package (`name@version`) is installed; `node_modules` is in it.
pub fn npm_package(name: &str, package: &str) -> Result<PathBuf> {
    install::once(name, package, |folder| {
        fs::write(folder.join("package.json"), "{\"private\": true}\n")?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", package]);
        run(npm.current_dir(folder), folder, "npm", INSTALL_LIMIT)?.success()?;
        Ok(())
    })
}

/// An option of the JVM for programs that do little for a few seconds: compiled quickly, they are done in two thirds of the
/// time.
pub const SHORT_LIVED: &str = "-XX:TieredStopAtLevel=1";

/// Maven without questions and with little to say.
pub fn maven() -> Command {
    let mut maven = Command::new("mvn");
    let options = std::env::var("MAVEN_OPTS").unwrap_or_default();
    maven.env("MAVEN_OPTS", format!("{SHORT_LIVED} {options}")).args(["-q", "-B"]);
    maven
}

/// The file of a Maven artifact (`group:name:version` or `group:name:version:jar:classifier`).
pub fn maven_artifact(artifact: &str) -> Result<PathBuf> {
    let mut parts = artifact.split(':').skip(1);
    let (name, version) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let classifier = parts.nth(1).map(|classifier| format!("-{classifier}")).unwrap_or_default();
    let folder = install::once(&format!("maven-{name}"), artifact, |folder| {
        let mut maven = maven();
        maven.arg("org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy");
        maven.args([format!("-Dartifact={artifact}"), format!("-DoutputDirectory={}", folder.display())]);
        maven.arg("-Dmdep.useBaseVersion=true").current_dir(folder);
        run(&mut maven, folder, "maven", INSTALL_LIMIT)?.success()?;
        Ok(())
    })?;
    // The plugin names the file `name-version.jar`, or `group.name-version-classifier.jar` when a classifier is given.
    let end = format!("{name}-{version}{classifier}.jar");
    let mut entries = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    match entries.find(|path| path.to_string_lossy().ends_with(&end)) {
        Some(path) => Ok(path),
        None => bail!("no `{end}` in `{}`", folder.display()),
    }
}

/// The folder with the jars of Maven artifacts (`group:name:version` or `group:name:version:jar:classifier`) and of all that
/// they need.
pub fn maven_libraries(name: &str, artifacts: &[&str]) -> Result<PathBuf> {
    let mut dependencies = Vec::new();
    for artifact in artifacts {
        let parts: Vec<&str> = artifact.split(':').collect();
        let [group, name, version, rest @ ..] = &parts[..] else { bail!("`{artifact}` is no `group:name:version`") };
        let classifier = rest.get(1).map(|text| format!("<classifier>{text}</classifier>")).unwrap_or_default();
        dependencies.push(format!(
            "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>{classifier}\
             </dependency>\n"
        ));
    }
    let dependencies = dependencies.concat();
    let project = format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>libraries</artifactId>\
         <version>1</version><packaging>pom</packaging><dependencies>\n{dependencies}</dependencies></project>\n"
    );
    install::once(name, &project, |folder| {
        fs::write(folder.join("pom.xml"), &project)?;
        let mut maven = maven();
        maven.arg("org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies");
        maven.arg(format!("-DoutputDirectory={}", folder.display())).current_dir(folder);
        run(&mut maven, folder, "maven", INSTALL_LIMIT)?.success()?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::release_version;

    #[test]
    fn the_release_file_tells_the_version() {
        assert_eq!(release_version("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.3\"\nOS=\"y\"\n"), Some(25));
        assert_eq!(release_version("JAVA_VERSION=\"26-ea\"\n"), Some(26));
        assert_eq!(release_version("JAVA_VERSION=\"1.8.0_402\"\n"), Some(1));
        assert_eq!(release_version(""), None);
    }
}
