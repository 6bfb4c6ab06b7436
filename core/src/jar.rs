//! What an application's jar tells without being started: how it is laid out, where it begins, which of its packages
//! are the service and which are libraries, and the schema documents in it.
//!
//! [`read`] is the entry point, and [`JvmCommand::scope`] for what other commands start. Nothing here starts a process or
//! calls a service. What does not follow from the format is a [`Guess`] with its reason, and no list of known libraries is
//! behind any of them: a service may well live below `org.springframework`.

mod archive;
mod command;
mod constants;
mod documents;
mod endpoints;
mod error;
mod folder;
mod layout;
mod manifest;
mod nested;
mod own;
mod packages;
mod references;
mod release;
mod relocated;
mod scope;
mod served;
mod texts;
mod webapp;

use std::path::{Path, PathBuf};

pub use command::JvmCommand;
pub use documents::{Document, extract};
pub use error::Error;
pub use layout::{Framework, Layout};
pub use nested::{Coordinates, Library};
pub use packages::{Packages, most_of};
pub use scope::Scope;
pub use served::Served;
pub use texts::Texts;

use archive::Archive;
use manifest::Manifest;
use own::{Application, Found};

/// Something that was concluded, and from what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guess<T> {
    /// What was concluded.
    pub value: T,
    /// From what: a lower-case fragment that reads after "because".
    pub because: String,
}

impl<T> Guess<T> {
    /// A conclusion with its reason.
    pub fn new(value: T, because: impl Into<String>) -> Self {
        Self { value, because: because.into() }
    }
}

/// A jar that can be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jar {
    /// The file.
    pub path: PathBuf,
    /// How it is put together.
    pub layout: Guess<Layout>,
    /// What serves its requests, as far as the way to set a port depends on it.
    pub framework: Guess<Framework>,
    /// What the JVM starts.
    pub main_class: String,
    /// Where the service's own code begins, which a launcher may call; none when nothing tells.
    pub start_class: Option<Guess<String>>,
    /// The least version of Java that can load the main class and the service's own classes.
    pub java: Option<Guess<u16>>,
    /// The application's own version, when the jar names one.
    pub version: Option<String>,
    /// Classes per package, without those of [`Jar::libraries`].
    pub packages: Packages,
    /// Jars that are loaded with it: those inside, and those of its class path.
    pub libraries: Vec<Library>,
    /// Packages that hold the service, each with all below it but [`Jar::relocated`]; no one lies below another.
    pub own: Vec<Guess<String>>,
    /// Packages into which libraries were moved: not the service, though they may lie below its packages.
    pub relocated: Vec<Guess<String>>,
    /// OpenAPI and Swagger documents, the likeliest first.
    pub documents: Vec<Document>,
    /// Below which path it serves, as far as settings in the jar say.
    pub served: Served,
}

impl Jar {
    /// Number of classes in the packages that were taken for the service, whichever jar they are in: a build tool may put
    /// those that it makes beside the service's own.
    pub fn own_classes(&self) -> usize {
        // The root of all packages tells nothing of who wrote them.
        let is_named = self.own.iter().all(|root| !root.value.is_empty());
        let counted = self.libraries.iter().filter(|library| is_named || library.own.is_some());
        let libraries = counted.map(|library| &library.packages);
        std::iter::once(&self.packages).chain(libraries).map(|packages| self.own_of(packages)).sum()
    }

    fn own_of(&self, packages: &Packages) -> usize {
        let own = packages.iter().filter(|(package, _)| is_own(package, &self.own, &self.relocated));
        own.map(|(_, classes)| classes).sum()
    }
}

/// Whether a package lies below those of the service and was not moved there.
fn is_own(package: &str, own: &[Guess<String>], relocated: &[Guess<String>]) -> bool {
    let is_below = |roots: &[Guess<String>]| roots.iter().any(|root| packages::is_below(package, &root.value));
    is_below(own) && !is_below(relocated)
}

/// Reads the jar at `path`; its packages are those that the user `named`, when he did.
///
/// # Errors
/// When it cannot be read, is no jar, or names nothing to start.
pub fn read(path: &Path, named: &[String]) -> Result<Jar, Error> {
    let mut archive = Archive::open(path)?;
    let manifest = Manifest::parse(&archive.read_text("META-INF/MANIFEST.MF").unwrap_or_default());
    let main_class = manifest.get("Main-Class").ok_or_else(|| Error::NoMainClass(path.to_owned()))?.to_owned();
    let folders = layout::Folders::of(&manifest, &archive);
    let packages = Packages::of(archive.names(), &folders.classes);
    let inside = nested::inside(&mut archive, &folders.libraries).into_iter();
    let mut libraries: Vec<Library> = inside.chain(nested::on_class_path(path, &manifest, &main_class)).collect();
    let layout = layout::find(&manifest, &main_class, &folders, &packages, &libraries);
    let framework = layout::framework(&packages, &libraries);
    let relocated = relocated::find(std::iter::once(&packages).chain(libraries.iter().map(|library| &library.packages)));
    let mut application = Application {
        main_class: &main_class,
        manifest: &manifest,
        version: manifest.get("Implementation-Version").map(str::to_owned),
        coordinates: nested::of_file(&mut archive, path),
        folder: &folders.classes,
        layout: layout.value,
        packages: &packages,
        relocated: &relocated,
        named,
        archive: &mut archive,
    };
    let Found { start_class, packages: own } = application.find(&mut libraries);
    Ok(Jar {
        path: path.to_owned(),
        layout,
        framework,
        start_class,
        java: release::find(&mut archive, (&folders.classes, &main_class), &libraries, &|it| is_own(it, &own, &relocated)),
        version: manifest.get("Implementation-Version").map(str::to_owned),
        documents: documents::find(&mut archive, &folders.classes, &libraries),
        served: served::find(&mut archive, &folders.classes),
        relocated: relocated.into_iter().filter(|moved| relocated::matters(moved, &own, &packages)).collect(),
        packages,
        libraries,
        own,
        main_class,
    })
}

#[cfg(test)]
mod tests;
