//! How the service is measured from inside.

use restive_driver_protocol::Token;

use crate::agent::{REPLACEMENTS, TCP};

use super::super::layers::Layers;
use super::super::sections::DriverSection;
use super::super::{CliError, Config};

/// How the service is measured from inside, and whether the search learns from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DriverSettings {
    /// Whether what is measured guides the search.
    pub guides: bool,
    /// What measures.
    pub attachment: Attachment,
    /// Families of library methods whose calls the agent measures; none: all of them.
    pub replacements: Option<Vec<String>>,
    /// Whether values of calls are followed to where the service uses them.
    pub tracking: Tracking,
    /// Whether inputs are sent that the service reads beyond its schema.
    pub expands: bool,
    /// Whether operations that the schema lacks are looked for in the service's framework.
    pub discovers: bool,
}

/// Whether values of calls are followed to where the service uses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracking {
    /// Real values, sent as they are.
    Undisturbed,
    /// None.
    Off,
}

impl Tracking {
    /// All of them.
    const ALL: [Self; 2] = [Self::Undisturbed, Self::Off];

    /// The name by which users choose it.
    fn name(self) -> &'static str {
        match self {
            Self::Undisturbed => "undisturbed",
            Self::Off => "off",
        }
    }
}

/// What measures a service from inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attachment {
    /// The agent inside this binary, loaded by each JVM that restive starts.
    Agent,
    /// A driver that listens there (`host:port`) and knows the token.
    Call {
        /// Where it listens.
        address: String,
        /// Secret of the run.
        token: Token,
    },
    /// Nothing.
    Nothing,
}

/// Joins and checks what is said of drivers; an agent only comes into what restive starts.
pub(super) fn pick(
    layers: &mut Layers,
    typed: DriverSection,
    config: &Config,
    is_started: bool,
) -> Result<DriverSettings, CliError> {
    let file = &config.driver;
    let blackbox = layers.pick_or("driver.blackbox", typed.blackbox, file.blackbox, false);
    let agent = layers.pick_or("driver.agent", typed.agent, file.agent, true);
    let replacements = pick_replacements(layers, &typed, file)?;
    let measures = replacements.as_ref().is_none_or(|families| families.iter().any(|family| family != TCP));
    let tracking = pick_tracking(layers, &typed, file, measures)?;
    let expands = !layers.pick_or("driver.no-expansion", typed.no_expansion, file.no_expansion, false);
    let address = layers.pick("driver.driver", typed.driver, file.driver.clone(), None);
    let token = layers.pick_secret("driver.driver-token", typed.driver_token, file.driver_token.clone());
    let attachment = match (address, token) {
        (Some(address), Some(token)) => Attachment::Call { address, token: Token::new(token) },
        (Some(_), None) => {
            return Err(CliError::usage(format!("{} wants a token", super::place(layers, "driver.driver")))
                .hint("`--driver-token TEXT`: the one that the service's agent was given with `token=TEXT`"));
        }
        (None, Some(_)) => {
            return Err(CliError::usage(format!(
                "{} is of use only with a driver",
                super::place(layers, "driver.driver-token")
            ))
            .hint("add `--driver HOST:PORT`: where the service's agent listens"));
        }
        (None, None) if is_started && agent => Attachment::Agent,
        (None, None) => Attachment::Nothing,
    };
    let discovers = layers.pick_or("driver.discover", typed.discover, file.discover, false);
    Ok(DriverSettings { guides: !blackbox, attachment, replacements, tracking, expands, discovers })
}

/// How values are tracked; not at all where no library calls are measured, unless that is asked for.
fn pick_tracking(
    layers: &mut Layers,
    typed: &DriverSection,
    file: &DriverSection,
    measures: bool,
) -> Result<Tracking, CliError> {
    let default = if measures { Tracking::Undisturbed } else { Tracking::Off };
    let named = layers.pick_or("driver.tracking", typed.tracking.clone(), file.tracking.clone(), default.name().to_owned());
    let is_off = layers.pick_or("driver.no-taint", typed.no_taint, file.no_taint, false);
    let Some(tracking) = Tracking::ALL.into_iter().find(|tracking| tracking.name() == named) else {
        let place = super::place(layers, "driver.tracking");
        let wanted = Tracking::ALL.map(Tracking::name).join(" or ");
        return Err(CliError::usage(format!("found `{named}` for {place}, wanted {wanted}")));
    };
    Ok(if is_off { Tracking::Off } else { tracking })
}

/// The families of library methods that are measured; none for all of them.
fn pick_replacements(
    layers: &mut Layers,
    typed: &DriverSection,
    file: &DriverSection,
) -> Result<Option<Vec<String>>, CliError> {
    let some = |families: &[String]| (!families.is_empty()).then(|| families.to_vec());
    let families = layers.pick("driver.replacements", some(&typed.replacements), some(&file.replacements), None);
    let is_off = layers.pick_or("driver.no-replacements", typed.no_replacements, file.no_replacements, false);
    let unknown = families.iter().flatten().find(|family| !REPLACEMENTS.contains(&family.as_str()));
    if let Some(family) = unknown {
        let place = super::place(layers, "driver.replacements");
        return Err(CliError::usage(format!("found `{family}` for {place}, wanted one of {}", REPLACEMENTS.join(", ")))
            .hint("leave it out for all of them, or `--no-replacements` for none"));
    }
    Ok(if is_off { Some(Vec::new()) } else { families })
}
