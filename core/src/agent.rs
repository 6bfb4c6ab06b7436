//! The JVM agent inside this binary: taken out into a folder of the user, and told to a JVM.
//!
//! [`unpack`] gives the file, [`java_tool_options`] the text that makes a JVM load it. `build.rs` builds the agent and
//! embeds it; where it could not, [`support`] says why, and runs are black-box. What the agent says once it is loaded is
//! none of this module's business.

mod cache;
mod options;

use std::path::{Path, PathBuf};

pub use cache::Unusable;
pub(crate) use options::quoted;
pub use options::{AgentOptions, REPLACEMENTS, TCP, java_tool_options, with_quick_answers};

/// The agent's bytes, or why there are none.
static LIBRARY: Result<&[u8], &str> = include!(concat!(env!("OUT_DIR"), "/agent.rs"));

/// Whether this binary can look into a JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has an agent inside.
    Embedded {
        /// Size of the library.
        bytes: usize,
    },
    /// It has none, because of this (a lower-case fragment).
    Missing(&'static str),
}

/// Why there is no agent to load.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// None is inside this binary.
    #[error("this restive has no JVM agent inside: {0}")]
    Missing(&'static str),
    /// None of the folders can hold the file.
    #[error("cannot unpack the JVM agent: {}", cache::listed(.0))]
    NoFolder(Vec<Unusable>),
}

impl AgentError {
    /// What to do next, as a lower-case fragment.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing(_) => "`--blackbox` runs without one; the source tree of restive builds one on Linux and macOS",
            Self::NoFolder(_) => {
                "set `XDG_CACHE_HOME` to a folder that belongs to you, on a file system that is not mounted `noexec`"
            }
        }
    }
}

/// Whether this binary has an agent inside, and if not, why.
pub fn support() -> Support {
    match LIBRARY {
        Ok(library) => Support::Embedded { bytes: library.len() },
        Err(reason) => Support::Missing(reason),
    }
}

/// Whether this binary has an agent inside.
pub fn is_available() -> bool {
    LIBRARY.is_ok()
}

/// The agent as a file that a JVM of this user can load; its path is absolute.
///
/// The file is `restive/agent-HASH.so` below `$XDG_CACHE_HOME` or `~/.cache`, or else in a folder of the user below the
/// system's temporary one. One that is there already is used when it is byte for byte the agent and nobody else can write
/// to it, and replaced otherwise. Takes about a millisecond then: ask again before each start of a JVM, for caches are
/// emptied.
///
/// # Errors
///
/// There is no agent inside, or no folder that can be trusted, written to, and loaded from.
pub fn unpack() -> Result<PathBuf, AgentError> {
    let library = LIBRARY.map_err(AgentError::Missing)?;
    cache::store(library, &cache::folders()).map_err(AgentError::NoFolder)
}

/// Whether a JVM takes this path from its options for the whole path of an agent.
fn is_sayable(path: &Path) -> bool {
    // `-agentpath:PATH=OPTIONS` ends the path at the first `=`.
    path.to_str().is_some_and(|path| !path.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_of_this_system_has_an_agent_inside() {
        // Clippy builds without, and runs no test.
        let Support::Embedded { bytes } = support() else { panic!("found {:?}", support()) };
        assert!(is_available() && bytes > 100_000, "{bytes}");
    }

    #[test]
    fn paths_that_a_jvm_would_cut_are_known() {
        assert!(is_sayable(Path::new("/people/a b/it's/.cache")));
        assert!(!is_sayable(Path::new("/srv/user=7/.cache")));
    }

    #[test]
    fn errors_name_each_folder_and_the_next_step() {
        let folder = |folder: &str, reason: &str| Unusable { folder: PathBuf::from(folder), reason: reason.to_owned() };
        let error = AgentError::NoFolder(vec![folder("/a", "full"), folder("/b", "belongs to another user")]);
        assert_eq!(error.to_string(), "cannot unpack the JVM agent: `/a`: full; `/b`: belongs to another user");
        assert!(error.hint().contains("XDG_CACHE_HOME"));
    }
}
