//! What a written test is called and what its comment says.

use crate::action::ActionResult;
use crate::search::SolvedTest;

use super::super::model::{TestCall, TestKind};
use super::super::naming::{Names, operation_words, query_words, test_name};
use super::Builder;

impl Builder<'_> {
    /// Whether the answer to that call is what is wrong with the service.
    fn is_wrong(&self, test: &SolvedTest, result: &ActionResult) -> bool {
        let faults = test.findings.iter().filter_map(|idx| self.source.findings.get(*idx)).map(|finding| &finding.fault);
        let mut operations = faults.map(|fault| fault.operation_idx);
        result.status().is_none_or(|status| status >= 500) || operations.any(|idx| idx == result.request.operation_idx)
    }

    /// What the test does, and what its last call has in the query where another test does the same.
    pub(super) fn unique_name(&self, test: &SolvedTest, positions: &[usize], kind: TestKind, names: &mut Names) -> String {
        let name = self.name(test, positions, kind, None);
        let query = positions.last().and_then(|last| query_words(&test.results[*last].request.url));
        let told_apart = query.filter(|_| names.has(&name)).map(|query| self.name(test, positions, kind, Some(query)));
        names.unique(&told_apart.unwrap_or(name))
    }

    /// What the test does, with `detail` where nothing is wrong on purpose; one that shows a fault says that it expects what
    /// is wrong.
    fn name(&self, test: &SolvedTest, positions: &[usize], kind: TestKind, detail: Option<String>) -> String {
        let all: Vec<usize> = (0..test.results.len()).collect();
        let named = if positions.is_empty() { &all } else { positions };
        let words = |position: &usize| {
            let operation = self.source.api.operation(test.results[*position].request.operation_idx);
            operation_words(operation.verb.name(), &operation.url_path)
        };
        let operations: Vec<String> = named.iter().map(words).collect();
        let Some(last) = positions.last() else { return test_name(&operations, "", "without_a_stable_answer") };
        let last_operation = self.source.api.operation(test.results[*last].request.operation_idx);
        let violation = test.individual.actions.get(*last).and_then(|action| action.violation.as_ref());
        let violation = violation.map(|violation| format!("with {}", violation.description(last_operation)));
        let detail = violation.or(detail).unwrap_or_default();
        let status = test.results[*last].status().unwrap_or_default();
        let ending = if status == 0 { "breaks_the_connection".to_owned() } else { format!("returns_{status}") };
        let ending = match kind {
            TestKind::Fault if self.is_wrong(test, &test.results[*last]) => format!("wrongly_{ending}"),
            TestKind::Fault => format!("{ending}_after_a_fault"),
            TestKind::Success | TestKind::Other => ending,
        };
        test_name(&operations, &detail, &ending)
    }

    pub(super) fn description(&self, test: &SolvedTest, calls: &[TestCall]) -> String {
        let finding = test.findings.first().and_then(|idx| self.source.findings.get(*idx));
        if let Some(finding) = finding {
            let operation = &self.source.api.operation(finding.fault.operation_idx).id;
            return format!("{operation}: {} - {}.", finding.fault.code.title(), finding.fault.message.trim_end_matches('.'));
        }
        match calls {
            [] => "Nothing of it can be expected again.".to_owned(),
            [.., last] if last.is_dropped() => format!("{} breaks its connection.", last.operation),
            [.., last] if last.status < 400 => format!("{} answers {}.", last.operation, last.status),
            [.., last] if last.status < 500 => format!("{} is refused with {}.", last.operation, last.status),
            [.., last] => format!("{} fails with {}.", last.operation, last.status),
        }
    }
}
