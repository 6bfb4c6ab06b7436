//! Finds what a question is about, and answers it.

use std::collections::BTreeSet;

use super::answer::{Answer, Candidate, distance};
use super::place::Place;
use super::reason::{all_statuses, number};
use super::record::{Kind, Record, TargetRecord};
use crate::cli::nearest;

/// Candidates that are listed, at most.
const MOST_CANDIDATES: usize = 20;
/// Targets of one line that are explained together, at most.
const MOST_TOGETHER: usize = 6;
/// What the names of calls that returned begin with.
const RETURNS: &str = "returns:";
/// Names that are told when nothing fits, at most.
const MOST_NEAREST: usize = 5;

/// Nothing fits the question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no target, operation or test is called or contains `{question}`")]
pub struct Unknown {
    /// The question.
    pub question: String,
    /// Names that it may have meant, the most likely first.
    pub nearest: Vec<String>,
}

impl Unknown {
    /// The next step.
    pub fn hint(&self) -> String {
        if self.nearest.is_empty() {
            "leave the target out for an overview; classes that the service never loaded have no targets".to_owned()
        } else {
            let names: Vec<String> = self.nearest.iter().map(|name| format!("`{name}`")).collect();
            format!("did you mean {}?", names.join(" or "))
        }
    }
}

/// Answers `question` (a target, a part of one, `Class:line`, an operation or a test; nothing for an overview).
///
/// # Errors
/// When nothing fits it.
pub fn ask(record: &Record, question: Option<&str>) -> Result<Answer, Unknown> {
    let Some(question) = question.map(str::trim).filter(|question| !question.is_empty()) else {
        return Ok(Answer::Overview(record.overview()));
    };
    record
        .exact(question)
        .or_else(|| record.parts(question))
        .ok_or_else(|| Unknown { question: question.to_owned(), nearest: record.nearest(question) })
}

impl Record {
    /// What is called so: a target, an operation, a test, a line of a class.
    fn exact(&self, question: &str) -> Option<Answer> {
        if let Some(target) = self.targets.iter().find(|target| target.name == question) {
            return Some(Answer::Targets { targets: vec![self.target_answer(target)], more: 0 });
        }
        let operation = self.operations.iter().position(|it| it.id.eq_ignore_ascii_case(question));
        if let Some(operation) = operation {
            return Some(Answer::Operation(self.operation_answer(operation)));
        }
        if let Some(idx) = self.tests.iter().position(|test| test.name == question) {
            return Some(Answer::Test(self.test_answer(idx)));
        }
        let (class, line) = question.rsplit_once(':')?;
        let line = line.parse().ok()?;
        let is_there = |place: Place<'_>| place.line == Some(line) && place.is_of(class);
        let found = self.targets.iter().filter(|it| it.kind == Kind::Code && !it.name.starts_with(RETURNS));
        let found = found.filter(|it| Place::of(&it.name).is_some_and(is_there));
        self.of_one_line(found.collect())
    }

    /// Targets of one line, explained together; none where they are of several lines, or there are none.
    fn of_one_line(&self, mut found: Vec<&TargetRecord>) -> Option<Answer> {
        let line =
            |target: &TargetRecord| Place::of(&target.name).and_then(|place| Some((place.class.to_owned(), place.line?)));
        let first = line(found.first()?);
        let is_one = found.len() == 1 || (first.is_some() && found.iter().all(|target| line(target) == first));
        if !is_one {
            return None;
        }
        found.sort_by(|one, other| by_nearness(one, other));
        let more = found.len().saturating_sub(MOST_TOGETHER);
        let targets = found.into_iter().take(MOST_TOGETHER).map(|target| self.target_answer(target)).collect();
        Some(Answer::Targets { targets, more })
    }

    /// What contains the question.
    fn parts(&self, question: &str) -> Option<Answer> {
        let question_in = question.to_lowercase();
        let contains = |name: &str| name.to_lowercase().contains(&question_in);
        // That a call returned says nothing that its line does not, so it is told when it is asked for.
        let is_asked = |name: &str| !name.starts_with(RETURNS) || question_in.starts_with(RETURNS);
        let fits = |it: &&TargetRecord| contains(&it.name) && is_asked(&it.name);
        let mut targets: Vec<&TargetRecord> = self.targets.iter().filter(fits).collect();
        let operations: Vec<usize> = (0..self.operations.len()).filter(|idx| contains(&self.operations[*idx].id)).collect();
        let tests: Vec<usize> = (0..self.tests.len()).filter(|idx| contains(&self.tests[*idx].name)).collect();
        match (&operations[..], &tests[..]) {
            ([], []) => {
                if let Some(answer) = self.of_one_line(targets.clone()) {
                    return Some(answer);
                }
            }
            // Goals and shapes of an operation have its name.
            ([operation], _) => return Some(Answer::Operation(self.operation_answer(*operation))),
            ([], [test]) if targets.is_empty() => return Some(Answer::Test(self.test_answer(*test))),
            _ => {}
        }
        targets.sort_by(|one, other| by_nearness(one, other));
        let operations = operations.into_iter().map(|idx| self.operation_candidate(idx));
        let targets = targets.into_iter().map(|it| Candidate { name: it.name.clone(), state: state(it) });
        let tests = tests.into_iter().map(|idx| self.test_candidate(idx));
        let mut candidates: Vec<Candidate> = operations.chain(targets).chain(tests).collect();
        let more = candidates.len().saturating_sub(MOST_CANDIDATES);
        candidates.truncate(MOST_CANDIDATES);
        (!candidates.is_empty()).then(|| Answer::Candidates { question: question.to_owned(), candidates, more })
    }

    /// What may be asked of an operation.
    pub(super) fn operation_candidate(&self, idx: usize) -> Candidate {
        let operation = &self.operations[idx];
        let state = match (&operation.skipped, operation.statuses.is_empty()) {
            (Some(_), _) => "not called".to_owned(),
            (None, true) => "never called".to_owned(),
            (None, false) => all_statuses(&operation.statuses),
        };
        Candidate { name: operation.id.clone(), state }
    }

    fn test_candidate(&self, idx: usize) -> Candidate {
        let test = &self.tests[idx];
        let state = match test.specialised.len() {
            0 => "test".to_owned(),
            1 => "test with 1 specialised input".to_owned(),
            n => format!("test with {n} specialised inputs"),
        };
        Candidate { name: test.name.clone(), state }
    }

    /// Names that a mistyped question may have meant.
    fn nearest(&self, question: &str) -> Vec<String> {
        let mut names: Vec<&str> = self.operations.iter().map(|it| it.id.as_str()).collect();
        names.extend(self.targets.iter().map(|it| it.name.as_str()));
        names.extend(self.tests.iter().map(|it| it.name.as_str()));
        // Of places in the code, class and line may be meant, with the package or without.
        for place in self.targets.iter().filter(|it| it.kind == Kind::Code).filter_map(|it| Place::of(&it.name)) {
            names.push(place.class);
            names.push(place.class.rsplit_once('.').map_or(place.class, |(_, name)| name));
        }
        let class_and_line = question.rsplit_once(':').and_then(|(class, line)| Some((class, line.parse::<u32>().ok()?)));
        let class = class_and_line.map(|(class, _)| class);
        let mut found: Vec<String> = class_and_line.map(|(class, line)| self.lines_around(class, line)).unwrap_or_default();
        if !found.is_empty() {
            return found;
        }
        for asked in [Some(question), class].into_iter().flatten() {
            while found.len() < MOST_NEAREST {
                let left = names.iter().copied().filter(|name| !found.iter().any(|it| it == name));
                let Some(name) = nearest(asked, left) else { break };
                found.push(name.to_owned());
            }
        }
        found
    }

    /// The lines of a class before and behind `line` that have targets.
    fn lines_around(&self, class: &str, line: u32) -> Vec<String> {
        let places = self.targets.iter().filter(|it| it.kind == Kind::Code).filter_map(|it| Place::of(&it.name));
        let lines: BTreeSet<u32> = places.filter(|place| place.is_of(class)).filter_map(|place| place.line).collect();
        let around = [lines.range(..line).next_back(), lines.range(line..).next()];
        around.into_iter().flatten().map(|line| format!("{class}:{line}")).collect()
    }
}

/// What was not reached first, what guides best before the rest, the nearest first.
pub(super) fn by_nearness(one: &TargetRecord, other: &TargetRecord) -> std::cmp::Ordering {
    let rank = |target: &TargetRecord| (target.is_reached(), target.kind);
    let line = |target: &TargetRecord| Place::of(&target.name).and_then(|place| place.line);
    rank(one)
        .cmp(&rank(other))
        .then_with(|| other.closeness.total_cmp(&one.closeness))
        .then_with(|| line(one).cmp(&line(other)))
        .then_with(|| one.name.cmp(&other.name))
}

/// What became of a target, in few words.
fn state(target: &TargetRecord) -> String {
    match distance(target) {
        _ if target.is_reached() => "reached".to_owned(),
        Some(distance) => format!("distance {}", number(distance)),
        None if target.closeness > 0.0 => "not reached".to_owned(),
        None => "never come to".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::sample;
    use super::{Answer, ask};
    use crate::explain::{Kind, Record, TargetRecord};

    /// What the answer is about.
    fn about(question: &str) -> Vec<String> {
        match ask(&sample(), Some(question)).expect("an answer") {
            Answer::Targets { targets, .. } => targets.into_iter().map(|it| it.name).collect(),
            Answer::Operation(it) => vec![it.id],
            Answer::Test(it) => vec![it.name],
            Answer::Candidates { candidates, .. } => {
                std::iter::once("candidates".to_owned()).chain(candidates.into_iter().map(|it| it.name)).collect()
            }
            Answer::Overview(_) => vec!["overview".to_owned()],
        }
    }

    #[test]
    fn names_parts_lines_operations_and_tests_are_found() {
        assert_eq!(about("branch:com.acme.Shop:17:0:then"), ["branch:com.acme.Shop:17:0:then"]);
        assert_eq!(about("get /shop"), ["GET /shop"]);
        assert_eq!(about("get_shop_returns_200"), ["get_shop_returns_200"]);
        let of_line = ["branch:com.acme.Shop:17:0:then", "branch:com.acme.Shop:17:0:else", "line:com.acme.Shop:17"];
        for question in ["Shop:17", "acme.Shop:17", "com.acme.Shop:17"] {
            let mut found = about(question);
            found.sort();
            let mut expected = of_line.to_vec();
            expected.sort_unstable();
            assert_eq!(found, expected, "{question}");
        }
        assert_eq!(about("17:0:then"), ["branch:com.acme.Shop:17:0:then"]);
        assert_eq!(about(" "), ["overview"]);
    }

    #[test]
    fn of_several_places_the_nearest_is_listed_first() {
        let found = about("com.acme.shop");
        assert_eq!(found[..3], ["candidates", "branch:com.acme.Shop:12:1:then", "branch:com.acme.Shop:17:0:then"]);
        assert!(found.len() > 4);
        assert!(!found.iter().any(|name| name.starts_with("returns:")), "{found:?}");
        assert_eq!(about("returns:com.acme"), ["returns:com.acme.Shop:12:0:List.size"]);
    }

    #[test]
    fn unknown_names_lead_to_known_ones() {
        let nearest = |question: &str| ask(&sample(), Some(question)).expect_err("nothing fits").nearest;
        assert_eq!(nearest("GET /shpo")[0], "GET /shop");
        assert_eq!(nearest("Shpo:17")[0], "Shop");
        assert_eq!(nearest("Shop:15"), ["Shop:12", "Shop:17"]);
        let error = ask(&sample(), Some("zzzzzzzzzzzzzzzzz")).expect_err("nothing fits");
        assert!(error.nearest.is_empty() && error.hint().contains("overview"));
    }

    #[test]
    fn an_empty_run_is_answered_too() {
        assert!(matches!(ask(&Record::default(), None), Ok(Answer::Overview(_))));
        assert!(ask(&Record::default(), Some("x")).is_err());
    }

    #[test]
    fn large_runs_give_short_answers() {
        let mut record = sample();
        for number in 0..20_000 {
            let name = format!("branch:com.acme.Huge{}:{number}:0:then", number % 999);
            record.targets.push(TargetRecord { name, kind: Kind::Code, closeness: 0.25, ..record.targets[0].clone() });
        }
        for question in [None, Some("huge"), Some("Huge7:7"), Some("branch")] {
            let text = crate::explain::text(&ask(&record, question).expect("an answer"), "out", crate::report::Style::plain());
            assert!(text.lines().count() < 80, "{text}");
        }
    }
}
