//! A service that is a container of web applications: which these are, and whether they are there yet.

use crate::jar::JvmCommand;

use super::process::Group;
use super::ready::Readiness;

/// What is known of a service as a container of web applications.
#[derive(Debug, Default)]
pub(super) struct Container {
    /// Whether it is one; none while nothing of it has listened.
    is_one: Option<bool>,
    /// Paths of its applications.
    contexts: Vec<String>,
    /// Those of applications that did not answer there.
    silent: Vec<String>,
}

impl Container {
    /// Whether the service is one.
    pub(super) fn is_one(&self) -> bool {
        self.is_one == Some(true)
    }

    /// Paths below which its applications are by their names, and where nothing answers.
    pub(super) fn silent(&self) -> &[String] {
        &self.silent
    }

    /// Waits for the first answer of a container, and for those of its applications: it may open its port before it has deployed
    /// them. One that did not come is not waited for again. What it is tells the `command` that listens.
    pub(super) fn await_deployed(
        &mut self,
        command: impl FnOnce() -> Option<JvmCommand>,
        readiness: &Readiness<'_>,
        group: &Group,
    ) {
        if self.is_one.is_none() {
            let contexts = command().map(|command| command.context_paths());
            self.is_one = contexts.as_ref().map(Option::is_some);
            self.contexts = contexts.flatten().unwrap_or_default().into_iter().collect();
        }
        if self.is_one() {
            readiness.wait_for_answer(group);
            let silent = readiness.wait_for_contexts(&self.contexts, group);
            self.contexts.retain(|context| !silent.contains(context));
            self.silent.extend(silent);
        }
    }
}
