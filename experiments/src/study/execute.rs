//! One run: start `restive`, wait for its end, read what it wrote.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use restive_e2e::process::{Finished, Running};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::Record;
use super::expand::PlannedRun;
use super::figures;
use super::provenance::{self, Binary, Jar, Machine};
use super::record::{FORMAT_VERSION, Measured};
use super::stop::Stop;

const POLL: Duration = Duration::from_millis(20);

/// How long a run may take to end its service when it is stopped.
const STOP_LIMIT: Duration = Duration::from_secs(5);

/// What all runs of a study have in common.
#[derive(Debug)]
pub struct Bench {
    /// Name of the study.
    pub study: String,
    /// The binary.
    pub restive: PathBuf,
    /// What is known of it.
    pub binary: Binary,
    /// The machine.
    pub machine: Machine,
    /// Absolute folder of the study file.
    pub study_folder: PathBuf,
    /// Absolute folder of the results.
    pub out: PathBuf,
    /// How long a run may take.
    pub run_limit: Duration,
    /// Whether suites and logs of runs that succeeded stay.
    pub keep: bool,
    /// The wish to stop.
    pub stop: Stop,
}

/// A jar where it lies.
#[derive(Debug, Clone)]
pub struct LocalJar {
    /// What it is.
    pub jar: Jar,
    /// The file.
    pub path: PathBuf,
}

/// How the process ended.
enum End {
    Finished(Finished),
    TooLong,
    Stopped,
}

impl Bench {
    /// Makes a run; none when somebody wished to stop meanwhile.
    pub fn execute(&self, run: &PlannedRun<'_>, jar: Option<&LocalJar>) -> Result<Option<Record>> {
        let folder = self.folder_of(run);
        empty(&folder)?;
        let load_before = provenance::load();
        let started = OffsetDateTime::now_utc().replace_nanosecond(0)?.format(&Rfc3339)?;
        let began = Instant::now();
        let end = self.wait(Running::start(&mut self.command(run, jar, &folder), &folder, "restive")?)?;
        let seconds = (began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0;
        let (figures, curve) = figures::read(&folder.join("out/results.json")).ok().unzip();
        let (exit_code, error) = match &end {
            End::Stopped => return Ok(None),
            End::TooLong => (None, Some(format!("did not end within {:?}", self.run_limit))),
            End::Finished(finished) => (finished.code, error(finished, figures.as_ref())),
        };
        if error.is_none() && !self.keep {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove `{}`", folder.display()))?;
        }
        let measured = Measured { load_before, started, seconds, exit_code, error, figures, curve };
        Ok(Some(self.record(run, jar, measured)))
    }

    /// The line of a run.
    fn record(&self, run: &PlannedRun<'_>, jar: Option<&LocalJar>, measured: Measured) -> Record {
        Record {
            format_version: FORMAT_VERSION,
            study: self.study.clone(),
            subject: run.subject.name.clone(),
            configuration: run.configuration.name.clone(),
            rng_seed: run.rng_seed,
            budget: run.budget.to_owned(),
            arguments: run.arguments.clone(),
            jar: jar.map(|local| local.jar.clone()),
            restive: self.binary.clone(),
            machine: self.machine.clone(),
            measured,
        }
    }

    /// Where a run takes place; its results are in `out` there.
    pub fn folder_of(&self, run: &PlannedRun<'_>) -> PathBuf {
        let name = format!("{}-{}-{}", run.subject.name, run.configuration.name, run.rng_seed);
        self.out.join("work").join(name)
    }

    /// In a folder of its own, without settings from elsewhere: neither a `restive.toml` nor variables may change a run.
    fn command(&self, run: &PlannedRun<'_>, jar: Option<&LocalJar>, folder: &Path) -> Command {
        let mut command = Command::new(&self.restive);
        command.current_dir(folder).env("NO_COLOR", "1");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("RESTIVE_") {
                command.env_remove(name);
            }
        }
        let mut after_command_flag = false;
        for argument in &run.arguments {
            command.arg(self.fill_in(argument, jar, after_command_flag));
            after_command_flag = argument == "--command" || argument == "--reset-command";
        }
        command
    }

    /// Puts paths in the places that stand for them; inside a command line they are quoted.
    pub fn fill_in(&self, text: &str, jar: Option<&LocalJar>, is_command: bool) -> String {
        let places = [
            ("{restive}", Some(&self.restive)),
            ("{study}", Some(&self.study_folder)),
            ("{jar}", jar.map(|local| &local.path)),
        ];
        let mut filled = text.to_owned();
        for (place, path) in places {
            if let Some(path) = path.map(|path| path.display().to_string()) {
                let path = if is_command { escaped(&path) } else { path };
                filled = filled.replace(place, &path);
            }
        }
        filled
    }

    fn wait(&self, mut process: Running) -> Result<End> {
        let end = Instant::now() + self.run_limit;
        loop {
            if process.has_ended()? {
                // Both at once: the process may have been told to stop together with this one.
                return Ok(if self.stop.is_requested() {
                    End::Stopped
                } else {
                    End::Finished(process.finish(self.run_limit)?)
                });
            }
            let is_late = Instant::now() >= end;
            if is_late || self.stop.is_requested() {
                stop(&mut process)?;
                return Ok(if self.stop.is_requested() { End::Stopped } else { End::TooLong });
            }
            sleep(POLL);
        }
    }
}

/// Makes the folder, without what an earlier try left in it.
fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))
}

/// Asks twice, upon which `restive` ends its service and itself at once; what is left is killed.
fn stop(process: &mut Running) -> Result<()> {
    for _ in 0..2 {
        let limit = Instant::now() + STOP_LIMIT / 2;
        // It may have ended just now.
        let _ = process.signal("INT");
        while Instant::now() < limit && !process.has_ended()? {
            sleep(POLL);
        }
    }
    Ok(())
}

/// Why the run cannot be compared with others, if so.
fn error(finished: &Finished, figures: Option<&figures::Figures>) -> Option<String> {
    let said = || {
        let last = finished.stderr.lines().rev().find(|line| line.contains("error: "));
        last.or_else(|| finished.stderr.lines().last()).unwrap_or("nothing").trim().to_owned()
    };
    match (finished.code, figures) {
        (Some(0 | 1 | 4), Some(figures)) if figures.ended_by == "budget" => None,
        (_, Some(figures)) if figures.ended_by != "budget" => {
            Some(format!("the search was ended by `{}` after {} calls", figures.ended_by, figures.calls))
        }
        (Some(code), _) => Some(format!("exit code {code}: {}", said())),
        (None, _) => Some(format!("ended by a signal: {}", said())),
    }
}

/// With a backslash before everything that could end a word.
fn escaped(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    path.chars().flat_map(|c| (!is_plain(c)).then_some('\\').into_iter().chain(Some(c))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::figures::Figures;
    use super::*;

    fn finished(code: Option<i32>, stderr: &str) -> Finished {
        Finished { code, stdout: String::new(), stderr: stderr.to_owned(), elapsed: Duration::ZERO }
    }

    #[test]
    fn only_runs_that_spent_their_budget_are_compared() {
        let spent = Figures { ended_by: "budget".to_owned(), ..Figures::default() };
        for code in [0, 1, 4] {
            assert_eq!(error(&finished(Some(code), ""), Some(&spent)), None);
        }
        let lost = Figures { ended_by: "sut_lost".to_owned(), calls: 7, ..Figures::default() };
        let reason = error(&finished(Some(1), ""), Some(&lost)).expect("failed");
        assert_eq!(reason, "the search was ended by `sut_lost` after 7 calls");
        let reason = error(&finished(Some(3), "x\nerror: no such port\nhint: y\n"), None).expect("failed");
        assert_eq!(reason, "exit code 3: error: no such port");
        assert!(error(&finished(Some(70), ""), Some(&spent)).is_some());
        assert_eq!(error(&finished(None, ""), None).expect("failed"), "ended by a signal: nothing");
    }

    #[test]
    fn paths_in_a_command_stay_one_word() {
        assert_eq!(escaped("a b/'c'"), "a\\ b/\\'c\\'");
        let words: restive_core::cli::CommandLine = escaped("/x/my jar(1)/é.jar").parse().expect("words");
        assert_eq!(words.0, ["/x/my jar(1)/é.jar"]);
    }
}
