//! Keeps secrets out of every output.

use std::borrow::Cow;

/// What stands in place of a secret.
const MASKED: &str = "***";

/// Shorter texts are not looked for: they occur everywhere.
const MIN_SECRET: usize = 4;

/// Texts that no output may show.
#[derive(Debug, Clone, Default)]
pub struct Mask {
    // Longest first, so that a secret inside another one leaves no rest.
    secrets: Vec<String>,
}

impl Mask {
    /// A mask for `secrets`, as they are and in the forms they take in URLs and in JSON.
    pub fn new(secrets: &[String]) -> Self {
        let mut forms: Vec<String> =
            secrets.iter().filter(|secret| secret.len() >= MIN_SECRET).flat_map(|s| forms(s)).collect();
        forms.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        forms.dedup();
        Self { secrets: forms }
    }

    /// `text` with every secret replaced.
    pub fn apply<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut shown = Cow::Borrowed(text);
        for secret in &self.secrets {
            if shown.contains(secret.as_str()) {
                shown = Cow::Owned(shown.replace(secret.as_str(), MASKED));
            }
        }
        shown
    }
}

fn forms(secret: &str) -> [String; 3] {
    let in_url = percent_encoding::utf8_percent_encode(secret, percent_encoding::NON_ALPHANUMERIC).to_string();
    let quoted = serde_json::Value::from(secret).to_string();
    [secret.to_owned(), in_url, quoted.trim_matches('"').to_owned()]
}

/// Whether a header field or variable of that name most likely holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    const PARTS: [&str; 10] =
        ["auth", "token", "secret", "password", "passwd", "cookie", "session", "credential", "apikey", "privatekey"];
    let plain: String = name.to_ascii_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    PARTS.iter().any(|part| plain.contains(part)) || plain.ends_with("key") || plain.ends_with("pass")
}

#[cfg(test)]
mod tests {
    use super::{Mask, is_secret_name};

    #[test]
    fn secrets_are_masked_in_every_form() {
        let mask = Mask::new(&["s3cr\"t/x".to_owned(), "abcd".to_owned(), "abcdef".to_owned(), "ab".to_owned()]);
        assert_eq!(mask.apply("a s3cr\"t/x b"), "a *** b");
        assert_eq!(mask.apply(r#"{"token":"s3cr\"t/x"}"#), r#"{"token":"***"}"#);
        assert_eq!(mask.apply("?t=s3cr%22t%2Fx"), "?t=***");
        assert_eq!(mask.apply("abcdef abcd ab"), "*** *** ab");
    }

    #[test]
    fn credentials_are_recognised_by_name() {
        for name in ["Authorization", "X-API-Key", "Cookie", "DB_PASSWORD", "X-Auth-Token", "AWS_SECRET"] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["Accept", "X-Tenant", "PROFILE", "User-Agent"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }
}
