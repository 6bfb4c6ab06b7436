//! What only the Java side has: collections, wrappers, matchers, formatters, constants, threads, and huge inputs.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;
#[path = "support/program.rs"]
mod program;

#[test]
fn java_looks_at_what_it_knows_and_calls_nothing_else() {
    for jdk in jdk::all_or_skip() {
        let work = tempfile::tempdir().expect("a folder can be made");
        assert_eq!(program::run(&jdk, "Holders", None, work.path()), "done\n", "Java {}", jdk.version);
    }
}
