//! What following values is good for: each use of an input, and each thing that happens to it on its way there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_e2e::process::run as run_process;
use restive_e2e::toolchain::available;
use restive_e2e::work::in_work_folder;
use restive_e2e::{Restive, Results, SEEDS};
use serde_json::Value;

/// No rows, but what rows need.
const HELPERS: [&str; 2] = ["store", "keep"];

/// The row that needs two calls of one test, which are seldom together where there are eighty operations.
const PAIR: &str = "kept";

/// Rows of whole values that are told by the first use.
const PLAIN: [&str; 10] =
    ["equals", "equalsIgnoreCase", "matches", "find", "enum", "switch", "containsKey", "localDate", "header", "nested"];

/// The classes of the zoo; none when there is no JDK.
fn compiled(folder: &Path) -> Result<Option<PathBuf>> {
    if !available(&["java", "javac"])? {
        return Ok(None);
    }
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("apps/tracking-zoo/src/org/example/tracking");
    let classes = folder.join("classes");
    let mut command = Command::new("javac");
    command.arg("-d").arg(&classes);
    for entry in fs::read_dir(&sources).with_context(|| format!("cannot list `{}`", sources.display()))? {
        command.arg(entry?.path());
    }
    let finished = run_process(&mut command, folder, "javac", Duration::from_mins(2))?;
    ensure!(finished.code == Some(0), "javac failed:\n{}", finished.stderr);
    Ok(Some(classes))
}

fn fuzz(folder: &Path, classes: &Path, args: &[&str]) -> Result<Results> {
    Ok(command(folder, classes, args)?.run_with_results()?.1)
}

fn command(folder: &Path, classes: &Path, args: &[&str]) -> Result<Restive> {
    let classes = classes.to_str().context("the work folder is text")?;
    let java = format!("java -Dsun.net.httpserver.nodelay=true -cp {classes} org.example.tracking.Main {{port}}");
    let all = ["fuzz", "--command", &java, "--schema", "http://127.0.0.1:{port}/openapi.json", "--overwrite"];
    let all = all.into_iter().chain(["--packages", "org.example.tracking", "--suite=false"]).chain(args.iter().copied());
    Restive::new(folder, all)
}

/// The rows, and those whose hidden side was met.
fn rows(results: &Results) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut all, mut met) = (BTreeSet::new(), BTreeSet::new());
    for operation in results.json()["operations"].as_array().into_iter().flatten() {
        let path = operation["id"].as_str().and_then(|id| id.split('/').nth(1)).unwrap_or_default();
        if !HELPERS.contains(&path) {
            all.insert(path.to_owned());
            if operation["statuses"]["418"].as_u64() > Some(0) {
                met.insert(path.to_owned());
            }
        }
    }
    (all, met)
}

/// The arguments that leave nothing but these rows.
fn only(rows: &[&str]) -> Vec<String> {
    rows.iter().flat_map(|row| ["--include".to_owned(), format!("/{row}")]).collect()
}

#[test]
fn each_use_of_an_input_is_met_wherever_the_input_comes_from() -> Result<()> {
    in_work_folder("tracking-zoo", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let (mut all, mut met) = (BTreeSet::new(), BTreeSet::new());
        for seed in SEEDS {
            let results = fuzz(folder, &classes, &["--budget", "5000 calls", "--rng-seed", seed])?;
            assert_eq!(results.json()["run"]["hints"]["marked"], 0, "values are sent as they are");
            let (rows, met_now) = rows(&results);
            println!("seed {seed}: {} of {} rows", met_now.len(), rows.len());
            all = rows;
            met.extend(met_now);
            if all.iter().all(|row| row == PAIR || met.contains(row)) {
                break;
            }
        }
        let unmet: Vec<&String> = all.difference(&met).filter(|row| *row != PAIR).collect();
        assert!(all.len() > 70 && unmet.is_empty(), "{unmet:?} of {} rows", all.len());
        let (_, untold) = rows(&fuzz(folder, &classes, &["--budget", "3000 calls", "--rng-seed", "1", "--tracking", "off"])?);
        assert!(2 * untold.len() < met.len(), "tracking is of no use: {untold:?}");
        Ok(())
    })
}

#[test]
fn a_document_in_a_text_is_told_of_by_its_parts() -> Result<()> {
    in_work_folder("tracking-document", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        for tracking in ["undisturbed", "marked"] {
            let is_met = SEEDS.into_iter().map(|seed| {
                let args = ["--budget", "1000 calls", "--rng-seed", seed, "--include", "/jsonText", "--tracking", tracking];
                Ok(!rows(&fuzz(folder, &classes, &args)?).1.is_empty())
            });
            assert!(any(is_met)?, "{tracking}");
        }
        Ok(())
    })
}

#[test]
fn what_an_earlier_call_left_is_told_of_when_a_later_one_looks_at_it() -> Result<()> {
    in_work_folder("tracking-left", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        for tracking in ["undisturbed", "marked"] {
            let is_met = SEEDS.into_iter().map(|seed| {
                let only = ["--include", "/keep", "--include", "/kept"];
                let args = [&["--budget", "500 calls", "--rng-seed", seed, "--tracking", tracking], &only[..]].concat();
                Ok(!rows(&fuzz(folder, &classes, &args)?).1.is_empty())
            });
            assert!(any(is_met)?, "{tracking}");
        }
        Ok(())
    })
}

#[test]
fn keys_of_objects_that_the_document_leaves_open_are_found() -> Result<()> {
    in_work_folder("tracking-open", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let run = |row: &str, seed: &str, more: &[&str]| -> Result<(bool, Option<u64>)> {
            let rows_of_run = only(&[row, "equals"]);
            let rows_of_run: Vec<&str> = rows_of_run.iter().map(String::as_str).collect();
            let results =
                fuzz(folder, &classes, &[&["--budget", "800 calls", "--rng-seed", seed], more, &rows_of_run].concat())?;
            Ok((rows(&results).1.contains(row), results.json()["run"]["expansions"]["found"]["way"].as_u64()))
        };
        for (row, n_keys) in [("labels", 1), ("details", 2)] {
            for tracking in ["undisturbed", "marked"] {
                let met = SEEDS.into_iter().map(|seed| Ok(run(row, seed, &["--tracking", tracking])? == (true, Some(n_keys))));
                assert!(any(met)?, "{row}, {tracking}");
            }
            assert_eq!(run(row, "1", &["--no-expansion"])?, (false, None), "{row} needs no expansion");
        }
        Ok(())
    })
}

#[test]
fn keys_that_are_gone_through_and_compared_are_found() -> Result<()> {
    in_work_folder("tracking-keys", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        for row in ["keySwitch", "keyEquals", "keyIgnoreCase", "keyInSet", "keyInMap"] {
            let met = SEEDS.into_iter().map(|seed| {
                let args = ["--budget", "200 calls", "--rng-seed", seed, "--include", &format!("/{row}")];
                Ok(!rows(&fuzz(folder, &classes, &args)?).1.is_empty())
            });
            assert!(any(met)?, "{row}");
        }
        Ok(())
    })
}

/// Whether one of these is so; those behind it are not asked for.
fn any(mut all: impl Iterator<Item = Result<bool>>) -> Result<bool> {
    all.find_map(|one| one.map(|is_so| is_so.then_some(true)).transpose()).unwrap_or(Ok(false))
}

/// What of a run is the same in the next one with its seed.
fn repeatable(results: &Results) -> [Value; 3] {
    let json = results.json();
    [&json["operations"], &json["coverage"], &json["run"]["hints"]].map(Clone::clone)
}

#[test]
fn a_guided_run_is_the_same_once_more() -> Result<()> {
    in_work_folder("tracking-repeated", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let run = || fuzz(folder, &classes, &["--budget", "800 calls", "--rng-seed", "5"]);
        let mut runs = vec![repeatable(&run()?)];
        // A busy machine may stop the service between an answer and the end of its work for longer than is waited.
        for _ in 0..4 {
            let next = repeatable(&run()?);
            if runs.contains(&next) {
                return Ok(());
            }
            runs.push(next);
        }
        panic!("no two of five runs are alike: {:#?}", runs.iter().map(|[operations, ..]| operations).collect::<Vec<_>>());
    })
}

#[test]
fn a_guided_run_that_is_killed_goes_on_as_it_would_have() -> Result<()> {
    in_work_folder("tracking-resumed", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        // What one call stores for another does not outlive the service.
        let stateful = ["GET /store", "GET /stored", "POST /keep", "GET /kept"];
        let stateless = stateful.map(|operation| ["--exclude", operation]).concat();
        let args = [&["--budget", "1500 calls", "--rng-seed", "5"], &stateless[..]].concat();
        let whole = fuzz(folder, &classes, &args)?;
        let mut running = command(folder, &classes, &args)?.start()?;
        let segment = folder.join("out/journal/0001.gz");
        while fs::metadata(&segment).map_or(0, |file| file.len()) < 10_000 {
            ensure!(!running.has_ended()?, "it ended before it was killed\n{}", running.output_tail());
            sleep(Duration::from_millis(10));
        }
        running.signal("KILL")?;
        running.finish(Duration::from_secs(10))?;
        let (finished, resumed) = Restive::new(folder, ["fuzz", "--resume", "out"])?.run_with_results()?;
        assert!(resumed.calls() == 1_500 && !finished.stderr.contains("warning"), "{}", finished.stderr);
        // Byte for byte is what tests of the core see to, with a driver that is always in time.
        for kind in ["lines", "branches"] {
            let [before, after] = [&whole, &resumed].map(|results| results.measured(kind, "covered"));
            assert!(after * 10 >= before * 9 && before > 0, "{kind}: {before} in a run that was not killed, {after}");
        }
        assert!(resumed.measured("lines", "covered") <= resumed.measured("lines", "total"));
        Ok(())
    })
}

#[test]
fn marked_values_tell_what_real_ones_do() -> Result<()> {
    in_work_folder("tracking-marked", |folder| {
        let Some(classes) = compiled(folder)? else { return Ok(()) };
        let includes = only(&PLAIN);
        for presets in [["--config-preset", "m+t-0.9"], ["--tracking", "both"]] {
            let mut met = BTreeSet::new();
            for seed in SEEDS {
                let args: Vec<&str> = includes.iter().map(String::as_str).collect();
                let args = [&["--budget", "800 calls", "--rng-seed", seed], &presets[..], &args].concat();
                let results = fuzz(folder, &classes, &args)?;
                assert!(results.json()["run"]["hints"]["marked"].as_u64() > Some(0), "{presets:?}");
                met.extend(rows(&results).1);
                if met.len() == PLAIN.len() {
                    break;
                }
            }
            assert_eq!(met, PLAIN.iter().map(|row| (*row).to_owned()).collect(), "{presets:?}");
        }
        Ok(())
    })
}
