//! What the executor is told; the command line makes these from flags, environment and `restive.toml`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How calls are made.
#[derive(Clone, PartialEq)]
pub struct HttpSettings {
    /// Base URL of the service, path included; none until a started service has told its port.
    pub base_url: Option<String>,
    /// Time limit of one call.
    pub time_limit: Duration,
    /// Answer bodies are read up to that many bytes.
    pub max_body_bytes: usize,
    /// Calls a second at most; none for no limit.
    pub max_rate: Option<f64>,
    /// Header fields sent with every call.
    pub headers: Vec<(String, String)>,
    /// Whether certificates that do not verify are accepted.
    pub insecure: bool,
}

/// How the service is started; without a command it runs already.
#[derive(Debug, Clone, PartialEq)]
pub struct SutSettings {
    /// Program and arguments; `{port}` stands for the chosen port.
    pub command: Vec<String>,
    /// Environment variables added to ours; `{port}` is replaced.
    pub env: Vec<(String, String)>,
    /// Working directory.
    pub working_directory: Option<PathBuf>,
    /// Whether it works in a temporary folder instead that is empty at each start.
    pub fresh_folder: bool,
    /// Port given to the service; none to choose a free one.
    pub port: Option<u16>,
    /// When it counts as ready.
    pub ready: Ready,
    /// How long it may take to become ready.
    pub start_limit: Duration,
    /// Its output is kept up to that many bytes per log file; the oldest file goes first.
    pub max_log_bytes: u64,
    /// Whether the port that it really listens on is found out, and called instead of the one it was given.
    pub notice_port: bool,
}

/// When a started service counts as ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ready {
    /// The port accepts a connection.
    Port,
    /// A line of its output contains that text.
    LogLine(String),
    /// `GET` of that path below the base URL gives any answer below 500.
    HttpPath(String),
}

/// When and how the service is brought back to its first state.
#[derive(Debug, Clone, PartialEq)]
pub struct ResetSettings {
    /// How.
    pub reset: Reset,
    /// How long it may take.
    pub limit: Duration,
}

/// How the service is brought back to its first state before each test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reset {
    /// Not at all.
    Never,
    /// An HTTP call: verb and path below the base URL.
    Http {
        /// HTTP verb.
        verb: String,
        /// Path below the base URL, or an absolute URL on the same host.
        url: String,
    },
    /// A command that ends with status 0.
    Command(Vec<String>),
    /// The service is started anew.
    Restart,
}

/// Whose credentials are sent.
#[derive(Clone, Default, PartialEq)]
pub struct AuthSettings {
    /// A Web Fuzzing Commons auth file.
    pub file: Option<AuthFile>,
    /// `--bearer`: one user with that token.
    pub bearer: Option<String>,
    /// `--basic user:password`: one user with these.
    pub basic: Option<String>,
}

/// Where the text of an auth file comes from.
#[derive(Clone, PartialEq, Eq)]
pub enum AuthFile {
    /// A file: YAML, JSON or TOML by its extension.
    Path(PathBuf),
    /// Built into the program: YAML.
    BuiltIn(&'static str),
}

/// The text is left out: it holds secrets.
impl fmt::Debug for AuthFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.fmt(f),
            Self::BuiltIn(_) => f.write_str("built in"),
        }
    }
}

/// Values of header fields are left out: they may be secrets.
impl fmt::Debug for HttpSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let headers: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("HttpSettings")
            .field("base_url", &self.base_url)
            .field("time_limit", &self.time_limit)
            .field("max_body_bytes", &self.max_body_bytes)
            .field("max_rate", &self.max_rate)
            .field("headers", &headers)
            .field("insecure", &self.insecure)
            .finish()
    }
}

/// Secrets are left out.
impl fmt::Debug for AuthSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuthSettings")
            .field("file", &self.file)
            .field("bearer", &self.bearer.as_ref().map(|_| "***"))
            .field("basic", &self.basic.as_ref().map(|_| "***"))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{AuthFile, AuthSettings};

    #[test]
    fn debug_output_of_auth_settings_holds_no_secret() {
        let secret = Some("s3cret".to_owned());
        let file = Some(AuthFile::BuiltIn("password: s3cret"));
        let settings = AuthSettings { file, bearer: secret.clone(), basic: secret };
        assert!(!format!("{settings:?}").contains("s3cret"));
    }
}
