//! What a command that runs a JVM starts, and whose classes of that are the service's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::archive::{Archive, Entries};
use super::folder::{Folders, jars_in};
use super::layout;
use super::manifest::Manifest;
use super::nested::Coordinates;
use super::own::Application;
use super::packages::{Packages, class_of, domain, package_of, project};
use super::references::MOST_CLASS_BYTES;
use super::scope::Scope;
use super::webapp::{self, WebApp};
use super::{Library, constants, endpoints, nested, read, relocated};

/// Options of `java` whose value is the next word.
const WITH_VALUE: [&str; 10] = [
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--add-opens",
    "--add-exports",
    "--add-reads",
    "--limit-modules",
    "--patch-module",
    "--enable-native-access",
];
/// Those of them that name a class path.
const CLASS_PATH: [&str; 3] = ["-cp", "-classpath", "--class-path"];
/// Where builds put the classes of a project, below its folder: Maven, and Gradle by language.
const BUILT: [&str; 5] = [
    "target/classes",
    "build/classes/java/main",
    "build/classes/kotlin/main",
    "build/classes/groovy/main",
    "build/classes/scala/main",
];
/// Main classes of containers that serve an application at the root unless `--path` says otherwise: jetty-runner, webapp-runner.
const AT_ROOT: [&str; 2] = ["org.eclipse.jetty.runner.Runner", "webapp.runner.launch.Main"];
/// What separates the parts of a class path, except on Windows.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// What a process was started by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JvmCommand {
    /// The words of its command.
    pub words: Vec<String>,
    /// The folder that it works in.
    pub folder: PathBuf,
    /// The files that it has open, the JVM's own left out, once it runs.
    pub open: Option<Vec<PathBuf>>,
}

impl JvmCommand {
    /// Whose classes are the service's, where it starts a JVM; `named` are packages that its user names.
    ///
    /// None where it starts none, where its jars cannot be read, and where that is to be seen when it runs: a server or a tool
    /// that begins in a jar may load the service from jars of which its class path says nothing, unless it is its project that
    /// serves HTTP there.
    pub fn scope(&self, named: &[String]) -> Option<Scope> {
        if let Some(scope) = self.served(named) {
            return Some(scope);
        }
        let scope = match Started::of(&self.words)? {
            Started::Jar(jar) => read(&self.folder.join(jar), named).ok().map(|jar| jar.scope()),
            Started::Class { class_path, main_class } => {
                let (files, folders) = parts(&class_path, &self.folder);
                self.of_class_path(&files, folders, &main_class, named)
            }
        };
        scope.filter(|scope| *scope != Scope::default()).or_else(|| self.of_build(named))
    }

    /// Whose classes are those of the web applications that a container serves; none where it starts no container, or nothing
    /// tells.
    pub fn served(&self, named: &[String]) -> Option<Scope> {
        webapp::scope(&self.web_apps(&Started::of(&self.words)?), named)
    }

    /// Below which paths a container of web applications serves them, as far as their names and its arguments tell; none where it
    /// starts no container.
    pub fn context_paths(&self) -> Option<BTreeSet<String>> {
        let started = Started::of(&self.words)?;
        let apps = self.web_apps(&started);
        if apps.is_empty() {
            return None;
        }
        if started.serves_at_root(&self.folder) {
            let given = self.words.iter().zip(self.words.iter().skip(1)).filter(|(name, _)| *name == "--path");
            let paths = given.map(|(_, path)| path.trim_matches('/')).filter(|path| !path.is_empty());
            return Some(paths.map(|path| format!("/{path}")).collect());
        }
        Some(apps.iter().filter_map(WebApp::context_path).collect())
    }

    /// The service's classes are those that a build left in the folder in which it works, where a build tool runs them: its command
    /// names that folder, or something else that a build left there.
    fn of_build(&self, named: &[String]) -> Option<Scope> {
        // An empty path is where restive works.
        let here = Path::new(".").join(&self.folder).canonicalize().ok()?;
        let outputs = BUILT.iter().filter_map(|built| Some(here.join(Path::new(built).iter().next()?)));
        let outputs: BTreeSet<PathBuf> = outputs.collect();
        let is_of_build = |value: &str| {
            let path = self.folder.join(value).canonicalize();
            !value.is_empty() && path.is_ok_and(|path| path == here || outputs.iter().any(|output| path.starts_with(output)))
        };
        let is_tool = self.words.iter().skip(1).any(|word| is_of_build(word.split_once('=').map_or(word, |(_, value)| value)));
        let folders: Vec<PathBuf> = BUILT.iter().map(|built| here.join(built)).filter(|built| built.is_dir()).collect();
        if !is_tool || folders.is_empty() {
            return None;
        }
        let scope = beside(&mut Folders::over(folders), &here, &layout::Folders::default(), "", &mut [], named);
        (!scope.include.is_empty()).then_some(scope)
    }

    /// The applications of a container; one that starts itself is none.
    fn web_apps(&self, started: &Started) -> BTreeSet<WebApp> {
        let mut apps = WebApp::named(&self.words, &self.folder);
        if let Started::Jar(jar) = started {
            apps.remove(&WebApp::File(self.folder.join(jar)));
        }
        apps
    }

    /// The service's classes are those beside its main class, and what is a part of it by packages, group and version. Where a
    /// library starts it, they are those that were built, and not told without these.
    fn of_class_path(&self, files: &[PathBuf], folders: Vec<PathBuf>, main_class: &str, named: &[String]) -> Option<Scope> {
        if let Some(scope) = folders.iter().find_map(|folder| of_unpacked(folder, main_class, named)) {
            return Some(scope);
        }
        let class_file = format!("{}.class", main_class.replace('.', "/"));
        let is_built = folders.iter().any(|folder| folder.join(&class_file).is_file());
        let mut main = None;
        let mut libraries = Vec::new();
        for file in files {
            let Ok(mut jar) = Archive::open(file) else { continue };
            if is_built || main.is_some() || !is_of(&mut jar, main_class, &class_file) {
                libraries.push(nested::describe(&mut jar, &file.to_string_lossy(), false));
            } else {
                main = Some((jar, file));
            }
        }
        if let Some((jar, file)) = &mut main
            && (layout::is_launcher_of_quarkus(main_class) || !layout::Folders::of(&manifest_of(jar), jar).classes.is_empty())
        {
            // What is loaded is what lies inside it, or what it names.
            return read(file, named).ok().map(|jar| jar.scope());
        }
        let has_classes = |built: &Folders| built.names().iter().any(|name| class_of(name, "").is_some());
        let mut built = if main.is_some() || is_built { Folders::over(folders) } else { return None };
        let apart = layout::Folders::default();
        match &mut main {
            Some((jar, file)) if !has_classes(&built) => {
                let release = nested::of_file(jar, file);
                let is_told = !named.is_empty() || self.is_service(&release, main_class, files, &libraries);
                is_told.then(|| beside(jar, file, &apart, main_class, &mut libraries, named))
            }
            _ => Some(beside(&mut built, Path::new(""), &apart, main_class, &mut libraries, named)),
        }
    }

    /// Whether the jar of the main class is the service's own, on a class path of these `files`, and not a server or a tool that
    /// starts it: nothing else is loaded, and nobody else uses it; or it is its project that serves HTTP.
    fn is_service(&self, release: &Coordinates, main_class: &str, files: &[PathBuf], libraries: &[Library]) -> bool {
        // What was built and released with it may have packages of its own, and is nobody else.
        let is_module = |library: &&Library| library.coordinates.is_of_release(release);
        let others = libraries.iter().filter(|library| !is_module(library)).map(|library| Path::new(&library.place));
        let owner = package_of(main_class);
        let files = || files.iter().map(PathBuf::as_path);
        // Others also refer to the owner of many projects, of which the service is one; and it may load plugins.
        let serves = || endpoints::project_of_most(files()).as_deref() == Some(project(owner));
        self.loads_only(files()) && !is_referred_to(domain(owner), others) || serves()
    }

    /// Whether it loads no jars but these.
    fn loads_only<'a>(&self, jars: impl Iterator<Item = &'a Path>) -> bool {
        let known: BTreeSet<PathBuf> = jars.filter_map(|jar| self.folder.join(jar).canonicalize().ok()).collect();
        let is_jar = |file: &&PathBuf| file.extension().is_some_and(|end| end == "jar" || end == "war");
        self.open.as_ref().is_some_and(|open| open.iter().filter(is_jar).all(|jar| known.contains(jar)))
    }
}

/// What a JVM runs.
#[derive(Debug, PartialEq, Eq)]
enum Started {
    Jar(String),
    Class { class_path: String, main_class: String },
}

impl Started {
    /// What the words after the first `java` say.
    fn of(command: &[String]) -> Option<Self> {
        let is_java = |word: &&String| Path::new(word).file_stem().is_some_and(|stem| stem == "java");
        let mut words = command.iter().skip_while(|word| !is_java(word)).skip(1);
        let mut class_path = ".".to_owned();
        while let Some(word) = words.next() {
            let (name, value) = word.split_once('=').map_or((word.as_str(), None), |(name, value)| (name, Some(value)));
            if word == "-jar" {
                return words.next().cloned().map(Self::Jar);
            } else if CLASS_PATH.contains(&name) {
                class_path = value.map_or_else(|| words.next().cloned(), |value| Some(value.to_owned()))?;
            } else if WITH_VALUE.contains(&word.as_str()) {
                words.next()?;
            } else if !word.starts_with('-') {
                // A file of arguments is read by nobody but the JVM.
                let is_class = !word.starts_with('@') && !word.contains('/');
                return is_class.then(|| Self::Class { class_path, main_class: word.clone() });
            }
        }
        None
    }

    /// Whether it is a container, working in `folder`, that serves an application at the root, whatever that is called.
    fn serves_at_root(&self, folder: &Path) -> bool {
        let of_jar = |jar| Some(manifest_of(&mut Archive::open(&folder.join(jar)).ok()?).get("Main-Class")?.to_owned());
        let main_class = match self {
            Self::Jar(jar) => of_jar(jar),
            Self::Class { main_class, .. } => Some(main_class.clone()),
        };
        main_class.is_some_and(|main_class| AT_ROOT.contains(&main_class.as_str()))
    }
}

/// Whose classes are the service's when `folder` is a jar that was unpacked, with own classes and libraries apart, and starts with
/// `main_class`.
fn of_unpacked(folder: &Path, main_class: &str, named: &[String]) -> Option<Scope> {
    let manifest = Manifest::parse(&fs::read_to_string(folder.join("META-INF/MANIFEST.MF")).ok()?);
    let is_started = manifest.get("Main-Class") == Some(main_class);
    let classes = manifest.get("Spring-Boot-Classes").filter(|_| is_started)?;
    let libraries = manifest.get("Spring-Boot-Lib").map(|lib| nested::at(&jars_in(&folder.join(lib))));
    let mut built = Folders::over(vec![folder.join(classes)]).described_at(folder);
    let start_class = manifest.get("Start-Class").unwrap_or_default();
    let mut libraries = libraries.unwrap_or_default();
    Some(beside(&mut built, folder, &layout::Folders::default(), start_class, &mut libraries, named))
}

/// The jars and the folders of a class path, in which a `*` stands for all jars of its folder.
fn parts(class_path: &str, folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for part in class_path.split(SEPARATOR).filter(|part| !part.is_empty()) {
        if let Some(above) = part.strip_suffix('*') {
            files.extend(jars_in(&folder.join(above)));
        } else if folder.join(part).is_dir() {
            folders.push(folder.join(part));
        } else {
            files.push(folder.join(part));
        }
    }
    (files, folders)
}

/// Whether the main class is in that jar, or is what it is made to start.
fn is_of(jar: &mut dyn Entries, main_class: &str, class_file: &str) -> bool {
    jar.names().iter().any(|name| name == class_file) || manifest_of(jar).get("Main-Class") == Some(main_class)
}

/// Whether classes of others in one of these jars refer to those of `owner`.
fn is_referred_to<'a>(owner: &str, jars: impl Iterator<Item = &'a Path>) -> bool {
    let owner_of = |class: &str| domain(&package_of(class).replace('/', ".")).to_owned();
    jars.filter_map(|jar| Archive::open(jar).ok()).any(|mut jar| {
        let names = jar.names().to_vec();
        let others = names.iter().filter(|name| class_of(name, "").is_some_and(|class| owner_of(class) != owner));
        others
            .filter_map(|name| jar.read(name, MOST_CLASS_BYTES))
            .any(|bytes| constants::referenced(&bytes).into_iter().any(|class| owner_of(class) == owner))
    })
}

/// Whose classes are the service's when its main class is in `archive`, the jar at `path` or folders; empty where a container
/// starts it.
pub(super) fn beside(
    archive: &mut dyn Entries,
    path: &Path,
    folders: &layout::Folders,
    main_class: &str,
    libraries: &mut [Library],
    named: &[String],
) -> Scope {
    let manifest = manifest_of(archive);
    let packages = Packages::of(archive.names(), &folders.classes);
    let relocated = relocated::find(std::iter::once(&packages).chain(libraries.iter().map(|library| &library.packages)));
    let coordinates = nested::of_file(archive, path);
    let layout = layout::find(&manifest, main_class, folders, &packages, libraries).value;
    let mut application = Application {
        main_class,
        manifest: &manifest,
        version: manifest.get("Implementation-Version").map(str::to_owned).or(coordinates.version.clone()),
        coordinates,
        folder: &folders.classes,
        layout,
        packages: &packages,
        relocated: &relocated,
        named,
        archive,
    };
    let own = application.find(libraries).packages;
    Scope::of(&own, &relocated, libraries)
}

fn manifest_of(entries: &mut dyn Entries) -> Manifest {
    Manifest::parse(&entries.read_text("META-INF/MANIFEST.MF").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::Started;

    fn started(command: &str) -> Option<Started> {
        Started::of(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_command_tells_its_jar_or_its_class_path_and_main_class() {
        let class = |class_path: &str, main_class: &str| {
            Some(Started::Class { class_path: class_path.to_owned(), main_class: main_class.to_owned() })
        };
        let jar = |file: &str| Some(Started::Jar(file.to_owned()));
        assert_eq!(started("java -Xmx1g -jar app.jar --port=1"), jar("app.jar"));
        assert_eq!(started("env A=b /jdk/bin/java -cp a:b/* com.acme.Main 8080"), class("a:b/*", "com.acme.Main"));
        assert_eq!(started("java --class-path=a --add-opens java.base/java.util=ALL-UNNAMED Main"), class("a", "Main"));
        assert_eq!(started("java Main -jar x"), class(".", "Main"));
        for other in ["mvn spring-boot:run", "java -version", "java @arguments", "java", "java a/App.java", "java -m m/a.B"] {
            assert_eq!(started(other), None, "{other}");
        }
    }
}
