//! `junit.xml`: the run as a test report, for CI systems that show these. An operation is a test case, failed by each finding;
//! those that an earlier run has, too, are skipped.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite, XmlString};

use super::results::{FindingResult, OperationResult, Results};

/// The file's text. Operations that were skipped or never called are skipped.
pub(super) fn junit(results: &Results) -> String {
    let mut suite = TestSuite::new(if results.run.title.trim().is_empty() { "service" } else { results.run.title.trim() });
    for operation in &results.operations {
        let findings: Vec<&FindingResult> = results.findings.iter().filter(|it| it.operation == operation.id).collect();
        if findings.is_empty() {
            suite.add_test_case(case(operation, "no faults", status_without(operation)));
        }
        for finding in findings {
            let name = format!("{} ({})", finding.title, finding.id);
            suite.add_test_case(case(operation, &name, status_of(finding)));
        }
    }
    let mut report = Report::new("restive");
    report.add_test_suite(suite);
    // Writing to memory fails only for texts that it was made without.
    report.to_string().unwrap_or_default()
}

fn case(operation: &OperationResult, what: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(format!("{}: {what}", operation.id), status);
    case.set_classname(operation.path.as_str());
    case
}

fn status_without(operation: &OperationResult) -> TestCaseStatus {
    let reason = match &operation.skipped {
        Some(skipped) => skipped.reason.as_str(),
        None if operation.statuses.is_empty() => "never called",
        None => return TestCaseStatus::success(),
    };
    let mut status = TestCaseStatus::skipped();
    status.set_message(reason);
    status
}

fn status_of(finding: &FindingResult) -> TestCaseStatus {
    if finding.known == Some(true) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("an earlier run has it, too: {}", finding.message));
        return status;
    }
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(finding.message.as_str()).set_type(format!("F{}", finding.code));
    let mut lines = vec![finding.message.clone()];
    let untold = finding.statement.iter().filter(|statement| !finding.message.contains(statement.as_str()));
    lines.extend(untold.map(|statement| format!("at {statement}")));
    lines.push(format!("$ {}", finding.curl));
    lines.extend(finding.tests.first().map(|test| format!("shown by {test}")));
    status.set_description(XmlString::new(lines.join("\n")));
    status
}

#[cfg(test)]
mod tests {
    use quick_junit::{Report, TestCaseStatus};

    use super::junit;
    use crate::report::Results;
    use crate::report::fixture::Parts;

    fn report(parts: &Parts) -> Report {
        Report::deserialize_from_str(&junit(&Results::from_run(&parts.run()))).expect("a test report")
    }

    #[test]
    fn operations_are_cases_and_findings_fail_them() {
        let parts = Parts::new();
        let report = report(&parts);
        let suite = &report.test_suites[0];
        let failed = suite.test_cases.iter().filter(|case| matches!(case.status, TestCaseStatus::NonSuccess { .. }));
        assert_eq!((report.failures, failed.count()), (parts.findings.len(), parts.findings.len()));
        let skipped = suite.test_cases.iter().filter(|case| matches!(case.status, TestCaseStatus::Skipped { .. })).count();
        assert!(skipped >= 2, "one is not understood, one is left out");
        assert_eq!(suite.name.as_str(), "Pet store");
    }

    #[test]
    fn findings_of_an_earlier_run_fail_nothing() {
        let mut results = Results::from_run(&Parts::new().run());
        results.findings.iter_mut().for_each(|finding| finding.known = Some(true));
        let report = Report::deserialize_from_str(&junit(&results)).expect("a test report");
        assert_eq!(report.failures, 0);
    }

    #[test]
    fn a_run_without_findings_has_no_failures() {
        let report = report(&Parts::clean());
        assert_eq!((report.failures, report.errors), (0, 0));
        assert!(report.tests > 0);
    }

    #[test]
    fn hostile_texts_stay_texts() {
        let mut parts = Parts::new();
        parts.findings[0].fault.message = "]]></failure>&\u{1}\u{fffe} \u{1b}[31m".to_owned();
        let report = report(&parts);
        assert_eq!(report.test_suites.len(), 1);
        assert_eq!(report.failures, parts.findings.len());
    }
}
