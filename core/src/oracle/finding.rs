//! Faults as noticed once, and findings as reported: one per fault.

use crate::action::Request;
use crate::api::OperationIdx;
use crate::search::Exception;

/// Category of a fault: a code of Web Fuzzing Commons (WFC), or one of ours above 900 where WFC has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultCode {
    /// WFC 100: status 500.
    Status500,
    /// WFC 101: an answer that does not match the schema.
    SchemaMismatch,
    /// 901: the service died.
    SutDeath,
    /// 902: no answer within the time limit.
    TimeOut,
    /// 903: the connection broke before a complete answer, though the service lives.
    ConnectionDropped,
    /// 904: the service tried to end its process, and was kept from it.
    ExitAttempt,
    /// 905: the service needs more and more memory.
    MemoryGrowth,
}

impl FaultCode {
    /// The number that stands in reports.
    pub fn number(self) -> u16 {
        match self {
            Self::Status500 => 100,
            Self::SchemaMismatch => 101,
            Self::SutDeath => 901,
            Self::TimeOut => 902,
            Self::ConnectionDropped => 903,
            Self::ExitAttempt => 904,
            Self::MemoryGrowth => 905,
        }
    }

    /// A few words for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Status500 => "server error (status 500)",
            Self::SchemaMismatch => "answer does not match the schema",
            Self::SutDeath => "the service died",
            Self::TimeOut => "no answer within the time limit",
            Self::ExitAttempt => "the service tried to end its process",
            Self::MemoryGrowth => "the service needs more and more memory",
            Self::ConnectionDropped => "no complete answer: the connection broke",
        }
    }
}

/// One fault noticed in one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Category.
    pub code: FaultCode,
    /// The operation called.
    pub operation_idx: OperationIdx,
    /// What tells this fault from others of its code and operation: a status, a message key, a statement.
    pub key: String,
    /// What was found and what was wanted, one sentence fragment.
    pub message: String,
    /// The statement of the service that failed, where a driver tells: `com.acme.Foo:42`.
    pub statement: Option<String>,
}

/// Whether a finding showed again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confirmation {
    /// It was not executed again.
    Untried,
    /// It showed again every time.
    Confirmed,
    /// It did not show every time.
    Unstable,
}

/// A fault as reported.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The fault as first noticed.
    pub fault: Fault,
    /// How often it was noticed.
    pub count: u64,
    /// Whether it showed again.
    pub confirmation: Confirmation,
    /// The requests of the shortest test that shows it, or else those up to and including the one that showed it first;
    /// for a death the last ones before it.
    pub requests: Vec<Request>,
    /// The statement of the service that ran last when it was first noticed, when a driver tells: `com.acme.Foo:42`.
    pub last_statement: Option<String>,
    /// Exceptions that left the service's code then, first to last.
    pub exceptions: Vec<Exception>,
}
