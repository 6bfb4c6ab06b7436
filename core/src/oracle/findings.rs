//! From faults to findings: one per code, operation and key, counted.

use std::collections::BTreeMap;

use crate::action::Request;
use crate::api::OperationIdx;
use crate::search::{Feedback, Proof};

use super::{Confirmation, Fault, FaultCode, Finding};

/// All findings of a run in order of discovery.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    findings: Vec<Finding>,
    positions: BTreeMap<(FaultCode, OperationIdx, String), usize>,
}

impl Findings {
    /// Counts `fault` and returns the position of its finding; `requests` are asked for at first sight only and are
    /// those up to and including the one that showed it, and `feedback` is what that one did inside the service.
    pub fn record(
        &mut self,
        fault: Fault,
        feedback: Option<&Feedback>,
        requests: impl FnOnce(FaultCode) -> Vec<Request>,
    ) -> usize {
        let identity = (fault.code, fault.operation_idx, fault.key.clone());
        let next = self.findings.len();
        let code = fault.code;
        let position = *self.positions.entry(identity).or_insert(next);
        if position == next {
            self.findings.push(Finding {
                fault,
                count: 0,
                confirmation: Confirmation::Untried,
                requests: requests(code),
                last_statement: feedback.and_then(|feedback| feedback.last_statement.clone()),
                exceptions: feedback.map(|feedback| feedback.exceptions.clone()).unwrap_or_default(),
            });
        }
        self.findings[position].count += 1;
        position
    }

    /// The position of the finding that `fault` belongs to, none when it is new.
    pub fn position(&self, fault: &Fault) -> Option<usize> {
        self.positions.get(&(fault.code, fault.operation_idx, fault.key.clone())).copied()
    }

    /// Notes whether the finding at `position` showed again.
    ///
    /// # Panics
    /// When there is no finding at `position`.
    pub fn confirm(&mut self, position: usize, confirmation: Confirmation) {
        self.findings[position].confirmation = confirmation;
    }

    /// Notes what speaks for the finding at `position`, the end of the service: once confirmed it stays so.
    ///
    /// # Panics
    /// When there is no finding at `position`.
    pub fn note_proof(&mut self, position: usize, proof: &Proof) {
        let confirmation = self.findings[position].confirmation;
        match proof {
            Proof::Shown(requests) => {
                self.confirm(position, Confirmation::Confirmed);
                self.show_by(position, requests.clone());
            }
            Proof::NotShown if confirmation == Confirmation::Untried => self.confirm(position, Confirmation::Unstable),
            Proof::NotShown | Proof::Untried => {}
        }
    }

    /// Lets the finding at `position` be shown by `requests`, unless it already is by fewer.
    ///
    /// # Panics
    /// When there is no finding at `position`.
    pub fn show_by(&mut self, position: usize, requests: Vec<Request>) {
        let finding = &mut self.findings[position];
        if requests.len() <= finding.requests.len() {
            finding.requests = requests;
        }
    }

    /// Has the finding at `position` shown by `requests`, whatever it was shown by before.
    ///
    /// # Panics
    /// When there is no finding at `position`.
    pub fn show_only_by(&mut self, position: usize, requests: Vec<Request>) {
        self.findings[position].requests = requests;
    }

    /// All findings in order of discovery.
    pub fn as_slice(&self) -> &[Finding] {
        &self.findings
    }

    /// Number of findings.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use crate::api::OperationIdx;
    use crate::oracle::{Confirmation, Fault, FaultCode};

    use super::Findings;
    use crate::action::Request;

    fn fault(operation: u32, key: &str, message: &str) -> Fault {
        let (code, operation_idx) = (FaultCode::SchemaMismatch, OperationIdx(operation));
        Fault { code, operation_idx, key: key.to_owned(), message: message.to_owned(), statement: None }
    }

    #[test]
    fn equal_faults_are_one_finding_with_its_count_and_first_message() {
        let mut findings = Findings::default();
        let faults = [(1, "b", "one"), (1, "a", "two"), (1, "b", "three"), (2, "b", "four")];
        let positions =
            faults.map(|(operation, key, message)| findings.record(fault(operation, key, message), None, |_| Vec::new()));
        assert_eq!(positions, [0, 1, 0, 2]);
        let found: Vec<_> = findings.as_slice().iter().map(|one| (one.fault.message.as_str(), one.count)).collect();
        assert_eq!(found, [("one", 2), ("two", 1), ("four", 1)]);
        assert_eq!((findings.position(&fault(2, "b", "")), findings.position(&fault(3, "b", ""))), (Some(2), None));
        findings.record(fault(1, "b", ""), None, |_| unreachable!("the requests of the first sight are kept"));
        findings.confirm(2, Confirmation::Unstable);
        assert_eq!(findings.as_slice()[2].confirmation, Confirmation::Unstable);
    }

    #[test]
    fn a_finding_is_shown_by_the_fewest_requests() {
        let request = |url: &str| Request {
            operation_idx: OperationIdx(1),
            verb: crate::api::Verb::Get,
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        let mut findings = Findings::default();
        findings.record(fault(1, "a", ""), None, |_| vec![request("/long"), request("/long")]);
        for requests in [vec![request("/a")], vec![request("/b"), request("/b")]] {
            findings.show_by(0, requests);
        }
        assert_eq!(findings.as_slice()[0].requests, [request("/a")]);
    }
}
