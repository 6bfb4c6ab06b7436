//! Packages with their number of classes, and the conventions by which they are named.

use std::collections::{BTreeMap, BTreeSet};

/// Second parts of package names that belong to a registry or a host of projects, so that the third names the owner:
/// `uk.co.acme`, `com.github.someone`. These are parts of domain names, not libraries.
const SHARED_DOMAINS: [&str; 13] =
    ["ac", "bitbucket", "co", "com", "edu", "github", "gitlab", "googlecode", "gov", "net", "org", "sf", "sourceforge"];

/// Classes per package, packages with dots.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages(BTreeMap<String, usize>);

impl Packages {
    /// Packages of the class files among `names` that lie in `folder`, which is empty or ends with a slash.
    pub(super) fn of(names: &[String], folder: &str) -> Self {
        let mut packages = BTreeMap::new();
        let classes: BTreeSet<&str> = names.iter().filter_map(|name| class_of(name, folder)).collect();
        for class in classes {
            *packages.entry(package_of(class).replace('/', ".")).or_default() += 1;
        }
        Self(packages)
    }

    /// Package and number of classes, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(package, classes)| (package.as_str(), *classes))
    }

    /// Number of classes in all packages.
    pub fn classes(&self) -> usize {
        self.0.values().sum()
    }

    /// Number of classes in `root` and below it.
    pub(super) fn below(&self, root: &str) -> usize {
        self.iter().filter(|(package, _)| is_below(package, root)).map(|(_, classes)| classes).sum()
    }

    /// Whether a class lies right in `package`.
    pub(super) fn has(&self, package: &str) -> bool {
        self.0.contains_key(package)
    }

    /// The packages for which `keep` holds.
    #[must_use]
    pub(super) fn filtered(&self, keep: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(package, _)| keep(package)).map(|(package, classes)| (package.clone(), *classes)).collect())
    }

    /// For each domain the longest package that holds all of the domain's classes, with their number.
    pub(super) fn roots(&self) -> BTreeMap<String, usize> {
        self.roots_by(domain)
    }

    /// The same for each owner.
    pub(super) fn roots_by(&self, owner_of: fn(&str) -> &str) -> BTreeMap<String, usize> {
        let mut owners: BTreeMap<&str, (String, usize)> = BTreeMap::new();
        for (package, classes) in self.iter() {
            let root = owners.entry(owner_of(package)).or_insert_with(|| (package.to_owned(), 0));
            root.0 = common(&root.0, package).to_owned();
            root.1 += classes;
        }
        owners.into_values().collect()
    }
}

/// The class (with slashes, without `.class`) of an entry in `folder`; versions for newer Java are the same class.
pub(super) fn class_of<'a>(name: &'a str, folder: &str) -> Option<&'a str> {
    let class = name.strip_prefix(folder)?.strip_suffix(".class")?;
    let versioned = class.strip_prefix("META-INF/versions/").and_then(|rest| rest.split_once('/')).map(|(_, class)| class);
    let class = versioned.unwrap_or(class);
    let is_other = class.starts_with("META-INF/") || class.starts_with("BOOT-INF/") || class.starts_with("WEB-INF/");
    (!is_other && class != "module-info").then_some(class)
}

/// The package of a class in the same notation; empty for the default package.
pub(super) fn package_of(class: &str) -> &str {
    // Both are single bytes in UTF-8, and no part of any other character.
    class.bytes().rposition(|byte| matches!(byte, b'/' | b'.')).map_or("", |at| &class[..at])
}

/// The part of a package (with dots) that names its owner, as domains do: `com.acme`, `com.github.someone`.
pub(super) fn domain(package: &str) -> &str {
    first_parts(package, n_parts_of_domain(package))
}

/// The part of a package that names a project of its owner, who has several: `org.apache.jena`.
pub(super) fn project(package: &str) -> &str {
    first_parts(package, n_parts_of_domain(package) + 1)
}

/// Whose packages have the most of what is counted by packages (with dots), and how many that is: a project, or an owner with
/// some of it in several. Of those that have as many the first by name.
pub fn most_of(counts: &[(String, u32)]) -> Option<(String, u32)> {
    let mut owners: BTreeMap<&str, (&str, u32)> = BTreeMap::new();
    for (package, n) in counts {
        let owner = owners.entry(domain(package)).or_insert_with(|| (project(package), 0));
        owner.0 = common(owner.0, project(package));
        owner.1 += n;
    }
    let most = owners.into_values().rev().max_by_key(|(_, n)| *n);
    most.map(|(root, n)| (root.to_owned(), n))
}

fn n_parts_of_domain(package: &str) -> usize {
    let second = package.split('.').nth(1).unwrap_or_default();
    if SHARED_DOMAINS.contains(&second) { 3 } else { 2 }
}

fn first_parts(package: &str, n_parts: usize) -> &str {
    package.match_indices('.').nth(n_parts - 1).map_or(package, |(at, _)| &package[..at])
}

/// Whether `package` is `root` or lies below it.
pub(super) fn is_below(package: &str, root: &str) -> bool {
    root.is_empty() || package.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The longest package that both are or lie below.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let ends = one.match_indices('.').map(|(at, _)| at).chain([one.len()]);
    ends.map(|end| &one[..end]).rfind(|root| is_below(other, root)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Packages, domain, most_of, project};

    #[test]
    fn most_is_of_a_project_or_of_an_owner_of_several() {
        let counts = |counts: &[(&str, u32)]| -> Vec<(String, u32)> {
            counts.iter().map(|(package, n)| ((*package).to_owned(), *n)).collect()
        };
        for (given, expected) in [
            (&[("org.engine.bpm.rest", 3), ("org.shop", 5), ("org.engine.bpm.rest.sub", 4)][..], ("org.engine.bpm", 7)),
            (&[("org.engine.rest.task", 3), ("org.engine.dmn.rest", 3)], ("org.engine", 6)),
            (&[("org.b", 1), ("org.a", 1)], ("org.a", 1)),
        ] {
            let found = most_of(&counts(given));
            assert_eq!(found.as_ref().map(|(root, n)| (root.as_str(), *n)), Some(expected));
        }
        assert_eq!(most_of(&[]), None);
    }

    #[test]
    fn domains_name_the_owner() {
        let cases = [
            ("org.mockserver.cli", "org.mockserver"),
            ("com.github.someone.tool.web", "com.github.someone"),
            ("uk.co.acme.shop", "uk.co.acme"),
            ("demo", "demo"),
            ("", ""),
        ];
        for (package, expected) in cases {
            assert_eq!(domain(package), expected);
        }
        let projects = ["org.apache.jena.fuseki.main", "com.github.someone.tool.web", "org.apache", "demo"];
        assert_eq!(projects.map(project), ["org.apache.jena", "com.github.someone.tool", "org.apache", "demo"]);
    }

    #[test]
    fn roots_hold_everything_of_a_domain_and_no_more() {
        let names = ["x/com/acme/shop/web/A.class", "x/com/acme/shop/db/B.class", "x/org/lib/a/C.class", "y/D.class"];
        let packages = Packages::of(&names.map(str::to_owned), "x/");
        let roots: Vec<_> = packages.roots().into_iter().collect();
        assert_eq!(roots, [("com.acme.shop".to_owned(), 2), ("org.lib.a".to_owned(), 1)]);
    }
}
