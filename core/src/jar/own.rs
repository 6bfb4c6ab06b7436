//! Which packages are the service and which are libraries.
//!
//! With libraries in jars of their own, the application's classes are those beside them, and further modules are told
//! by packages, Maven metadata and versions; where nothing is beside them, by its name. With everything in one jar it is where the start class lies, and who
//! refers to whom ([`Referring`]).

use std::collections::BTreeMap;

use super::archive::Entries;
use super::layout::{self, Layout};
use super::manifest::Manifest;
use super::nested::Coordinates;
use super::packages::{Packages, domain, is_below, package_of, project};
use super::references::{References, Referring};
use super::{Guess, Library, constants, scope};

/// Classes that a package with nothing but a launcher has at most.
const MOST_LAUNCHER_CLASSES: usize = 3;
/// Launchers that are followed one after another.
const MOST_LAUNCHERS: usize = 3;
/// Part of the names of classes that Quarkus makes for each method of the service's endpoints.
const QUARKUS_ENDPOINT: &str = "$quarkusrestinvoker$";

/// What is known of an application before its packages are.
pub(super) struct Application<'a> {
    pub(super) main_class: &'a str,
    pub(super) manifest: &'a Manifest,
    pub(super) version: Option<String>,
    /// Those of its jar or folder.
    pub(super) coordinates: Coordinates,
    /// Where its classes lie.
    pub(super) folder: &'a str,
    pub(super) layout: Layout,
    pub(super) packages: &'a Packages,
    pub(super) relocated: &'a [Guess<String>],
    /// Packages that the user named as the service's.
    pub(super) named: &'a [String],
    pub(super) archive: &'a mut dyn Entries,
}

/// What was concluded.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) start_class: Option<Guess<String>>,
    pub(super) packages: Vec<Guess<String>>,
}

impl Application<'_> {
    /// Finds the service's packages, and marks the jars that are parts of it.
    pub(super) fn find(&mut self, libraries: &mut [Library]) -> Found {
        let mut found = match self.layout {
            Layout::SpringBoot | Layout::Thin | Layout::QuarkusFolders | Layout::Plain => self.find_beside(libraries),
            Layout::QuarkusRunner | Layout::Shaded if self.named.is_empty() => self.find_among(),
            // Who refers to whom takes reading all classes, and would change nothing.
            Layout::QuarkusRunner | Layout::Shaded => Found { start_class: self.start_class_among(), packages: Vec::new() },
        };
        if !self.named.is_empty() {
            found.packages = scope::named(self.named, libraries);
        }
        found
    }

    /// Own classes lie apart from libraries.
    fn find_beside(&mut self, libraries: &mut [Library]) -> Found {
        let mut packages = Vec::new();
        let start_class = if layout::is_launcher_of_quarkus(self.main_class) { None } else { Some(self.start_class()) };
        let place = if self.folder.is_empty() { "in the jar itself".to_owned() } else { format!("in `{}`", self.folder) };
        let unmoved = self.unmoved(self.packages);
        let roots = unmoved.roots().into_iter().filter(|(root, _)| !is_patched(root, self.packages, libraries));
        for (root, classes) in roots.filter(|_| start_class.is_some()) {
            packages.push(Guess::new(root, format!("the application's own {} {place}", counted(classes, "class", "classes"))));
        }
        let is_bare = packages.is_empty() && !libraries.iter().any(|library| self.is_put_apart(library));
        let parts = if is_bare { self.parts(start_class.as_ref(), libraries) } else { BTreeMap::new() };
        let mut roots = packages.clone();
        for library in libraries.iter() {
            let Some(because) = parts.get(&library.place) else { continue };
            roots.extend(self.unmoved(&library.packages).roots().into_keys().map(|root| Guess::new(root, because.clone())));
        }
        for library in libraries.iter_mut() {
            library.own = parts.get(&library.place).cloned().or_else(|| self.reason(library, &roots));
        }
        for library in libraries.iter().filter(|library| !self.is_made_by_build(library)) {
            let Some(because) = &library.own else { continue };
            let roots = self.unmoved(&library.packages).roots();
            for root in roots.into_keys().filter(|root| !is_patched(root, &library.packages, libraries)) {
                packages.push(Guess::new(root, format!("`{}` is a part of the service: {because}", file_name(&library.place))));
            }
        }
        let narrowed = packages.into_iter().flat_map(|root| self.narrowed(root, libraries)).collect();
        Found { start_class, packages: outermost(narrowed) }
    }

    /// The packages of own projects below `root`, where that is the domain of an owner whose other projects are libraries here; else
    /// itself.
    fn narrowed(&self, root: Guess<String>, libraries: &[Library]) -> Vec<Guess<String>> {
        let has_any = |packages: &Packages| packages.iter().any(|(package, _)| is_below(package, &root.value));
        let (own, others): (Vec<&Library>, Vec<&Library>) = libraries.iter().partition(|library| library.own.is_some());
        let is_shared = others.iter().any(|library| has_any(&library.packages));
        if root.value.is_empty() || root.value != domain(&root.value) || !is_shared {
            return vec![root];
        }
        let packages = own.iter().map(|library| &library.packages).chain([self.packages]);
        let projects = packages.flat_map(|packages| self.unmoved(packages).roots_by(project).into_keys());
        let below = projects.filter(|project| is_below(project, &root.value));
        below.map(|project| Guess::new(project, format!("{}; others are in `{}` as well", root.because, root.value))).collect()
    }

    /// Jars that an application without classes of its own is put together from, with the reason: the one where it starts, else
    /// those of its name in the version that most of them have.
    fn parts(&self, start_class: Option<&Guess<String>>, libraries: &[Library]) -> BTreeMap<String, String> {
        let start = start_class.map(|start| start.value.as_str()).filter(|start| !package_of(start).is_empty());
        if let Some(start) = start {
            let with_start = libraries.iter().filter(|library| library.packages.has(package_of(start)));
            let because = format!("the start class `{start}` is in a package of it");
            let parts: BTreeMap<String, String> = with_start.map(|it| (it.place.clone(), because.clone())).collect();
            if !parts.is_empty() {
                return parts;
            }
        }
        let name = first_word(&self.coordinates.artifact);
        let mut versions: BTreeMap<Option<&str>, Vec<&Library>> = BTreeMap::new();
        for library in libraries.iter().filter(|it| !name.is_empty() && first_word(&it.coordinates.artifact) == name) {
            versions.entry(library.coordinates.version.as_deref()).or_default().push(library);
        }
        let of_version = versions.into_values().max_by_key(Vec::len).unwrap_or_default();
        let because = format!("the application has no classes of its own, and its name begins with `{name}` as well");
        of_version.into_iter().map(|library| (library.place.clone(), because.clone())).collect()
    }

    /// Whether the build says where the application's own jars are, and this is one of them.
    fn is_put_apart(&self, library: &Library) -> bool {
        self.layout == Layout::QuarkusFolders && library.place.rsplit('/').nth(1) == Some("app")
    }

    /// Whether the build made it: with documents of the application, and classes beside those of it and of libraries.
    fn is_made_by_build(&self, library: &Library) -> bool {
        self.layout == Layout::QuarkusFolders && library.place.rsplit('/').nth(1) == Some("quarkus")
    }

    /// Why a jar is a part of the service, if it is.
    fn reason(&self, library: &Library, roots: &[Guess<String>]) -> Option<String> {
        if self.is_put_apart(library) {
            return Some("Quarkus' build puts the application's jars into `app`".to_owned());
        }
        if self.is_made_by_build(library) {
            return Some("Quarkus' build made it for the application".to_owned());
        }
        let packages = self.unmoved(&library.packages);
        let holds_most = |root: &&Guess<String>| {
            let classes = packages.below(&root.value);
            classes > 0 && classes * 2 >= packages.classes() && !root.value.is_empty()
        };
        if let Some(root) = roots.iter().find(holds_most) {
            return Some(format!("its classes lie below `{}`", root.value));
        }
        let version = self.version.as_deref();
        let is_same_version = version.is_some() && library.coordinates.version.as_deref() == version;
        if !is_same_version {
            return None;
        }
        let version = version.unwrap_or_default();
        if let Some(group) = self.coordinates.group.as_ref().filter(|group| library.coordinates.group.as_ref() == Some(group)) {
            return Some(format!("it has the application's Maven group `{group}` and version {version}"));
        }
        let title = self.manifest.get("Implementation-Title")?;
        let is_same_name = !first_word(title).is_empty() && first_word(title) == first_word(&library.coordinates.artifact);
        is_same_name.then(|| format!("it has the application's version {version} and a name that begins like `{title}`"))
    }

    /// Own classes and libraries lie side by side.
    fn find_among(&mut self) -> Found {
        let start_class = self.start_class_among();
        let unmoved = self.unmoved(self.packages);
        let referring = Referring::read(self.archive, &|package| unmoved.has(package));
        let launcher = package_of(self.main_class);
        let seed = match &start_class {
            Some(start) => {
                Some(Guess::new(package_of(&start.value).to_owned(), format!("the start class `{}` is there", start.value)))
            }
            None => self.endpoints().or_else(|| top(&referring.between(domain), domain(launcher))),
        };
        let Some(seed) = seed else { return Found { start_class, packages: Vec::new() } };
        let packages = match whole(&referring, &unmoved, &seed, launcher, domain) {
            Ok(packages) => packages,
            Err(stranger) => {
                // Others use what lies beside the service: only its own project is the service, or its own branch of that.
                let owner = domain(&seed.value);
                let because = format!("{}; what else is in `{owner}` is used by others such as `{stranger}`", seed.because);
                let seed = Guess::new(seed.value.clone(), because);
                let found = Some(project).filter(|project| project(&seed.value) != owner);
                let found = found.and_then(|project| whole(&referring, &unmoved, &seed, launcher, project).ok());
                found.unwrap_or_else(|| vec![Guess::new(branch(&unmoved, &seed.value), seed.because)])
            }
        };
        Found { start_class, packages: outermost(packages) }
    }

    /// The class where own code begins, where it lies beside libraries; what starts a runner of Quarkus is a part of that.
    fn start_class_among(&mut self) -> Option<Guess<String>> {
        (self.layout == Layout::Shaded).then(|| self.start_class())
    }

    /// The class where own code begins: that of the manifest, else what launchers lead to.
    fn start_class(&mut self) -> Guess<String> {
        if let Some(class) = self.manifest.get("Start-Class") {
            return Guess::new(class.to_owned(), "the manifest names it as `Start-Class`");
        }
        let mut start = Guess::new(self.main_class.to_owned(), "it is the main class");
        for _ in 0..MOST_LAUNCHERS {
            let Some(next) = self.follow(&start.value) else { break };
            start = Guess::new(next, format!("the launcher `{}` refers to it", start.value));
        }
        start
    }

    /// The class that a launcher refers to: of the owner with the most classes in this jar. What refers to several of them is no
    /// launcher but a small service, and they are a library.
    fn follow(&mut self, class: &str) -> Option<String> {
        let unmoved = self.unmoved(self.packages);
        let sizes = |owner: &str| -> usize {
            unmoved.iter().filter(|(package, _)| domain(package) == owner).map(|(_, classes)| classes).sum()
        };
        let owner = domain(package_of(class)).to_owned();
        let beside: usize = self.packages.iter().filter(|(package, _)| *package == package_of(class)).map(|(_, n)| n).sum();
        if sizes(&owner) > MOST_LAUNCHER_CLASSES || beside > MOST_LAUNCHER_CLASSES {
            return None;
        }
        let bytes = self.archive.read(&format!("{}{}.class", self.folder, class.replace('.', "/")), 1 << 20)?;
        let referenced = constants::referenced(&bytes).into_iter().map(|name| name.replace('/', "."));
        let others = referenced.filter(|name| unmoved.has(package_of(name)) && domain(package_of(name)) != owner);
        let others: Vec<String> = others.collect();
        let next = others.iter().max_by_key(|name| sizes(domain(package_of(name))))?;
        let is_beside = |name: &&String| domain(package_of(name)) == domain(package_of(next));
        let is_one = others.iter().filter(is_beside).all(|name| outermost_class(name) == outermost_class(next));
        is_one.then(|| next.clone())
    }

    /// The package that holds all endpoints for which Quarkus made classes.
    fn endpoints(&self) -> Option<Guess<String>> {
        let names = self.archive.names().iter().filter(|name| name.contains(QUARKUS_ENDPOINT)).cloned().collect::<Vec<_>>();
        let endpoints = self.unmoved(&Packages::of(&names, self.folder));
        let (root, classes) = endpoints.roots().into_iter().max_by_key(|(_, classes)| *classes)?;
        Some(Guess::new(root, format!("Quarkus' build made {} for endpoints there", counted(classes, "class", "classes"))))
    }

    /// What of `packages` was not moved there from elsewhere: a launcher may lie right where libraries were moved to.
    fn unmoved(&self, packages: &Packages) -> Packages {
        let launcher = package_of(self.main_class);
        packages.filtered(|package| {
            let moved = self.relocated.iter().find(|moved| is_below(package, &moved.value));
            moved.is_none_or(|moved| moved.value == package && package == launcher)
        })
    }
}

/// All of the owner of `seed`, and what stands on that for the most part; or who else refers to it.
fn whole(
    referring: &Referring,
    packages: &Packages,
    seed: &Guess<String>,
    launcher: &str,
    owner_of: fn(&str) -> &str,
) -> Result<Vec<Guess<String>>, String> {
    let references = referring.between(owner_of);
    let (owner, launcher) = (owner_of(&seed.value), owner_of(launcher));
    let mut devoted = references.devoted_to(owner);
    devoted.retain(|other| other != launcher);
    let is_own = |from: &str| from == launcher || devoted.iter().any(|other| other == from);
    // What the owner does not know is no library of it: other commands in the same jar, plug-ins.
    let is_library = |from: &str| references.referring_to(from).any(|by| by == owner);
    if let Some(stranger) = references.referring_to(owner).find(|from| !is_own(from) && is_library(from)) {
        return Err(stranger.to_owned());
    }
    let root = |owner: &str| {
        let of_owner = packages.filtered(|package| owner_of(package) == owner);
        of_owner.roots().into_keys().next().unwrap_or_else(|| owner.to_owned())
    };
    let mut own = vec![Guess::new(root(owner), format!("{}, and no library refers to `{owner}`", seed.because))];
    let others = devoted.iter().map(|other| Guess::new(root(other), format!("most of its classes refer to `{owner}`")));
    own.extend(others);
    Ok(own)
}

/// What stands on everything else, when nothing says where the service begins.
fn top(references: &References, launcher: &str) -> Option<Guess<String>> {
    let (domain, others) = references.top(launcher)?;
    Some(Guess::new(domain.to_owned(), format!("nothing but the launcher refers to it, and it refers to {others} others")))
}

/// The class that an inner one lies in.
fn outermost_class(name: &str) -> &str {
    name.split('$').next().unwrap_or(name)
}

/// The package of the service around `package`: upwards until a package has several branches.
fn branch(packages: &Packages, package: &str) -> String {
    let mut root = package;
    loop {
        let is_leaf = packages.iter().all(|(other, _)| other == root || !is_below(other, root));
        let above = package_of(root);
        if !is_leaf || above.len() <= domain(package).len() {
            return root.to_owned();
        }
        root = above;
    }
}

/// The guesses without those that lie below another.
fn outermost(mut guesses: Vec<Guess<String>>) -> Vec<Guess<String>> {
    let mut kept: Vec<Guess<String>> = Vec::new();
    // Stable, so that of equals the first reason stays.
    guesses.sort_by(|one, other| one.value.cmp(&other.value));
    for guess in guesses {
        let is_covered = kept.iter().any(|above| is_below(&guess.value, &above.value) && !above.value.is_empty());
        if !is_covered && !kept.iter().any(|same| same.value == guess.value) {
            kept.push(guess);
        }
    }
    kept
}

fn first_word(name: &str) -> String {
    name.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase()
}

/// Whether `root` is of another library, in which the service or a part of it with these packages has a few classes beside its
/// own: it patches that.
fn is_patched(root: &str, packages: &Packages, libraries: &[Library]) -> bool {
    let classes = packages.below(root);
    let of_others = libraries.iter().filter(|library| library.own.is_none());
    classes * 2 < packages.classes() && of_others.into_iter().any(|library| library.packages.below(root) > classes)
}

fn file_name(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or(place)
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
