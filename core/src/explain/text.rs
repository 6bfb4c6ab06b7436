//! Prints an answer for people: what became of it first, then why, then what to ask next.
//!
//! Names and values come from the service and must not trick a terminal.

use super::answer::{
    Answer, Candidate, Group, HintAnswer, InputAnswer, NearTarget, OperationAnswer, Overview, SpecialisedAnswer, TargetAnswer,
    TestAnswer,
};
use super::page::{Page, WIDEST};
use super::reason::{Reason, all_statuses, hint, number};
use super::record::{ElsewhereRecord, Kind, LeftOut, OriginRecord};
use crate::report::{Style, count, grouped, printable, shortened};

/// The answer about the run in the output folder that the user calls `folder`.
pub fn text(answer: &Answer, folder: &str, style: Style) -> String {
    let mut page = Page::new(folder, style);
    match answer {
        Answer::Overview(overview) => page.overview(overview),
        Answer::Targets { targets, more } => {
            for (idx, target) in targets.iter().enumerate() {
                if idx > 0 {
                    page.blank();
                }
                // Beside others what was reached needs no more than a few lines.
                if targets.len() > 1 && target.is_reached { page.reached(target) } else { page.target(target) }
            }
            page.more(*more, "target of this line", "targets of this line");
        }
        Answer::Operation(operation) => page.operation(operation),
        Answer::Test(test) => page.test(test),
        Answer::Candidates { question, candidates, more } => page.candidates(question, candidates, *more),
    }
    page.into_text()
}

impl Page<'_> {
    fn overview(&mut self, overview: &Overview) {
        let Overview { calls, reached, not_reached, code, .. } = overview;
        let reached = count(*reached as u64, "target", "targets");
        let code = if *not_reached == 0 { String::new() } else { format!(", {} of these in the code", grouped(*code as u64)) };
        self.put(&format!("{}: {reached} reached, {} not{code}", count(*calls, "call", "calls"), grouped(*not_reached as u64)));
        if !overview.groups.is_empty() {
            self.head("Not reached in the code, the nearest first");
        }
        for Group { name, targets, more } in &overview.groups {
            self.put(&format!("  {}", printable(name)));
            self.near(targets, "  ");
            if *more > 0 {
                self.put(&format!("    and {} more", grouped(*more as u64)));
            }
        }
        self.more(overview.more_groups, "class", "classes");
        if !overview.never_succeeded.is_empty() {
            self.head("Operations without success");
            self.candidate_rows(&overview.never_succeeded);
            self.more(overview.more_never_succeeded, "operation", "operations");
        }
        self.tests("Tests with specialised inputs", &overview.tests, overview.more_tests);
        self.left_out(overview.left_out);
        let group = overview.groups.first();
        let target = group.and_then(|group| group.targets.first()).map(|it| it.name.as_str());
        let place = group.map(|group| group.name.as_str());
        let refused = overview.never_succeeded.first().map(|it| it.name.as_str());
        let mut names: Vec<&str> = [target, place, refused].into_iter().flatten().collect();
        names.dedup();
        self.ask(&names);
    }

    fn left_out(&mut self, left_out: LeftOut) {
        let LeftOut { reached, not_reached, without_inputs, hints } = left_out;
        let parts = [
            (reached + not_reached, "targets"),
            (without_inputs, "inputs of the farthest targets"),
            (hints, "arrivals of hints"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", grouped(*n))).collect();
        if !parts.is_empty() {
            self.blank();
            self.put(&format!("Too much to be kept, and left out: {}", parts.join(", ")));
        }
    }

    fn near(&mut self, targets: &[NearTarget], indent: &str) {
        let row = |it: &NearTarget| {
            let near = format!("{indent}{}", nearness(it.kind, it.closeness, it.distance));
            let by = it.operation.as_ref().map(|operation| format!("by {operation}")).unwrap_or_default();
            vec![near, it.name.clone(), by]
        };
        let rows: Vec<Vec<String>> = targets.iter().map(row).collect();
        self.columns(&rows);
    }

    fn target(&mut self, target: &TargetAnswer) {
        self.beginning(target);
        if target.tries > 0 {
            let tries = count(u64::from(target.tries), "mutation", "mutations");
            let gains = if target.gains == 0 { "none".to_owned() } else { grouped(u64::from(target.gains)) };
            self.put(&format!("  tried    {tries} made for it, {gains} came closer"));
        }
        self.reasons("Why not", &target.reasons);
        self.inputs(&target.inputs);
        self.hints("Hints about its inputs", &target.hints, target.more_hints);
        self.tests("Tests that show it", &target.tests, target.more_tests);
        let mut names: Vec<&str> = Vec::new();
        for reason in &target.reasons {
            match reason {
                Reason::Behind { target, .. } => names.push(target),
                Reason::NeverSucceeded { operation, .. } => names.push(operation),
                _ => {}
            }
        }
        names.retain(|name| *name != target.name);
        self.ask(&names);
    }

    fn beginning(&mut self, target: &TargetAnswer) {
        let name = self.style.bold(&printable(&target.name));
        let state = match (target.is_reached, target.closeness > 0.0) {
            (true, _) => self.style.green("reached"),
            (false, true) => self.style.yellow("not reached"),
            (false, false) => self.style.yellow("never come to"),
        };
        let how = match target.elsewhere {
            None => "",
            Some(ElsewhereRecord::Start) => ", by no call: while the service started",
            Some(ElsewhereRecord::Background) => ", by no call: between calls, or by threads that work for none",
        };
        self.put(&format!("{name}: {state}{how}"));
        if target.closeness > 0.0 {
            self.closest(target);
        }
    }

    /// What was reached, in short.
    fn reached(&mut self, target: &TargetAnswer) {
        self.beginning(target);
        if let Some(test) = target.tests.first() {
            self.put(&format!("  shown    by {}", printable(&test.name)));
        }
    }

    fn closest(&mut self, target: &TargetAnswer) {
        let TargetAnswer { kind, closeness, distance, since, calls, origin, call, .. } = target;
        let how = if *closeness >= 1.0 { String::new() } else { format!("{}, ", nearness(*kind, *closeness, *distance)) };
        let call = call.as_ref().map(|call| match call.of {
            1 => format!("by {}", call.operation),
            of => format!("by {}, call {} of {of}", call.operation, call.number),
        });
        let origin = match origin {
            None => "",
            Some(OriginRecord::Sampled) => ", a new sample",
            Some(OriginRecord::Mutated) => ", a mutation",
            Some(OriginRecord::Hinted) => ", trying a hint",
        };
        let title = if *closeness >= 1.0 { "first" } else { "closest" };
        let when = format!("after {} of {}", grouped(*since), count(*calls, "call", "calls"));
        let call = call.unwrap_or_default();
        self.put(&format!("  {title:<8} {how}{}{origin}, {when}", printable(&call)));
    }

    fn reasons(&mut self, title: &str, reasons: &[Reason]) {
        if reasons.is_empty() {
            return;
        }
        self.head(title);
        for reason in reasons {
            self.put(&format!("  - {}", printable(&reason.text())));
        }
    }

    fn inputs(&mut self, inputs: &[InputAnswer]) {
        if inputs.is_empty() {
            return;
        }
        self.head("Inputs that moved it");
        let is_one = inputs.iter().all(|input| input.operation == inputs[0].operation);
        let row = |input: &InputAnswer| {
            let of = if is_one { String::new() } else { format!("{} ", input.operation) };
            let value = input.value.as_ref().map_or_else(
                || "then left out, or taken from an earlier answer".to_owned(),
                |value| format!("then {}", quoted(value)),
            );
            let moved = format!("moved it {}", count(u64::from(input.moved), "time", "times"));
            let tried = format!("changed {} in all", count(u64::from(input.tried), "time", "times"));
            vec![format!("{of}{}", input.place), moved, tried, value]
        };
        let rows: Vec<Vec<String>> = inputs.iter().map(row).collect();
        self.columns(&rows);
    }

    fn hints(&mut self, title: &str, hints: &[HintAnswer], more: usize) {
        if hints.is_empty() {
            return;
        }
        self.head(title);
        let row = |it: &HintAnswer| {
            let place = if it.place.is_empty() { "(no input)" } else { &it.place };
            let fate = match (&it.hint.unused, it.hint.taken) {
                (Some(why), _) => format!("not used: {why}"),
                (None, 0) => "not tried before the run ended".to_owned(),
                (None, taken) => format!("tried {}", count(u64::from(taken), "time", "times")),
            };
            vec![place.to_owned(), hint(&it.hint.usage, &it.hint.operand), fate]
        };
        let rows: Vec<Vec<String>> = hints.iter().map(row).collect();
        self.columns(&rows);
        self.more(more, "hint", "hints");
    }

    fn tests(&mut self, title: &str, tests: &[TestAnswer], more: usize) {
        if tests.is_empty() {
            return;
        }
        self.head(title);
        for test in tests {
            self.put(&format!("  {}", printable(&test.name)));
            let rows: Vec<Vec<String>> = test.specialised.iter().map(|it| specialised(it, test, "  ")).collect();
            self.columns(&rows);
        }
        self.more(more, "test", "tests");
    }

    fn operation(&mut self, operation: &OperationAnswer) {
        let statuses =
            if operation.statuses.is_empty() { "never called".to_owned() } else { all_statuses(&operation.statuses) };
        let id = self.style.bold(&printable(&operation.id));
        self.put(&format!("{id}: {statuses}"));
        self.reasons("Why no further", &operation.reasons);
        if !operation.targets.is_empty() {
            self.head("Not reached, the nearest first");
            self.near(&operation.targets, "");
            self.more(operation.more_targets, "target", "targets");
        }
        self.hints("Hints about its inputs", &operation.hints, operation.more_hints);
        self.tests("Tests that call it", &operation.tests, operation.more_tests);
        let names: Vec<&str> = operation.targets.first().map(|it| it.name.as_str()).into_iter().collect();
        self.ask(&names);
    }

    fn test(&mut self, test: &TestAnswer) {
        let name = self.style.bold(&printable(&test.name));
        self.put(&format!("{name}: {}", count(test.calls.len() as u64, "call", "calls")));
        for (idx, operation) in test.calls.iter().enumerate() {
            self.put(&format!("  {}  {}", idx + 1, printable(operation)));
        }
        if test.specialised.is_empty() {
            self.blank();
            self.put("No input of it has a value of a kind that the service was seen to want.");
            return;
        }
        self.head("Specialised inputs");
        let rows: Vec<Vec<String>> = test.specialised.iter().map(|it| specialised(it, test, "")).collect();
        self.columns(&rows);
    }

    fn candidates(&mut self, question: &str, candidates: &[Candidate], more: usize) {
        let all = grouped((candidates.len() + more) as u64);
        self.put(&format!("{all} targets, operations and tests contain `{}`:", printable(question)));
        self.candidate_rows(candidates);
        self.more(more, "that is not listed", "that are not listed");
        let names: Vec<&str> = candidates.first().map(|it| it.name.as_str()).into_iter().collect();
        self.ask(&names);
    }

    fn candidate_rows(&mut self, candidates: &[Candidate]) {
        let rows: Vec<Vec<String>> = candidates.iter().map(|it| vec![it.name.clone(), it.state.clone()]).collect();
        self.columns(&rows);
    }
}

/// An input of a test with what it was specialised by.
fn specialised(it: &SpecialisedAnswer, test: &TestAnswer, indent: &str) -> Vec<String> {
    let call = match (test.calls.len(), test.calls.get(it.call - 1)) {
        (1, _) | (_, None) => String::new(),
        (_, Some(operation)) => format!("call {} ({operation}), ", it.call),
    };
    vec![format!("{indent}{call}{}", it.place), quoted(&it.value), format!("because of {}", hint(&it.usage, &it.operand))]
}

/// How near the search came: a distance where one is measured.
fn nearness(kind: Kind, closeness: f64, distance: Option<f64>) -> String {
    match distance {
        Some(distance) => format!("distance {}", number(distance)),
        None if kind == Kind::Code => "never come to".to_owned(),
        None => format!("{:.0} % of the way", closeness * 100.0),
    }
}

fn quoted(value: &str) -> String {
    format!("\"{}\"", shortened(value, WIDEST - 2))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::sample::sample;
    use super::text;
    use crate::explain::{Answer, Reason, ask};
    use crate::report::Style;

    /// Compares with a golden file; `BLESS=1` rewrites it.
    fn check(file: &str, question: Option<&str>) {
        let shown = text(&ask(&sample(), question).expect("an answer"), "out", Style::plain());
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/explain").join(file);
        if std::env::var_os("BLESS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, &shown).expect("written");
        }
        let golden = std::fs::read_to_string(&path).expect("run with BLESS=1 to make it");
        assert_eq!(shown, golden, "{file}");
    }

    #[test]
    fn each_kind_of_answer_reads_as_its_golden_file() {
        check("overview.txt", None);
        check("not_reached.txt", Some("branch:com.acme.Shop:17:0:then"));
        check("reached.txt", Some("branch:com.acme.Shop:17:0:else"));
        check("never.txt", Some("branch:com.acme.Shop:18:0:then"));
        check("line.txt", Some("Shop:17"));
        check("operation.txt", Some("GET /shop"));
        check("refused.txt", Some("POST /shop"));
        check("test.txt", Some("get_shop_returns_200"));
        check("candidates.txt", Some("acme"));
    }

    #[test]
    fn json_says_the_same_as_the_text() {
        let answer = ask(&sample(), Some("branch:com.acme.Shop:17:0:then")).expect("an answer");
        let json = serde_json::to_value(&answer).expect("JSON");
        assert_eq!(json["answer"], "targets");
        let target = &json["targets"][0];
        assert_eq!((&target["distance"], &target["inputs"][0]["place"]), (&3.0.into(), &"query limit".into()));
        let reasons: Vec<_> = target["reasons"].as_array().expect("a list").iter().map(|it| it["reason"].clone()).collect();
        assert_eq!(reasons, ["stalled", "useless_hint"]);
    }

    #[test]
    fn each_reason_is_told_where_it_holds() {
        let reasons = |question: &str| match ask(&sample(), Some(question)).expect("an answer") {
            Answer::Targets { targets, .. } => targets.into_iter().next().expect("one").reasons,
            Answer::Operation(operation) => operation.reasons,
            other => panic!("{other:?}"),
        };
        assert!(matches!(&reasons("GET /till")[..], [Reason::NeverCalled { .. }]));
        assert!(matches!(&reasons("PUT /shop")[..], [Reason::Skipped { .. }]));
        assert!(matches!(&reasons("class:POST /shop:2xx")[..], [Reason::NeverSucceeded { .. }, Reason::NotWorkedOn]));
        assert!(matches!(&reasons("line:com.acme.Till:4")[..], [Reason::StoppedBefore { line: 2, operation: None }]));
        assert!(matches!(
            &reasons("line:com.acme.Shop:18")[..],
            [Reason::StoppedBefore { line: 17, .. }, Reason::Behind { .. }]
        ));
        assert!(matches!(&reasons("line:com.acme.Desk:4")[..], [Reason::ClassNeverEntered { .. }]));
        let yes_or_no = reasons("branch:com.acme.Shop:12:1:then");
        assert!(matches!(&yes_or_no[..3], [Reason::YesOrNo, Reason::Stalled { .. }, Reason::NoInput { tries: 9 }]));
    }

    #[test]
    fn names_of_the_service_do_not_trick_a_terminal() {
        let mut record = sample();
        record.targets[2].name = "branch:a\u{1b}[2J.B:1:0:then".to_owned();
        record.inputs[0].hints[0].operand = "\u{1b}[31m".to_owned();
        for question in [None, Some("branch:a"), Some("GET /shop")] {
            let shown = text(&ask(&record, question).expect("an answer"), "o\u{1b}ut", Style::plain());
            assert!(!shown.contains('\u{1b}'), "{shown}");
        }
    }
}
