//! How the process ends: one meaning per code for every command.

use std::process::ExitCode;

use crate::report::EndedBy;

/// The exit codes of every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: the work was done and nothing was found.
    Clean,
    /// 1: faults or differences were found.
    Findings,
    /// 2: flags, `restive.toml` or a filter ask for something that cannot be.
    Usage,
    /// 3: the machine or the service under test failed: a file, a port, a host, a disk.
    Environment,
    /// 4: nothing was found, but some of the work could not be done.
    Incomplete,
    /// 70: restive itself is wrong.
    Bug,
}

impl Exit {
    /// The code the process ends with.
    pub fn code(self) -> u8 {
        match self {
            Self::Clean => 0,
            Self::Findings => 1,
            Self::Usage => 2,
            Self::Environment => 3,
            Self::Incomplete => 4,
            Self::Bug => 70,
        }
    }

    /// How a run ends: findings come first, then a lost service, then skipped operations and a user's interruption.
    pub fn of_run(findings: usize, ended_by: EndedBy, skipped: usize) -> Self {
        if findings > 0 {
            return Self::Findings;
        }
        match ended_by {
            EndedBy::SutLost => Self::Environment,
            EndedBy::Interrupted => Self::Incomplete,
            EndedBy::Budget if skipped > 0 => Self::Incomplete,
            EndedBy::Budget => Self::Clean,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;
    use crate::report::EndedBy;

    #[test]
    fn findings_win_over_everything_else() {
        assert_eq!(Exit::of_run(1, EndedBy::SutLost, 3), Exit::Findings);
        assert_eq!(Exit::of_run(0, EndedBy::SutLost, 3), Exit::Environment);
    }

    #[test]
    fn zero_means_that_everything_was_tried() {
        assert_eq!(Exit::of_run(0, EndedBy::Budget, 0), Exit::Clean);
        assert_eq!(Exit::of_run(0, EndedBy::Budget, 1), Exit::Incomplete);
        assert_eq!(Exit::of_run(0, EndedBy::Interrupted, 0), Exit::Incomplete);
    }

    #[test]
    fn codes_are_those_of_the_table() {
        let all = [Exit::Clean, Exit::Findings, Exit::Usage, Exit::Environment, Exit::Incomplete, Exit::Bug];
        assert_eq!(all.map(Exit::code), [0, 1, 2, 3, 4, 70]);
    }
}
