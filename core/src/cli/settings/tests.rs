use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::args::{self, CliCommand};
use super::super::{CliError, Config, Exit, SchemaSource, Settings, SuiteFormat};
use crate::exec::{AuthFile, Ready, Reset};
use crate::search::{Budget, Marking, SearchOdds, Tracking};

const MINIMAL: [&str; 4] = ["--url", "http://127.0.0.1:1", "--schema", "api.yaml"];

fn resolve(flags: &[&str], file: &str) -> Result<Settings, CliError> {
    let words = ["restive", "fuzz"].iter().chain(flags).map(Into::into);
    let parsed = args::parse(words).expect("valid flags");
    let CliCommand::Fuzz(args) = parsed.cli.command else { panic!("another command") };
    let path = Path::new("folder/restive.toml");
    let mut config = Config::parse(file, path).expect("a valid file");
    config.folder = PathBuf::from("folder");
    Settings::resolve(*args, &config, &parsed.matches)
}

fn minimal(flags: &[&str], file: &str) -> Settings {
    resolve(&[&MINIMAL, flags].concat(), file).expect("valid settings")
}

fn origin(settings: &Settings, key: &str) -> (String, &'static str) {
    let setting = settings.origins.iter().find(|setting| setting.key == key).expect("a known key");
    (setting.value.clone(), setting.origin)
}

#[test]
fn flags_win_over_the_file_and_the_file_over_defaults() {
    let settings = minimal(&["--population", "3"], "[search]\npopulation = 5\nmutations = 6\nbudget = \"2000 calls\"");
    assert_eq!(settings.search.population, 3);
    assert_eq!(settings.search.mutations, 6);
    assert_eq!(settings.search.budget, Budget::Calls(2000));
    assert_eq!(origin(&settings, "search.population"), ("3".to_owned(), "flag"));
    assert_eq!(origin(&settings, "search.mutations"), ("6".to_owned(), "file"));
    assert_eq!(origin(&settings, "search.p-smart"), ("0.95".to_owned(), "default"));
    assert_eq!(origin(&settings, "search.budget"), ("2000 calls".to_owned(), "file"));
}

#[test]
fn defaults_are_those_of_the_search() {
    let settings = minimal(&["--rng-seed", "7"], "");
    let expected = crate::search::SearchSettings::new(Budget::Time(Duration::from_mins(1)), 7);
    assert_eq!(settings.search, expected);
    assert_eq!(settings.output.folder, PathBuf::from("out"));
    assert_eq!(settings.output.formats, SuiteFormat::USUAL);
    assert_eq!(settings.sut, None);
    assert_eq!(settings.reset.reset, Reset::Never);
}

#[test]
fn values_are_tracked_unless_no_calls_are_measured_or_nobody_wants_it() {
    let expands = |flags: &[&str], file: &str| minimal(flags, file).driver.expands;
    assert_eq!([expands(&[], ""), expands(&["--no-expansion"], "")], [true, false]);
    assert!(!expands(&[], "[driver]\nno-expansion = true"));
    let tracking = |flags: &[&str], file: &str| minimal(flags, file).driver.tracking;
    assert_eq!(tracking(&[], ""), Tracking::Undisturbed);
    for off in [&["--tracking", "off"][..], &["--no-taint"], &["--no-replacements"], &["--replacements", "tcp"]] {
        assert_eq!(tracking(off, ""), Tracking::Off, "{off:?}");
    }
    assert_eq!(tracking(&["--no-replacements", "--tracking", "undisturbed"], ""), Tracking::Undisturbed);
    assert_eq!(tracking(&["--replacements", "text"], ""), Tracking::Undisturbed);
    assert_eq!(tracking(&[], "[driver]\nno-taint = true"), Tracking::Off);
    let error = resolve(&[&MINIMAL[..], &["--tracking", "odd"]].concat(), "").expect_err("no such thing");
    assert_eq!(error.message, "found `odd` for `--tracking`, wanted undisturbed or marked or both or off");
}

/// Flags of a service that restive starts, so that the agent is loaded.
const STARTED: [&str; 4] = ["--command", "java -jar app.jar {port}", "--schema", "api.yaml"];

#[test]
fn values_are_marked_where_that_is_asked_for() {
    let marking = |flags: &[&str], file: &str| {
        let settings = resolve(&[&STARTED[..], flags].concat(), file).expect("valid settings");
        (settings.driver.tracking, settings.search.marking)
    };
    assert_eq!(marking(&[], ""), (Tracking::Undisturbed, Marking::Never));
    assert_eq!(marking(&["--tracking", "marked"], ""), (Tracking::Marked, Marking::Adaptive(0.9)));
    assert_eq!(marking(&["--tracking", "both", "--taint-probability", "0.5"], ""), (Tracking::Both, Marking::Fixed(0.5)));
    assert_eq!(marking(&["--tracking", "marked", "--no-taint"], ""), (Tracking::Off, Marking::Never));
    assert_eq!(marking(&["--tracking", "marked", "--blackbox"], "").1, Marking::Never);
    let in_file = |p: &str| marking(&[], &format!("[driver]\ntracking = \"marked\"\ntaint-probability = {p}")).1;
    assert_eq!(
        [in_file("0.25"), in_file("1"), in_file("\"adaptive\"")],
        [Marking::Fixed(0.25), Marking::Fixed(1.0), Marking::Adaptive(0.9)]
    );
}

#[test]
fn presets_are_won_over_by_what_is_set_besides() {
    let settings = |flags: &[&str], file: &str| resolve(&[&STARTED[..], flags].concat(), file).expect("valid settings");
    let base = settings(&["--config-preset", "base"], "");
    assert_eq!((base.driver.replacements.as_deref(), base.driver.tracking), (Some(&[][..]), Tracking::Off));
    assert!(!base.driver.expands);
    assert_eq!(origin(&base, "driver.no-replacements"), ("true".to_owned(), "preset"));
    let measured = settings(&[], "[driver]\nconfig-preset = \"m\"");
    assert!(measured.driver.expands);
    assert_eq!((measured.driver.replacements, measured.driver.tracking), (None, Tracking::Off));
    let marked = settings(&["--config-preset", "m+t-0.1"], "");
    assert_eq!((marked.driver.tracking, marked.search.marking), (Tracking::Marked, Marking::Fixed(0.1)));
    let plain = settings(&["--config-preset", "m+t"], "");
    assert_eq!((plain.driver.tracking, plain.driver.replacements), (Tracking::Undisturbed, None));
    let won = settings(&["--config-preset", "m+t-0.1", "--taint-probability", "0.7"], "[driver]\ntracking = \"both\"");
    assert_eq!((won.driver.tracking, won.search.marking), (Tracking::Both, Marking::Fixed(0.7)));
    assert!(settings(&["--config-preset", "base", "--no-expansion=false"], "").driver.expands);
    let families = settings(&["--config-preset", "base", "--replacements", "text"], "");
    assert_eq!(families.driver.replacements, Some(vec!["text".to_owned()]));
    assert_eq!(families.driver.tracking, Tracking::Off);
}

#[test]
fn every_search_parameter_has_a_setting() {
    let settings = minimal(&[], "");
    let n_settings = settings.origins.iter().filter(|setting| setting.key.starts_with("search.")).count();
    // 17 fields of `SearchSettings` besides the limits and odds, the 4 limits, and the odds.
    assert_eq!(n_settings, 17 + 4 + SearchOdds::default().entries().len());
}

#[test]
fn numbers_out_of_range_are_refused_where_they_stand() {
    let error = resolve(&[&MINIMAL[..], &["--p-random", "1.5"]].concat(), "").expect_err("more than 1");
    assert_eq!(error.message, "found 1.5 for `--p-random`, wanted a number from 0 to 1");
    assert_eq!(error.exit, Exit::Usage);
    let error = resolve(&MINIMAL, "[search]\npopulation = 0").expect_err("none");
    assert_eq!(error.message, "found 0 for `population` in [search], wanted a whole number from 1 to 1000000");
    let error = resolve(&[&MINIMAL[..], &["--max-rate", "0"]].concat(), "").expect_err("no calls at all");
    assert!(error.message.contains("`--max-rate`"));
    let error = resolve(&[&MINIMAL[..], &["--p-pool", "NaN"]].concat(), "").expect_err("not a number");
    assert!(error.message.contains("NaN"));
}

#[test]
fn odds_are_settings_with_names_and_ranges() {
    let settings = minimal(
        &["--mutations-start", "2"],
        "[search]\nmax-deaths = 7\nmax-time-outs = 9\n[search.odds]\nmalformed = 0.5\nlast-call = 9",
    );
    let odds = SearchOdds { malformed: 0.5, last_call: 9.0, ..SearchOdds::default() };
    assert_eq!((settings.search.odds, settings.search.mutations_start, settings.search.max_deaths), (odds, 2, 7));
    assert_eq!(settings.search.max_time_outs, 9);
    assert_eq!(origin(&minimal(&[], "[search]\nodds.copy = 0"), "search.odds.copy"), ("0.0".to_owned(), "file"));
    // What is shown is a file that gives the same again.
    let again = minimal(&["--rng-seed", "1"], "[search.odds]\nswap-calls = 0.25");
    assert!(again.as_toml.contains("odds.swap-calls = 0.25"), "{}", again.as_toml);
    let unknown = resolve(&MINIMAL, "[search.odds]\nmalformd = 0.5").expect_err("no such name");
    assert_eq!(unknown.message, "found `malformd` in [search.odds], wanted one of its names");
    assert_eq!(unknown.hint.as_deref(), Some("did you mean `malformed`?"));
    let large = resolve(&MINIMAL, "[search.odds]\nmalformed = 1.5").expect_err("more than 1");
    assert_eq!(large.message, "found 1.5 for `malformed` in [search.odds], wanted a number from 0 to 1");
    let sum = resolve(&MINIMAL, "[search.odds]\npick-goal = 0.9\npick-shape = 0.2").expect_err("more than 1 together");
    assert!(sum.message.contains("the sum of `pick-…`"), "{}", sum.message);
}

#[test]
fn secrets_are_masked_wherever_settings_are_shown() {
    let flags = ["--bearer", "tok-123", "--basic", "u:pw-456", "--header", "X-Api-Key: key-789", "--header", "X-Tenant: 7"];
    let settings = minimal(&flags, "");
    let shown = format!("{:?}{}", settings.origins, settings.as_toml);
    for secret in ["tok-123", "pw-456", "key-789"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.contains("X-Tenant = \"7\""), "{shown}");
    assert_eq!(settings.auth.bearer.as_deref(), Some("tok-123"));
    let flags = ["--url", "http://h", "--schema", "http://u:pw-456@h/api.json"];
    let settings = resolve(&flags, "").expect("valid settings");
    assert_eq!(origin(&settings, "sut.schema"), ("http://u:***@h/api.json".to_owned(), "flag"));
    let schema = settings.schema.expect("it is given").to_string();
    assert!(schema.contains("pw-456"), "the document is fetched with it");
}

#[test]
fn shown_settings_are_a_valid_file_that_gives_the_same_settings() {
    let file = "[sut]\ncommand = \"java -jar 'my app.jar' {port}\"\nready-log = \"up\"\nenv = { A = \"b\" }\n\
                [operations]\nexclude = [\"POST /stop\"]\n[http]\nmax-rate = 5\n[reset]\nhttp = \"post /reset\"\n";
    let first = resolve(&["--schema", "/api.yaml", "--rng-seed", "9", "--out", "/o"], file).expect("valid settings");
    let mut second = resolve(&[], &first.as_toml).expect("the shown settings are valid");
    assert!(first.as_toml.contains("# file") && first.as_toml.contains("# flag") && first.as_toml.contains("# default"));
    // The folder of a file is joined to what is relative in it; origins differ by design.
    second
        .sut
        .as_mut()
        .expect("a command")
        .working_directory
        .clone_from(&first.sut.as_ref().expect("a command").working_directory);
    second.origins.clone_from(&first.origins);
    second.as_toml.clone_from(&first.as_toml);
    assert_eq!(first, second);
}

#[test]
fn a_fresh_folder_and_a_working_directory_exclude_each_other() {
    let fresh = resolve(&["--schema", "/api.yaml", "--command", "run", "--fresh-folder"], "").expect("valid settings");
    assert!(fresh.sut.expect("a command").fresh_folder);
    let both = ["--schema", "/api.yaml", "--command", "run", "--fresh-folder", "--working-directory", "x"];
    let error = resolve(&both, "").expect_err("one place is wanted");
    assert!(error.message.contains("`fresh-folder`"), "{}", error.message);
    let without = resolve(&["--url", "http://127.0.0.1:1", "--schema", "/api.yaml", "--fresh-folder"], "");
    assert!(without.expect_err("nothing is started").message.contains("is of use only when"));
}

#[test]
fn exclusions_add_up_and_inclusions_replace() {
    let file = "[operations]\ninclude = [\"tag:a\"]\nexclude = [\"POST /shutdown\"]";
    let settings = minimal(&["--include", "tag:b", "--exclude", "DELETE"], file);
    assert_eq!(settings.operations.include, ["tag:b"]);
    assert_eq!(settings.operations.exclude, ["POST /shutdown", "DELETE"]);
    assert_eq!(origin(&settings, "operations.exclude").1, "flag and file");
}

#[test]
fn typed_headers_replace_those_of_the_same_name() {
    let settings = minimal(&["--header", "x-a: 2"], "[http]\nheaders = { X-A = \"1\", X-B = \"3\" }");
    let expected = [("X-B".to_owned(), "3".to_owned()), ("x-a".to_owned(), "2".to_owned())];
    assert_eq!(settings.http.headers, expected);
}

#[test]
fn paths_of_the_file_are_meant_from_its_folder() {
    let file = "[sut]\nschema = \"api.yaml\"\ncommand = \"./run\"\n[auth]\nfile = \"auth.yaml\"\n[output]\nout = \"results\"";
    let settings = resolve(&[], file).expect("valid settings");
    assert_eq!(settings.schema, Some(SchemaSource::File("folder/api.yaml".into())));
    assert_eq!(settings.auth.file, Some(AuthFile::Path("folder/auth.yaml".into())));
    assert_eq!(settings.output.folder, PathBuf::from("folder/results"));
    assert_eq!(settings.sut.expect("a command").working_directory, Some("folder".into()));
    let settings = resolve(&["--schema", "mine.yaml"], file).expect("valid settings");
    assert_eq!(settings.schema, Some(SchemaSource::File("mine.yaml".into())));
}

#[test]
fn a_way_to_be_ready_from_above_puts_aside_those_below() {
    let file = "[sut]\ncommand = \"x\"\nready-log = \"up\"";
    let ready = |flags: &[&str]| minimal(flags, file).sut.expect("a command").ready;
    assert_eq!(ready(&[]), Ready::LogLine("up".to_owned()));
    assert_eq!(ready(&["--ready-path", "health"]), Ready::HttpPath("/health".to_owned()));
    assert_eq!(ready(&["--ready-port"]), Ready::Port);
    let error = resolve(&MINIMAL, "[sut]\ncommand = \"x\"\nready-log = \"up\"\nready-path = \"/\"").expect_err("two ways");
    assert!(error.message.contains("wanted one"));
}

#[test]
fn exactly_one_way_to_reset_is_taken() {
    let reset =
        |flags: &[&str], file: &str| resolve(&[&MINIMAL[..], flags].concat(), file).map(|settings| settings.reset.reset);
    let expected = Reset::Http { verb: "POST".to_owned(), url: "/reset".to_owned() };
    assert_eq!(reset(&["--reset-http", "post /reset"], "[reset]\nnever = true").expect("one way"), expected);
    let command = Reset::Command(vec!["psql".to_owned(), "-f".to_owned(), "a b".to_owned()]);
    assert_eq!(reset(&["--reset-command", "psql -f 'a b'"], "").expect("one way"), command);
    assert!(reset(&["--reset-http", "/reset"], "").is_err());
    assert!(reset(&["--reset-never", "--reset-restart"], "").is_err());
    assert!(reset(&["--reset-restart"], "").expect_err("not started").hint.is_some_and(|hint| hint.contains("--command")));
    assert_eq!(reset(&["--reset-restart", "--command", "x"], "").expect("one way"), Reset::Restart);
}

#[test]
fn what_only_a_started_service_needs_is_refused_without_one() {
    for flags in [["--port", "80"], ["--ready-log", "x"], ["--env", "A=b"], ["--start-limit", "5s"]] {
        let error = resolve(&[&MINIMAL[..], &flags].concat(), "").expect_err("nothing is started");
        assert!(error.hint.is_some_and(|hint| hint.contains("--command")), "{flags:?}");
    }
    let error = resolve(&["--url", "http://127.0.0.1:{port}", "--schema", "a"], "").expect_err("no port is known");
    assert!(error.message.contains("{port}"));
}

#[test]
fn a_missing_service_and_wrong_credentials_are_usage_errors() {
    for flags in [&[][..], &["--budget", "9s"], &["--schema", "a", "--basic", "x"], &["--schema", "a", "--bearer", ""]] {
        assert_eq!(resolve(flags, "").expect_err("wrong usage").exit, Exit::Usage, "{flags:?}");
    }
    let error = resolve(&["--schema", "a", "--url", "localhost:8080"], "").expect_err("no scheme");
    assert_eq!(error.message, "found `localhost:8080`, wanted a URL that begins with `http://` or `https://` for `--url`");
}

#[test]
fn a_service_needs_no_schema() {
    for flags in [["--url", "http://h"], ["--command", "python app.py {port}"]] {
        assert_eq!(resolve(&flags, "").expect("valid settings").schema, None, "{flags:?}");
    }
    assert!(resolve(&[], "[sut]\ncommand = [\"run\"]").is_ok());
}

#[test]
fn a_jar_needs_no_schema_and_takes_arguments_for_both_sides() {
    let flags = ["--jar", "app.jar", "--jvm-arg", "-Xmx1g", "--packages", "com.a,com.b", "--env", "A=b", "--", "--port={port}"];
    let settings = resolve(&flags, "").expect("valid settings");
    let jar = settings.jar.expect("a jar");
    assert_eq!((jar.file, jar.java), (PathBuf::from("app.jar"), None));
    assert_eq!((jar.jvm_args, jar.arguments), (vec!["-Xmx1g".to_owned()], vec!["--port={port}".to_owned()]));
    assert_eq!((settings.packages, settings.schema), (vec!["com.a".to_owned(), "com.b".to_owned()], None));
    let sut = settings.sut.expect("a jar is started");
    assert_eq!((sut.notice_port, sut.command.len(), sut.start_limit), (true, 0, Duration::from_mins(3)));
    let settings = resolve(&[], "[sut]\njar = \"app.jar\"\njava = \"java\"").expect("valid settings");
    let jar = settings.jar.expect("a jar");
    assert_eq!((jar.file, jar.java), (PathBuf::from("folder/app.jar"), Some(PathBuf::from("java"))));
}

#[test]
fn secrets_of_command_lines_are_not_shown() {
    let flags =
        ["--jar", "app.jar", "--jvm-arg", "-Ddb.password=pw-123", "--", "--token", "tok-456", "--api-key=key-789", "a=b"];
    let settings = resolve(&flags, "").expect("valid settings");
    let shown = format!("{:?}{}", settings.origins, settings.as_toml);
    for secret in ["pw-123", "tok-456", "key-789"] {
        assert!(!shown.contains(secret), "{shown}");
    }
    assert!(shown.contains("-Ddb.password=***") && shown.contains("a=b"), "{shown}");
    assert_eq!(settings.jar.expect("a jar").arguments, ["--token", "tok-456", "--api-key=key-789", "a=b"]);
}

#[test]
fn a_typed_command_and_a_jar_of_the_file_do_not_meet() {
    let file = "[sut]\njar = \"app.jar\"\njvm-args = [\"-Xmx1g\"]";
    let settings = minimal(&["--command", "x"], file);
    assert_eq!((settings.jar, settings.sut.map(|sut| sut.command)), (None, Some(vec!["x".to_owned()])));
    let settings = resolve(&["--jar", "b.jar"], "[sut]\ncommand = \"x\"").expect("valid settings");
    assert!(settings.jar.is_some() && settings.sut.is_some_and(|sut| sut.command.is_empty()));
    let error = minimal_error(&["--java", "java"]);
    assert!(error.message.contains("`--java`") && error.hint.is_some_and(|hint| hint.contains("--jar")));
}

fn minimal_error(flags: &[&str]) -> crate::cli::CliError {
    resolve(&[&MINIMAL[..], flags].concat(), "").expect_err("wrong usage")
}
