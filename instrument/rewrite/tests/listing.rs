//! The listing of a class with probes, and the names of its targets, as golden files; `BLESS=1` writes them anew.

use std::path::Path;

use restive_classfile::{ClassFile, print};
use restive_rewrite::{Outcome, Plan, TargetTable, rewrite};

const LOOPS: &[u8] = include_bytes!("../../classfile/tests/classes/Loops.class");

fn check(text: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == expected, "the text differs from {}; BLESS=1 writes it anew", path.display());
}

#[test]
fn probes_stand_where_they_belong() {
    let mut targets = TargetTable::with_capacity(1 << 16);
    let Outcome::Rewritten(rewritten) = rewrite(LOOPS, &Plan::all("java/lang/RestiveProbes"), &mut targets) else {
        panic!("not rewritten")
    };
    check(&print(&ClassFile::read(&rewritten.bytes).unwrap()).unwrap(), "Loops.txt");
    let names: Vec<_> = targets.names_since(0).map(|(id, name)| format!("{id} {name}\n")).collect();
    check(&names.concat(), "Loops.targets.txt");
}
