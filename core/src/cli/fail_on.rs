//! Which findings make a run fail.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::oracle::FaultCode;
use crate::report::results::FindingResult;

/// A kind of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailOn {
    /// All findings.
    Any,
    /// Those that showed again when they were tried again.
    Confirmed,
    /// None.
    Nothing,
    /// Status 500.
    #[value(name = "status-500")]
    #[serde(rename = "status-500")]
    Status500,
    /// Answers that do not match the schema.
    Schema,
    /// Ends of the service, and attempts to end it.
    Death,
    /// Answers that did not come in time.
    TimeOut,
    /// Connections that broke.
    Connection,
    /// Memory of the service that grows and grows.
    Memory,
}

impl FailOn {
    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Confirmed => "confirmed",
            Self::Nothing => "nothing",
            Self::Status500 => "status-500",
            Self::Schema => "schema",
            Self::Death => "death",
            Self::TimeOut => "time-out",
            Self::Connection => "connection",
            Self::Memory => "memory",
        }
    }

    /// Whether a finding is of this kind.
    fn holds(self, finding: &FindingResult) -> bool {
        let is = |codes: &[FaultCode]| codes.iter().any(|code| code.number() == finding.code);
        match self {
            Self::Any => true,
            Self::Confirmed => finding.confirmed,
            Self::Nothing => false,
            Self::Status500 => is(&[FaultCode::Status500]),
            Self::Schema => is(&[FaultCode::SchemaMismatch]),
            Self::Death => is(&[FaultCode::SutDeath, FaultCode::ExitAttempt]),
            Self::TimeOut => is(&[FaultCode::TimeOut]),
            Self::Connection => is(&[FaultCode::ConnectionDropped]),
            Self::Memory => is(&[FaultCode::MemoryGrowth]),
        }
    }
}

/// How many of `findings` make a run fail: those of one of these kinds, unless an earlier run has them.
pub fn failing(findings: &[FindingResult], kinds: &[FailOn]) -> usize {
    let fails = |finding: &&FindingResult| finding.known != Some(true) && kinds.iter().any(|kind| kind.holds(finding));
    findings.iter().filter(fails).count()
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::{FailOn, failing};
    use crate::report::Results;
    use crate::report::fixture::Parts;

    #[test]
    fn kinds_are_called_the_same_everywhere() {
        for kind in FailOn::value_variants() {
            assert_eq!(kind.to_possible_value().map(|value| value.get_name().to_owned()).as_deref(), Some(kind.name()));
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.name().into()));
        }
    }

    #[test]
    fn kinds_choose_and_known_ones_never_fail() {
        let mut findings = Results::from_run(&Parts::new().run()).findings;
        let n = findings.len();
        let n_500 = findings.iter().filter(|finding| finding.code == 100).count();
        let n_confirmed = findings.iter().filter(|finding| finding.confirmed).count();
        assert_eq!(failing(&findings, &[FailOn::Any]), n);
        assert_eq!(failing(&findings, &[FailOn::Nothing]), 0);
        assert_eq!(failing(&findings, &[FailOn::Status500]), n_500);
        assert_eq!(failing(&findings, &[FailOn::Confirmed]), n_confirmed);
        assert_eq!(failing(&findings, &[FailOn::Death]), 0);
        assert!(0 < n_500 && n_500 < n, "the fixture has others, too");
        findings[0].known = Some(true);
        assert_eq!(failing(&findings, &[FailOn::Any]), n - 1);
    }
}
