//! The JVM services of `apps/`: built once by Maven below `target/e2e/`, their jars and their sources.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::install;
use crate::process::run;
use crate::toolchain::{INSTALL_LIMIT, available, java_from, maven, skip};
use crate::work::{copy_folder, files};

/// The JDK that is there wherever services are built.
const USUAL_JDK: u32 = 17;

/// A service of `apps/`.
#[derive(Debug, Clone, Copy)]
pub struct App {
    /// Its folder.
    pub folder: &'static str,
    /// The name of its jar without `.jar`.
    pub jar: &'static str,
    /// Its package, which is also the path of its only source folder.
    pub package: &'static str,
    /// `java` or `kotlin`: its language, which is the folder and the ending of its sources.
    pub language: &'static str,
}

/// Parcels, on Spring Boot 3.
pub const PARCELS: App = App { folder: "spring-boot-3", jar: "parcels", package: "org.example.parcels", language: "java" };

/// A clinic, on Spring Boot 2.7, in class files of Java 8.
pub const CLINIC: App = App { folder: "spring-boot-2", jar: "clinic", package: "net.example.clinic", language: "java" };

/// A garden, in Kotlin on Javalin, in one jar with all libraries.
pub const GARDEN: App = App { folder: "kotlin-javalin", jar: "garden", package: "org.example.garden", language: "kotlin" };

/// A toll road, on Micronaut, in a jar beside those of its libraries.
pub const TOLL: App = App { folder: "micronaut", jar: "toll", package: "com.example.toll", language: "java" };

/// Ferries, on Jersey 3 and the JDK's HTTP server, without any schema.
pub const FERRY: App = App { folder: "jersey", jar: "ferry", package: "org.example.ferry", language: "java" };

/// A bakery, on Armeria, without any schema.
pub const BAKERY: App = App { folder: "armeria", jar: "bakery", package: "org.example.bakery", language: "java" };

/// Examples of a paper, on Spring Boot 2.7.
pub const PAPER_2: App = App { folder: "paper-spring-boot-2", jar: "paper2", package: "net.example.paper2", language: "java" };

/// The same on Spring Boot 3.
pub const PAPER_3: App = App { folder: "paper-spring-boot-3", jar: "paper3", package: "net.example.paper3", language: "java" };

/// Inputs that no schema names, on six frameworks, in one jar with all libraries.
pub const UNNAMED: App = App { folder: "unnamed-inputs", jar: "unnamed", package: "org.example.unnamed", language: "java" };

/// Parts of multipart bodies, on `RESTEasy` 6 and Tomcat.
pub const FREIGHT: App = App { folder: "resteasy-6", jar: "freight", package: "org.example.freight", language: "java" };

/// Inputs that no schema names, on Quarkus REST.
pub const QUAY: App = App { folder: "quarkus-rest", jar: "quay", package: "org.example.quay", language: "java" };

/// A station, on Spring MVC and Jersey in servlets of one Tomcat, without any schema.
pub const STATION: App = App { folder: "servlets", jar: "station", package: "org.example.station", language: "java" };

/// A depot of trams, in Kotlin on Ktor, without any schema.
pub const DEPOT: App = App { folder: "ktor", jar: "depot", package: "org.example.depot", language: "kotlin" };

/// A lending library, on Spring Data REST, without any controller or schema.
pub const LENDING: App = App { folder: "spring-data-rest", jar: "lending", package: "org.example.lending", language: "java" };

/// An observatory, on Helidon SE, for Java 21, without any schema.
pub const OBSERVATORY: App =
    App { folder: "helidon", jar: "observatory", package: "org.example.observatory", language: "java" };

/// A mill, on Spark, without any schema.
pub const MILL: App = App { folder: "spark", jar: "mill", package: "org.example.mill", language: "java" };

/// A cinema, a servlet in a WAR (`cinema.war`) beside the Tomcat that serves it (`container`).
pub const CINEMA: App = App { folder: "war", jar: "cinema", package: "org.example.cinema", language: "java" };

impl App {
    /// Its jar, built unless an earlier run built the same sources; none when there is no JDK for it or no Maven.
    pub fn build(&self) -> Result<Option<PathBuf>> {
        if !available(&["java", "javac", "mvn"])? {
            return Ok(None);
        }
        let release = self.release()?;
        let jdk = if release > USUAL_JDK { java_from(release) } else { None };
        if release > USUAL_JDK && jdk.is_none() {
            skip(&format!("no JDK {release} or newer"))?;
            return Ok(None);
        }
        let parent = apps().join("pom.xml");
        let built = install::once(&format!("app-{}", self.folder), &self.stamp(&parent)?, |folder| {
            fs::copy(&parent, folder.join("pom.xml"))?;
            let project = folder.join(self.folder);
            copy_folder(&self.sources(), &project)?;
            // What Maven has on this machine is used without asking again for what is new.
            let offline = run(&mut package(&project, jdk.as_deref(), &["-o"]), folder, "maven-offline", INSTALL_LIMIT)?;
            if offline.code != Some(0) {
                run(&mut package(&project, jdk.as_deref(), &[]), folder, "maven", INSTALL_LIMIT)?.success()?;
            }
            Ok(())
        })?;
        Ok(Some(built.join(self.folder).join("target").join(format!("{}.jar", self.jar))))
    }

    /// Its folder in this repository.
    fn sources(&self) -> PathBuf {
        apps().join(self.folder)
    }

    /// The Java that it is compiled for, as its project says; 0 where that says nothing.
    fn release(&self) -> Result<u32> {
        let project = fs::read_to_string(self.sources().join("pom.xml"))?;
        let release = project.split("<maven.compiler.release>").nth(1).and_then(|rest| rest.split('<').next());
        Ok(release.and_then(|release| release.parse().ok()).unwrap_or(0))
    }

    /// Another one for other sources.
    fn stamp(&self, parent: &Path) -> Result<String> {
        let mut hasher = DefaultHasher::new();
        hasher.write(&fs::read(parent)?);
        for file in files(&self.sources())?.iter().filter(|file| !file.starts_with("target")) {
            hasher.write(file.to_string_lossy().as_bytes());
            hasher.write(&fs::read(self.sources().join(file))?);
        }
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// How restive names the statement of `class` (without its package) that is the only line with `text` in its source
    /// `file` (without folders and ending).
    pub fn statement(&self, file: &str, class: &str, text: &str) -> Result<String> {
        let ending = if self.language == "kotlin" { "kt" } else { "java" };
        let folder = self.sources().join("src/main").join(self.language).join(self.package.replace('.', "/"));
        let path = folder.join(file).with_extension(ending);
        let source = fs::read_to_string(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let mut lines = source.lines().enumerate().filter(|(_, line)| line.contains(text)).map(|(idx, _)| idx + 1);
        match (lines.next(), lines.next()) {
            (Some(line), None) => Ok(format!("{}.{class}:{line}", self.package)),
            (first, _) => anyhow::bail!(
                "`{text}` stands in {} lines of `{}`",
                if first.is_some() { "several" } else { "no" },
                path.display()
            ),
        }
    }
}

/// Builds a project, by the JDK whose program `java` this is, or by the usual one.
fn package(project: &Path, java: Option<&Path>, options: &[&str]) -> Command {
    let mut maven = maven();
    if let Some(home) = java.and_then(|java| java.ancestors().nth(2)) {
        maven.env("JAVA_HOME", home);
    }
    maven.args(options).arg("package").current_dir(project);
    maven
}

/// The folder of all services.
fn apps() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("apps")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_by_their_text() -> Result<()> {
        let statement = PARCELS.statement("Tariff", "Tariff", "(900 + grams / 10) / pieces")?;
        assert!(statement.starts_with("org.example.parcels.Tariff:"), "{statement}");
        assert!(PARCELS.statement("Tariff", "Tariff", "pieces").is_err());
        assert!(PARCELS.statement("Tariff", "Tariff", "no such text").is_err());
        Ok(())
    }

    #[test]
    fn projects_say_for_which_java_they_are() -> Result<()> {
        assert_eq!((OBSERVATORY.release()?, BAKERY.release()?), (21, 17));
        Ok(())
    }
}
