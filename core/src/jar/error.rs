//! Why a jar cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a jar cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file is not there or cannot be read.
    #[error("cannot read `{}`: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is something else.
    #[error("`{}` is not a jar: {reason}", .path.display())]
    NotAJar {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The manifest names nothing to start.
    #[error("`{}` names no `Main-Class` in META-INF/MANIFEST.MF", .0.display())]
    NoMainClass(PathBuf),
    /// A document of the jar cannot be written to a folder.
    #[error("cannot write `{entry}` of the jar to `{}`: {source}", .folder.display())]
    Extract {
        /// Name in the jar.
        entry: String,
        /// Where to.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Error {
    /// The next step for the user.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "check the path; a relative one of `--jar` starts from this folder",
            Self::NotAJar { .. } => "build the application's jar first; `--command` starts anything that is not one jar",
            Self::NoMainClass(path) if path.extension().is_some_and(|end| end == "war") => {
                "a servlet container starts it: `--command 'tomcat/bin/catalina.sh run'` with the file in `webapps`, or \
                 `--command 'java -jar jetty-runner.jar --port {port} app.war'`"
            }
            Self::NoMainClass(_) => {
                "is it the runnable jar? build tools write a plain one beside it; `--command 'java -cp … Main'` starts any class"
            }
            Self::Extract { .. } => "check permissions and space there, or choose another folder with `--out`",
        }
    }
}
