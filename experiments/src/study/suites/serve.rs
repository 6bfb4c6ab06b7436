//! The service of a subject, started without `restive` as often as one likes.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use restive_core::cli::CommandLine;
use restive_e2e::process::{Service, free_port};
use serde_json::Value;

use super::super::conduct;
use super::super::execute::{Bench, LocalJar};
use super::super::expand::PlannedRun;

/// How long a service may take to be ready.
const START_LIMIT: Duration = Duration::from_mins(3);

/// How a service is started.
#[derive(Debug, Default)]
pub struct Launch {
    /// Program and arguments, with `{port}`.
    words: Vec<String>,
    /// Variables, with `{port}`.
    environment: Vec<(String, String)>,
    /// What answers below 500 once it is ready; without it an open port is enough, as in the run.
    ready_path: Option<String>,
}

impl Launch {
    /// How `restive` starts the subject of `run`.
    pub fn of(bench: &Bench, run: &PlannedRun<'_>) -> Result<Self> {
        let subject = run.subject;
        let jar = conduct::install_jar(subject, &bench.study_folder)?;
        let mut environment: Vec<(String, String)> = subject.environment.clone().into_iter().collect();
        let words = match (&subject.command, &jar) {
            (Some(command), _) => bench.fill_in(command, jar.as_ref(), true).parse::<CommandLine>()?.0,
            (None, Some(jar)) => {
                let (java, port_variables) = inspected(bench, jar)?;
                if !subject.arguments.iter().any(|argument| argument.contains("{port}")) {
                    environment.extend(port_variables.into_iter().map(|variable| (variable, "{port}".to_owned())));
                }
                let mut words = vec![java, "-jar".to_owned(), jar.path.display().to_string()];
                words.extend(subject.arguments.iter().map(|argument| bench.fill_in(argument, Some(jar), false)));
                words
            }
            (None, None) => anyhow::bail!("`{}` runs already and cannot be started anew", subject.name),
        };
        let mut given = subject.fuzz_arguments.iter();
        let ready_path = given.find(|argument| *argument == "--ready-path").and_then(|_| given.next());
        Ok(Self { words, environment, ready_path: ready_path.cloned() })
    }

    /// Starts it in that folder, which is emptied before.
    pub fn start(&self, folder: &Path) -> Result<Service> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let port = free_port()?;
        let with_port = |text: &String| text.replace("{port}", &port.to_string());
        let (program, arguments) = self.words.split_first().context("no command")?;
        let mut command = Command::new(program);
        command.args(arguments.iter().map(with_port)).current_dir(folder);
        command.envs(self.environment.iter().map(|(name, value)| (name, with_port(value))));
        Service::start_within(START_LIMIT, &mut command, folder, "service", port, self.ready_path.as_deref())
    }
}

/// The JVM that `restive` chooses for a jar, and the variables that tell its port.
fn inspected(bench: &Bench, jar: &LocalJar) -> Result<(String, Vec<String>)> {
    let output = Command::new(&bench.restive).args(["sut", "inspect", "--json", "--jar"]).arg(&jar.path).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let java = told["started_by"]["java"].as_str().context("no JVM for the jar")?;
    let variables = told["port_variables"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Ok((java.to_owned(), variables.map(str::to_owned).collect()))
}
