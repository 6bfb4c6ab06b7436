//! How the service of a run is started: by the user's command, or by a command made for a jar.

use std::path::{Path, PathBuf};

use crate::cli::{CliError, Exit, JarSettings, OutputFolder, Settings, jar_error};
use crate::exec::{self, Stop, Sut, SutSettings};
use crate::jar::{self, Jar};

use super::jvm;
use super::prepare::exec_error;

/// What a JVM prints that is too old for a class, before the version of the class.
const TOO_OLD: &str = "class file version ";
/// Difference between versions of class files and of Java.
const CLASS_FILE_OFFSET: u16 = 44;
/// What services print, among other things, when their port is taken.
const TAKEN: [&str; 3] = ["Address already in use", "BindException", "was already in use"];

/// A service that is ready to be started.
#[derive(Debug)]
pub(super) struct Start {
    sut: SutSettings,
    /// The jar that is started, when it is one.
    pub(super) jar: Option<Jar>,
    java: PathBuf,
}

impl Start {
    /// How the service of `settings` is started; none when it runs already.
    pub(super) fn plan(settings: &Settings) -> Result<Option<Self>, CliError> {
        let Some(sut) = settings.sut.clone() else { return Ok(None) };
        let Some(wanted) = &settings.jar else { return Ok(Some(Self { sut, jar: None, java: PathBuf::new() })) };
        let jar = jar::read(&wanted.file).map_err(|error| jar_error(&error))?;
        let java = jvm::find(wanted.java.as_deref())?;
        let command = command(&java, wanted);
        let variable = jar.framework.value.port_variable();
        let mut env = sut.env.clone();
        // An application that is told its port by argument may read the variable for something else.
        let names_port =
            command.iter().any(|word| word.contains("{port}")) || env.iter().any(|(_, value)| value.contains("{port}"));
        if !names_port && !env.iter().any(|(name, _)| name == variable) {
            env.push((variable.to_owned(), "{port}".to_owned()));
        }
        Ok(Some(Self { sut: SutSettings { command, env, ..sut }, jar: Some(jar), java }))
    }

    /// Starts it and waits until it is ready.
    pub(super) fn run(&self, settings: &Settings, folder: &OutputFolder, stop: &Stop) -> Result<Sut, CliError> {
        let logs = folder.path.join("logs");
        Sut::start(&self.sut, settings.http.base_url.as_deref(), &logs, stop).map_err(|error| match &self.jar {
            Some(_) => self.explain(&error),
            None => exec_error(&error),
        })
    }

    /// Why a jar did not start, as far as what it printed tells.
    fn explain(&self, error: &exec::Error) -> CliError {
        let exec::Error::DiedAtStart { output, .. } = error else { return exec_error(error) };
        if let Some(wanted) = output.iter().find_map(|line| wanted_java(line)) {
            let fitting = jvm::installed().into_iter().find(|jvm| jvm.version >= wanted);
            let message = format!("the jar wants Java {wanted} or newer, and `{}` is older", self.java.display());
            return CliError::environment(message).hint(fitting.map_or_else(
                || format!("install Java {wanted} and name it with `--java FILE`"),
                |jvm| format!("`--java {}` is Java {}", jvm.java.display(), jvm.version),
            ));
        }
        let error = CliError::from_error(Exit::Environment, error);
        if output.iter().any(|line| TAKEN.iter().any(|text| line.contains(text))) {
            return error.hint(
                "a port it wants is taken: stop what holds it, or give the application a free one, as in `-- --port={port}`",
            );
        }
        error.hint("arguments of the application go after `--`, as in `-- --port={port}`; `--jvm-arg` is for the JVM, `--env` for variables")
    }
}

/// The command line that runs a jar. Options of ours for the JVM belong between those of the user and `-jar`.
fn command(java: &Path, wanted: &JarSettings) -> Vec<String> {
    // The service may be started in another folder.
    let file = std::path::absolute(&wanted.file).unwrap_or_else(|_| wanted.file.clone());
    let mut words = vec![java.to_string_lossy().into_owned()];
    words.extend(wanted.jvm_args.iter().cloned());
    words.extend(["-jar".to_owned(), file.to_string_lossy().into_owned()]);
    words.extend(wanted.arguments.iter().cloned());
    words
}

/// The version of Java that a line about a class that is too new names.
fn wanted_java(line: &str) -> Option<u16> {
    if !line.contains("UnsupportedClassVersionError") {
        return None;
    }
    let version = line.split_once(TOO_OLD)?.1;
    let digits = version.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse::<u16>().ok()?.checked_sub(CLASS_FILE_OFFSET)
}

#[cfg(test)]
mod tests {
    use super::{JarSettings, command, wanted_java};

    #[test]
    fn the_command_has_options_of_the_jvm_before_the_jar_and_arguments_behind() {
        let settings = JarSettings {
            file: "/x/app.jar".into(),
            jvm_args: vec!["-Xmx1g".to_owned()],
            arguments: vec!["--port={port}".to_owned()],
            ..JarSettings::default()
        };
        assert_eq!(command("java".as_ref(), &settings), ["java", "-Xmx1g", "-jar", "/x/app.jar", "--port={port}"]);
    }

    #[test]
    fn a_jvm_that_is_too_old_says_which_one_is_wanted() {
        let line = "java.lang.UnsupportedClassVersionError: a/B has been compiled by a more recent version of the Java \
                    Runtime (class file version 65.0), this version of the Java Runtime only recognizes up to 61.0";
        assert_eq!((wanted_java(line), wanted_java("class file version 65.0")), (Some(21), None));
    }
}
