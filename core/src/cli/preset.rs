//! Settings under the names that the paper gives them: *Base*, *M* and *M+T* (paper 004, section 8.3).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

use crate::search::{Marking, Tracking};

/// Probability of marking a value at the start where nothing else is said: the paper's best (section 8.4).
const P_MARKING: f64 = 0.9;

/// A configuration of the paper; what is set besides, anywhere, wins over it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preset {
    /// *Base*: no library calls are measured, nothing is tracked, servers close connections as they like, no inputs are added.
    Base,
    /// *M*: library calls are measured and inputs added that the service reads, nothing is tracked.
    Measured,
    /// *M+T* with marked values, with a probability of so many tenths.
    Marked(u8),
    /// *M+T* as restive does it unless told otherwise: real values are followed.
    Tracked,
}

/// What a preset says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Preselection {
    /// Whether no library calls are measured.
    pub no_replacements: bool,
    /// Whether inputs that the service reads beyond its schema are left alone.
    pub no_expansion: bool,
    /// Which values are followed.
    pub tracking: Tracking,
    /// How often they are marked, where they are.
    pub taint: Option<TaintText>,
}

impl Preset {
    const ALL: [Self; 6] = [Self::Base, Self::Measured, Self::Marked(1), Self::Marked(5), Self::Marked(9), Self::Tracked];

    /// The name by which users choose it.
    pub fn name(self) -> String {
        match self {
            Self::Base => "base".to_owned(),
            Self::Measured => "m".to_owned(),
            Self::Marked(tenths) => format!("m+t-0.{tenths}"),
            Self::Tracked => "m+t".to_owned(),
        }
    }

    /// What it says.
    pub fn preselection(self) -> Preselection {
        let no_replacements = self == Self::Base;
        let (tracking, taint) = match self {
            Self::Base | Self::Measured => (Tracking::Off, None),
            Self::Marked(tenths) => (Tracking::Marked, Some(TaintText(Marking::Fixed(f64::from(tenths) / 10.0)))),
            Self::Tracked => (Tracking::Undisturbed, None),
        };
        Preselection { no_replacements, no_expansion: no_replacements, tracking, taint }
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = text.trim().to_lowercase();
        Self::ALL.into_iter().find(|preset| preset.name() == wanted).ok_or_else(|| {
            let names: Vec<String> = Self::ALL.into_iter().map(|preset| format!("`{}`", preset.name())).collect();
            format!("found `{text}`, wanted one of {}", names.join(", "))
        })
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Preset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// How often values are marked, as given on the command line and in files: a probability or `adaptive`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TaintText(pub Marking);

impl TaintText {
    /// What holds when nothing is said.
    pub const DEFAULT: Self = Self(Marking::Adaptive(P_MARKING));
}

impl FromStr for TaintText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "adaptive" {
            return Ok(Self::DEFAULT);
        }
        let p = text.trim().parse().ok().filter(|p| (0.0..=1.0).contains(p));
        let marking = p.map(Marking::Fixed);
        marking.map(Self).ok_or_else(|| format!("found `{text}`, wanted a number from 0 to 1 or `adaptive`"))
    }
}

impl fmt::Display for TaintText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Marking::Never => f.write_str("0"),
            Marking::Fixed(p) => write!(f, "{p}"),
            Marking::Adaptive(_) => f.write_str("adaptive"),
        }
    }
}

impl<'de> Deserialize<'de> for TaintText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            Whole(i64),
            Text(String),
        }
        let text = match Written::deserialize(deserializer)? {
            Written::Number(number) => number.to_string(),
            Written::Whole(number) => number.to_string(),
            Written::Text(text) => text,
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::{Preset, TaintText};
    use crate::search::{Marking, Tracking};

    #[test]
    fn presets_are_known_by_the_names_of_the_paper() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(preset));
        }
        assert_eq!("M+T-0.5".parse(), Ok(Preset::Marked(5)));
        let said = Preset::Marked(5).preselection();
        assert_eq!((said.tracking, said.taint), (Tracking::Marked, Some(TaintText(Marking::Fixed(0.5)))));
        let error = "m+t-0.7".parse::<Preset>().expect_err("the paper has none");
        assert!(error.contains("`m+t-0.9`"), "{error}");
    }

    #[test]
    fn probabilities_are_numbers_or_follow_their_success() {
        assert_eq!("0.25".parse(), Ok(TaintText(Marking::Fixed(0.25))));
        assert_eq!("adaptive".parse(), Ok(TaintText::DEFAULT));
        for wrong in ["1.5", "-1", "NaN", "", "often"] {
            assert!(wrong.parse::<TaintText>().is_err(), "{wrong}");
        }
        assert_eq!(TaintText(Marking::Fixed(0.5)).to_string(), "0.5");
    }
}
