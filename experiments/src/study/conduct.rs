//! `study run`: makes the runs of a study that have no line yet, one after the other or some at a time.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use restive_core::cli::{BudgetText, Time};
use restive_core::search::Budget;
use restive_e2e::toolchain;

use super::execute::{Bench, LocalJar};
use super::expand::{PlannedRun, expand};
use super::journal::{Journal, read_folder};
use super::plan::{Study, Subject};
use super::provenance::{self, Binary, Jar, Machine};
use super::record::{Record, latest};
use super::stop::Stop;
use super::{RunArguments, STUDY_FILE};

/// Limit of a run whose budget is a number of calls.
const RUN_LIMIT: Duration = Duration::from_hours(1);

/// Makes all runs of the part that have no line yet.
pub fn run(arguments: &RunArguments) -> Result<()> {
    let study = Study::load(&arguments.study)?;
    let planned = expand(&study, arguments.shard);
    if arguments.dry_run {
        for run in &planned {
            println!("restive {}", quoted(&run.arguments));
        }
        return Ok(());
    }
    let mut journal = Journal::open(&arguments.out, arguments.shard)?;
    let bench = bench(&study, &arguments.study, &arguments.out, arguments.restive.as_deref(), Stop::watch()?)?;
    let bench = Bench { keep: arguments.keep, ..bench };
    let records = read_folder(&arguments.out)?;
    check_earlier(&study, &records, &bench.binary)?;
    copy_study(&arguments.study, &arguments.out, arguments.shard.number)?;
    let open = open_runs(&planned, records, arguments.retry_failed)?;
    eprintln!("{}: part {}, {} of {} runs to make", study.name, arguments.shard, open.len(), planned.len());
    let jars = install_jars(&open, &bench.study_folder)?;
    let n_failed = make(&bench, open, &jars, &mut journal, arguments.jobs)?;
    // The folder is there only when something was kept.
    let _ = fs::remove_dir(bench.out.join("work"));
    ensure!(!bench.stop.is_requested(), "stopped: the same command goes on where it was");
    ensure!(n_failed == 0, "failed runs: {n_failed}; their lines say why, and `--retry-failed` makes them again");
    Ok(())
}

/// What the runs of `study` in the file `path` have in common, for results in `out`; nothing is kept.
pub(super) fn bench(study: &Study, path: &Path, out: &Path, restive: Option<&Path>, stop: Stop) -> Result<Bench> {
    let beside = || Ok::<_, std::io::Error>(std::env::current_exe()?.with_file_name("restive"));
    let file = restive.map_or_else(beside, |file| Ok(file.to_owned()))?;
    let file = file.canonicalize().with_context(|| format!("no `{}`: build it first", file.display()))?;
    let folder = path.canonicalize()?.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Bench {
        study: study.name.clone(),
        binary: Binary::examine(&file, restive.is_none())?,
        restive: file,
        machine: Machine::examine(),
        study_folder: folder,
        out: out.canonicalize()?,
        run_limit: run_limit(study)?,
        keep: false,
        stop,
    })
}

fn run_limit(study: &Study) -> Result<Duration> {
    if let Some(limit) = &study.run_limit {
        return Ok(limit.parse::<Time>()?.0);
    }
    let limit = |budget: &str| {
        Ok(match budget.parse::<BudgetText>()?.0 {
            Budget::Calls(_) => RUN_LIMIT,
            Budget::Time(budget) => budget * 3 + Duration::from_mins(5),
        })
    };
    let budgets = study.subjects.iter().map(|subject| study.budget_of(subject));
    budgets.map(limit).try_fold(Duration::ZERO, |longest, limit: Result<Duration>| Ok(longest.max(limit?)))
}

/// Lines in one folder can be compared: one study, one binary.
fn check_earlier(study: &Study, records: &[Record], binary: &Binary) -> Result<()> {
    for record in records {
        let (found, wanted) = (&record.study, &study.name);
        ensure!(found == wanted, "the folder holds runs of the study `{found}`, wanted `{wanted}`: choose another `--out`");
        ensure!(
            record.restive.sha256 == binary.sha256,
            "the folder holds runs of another build of restive ({}…): choose another `--out`, or the same `--restive`",
            &record.restive.sha256.get(..12).unwrap_or_default()
        );
    }
    Ok(())
}

/// For the report; written as a whole, for other parts may do the same at the same time.
fn copy_study(study: &Path, out: &Path, shard_number: usize) -> Result<()> {
    let temporary = out.join(format!(".{STUDY_FILE}-{shard_number}"));
    let copied = fs::copy(study, &temporary).and_then(|_| fs::rename(&temporary, out.join(STUDY_FILE)));
    copied.with_context(|| format!("cannot copy the study into `{}`", out.display()))
}

/// The runs without a line, and those that failed when they shall be made again.
fn open_runs<'a>(planned: &[PlannedRun<'a>], records: Vec<Record>, retry_failed: bool) -> Result<VecDeque<PlannedRun<'a>>> {
    let done = latest(records);
    let mut open = VecDeque::new();
    for run in planned {
        match done.get(&run.key()) {
            Some(record) if record.arguments != run.arguments => bail!(
                "the folder holds a run of `{}` with `{}` and seed {} that was made with other arguments: choose another `--out`",
                record.subject,
                record.configuration,
                record.rng_seed
            ),
            Some(record) if record.has_succeeded() || !retry_failed => {}
            _ => open.push_back(run.clone()),
        }
    }
    Ok(open)
}

/// The jars that the runs need, by what the study calls them.
fn install_jars(runs: &VecDeque<PlannedRun<'_>>, study: &Path) -> Result<BTreeMap<String, LocalJar>> {
    let mut jars = BTreeMap::new();
    for subject in runs.iter().map(|run| run.subject) {
        let Some(source) = subject.jar_source().filter(|source| !jars.contains_key(*source)) else { continue };
        jars.extend(install_jar(subject, study)?.map(|jar| (source.to_owned(), jar)));
    }
    Ok(jars)
}

/// The jar of a subject that has one; a study in the folder `study` names it.
pub(super) fn install_jar(subject: &Subject, study: &Path) -> Result<Option<LocalJar>> {
    let Some(source) = subject.jar_source() else { return Ok(None) };
    let path = match &subject.maven {
        Some(coordinates) => toolchain::maven_artifact(coordinates)?,
        None => local_jar(source, study)?,
    };
    let jar = Jar { coordinates: source.to_owned(), sha256: provenance::sha256(&path)? };
    Ok(Some(LocalJar { jar, path }))
}

/// The file of a jar that is there already; runs have folders of their own.
fn local_jar(text: &str, study: &Path) -> Result<PathBuf> {
    let path = PathBuf::from(text.replace("{study}", &study.display().to_string()));
    path.canonicalize().with_context(|| format!("no jar `{}`: is it built?", path.display()))
}

/// Makes runs with that many workers; gives the number of those that failed.
fn make(
    bench: &Bench,
    open: VecDeque<PlannedRun<'_>>,
    jars: &BTreeMap<String, LocalJar>,
    journal: &mut Journal,
    jobs: u8,
) -> Result<usize> {
    let queue = Mutex::new(Queue { n_all: open.len(), open, n_made: 0, n_failed: 0, journal });
    let work = || {
        loop {
            // A statement of its own: the lock must be free while the run is under way.
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next(bench);
            let Some(run) = next else { return Ok(()) };
            let jar = run.subject.jar_source().and_then(|source| jars.get(source));
            let Some(record) = bench.execute(&run, jar)? else { return Ok(()) };
            queue.lock().unwrap_or_else(PoisonError::into_inner).note(&record)?;
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        // All are waited for before the first error is given.
        let ends: Vec<Result<()>> = workers.into_iter().map(|worker| worker.join().expect("workers do not panic")).collect();
        ends.into_iter().collect::<Result<()>>()
    })?;
    Ok(queue.into_inner().unwrap_or_else(PoisonError::into_inner).n_failed)
}

/// What the workers share.
struct Queue<'a, 'b> {
    open: VecDeque<PlannedRun<'a>>,
    n_all: usize,
    n_made: usize,
    n_failed: usize,
    journal: &'b mut Journal,
}

impl<'a> Queue<'a, '_> {
    fn next(&mut self, bench: &Bench) -> Option<PlannedRun<'a>> {
        if bench.stop.is_requested() { None } else { self.open.pop_front() }
    }

    fn note(&mut self, record: &Record) -> Result<()> {
        self.journal.append(record)?;
        self.n_made += 1;
        self.n_failed += usize::from(!record.has_succeeded());
        let outcome = match (&record.measured.error, &record.measured.figures) {
            (Some(error), _) => format!("failed: {error}"),
            (None, Some(figures)) => format!("{} findings, {} targets", figures.findings, figures.targets),
            (None, None) => String::new(),
        };
        let (made, all, seconds) = (self.n_made, self.n_all, record.measured.seconds);
        let (subject, configuration, seed) = (&record.subject, &record.configuration, record.rng_seed);
        eprintln!("{made}/{all} {subject} {configuration} seed {seed}: {seconds:.1} s, {outcome}");
        Ok(())
    }
}

/// The words as one would type them.
fn quoted(words: &[String]) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    let quote = |word: &String| {
        let needs_none = !word.is_empty() && word.chars().all(is_plain);
        if needs_none { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    words.iter().map(quote).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
