//! Which classes a source file declares, without a compiler: by its name, its package, and the words before names.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

/// Endings of source files of the JVM's languages.
const ENDINGS: [&str; 4] = ["java", "kt", "groovy", "scala"];

/// `package com.acme`, in any of the languages.
static PACKAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*package\s+([\w.]+)").expect("it is written here and tested"));

/// A declaration at any depth: which are at the top cannot be told without parsing, and a name too many does no harm.
static DECLARATION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:class|interface|enum|record|object|trait)\s+([A-Za-z_]\w*)").expect("it is written here and tested")
});

/// Whether classes may come from the file of this path.
pub(super) fn is_source(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Names of classes that the file may declare, with their package.
pub(super) fn declared(path: &str, text: &str) -> BTreeSet<String> {
    let package = PACKAGE.captures(text).map_or(String::new(), |found| format!("{}.", &found[1]));
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    let mut names = BTreeSet::from([stem.to_owned()]);
    if ending == "kt" {
        // What Kotlin makes of functions outside of classes.
        names.insert(format!("{stem}Kt"));
    }
    names.extend(DECLARATION.captures_iter(text).map(|found| found[1].to_owned()));
    names.into_iter().map(|name| format!("{package}{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{declared, is_source};

    #[test]
    fn a_file_declares_what_stands_in_it_whatever_its_name() {
        let kotlin = "// class Old\npackage com.acme.shop\n\ndata class Item(val id: Int)\nobject Prices {\n}\nfun main() {}\n";
        let names: Vec<String> = declared("src/main/kotlin/Things.kt", kotlin).into_iter().collect();
        let wanted = ["Item", "Old", "Prices", "Things", "ThingsKt"].map(|name| format!("com.acme.shop.{name}"));
        assert_eq!(names, wanted);
        let java = "package com.acme;\nimport java.util.*;\npublic final class Till {\n  record Line(int a) {}\n}\n";
        let names: Vec<String> = declared("Till.java", java).into_iter().collect();
        assert_eq!(names, ["com.acme.Line", "com.acme.Till"]);
        assert_eq!(declared("a/Bare.java", "").into_iter().collect::<Vec<_>>(), ["Bare"]);
    }

    #[test]
    fn sources_are_known_by_their_endings() {
        assert!(is_source("a/b/C.java") && is_source("C.kt") && is_source("C.scala") && is_source("C.groovy"));
        assert!(!is_source("README.md") && !is_source("java") && !is_source("C.class"));
    }
}
