//! How a service is started: by the user's command, or by a command made for a jar.

use std::path::{Path, PathBuf};

use crate::exec::{self, Stop, Sut, SutSettings, crash};
use crate::jar::{self, Framework, Jar};

use super::jvm::{self, Jvm};
use super::{CliError, Exit, JarSettings, exec_error, jar_error, tell};

/// What stands for the port of the service.
const PORT: &str = "{port}";
/// What a JVM prints that is too old for a class, before the version of the class.
const TOO_OLD: &str = "class file version ";
/// Difference between versions of class files and of Java.
const CLASS_FILE_OFFSET: u16 = 44;
/// What a JVM prints that does not have the class to start.
const NO_MAIN_CLASS: &str = "Could not find or load main class";
/// What services print, among other things, when their port is taken.
const TAKEN: [&str; 3] = ["Address already in use", "BindException", "was already in use"];

/// What is said of a service that restive starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct StartSource<'a> {
    /// How it is started; none when it runs already. For a jar its command is empty.
    pub(super) sut: Option<&'a SutSettings>,
    /// The jar, when it is one.
    pub(super) jar: Option<&'a JarSettings>,
    /// Packages that hold the service; empty to find them out.
    pub(super) packages: &'a [String],
    /// Base URL of the service, in which `{port}` stands for its port; none for the usual one.
    pub(super) base_url: Option<&'a str>,
    /// Folder of its output.
    pub(super) logs: &'a Path,
    /// Whether nothing is told.
    pub(super) quiet: bool,
}

/// A service that is ready to be started.
#[derive(Debug, Clone)]
pub(super) struct Start {
    /// How it is started: its command and its environment are whole.
    pub(super) sut: SutSettings,
    /// What runs, when it is a jar.
    pub(super) application: Option<Application>,
}

/// A jar and the JVM that runs it.
#[derive(Debug, Clone)]
pub(super) struct Application {
    /// What the jar tells.
    pub(super) jar: Jar,
    /// What starts it.
    pub(super) jvm: Jvm,
}

impl Start {
    /// How the service of `source` is started; none when it runs already.
    pub(super) fn plan(source: &StartSource<'_>) -> Result<Option<Self>, CliError> {
        let Some(given) = source.sut.cloned() else { return Ok(None) };
        let application = source.jar.map(|jar| Application::find(jar, source.packages)).transpose()?;
        let command = match (&application, source.jar) {
            (Some(application), Some(wanted)) => command(&application.jvm.java, wanted, source.logs),
            _ => given.command.clone(),
        };
        let notice_port = given.notice_port || !names_port(&given, source.base_url);
        let variables = match &application {
            Some(application) => application.jar.framework.value.port_variables(),
            None if notice_port => Framework::ALL_PORT_VARIABLES,
            None => &[],
        };
        let env = environment(&given, &command, variables);
        let sut = SutSettings { command, env, notice_port, ..given };
        Ok(Some(Self { sut, application }))
    }

    /// The same with these packages as those that hold the service, where there are any.
    pub(super) fn with_packages(&self, packages: &[String]) -> Result<Self, CliError> {
        let mut start = self.clone();
        if let Some(application) = start.application.as_mut().filter(|_| !packages.is_empty()) {
            application.jar = jar::read(&application.jar.path, packages).map_err(|error| jar_error(&error))?;
        }
        Ok(start)
    }

    /// Starts it and waits until it is ready.
    pub(super) fn run(&self, source: &StartSource<'_>, stop: &Stop) -> Result<Sut, CliError> {
        match &self.application {
            Some(application) => application.announce(source.logs, source.quiet),
            None if self.sut.notice_port && !source.quiet => {
                let log = source.logs.join("sut.log");
                tell(&format!("starting `{}`; its output is in {}\n", self.sut.command.join(" "), log.display()));
            }
            None => {}
        }
        let started = Sut::start(&self.sut, source.base_url, source.logs, stop);
        let sut = started.map_err(|error| match &self.application {
            Some(application) => application.explain(&error),
            None => explain_command(&error),
        })?;
        if self.sut.notice_port && !source.quiet {
            let certificate = if sut.has_tls() { " (it speaks TLS; its certificate is not checked)" } else { "" };
            tell(&format!("service: {}{certificate}{}\n", sut.base_url(), beside(&sut)));
        }
        Ok(sut)
    }
}

/// Says where else calls could go.
fn beside(sut: &Sut) -> String {
    let ports: Vec<String> = sut.other_ports().iter().map(u16::to_string).collect();
    if ports.is_empty() {
        return String::new();
    }
    format!(" (it speaks HTTP at {} as well: `--url 'http://127.0.0.1:{}'` names another)", ports.join(", "), ports[0])
}

impl Application {
    fn find(wanted: &JarSettings, packages: &[String]) -> Result<Self, CliError> {
        let jar = jar::read(&wanted.file, packages).map_err(|error| jar_error(&error))?;
        let jvm = jvm::find(wanted.java.as_deref(), jar.java.as_ref().map(|java| java.value))?;
        Ok(Self { jar, jvm })
    }

    /// Says what is started, for large ones take a while.
    fn announce(&self, logs: &Path, quiet: bool) {
        let file = self.jar.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(java) = self.jar.java.as_ref().filter(|java| self.jvm.is_older(java.value)) {
            tell(&format!("warning: `{file}` wants Java {} or newer, because {}\n", java.value, java.because));
        }
        if !quiet {
            let log = logs.join("sut.log");
            tell(&format!("starting `{file}` with {}; its output is in {}\n", self.jvm, log.display()));
        }
    }

    /// Why a jar did not start, as far as what it printed tells.
    fn explain(&self, error: &exec::Error) -> CliError {
        let shown = CliError::from_error(Exit::Environment, error);
        let output = match error {
            exec::Error::DiedAtStart { output, .. } => output,
            exec::Error::PortTaken(_) => {
                return shown.hint(
                    "stop that process, or choose another port with `--port`; to fuzz what runs there, leave out `--jar`",
                );
            }
            _ => return exec_error(error),
        };
        if let Some(wanted) = output.iter().find_map(|line| wanted_java(line)) {
            let fitting = fitting_java(wanted);
            let message = format!("the jar wants Java {wanted} or newer, and it was started with {}", self.jvm);
            return CliError::environment(message).hint(fitting.map_or_else(
                || format!("install Java {wanted} and name it with `--java FILE`"),
                |jvm| format!("`--java {}` is Java {}", jvm.java.display(), jvm.version.unwrap_or_default()),
            ));
        }
        if output.iter().any(|line| line.contains(NO_MAIN_CLASS)) {
            return shown.hint("the jar was built without what its manifest names: build it anew; `--command 'java -cp … Main'` starts any class");
        }
        if is_taken(output) {
            return shown.hint(
                "a port it wants is taken: stop what holds it, or give the application a free one, as in `-- --port={port}`",
            );
        }
        shown.hint("arguments of the application go after `--`, as in `-- --port={port}`; `--jvm-arg` is for the JVM, `--env` for variables")
    }
}

/// Why a command started nothing, as far as what it printed tells.
fn explain_command(error: &exec::Error) -> CliError {
    let exec::Error::DiedAtStart { output, .. } = error else { return exec_error(error) };
    let shown = CliError::from_error(Exit::Environment, error);
    let Some(wanted) = output.iter().find_map(|line| wanted_java(line)) else {
        return if output.iter().any(|line| line.contains(NO_MAIN_CLASS)) {
            shown.hint(
                "the class path has no such class: paths in it are those of the folder that the command works in \
                 (`--working-directory`)",
            )
        } else if is_taken(output) {
            shown.hint(
                "a port it wants is taken: stop what holds it, or tell it a free one, for which `{port}` stands in the command",
            )
        } else {
            exec_error(error)
        };
    };
    let hint = match fitting_java(wanted) {
        Some(jvm) => format!(
            "Java {} is `{}`: most scripts take what `--env JAVA_HOME={}` names",
            jvm.version.unwrap_or_default(),
            jvm.java.display(),
            home_of(&jvm.java).display(),
        ),
        None => format!("install Java {wanted} and name its folder, for most scripts with `--env JAVA_HOME=DIR`"),
    };
    CliError::environment(format!("what the command starts wants Java {wanted} or newer")).hint(hint)
}

/// Whether that says that a port is taken.
fn is_taken(output: &[String]) -> bool {
    output.iter().any(|line| TAKEN.iter().any(|text| line.contains(text)))
}

/// The JVM of this machine that is no older than that.
fn fitting_java(wanted: u16) -> Option<Jvm> {
    jvm::installed().into_iter().find(|jvm| !jvm.is_older(wanted))
}

/// The folder in whose `bin` this Java lies.
fn home_of(java: &Path) -> &Path {
    java.parent().and_then(Path::parent).unwrap_or(java)
}

/// The command line that runs a jar. Options of ours for the JVM belong between those of the user and `-jar`.
fn command(java: &Path, wanted: &JarSettings, logs: &Path) -> Vec<String> {
    // The service may be started in another folder.
    let file: PathBuf = std::path::absolute(&wanted.file).unwrap_or_else(|_| wanted.file.clone());
    let mut words = vec![java.to_string_lossy().into_owned(), crash::option(logs)];
    words.extend(wanted.jvm_args.iter().cloned());
    words.extend(["-jar".to_owned(), file.to_string_lossy().into_owned()]);
    words.extend(wanted.arguments.iter().cloned());
    words
}

/// Whether somebody says where the service of a command will listen.
fn names_port(given: &SutSettings, base_url: Option<&str>) -> bool {
    given.port.is_some() || base_url.is_some_and(|url| !url.contains(PORT)) || passes_port(given, &given.command)
}

/// Whether the user has `command` or a variable tell the service its port.
fn passes_port(given: &SutSettings, command: &[String]) -> bool {
    command.iter().chain(given.env.iter().map(|(_, value)| value)).any(|text| text.contains(PORT))
}

/// The variables that the service gets beside ours: those of the user, and those of `variables` that tell its port, unless the
/// user passes it on himself. Variables for an agent belong here too: both ways to start go through it.
fn environment(given: &SutSettings, command: &[String], variables: &[&str]) -> Vec<(String, String)> {
    let mut env = given.env.clone();
    // An application that is told its port by argument may read the variable for something else.
    if !passes_port(given, command) {
        for variable in variables {
            if !env.iter().any(|(name, _)| name == variable) {
                env.push(((*variable).to_owned(), PORT.to_owned()));
            }
        }
    }
    env
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
    use std::path::Path;
    use std::time::Duration;

    use super::{Framework, JarSettings, Start, StartSource, SutSettings, command, environment, explain_command, wanted_java};
    use crate::exec::{self, Ready};

    fn nothing() -> SutSettings {
        SutSettings {
            command: Vec::new(),
            env: Vec::new(),
            working_directory: None,
            fresh_folder: false,
            port: None,
            ready: Ready::Port,
            start_limit: Duration::ZERO,
            max_log_bytes: 0,
            notice_port: true,
        }
    }

    #[test]
    fn a_command_that_ends_says_what_to_mend() {
        let hint = |line: &str| {
            let error = exec::Error::DiedAtStart { status: "exit status: 1".to_owned(), output: vec![line.to_owned()] };
            explain_command(&error).hint.unwrap_or_default()
        };
        assert!(hint("Error: Could not find or load main class com.acme.Mian").contains("`--working-directory`"));
        assert!(hint("java.net.BindException: Address already in use").contains("`{port}`"));
        assert!(hint("Exception in thread \"main\"").contains("by hand"));
    }

    #[test]
    fn the_command_has_options_of_the_jvm_before_the_jar_and_arguments_behind() {
        let settings = JarSettings {
            file: "/x/app.jar".into(),
            jvm_args: vec!["-Xmx1g".to_owned()],
            arguments: vec!["--port={port}".to_owned()],
            ..JarSettings::default()
        };
        let words = command("java".as_ref(), &settings, "/out/logs".as_ref());
        let crash = "-XX:ErrorFile=/out/logs/hs_err_pid%p.log";
        assert_eq!(words, ["java", crash, "-Xmx1g", "-jar", "/x/app.jar", "--port={port}"]);
    }

    #[test]
    fn the_port_is_told_by_variable_unless_the_user_passes_it_on() {
        let names = |env: &[(&str, &str)], command: &[&str], framework: Option<Framework>| {
            let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            let sut = SutSettings { env, ..nothing() };
            let words: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
            let told = environment(&sut, &words, framework.map_or(Framework::ALL_PORT_VARIABLES, Framework::port_variables));
            told.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(names(&[], &["java"], Some(Framework::Quarkus)), ["QUARKUS_HTTP_PORT={port}"]);
        assert_eq!(names(&[("PORT", "80")], &["java"], Some(Framework::Other)), ["PORT=80", "SERVER_PORT={port}"]);
        assert_eq!(names(&[("P", "{port}")], &["java"], Some(Framework::SpringBoot)), ["P={port}"]);
        assert!(names(&[], &["java", "-p{port}"], Some(Framework::SpringBoot)).is_empty());
        let all = ["SERVER_PORT={port}", "QUARKUS_HTTP_PORT={port}", "MICRONAUT_SERVER_PORT={port}", "PORT={port}"];
        assert_eq!(names(&[], &["run"], None), all);
        assert!(names(&[], &["run", "{port}"], None).is_empty());
    }

    #[test]
    fn a_command_is_told_a_port_where_nobody_says_where_it_listens() {
        let plan = |command: &str, env: &[(&str, &str)], port, base_url| {
            let sut = SutSettings {
                command: vec!["run".to_owned(), command.to_owned()],
                env: env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
                port,
                notice_port: false,
                ..nothing()
            };
            let logs = Path::new("logs");
            let source = StartSource { sut: Some(&sut), jar: None, packages: &[], base_url, logs, quiet: true };
            let start = Start::plan(&source).expect("a command is enough").expect("it is started");
            (start.sut.notice_port, start.sut.env.len() - env.len())
        };
        let told = (true, 4);
        assert_eq!(plan("", &[], None, None), told);
        assert_eq!(plan("", &[], None, Some("http://127.0.0.1:{port}/api")), told);
        assert_eq!(plan("", &[("PORT", "90")], None, None), (true, 3));
        for untold in [
            plan("{port}", &[], None, None),
            plan("", &[("P", "{port}")], None, None),
            plan("", &[], Some(90), None),
            plan("", &[], None, Some("http://127.0.0.1:8080")),
        ] {
            assert_eq!(untold, (false, 0));
        }
    }

    #[test]
    fn a_jvm_that_is_too_old_says_which_one_is_wanted() {
        let line = "java.lang.UnsupportedClassVersionError: a/B has been compiled by a more recent version of the Java \
                    Runtime (class file version 65.0), this version of the Java Runtime only recognizes up to 61.0";
        assert_eq!((wanted_java(line), wanted_java("class file version 65.0")), (Some(21), None));
    }
}
