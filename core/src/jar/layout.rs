//! How a jar is put together, and which framework reads its port.

use std::fmt;
use std::io::{Read, Seek};

use super::archive::Archive;
use super::manifest::Manifest;
use super::{Guess, Library, Packages, packages};

/// What Quarkus' build writes as main class of a jar with everything in it.
const QUARKUS_GENERATED: &str = "io.quarkus.runner.GeneratedMain";
/// What it writes as main class of a jar beside folders with everything else.
pub(super) const QUARKUS_ENTRY: &str = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

/// How a jar is put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Own classes in a folder, libraries as jars in another, started by Spring Boot's launcher.
    SpringBoot,
    /// Everything unpacked into one jar by Quarkus.
    QuarkusRunner,
    /// Quarkus' folders beside a small jar.
    QuarkusFolders,
    /// Own classes and those of libraries side by side, libraries perhaps moved to other packages.
    Shaded,
    /// Own classes; the class path of the manifest names the libraries.
    Thin,
    /// Own classes and nothing else.
    Plain,
}

/// What serves the requests, as far as the way to set a port depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framework {
    /// Spring Boot.
    SpringBoot,
    /// Quarkus.
    Quarkus,
    /// Micronaut.
    Micronaut,
    /// Something else.
    Other,
}

impl Framework {
    /// Those of all, for a service of which nobody knows what serves it.
    pub const ALL_PORT_VARIABLES: &'static [&'static str] =
        &["SERVER_PORT", "QUARKUS_HTTP_PORT", "MICRONAUT_SERVER_PORT", "PORT"];

    /// The environment variables from which the port is read; the usual ones when the framework is not known.
    pub fn port_variables(self) -> &'static [&'static str] {
        match self {
            Self::SpringBoot => &["SERVER_PORT"],
            Self::Quarkus => &["QUARKUS_HTTP_PORT"],
            Self::Micronaut => &["MICRONAUT_SERVER_PORT"],
            Self::Other => &["PORT", "SERVER_PORT"],
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SpringBoot => "Spring Boot",
            Self::QuarkusRunner => "Quarkus runner",
            Self::QuarkusFolders => "Quarkus folders",
            Self::Shaded => "shaded",
            Self::Thin => "thin",
            Self::Plain => "plain",
        })
    }
}

impl fmt::Display for Framework {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SpringBoot => "Spring Boot",
            Self::Quarkus => "Quarkus",
            Self::Micronaut => "Micronaut",
            Self::Other => "none that is known",
        })
    }
}

/// Owners that the classes of a service without its libraries have at most.
const MOST_OWNERS: usize = 5;

/// Where a jar keeps own classes and libraries; each is empty or ends with a slash.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Folders {
    /// Own classes.
    pub(super) classes: String,
    /// Jars of libraries lie somewhere below.
    pub(super) libraries: String,
}

impl Folders {
    /// As the manifest says, else as the entries show.
    pub(super) fn of<R: Read + Seek>(manifest: &Manifest, archive: &Archive<R>) -> Self {
        let named = manifest.get("Spring-Boot-Classes").map(|folder| format!("{}/", folder.trim_end_matches('/')));
        let shown = ["BOOT-INF/classes/", "WEB-INF/classes/"]
            .into_iter()
            .find(|folder| archive.has(folder) || archive.names().iter().any(|name| name.starts_with(folder)));
        match named.or(shown.map(str::to_owned)) {
            Some(classes) => {
                let above = classes.split_once('/').map_or("", |(above, _)| above);
                Self { libraries: format!("{above}/"), classes }
            }
            None => Self { classes: String::new(), libraries: String::new() },
        }
    }
}

/// The layout that manifest, folders and packages show.
pub(super) fn find(
    manifest: &Manifest,
    main_class: &str,
    folders: &Folders,
    packages: &Packages,
    libraries: &[Library],
) -> Guess<Layout> {
    let domains = packages.roots().len();
    if !folders.classes.is_empty() {
        let start = manifest.get("Start-Class").map(|class| format!(" and the manifest has `Start-Class: {class}`"));
        return Guess::new(Layout::SpringBoot, format!("it has `{}`{}", folders.classes, start.unwrap_or_default()));
    }
    match main_class {
        QUARKUS_GENERATED => Guess::new(Layout::QuarkusRunner, format!("the main class is `{main_class}`")),
        QUARKUS_ENTRY => Guess::new(Layout::QuarkusFolders, format!("the main class is `{main_class}`")),
        _ if !libraries.is_empty() && !is_among_libraries(packages, libraries) => {
            Guess::new(Layout::Thin, format!("it is loaded with {} other jars", libraries.len()))
        }
        _ if domains > 1 => Guess::new(Layout::Shaded, format!("its classes lie in packages of {domains} owners")),
        _ => Guess::new(Layout::Plain, "all its classes lie in packages of one owner"),
    }
}

/// Whether most libraries lie beside the own classes for all that a few jars are loaded, too.
fn is_among_libraries(packages: &Packages, libraries: &[Library]) -> bool {
    let beside: usize = libraries.iter().map(|library| library.packages.classes()).sum();
    packages.roots().len() > MOST_OWNERS && packages.classes() > beside
}

/// The framework whose start classes are there, unmoved.
pub(super) fn framework(packages: &Packages, libraries: &[Library]) -> Guess<Framework> {
    let has = |package: &str| packages.has(package) || libraries.iter().any(|library| library.packages.has(package));
    // Quarkus first: it takes parts of others in.
    let known = [
        (Framework::Quarkus, "io.quarkus.runtime"),
        (Framework::Micronaut, "io.micronaut.runtime"),
        (Framework::SpringBoot, "org.springframework.boot"),
    ];
    match known.into_iter().find(|(_, package)| has(package)) {
        Some((framework, package)) => Guess::new(framework, format!("there are classes in `{package}`")),
        None => Guess::new(Framework::Other, "no class of a framework whose port setting is known is there"),
    }
}

/// Whether a class is part of how Quarkus starts, not of what it starts.
pub(super) fn is_launcher_of_quarkus(main_class: &str) -> bool {
    main_class == QUARKUS_GENERATED || packages::package_of(main_class) == packages::package_of(QUARKUS_ENTRY)
}
