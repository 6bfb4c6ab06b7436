//! `debug/library-calls.txt`: which calls of library methods were measured where, and what came of each. For people.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::driver::{Coverage, LibraryCall, UnitCoverage};

use super::style::count;

const HEAD: &str = "\
Calls of library methods in the service, by class and line. Each outcome was met, or how near the run came to it: 0 < n < 1,
the higher the nearer; `-` where the call was never executed. `true` also stands for found, equal and valid. Calls that may
throw are told when one did. Numbers behind a name tell calls of one line apart; constraints of beans stand by their properties.
";

/// The text of the file.
pub(super) fn text(coverage: Option<&Coverage>) -> String {
    let Some(coverage) = coverage else { return format!("{HEAD}\nNothing was measured: no driver was there.\n") };
    let mut text = format!("{HEAD}Measured by {}.\n", coverage.driver);
    let classes: BTreeSet<&String> = coverage.units.keys().chain(coverage.library_calls.keys()).collect();
    for class in classes {
        let calls = coverage.library_calls.get(class).map_or(&[][..], Vec::as_slice);
        write_class(&mut text, class, coverage.units.get(class), calls);
    }
    if coverage.n_skipped > 0 {
        let _ = writeln!(text, "\nNot measured: {}", count(coverage.n_skipped, "class", "classes"));
        for (class, reason) in &coverage.skipped {
            let _ = writeln!(text, "  {class}: {reason}");
        }
    }
    text
}

fn write_class(text: &mut String, class: &str, unit: Option<&UnitCoverage>, calls: &[LibraryCall]) {
    let degraded = unit.map_or("", |unit| unit.degraded.as_str());
    if calls.is_empty() && degraded.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{class}");
    let name = |call: &LibraryCall| match call.ordinal {
        0 => call.method.clone(),
        ordinal => format!("{} #{ordinal}", call.method),
    };
    let places = calls.iter().map(|call| call.place.chars().count()).max().unwrap_or(0);
    let names = calls.iter().map(|call| name(call).chars().count()).max().unwrap_or(0);
    for call in calls {
        let _ = write!(text, "  {:>places$}  {:<names$}", call.place, name(call));
        for (outcome, closeness) in &call.outcomes {
            let _ = write!(text, "  {outcome}: {:<8}", shown(*closeness));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    if !degraded.is_empty() {
        let _ = writeln!(text, "  fewer probes than wanted: {degraded}");
    }
}

fn shown(closeness: f64) -> String {
    match closeness {
        1.0.. => "met".to_owned(),
        0.001..1.0 => format!("{closeness:.4}"),
        0.0 => "-".to_owned(),
        _ => format!("{closeness:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{HEAD, text};
    use crate::driver::{Coverage, LibraryCall, UnitCoverage};

    fn call(place: &str, ordinal: u32, method: &str, outcomes: [(&str, f64); 2]) -> LibraryCall {
        let outcomes = outcomes.map(|(outcome, closeness)| (outcome.to_owned(), closeness)).to_vec();
        LibraryCall { place: place.to_owned(), ordinal, method: method.to_owned(), outcomes }
    }

    #[test]
    fn each_class_has_its_calls_and_what_was_left_out_is_named() {
        let calls = vec![
            call("9", 0, "String.equals", [("true", 0.25), ("false", 1.0)]),
            call("10", 1, "List.contains", [("true", 2.5e-7), ("false", 0.0)]),
            call("10", 2, "Integer.parseInt", [("returns", 0.0156), ("throws", 1.0)]),
        ];
        let degraded = UnitCoverage { degraded: "sum(I)I: too long".to_owned(), ..UnitCoverage::default() };
        let mut coverage = Coverage::default();
        coverage.driver = "an agent".to_owned();
        coverage.units = BTreeMap::from([("a.B".to_owned(), degraded), ("a.C".to_owned(), UnitCoverage::default())]);
        coverage.library_calls = BTreeMap::from([("a.B".to_owned(), calls)]);
        coverage.skipped = BTreeMap::from([("a.Hid".to_owned(), "it is hidden".to_owned())]);
        coverage.n_skipped = 3;
        let expected = "\
Measured by an agent.

a.B
   9  String.equals        true: 0.2500    false: met
  10  List.contains #1     true: 2.5e-7    false: -
  10  Integer.parseInt #2  returns: 0.0156    throws: met
  fewer probes than wanted: sum(I)I: too long

Not measured: 3 classes
  a.Hid: it is hidden
";
        assert_eq!(text(Some(&coverage)), format!("{HEAD}{expected}"));
        assert!(text(None).ends_with("no driver was there.\n"));
    }
}
