//! Packages into which a build moved libraries, so that they do not clash with others.

use std::collections::{BTreeMap, BTreeSet};

use super::Guess;
use super::packages::{Packages, domain, is_below, package_of};

/// First parts of package names that are no words for a part of a program.
const BEGINNINGS: [&str; 2] = ["com", "org"];
/// First parts of package names that are also such words: two of all must stand side by side.
const AMBIGUOUS: [&str; 11] = ["ch", "de", "dev", "edu", "fr", "gov", "io", "jakarta", "javax", "net", "uk"];
/// What build tools and their manuals call such a package.
const NAMES: [&str; 4] = ["relocated", "repackaged", "shaded", "shadowed"];

/// The packages below which whole package names begin again; no one lies below another.
pub(super) fn find<'a>(all: impl Iterator<Item = &'a Packages>) -> Vec<Guess<String>> {
    let mut holders: BTreeSet<&str> = BTreeSet::new();
    let mut children: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (package, _) in all.flat_map(Packages::iter) {
        holders.insert(package);
        let mut below = package;
        while let Some(at) = below.rfind('.') {
            children.entry(&below[..at]).or_default().insert(&below[at + 1..]);
            below = package_of(below);
        }
    }
    let mut found: Vec<Guess<String>> = Vec::new();
    for (package, children) in &children {
        if found.iter().any(|above| is_below(package, &above.value)) {
            continue;
        }
        if let Some(because) = reason(package, children, &holders) {
            found.push(Guess::new((*package).to_owned(), because));
        }
    }
    found
}

/// Why libraries were moved below `package`, if they were.
fn reason(package: &str, children: &BTreeSet<&str>, holders: &BTreeSet<&str>) -> Option<String> {
    let name = package.rsplit('.').next().unwrap_or(package);
    if NAMES.contains(&name) {
        return Some(format!("`{name}` is what build tools call it"));
    }
    // Classes right in `com` belong to a package that only happens to have that name.
    let begins = |child: &&&str| !holders.contains(format!("{package}.{child}").as_str());
    let certain: Vec<_> = children.iter().filter(|child| BEGINNINGS.contains(child)).filter(begins).collect();
    let possible: Vec<_> = children.iter().filter(|child| AMBIGUOUS.contains(child)).filter(begins).collect();
    let is_found = !certain.is_empty() || possible.len() > 1;
    is_found.then(|| {
        let shown: Vec<String> = certain.into_iter().chain(possible).map(|child| format!("`{child}`")).collect();
        format!("package names begin again below it with {}", shown.join(", "))
    })
}

/// Whether what was `moved` could be taken for the service: it lies below its packages, or has no other owner.
pub(super) fn matters(moved: &Guess<String>, own: &[Guess<String>], packages: &Packages) -> bool {
    let is_owner =
        || domain(&moved.value) == moved.value && packages.iter().any(|(package, _)| is_below(package, &moved.value));
    own.iter().any(|root| is_below(&moved.value, &root.value)) || is_owner()
}

#[cfg(test)]
mod tests {
    use super::{Packages, find};

    fn found(packages: &[&str]) -> Vec<String> {
        let names: Vec<String> = packages.iter().map(|package| format!("{}/A.class", package.replace('.', "/"))).collect();
        find([Packages::of(&names, "")].iter()).into_iter().map(|guess| guess.value).collect()
    }

    #[test]
    fn packages_below_which_names_begin_again_are_found() {
        assert_eq!(found(&["wiremock", "wiremock.com.google.common", "wiremock.org.slf4j"]), ["wiremock"]);
        assert_eq!(found(&["com.acme.shop", "com.acme.moved.org.agrona.collections"]), ["com.acme.moved"]);
        assert_eq!(found(&["com.acme.deps.io.netty.util", "com.acme.deps.javax.inject"]), ["com.acme.deps"]);
        assert_eq!(found(&["com.acme.relocated.protobuf"]), ["com.acme.relocated"]);
    }

    #[test]
    fn packages_that_only_share_a_word_are_not() {
        assert!(found(&["com.acme.net.http", "com.acme.web", "com.acme.org", "org.lib"]).is_empty());
    }
}
