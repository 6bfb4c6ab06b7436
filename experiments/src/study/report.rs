//! `study report`: tables in Markdown and curves as SVG, made from the lines of the runs and nothing else.

mod head;
mod tables;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::ReportArguments;
use super::curves::{Band, Steps, band};
use super::load::Loaded;
use super::measure::{MEASURES, Measure};
use super::record::Record;
use super::svg::{Labels, chart};

/// Writes `report.md` and its curves.
pub fn run(arguments: &ReportArguments) -> Result<()> {
    let loaded = Loaded::read(&arguments.folders)?;
    ensure!(!loaded.records.is_empty(), "the folders hold no line of a run");
    let baseline = arguments.baseline.as_deref().unwrap_or(loaded.study.baseline());
    ensure!(loaded.configurations().contains(&baseline), "`{baseline}` is no configuration of the study");
    let out = arguments.out.as_ref().unwrap_or(&arguments.folders[0]);
    fs::create_dir_all(out).with_context(|| format!("cannot make `{}`", out.display()))?;
    let mut text = head::head(&loaded, baseline);
    for subject in loaded.subjects() {
        text.push_str(&chapter(&loaded, subject, baseline, out)?);
    }
    write(&out.join("report.md"), &text)
}

/// Everything on one subject.
fn chapter(loaded: &Loaded, subject: &str, baseline: &str, out: &Path) -> Result<String> {
    let mut text = format!("## {subject}\n\n");
    let is_limited_by_calls = !loaded.study.budget_is_time();
    for measure in MEASURES.iter().filter(|measure| measure.key != "calls" || !is_limited_by_calls) {
        let Some(table) = tables::measure(loaded, subject, baseline, measure) else { continue };
        text.push_str(&table);
        if let Some(curve) = curve(loaded, subject, measure) {
            let name = format!("{subject}-{}.svg", measure.key);
            write(&out.join(&name), &curve)?;
            let _ = writeln!(text, "![{} over the budget]({name})\n", measure.title);
        }
    }
    text.push_str(&tables::codes(loaded, subject));
    Ok(text)
}

/// The curves of all configurations; none when no run has any.
fn curve(loaded: &Loaded, subject: &str, measure: &Measure) -> Option<String> {
    let by_time = loaded.study.budget_is_time();
    let names = loaded.configurations();
    let steps_of = |name: &&str| loaded.runs(subject, name).filter_map(|run| steps(run, measure, by_time)).collect::<Vec<_>>();
    let runs: Vec<Vec<Steps>> = names.iter().map(steps_of).collect();
    let end = runs.iter().flatten().filter_map(|steps| steps.spent.last()).fold(0.0, |end: f64, last| end.max(*last));
    let bands: Vec<Band> =
        names.iter().zip(&runs).filter(|(_, runs)| !runs.is_empty()).map(|(name, runs)| band(name, runs, end)).collect();
    let title = format!("{subject}: {}, median and quartiles", measure.title.to_lowercase());
    let labels = Labels { title: &title, spent: if by_time { "seconds of the search" } else { "calls" } };
    (!bands.is_empty()).then(|| chart(labels, &bands))
}

fn steps(run: &Record, measure: &Measure, by_time: bool) -> Option<Steps> {
    let samples = run.measured.curve.as_ref()?;
    let reached: Vec<f64> = (measure.curve?)(samples).iter().map(|value| *value as f64).collect();
    let spent = if by_time { samples.seconds.clone() } else { samples.calls.iter().map(|calls| *calls as f64).collect() };
    (!reached.is_empty()).then_some(Steps { spent, reached })
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    eprintln!("{}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests;
