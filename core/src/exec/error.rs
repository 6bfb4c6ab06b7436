//! What can go wrong around the service and its calls, each with the next step.

use std::path::PathBuf;
use std::time::Duration;

/// A failure of the environment: the service, the network, the auth settings.
///
/// The message says what and where; [`Error::hint`] says what to do next. Secrets are in neither.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No base URL is known.
    #[error("no base URL: neither given nor in the schema")]
    NoBaseUrl,
    /// The base URL cannot be used.
    #[error("base URL `{url}` cannot be used: {reason}")]
    InvalidBaseUrl {
        /// As given, credentials masked.
        url: String,
        /// Why, as a lower-case fragment.
        reason: String,
    },
    /// A header field of the settings cannot be sent.
    #[error("header field `{name}` cannot be sent: {reason}")]
    InvalidHeader {
        /// Field name as given.
        name: String,
        /// Why.
        reason: String,
    },
    /// The HTTP client could not be set up.
    #[error("cannot set up the HTTP client: {0}")]
    ClientSetup(String),
    /// Nothing listens at the base URL.
    #[error("connection to `{0}` refused")]
    Refused(String),
    /// The host of the base URL is unknown.
    #[error("host `{0}` not found")]
    NameNotFound(String),
    /// No encrypted connection could be made.
    #[error("no encrypted connection to `{url}`: {reason}")]
    Tls {
        /// Base URL.
        url: String,
        /// What the handshake said.
        reason: String,
    },
    /// The base URL did not answer in time.
    #[error("no answer from `{url}` within {} s", .limit.as_secs_f64())]
    TimedOut {
        /// What was called.
        url: String,
        /// The time limit.
        limit: Duration,
    },
    /// The connection broke, or what came back is not HTTP.
    #[error("no HTTP answer from `{url}`: {reason}")]
    NoAnswer {
        /// What was called.
        url: String,
        /// How it broke.
        reason: String,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The auth file cannot be read.
    #[error("cannot read auth file `{}`: {source}", .path.display())]
    AuthFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The auth settings cannot be used.
    #[error("auth settings of {place}: {reason}")]
    AuthSettings {
        /// File and place in it, or the flag.
        place: String,
        /// What was found and what was wanted, without values.
        reason: String,
    },
    /// A user could not be logged in.
    #[error("cannot log in user `{user}` at `{url}`: {reason}")]
    Login {
        /// Name of the user.
        user: String,
        /// Login endpoint.
        url: String,
        /// What came back, without values.
        reason: String,
    },
    /// The service's command is empty.
    #[error("the command of the service is empty")]
    NoCommand,
    /// The service's program does not exist.
    #[error("command `{0}` not found")]
    CommandNotFound(String),
    /// The service's program cannot be executed.
    #[error("command `{program}` cannot be executed: {reason}")]
    NotExecutable {
        /// Program as given.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// The working directory does not exist.
    #[error("working directory `{}` of the service does not exist", .0.display())]
    NoWorkingDirectory(PathBuf),
    /// The folder that the service begins in cannot be made or emptied.
    #[error("cannot prepare an empty folder for the service")]
    FreshFolder(#[source] std::io::Error),
    /// Something else listens on the port of the service.
    #[error("port {0} is taken by another process")]
    PortTaken(u16),
    /// The service listens on another port after each start.
    #[error("the service listened on port {before}, and on port {now} after it was started anew")]
    PortMoved {
        /// Where calls go.
        before: u16,
        /// Where it listens now.
        now: u16,
    },
    /// The service ended before it was ready.
    #[error("the service ended before it was ready, {status}{}", output_block(.output))]
    DiedAtStart {
        /// How it ended.
        status: String,
        /// Its last output lines.
        output: Vec<String>,
    },
    /// The service did not become ready in time.
    #[error("the service was not ready within {} s ({wanted}){}", .limit.as_secs_f64(), output_block(.output))]
    NotReady {
        /// What was awaited.
        wanted: String,
        /// The time limit.
        limit: Duration,
        /// Its last output lines.
        output: Vec<String>,
    },
    /// The log of the service cannot be written.
    #[error("cannot write the log of the service in `{}`: {source}", .folder.display())]
    Log {
        /// Folder of the log.
        folder: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The service could not be reset.
    #[error("cannot reset the service by {how}: {reason}")]
    Reset {
        /// Call, command or restart.
        how: String,
        /// What came back.
        reason: String,
    },
    /// The keeper of the service could not be asked where that listens.
    #[error("cannot ask the `restive sut serve` at `{url}`: {reason}")]
    Keeper {
        /// Its interface.
        url: String,
        /// What came back.
        reason: String,
    },
}

impl Error {
    /// The next step for the user, a sentence fragment; none when there is nothing to do.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoBaseUrl => "give it with `--url http://host:port`",
            Self::InvalidBaseUrl { .. } => "a base URL looks like `http://127.0.0.1:8080/api`",
            Self::InvalidHeader { .. } => "give it as `--header 'Name: value'`, printable ASCII only",
            Self::ClientSetup(_) => "with `--insecure` no certificates of the system are needed",
            Self::Refused(_) => "is the service running, and on this port? `--command` lets restive start it",
            Self::NameNotFound(_) => "check the spelling of the host in `--url`",
            Self::Tls { .. } => "check `http` against `https` in `--url`; `--insecure` accepts any certificate",
            Self::TimedOut { .. } => "is the service overloaded, or a firewall in between? `--time-limit` gives it longer",
            Self::NoAnswer { .. } => "is it an HTTP service? check port and `http` against `https` in `--url`",
            Self::Interrupted => return None,
            Self::AuthFile { .. } => {
                "check the path; a relative one of `--auth-file` starts from this folder, one of a file from there"
            }
            Self::AuthSettings { .. } => "the format is that of Web Fuzzing Commons, `auth.yaml`",
            Self::Login { .. } => "check endpoint, payload and password of this user in the auth file",
            Self::NoCommand => "give program and arguments, for example `--command 'java -jar app.jar'`",
            Self::CommandNotFound(_) => {
                "check the spelling, `PATH`, and that a relative path starts from the working directory"
            }
            Self::NotExecutable { .. } => "make it executable (`chmod +x`), or name its interpreter first",
            Self::NoWorkingDirectory(_) => "create it, or change `--working-directory`",
            Self::FreshFolder(_) => "see to the temporary folder (`TMPDIR`), or leave out `--fresh-folder`",
            Self::PortTaken(_) => "stop that process, or choose another port with `--port`",
            Self::PortMoved { .. } => "have it listen on the port that `{port}` stands for, as in `-- --port={port}`",
            Self::DiedAtStart { .. } => "try the command by hand; it must stay in the foreground",
            Self::NotReady { .. } => {
                "raise `--start-limit`, say where it listens with `--url`, or check `--ready-port`, `--ready-path`, `--ready-log`; the \
                 log has the whole output"
            }
            Self::Log { .. } => "check permissions and space there, or choose another folder with `--out`",
            Self::Reset { .. } => "check the `--reset-…` flags; tests may depend on what earlier ones left behind",
            Self::Keeper { .. } => {
                "set RESTIVE_SUT_URL and RESTIVE_SUT_TOKEN as it printed them, or unset them; `--url` names another service"
            }
        })
    }
}

/// The last output lines as an indented block, nothing when there are none.
fn output_block(lines: &[String]) -> String {
    if lines.is_empty() {
        return "; it printed nothing".to_owned();
    }
    let mut text = String::from("; its last output:");
    for line in lines {
        text.push_str("\n  | ");
        text.push_str(line);
    }
    text
}
