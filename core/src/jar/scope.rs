//! Whose classes are measured: packages as the JVM agent takes them.

use std::collections::BTreeSet;

use super::packages::is_below;
use super::{Guess, Jar, Library};

/// Packages of a service, each with all below it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The service's; empty for every class that is not the platform's.
    pub include: Vec<String>,
    /// Exceptions from these: libraries.
    pub exclude: Vec<String>,
}

impl Jar {
    /// Whose classes are the service's.
    pub fn scope(&self) -> Scope {
        Scope::of(&self.own, &self.relocated, &self.libraries)
    }
}

impl Scope {
    /// Everything but libraries when the service has classes without a package, for which there is no prefix, or when nothing
    /// tells its packages.
    pub(super) fn of(own: &[Guess<String>], relocated: &[Guess<String>], libraries: &[Library]) -> Self {
        let own: Vec<&str> = own.iter().map(|guess| guess.value.as_str()).collect();
        let moved = relocated.iter().map(|guess| guess.value.as_str());
        if own.is_empty() || own.contains(&"") {
            let others = libraries.iter().filter(|library| library.own.is_none());
            let roots = others.flat_map(|library| library.packages.roots().into_keys()).filter(|root| !root.is_empty());
            let exclude: BTreeSet<String> = moved.map(str::to_owned).chain(roots).collect();
            return Self { include: Vec::new(), exclude: exclude.into_iter().collect() };
        }
        let lies_below = |package: &&str| own.iter().any(|root| is_below(package, root) && package != root);
        let exclude = moved.filter(lies_below).map(str::to_owned).collect();
        Self { include: own.into_iter().map(str::to_owned).collect(), exclude }
    }

    /// The same with all classes of a project besides.
    #[must_use]
    pub fn with(&self, project: &str) -> Self {
        let Self { mut include, mut exclude } = self.clone();
        exclude.retain(|package| !is_below(package, project));
        // None stands for all.
        if !include.is_empty() {
            include.push(project.to_owned());
        }
        Self { include, exclude }
    }
}

/// The packages that the user `named` as the service's, and which jars are parts of it by that.
pub(super) fn named(named: &[String], libraries: &mut [Library]) -> Vec<Guess<String>> {
    for library in libraries {
        let root = named.iter().find(|root| library.packages.iter().any(|(package, _)| is_below(package, root)));
        library.own = root.map(|root| format!("it has classes below `{root}`, which `--packages` names"));
    }
    named.iter().map(|package| Guess::new(package.clone(), "`--packages` names it")).collect()
}

#[cfg(test)]
mod tests {
    use super::Scope;

    fn scope(include: &[&str], exclude: &[&str]) -> Scope {
        let owned = |packages: &[&str]| packages.iter().map(|package| (*package).to_owned()).collect();
        Scope { include: owned(include), exclude: owned(exclude) }
    }

    #[test]
    fn a_project_comes_to_what_is_measured() {
        let named = scope(&["com.acme"], &["com.acme.moved"]).with("org.engine");
        assert_eq!(named, scope(&["com.acme", "org.engine"], &["com.acme.moved"]));
        let all = scope(&[], &["org.engine.rest", "org.engines", "org.other"]).with("org.engine");
        assert_eq!(all, scope(&[], &["org.engines", "org.other"]));
    }
}
