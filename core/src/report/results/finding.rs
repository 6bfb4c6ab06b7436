//! The part of the results about findings.

use std::collections::BTreeSet;

use serde::Serialize;

use super::CauseResult;

/// One finding.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FindingResult {
    /// Stable from run to run.
    pub id: String,
    /// Category of Web Fuzzing Commons, or ours from 900.
    pub code: u16,
    /// The category in words.
    pub title: String,
    /// `VERB /path`.
    pub operation: String,
    /// What was found and what was wanted.
    pub message: String,
    /// How often it was noticed.
    pub count: u64,
    /// Whether it showed again when it was tried again.
    pub confirmed: bool,
    /// `confirmed`, `unstable` or `untried`.
    pub confirmation: &'static str,
    /// The statement of the service to look at: the one that failed, else the last one; known with a driver only.
    pub statement: Option<String>,
    /// Last statement the service executed; known with a driver only.
    pub last_statement: Option<String>,
    /// Exceptions in the service's code, first to last; known with a driver only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<ExceptionResult>,
    /// One shell line that repeats the requests.
    pub curl: String,
    /// Names of the tests that show it, the shortest first.
    pub tests: Vec<String>,
    /// Where none shows it: names of tests that would, but end before its call, of which nothing can be expected again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cut_tests: Vec<String>,
    /// What is wrong on purpose with the request that shows it, where it is the request as such and not a value in it:
    /// `content type multipart/form-data`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub malformation: Option<String>,
    /// What it has in common with other findings of the run, which are perhaps of one cause; none where it has nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<CauseResult>,
    /// Whether an earlier run that this one is compared with has it, too; none where it is compared with none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
    /// The requests up to the one that showed it.
    pub requests: Vec<RequestResult>,
}

impl FindingResult {
    /// Puts `findings` in the order in which people read them: new ones first, then certain ones, then those that take no
    /// request that is wrong as such, for most of these are of one cause in the framework; then the first of each cause; then
    /// by category, then as they were.
    pub(in crate::report) fn put_most_telling_first(findings: &mut [Self]) {
        findings.sort_by_key(|finding| (finding.known, finding.rank(), finding.malformation.is_some(), finding.code));
        let mut seen = BTreeSet::new();
        let mut is_repeat = |finding: &&Self| {
            let cause = finding.cause.as_ref();
            cause.is_some_and(|cause| !seen.insert((finding.known, finding.rank(), finding.code, cause.clone())))
        };
        let repeats: BTreeSet<String> = findings.iter().filter(&mut is_repeat).map(|finding| finding.id.clone()).collect();
        findings.sort_by_key(|finding| {
            let is_repeat = repeats.contains(&finding.id);
            (finding.known, finding.rank(), finding.malformation.is_some(), is_repeat, finding.code)
        });
    }

    /// Whether `other` is perhaps of the same cause, and was seen as surely.
    pub(in crate::report) fn is_like(&self, other: &Self) -> bool {
        let kind = |it: &Self| (it.known, it.confirmation, it.code);
        self.cause.is_some() && self.cause == other.cause && kind(self) == kind(other)
    }

    fn rank(&self) -> u8 {
        match self.confirmation {
            "confirmed" => 0,
            "untried" => 1,
            _ => 2,
        }
    }
}

/// An exception behind a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExceptionResult {
    /// `uncaught` (it left the service's code), `caught`, `exit` (an attempt to end the process) or `stopped` (by restive,
    /// because it took too long).
    pub kind: &'static str,
    /// Type with its package.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Its message, possibly cut.
    pub message: String,
    /// The statement that ran last before it.
    pub statement: Option<String>,
    /// Its stack, innermost frame first, possibly cut.
    pub trace: Vec<String>,
}

/// One request of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RequestResult {
    /// `VERB /path`.
    pub operation: String,
    /// Whole URL.
    pub url: String,
    /// User whose credentials were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// This request alone as a shell line.
    pub curl: String,
}

#[cfg(test)]
mod tests {
    use super::{CauseResult, FindingResult};
    use crate::report::Results;
    use crate::report::fixture::Parts;

    #[test]
    fn the_most_telling_ones_come_first() {
        let results = Results::from_run(&Parts::new().run());
        let certain = FindingResult { confirmation: "confirmed", code: 100, ..results.findings[0].clone() };
        let of_one_cause = FindingResult { cause: Some(CauseResult::Statement("A:1".to_owned())), ..certain.clone() };
        let named = |id: &str, other: FindingResult| FindingResult { id: id.to_owned(), ..other };
        let mut findings = vec![
            named("known", FindingResult { known: Some(true), ..certain.clone() }),
            named("unstable", FindingResult { confirmation: "unstable", ..certain.clone() }),
            named("untried", FindingResult { confirmation: "untried", ..certain.clone() }),
            named("wrong as such", FindingResult { malformation: Some("accept unknown".to_owned()), ..certain.clone() }),
            named("of one cause", of_one_cause.clone()),
            named("of the same cause", of_one_cause),
            named("another category", FindingResult { code: 900, ..certain.clone() }),
            named("first", certain.clone()),
            named("second", certain),
        ];
        FindingResult::put_most_telling_first(&mut findings);
        let ids: Vec<&str> = findings.iter().map(|finding| finding.id.as_str()).collect();
        let sure = ["of one cause", "first", "second", "another category", "of the same cause", "wrong as such"];
        assert_eq!(ids, [&sure[..], &["untried", "unstable", "known"]].concat());
    }
}
