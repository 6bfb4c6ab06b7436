//! Values that stand for where and when a run took place, and are therefore no good as expectations.
//!
//! The clock is not read: the days of the run are those in the `Date` headers of its answers.

use std::collections::BTreeSet;
use std::time::SystemTime;

use serde_json::Value;
use time::macros::format_description;
use time::{Duration, OffsetDateTime};

use crate::action::Answer;

/// How our own HTTP client names itself; the tests have another name.
const CLIENT: &str = "restive/";
/// Field names whose numbers measure time.
const TIME_FIELDS: [&str; 7] = ["duration", "elapsed", "latency", "millis", "timestamp", "took", "uptime"];

/// Port and days of a run.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    port: Option<u16>,
    days: BTreeSet<OffsetDateTime>,
    day_texts: BTreeSet<String>,
    /// What no test may show, wherever a service repeats it.
    secrets: Vec<String>,
}

impl Surroundings {
    /// Those of a run against `base_url` with `secrets` that gave `answers`.
    pub fn of_run<'a>(base_url: &str, secrets: &[String], answers: impl Iterator<Item = &'a Answer>) -> Self {
        let port = url::Url::parse(base_url).ok().and_then(|url| url.port());
        let mut surroundings = Self { port, secrets: secrets.to_vec(), ..Self::default() };
        for answer in answers {
            if let Some(date) = answer.header("date").and_then(|date| httpdate::parse_http_date(date).ok()) {
                surroundings.add_day(date);
            }
        }
        surroundings
    }

    /// Adds the day of `moment` and, as clocks and time zones differ, those before and after it.
    fn add_day(&mut self, moment: SystemTime) {
        let midnight = OffsetDateTime::from(moment).replace_time(time::Time::MIDNIGHT);
        if !self.days.insert(midnight) {
            return;
        }
        let formats = [
            format_description!("[year]-[month]-[day]"),
            format_description!("[year]/[month]/[day]"),
            format_description!("[month]/[day]/[year]"),
            format_description!("[day]/[month]/[year]"),
            format_description!("[day].[month].[year]"),
            format_description!("[day] [month repr:short] [year]"),
            format_description!("[month repr:short] [day], [year]"),
            format_description!("[month repr:short] [day padding:none], [year]"),
            format_description!("[month repr:short] [day] "),
        ];
        for days in -1..=1 {
            let day = midnight.saturating_add(Duration::days(days));
            self.day_texts.extend(formats.iter().filter_map(|format| day.format(format).ok()));
        }
    }

    /// Whether `value`, found below a field of that name, depends on where or when the run took place.
    pub fn contain(&self, field: &str, value: &Value) -> bool {
        match value {
            Value::String(text) => self.contain_text(text),
            Value::Number(number) => {
                self.port.is_some_and(|port| number.as_u64() == Some(u64::from(port)))
                    || number.as_f64().is_some_and(|number| self.is_moment(number))
                    || TIME_FIELDS.iter().any(|name| field.to_ascii_lowercase().contains(name))
            }
            _ => false,
        }
    }

    /// Whether `text` names the port or a day of the run, the client that made the calls, an object in the memory of the
    /// service, or a secret of its users.
    pub fn contain_text(&self, text: &str) -> bool {
        text.contains(CLIENT)
            || names_object(text)
            || self.secrets.iter().any(|secret| text.contains(secret.as_str()))
            || self.port.is_some_and(|port| names_port(text, port))
            || self.day_texts.iter().any(|day| text.contains(day.as_str()))
    }

    /// `value`, or an empty text in the place of one with a secret in it.
    pub fn without_secret(&self, value: &Value) -> Value {
        let text = value.as_str().unwrap_or_default();
        let is_secret = self.secrets.iter().any(|secret| text.contains(secret.as_str()));
        if is_secret { Value::String(String::new()) } else { value.clone() }
    }

    /// Whether `number` is a Unix time in seconds, milli-, micro- or nanoseconds within a day of the run.
    fn is_moment(&self, number: f64) -> bool {
        self.days.iter().any(|day| {
            let midnight = day.unix_timestamp() as f64;
            [1.0, 1e3, 1e6, 1e9].iter().any(|unit| (-86_400.0..=2.0 * 86_400.0).contains(&(number / unit - midnight)))
        })
    }
}

/// Whether `text` names an object by class and identity, as Java does: `org.example.Shop@1b2c3d4e`.
///
/// The number is the same as long as a service runs, and often over several starts.
fn names_object(text: &str) -> bool {
    text.match_indices(['@', '-']).any(|(at, _)| {
        let is_name = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '$');
        let class = text[..at].rsplit(|character| !is_name(character)).next().unwrap_or_default();
        let is_class = class
            .rsplit_once('.')
            .is_some_and(|(package, name)| !package.is_empty() && name.starts_with(|first: char| first.is_ascii_uppercase()));
        let after = text[at + 1..].split(|character: char| !character.is_ascii_alphanumeric()).next().unwrap_or_default();
        is_class && (5..=8).contains(&after.len()) && after.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f'))
    })
}

/// Whether `text` has `:port` in it, or is the port.
fn names_port(text: &str, port: u16) -> bool {
    let port = port.to_string();
    let marked = format!(":{port}");
    text == port
        || text
            .match_indices(&marked)
            .any(|(start, found)| !text[start + found.len()..].starts_with(|next: char| next.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn surroundings() -> Surroundings {
        let answer = Answer { headers: vec![("date".into(), "Sat, 21 Nov 2026 06:00:00 GMT".into())], ..Answer::default() };
        Surroundings::of_run("http://127.0.0.1:8080/api", &[], [answer].iter())
    }

    #[test]
    fn secrets_are_taken_out() {
        let surroundings = Surroundings { secrets: vec!["s3cret".to_owned()], ..Surroundings::default() };
        assert_eq!(surroundings.without_secret(&json!("Bearer s3cret")), json!(""));
        assert_eq!(surroundings.without_secret(&json!("harmless")), json!("harmless"));
    }

    #[test]
    fn own_port_is_surroundings() {
        let surroundings = surroundings();
        assert!(surroundings.contain("", &json!("http://localhost:8080/x")));
        assert!(surroundings.contain("", &json!(8080)) && surroundings.contain("", &json!("8080")));
        assert!(!surroundings.contain("", &json!("http://localhost:80801/x")));
        assert!(!surroundings.contain("", &json!("8080 things")));
    }

    #[test]
    fn objects_in_memory_are_surroundings() {
        let surroundings = surroundings();
        for text in ["com.acme.Shop@1b2c3d4e", "failed in com.acme.Shop$Till-13e3c1c7: no", "a.B@e24ddd"] {
            assert!(surroundings.contain("", &json!(text)), "{text}");
        }
        for text in
            ["Shop@1b2c3d4e", "someone@example.com", "com.acme.Shop-1", "com.acme.Shop-abcdefg", "com.acme.Shop", "é-12345"]
        {
            assert!(!surroundings.contain("", &json!(text)), "{text}");
        }
    }

    #[test]
    fn days_of_the_run_are_surroundings() {
        let surroundings = surroundings();
        for text in ["2026-11-21T05:00:00Z", "since 2026-11-22", "Fri, 20 Nov 2026 23:00:00 GMT", "Nov 21, 2026"] {
            assert!(surroundings.contain("", &json!(text)), "{text}");
        }
        assert!(!surroundings.contain("", &json!("2026-11-23")) && !surroundings.contain("", &json!("2025-11-21")));
    }

    #[test]
    fn unix_times_of_the_run_are_surroundings() {
        let surroundings = surroundings();
        assert!(surroundings.contain("", &json!(1_795_240_800)) && surroundings.contain("", &json!(1_795_240_800_123_u64)));
        assert!(!surroundings.contain("", &json!(1_700_000_000)) && !surroundings.contain("", &json!(0)));
    }

    #[test]
    fn numbers_that_measure_time_are_surroundings() {
        assert!(surroundings().contain("elapsedMs", &json!(3)) && !surroundings().contain("amount", &json!(3)));
    }
}
