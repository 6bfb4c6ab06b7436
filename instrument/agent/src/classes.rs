//! What happens when a class is loaded.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use restive_rewrite::{
    CONSTRAINT_CLASSES, Degraded, Outcome, Plan, Reason, ReplacementFamily, Rewritten, TargetKind, TargetTable, keep_alive,
    observe_constraints, rewrite, track, watch_inputs,
};
use restive_runtime::{Catalogue, Inventory, MeasuredUnit};

use crate::options::{Connections, Expansions, Tracking};
use crate::selection::{Loader, Owner, Selection, package};

/// Internal name of the class that probes report to. In `java.lang`, where every class loader finds it.
pub(crate) const RUNTIME_CLASS: &str = "java/lang/RestiveProbes";

/// Internal name of the class that looks for tracked values.
pub(crate) const TRACKING_CLASS: &str = "java/lang/RestiveTracking";

/// Internal name of the class that notes which inputs are read.
pub(crate) const INPUTS_CLASS: &str = "java/lang/RestiveInputs";
/// Internal name of the class that reads routes of frameworks.
pub(crate) const ROUTES_CLASS: &str = "java/lang/RestiveRoutes";

/// Internal name of the class that numbers stacks of exceptions.
pub(crate) const STACKS_CLASS: &str = "java/lang/RestiveStacks";

/// What the names of all runtime classes begin with.
pub(crate) const RUNTIME_PREFIX: &str = "java/lang/Restive";

/// Why hidden classes have no probes.
const HIDDEN: &str = "a hidden class, which a JVM shows to no agent";
/// Why others were not shown.
const ARCHIVED: &str = "taken from an archive of the JVM (an AOT cache), which it shows to no agent";

/// All classes so far and their targets. Threads that load classes come here at any time.
#[derive(Debug)]
pub(crate) struct Classes {
    selection: Selection,
    plan: Plan,
    connections: Connections,
    table: Mutex<TargetTable>,
    /// Targets of classes that were rewritten to the end.
    targets: AtomicU32,
    inventory: Arc<Inventory>,
    /// Internal names of the service's classes that were shown to the agent, or are known not to be.
    known: Mutex<BTreeSet<String>>,
}

impl Classes {
    /// No class yet, room for this many targets, and calls of these library methods to be measured.
    pub fn new(selection: Selection, targets: u32, replacements: Vec<ReplacementFamily>) -> Self {
        Self {
            selection,
            plan: Plan { replacements, ..Plan::all(RUNTIME_CLASS) },
            connections: Connections::AsServersWant,
            table: Mutex::new(TargetTable::with_capacity(targets)),
            targets: AtomicU32::new(0),
            inventory: Arc::default(),
            known: Mutex::default(),
        }
    }

    /// The same with or without a change of HTTP servers.
    pub fn with_connections(self, connections: Connections) -> Self {
        Self { connections, ..self }
    }

    /// The same with or without hooks for tracked values, in the service's classes and in those of libraries.
    pub fn with_tracking(mut self, tracking: Tracking) -> Self {
        self.plan.tracking = tracking == Tracking::Undisturbed;
        self
    }

    /// The same with or without hooks that tell which inputs are read.
    pub fn with_expansions(mut self, expansions: Expansions) -> Self {
        self.plan.inputs = expansions == Expansions::Told;
        self
    }

    /// Whether it is told which inputs are read.
    pub fn tells_inputs(&self) -> bool {
        self.plan.inputs
    }

    /// What became of the classes.
    pub fn inventory(&self) -> &Arc<Inventory> {
        &self.inventory
    }

    /// The class file to load instead of one that this loader loads; none to load it as it is.
    pub fn loaded(&self, internal_name: &str, loader: Loader, class_file: &[u8]) -> Option<Vec<u8>> {
        let owner = self.selection.owner(internal_name, loader);
        if owner == Owner::Platform {
            return None;
        }
        let changed = if self.connections == Connections::KeptOpen { keep_alive(internal_name, class_file) } else { None };
        if owner == Owner::Library {
            self.inventory.add_foreign(&package(internal_name));
            let is_observed = CONSTRAINT_CLASSES.contains(&internal_name) && !self.plan.replacements.is_empty();
            let changed = if is_observed { observe_constraints(class_file, RUNTIME_CLASS) } else { changed };
            let changed = self.hooked(changed.as_deref().unwrap_or(class_file)).or(changed);
            let watched = watch_inputs(changed.as_deref().unwrap_or(class_file), RUNTIME_CLASS).filter(|_| self.plan.inputs);
            return watched.or(changed);
        }
        // A server is the service's own where nobody said what that is.
        self.measure(internal_name, changed.as_deref().unwrap_or(class_file)).or(changed)
    }

    /// The class of a library with hooks for tracked values; none where it stays without.
    fn hooked(&self, class_file: &[u8]) -> Option<Vec<u8>> {
        if !self.plan.tracking {
            return None;
        }
        track(class_file, RUNTIME_CLASS).unwrap_or_else(|_reason| {
            self.inventory.add_untracked();
            None
        })
    }

    /// A class is loaded; one of the service that was never shown is counted.
    pub fn found(&self, internal_name: &str, loader: Loader) {
        let (name, is_hidden) = match internal_name.split_once('.') {
            Some((name, _)) => (name, true),
            None => (internal_name, false),
        };
        // What a JVM makes of lambdas has no code of its own.
        if name.contains("$$Lambda") || self.selection.owner(name, loader) != Owner::Service {
            return;
        }
        if self.note(name) {
            self.skipped(name, if is_hidden { HIDDEN } else { ARCHIVED });
        }
    }

    /// Notes a class of the service; true when it was not known.
    fn note(&self, internal_name: &str) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(internal_name.to_owned())
    }

    fn measure(&self, internal_name: &str, class_file: &[u8]) -> Option<Vec<u8>> {
        self.note(internal_name);
        let mut table = self.table();
        let outcome = rewrite(class_file, &self.plan, &mut table);
        self.targets.store(table.len(), Ordering::Release);
        match outcome {
            Outcome::Rewritten(rewritten) => {
                self.inventory.add_measured(unit(&rewritten, &table));
                Some(rewritten.bytes)
            }
            Outcome::Unchanged(unchanged) => {
                drop(table);
                match unchanged.reason {
                    // Interfaces and the like lack nothing.
                    Reason::NoCode | Reason::NothingToProbe => {}
                    // Whoever wrote the service did not write it.
                    Reason::Generated => self.inventory.add_foreign(&package(internal_name)),
                    reason => self.skipped(internal_name, reason.to_string()),
                }
                None
            }
        }
    }

    /// A class of the service stays as it was because of `reason`.
    pub fn skipped(&self, internal_name: &str, reason: impl Into<String>) {
        self.inventory.add_skipped(&internal_name.replace('/', "."), reason);
    }

    fn table(&self) -> MutexGuard<'_, TargetTable> {
        // Targets are only added, so the table is whole even if rewriting a class panicked.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The id of the target of fulfilling a constraint on a class of the service, which is told as name of the class (with
    /// dots), property and annotation, a line each; none for others, or when there is no room.
    pub fn constraint(&self, named: &str) -> Option<u32> {
        let [class_name, property, constraint] = named.lines().collect::<Vec<_>>()[..] else { return None };
        if !self.is_own(class_name) {
            return None;
        }
        let mut table = self.table();
        let id = table.constraint(class_name, property, constraint);
        self.targets.store(table.len(), Ordering::Release);
        id
    }

    /// The id of the target of a line of the class of this name (with dots), if it has probes.
    pub fn line(&self, class_name: &str, line: u16) -> Option<u32> {
        self.table().line(class_name, line)
    }

    /// Whether two targets stand at the same place.
    pub fn are_together(&self, one: u32, other: u32) -> bool {
        self.table().are_together(one, other)
    }

    /// Whether the class of this name (with dots) is the service's.
    pub fn is_own(&self, class_name: &str) -> bool {
        self.selection.owner(&class_name.replace('.', "/"), Loader::Other) == Owner::Service
    }

    /// Whether the class of this name (with dots or slashes) may serve requests: it is the service's, or a library's.
    pub fn may_serve(&self, class_name: &str) -> bool {
        self.selection.may_serve(&class_name.replace('.', "/"))
    }

    /// Appends the kinds of the targets after those in `kinds`, up to `end`.
    pub fn append_kinds(&self, kinds: &mut Vec<Option<TargetKind>>, end: usize) {
        if kinds.len() < end {
            let table = self.table();
            kinds.extend((kinds.len()..end).map(|id| u32::try_from(id).ok().and_then(|id| table.kind(id))));
        }
    }
}

/// Most methods named in one unit's account of what it lacks.
const DEGRADED: usize = 20;

fn unit(rewritten: &Rewritten, table: &TargetTable) -> MeasuredUnit {
    let count = |kinds: &[TargetKind]| {
        let is_one = |id: &u32| table.kind(*id).is_some_and(|kind| kinds.contains(&kind));
        u32::try_from(rewritten.new_targets.clone().filter(is_one).count()).unwrap_or(u32::MAX)
    };
    let (lines, branches) = (count(&[TargetKind::Line]), count(&[TargetKind::Branch, TargetKind::Switch]));
    let account = |degraded: &Degraded| format!("{}: {:?}: {}", degraded.method, degraded.level, degraded.reason);
    let degraded: Vec<String> = rewritten.degraded.iter().take(DEGRADED).map(account).collect();
    MeasuredUnit { name: rewritten.class_name.clone(), lines, branches, degraded: degraded.join("; ") }
}

impl Catalogue for Classes {
    fn targets(&self) -> u32 {
        self.targets.load(Ordering::Acquire)
    }

    fn name(&self, id: u32) -> String {
        self.table().name(id).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_classes_that_were_never_shown_are_counted_once() {
        let classes = Classes::new(Selection { include: vec!["com.acme.".to_owned()], exclude: Vec::new() }, 10, Vec::new());
        classes.loaded("com/acme/Shown", Loader::Other, b"no class file");
        for name in ["com/acme/Shown", "com/acme/Cached", "com/acme/Hidden.0x01", "com/acme/A$$Lambda.0x02", "org/lib/B"] {
            classes.found(name, Loader::Other);
            classes.found(name, Loader::Other);
        }
        let units = classes.inventory().skipped();
        assert_eq!(units, 3, "the first was damaged, one was cached, one is hidden");
    }

    #[test]
    fn constraints_of_the_service_have_targets() {
        let selection = Selection { include: vec!["com.acme.".to_owned()], exclude: Vec::new() };
        let classes = Classes::new(selection, 10, Vec::new());
        assert_eq!(classes.constraint("org.lib.Bean\nname\nSize"), None);
        assert_eq!(classes.constraint("com.acme.Order\nname\nSize"), Some(0));
        assert_eq!((classes.targets(), classes.name(0).as_str()), (2, "replace:com.acme.Order:name:0:Size:true"));
        assert_eq!(classes.constraint("com.acme.Order"), None);
    }

    #[test]
    fn damaged_class_stays_as_it_was_and_is_counted() {
        let selection = Selection { include: vec!["com.acme.".to_owned()], exclude: Vec::new() };
        let classes = Classes::new(selection, 10, Vec::new());
        assert_eq!(classes.loaded("com/acme/Foo", Loader::Other, b"no class file"), None);
        assert_eq!(classes.loaded("org/lib/Bar", Loader::Other, b"no class file"), None);
        assert_eq!(classes.loaded("java/lang/Object", Loader::Machine, b"no class file"), None);
        let inventory = classes.inventory();
        assert_eq!((classes.targets(), inventory.measured(), inventory.skipped()), (0, 0, 1));
    }
}
