//! The tables of a subject: one per measure, and one of the findings by their codes.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::study::curves::quantile;
use crate::study::load::Loaded;
use crate::study::mann_whitney::{a12, p_value};
use crate::study::measure::Measure;

/// A row per configuration, each compared with the baseline; none when no run knows the measure.
pub fn measure(loaded: &Loaded, subject: &str, baseline: &str, measure: &Measure) -> Option<String> {
    let values = |name: &str| {
        let mut values: Vec<f64> = loaded.figures(subject, name).filter_map(measure.value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let baseline_values = values(baseline);
    let mut text = format!("### {}\n\n", measure.title);
    text.push_str(
        "| configuration | runs | mean | median | least – most | A12 | p |\n| --- | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut is_known = false;
    for name in loaded.configurations() {
        let values = values(name);
        let (Some(least), Some(most)) = (values.first(), values.last()) else {
            let _ = writeln!(text, "| {name} | 0 | – | – | – | – | – |");
            continue;
        };
        is_known = true;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let compared =
            (name != baseline).then(|| a12(&values, &baseline_values).zip(p_value(&values, &baseline_values))).flatten();
        let (a12, p) = compared.map_or(("–".to_owned(), "–".to_owned()), |(a12, p)| (format!("{a12:.2}"), probability(p)));
        let (runs, median) = (values.len(), amount(quantile(&values, 0.5)));
        let (mean, least, most) = (amount(mean), amount(*least), amount(*most));
        let _ = writeln!(text, "| {name} | {runs} | {mean} | {median} | {least} – {most} | {a12} | {p} |");
    }
    text.push('\n');
    is_known.then_some(text)
}

/// In how many runs each category of findings came, and how many of them there were in a run.
pub fn codes(loaded: &Loaded, subject: &str) -> String {
    let names = loaded.configurations();
    let all = names.iter().flat_map(|name| loaded.figures(subject, name));
    let codes: BTreeSet<&str> = all.flat_map(|figures| figures.findings_by_code.keys().map(String::as_str)).collect();
    if codes.is_empty() {
        return String::new();
    }
    let mut text =
        "### Findings by code\n\nRuns with one or more of them, and their mean number in a run.\n\n| code |".to_owned();
    for name in &names {
        let _ = write!(text, " {name} |");
    }
    let _ = writeln!(text, "\n| --- |{}", " --- |".repeat(names.len()));
    for code in codes {
        let _ = write!(text, "| {code} |");
        for name in &names {
            let counts: Vec<u64> =
                loaded.figures(subject, name).map(|figures| figures.findings_by_code.get(code).copied().unwrap_or(0)).collect();
            let with_one = counts.iter().filter(|count| **count > 0).count();
            let mean = counts.iter().sum::<u64>() as f64 / counts.len().max(1) as f64;
            let _ = write!(text, " {with_one} of {}, {} |", counts.len(), amount(mean));
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

/// Two decimals at most, and none from a thousand on.
fn amount(number: f64) -> String {
    if number >= 1000.0 {
        return format!("{number:.0}");
    }
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_no_more_digits_than_they_need() {
        assert_eq!([0.0, 1.5, 10.0, 999.994, 1234.5].map(amount), ["0", "1.5", "10", "999.99", "1234"]);
        assert_eq!([1.0, 0.0312, 0.0004].map(probability), ["1.000", "0.031", "< 0.001"]);
    }
}
