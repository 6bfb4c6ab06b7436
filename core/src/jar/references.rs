//! Who refers to whom among the owners of the classes of one jar.
//!
//! An application refers to its libraries, they never refer back: that tells both apart without knowing either.

use std::collections::{BTreeMap, BTreeSet};

use super::archive::Entries;
use super::constants;
use super::packages::{class_of, domain, package_of};

/// Bytes of a class that are read at most.
const MOST_CLASS_BYTES: u64 = 16 << 20;

/// References between domains: packages as far as they name an owner, with dots.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Classes of each domain.
    classes: BTreeMap<String, usize>,
    /// For a domain, how many classes of each other domain refer to it.
    into: BTreeMap<String, BTreeMap<String, usize>>,
}

impl References {
    /// Reads the classes of the jar that are `wanted` by their package.
    pub(super) fn read(entries: &mut dyn Entries, wanted: &dyn Fn(&str) -> bool) -> Self {
        let owner_of = |package: &str| domain(&package.replace('/', ".")).to_owned();
        let owner = |class: &str| owner_of(package_of(class));
        let is_wanted = |name: &&String| class_of(name, "").is_some_and(|class| wanted(&package_of(class).replace('/', ".")));
        let names: Vec<String> = entries.names().iter().filter(is_wanted).cloned().collect();
        let mut references = Self::default();
        for class in names.iter().filter_map(|name| class_of(name, "")) {
            *references.classes.entry(owner(class)).or_default() += 1;
        }
        for name in &names {
            let (Some(class), Some(bytes)) = (class_of(name, ""), entries.read(name, MOST_CLASS_BYTES)) else { continue };
            let from = owner(class);
            let packages: BTreeSet<&str> = constants::referenced(&bytes).into_iter().map(package_of).collect();
            let to: BTreeSet<String> = packages.into_iter().map(owner_of).collect();
            for to in to.into_iter().filter(|to| *to != from && references.classes.contains_key(to)) {
                *references.into.entry(to).or_default().entry(from.clone()).or_default() += 1;
            }
        }
        references
    }

    /// Domains whose classes refer to `to` for the most part, so that they are no libraries of it.
    pub(super) fn devoted_to(&self, to: &str) -> Vec<String> {
        let referring = self.into.get(to).into_iter().flatten();
        let most = referring.filter(|(from, classes)| **classes * 2 >= self.classes[*from]);
        most.map(|(from, _)| from.clone()).collect()
    }

    /// Domains with classes that refer to `to`.
    pub(super) fn referring_to(&self, to: &str) -> impl Iterator<Item = &str> {
        self.into.get(to).into_iter().flatten().map(|(from, _)| from.as_str())
    }

    /// The domain to which none but `launcher` refers and that refers to the most others, with their number: what
    /// stands on everything else.
    pub(super) fn top(&self, launcher: &str) -> Option<(&str, usize)> {
        let is_top = |domain: &&String| *domain != launcher && self.referring_to(domain).all(|from| from == launcher);
        let refers = |domain: &str| self.into.values().filter(|from| from.contains_key(domain)).count();
        let tops = self.classes.keys().filter(is_top).map(|domain| (domain.as_str(), refers(domain)));
        tops.max_by_key(|(domain, others)| (*others, std::cmp::Reverse(*domain)))
    }
}
