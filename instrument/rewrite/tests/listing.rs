//! The listing of a class with probes, and the names of its targets, as golden files; `BLESS=1` writes them anew.

use std::path::Path;

use restive_classfile::{ClassFile, print};
use restive_rewrite::{Outcome, Plan, TargetTable, rewrite};

const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");
const HANDLES: &[u8] = include_bytes!("classes/Handles.class");

fn check(text: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "the text differs from {}; BLESS=1 writes it anew", path.display());
}

/// Rewrites a class with this plan; its listing and the names of its targets.
fn check_rewritten(class: &[u8], plan: &Plan, name: &str) {
    let mut targets = TargetTable::with_capacity(1 << 16);
    let Outcome::Rewritten(rewritten) = rewrite(class, plan, &mut targets) else { panic!("not rewritten") };
    let class = ClassFile::read(&rewritten.bytes).expect("it is a class");
    check(&print(&class).expect("it can be printed"), &format!("{name}.txt"));
    let names: Vec<_> = targets.names_since(0).map(|(id, name)| format!("{id} {name}\n")).collect();
    check(&names.concat(), &format!("{name}.targets.txt"));
}

#[test]
fn probes_stand_where_they_belong() {
    check_rewritten(LOOPS, &Plan::all("java/lang/RestiveProbes"), "Loops");
}

#[test]
fn references_become_methods_behind_those_of_the_class() {
    let plan = Plan { lines: false, exceptions: false, ends: false, flags: false, ..Plan::all("java/lang/RestiveProbes") };
    check_rewritten(HANDLES, &plan, "Handles");
}
