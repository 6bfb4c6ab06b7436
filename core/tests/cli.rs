//! The built `restive` binary: help, wrong usage, exit codes, settings from every layer. Nothing is called here.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the binary in `folder` without any `RESTIVE_` variable of the surroundings.
fn restive_in(folder: &Path, flags: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_restive"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("RESTIVE_") {
            command.env_remove(name);
        }
    }
    command.args(flags).envs(variables.iter().copied()).current_dir(folder).output().expect("the binary runs")
}

fn restive(flags: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    restive_in(folder.path(), flags, &[])
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The line of the shown settings for `key`.
fn setting<'a>(shown: &'a str, key: &str) -> &'a str {
    shown.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("no {key} in {shown}"))
}

#[test]
fn help_and_version_are_asked_for_and_go_to_standard_output() {
    for flags in [&["--help"][..], &["--version"], &["fuzz", "--help"], &["demo", "-h"], &["schema", "check", "--help"]] {
        let output = restive(flags);
        assert_eq!(output.status.code(), Some(0), "{flags:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{flags:?}");
    }
    let help = stdout(&restive(&["--help"]));
    assert!(help.contains("fuzz") && help.contains("demo") && help.contains("schema"), "{help}");
    assert!(!help.contains("demo-service"), "a part of the demo is no command for people");
}

#[test]
fn a_jar_that_cannot_be_started_is_refused_with_the_next_step() {
    let folder = tempfile::tempdir().expect("a folder");
    // A zip file without entries is its end record alone.
    let empty: Vec<u8> = b"PK\x05\x06".iter().copied().chain([0; 18]).collect();
    for (name, bytes) in [("text.jar", &b"no jar"[..]), ("nothing.jar", b""), ("empty.jar", &empty)] {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    std::fs::create_dir(folder.path().join("folder.jar")).expect("made");
    let cases = [
        ("text.jar", "`text.jar` is not a jar"),
        ("nothing.jar", "`nothing.jar` is not a jar"),
        ("folder.jar", "`folder.jar` is not a jar: it is a folder"),
        ("empty.jar", "`empty.jar` names no `Main-Class`"),
        ("none.jar", "cannot read `none.jar`"),
    ];
    for (jar, expected) in cases {
        for command in [&["sut", "inspect", "--jar", jar][..], &["fuzz", "--jar", jar]] {
            let output = restive_in(folder.path(), command, &[]);
            let shown = stderr(&output);
            assert_eq!(output.status.code(), Some(3), "{command:?}: {shown}");
            assert!(shown.starts_with(&format!("error: {expected}")) && shown.contains("\nhint: "), "{command:?}: {shown}");
        }
    }
}

#[test]
fn folders_that_explain_nothing_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, content).expect("written");
    };
    std::fs::create_dir(folder.path().join("empty")).expect("made");
    file("older/results.json", "{}");
    file("newer/explain.json", r#"{"format_version": 2, "restive_version": "7.0"}"#);
    file("cut/explain.json", r#"{"format_version": 1, "targ"#);
    let cases = [
        ("none", "there is no folder `none`"),
        ("empty", "`empty` holds no results of restive"),
        ("older", "`older/explain.json` is missing beside `results.json`"),
        ("newer", "`newer/explain.json` has format version 2, wanted 1; restive 7.0 wrote it"),
        ("cut", "`cut/explain.json` is damaged: EOF while parsing"),
    ];
    for (out, expected) in cases {
        let output = restive_in(folder.path(), &["explain", out, "GET /x"], &[]);
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{out}: {shown}");
        assert!(shown.starts_with(&format!("error: {expected}")) && shown.contains("\nhint: "), "{out}: {shown}");
    }
    let help = stdout(&restive(&["explain", "--help"]));
    assert!(help.contains("restive explain out 'GET /pets'") && help.contains("--json"), "{help}");
}

#[test]
fn what_contradicts_a_jar_is_wrong_usage() {
    let cases = [
        (&["--jar", "a.jar", "--command", "x"][..], "--command"),
        (&["--jar", "a.jar", "--jar", "b.jar"], "--jar"),
        (&["--url", "http://127.0.0.1:1", "--schema", "a", "--jvm-arg", "-Xmx1g"], "--jvm-arg"),
        (&["--url", "http://127.0.0.1:1", "--schema", "a", "--packages", "com.acme"], "--packages"),
        (&["--command", "x", "--schema", "a", "--", "x"], "an argument after `--`"),
        (&["--jar", "a.jar", "--url", "http://192.0.2.1:80"], "192.0.2.1"),
    ];
    for (flags, expected) in cases {
        let output = restive(&[&["fuzz"], flags].concat());
        let shown = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {shown}");
        assert!(shown.contains(expected), "{flags:?}: {shown}");
    }
}

#[test]
fn every_setting_is_in_the_help_of_fuzz() {
    let help = stdout(&restive(&["fuzz", "--help"]));
    let flags = [
        "--url",
        "--schema",
        "--jar",
        "--java",
        "--jvm-arg",
        "--packages",
        "--command",
        "--env",
        "--working-directory",
        "--fresh-folder",
        "--port",
        "--ready-log",
        "--ready-path",
        "--ready-port",
        "--start-limit",
        "--include",
        "--exclude",
        "--budget",
        "--rng-seed",
        "--max-test-size",
        "--p-random",
        "--focused-phase",
        "--population",
        "--mutations",
        "--p-structure",
        "--p-smart",
        "--p-example",
        "--p-pool",
        "--p-invalid",
        "--max-depth",
        "--max-genes",
        "--max-members",
        "--max-string",
        "--time-limit",
        "--max-rate",
        "--header",
        "--max-body",
        "--insecure",
        "--auth-file",
        "--bearer",
        "--basic",
        "--reset-http",
        "--reset-command",
        "--reset-restart",
        "--reset-never",
        "--out",
        "--overwrite",
        "--format",
        "--suite",
        "--debug",
        "--quiet",
        "--config",
        "--show-config",
    ];
    for flag in flags {
        assert!(
            help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}[")) || help.contains(&format!("{flag}\n")),
            "{flag}"
        );
    }
}

#[test]
fn wrong_usage_ends_with_2_and_one_error() {
    let cases: [(&[&str], &str); 8] = [
        (&[], "Usage: restive"),
        (&["fuz"], "error:"),
        (&["fuzz", "--budgt", "60s"], "--budget"),
        (&["fuzz", "--budget", "2000"], "`2000 calls` for calls"),
        (&["fuzz"], "hint: `restive fuzz --url"),
        (&["fuzz", "--schema", "a.yaml", "--url", "localhost:8080"], "hint: did you mean `http://localhost:8080`?"),
        (&["fuzz", "--schema", "a.yaml", "--url", "http://x", "--p-random", "2"], "wanted a number from 0 to 1"),
        (&["fuzz", "--schema", "a.yaml", "--url", "http://x", "--header", "no colon"], "wanted a header field"),
    ];
    for (flags, expected) in cases {
        let output = restive(flags);
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
        assert!(output.stdout.is_empty(), "{flags:?}");
        assert!(stderr(&output).contains(expected), "{flags:?}: {}", stderr(&output));
    }
}

#[test]
fn a_wrong_settings_file_is_a_usage_error_and_a_missing_one_is_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("restive.toml"), "[search]\nbudgt = \"60s\"\n").expect("written");
    let output = restive_in(folder.path(), &["fuzz"], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "error: restive.toml:2:1: unknown key `budgt`\nhint: did you mean `budget`?\n");
    let output = restive_in(folder.path(), &["fuzz", "--config", "other.toml"], &[]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).starts_with("error: cannot read the settings file `other.toml`: "), "{}", stderr(&output));
}

#[test]
fn a_flag_wins_over_the_environment_and_that_over_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "[sut]\nurl = \"http://127.0.0.1:1\"\nschema = \"api.yaml\"\n\
                [search]\nbudget = \"10s\"\npopulation = 3\nmutations = 4\n";
    std::fs::write(folder.path().join("restive.toml"), file).expect("written");
    let variables = [("RESTIVE_BUDGET", "20s"), ("RESTIVE_POPULATION", "5"), ("RESTIVE_OVERWRITE", "true")];
    let output = restive_in(folder.path(), &["fuzz", "--show-config", "--budget", "2000 calls"], &variables);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let shown = stdout(&output);
    for (key, value, origin) in [
        ("budget", "\"2000 calls\"", "# flag"),
        ("population", "= 5 ", "# environment"),
        ("overwrite", "= true ", "# environment"),
        ("mutations", "= 4 ", "# file"),
        ("p-smart", "= 0.95 ", "# default"),
    ] {
        let line = setting(&shown, key);
        assert!(line.contains(value) && line.ends_with(origin), "{line}");
    }
}

#[test]
fn shown_settings_can_be_saved_and_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags =
        ["fuzz", "--show-config", "--url", "http://127.0.0.1:1", "--schema", "/api.yaml", "--out", "/o", "--rng-seed", "7"];
    let first = stdout(&restive_in(folder.path(), &flags, &[]));
    std::fs::write(folder.path().join("saved.toml"), &first).expect("written");
    let second = stdout(&restive_in(folder.path(), &["fuzz", "--show-config", "--config", "saved.toml"], &[]));
    let values = |text: &str| {
        text.lines().map(|line| line.split(" # ").next().unwrap_or_default().trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values(&first), values(&second));
}

#[test]
fn secrets_are_never_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = ["fuzz", "--show-config", "--url", "http://127.0.0.1:1", "--schema", "a", "--basic", "alice:pa55word"];
    let output = restive_in(folder.path(), &flags, &[("RESTIVE_BEARER", "t0ken123")]);
    let all = stdout(&output) + &stderr(&output);
    assert!(!all.contains("pa55word") && !all.contains("t0ken123") && all.contains("***"), "{all}");
    let help = restive_in(folder.path(), &["fuzz", "--help"], &[("RESTIVE_BEARER", "t0ken123")]);
    assert!(!stdout(&help).contains("t0ken123"));
}

#[test]
fn errors_have_no_colours_off_a_terminal() {
    assert!(!stderr(&restive(&["fuzz"])).contains('\u{1b}'));
}

#[test]
fn the_demo_takes_its_own_flags_only() {
    let output = restive(&["demo", "--show-config", "--budget", "5s", "--rng-seed", "1", "--out", "there"]);
    assert_eq!(output.status.code(), Some(0));
    let shown = stdout(&output);
    assert!(setting(&shown, "out").contains("\"there\"") && setting(&shown, "budget").contains("\"5s\""), "{shown}");
    assert_eq!(restive(&["demo", "--url", "http://127.0.0.1:1"]).status.code(), Some(2));
}

#[test]
fn a_run_without_a_suite_ends_with_its_search() {
    let folder = tempfile::tempdir().expect("a folder");
    let api = r#"{"openapi": "3.0.0", "paths": {"/nowhere": {"get": {"responses": {"200": {"description": "never"}}}}}}"#;
    std::fs::write(folder.path().join("api.json"), api).expect("written");
    let command = format!("'{}' demo-service --port {{port}}", env!("CARGO_BIN_EXE_restive"));
    let flags = ["fuzz", "--command", &command, "--schema", "api.json", "--budget", "20 calls", "--suite=false"];
    let output = restive_in(folder.path(), &flags, &[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(!folder.path().join("out/suite").exists() && !stderr(&output).contains("suite/"), "{}", stderr(&output));
    let results = std::fs::read_to_string(folder.path().join("out/results.json")).expect("results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    let findings = results["findings"].as_array().expect("findings");
    assert!(!findings.is_empty() && findings.iter().all(|finding| finding["confirmation"] == "untried"), "{findings:?}");
    assert_eq!((results["run"]["calls"].as_u64(), results["tests"].as_array().map(Vec::len)), (Some(20), Some(0)));
}

/// A full disk behind a redirection loses what was asked for, so it must not look like success.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("api.json"), r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}"#).expect("written");
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device of Linux");
    let mut command = Command::new(env!("CARGO_BIN_EXE_restive"));
    let output =
        command.args(["schema", "check", "api.json"]).current_dir(folder.path()).stdout(full).output().expect("it runs");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("standard output") && stderr(&output).contains("hint:"), "{}", stderr(&output));
}
