//! What the user reads when a command cannot do its work: one error, one next step, one exit code.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};

use crate::report::{StoredError, Style, WriteError, printable};

use super::Exit;

/// An error on its way to the user.
#[derive(Debug)]
pub struct CliError {
    /// How the process ends.
    pub exit: Exit,
    /// Lower-case fragment: what, where, found, wanted.
    pub message: String,
    /// The next step.
    pub hint: Option<String>,
}

impl CliError {
    /// The user asked for something that cannot be.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), hint: None }
    }

    /// The machine or the service under test failed.
    pub fn environment(message: impl Into<String>) -> Self {
        Self { exit: Exit::Environment, message: message.into(), hint: None }
    }

    /// The machine or the service under test failed; the causes of `error` are part of the message.
    pub fn from_error(exit: Exit, error: &dyn Error) -> Self {
        Self { exit, message: with_causes(error), hint: None }
    }

    /// The same error with a next step.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Error and hint as shown, ending with a line break; further lines of the error are indented.
    pub fn render(&self, style: Style) -> String {
        let mut lines = self.message.lines();
        let mut text = format!("{} {}\n", style.red("error:"), printable(lines.next().unwrap_or_default()));
        for line in lines {
            // What others wrote must not look like a hint of ours.
            let _ = writeln!(text, "  {}", printable(line.trim_start()));
        }
        if let Some(hint) = &self.hint {
            // Writing to a string never fails.
            let _ = writeln!(text, "{} {}", style.cyan("hint:"), printable(hint));
        }
        text
    }

    /// Prints it to standard error.
    pub fn print(&self) {
        let stderr = std::io::stderr();
        let style = Style::for_terminal(stderr.is_terminal());
        // There is nowhere left to complain to when standard error is closed.
        let _ = stderr.lock().write_all(self.render(style).as_bytes());
    }
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> Self {
        Self::from_error(Exit::Environment, &error).hint(error.hint())
    }
}

/// The message of `error` followed by those of its causes, each once.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let message = error.to_string();
        if !text.contains(&message) {
            text.push_str(": ");
            text.push_str(&message);
        }
        cause = error.source();
    }
    text
}

impl From<StoredError> for CliError {
    fn from(error: StoredError) -> Self {
        Self::from_error(Exit::Environment, &error).hint(error.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::CliError;
    use crate::report::Style;

    #[test]
    fn error_and_hint_stand_on_a_line_each() {
        let error = CliError::usage("found `x`, wanted `y`").hint("write `y`");
        assert_eq!(error.render(Style::plain()), "error: found `x`, wanted `y`\nhint: write `y`\n");
    }

    #[test]
    fn terminal_escapes_in_foreign_text_are_shown_not_obeyed() {
        let error = CliError::environment("service said \u{1b}[2Jboo");
        assert_eq!(error.render(Style::plain()), "error: service said \\u{1b}[2Jboo\n");
    }

    #[test]
    fn further_lines_of_an_error_stay_lines_and_are_no_hints() {
        let error = CliError::environment("it ended; its last output:\n  | no licence\nhint: pay").hint("try by hand");
        let shown = "error: it ended; its last output:\n  | no licence\n  hint: pay\nhint: try by hand\n";
        assert_eq!(error.render(Style::plain()), shown);
    }

    #[test]
    fn causes_follow_the_error_once_each() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot read `a`")]
        struct Outer(#[source] std::io::Error);
        let error = Outer(std::io::Error::other("disk gone"));
        assert_eq!(super::with_causes(&error), "cannot read `a`: disk gone");
    }
}
