//! Constraints of bean validation: what stands around validators verifies, runs, and tells distances, on each JDK.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_rewrite::{CONSTRAINT_CLASSES, observe_constraints, runtime};

/// Annotations of the API, and what they have.
const ANNOTATIONS: [(&str, &str); 16] = [
    ("NotNull", ""),
    ("NotBlank", ""),
    ("NotEmpty", ""),
    ("Size", "int min(); int max();"),
    ("Min", "long value();"),
    ("Max", "long value();"),
    ("DecimalMin", "String value(); boolean inclusive() default true;"),
    ("DecimalMax", "String value(); boolean inclusive() default true;"),
    ("Positive", ""),
    ("Negative", ""),
    ("Digits", "int integer(); int fraction();"),
    ("Pattern", "enum Flag { DOTALL, CASE_INSENSITIVE } String regexp(); Flag[] flags() default {};"),
    ("Email", ""),
    ("Past", ""),
    ("Future", ""),
    ("AssertTrue", ""),
];

/// Each constraint with its distance to being fulfilled, of a whole in constraints, and to not being so; 0 is covered.
const EXPECTED: [&str; 24] = [
    "shop.Shop$Order buyer NotNull 3.4028235E38 0.0",
    "shop.Shop$Order street NotBlank 1.0 0.0",
    "shop.Shop$Order town NotEmpty 1.0 0.0",
    "shop.Shop$Order name Size 2.0 0.0",
    "shop.Shop$Order parts Size 2.0 0.0",
    "shop.Shop$Order count Min 3.0 0.0",
    "shop.Shop$Order most Max 5.0 0.0",
    "shop.Shop$Order price DecimalMin 1.0 0.0",
    "shop.Shop$Order share DecimalMax 0.25 0.0",
    "shop.Shop$Order weight Positive 3.0 0.0",
    "shop.Shop$Order debt Negative 2.0 0.0",
    "shop.Shop$Order sum Digits 4.0 0.0",
    "shop.Shop$Order code Pattern 21.0 0.0",
    "shop.Shop$Order mail Email 65536.0 0.0",
    "shop.Shop$Order birth Past 5.0 0.0",
    "shop.Shop$Order arrival Future 5.0 0.0",
    "shop.Shop$Order terms AssertTrue 1.0 0.0",
    "shop.Shop$Order fine Size 0.0 3.4028235E38",
    "shop.Shop$Order number Even 3.4028235E38 0.0",
    "shop.Shop$Order odd Max 3.4028235E38 0.0",
    "shop.Shop$Order endless Digits 3.4028235E38 0.0",
    "shop.Shop$Order vast Min 3.4028235E38 0.0",
    "shop.Shop$Order * valid 209.0 0.0",
    "shop.Shop$Order isValid valid 209.0 0.0",
];

fn compile(jdk: &Jdk, sources: &[PathBuf], to: &Path) {
    let mut javac = jdk.program("javac");
    javac.args(["-g", "-nowarn", "-Xlint:-options", "-cp"]).arg(to).arg("-d").arg(to).args(sources);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The sources of the programs, and of the annotations, which are written into a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/constraints");
    let programs = fs::read_dir(programs).expect("the sources are there").map(|entry| entry.expect("listable").path());
    let annotations = ANNOTATIONS.iter().map(|(name, members)| {
        let file = folder.join(format!("{name}.java"));
        let retention = "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)";
        let source = format!("package jakarta.validation.constraints; {retention} public @interface {name} {{ {members} }}");
        fs::write(&file, source).expect("writable");
        file
    });
    programs.chain(annotations).collect()
}

fn run(jdk: &Jdk, classes: &Path) -> String {
    let output = jdk.program("java").args(["-Xverify:all", "-cp"]).arg(classes).arg("shop.Shop").output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
}

#[test]
fn validators_answer_as_before_and_constraints_tell_how_far_values_are_from_them() {
    for jdk in jdk::all_or_skip() {
        let work = tempfile::tempdir().expect("a folder can be made");
        let classes = work.path().join("classes");
        fs::create_dir_all(classes.join("restive")).expect("a folder can be made");
        for class in runtime::classes("restive/", 100) {
            fs::write(classes.join(class.internal_name + ".class"), class.bytes).expect("writable");
        }
        compile(&jdk, &sources(work.path()), &classes);
        let plain = run(&jdk, &classes);
        let is_observed = |file: &PathBuf| {
            CONSTRAINT_CLASSES.iter().any(|name| file.strip_prefix(&classes) == Ok(Path::new(&format!("{name}.class"))))
        };
        let observed: Vec<_> = jdk::class_files(&classes).into_iter().filter(is_observed).collect();
        assert_eq!(observed.len(), CONSTRAINT_CLASSES.len());
        for file in observed {
            let bytes = observe_constraints(&fs::read(&file).expect("readable"), "restive/Probes").expect("it validates");
            fs::write(&file, bytes).expect("writable");
        }
        let output = run(&jdk, &classes);
        let answers = |output: &str| output.rsplit_once("----\n").map(|(answers, _)| answers.to_owned());
        assert_eq!(answers(&output), answers(&plain), "JDK {}", jdk.version);
        let told: Vec<_> = output.rsplit_once("----\n").map_or("", |(_, told)| told).lines().collect();
        assert_eq!(told, EXPECTED, "JDK {}", jdk.version);
    }
}
