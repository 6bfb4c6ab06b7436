//! Who refers to whom among the owners of the classes of one jar.
//!
//! An application refers to its libraries, they never refer back: that tells both apart without knowing either.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::Entries;
use super::constants;
use super::packages::{class_of, package_of};

/// Bytes of a class that are read at most.
pub(super) const MOST_CLASS_BYTES: u64 = 16 << 20;

/// What the classes of a jar refer to, by packages with dots.
#[derive(Debug, Default)]
pub(super) struct Referring(Vec<(String, BTreeSet<String>)>);

impl Referring {
    /// Reads the classes of the jar that are `wanted` by their package.
    pub(super) fn read(entries: &mut dyn Entries, wanted: &dyn Fn(&str) -> bool) -> Self {
        let dotted = |class: &str| package_of(class).replace('/', ".");
        let is_wanted = |name: &&String| class_of(name, "").is_some_and(|class| wanted(&dotted(class)));
        let names: Vec<String> = entries.names().iter().filter(is_wanted).cloned().collect();
        let mut classes = Vec::new();
        for name in &names {
            let Some(class) = class_of(name, "") else { continue };
            let bytes = entries.read(name, MOST_CLASS_BYTES).unwrap_or_default();
            classes.push((dotted(class), constants::referenced(&bytes).into_iter().map(dotted).collect()));
        }
        Self(classes)
    }

    /// Who refers to whom, where `owner` says whose a package is.
    pub(super) fn between(&self, owner: impl Fn(&str) -> &str) -> References {
        let mut references = References::default();
        for (package, _) in &self.0 {
            *references.classes.entry(owner(package).to_owned()).or_default() += 1;
        }
        for (package, packages) in &self.0 {
            let from = owner(package);
            let to: BTreeSet<&str> = packages.iter().map(|package| owner(package)).collect();
            for to in to.into_iter().filter(|to| *to != from && references.classes.contains_key(*to)) {
                *references.into.entry(to.to_owned()).or_default().entry(from.to_owned()).or_default() += 1;
            }
        }
        references
    }
}

/// References between owners: packages as far as they name one, with dots.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Classes of each owner.
    classes: BTreeMap<String, usize>,
    /// For an owner, how many classes of each other one refer to it.
    into: BTreeMap<String, BTreeMap<String, usize>>,
}

impl References {
    /// Owners whose classes refer to `to` for the most part, so that they are no libraries of it.
    pub(super) fn devoted_to(&self, to: &str) -> Vec<String> {
        let referring = self.into.get(to).into_iter().flatten();
        let most = referring.filter(|(from, classes)| **classes * 2 >= self.classes[*from]);
        most.map(|(from, _)| from.clone()).collect()
    }

    /// Owners with classes that refer to `to`.
    pub(super) fn referring_to(&self, to: &str) -> impl Iterator<Item = &str> {
        self.into.get(to).into_iter().flatten().map(|(from, _)| from.as_str())
    }

    /// The owner to which none but `launcher` refers and that refers to the most others, with their number: what
    /// stands on everything else.
    pub(super) fn top(&self, launcher: &str) -> Option<(&str, usize)> {
        let is_top = |owner: &&String| *owner != launcher && self.referring_to(owner).all(|from| from == launcher);
        let refers = |owner: &str| self.into.values().filter(|from| from.contains_key(owner)).count();
        let tops = self.classes.keys().filter(is_top).map(|owner| (owner.as_str(), refers(owner)));
        tops.max_by_key(|(owner, others)| (*others, std::cmp::Reverse(*owner)))
    }
}
