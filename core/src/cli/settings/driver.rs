//! How the service is measured from inside.

use restive_driver_protocol::Token;

use crate::agent::{REPLACEMENTS, TCP};

use super::super::layers::Layers;
use super::super::preset::{Preselection, Preset, TaintText};
use super::super::sections::DriverSection;
use super::super::{CliError, Config};
use crate::search::{Marking, Tracking};

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

/// Joins and checks what is said of drivers, and how often values are marked for them; an agent only comes into what restive
/// starts.
pub(super) fn pick(
    layers: &mut Layers,
    typed: DriverSection,
    config: &Config,
    is_started: bool,
) -> Result<(DriverSettings, Marking), CliError> {
    let file = &config.driver;
    let preset = layers.pick("driver.config-preset", typed.config_preset, file.config_preset, None);
    let preset = preset.map(Preset::preselection);
    let blackbox = layers.pick_or("driver.blackbox", typed.blackbox, file.blackbox, false);
    let agent = layers.pick_or("driver.agent", typed.agent, file.agent, true);
    let replacements = pick_replacements(layers, &typed, file, preset.as_ref())?;
    let measures = replacements.as_ref().is_none_or(|families| families.iter().any(|family| family != TCP));
    let (tracking, marking) = pick_tracking(layers, &typed, file, (measures, preset.as_ref()))?;
    let layered = [typed.no_expansion, file.no_expansion];
    let preset_expansion = preset.map(|preset| preset.no_expansion);
    let expands = !layers.pick_or_preset("driver.no-expansion", layered, preset_expansion, false);
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
    // Nobody would tell what became of marked values.
    let marking = if blackbox || attachment == Attachment::Nothing { Marking::Never } else { marking };
    let discovers = layers.pick_or("driver.discover", typed.discover, file.discover, false);
    Ok((DriverSettings { guides: !blackbox, attachment, replacements, tracking, expands, discovers }, marking))
}

/// How values are tracked; not at all where no library calls are measured, unless that is asked for.
fn pick_tracking(
    layers: &mut Layers,
    typed: &DriverSection,
    file: &DriverSection,
    (measures, preset): (bool, Option<&Preselection>),
) -> Result<(Tracking, Marking), CliError> {
    let default = if measures { Tracking::Undisturbed } else { Tracking::Off };
    let preset_name = preset.map(|preset| preset.tracking.name().to_owned());
    let layered = [typed.tracking.clone(), file.tracking.clone()];
    let named = layers.pick_or_preset("driver.tracking", layered, preset_name, default.name().to_owned());
    let layered = [typed.taint_probability, file.taint_probability];
    let preset_taint = preset.and_then(|preset| preset.taint);
    let TaintText(marking) = layers.pick_or_preset("driver.taint-probability", layered, preset_taint, TaintText::DEFAULT);
    let is_off = layers.pick_or("driver.no-taint", typed.no_taint, file.no_taint, false);
    let Some(tracking) = Tracking::ALL.into_iter().find(|tracking| tracking.name() == named) else {
        let place = super::place(layers, "driver.tracking");
        let wanted = Tracking::ALL.map(Tracking::name).join(" or ");
        return Err(CliError::usage(format!("found `{named}` for {place}, wanted {wanted}")));
    };
    let tracking = if is_off { Tracking::Off } else { tracking };
    Ok((tracking, if tracking.marks() { marking } else { Marking::Never }))
}

/// The families of library methods that are measured; none for all of them.
fn pick_replacements(
    layers: &mut Layers,
    typed: &DriverSection,
    file: &DriverSection,
    preset: Option<&Preselection>,
) -> Result<Option<Vec<String>>, CliError> {
    let some = |families: &[String]| (!families.is_empty()).then(|| families.to_vec());
    let families = layers.pick("driver.replacements", some(&typed.replacements), some(&file.replacements), None);
    // Families that are named win over a preset without any.
    let preset = preset.map(|preset| preset.no_replacements && families.is_none());
    let layered = [typed.no_replacements, file.no_replacements];
    let is_off = layers.pick_or_preset("driver.no-replacements", layered, preset, false);
    let unknown = families.iter().flatten().find(|family| !REPLACEMENTS.contains(&family.as_str()));
    if let Some(family) = unknown {
        let place = super::place(layers, "driver.replacements");
        return Err(CliError::usage(format!("found `{family}` for {place}, wanted one of {}", REPLACEMENTS.join(", ")))
            .hint("leave it out for all of them, or `--no-replacements` for none"));
    }
    Ok(if is_off { Some(Vec::new()) } else { families })
}
