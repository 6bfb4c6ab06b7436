//! The version of Java that a jar wants.

use std::io::{Read, Seek};
use std::path::Path;

use super::archive::{Archive, Entries};
use super::packages::{class_of, package_of};
use super::{Guess, Library, constants};

/// Bytes of a class file up to its version (JVMS 4.1).
const HEAD_BYTES: u64 = 8;
/// Classes that a JVM of a newer version takes instead of those of the same name outside; older ones never load them.
const VERSIONED: &str = "META-INF/versions/";

/// The newest of the classes that were looked at.
#[derive(Debug, Default)]
struct Newest {
    version: u16,
    class: String,
}

/// The least version of Java that loads `main_class` and every class for which `is_own` holds; none without classes.
///
/// Classes of libraries do not count: many hold some that are loaded only by a JVM that is new enough.
pub(super) fn find<R: Read + Seek>(
    archive: &mut Archive<R>,
    (folder, main_class): (&str, &str),
    libraries: &[Library],
    is_own: &dyn Fn(&str) -> bool,
) -> Option<Guess<u16>> {
    let mut newest = Newest::default();
    newest.see(archive, &format!("{}.class", main_class.replace('.', "/")), main_class);
    newest.see_all(archive, folder, is_own);
    for library in libraries.iter().filter(|library| library.own.is_some()) {
        if library.inside {
            archive.within(&library.place, &mut |entries| newest.see_all(entries, "", is_own));
        } else if let Ok(mut file) = Archive::open(Path::new(&library.place)) {
            newest.see_all(&mut file, "", is_own);
        }
    }
    (newest.version > 0).then(|| Guess::new(newest.version, format!("`{}` was compiled for it", newest.class)))
}

impl Newest {
    fn see_all(&mut self, entries: &mut dyn Entries, folder: &str, is_own: &dyn Fn(&str) -> bool) {
        let own = entries.names().iter().filter_map(|name| {
            let class = class_of(name, folder)?.replace('/', ".");
            (is_own(package_of(&class)) && !name.contains(VERSIONED)).then(|| (name.clone(), class))
        });
        for (name, class) in own.collect::<Vec<_>>() {
            self.see(entries, &name, &class);
        }
    }

    fn see(&mut self, entries: &mut dyn Entries, name: &str, class: &str) {
        let version = entries.head(name, HEAD_BYTES).and_then(|bytes| constants::java_version(&bytes));
        if let Some(version) = version.filter(|version| *version > self.version) {
            *self = Self { version, class: class.to_owned() };
        }
    }
}
