//! Settings that are words or pairs of texts: command lines, header fields, environment variables.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};

/// A text that does not have the form its setting needs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// A quote that is not closed, or a backslash at the end.
    #[error("found `{found}`, whose quotes do not match")]
    Quotes {
        /// As given.
        found: String,
    },
    /// No program to start.
    #[error("found an empty command, wanted a program with its arguments")]
    EmptyCommand,
    /// Not `Name: value`, or not allowed in HTTP.
    #[error("found `{found}`, wanted a header field such as `X-Tenant: 7`")]
    Header {
        /// The name at most: values may be secret.
        found: String,
    },
    /// Not `NAME=VALUE`.
    #[error("found `{found}`, wanted a variable such as `PROFILE=test`")]
    Variable {
        /// The name at most: values may be secret.
        found: String,
    },
}

/// A program with its arguments; as one text it is split like a shell does, without expanding anything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine(pub Vec<String>);

impl FromStr for CommandLine {
    type Err = PairError;

    fn from_str(text: &str) -> Result<Self, PairError> {
        Self::from_words(split_words(text).ok_or_else(|| PairError::Quotes { found: text.to_owned() })?)
    }
}

impl CommandLine {
    fn from_words(words: Vec<String>) -> Result<Self, PairError> {
        if words.first().is_none_or(|program| program.trim().is_empty()) {
            return Err(PairError::EmptyCommand);
        }
        Ok(Self(words))
    }
}

impl<'de> Deserialize<'de> for CommandLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "found something else, wanted a command as text or as a list of words")]
        enum Form {
            Text(String),
            Words(Vec<String>),
        }
        match Form::deserialize(deserializer)? {
            Form::Text(text) => text.parse(),
            Form::Words(words) => Self::from_words(words),
        }
        .map_err(de::Error::custom)
    }
}

/// One header field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderField(pub String, pub String);

impl HeaderField {
    fn checked(name: &str, value: &str) -> Result<Self, PairError> {
        let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
        if name.is_empty() || !name.chars().all(is_token) || value.chars().any(|c| c.is_control() && c != '\t') {
            return Err(PairError::Header { found: name.to_owned() });
        }
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

impl FromStr for HeaderField {
    type Err = PairError;

    fn from_str(text: &str) -> Result<Self, PairError> {
        let (name, value) = text.split_once(':').ok_or_else(|| PairError::Header { found: text.to_owned() })?;
        Self::checked(name.trim(), value.trim())
    }
}

/// One environment variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable(pub String, pub String);

impl Variable {
    fn checked(name: &str, value: &str) -> Result<Self, PairError> {
        if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
            return Err(PairError::Variable { found: name.to_owned() });
        }
        Ok(Self(name.to_owned(), value.to_owned()))
    }
}

impl FromStr for Variable {
    type Err = PairError;

    fn from_str(text: &str) -> Result<Self, PairError> {
        let (name, value) = text.split_once('=').ok_or_else(|| PairError::Variable { found: text.to_owned() })?;
        Self::checked(name, value)
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.0, self.1)
    }
}

/// Reads a table of header fields.
pub fn headers_from_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<HeaderField>, D::Error> {
    let table = BTreeMap::<String, Scalar>::deserialize(deserializer)?;
    table.iter().map(|(name, value)| HeaderField::checked(name, &value.0)).collect::<Result<_, _>>().map_err(de::Error::custom)
}

/// Reads a table of environment variables.
pub fn variables_from_table<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Variable>, D::Error> {
    let table = BTreeMap::<String, Scalar>::deserialize(deserializer)?;
    table.iter().map(|(name, value)| Variable::checked(name, &value.0)).collect::<Result<_, _>>().map_err(de::Error::custom)
}

/// Text, or a number or truth value as text.
struct Scalar(String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "found something else, wanted a text, a number or a truth value")]
        enum Form {
            Text(String),
            Boolean(bool),
            Integer(i64),
            Number(f64),
        }
        Ok(Self(match Form::deserialize(deserializer)? {
            Form::Text(text) => text,
            Form::Boolean(value) => value.to_string(),
            Form::Integer(value) => value.to_string(),
            Form::Number(value) => value.to_string(),
        }))
    }
}

/// Words of a POSIX shell line: blanks separate, quotes and backslashes protect; none when a quote stays open.
fn split_words(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == character => quote = None,
            (Some('"'), '\\') if !matches!(characters.peek(), Some('"' | '\\')) => word.get_or_insert_default().push('\\'),
            (None | Some('"'), '\\') => word.get_or_insert_default().push(characters.next()?),
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, HeaderField, PairError, Variable};

    fn words(text: &str) -> Result<Vec<String>, PairError> {
        text.parse::<CommandLine>().map(|command| command.0)
    }

    #[test]
    fn a_command_is_split_like_in_a_shell() {
        let split = words(r#"java -jar 'my app.jar' "--name=a \"b\" \n" x\ y '' --port {port}"#);
        let expected = ["java", "-jar", "my app.jar", "--name=a \"b\" \\n", "x y", "", "--port", "{port}"];
        assert_eq!(split, Ok(expected.map(str::to_owned).to_vec()));
    }

    #[test]
    fn an_open_quote_or_nothing_at_all_is_no_command() {
        assert!(matches!(words("java 'x"), Err(PairError::Quotes { .. })));
        assert!(matches!(words("java \\"), Err(PairError::Quotes { .. })));
        assert_eq!(words("  "), Err(PairError::EmptyCommand));
        assert_eq!(words("''"), Err(PairError::EmptyCommand));
    }

    #[test]
    fn header_fields_cannot_smuggle_a_second_one() {
        assert_eq!("X-A:  b:c ".parse(), Ok(HeaderField("X-A".to_owned(), "b:c".to_owned())));
        for text in ["X-A", ": v", "X A: v", "X-A: v\r\nX-B: w", "X\u{e9}: v"] {
            assert!(text.parse::<HeaderField>().is_err(), "{text}");
        }
    }

    #[test]
    fn variables_keep_further_equals_signs() {
        assert_eq!("A=b=c".parse(), Ok(Variable("A".to_owned(), "b=c".to_owned())));
        assert!("A".parse::<Variable>().is_err());
        assert!("=b".parse::<Variable>().is_err());
    }

    #[test]
    fn errors_do_not_repeat_values() {
        let error = "X A: secret".parse::<HeaderField>().expect_err("a blank in the name");
        assert!(!error.to_string().contains("secret"));
    }
}
