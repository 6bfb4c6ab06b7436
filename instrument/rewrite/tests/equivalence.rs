//! For each method of the table a generated Java method that calls it on drawn inputs, run with probes and without: results,
//! exceptions with their messages, and what became of receivers and arguments are the same.
//!
//! The inputs are those of `tests/java/equivalence/Draw.java`: null, texts empty, long, with halves of surrogates, the ends of
//! the ranges of numbers, collections of all kinds that contain themselves or whose elements throw when they are compared. The
//! locale is Turkish, where small letters are others.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_classfile::text;
use restive_rewrite::{Outcome, Plan, Receiver, Replacement, TargetTable, replacements, rewrite, runtime};

/// Calls of each method.
const CALLS: u32 = 50;

const CAPACITY: u32 = 10_000;

/// The methods that this version of Java has; those of other libraries are not there.
fn rows(version: u32) -> Vec<&'static Replacement> {
    replacements().iter().filter(|row| row.since > 0 && u32::from(row.since) <= version).collect()
}

/// A type of a descriptor in Java, and how one of its values is drawn.
fn value_of(descriptor: &str) -> (String, String) {
    match descriptor {
        "I" => ("int".to_owned(), "Draw.number(random)".to_owned()),
        "C" => ("char".to_owned(), "Draw.letter(random)".to_owned()),
        "Z" => ("boolean".to_owned(), "random.nextBoolean()".to_owned()),
        object => {
            let name = object.trim_start_matches('L').trim_end_matches(';');
            let simple = name.rsplit(['/', '$']).next().unwrap_or(name);
            let article = if simple.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
            (name.replace(['/', '$'], "."), format!("Draw.{article}{simple}(random)"))
        }
    }
}

/// The types of the parameters of a descriptor.
fn parameters(descriptor: &str) -> Vec<&str> {
    let mut rest = descriptor[1..].split(')').next().unwrap_or_default();
    let mut found = Vec::new();
    while !rest.is_empty() {
        let end = if rest.starts_with('L') { rest.find(';').map_or(rest.len(), |end| end + 1) } else { 1 };
        found.push(&rest[..end]);
        rest = &rest[end..];
    }
    found
}

/// A method that calls the method of a row many times.
fn method(number: usize, row: &Replacement) -> String {
    let (class, drawn) = value_of(&format!("L{};", row.class));
    let is_instance = matches!(row.receiver, Receiver::Exact | Receiver::Open);
    let mut code =
        format!("static void row{number}() {{ Random random = new Random({number}); for (int i = 0; i < {CALLS}; i++) {{\n");
    let mut operands = Vec::new();
    if is_instance {
        writeln!(code, "{class} receiver = {drawn};").expect("a string takes all");
        operands.push("receiver".to_owned());
    }
    let mut arguments = Vec::new();
    for (idx, parameter) in parameters(row.descriptor).into_iter().enumerate() {
        let (class, drawn) = value_of(parameter);
        writeln!(code, "{class} argument{idx} = {drawn};").expect("a string takes all");
        arguments.push(format!("argument{idx}"));
    }
    let call = match row.receiver {
        Receiver::Constructor => format!("new {class}({})", arguments.join(", ")),
        Receiver::Static => format!("{class}.{}({})", row.method, arguments.join(", ")),
        Receiver::Exact | Receiver::Open => format!("receiver.{}({})", row.method, arguments.join(", ")),
    };
    operands.extend(arguments);
    let parts = [vec![number.to_string(), "result".to_owned()], operands].concat().join(", ");
    code + &format!(
        "Object result; try {{ result = {call}; }} catch (Throwable failure) {{ result = Draw.failure(failure); }}\nDraw.print({parts}); }} }}\n"
    )
}

/// The program that calls each of the rows.
fn program(rows: &[&Replacement]) -> String {
    let mut calls = String::new();
    let mut methods = String::new();
    for (number, row) in rows.iter().enumerate() {
        writeln!(calls, "row{number}();").expect("a string takes all");
        methods += &method(number, row);
    }
    let setting = "Locale.setDefault(new Locale(\"tr\", \"TR\")); TimeZone.setDefault(TimeZone.getTimeZone(\"Asia/Kolkata\"));";
    format!("import java.util.*;\nclass Equivalence {{ public static void run() {{ {setting}\n{calls} }}\n{methods} }}\n")
}

fn compile(jdk: &Jdk, sources: &[PathBuf], to: &Path) {
    let mut javac = jdk.program("javac");
    javac.args(["-g", "-nowarn", "-Xlint:none", "-encoding", "UTF-8", "-d"]).arg(to).args(sources);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(jdk: &Jdk, class_path: &[&Path]) -> String {
    let class_path = std::env::join_paths(class_path).expect("joinable");
    let mut java = jdk.program("java");
    // As where services are measured: a compiler that has seen an exception often leaves out its message and stack.
    java.args(["-XX:-OmitStackTraceInFastThrow", "-cp"]).arg(class_path).args(["RunTarget", "Equivalence"]);
    let output = java.output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Puts probes into the program; the names of its targets.
fn probe(plain: &Path, probed: &Path) -> TargetTable {
    fs::create_dir_all(probed.join("restive")).expect("a folder can be made");
    for class in runtime::classes("restive/", CAPACITY) {
        fs::write(probed.join(class.internal_name + ".class"), class.bytes).expect("writable");
    }
    let mut targets = TargetTable::with_capacity(CAPACITY);
    let is_program = |file: &PathBuf| file.ends_with("Equivalence.class");
    let file = jdk::class_files(plain).into_iter().find(is_program).expect("it was compiled");
    let bytes = fs::read(file).expect("readable");
    let outcome = rewrite(&bytes, &Plan::all("restive/Probes"), &mut targets);
    let Outcome::Rewritten(rewritten) = outcome else { panic!("not rewritten") };
    assert!(rewritten.degraded.is_empty(), "{:?}", rewritten.degraded);
    fs::write(probed.join("Equivalence.class"), rewritten.bytes).expect("writable");
    targets
}

/// Rows of which no outcome was covered that shows that its call is measured.
fn unmeasured(rows: &[&Replacement], targets: &TargetTable, arrays: &str) -> Vec<String> {
    let seen: Vec<u32> = arrays.lines().filter_map(|line| line.split(' ').next()?.parse().ok()).collect();
    let names: Vec<_> = seen.iter().filter_map(|id| targets.name(*id)).collect();
    let label = |row: &&Replacement| {
        let simple = row.class.rsplit('/').next().unwrap_or(row.class);
        format!(":{simple}.{}", text::decode(row.method.as_bytes()))
    };
    rows.iter().map(label).filter(|label| !names.iter().any(|name| name.contains(label.as_str()))).collect()
}

#[test]
fn measured_calls_do_what_they_do_without_probes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    for jdk in jdk::all_or_skip() {
        let work = tempfile::tempdir().expect("a folder can be made");
        let [plain, probed] = ["plain", "probed"].map(|name| work.path().join(name));
        fs::create_dir_all(&plain).expect("a folder can be made");
        let rows = rows(jdk.version);
        let generated = work.path().join("Equivalence.java");
        fs::write(&generated, program(&rows)).expect("writable");
        compile(&jdk, &[generated, folder.join("equivalence/Draw.java"), folder.join("link/RunTarget.java")], &plain);
        let targets = probe(&plain, &probed);
        let output = run(&jdk, &[&plain]);
        let measured = run(&jdk, &[&probed, &plain]);
        let (outcomes, arrays) = measured.split_once("----\n").expect("the program came to its end");
        let (expected, _) = output.split_once("----\n").expect("the program came to its end");
        assert_eq!(expected.lines().count(), rows.len() * CALLS as usize, "a line for each call");
        for (found, expected) in outcomes.lines().zip(expected.lines()) {
            let number: usize = expected.split(' ').next().and_then(|number| number.parse().ok()).expect("a row");
            assert_eq!(found, expected, "Java {}: {:?}", jdk.version, rows[number]);
        }
        assert_eq!(unmeasured(&rows, &targets, arrays), [""; 0], "Java {}", jdk.version);
    }
}
