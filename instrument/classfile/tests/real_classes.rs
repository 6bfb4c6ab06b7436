//! The classes of the installed JDKs: what is put in nowhere changes nothing, what is put in somewhere only adds.

#[path = "support/jdk.rs"]
mod jdk;

#[path = "support/image.rs"]
mod image;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proptest::prelude::*;
use restive_classfile::opcode::op;
use restive_classfile::{ClassFile, Edit, Edits, Instruction, Patcher, print};

/// About 1,500 classes of every kind that `java.base` has.
const SAMPLE: &str = "/java.base/java/(util|time|text|lang/invoke)/.*";

fn sample() -> &'static [PathBuf] {
    static FILES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FILES.get_or_init(|| {
        let work = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folders = jdk::all_or_skip().into_iter().map(|jdk| image::classes(&jdk, SAMPLE, work, "sample"));
        folders.flat_map(|folder| jdk::class_files(&folder)).collect()
    })
}

fn patched(bytes: &[u8], edits: &mut impl Edits) -> restive_classfile::Result<Vec<u8>> {
    let class = ClassFile::read(bytes)?;
    let mut patcher = Patcher::new(&class);
    for method in &class.methods {
        if let Some(code) = class.code(method)? {
            patcher.patch(&code, edits)?;
        }
    }
    patcher.finish()
}

fn print_bytes(bytes: &[u8]) -> String {
    print(&ClassFile::read(bytes).expect("the class can be read")).expect("the class can be printed")
}

#[test]
fn a_patch_of_nothing_is_byte_equal() {
    for path in sample() {
        let bytes = fs::read(path).unwrap();
        let result = patched(&bytes, &mut |_: &Instruction<'_>, _: &mut _, _: &mut Edit| Ok(())).unwrap();
        assert!(result == bytes, "{} differs", path.display());
    }
}

#[test]
fn every_class_can_be_printed() {
    let printed: usize = sample().iter().step_by(7).map(|path| print_bytes(&fs::read(path).unwrap()).len()).sum();
    assert!(printed > 1_000_000 || sample().is_empty());
}

/// A listing without `nop`, in which labels tell how many other instructions of the method stand before them, and rows of the
/// exception table that follow each other, as those of handlers that cover themselves do, are one.
fn without_nops(listing: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    listing.split_inclusive("\nmethod ").for_each(|method| append_without_nops(method, &mut lines));
    lines
}

fn append_without_nops(method: &str, lines: &mut Vec<String>) {
    let is_instruction = |line: &str| line.starts_with("    ") && line != "    nop";
    let mut labels = BTreeMap::new();
    let mut n_before = 0;
    for line in method.lines() {
        match line.trim_start().strip_suffix(':') {
            Some(label) if is_label(label) => drop(labels.insert(label, n_before)),
            _ => n_before += usize::from(is_instruction(line)),
        }
    }
    let place = |word: &str| {
        let name = word.trim_end_matches([' ', ':']);
        labels.get(name).map_or_else(|| word.to_owned(), |n_before| format!("@{n_before}{}", &word[name.len()..]))
    };
    for line in method.lines().filter(|line| *line != "    nop" && !is_label(line.trim().trim_end_matches(':'))) {
        let line = line.split_inclusive([' ', ':']).map(place).collect::<String>();
        match lines.last_mut().and_then(|before| joined(before, &line)) {
            Some(both) => *lines.last_mut().expect("there is a row") = both,
            None => lines.push(line),
        }
    }
}

fn is_label(word: &str) -> bool {
    word.strip_prefix('L').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Two rows of an exception table as one, if the second goes on where the first ends: `.catch TYPE from A to B at C`.
fn joined(before: &str, line: &str) -> Option<String> {
    let row = |line: &str| -> Option<[String; 4]> {
        let words: Vec<&str> = line.trim().split(' ').collect();
        let [".catch", kind, "from", from, "to", to, "at", at] = words[..] else { return None };
        Some([kind, from, to, at].map(str::to_owned))
    };
    let ([kind, from, middle, at], [other_kind, other_from, to, other_at]) = (row(before)?, row(line)?);
    let goes_on = kind == other_kind && middle == other_from && at == other_at;
    goes_on.then(|| format!("  .catch {kind} from {from} to {to} at {at}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn instructions_put_in_anywhere_are_the_only_difference(choice: prop::sample::Index, seed: u64, before in 0usize..100) {
        let files = sample();
        if files.is_empty() {
            return Ok(());
        }
        let bytes = fs::read(&files[choice.index(files.len())]).unwrap();
        let mut state = seed | 1;
        let result = patched(&bytes, &mut |_: &Instruction<'_>, _: &mut _, edit: &mut Edit| {
            // A linear congruential generator (Knuth, MMIX) is random enough to choose places.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            if state >> 60 < 4 {
                edit.before.extend(std::iter::repeat_n(op::NOP, before));
            }
            Ok(())
        });
        let Ok(result) = result else { return Ok(()) };
        prop_assert_eq!(without_nops(&print_bytes(&result)), without_nops(&print_bytes(&bytes)));
    }
}
