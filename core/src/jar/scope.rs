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
}

/// The packages that the user `named` as the service's, and which jars are parts of it by that.
pub(super) fn named(named: &[String], libraries: &mut [Library]) -> Vec<Guess<String>> {
    for library in libraries {
        let root = named.iter().find(|root| library.packages.iter().any(|(package, _)| is_below(package, root)));
        library.own = root.map(|root| format!("it has classes below `{root}`, which `--packages` names"));
    }
    named.iter().map(|package| Guess::new(package.clone(), "`--packages` names it")).collect()
}
