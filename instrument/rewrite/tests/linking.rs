//! Classes of the installed JDKs with all probes in, linked under `-Xverify:all`.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

#[path = "../../classfile/tests/support/image.rs"]
mod image;

use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_rewrite::{Level, Outcome, Plan, TargetTable, rewrite, runtime};

const RUNTIME: &str = "java/lang/RestiveProbes";

/// About 1,800 classes: the compiler of the JDK and its helpers.
const SAMPLE: &str = "/jdk.compiler/.*";

fn compile(jdk: &Jdk, work: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/link/LinkAll.java");
    assert!(jdk.program("javac").arg("-d").arg(work).arg(source).status().expect("javac starts").success());
}

/// Rewrites the classes of a module into a folder; gives the names of all classes and how many have probes.
fn rewrite_module(from: &Path, to: &Path) -> (Vec<String>, usize) {
    let mut targets = TargetTable::with_capacity(1 << 20);
    let (mut names, mut n_rewritten) = (Vec::new(), 0);
    for path in jdk::class_files(from) {
        let relative = path.strip_prefix(from).expect("the file lies in the folder");
        if path.ends_with("module-info.class") {
            continue;
        }
        names.push(relative.with_extension("").to_string_lossy().replace('/', "."));
        let bytes = fs::read(&path).expect("readable");
        if let Outcome::Rewritten(rewritten) = rewrite(&bytes, &Plan::all(RUNTIME), &mut targets) {
            let is_low = rewritten.degraded.iter().any(|degraded| degraded.level > Level::WithoutSwitches);
            assert!(!is_low, "{}: {:?}", path.display(), rewritten.degraded);
            write(&to.join(relative), &rewritten.bytes);
            n_rewritten += 1;
        }
    }
    (names, n_rewritten)
}

fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("the file lies in a folder")).expect("a folder can be made");
    fs::write(path, bytes).expect("writable");
}

#[test]
fn classes_with_all_probes_pass_the_verifier() {
    let kept = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    for jdk in jdk::all_or_skip() {
        let sample = image::classes(&jdk, SAMPLE, &kept, "compiler").join("jdk.compiler");
        let work = tempfile::tempdir().expect("a folder can be made");
        let (probed, base) = (work.path().join("probed"), work.path().join("base"));
        let (names, n_rewritten) = rewrite_module(&sample, &probed);
        assert!(n_rewritten > 900, "{n_rewritten}");
        for class in runtime::classes(RUNTIME.trim_end_matches("Probes"), 1 << 20) {
            write(&base.join(format!("{}.class", class.internal_name)), &class.bytes);
        }
        compile(&jdk, work.path());
        let (list, errors) = (work.path().join("names"), work.path().join("errors"));
        fs::write(&list, names.join("\n")).expect("writable");
        let mut java = jdk.program("java");
        java.arg("-Xverify:all").arg("--patch-module").arg(format!("java.base={}", base.display()));
        java.arg("--patch-module").arg(format!("jdk.compiler={}", probed.display())).arg("-cp").arg(work.path());
        java.arg("LinkAll").args([&list, &errors]);
        assert!(java.status().expect("java starts").success());
        assert_eq!(fs::read_to_string(&errors).expect("readable"), "", "JDK {}", jdk.version);
    }
}
