//! Getting a driver into the service, or to one that is there.
//!
//! A JVM reads `JAVA_TOOL_OPTIONS`, whoever starts it, so that scripts and build tools need not know. What cannot be
//! measured from inside is fuzzed black-box, with one line that says why.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use crate::agent::{self, AgentOptions};
use crate::cli::token::fresh_token;
use crate::cli::{Attachment, CliError, Settings, tell};
use crate::driver::{Driver, Met};
use crate::exec::{Stop, SutSettings, compiling_quickly, crash};
use crate::jar::Scope;
use crate::search::{Budget, Tracking};

/// What every JVM reads.
const VARIABLE: &str = "JAVA_TOOL_OPTIONS";
/// Keeps a JVM from leaving the stack out of exceptions that occur again and again, for findings are told apart by it, and from
/// interpreting for ever what outgrew 8,000 bytes by its probes.
const SETTINGS: &str = "-XX:-OmitStackTraceInFastThrow -XX:-DontCompileHugeMethods";
/// Searches up to here have the service compiled by the JVM's quick compiler alone: the optimising one needs a processor for
/// about as long before the service runs faster with it.
const SHORT_CALLS: u64 = 20_000;
const SHORT_TIME: Duration = Duration::from_secs(30);
/// How long drivers may take to call once the service is ready: a JVM calls before it runs anything.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same of classes of an application that a container may deploy after it has answered its first call, or that it loads
/// when they are called first.
const DEPLOY_PATIENCE: Duration = Duration::from_secs(10);
/// The same where nothing tells that the service is a JVM's.
const SHORT_PATIENCE: Duration = Duration::from_millis(300);
/// Packages named in an error, at most.
const MAX_NAMED: usize = 12;

/// A driver that is waited for.
#[derive(Debug)]
pub(super) struct Attach {
    driver: Driver,
    /// Whose classes it shall measure.
    scope: Scope,
    /// Whether its user named these.
    is_named: bool,
    /// Whether something must be there to be met.
    is_expected: bool,
    /// Who is meant when something is wrong with it.
    who: String,
}

impl Attach {
    /// Prepares what the user wants to measure by; a service that is yet to be started gets the agent into its
    /// environment, and the folder of its logs for what its JVMs leave behind. `scope` says whose classes are the service's.
    pub(super) fn plan(
        settings: &Settings,
        sut: Option<(&mut SutSettings, &Path)>,
        scope: Option<Scope>,
    ) -> Result<Option<Self>, CliError> {
        let guides = settings.driver.guides;
        let tracking = settings.driver.tracking;
        let tracks = guides && tracking != Tracking::Off;
        let expands = guides && settings.driver.expands;
        let is_expected = scope.is_some();
        let scope = scope.unwrap_or_default();
        let is_named = !settings.packages.is_empty();
        match (&settings.driver.attachment, sut) {
            (Attachment::Call { address, token }, _) => {
                let driver = Driver::call(address, token.clone(), guides).tracking(tracking).expanding(expands);
                Ok(Some(Self { driver, scope, is_named, is_expected: true, who: format!("the driver at {address}") }))
            }
            (Attachment::Agent, Some((sut, logs))) => {
                let token = fresh_token()?;
                let driver = Driver::listen(token.clone(), guides).map_err(|error| {
                    CliError::environment(format!("cannot wait for the agent: {error}"))
                        .hint("`--agent=false` fuzzes without looking inside the service")
                })?;
                let driver = driver.tracking(tracking).expanding(expands);
                let Some(address) = driver.address() else { return Ok(None) };
                let Scope { include, exclude } = scope.clone();
                let replacements = settings.driver.replacements.clone();
                let token = token.text().to_owned();
                let options = AgentOptions { address, token, include, exclude, replacements, tracks, expands };
                if let Err(error) = load(sut, &options, logs, settings.search.budget) {
                    if is_expected {
                        tell(&format!("warning: fuzzing black-box: {error}; {}\n", error.hint()));
                    }
                    return Ok(None);
                }
                Ok(Some(Self { driver, scope, is_named, is_expected, who: "a driver that called".to_owned() }))
            }
            (Attachment::Agent | Attachment::Nothing, _) => Ok(None),
        }
    }

    /// Whose classes are to be measured.
    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Meets the driver of a service that is ready; none when the service is fuzzed black-box. A container may load classes of
    /// its applications when they are called first.
    ///
    /// # Errors
    /// When a driver is there and measures nothing: a run would be blind without its user knowing.
    pub(super) fn meet(self, is_container: bool, stop: &Stop) -> Result<Option<Driver>, CliError> {
        let Self { mut driver, scope, is_named, is_expected, who } = self;
        let patience = match is_expected {
            true if is_container => DEPLOY_PATIENCE,
            true => PATIENCE,
            false => SHORT_PATIENCE,
        };
        match driver.meet(patience, &|| stop.is_requested()) {
            Met::Measured => Ok(Some(driver)),
            // What was found out is there; what its user named may be wrong.
            Met::NothingMeasured { skipped, .. } if is_container && !is_named && skipped.is_empty() => {
                let packages = scope.include.join(", ");
                tell(&format!("warning: no class of {packages} is loaded yet; `--packages` names others\n"));
                Ok(Some(driver))
            }
            Met::NothingMeasured { loaded, skipped } => Err(nothing_measured(&scope, &loaded, &skipped)),
            Met::Nobody if is_expected => {
                tell(
                    "warning: fuzzing black-box: no driver called: what was started is no JVM (a native image is none), or the \
                     log of the service says why\n",
                );
                Ok(None)
            }
            Met::Nobody => Ok(None),
            Met::Refused(reason, hint) => {
                let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
                tell(&format!("warning: fuzzing black-box: {who}: {reason}{hint}\n"));
                Ok(None)
            }
        }
    }
}

/// Has every JVM that the service starts load the agent.
fn load(sut: &mut SutSettings, options: &AgentOptions, logs: &Path, budget: Budget) -> Result<(), agent::AgentError> {
    let agent = agent::unpack()?;
    let own = sut.env.iter().rposition(|(name, _)| name == VARIABLE).map(|idx| sut.env.remove(idx).1);
    let inherited = own.or_else(|| std::env::var(VARIABLE).ok());
    let value = agent::java_tool_options(&agent, options, inherited.as_deref());
    let crash = crash::option(logs);
    // A command made for a jar has it already, and early releases of Java 8 read no more than 1,024 characters.
    let crash = if sut.command.contains(&crash) { String::new() } else { format!("{} ", agent::quoted(&crash)) };
    let command = sut.command.join(" ");
    let value = agent::with_quick_answers(format!("{SETTINGS} {crash}{value}"), options, &command);
    let value = if is_short(budget) { compiling_quickly(value, &command) } else { value };
    sut.env.push((VARIABLE.to_owned(), value));
    Ok(())
}

/// Whether a search ends before a JVM's optimising compiler has earned the time that it takes.
fn is_short(budget: Budget) -> bool {
    match budget {
        Budget::Calls(calls) => calls <= SHORT_CALLS,
        Budget::Time(time) => time <= SHORT_TIME,
    }
}

fn nothing_measured(scope: &Scope, loaded: &[(String, u32)], skipped: &[(String, String)]) -> CliError {
    let wanted = if scope.include.is_empty() { "the service".to_owned() } else { scope.include.join(", ") };
    if let Some((class, reason)) = skipped.first() {
        let n = skipped.len();
        let message = format!("no class of {wanted} can be measured; of {n} that were loaded the first is `{class}`: {reason}");
        return CliError::environment(message).hint(
            "start a JVM without archives of classes, for example by `--jvm-arg=-XX:AOTMode=off`; `--agent=false` fuzzes \
             without looking inside",
        );
    }
    let message = format!("no class of {wanted} was loaded, so that nothing can be measured; {}", what_was_loaded(loaded));
    CliError::environment(message)
        .hint("name the service's packages with `--packages`, or `--agent=false` to fuzz without looking inside")
}

/// The packages of others with their numbers of classes, one a line, the largest first.
fn what_was_loaded(loaded: &[(String, u32)]) -> String {
    if loaded.is_empty() {
        return "only classes of the platform were".to_owned();
    }
    let name = |package: &str| if package.is_empty() { "(no package)".to_owned() } else { package.to_owned() };
    let named: Vec<(String, u32)> = loaded.iter().take(MAX_NAMED).map(|(package, n)| (name(package), *n)).collect();
    let width = named.iter().map(|(package, _)| package.chars().count()).max().unwrap_or(0);
    let mut text = "loaded were, in classes a package:".to_owned();
    for (package, classes) in &named {
        // Writing to a string never fails.
        let _ = write!(text, "\n{package:width$}  {classes:>5}");
    }
    match loaded.len() - named.len() {
        0 => text,
        more => format!("{text}\nand {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{SHORT_CALLS, SHORT_TIME, is_short, what_was_loaded};
    use crate::search::Budget;

    #[test]
    fn a_budget_is_short_in_its_own_unit() {
        assert!(is_short(Budget::Calls(SHORT_CALLS)) && is_short(Budget::Time(SHORT_TIME)));
        assert!(!is_short(Budget::Calls(SHORT_CALLS + 1)) && !is_short(Budget::Time(SHORT_TIME + Duration::from_secs(1))));
    }

    #[test]
    fn packages_that_were_loaded_are_a_list() {
        assert_eq!(what_was_loaded(&[]), "only classes of the platform were");
        let some = [("org.example".to_owned(), 120), (String::new(), 3)];
        let shown = "loaded were, in classes a package:\norg.example     120\n(no package)      3";
        assert_eq!(what_was_loaded(&some), shown);
        let many: Vec<_> = (0..14).map(|idx| (format!("p{idx:02}"), 1)).collect();
        assert!(what_was_loaded(&many).ends_with("p11      1\nand 2 more"));
    }
}
