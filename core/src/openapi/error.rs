//! Why a document could not be loaded at all.

use std::io;

/// Why a document could not be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not there or cannot be read.
    #[error("cannot read `{origin}`: {source}")]
    Read {
        /// File or URL.
        origin: String,
        /// What the operating system says.
        source: io::Error,
    },
    /// The document is larger than what is read.
    #[error("`{origin}` has more than {limit_bytes} bytes")]
    TooLarge {
        /// File or URL.
        origin: String,
        /// Largest size that is read.
        limit_bytes: u64,
    },
    /// The server of the URL gave no answer.
    #[error("cannot fetch `{url}`: {reason}")]
    Fetch {
        /// The URL.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// Nothing listens at the URL.
    #[error("cannot fetch `{url}`: connection refused")]
    Refused {
        /// The URL.
        url: String,
    },
    /// No encrypted connection to the server of the URL could be made.
    #[error("cannot fetch `{url}`: no encrypted connection: {reason}")]
    Tls {
        /// The URL.
        url: String,
        /// What the handshake said.
        reason: String,
    },
    /// The server of the URL answered, but not with the document.
    #[error("`{url}` answered with status {status}, wanted 200")]
    Status {
        /// The URL.
        url: String,
        /// HTTP status.
        status: u16,
    },
    /// The text is neither JSON nor YAML.
    #[error("`{origin}` is neither JSON nor YAML: {reason}")]
    Syntax {
        /// File or URL.
        origin: String,
        /// Line, column and what was found there.
        reason: String,
    },
    /// The content is something else.
    #[error("`{origin}` is no OpenAPI or Swagger document: {reason}")]
    NotASchema {
        /// File or URL.
        origin: String,
        /// What was found, what was wanted.
        reason: String,
    },
}

impl Error {
    /// Whether a server wants credentials for the document, or others (RFC 9110, 15.5.2 and 15.5.4).
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Status { status: 401 | 403, .. })
    }

    /// The next step for the user, as a lower-case sentence.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Read { .. } => "give the path of an OpenAPI file, or the URL the service offers it at",
            Self::TooLarge { .. } => "cut the document down to the operations under test",
            Self::Refused { .. } => "is the service running, and on this port? a file serves as well as a URL",
            Self::Tls { .. } => "check `http` against `https`; `--insecure` accepts any certificate",
            Self::Fetch { .. } => {
                "is the service up, is it `http` or `https`, and does the URL open in a browser on this machine?"
            }
            Self::Status { .. } if self.is_refusal() => {
                "give what it wants with `--header`, `--bearer` or `--basic`, and its server with `--url`; or save it to a file first"
            }
            Self::Status { .. } => "common places are `/openapi.json`, `/v3/api-docs`, `/swagger.json`",
            Self::Syntax { .. } => {
                "open it at that place; what a browser shows may be a page about the document, not the document"
            }
            Self::NotASchema { reason, .. } if reason.starts_with("found text") => {
                "a web page is about the document, not the document: common places are `/openapi.json`, `/v3/api-docs`, `/swagger.json`"
            }
            Self::NotASchema { .. } => "OpenAPI 3.0, 3.1 and Swagger 2.0 are read; convert other formats first",
        }
    }
}
