//! What a JVM is told about the agent: `JAVA_TOOL_OPTIONS`, which every JVM reads, whoever starts it.
//!
//! The options themselves are described in `instrument/agent/README.md`.

use std::fmt;
use std::net::SocketAddr;
use std::path::Path;

/// What the agent is told.
#[derive(Clone, PartialEq, Eq)]
pub struct AgentOptions {
    /// Where the core listens.
    pub address: SocketAddr,
    /// Secret of the run; has no comma.
    pub token: String,
    /// Packages or classes of the service, such as `com.acme.`; none: everything but the platform's.
    pub include: Vec<String>,
    /// Exceptions from these.
    pub exclude: Vec<String>,
    /// Families of library methods whose calls are measured, of [`REPLACEMENTS`]; none: all of them.
    pub replacements: Option<Vec<String>>,
    /// Whether library calls tell of tracked values, also those in classes of libraries.
    pub tracks: bool,
    /// Whether it is told which inputs the service reads.
    pub expands: bool,
}

/// Families of library methods whose calls an agent can measure, and [`TCP`].
pub const REPLACEMENTS: [&str; 8] = ["text", "equality", "time", "collection", "pattern", "parser", "stream", TCP];

/// The family that keeps HTTP servers from closing connections after a number of requests, or after an error.
pub const TCP: &str = "tcp";

/// Has the JDK's HTTP server send each answer at once; without, a connection takes about 22 calls a second.
const NO_DELAY: &str = "-Dsun.net.httpserver.nodelay=";

/// Bytes of `JAVA_TOOL_OPTIONS` that every JVM reads.
const MAX_BYTES: usize = 1023;

impl fmt::Debug for AgentOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &mut formatter.debug_struct("AgentOptions");
        // Never the token.
        shown.field("address", &self.address).field("include", &self.include).field("exclude", &self.exclude);
        shown.field("replacements", &self.replacements).field("tracks", &self.tracks).field("expands", &self.expands);
        shown.finish_non_exhaustive()
    }
}

impl fmt::Display for AgentOptions {
    /// `connect=HOST:PORT,token=TEXT,include=PREFIX;PREFIX,exclude=PREFIX;PREFIX,replacements=FAMILY;FAMILY,tracking=off,expansions=off`, empty lists of
    /// prefixes and what is so anyway left out.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "connect={},token={}", self.address, self.token)?;
        for (name, prefixes) in [("include", &self.include), ("exclude", &self.exclude)] {
            // Neither `,` nor `;` is in a name of Java: who writes one means several names.
            let names = prefixes.iter().flat_map(|prefix| prefix.split([',', ';']));
            let names: Vec<&str> = names.map(str::trim).filter(|name| !name.is_empty()).collect();
            if !names.is_empty() {
                write!(formatter, ",{name}={}", names.join(";"))?;
            }
        }
        match self.replacements.as_deref() {
            Some([]) => formatter.write_str(",replacements=none")?,
            Some(families) => write!(formatter, ",replacements={}", families.join(";"))?,
            None => {}
        }
        formatter.write_str(if self.tracks { "" } else { ",tracking=off" })?;
        formatter.write_str(if self.expands { "" } else { ",expansions=off" })
    }
}

/// The value of `JAVA_TOOL_OPTIONS` that makes a JVM load `agent`, after what it `inherited` from the user's environment.
///
/// Blanks and quotes in the path are quoted. Early releases of Java 8 ignore a value of 1,024 characters or more
/// (JDK-8288483).
pub fn java_tool_options(agent: &Path, options: &AgentOptions, inherited: Option<&str>) -> String {
    let own = quoted(&format!("-agentpath:{}={options}", agent.display()));
    match inherited.map(str::trim).filter(|inherited| !inherited.is_empty()) {
        Some(inherited) => format!("{inherited} {own}"),
        None => own,
    }
}

/// `value` of `JAVA_TOOL_OPTIONS` with what makes the JDK's HTTP server answer at once; the same where that is not wanted,
/// the user says something about it, or there is no room.
pub fn with_quick_answers(value: String, options: &AgentOptions, command: &str) -> String {
    let is_wanted = options.replacements.as_ref().is_none_or(|families| families.iter().any(|family| family == TCP));
    let is_said = value.contains(NO_DELAY) || command.contains(NO_DELAY);
    let longer = format!("{NO_DELAY}true {value}");
    if is_wanted && !is_said && longer.len() <= MAX_BYTES { longer } else { value }
}

/// One word for a JVM, which splits at white space, joins quoted parts with their neighbours, and knows no escapes.
pub(crate) fn quoted(word: &str) -> String {
    if !word.contains(|letter: char| letter.is_whitespace() || matches!(letter, '\'' | '"')) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r#"'"'"'"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(include: &[&str], exclude: &[&str]) -> AgentOptions {
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let address = SocketAddr::from(([127, 0, 0, 1], 4000));
        AgentOptions {
            address,
            token: "abc".to_owned(),
            include: owned(include),
            exclude: owned(exclude),
            replacements: None,
            tracks: true,
            expands: true,
        }
    }

    #[test]
    fn options_are_as_the_agent_reads_them() {
        assert_eq!(options(&[], &[]).to_string(), "connect=127.0.0.1:4000,token=abc");
        let both = options(&["com.acme.", "org.x"], &["com.acme.gen."]);
        assert_eq!(both.to_string(), "connect=127.0.0.1:4000,token=abc,include=com.acme.;org.x,exclude=com.acme.gen.");
        let address = "[::1]:4000".parse().expect("an address");
        let some = |families: &[&str]| Some(families.iter().map(|&family| family.to_owned()).collect());
        let told = AgentOptions { replacements: some(&["text", "time"]), ..options(&[], &[]) }.to_string();
        assert_eq!(told, "connect=127.0.0.1:4000,token=abc,replacements=text;time");
        let nothing = AgentOptions { replacements: some(&[]), ..options(&[], &[]) }.to_string();
        assert_eq!(nothing, "connect=127.0.0.1:4000,token=abc,replacements=none");
        let untracked = AgentOptions { tracks: false, ..options(&[], &[]) }.to_string();
        assert_eq!(untracked, "connect=127.0.0.1:4000,token=abc,tracking=off");
        let documented = AgentOptions { expands: false, ..options(&[], &[]) }.to_string();
        assert_eq!(documented, "connect=127.0.0.1:4000,token=abc,expansions=off");
        assert_eq!(AgentOptions { address, ..options(&[], &[]) }.to_string(), "connect=[::1]:4000,token=abc");
    }

    #[test]
    fn lists_inside_a_name_cannot_become_options() {
        assert_eq!(options(&["a, b", "", "c;"], &[" "]).to_string(), "connect=127.0.0.1:4000,token=abc,include=a;b;c");
    }

    #[test]
    fn inherited_options_stay_in_front() {
        let agent = Path::new("/cache/agent.so");
        let own = "-agentpath:/cache/agent.so=connect=127.0.0.1:4000,token=abc";
        assert_eq!(java_tool_options(agent, &options(&[], &[]), None), own);
        assert_eq!(java_tool_options(agent, &options(&[], &[]), Some(" ")), own);
        assert_eq!(java_tool_options(agent, &options(&[], &[]), Some("-Xmx1g ")), format!("-Xmx1g {own}"));
    }

    #[test]
    fn the_jdk_server_answers_at_once_unless_somebody_says_otherwise() {
        let quick = |value: &str, replacements: Option<&[&str]>, command: &str| {
            let replacements = replacements.map(|families| families.iter().map(|&family| family.to_owned()).collect());
            with_quick_answers(value.to_owned(), &AgentOptions { replacements, ..options(&[], &[]) }, command)
        };
        assert_eq!(quick("-Xmx1g", None, "java"), "-Dsun.net.httpserver.nodelay=true -Xmx1g");
        assert_eq!(quick("-Xmx1g", Some(&["tcp"]), "java"), "-Dsun.net.httpserver.nodelay=true -Xmx1g");
        assert_eq!(quick("-Xmx1g", Some(&["text"]), "java"), "-Xmx1g");
        assert_eq!(quick("-Xmx1g", Some(&[]), "java"), "-Xmx1g");
        let said = "-Dsun.net.httpserver.nodelay=false";
        assert_eq!((quick(said, None, "java"), quick("-a", None, &format!("java {said}"))), (said.to_owned(), "-a".to_owned()));
        let long = "a".repeat(1000);
        assert_eq!(quick(&long, None, "java"), long);
    }

    #[test]
    fn blanks_and_quotes_are_quoted() {
        for (word, wanted) in [("a", "a"), ("a b", "'a b'"), ("it's", r#"'it'"'"'s'"#), ("\"a\"\tb", "'\"a\"\tb'")] {
            assert_eq!(quoted(word), wanted);
        }
    }

    #[test]
    fn token_is_never_shown() {
        assert!(!format!("{:?}", options(&[], &[])).contains("abc"));
    }
}
