//! What findings have in common that are perhaps of one cause.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::oracle::{FaultCode, Finding};

use super::FindingResult;

/// What a finding has in common with others of its run: a guess, for one thing can be wrong in more than one way.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(tag = "kind", content = "what", rename_all = "snake_case")]
pub enum CauseResult {
    /// The same is wrong on purpose with their requests as such: `content type multipart/form-data`.
    Request(String),
    /// The same statement failed, or was the last one, with the same exception where there was one:
    /// `com.acme.Foo:42, java.lang.IllegalStateException`.
    Statement(String),
    /// The same is wrong with the answer, by the schema: `status 404`, `status 200: body: type at /id`.
    Answer(String),
}

impl CauseResult {
    /// What may be the cause of `finding`, whose request is wrong on purpose by `malformation`; none where nothing is known but
    /// that it is there.
    pub(super) fn of(finding: &Finding, malformation: Option<&str>) -> Option<Self> {
        let fault = &finding.fault;
        if let Some(malformation) = malformation {
            return Some(Self::Request(malformation.to_owned()));
        }
        if fault.code == FaultCode::SchemaMismatch {
            return Some(Self::Answer(fault.key.clone()));
        }
        let statement = fault.statement.as_ref().or(finding.last_statement.as_ref())?;
        let thrown = finding.exceptions.iter().rev().find(|exception| exception.statement.as_ref() == Some(statement));
        let thrown = thrown.map(|exception| format!(", {}", exception.type_name)).unwrap_or_default();
        Some(Self::Statement(format!("{statement}{thrown}")))
    }

    /// Leaves causes to findings that have them in common with others.
    pub(super) fn keep_common(findings: &mut [FindingResult]) {
        let mut counts: BTreeMap<Self, usize> = BTreeMap::new();
        for cause in findings.iter().filter_map(|finding| finding.cause.clone()) {
            *counts.entry(cause).or_default() += 1;
        }
        for finding in findings {
            finding.cause = finding.cause.take().filter(|cause| counts[cause] > 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CauseResult;
    use crate::oracle::FaultCode;
    use crate::report::Results;
    use crate::report::fixture::Parts;
    use crate::search::{Exception, ExceptionKind};

    #[test]
    fn one_cause_is_the_same_statement_with_the_same_exception_or_the_same_fault_of_answers() {
        let parts = Parts::new();
        let mut finding = parts.findings[0].clone();
        finding.fault.code = FaultCode::Status500;
        finding.fault.statement = Some("com.acme.Foo:42".to_owned());
        let cause = |text: &str| Some(CauseResult::Statement(text.to_owned()));
        finding.exceptions.clear();
        assert_eq!(CauseResult::of(&finding, None), cause("com.acme.Foo:42"));
        finding.exceptions.push(Exception {
            kind: ExceptionKind::Uncaught,
            type_name: "java.lang.Error".to_owned(),
            message: "no 7".to_owned(),
            statement: finding.fault.statement.clone(),
            trace: Vec::new(),
        });
        assert_eq!(CauseResult::of(&finding, None), cause("com.acme.Foo:42, java.lang.Error"));
        finding.fault.statement = None;
        finding.last_statement = None;
        assert_eq!(CauseResult::of(&finding, None), None);
        assert_eq!(CauseResult::of(&finding, Some("body null")), Some(CauseResult::Request("body null".to_owned())));
        finding.fault.code = FaultCode::SchemaMismatch;
        assert_eq!(CauseResult::of(&finding, None), Some(CauseResult::Answer(finding.fault.key.clone())));
    }

    #[test]
    fn what_one_finding_has_alone_is_not_told() {
        let parts = Parts::new();
        let mut findings = vec![Results::from_run(&parts.run()).findings[0].clone(); 3];
        for (finding, status) in findings.iter_mut().zip([400, 404, 400]) {
            finding.cause = Some(CauseResult::Answer(format!("status {status}")));
        }
        CauseResult::keep_common(&mut findings);
        assert_eq!(findings.iter().map(|finding| finding.cause.is_some()).collect::<Vec<_>>(), [true, false, true]);
    }
}
