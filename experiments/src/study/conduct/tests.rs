//! Studies with a script in the place of `restive`.

use std::os::unix::fs::PermissionsExt;
use std::sync::MutexGuard;

use super::super::expand::Shard;
use super::*;

const STUDY: &str = r#"
    name = "s"
    budget = "5 calls"
    seeds = [1, 2, 3]
    [[subject]]
    name = "a"
    url = "http://127.0.0.1:9"
    [[configuration]]
    name = "x"
    [[configuration]]
    name = "y"
    arguments = ["--p-invalid", "0.1"]
"#;

/// Answers every run with the same results.
const RESTIVE: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "restive 9.9.9"; exit 0; }
mkdir -p out
echo '{"run": {"calls": 5, "ended_by": "budget"}, "findings": [{"code": 100}]}' > out/results.json
exit 1
"#;

/// Fails as long as there is no file `mended` beside it.
const FAILING: &str = r#"#!/bin/sh
[ "$1" = --version ] && { echo "restive 9.9.9"; exit 0; }
[ -e "$(dirname "$0")/mended" ] || { echo "error: no service" >&2; exit 3; }
mkdir -p out
echo '{"run": {"calls": 5, "ended_by": "budget"}}' > out/results.json
"#;

/// One place at a time: a script cannot be started while another thread's new process still has it open for writing.
static ONE_PLACE: Mutex<()> = Mutex::new(());

struct Place(tempfile::TempDir, #[expect(dead_code, reason = "held until the end of the test")] MutexGuard<'static, ()>);

impl Place {
    fn new(restive: &str) -> Self {
        let turn = ONE_PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        let place = Self(tempfile::tempdir().expect("a folder"), turn);
        fs::write(place.path("study.toml"), STUDY).expect("written");
        fs::write(place.path("restive"), restive).expect("written");
        fs::set_permissions(place.path("restive"), fs::Permissions::from_mode(0o755)).expect("made executable");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn arguments(&self, out: &str, shard: &str) -> RunArguments {
        RunArguments {
            study: self.path("study.toml"),
            out: self.path(out),
            shard: shard.parse().expect("a part"),
            jobs: 1,
            retry_failed: false,
            keep: false,
            dry_run: false,
            restive: Some(self.path("restive")),
        }
    }

    /// As [`run`], with a watch of its own for every call.
    fn run(arguments: &RunArguments, stop: &Stop) -> Result<usize> {
        let study = Study::load(&arguments.study)?;
        let mut journal = Journal::open(&arguments.out, arguments.shard)?;
        let bench = bench(&study, &arguments.study, &arguments.out, arguments.restive.as_deref(), stop.clone())?;
        let bench = Bench { keep: arguments.keep, ..bench };
        let records = read_folder(&arguments.out)?;
        check_earlier(&study, &records, &bench.binary)?;
        let open = open_runs(&expand(&study, arguments.shard), records, arguments.retry_failed)?;
        make(&bench, open, &BTreeMap::new(), &mut journal, arguments.jobs)
    }

    fn keys(&self, out: &str) -> Vec<String> {
        let records = read_folder(&self.path(out)).expect("read");
        let mut keys: Vec<_> = records.iter().map(|record| format!("{}{}", record.configuration, record.rng_seed)).collect();
        keys.sort();
        keys
    }
}

#[test]
fn two_parts_make_the_runs_of_the_whole() {
    let place = Place::new(RESTIVE);
    for (out, shard) in [("whole", "1/1"), ("parts", "1/2"), ("parts", "2/2")] {
        assert_eq!(Place::run(&place.arguments(out, shard), &Stop::default()).expect("made"), 0);
    }
    assert_eq!(place.keys("whole"), ["x1", "x2", "x3", "y1", "y2", "y3"]);
    assert_eq!(place.keys("parts"), place.keys("whole"));
    let record = read_folder(&place.path("whole")).expect("read").remove(0);
    assert_eq!(
        (record.restive.version.as_str(), record.measured.exit_code, record.measured.error),
        ("restive 9.9.9", Some(1), None)
    );
    assert_eq!(record.measured.figures.map(|figures| (figures.calls, figures.findings)), Some((5, 1)));
}

#[test]
fn what_has_a_line_is_not_made_again() {
    let place = Place::new(RESTIVE);
    let stopped = Stop::default();
    stopped.request();
    assert_eq!(Place::run(&place.arguments("out", "1/1"), &stopped).expect("stopped"), 0);
    assert_eq!(place.keys("out").len(), 0);
    for shard in ["1/3", "1/1", "1/1", "1/2"] {
        Place::run(&RunArguments { jobs: 2, ..place.arguments("out", shard) }, &Stop::default()).expect("made");
    }
    assert_eq!(place.keys("out"), ["x1", "x2", "x3", "y1", "y2", "y3"]);
}

#[test]
fn a_failed_run_is_a_line_and_is_made_again_only_when_asked() {
    let place = Place::new(FAILING);
    let arguments = place.arguments("out", "1/1");
    assert_eq!(Place::run(&arguments, &Stop::default()).expect("made"), 6);
    let errors = read_folder(&arguments.out).expect("read").into_iter().map(|record| record.measured.error);
    assert!(errors.into_iter().all(|error| error.as_deref() == Some("exit code 3: error: no service")));
    fs::write(place.path("mended"), "").expect("written");
    assert_eq!(Place::run(&arguments, &Stop::default()).expect("nothing to make"), 0);
    assert_eq!(place.keys("out").len(), 6);
    let again = RunArguments { retry_failed: true, ..arguments };
    assert_eq!(Place::run(&again, &Stop::default()).expect("made"), 0);
    assert_eq!(place.keys("out").len(), 12);
    assert!(latest(read_folder(&again.out).expect("read")).values().all(Record::has_succeeded));
}

#[test]
fn runs_that_cannot_be_compared_do_not_go_into_one_folder() {
    let place = Place::new(RESTIVE);
    let arguments = place.arguments("out", "1/1");
    Place::run(&arguments, &Stop::default()).expect("made");
    fs::write(place.path("study.toml"), STUDY.replace("\"0.1\"", "\"0.3\"")).expect("written");
    let error = Place::run(&arguments, &Stop::default()).expect_err("other arguments");
    assert!(error.to_string().contains("`y` and seed 1 that was made with other arguments"), "{error}");
    fs::write(place.path("study.toml"), STUDY.replace("\"s\"", "\"t\"")).expect("written");
    assert!(Place::run(&arguments, &Stop::default()).expect_err("another study").to_string().contains("study `s`"));
    fs::write(place.path("study.toml"), STUDY).expect("written");
    fs::write(place.path("restive"), format!("{RESTIVE}# another\n")).expect("written");
    assert!(Place::run(&arguments, &Stop::default()).expect_err("another binary").to_string().contains("another build"));
}

#[test]
fn a_wish_to_stop_ends_the_run_under_way_without_a_line() {
    let slow = RESTIVE.replace("mkdir", "sleep 30; mkdir");
    let place = Place::new(&slow);
    let stop = Stop::default();
    let wish = stop.clone();
    let asker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        wish.request();
    });
    assert_eq!(Place::run(&place.arguments("out", "1/1"), &stop).expect("stopped"), 0);
    asker.join().expect("it asked");
    assert_eq!(place.keys("out").len(), 0);
}

#[test]
fn listed_runs_can_be_typed() {
    assert_eq!(quoted(&["--exclude".to_owned(), "POST /it's".to_owned()]), "--exclude 'POST /it'\\''s'");
    assert_eq!(Shard::WHOLE.to_string(), "1/1");
}
