//! Hooks for inputs: classes with them verify, do what they did, and tell what is read; schemas of what bodies are read into.

#[path = "../../classfile/tests/support/jdk.rs"]
mod jdk;

use std::fs;
use std::path::{Path, PathBuf};

use jdk::Jdk;
use restive_rewrite::{InputPlace, Outcome, Plan, TargetTable, rewrite, runtime};

/// Each use of `tests/java/inputs/read/Reader.java`, and what is told of it.
const USES: [(&str, &[(InputPlace, &str)]); 14] = [
    ("parameter", &[(InputPlace::Query, "mode")]),
    ("header", &[(InputPlace::Header, "X-Mode")]),
    ("cookies", &[(InputPlace::Cookie, "")]),
    ("map", &[(InputPlace::Query, "first"), (InputPlace::Query, "second")]),
    ("other", &[]),
    ("gson", &[(InputPlace::Raw, ""), (InputPlace::Fields, "read.Types$Fields")]),
    ("jackson", &[(InputPlace::Properties, "read.Types$Demanding")]),
    ("text", &[]),
    (
        "nested",
        &[
            (InputPlace::Key, "/list"),
            (InputPlace::ArrayKey, "/list"),
            (InputPlace::Key, "/a"),
            (InputPlace::Key, "/a/b~1c"),
            (InputPlace::TextKey, "/a/b~1c"),
            (InputPlace::Key, "/list/-/~2"),
            (InputPlace::TextKey, "/list/-/~2"),
        ],
    ),
    (
        "pointed",
        &[
            (InputPlace::Key, "/a~1b/-/~2"),
            (InputPlace::TextKey, "/a~1b/-/~2"),
            (InputPlace::Key, "/deep"),
            (InputPlace::Key, "/own"),
            (InputPlace::TextKey, "/own"),
            (InputPlace::Key, "/in"),
            (InputPlace::Key, "/in/~3"),
            (InputPlace::Key, ""),
        ],
    ),
    ("missing", &[(InputPlace::Key, "/first"), (InputPlace::Key, "/second")]),
    ("unknown", &[]),
    ("byHand", &[(InputPlace::Query, ""), (InputPlace::Query, "word")]),
    ("answers", &[(InputPlace::Header, "X-Asked")]),
];

/// Types, by whose rules they are read, and their schemas.
const SCHEMAS: [(&str, InputPlace, &str); 17] = [
    (
        "Fields",
        InputPlace::Fields,
        r#"{"properties":{"number":{"format":"int32","type":"integer"},"other-name":{"type":"string"},"colour":{"enum":["RED","Blue"]}},"type":"object"}"#,
    ),
    (
        "Bean",
        InputPlace::Properties,
        r#"{"properties":{"got":{"format":"int32","type":"integer"},"days":{"items":{"format":"date","type":"string"},"type":"array"},"demanded":{"format":"int64","type":"integer"},"new_name":{"type":"string"},"id":{"format":"uuid","type":"string"},"prices":{"additionalProperties":{"format":"double","type":"number"},"type":"object"},"flag":{"type":"boolean"}},"required":["demanded"],"type":"object"}"#,
    ),
    (
        "Demanding",
        InputPlace::Properties,
        r#"{"properties":{"code":{"maxLength":5,"minLength":2,"type":"string"},"text":{"pattern":"\\S","type":"string"},"pattern":{"pattern":"^(?:(?i)[a-c]+|\\d)$","type":"string"},"mail":{"format":"email","type":"string"},"share":{"exclusiveMaximum":7.5,"minimum":3,"format":"double","type":"number"},"count":{"exclusiveMinimum":0,"format":"int32","type":"integer"},"members":{"minItems":1,"items":{"type":"string"},"type":"array"}},"required":["code","text"],"type":"object"}"#,
    ),
    (
        "Recursive",
        InputPlace::Fields,
        r#"{"properties":{"next":{"properties":{"next":{"type":"object"},"others":{"items":{"type":"object"},"type":"array"}},"type":"object"},"others":{"items":{"properties":{"next":{"type":"object"},"others":{"items":{"type":"object"},"type":"array"}},"type":"object"},"type":"array"}},"type":"object"}"#,
    ),
    (
        "Lacking",
        InputPlace::Fields,
        r#"{"type":"object","x-restive-unknown":"read.Types$Lacking: a class that it refers to is missing at run time"}"#,
    ),
    ("Shape", InputPlace::Properties, r#"{"type":"object","x-restive-unknown":"read.Types$Shape: an interface"}"#),
    (
        "Holder",
        InputPlace::Properties,
        r#"{"properties":{"shape":{"type":"object","x-restive-unknown":"read.Types$Shape: an interface"},"partial":{"type":"object","x-restive-unknown":"read.Types$Partial: an abstract class"},"any":{},"numbers":{"items":{"items":{"format":"int32","type":"integer"},"type":"array"},"type":"array"}},"type":"object"}"#,
    ),
    ("Colour", InputPlace::Properties, r#"{"enum":["RED","Blue"]}"#),
    (
        "Composed",
        InputPlace::Properties,
        r#"{"properties":{"code":{"maxLength":8,"minLength":3,"type":"string"},"price":{"maximum":999,"minimum":-999,"multipleOf":0.01,"type":"number"},"text":{"pattern":"^-?(0|[1-9][0-9]{0,2})([.][0-9]{1,2})?$","type":"string"},"count":{"maximum":999,"minimum":-999,"format":"int32","type":"integer"},"then":{"pattern":"^(19[0-9]{2}|20[01][0-9])-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$","format":"date-time","type":"string"},"month":{"pattern":"^(19[0-9]{2}|20[01][0-9])-(0[1-9]|1[0-2])$","type":"string"},"small":{"maximum":5,"minimum":-32768,"type":"integer"}},"required":["code"],"type":"object"}"#,
    ),
    ("Members", InputPlace::Properties, MEMBERS),
    ("Parcel", InputPlace::Properties, PARCEL),
    (
        "Open",
        InputPlace::Properties,
        r#"{"oneOf":[{"properties":{"sort":{"enum":["1st"]},"one":{"format":"int32","type":"integer"}},"required":["sort"],"type":"object"},{"properties":{"sort":{"enum":["2nd"]},"two":{"format":"int32","type":"integer"}},"required":["sort"],"type":"object"}]}"#,
    ),
    (
        "Told",
        InputPlace::Fields,
        r#"{"oneOf":[{"properties":{"sort":{"enum":["teller"]},"told":{"format":"int32","type":"integer"}},"required":["sort"],"type":"object"}]}"#,
    ),
    ("Pet", InputPlace::Properties, PET),
    (
        "Wrapped",
        InputPlace::Bound,
        r#"{"oneOf":[{"properties":{"read.Types$Wrapped":{"properties":{"number":{"format":"int32","type":"integer"}},"type":"object"}},"required":["read.Types$Wrapped"],"type":"object"}]}"#,
    ),
    (
        "Arrayed",
        InputPlace::Properties,
        r#"{"oneOf":[{"prefixItems":[{"enum":[".Types$Arrayed"]},{"properties":{"number":{"format":"int32","type":"integer"}},"type":"object"}],"maxItems":2,"minItems":2,"type":"array"}]}"#,
    ),
    (
        "Deduced",
        InputPlace::Properties,
        r#"{"oneOf":[{"properties":{"left":{"format":"int32","type":"integer"}},"type":"object"},{"properties":{"right":{"format":"int32","type":"integer"}},"type":"object"}]}"#,
    ),
];

/// Members as annotations of type arguments demand them; bean validation does not look into arrays and classes of the service.
const MEMBERS: &str = r#"{"properties":{"codes":{"items":{"maxLength":5,"minLength":2,"type":"string"},"type":"array"},"numbers":{"items":{"minimum":1,"format":"int32","type":"integer"},"type":"array"},"counts":{"propertyNames":{"pattern":"^(?:[a-z]+)$","type":"string"},"additionalProperties":{"minimum":3,"format":"int32","type":"integer"},"type":"object"},"lucky":{"minimum":7,"format":"int64","type":"integer"},"lists":{"propertyNames":{"enum":["RED","Blue"]},"additionalProperties":{"items":{"maxLength":9,"type":"string"},"type":"array"},"type":"object"},"wild":{"propertyNames":{"pattern":"^(0|[1-9][0-9]?)$","type":"string"},"additionalProperties":{"items":{"type":"number"},"type":"array"},"type":"object"},"own":{"properties":{"id":{"type":"string"},"prices":{"additionalProperties":{"format":"double","type":"number"},"type":"object"},"flag":{"type":"boolean"}},"type":"object"},"array":{"minItems":1,"items":{"type":"string"},"type":"array"},"variable":{"propertyNames":{"format":"uuid","type":"string"},"additionalProperties":{},"type":"object"}},"type":"object"}"#;

/// What beans are filled from: the number of the place, the name, the schema.
const FILLED: &str = concat!(
    r#"read.Filled$Search"#,
    "\n",
    r#"18 0 URL {"type":"string"}"#,
    "\n",
    r#"18 0 after {"format":"int64","type":"integer"}"#,
    "\n",
    r#"18 0 deck {"enum":["LOWER","UPPER"]}"#,
    "\n",
    r#"18 17 plan {"format":"binary","type":"string"}"#,
    "\n",
    r#"18 0 size {"minimum":3,"format":"int32","type":"integer"}"#,
    "\n",
    r#"18 0 tags {"items":{"minLength":2,"type":"string"},"type":"array"}"#,
    "\n",
    r#"18 0 crew.ages {"items":{"format":"int32","type":"integer"},"type":"array"}"#,
    "\n",
    r#"18 0 crew.name {"type":"string"}"#,
    "\n",
    r#"18 0 fees[LOWER] {"minimum":5,"format":"int32","type":"integer"}"#,
    "\n",
    r#"18 0 fees[UPPER] {"minimum":5,"format":"int32","type":"integer"}"#,
    "\n",
    r#"18 0 stops[0].port {"type":"string"}"#,
    "\n",
    r#"18 0 stops[1].port {"type":"string"}"#,
    "\n",
    r#"read.Filled$Wanted"#,
    "\n",
    r#"18 2 crumb {"format":"int64","type":"integer"}"#,
    "\n",
    r#"18 0 q {"maxLength":4,"type":"string"}"#,
    "\n",
    r#"18 1 X-Deck {"enum":["LOWER","UPPER"]}"#,
    "\n",
    r#"18 0 made {"type":"string"}"#,
    "\n",
    r#"18 3 sort {"items":{"minimum":1,"format":"int32","type":"integer"},"type":"array"}"#,
    "\n",
);

/// The same of beans that are filled from parts, of parameters that are parts, and of a bean of Micronaut.
const PARTED: &str = r#"read.Filled$Parts
18 4 label {"maxLength":4,"type":"string"}
18 4 more {"properties":{"port":{"type":"string"}},"type":"object"}
18 4 bytes {"format":"binary","type":"string"}
18 4 file {"format":"binary","type":"string"}
read.Filled$Parted
18 4 label {"minLength":2,"type":"string"}
18 4 file {"format":"binary","type":"string"}
18 4 stop {"properties":{"port":{"type":"string"}},"type":"object"}
18 4 tags {"items":{"format":"int32","type":"integer"},"type":"array"}
18 4 part {"type":"string"}
read.Filled$Fielded
18 4 label {"minLength":2,"type":"string"}
18 4 berth {"minimum":3,"format":"int32","type":"integer"}
18 4 more {"properties":{"port":{"type":"string"}},"type":"object"}
read.Filled$Shown
18 0 gate {"minimum":3,"format":"int32","type":"integer"}
18 1 X-Badge {"type":"string"}
18 22 side {"enum":["LOWER","UPPER"]}
"#;

/// A property whose sibling says what it is, in one of its choices once more.
const PARCEL: &str = r#"{"properties":{"weight":{"format":"int32","type":"integer"},"others":{"items":{"oneOf":[{"properties":{"is":{"enum":["right"]},"right":{"format":"int32","type":"integer"}},"required":["is"],"type":"object"}]},"type":"array"}},"allOf":[{"oneOf":[{"properties":{"kind":{"enum":["left"]},"content":{"properties":{"left":{"format":"int32","type":"integer"}},"type":"object"}},"required":["kind","content"],"type":"object"},{"properties":{"kind":{"enum":["n"]},"content":{"format":"int32","type":"integer"}},"required":["kind","content"],"type":"object"},{"properties":{"kind":{"enum":["parcel"]},"content":{"properties":{"weight":{"format":"int32","type":"integer"},"others":{"items":{"oneOf":[{"properties":{"is":{"enum":["right"]},"right":{"format":"int32","type":"integer"}},"required":["is"],"type":"object"}]},"type":"array"}},"allOf":[{"oneOf":[{"properties":{"kind":{"enum":["left"]},"content":{"properties":{"left":{"format":"int32","type":"integer"}},"type":"object"}},"required":["kind","content"],"type":"object"},{"properties":{"kind":{"enum":["n"]},"content":{"format":"int32","type":"integer"}},"required":["kind","content"],"type":"object"},{"properties":{"kind":{"enum":["parcel"]},"content":{"type":"object"}},"required":["kind","content"],"type":"object"}]}],"type":"object"}},"required":["kind","content"],"type":"object"}]}],"type":"object"}"#;

/// A choice by name, in one member of which it stands again.
const PET: &str = r#"{"oneOf":[{"properties":{"kind":{"enum":["cat"]},"lives":{"format":"int32","type":"integer"},"name":{"type":"string"}},"required":["kind"],"type":"object"},{"properties":{"kind":{"enum":["woof"]},"friend":{"oneOf":[{"properties":{"kind":{"enum":["cat"]},"lives":{"format":"int32","type":"integer"},"name":{"type":"string"}},"required":["kind"],"type":"object"},{"properties":{"kind":{"enum":["woof"]},"friend":{"type":"object"},"name":{"type":"string"}},"required":["kind"],"type":"object"}]},"name":{"type":"string"}},"required":["kind"],"type":"object"}]}"#;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the sources are there") {
        let path = entry.expect("listable").path();
        if path.is_dir() { sources(&path, found) } else { found.push(path) }
    }
}

/// Packages of libraries that jars which bring them along may have below another one.
const MOVABLE: [&str; 3] = ["com.fasterxml.jackson", "com.google.gson", "javax.servlet"];

/// Copies sources with the packages of libraries below `package`; gives the copies.
fn moved(files: &[PathBuf], package: &str, to: &Path) -> Vec<PathBuf> {
    let copy = |(idx, file): (usize, &PathBuf)| {
        let mut text = fs::read_to_string(file).expect("readable");
        for name in MOVABLE {
            text = text.replace(name, &format!("{package}{name}"));
        }
        let folder = to.join(idx.to_string());
        fs::create_dir_all(&folder).expect("a folder can be made");
        let copy = folder.join(file.file_name().expect("a file has a name"));
        fs::write(&copy, text).expect("writable");
        copy
    };
    files.iter().enumerate().map(copy).collect()
}

fn compile(jdk: &Jdk, to: &Path, files: &[PathBuf]) {
    let mut javac = jdk.program("javac");
    javac.args(["-g", "-nowarn", "-Xlint:-options", "-cp"]).arg(to).arg("-d").arg(to).args(files);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn run(jdk: &Jdk, classes: &Path, uses: &[String]) -> String {
    let mut java = jdk.program("java");
    // In a service the class lies in `java.lang`, to which contexts of the JDK's server are open.
    java.args(["-Xverify:all", "--add-opens", "jdk.httpserver/sun.net.httpserver=ALL-UNNAMED", "-cp"]).arg(classes);
    java.arg("read.Main").args(uses);
    let output = java.output().expect("java starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).replace("\r\n", "\n")
}

/// The folder with all classes compiled, on which a JDK runs.
fn with_classes(work: impl Fn(&Jdk, &Path)) {
    with_libraries_below("", work);
}

/// The same, with libraries where they are published and below a package of their jar.
fn with_libraries_anywhere(work: impl Fn(&Jdk, &Path)) {
    for package in ["", "shaded."] {
        with_libraries_below(package, &work);
    }
}

/// The same, with libraries below a package.
fn with_libraries_below(package: &str, work: impl Fn(&Jdk, &Path)) {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/inputs"), &mut files);
    for jdk in jdk::all_or_skip() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let classes = folder.path().join("classes");
        fs::create_dir_all(classes.join("restive")).expect("a folder can be made");
        for class in runtime::classes("restive/", 10_000) {
            fs::write(classes.join(class.internal_name + ".class"), class.bytes).expect("writable");
        }
        compile(&jdk, &classes, &moved(&files, package, &folder.path().join("sources")));
        work(&jdk, &classes);
    }
}

#[test]
fn reads_are_told_and_stay_as_they_were() {
    with_libraries_anywhere(|jdk, classes| {
        let uses: Vec<String> = USES.iter().map(|(name, _)| (*name).to_owned()).collect();
        let plain = run(jdk, classes, &uses);
        assert!(plain.lines().all(|line| !line.starts_with(' ')), "nothing is told without hooks: {plain}");
        let files = jdk::class_files(classes);
        let file = files.into_iter().find(|file| file.ends_with("read/Reader.class")).expect("it was compiled");
        let mut targets = TargetTable::with_capacity(10_000);
        let bytes = fs::read(&file).expect("readable");
        let Outcome::Rewritten(rewritten) = rewrite(&bytes, &Plan::all("restive/Probes"), &mut targets) else {
            panic!("it can be rewritten")
        };
        fs::write(&file, rewritten.bytes).expect("writable");
        let output = run(jdk, classes, &uses);
        let mut expected = String::new();
        for ((_, told), line) in USES.iter().zip(plain.lines()) {
            expected.extend([line, "\n"]);
            for (place, name) in *told {
                expected.extend(["  ", &place.number().to_string(), " ", name, "\n"]);
            }
        }
        assert_eq!(output, expected);
    });
}

#[test]
fn schemas_follow_the_rules_of_the_library_and_run_no_code() {
    with_libraries_anywhere(|jdk, classes| {
        fs::remove_file(classes.join("read/Types$Missing.class")).expect("it was compiled");
        let types = SCHEMAS.map(|(name, place, _)| format!("{}:read.Types${name}", place.number()));
        let output = run(jdk, classes, &types);
        for ((name, _, schema), line) in SCHEMAS.iter().zip(output.lines()) {
            assert_eq!(line, format!("read.Types${name}: {schema}"));
        }
    });
}

#[test]
fn schemas_of_huge_classes_are_bounded() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["7:read.Huge".to_owned()]);
        let schema = output.trim_end().strip_prefix("read.Huge: ").expect("a schema");
        assert!(schema.starts_with(r#"{"properties":{"f1":"#) && schema.ends_with('}'), "{schema}");
        let n_properties = schema.matches("\"f").count();
        assert!(schema.len() < 60_000 && (401..=800).contains(&n_properties), "{n_properties} in {} bytes", schema.len());
        assert!(schema.contains(r#""f400":"#) && !schema.contains(r#""f401":"#), "{schema}");
    });
}

#[test]
fn bodies_without_properties_are_told_as_what_they_are() {
    with_classes(|jdk, classes| {
        let types = ["8:java.lang.String", "8:java.io.InputStream", "9:[B", "6:java.lang.String", "8:read.Types$Left"];
        let output = run(jdk, classes, &types.map(|name| format!("={name}")));
        assert_eq!(output, "5 \n5 \n5 \n\n8 read.Types$Left\n");
    });
}

#[test]
fn a_class_that_two_libraries_read_has_a_schema_for_each() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["%read.Types$Named".to_owned()]);
        let told = "read.Types$Named {\"properties\":{\"own\":{\"type\":\"string\"}},\"type\":\"object\"}\n\
                    read.Types$Named by properties {\"properties\":{},\"type\":\"object\"}\n";
        assert_eq!(output, told.repeat(2));
    });
}

#[test]
fn beans_are_told_by_what_they_are_filled_from() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["@Sread.Filled$Search".to_owned(), "@Jread.Filled$Wanted".to_owned()]);
        assert_eq!(output, FILLED);
    });
}

#[test]
fn parts_of_bodies_are_told_as_they_are_read() {
    with_classes(|jdk, classes| {
        let uses = ["@Bread.Filled$Parts", "@Pread.Filled$Parted", "@Fread.Filled$Fielded", "@Cread.Filled$Shown"];
        assert_eq!(run(jdk, classes, &uses.map(str::to_owned)), PARTED);
    });
}

#[test]
fn a_bean_is_filled_from_parts_where_the_body_has_some() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["@Mread.Filled$Wanted".to_owned()]);
        let of_form: Vec<&str> = output.lines().filter(|line| line.contains(" sort ")).collect();
        assert_eq!(of_form, [r#"18 4 sort {"items":{"minimum":1,"format":"int32","type":"integer"},"type":"array"}"#]);
    });
}

#[test]
fn members_with_nothing_but_a_name_are_of_the_query_where_one_was_read_there() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["@Cread.Filled$Shown".to_owned(), "@Nread.Filled$Shown".to_owned()]);
        let of_query: Vec<&str> = output.lines().filter(|line| line.starts_with("18 0 ")).collect();
        let gate = r#"18 0 gate {"minimum":3,"format":"int32","type":"integer"}"#;
        let lane = r#"18 0 lane {"maxLength":4,"type":"string"}"#;
        let lanes = r#"18 0 lanes {"items":{"minimum":1,"format":"int32","type":"integer"},"type":"array"}"#;
        assert_eq!(of_query, [gate, gate, lane, lanes]);
    });
}

#[test]
fn classes_of_one_name_are_told_apart_by_their_loaders() {
    with_classes(|jdk, classes| {
        let output = run(jdk, classes, &["&read.Types$Left".to_owned()]);
        assert_eq!(output, "read.Types$Left true\nread.Types$Left (2) true\n".repeat(2));
    });
}

#[test]
fn paths_of_routes_are_those_of_openapi() {
    with_classes(|jdk, classes| {
        let paths = [
            ("/a/{ id }/", "R /a/{id}"),
            ("/{name:.+}//{code:[a-z]{2}}", "R /{name}/{code}"),
            ("/{bucket:.+}/{*key}", "R /{bucket}/{+key}"),
            ("/assets/**", "R /assets/{+path}"),
            ("/assets/*/a", "N http-server: `/assets/*/a` stands for many paths"),
        ];
        let told = run(jdk, classes, &paths.map(|(path, _)| path.to_owned()));
        assert_eq!(told.lines().collect::<Vec<_>>(), paths.map(|(_, told)| told));
    });
}
