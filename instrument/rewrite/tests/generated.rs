//! Classes and methods that nobody wrote get no probes.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use restive_classfile::ClassFile;
use restive_rewrite::{Outcome, Plan, Reason, TargetTable, rewrite};

const SOURCE: &str = "
@interface MadeByGenerated {}
@interface Written {}
@MadeByGenerated class Made { int of(int a) { return a > 0 ? 1 : 2; } }
@Written class Own { int of(int a) { return a > 0 ? 1 : 2; } boolean same(int a) { return a == 3; } }
enum Colour { RED, GREEN }
class Safe {
  int each(Colour colour) { int sum = 0; for (int a : new int[] {1, 2, 3}) sum += a; switch (colour) { case RED: return sum; default: return 0; } }
  int counted(int[] numbers) { int sum = 0; for (int i = 0; i < 9; i++) sum += numbers[i]; return sum; }
  int chosen(int[] numbers, int i) { return numbers[i]; }
}
class Own_Accessor_8p5094 { int of(int a) { return a > 0 ? 1 : 2; } }
class Own$HibernateProxy$x7 { int of(int a) { return a > 0 ? 1 : 2; } }
";

/// The class files of the source, by name.
fn compiled(options: &[&str]) -> Option<impl Fn(&str) -> Vec<u8>> {
    let all = jdk::all_or_skip();
    let jdk = all.first()?;
    let work = tempfile::tempdir().expect("a folder can be made");
    let file = work.path().join("Own.java");
    fs::write(&file, SOURCE).expect("writable");
    let status = jdk.program("javac").args(options).arg("-d").arg(work.path()).arg(&file).status();
    assert!(status.expect("javac starts").success());
    let stem = |file: &Path| file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let files = jdk::class_files(work.path());
    let classes: BTreeMap<_, _> = files.iter().map(|file| (stem(file), fs::read(file).expect("readable"))).collect();
    Some(move |name: &str| classes[name].clone())
}

/// Names of the targets that a class gets.
fn targets(bytes: &[u8]) -> Vec<String> {
    let mut table = TargetTable::with_capacity(1000);
    let outcome = rewrite(bytes, &Plan::all("restive/Probes"), &mut table);
    assert!(matches!(outcome, Outcome::Rewritten(_)), "{outcome:?}");
    (0..table.len()).filter_map(|id| table.name(id)).collect()
}

fn reason(bytes: &[u8]) -> Option<Reason> {
    match rewrite(bytes, &Plan::all("restive/Probes"), &mut TargetTable::with_capacity(1000)) {
        Outcome::Unchanged(unchanged) => Some(unchanged.reason),
        Outcome::Rewritten(_) => None,
    }
}

#[test]
fn a_class_that_says_it_is_generated_stays_as_it_is() {
    let Some(class) = compiled(&["-g"]) else { return };
    assert_eq!(reason(&class("Made")), Some(Reason::Generated));
    assert_eq!(reason(&class("Own")), None);
    // As proxies name their source.
    let mut proxy = class("Own");
    let file = b"\x01\x00\x08Own.java";
    let at = proxy.windows(file.len()).position(|window| window == file).expect("the name of the source is there");
    proxy.splice(at..at + file.len(), *b"\x01\x00\x0b<generated>");
    assert_eq!(reason(&proxy), Some(Reason::Generated));
}

#[test]
fn a_class_called_as_libraries_call_those_that_they_make_stays_as_it_is_unless_it_has_a_source() {
    let (Some(without), Some(with)) = (compiled(&["-g:none"]), compiled(&["-g"])) else { return };
    for name in ["Own_Accessor_8p5094", "Own$HibernateProxy$x7"] {
        assert_eq!(reason(&without(name)), Some(Reason::Generated), "{name}");
        assert_eq!(reason(&with(name)), None, "{name}");
    }
}

#[test]
fn a_method_without_lines_is_left_out_where_others_have_some() {
    let Some(class) = compiled(&["-g"]) else { return };
    let mut bytes = class("Own");
    assert!(targets(&bytes).iter().any(|name| name.starts_with("branch:Own:5:")), "{:?}", targets(&bytes));
    // The lines of `same` under a name that means nothing.
    let name = {
        let class = ClassFile::read(&bytes).expect("readable");
        let is_same = |it: &&restive_classfile::Member| class.pool.utf8(it.name).expect("a name") == b"same";
        let same = class.methods.iter().find(is_same).expect("it is there");
        let code = class.code(same).expect("readable").expect("it has code");
        let lines = code.attributes(&class.pool).flatten().find(|it| it.name == b"LineNumberTable").expect("compiled with -g");
        lines.offset - 6
    };
    let before = targets(&bytes).len();
    let own_name = ClassFile::read(&bytes).expect("readable").methods[0].name;
    bytes[name..name + 2].copy_from_slice(&own_name.to_be_bytes());
    let after = targets(&bytes);
    assert!(after.len() < before && after.iter().any(|name| name.starts_with("branch:Own:")), "{before} {after:?}");
}

#[test]
fn a_class_compiled_without_lines_keeps_its_branches() {
    let Some(class) = compiled(&["-g:none"]) else { return };
    assert!(targets(&class("Own")).iter().filter(|name| name.starts_with("branch:")).count() >= 4);
}

#[test]
fn accesses_of_arrays_that_compilers_make_or_loops_count_have_no_targets() {
    let Some(class) = compiled(&["-g"]) else { return };
    let is_access = |name: &String| name.ends_with(":[]") || name.ends_with(":[]=");
    let accesses: Vec<_> = ["Safe", "Colour"].iter().flat_map(|name| targets(&class(name))).filter(is_access).collect();
    assert_eq!(accesses, ["returns:Safe:10:0:[]", "throws:Safe:10:0:[]"]);
}
