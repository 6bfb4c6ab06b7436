//! The text after `-agentpath:…=`.

use restive_rewrite::ReplacementFamily;

use crate::selection::Selection;

/// Targets there is room for unless told otherwise: 7 bytes of the service's heap each. Trino has half a million.
const TARGETS: u32 = 1 << 20;

/// Most targets there can be.
const MAX_TARGETS: u32 = 1 << 26;

/// What the agent was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Who calls whom.
    pub peer: Peer,
    /// Secret of the run.
    pub token: String,
    /// Which classes are the service's.
    pub selection: Selection,
    /// Room for targets.
    pub targets: u32,
    /// Families of library methods whose calls are measured.
    pub replacements: Vec<ReplacementFamily>,
    /// Whether HTTP servers are kept from closing connections.
    pub connections: Connections,
    /// Whether library calls tell of tracked values.
    pub tracking: Tracking,
    /// Whether it is told which inputs are read.
    pub expansions: Expansions,
}

/// Whether it is told which inputs are read by name, and what bodies are read into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expansions {
    /// Those that the service reads, and those that a framework reads for it.
    Told,
    /// None.
    Off,
}

/// Whether library calls tell of tracked values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tracking {
    /// Those of the service and of libraries tell of values that were sent as they are.
    Undisturbed,
    /// None does, and classes of libraries stay as they are.
    Off,
}

/// Whether HTTP servers are kept from closing connections after some number of requests, or after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connections {
    /// They end only where they must.
    KeptOpen,
    /// As servers want it.
    AsServersWant,
}

/// The name of [`Connections::KeptOpen`] among the families.
const TCP: &str = "tcp";

/// Who calls whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// The core listens at this `host:port`.
    Core(String),
    /// The agent listens at this `host:port`.
    Listen(String),
}

/// What is wrong with the options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionsError {
    /// A part that is no `key=value`, or a key that is not known.
    #[error(
        "found option `{0}`, wanted connect=, listen=, token=, include=, exclude=, replacements=, tracking=, expansions= or targets="
    )]
    Unknown(String),
    /// Neither `connect` nor `listen`, or both.
    #[error("wanted one of connect=HOST:PORT and listen=HOST:PORT")]
    Peer,
    /// No token.
    #[error("wanted token=TEXT")]
    Token,
    /// Not a number in the range.
    #[error("found targets={0}, wanted 1 to {MAX_TARGETS}")]
    Targets(String),
    /// No kind of tracking.
    #[error("found tracking={0}, wanted undisturbed or off")]
    Tracking(String),
    /// Neither on nor off.
    #[error("found expansions={0}, wanted on or off")]
    Expansions(String),
    /// No family of replacements.
    #[error("found replacements={0}, wanted none or names of families")]
    Replacements(String),
}

impl Options {
    /// Reads `connect=host:port,token=text,include=prefix;prefix,exclude=prefix;prefix,replacements=family;family,tracking=off,expansions=off,targets=number`.
    pub fn parse(text: &str) -> Result<Self, OptionsError> {
        let (mut peers, mut token, mut targets) = (Vec::new(), None, TARGETS);
        let (mut include, mut exclude) = (Vec::new(), Vec::new());
        let (mut replacements, mut connections) = (ReplacementFamily::ALL.to_vec(), Connections::KeptOpen);
        let (mut tracking, mut expansions) = (Tracking::Undisturbed, Expansions::Told);
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, value) = part.split_once('=').ok_or_else(|| OptionsError::Unknown(part.to_owned()))?;
            match key {
                "connect" => peers.push(Peer::Core(value.to_owned())),
                "listen" => peers.push(Peer::Listen(value.to_owned())),
                "token" => token = Some(value.to_owned()),
                "include" => include.extend(prefixes(value)),
                "exclude" => exclude.extend(prefixes(value)),
                "replacements" => (replacements, connections) = families(value)?,
                "tracking" => {
                    tracking = match value {
                        "undisturbed" => Tracking::Undisturbed,
                        "off" => Tracking::Off,
                        _ => return Err(OptionsError::Tracking(value.to_owned())),
                    }
                }
                "expansions" => {
                    expansions = match value {
                        "on" => Expansions::Told,
                        "off" => Expansions::Off,
                        _ => return Err(OptionsError::Expansions(value.to_owned())),
                    }
                }
                "targets" => {
                    let number = value.parse().ok().filter(|number| (1..=MAX_TARGETS).contains(number));
                    targets = number.ok_or_else(|| OptionsError::Targets(value.to_owned()))?;
                }
                _ => return Err(OptionsError::Unknown(key.to_owned())),
            }
        }
        let mut peers = peers.into_iter();
        let (Some(peer), None) = (peers.next(), peers.next()) else { return Err(OptionsError::Peer) };
        let token = token.filter(|token| !token.is_empty()).ok_or(OptionsError::Token)?;
        let selection = Selection { include, exclude };
        Ok(Self { peer, token, selection, targets, replacements, connections, tracking, expansions })
    }
}

fn families(value: &str) -> Result<(Vec<ReplacementFamily>, Connections), OptionsError> {
    let connections = if value.split(';').any(|name| name == TCP) { Connections::KeptOpen } else { Connections::AsServersWant };
    let family = |name: &str| ReplacementFamily::ALL.into_iter().find(|family| family.name() == name);
    let unknown = |name: &str| OptionsError::Replacements(name.to_owned());
    let names = value.split(';').filter(|name| !["", "none", TCP].contains(name));
    let families: Result<Vec<_>, _> = names.map(|name| family(name).ok_or_else(|| unknown(name))).collect();
    Ok((families?, connections))
}

fn prefixes(value: &str) -> impl Iterator<Item = String> {
    value.split(';').filter(|prefix| !prefix.is_empty()).map(|prefix| prefix.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_options_are_read() {
        let options =
            Options::parse("connect=127.0.0.1:4000,token=abc,include=com.acme.;org/x,exclude=com.acme.gen.,targets=9");
        let selection =
            Selection { include: vec!["com.acme.".to_owned(), "org.x".to_owned()], exclude: vec!["com.acme.gen.".to_owned()] };
        let peer = Peer::Core("127.0.0.1:4000".to_owned());
        let (token, replacements) = ("abc".to_owned(), ReplacementFamily::ALL.to_vec());
        let connections = Connections::KeptOpen;
        let (tracking, expansions) = (Tracking::Undisturbed, Expansions::Told);
        let wanted = Options { peer, token, selection, targets: 9, replacements, connections, tracking, expansions };
        assert_eq!(options, Ok(wanted));
        let parsed =
            |text: &str| Options::parse(&format!("listen=a:1,token=x,tracking={text}")).map(|options| options.tracking);
        assert_eq!([parsed("off"), parsed("undisturbed")], [Ok(Tracking::Off), Ok(Tracking::Undisturbed)]);
        assert_eq!(parsed("marked"), Err(OptionsError::Tracking("marked".to_owned())));
        let told = |text: &str| Options::parse(&format!("listen=a:1,token=x,expansions={text}")).map(|it| it.expansions);
        assert_eq!([told("off"), told("on")], [Ok(Expansions::Off), Ok(Expansions::Told)]);
        assert_eq!(told("no"), Err(OptionsError::Expansions("no".to_owned())));
    }

    #[test]
    fn replacements_are_all_none_or_some() {
        let parsed = |text: &str| Options::parse(&format!("listen=a:1,token=x{text}")).map(|options| options.replacements);
        assert_eq!(parsed("").map(|all| all.len()), Ok(ReplacementFamily::ALL.len()));
        assert_eq!(parsed(",replacements=none"), Ok(Vec::new()));
        let some = vec![ReplacementFamily::Text, ReplacementFamily::Parser];
        assert_eq!(parsed(",replacements=text;parser"), Ok(some));
        let kept = |text: &str| Options::parse(&format!("listen=a:1,token=x{text}")).map(|options| options.connections);
        assert_eq!(kept(",replacements=none"), Ok(Connections::AsServersWant));
        assert_eq!(kept(",replacements=text"), Ok(Connections::AsServersWant));
        assert_eq!(kept(",replacements=text;tcp"), Ok(Connections::KeptOpen));
        assert_eq!(parsed(",replacements=tcp"), Ok(Vec::new()));
        assert_eq!(parsed(",replacements=texts"), Err(OptionsError::Replacements("texts".to_owned())));
    }

    #[test]
    fn wrong_options_are_named() {
        for (text, error) in [
            ("", OptionsError::Peer),
            ("connect=a:1,listen=b:2,token=x", OptionsError::Peer),
            ("listen=a:1", OptionsError::Token),
            ("listen=a:1,token=", OptionsError::Token),
            ("listen=a:1,token=x,verbose", OptionsError::Unknown("verbose".to_owned())),
            ("listen=a:1,token=x,colour=red", OptionsError::Unknown("colour".to_owned())),
            ("listen=a:1,token=x,targets=0", OptionsError::Targets("0".to_owned())),
        ] {
            assert_eq!(Options::parse(text), Err(error), "{text}");
        }
    }
}
