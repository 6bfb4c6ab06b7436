//! The listing of `java/Loops.java` as golden file; `BLESS=1` writes it anew.

use std::path::Path;

use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Edit, Instruction, Patcher, print};

const LOOPS: &[u8] = include_bytes!("classes/Loops.class");

fn check(listing: &str, name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, listing).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(listing == expected, "the listing differs from {}; BLESS=1 writes it anew", path.display());
}

#[test]
fn a_class_is_printed_with_labels_and_names() {
    check(&print(&ClassFile::read(LOOPS).unwrap()).unwrap(), "Loops.txt");
}

/// 70 bytes in front of each jump push frames past the 63 that fit in their first byte.
#[test]
fn frames_jumps_and_tables_follow_what_is_put_in() {
    let class = ClassFile::read(LOOPS).unwrap();
    let mut patcher = Patcher::new(&class);
    for method in &class.methods {
        let code = class.code(method).unwrap().unwrap();
        let edits = &mut |instruction: &Instruction<'_>, _: &mut _, edit: &mut Edit| {
            if instruction.is_conditional() {
                edit.before.extend([op::NOP; 70]);
            }
            if instruction.switch().is_some() {
                edit.before.extend([op::DUP, op::POP]);
                edit.need_stack(1);
            }
            if instruction.opcode == op::LCMP {
                edit.replacement = vec![op::LCMP, op::NOP];
                edit.after.push(op::NOP);
            }
            Ok(())
        };
        patcher.patch(&code, edits).unwrap();
    }
    let bytes = patcher.finish().unwrap();
    let listing = print(&ClassFile::read(&bytes).unwrap()).unwrap();
    check(&listing.replace(&"    nop\n".repeat(70), "    70 nops\n"), "Loops.patched.txt");
}
