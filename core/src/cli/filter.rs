//! `--include` and `--exclude`: which operations are called.
//!
//! A pattern is `VERB /path`, `/path`, `verb:DELETE` or `DELETE`, `tag:NAME`, `id:NAME` or a plain operationId; `*` in it
//! stands for any text, slashes included.

use crate::api::{Api, Operation, Skipped, Verb};

use super::nearest::nearest;
use super::{CliError, OperationSettings};

/// Patterns that choose operations.
#[derive(Debug, Clone, Default)]
pub struct OperationFilter {
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

/// A filter that does not fit the interface.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FilterError {
    /// A mistyped exclusion would call what must not be called.
    #[error("`{pattern}` of `--{flag}` matches no operation")]
    MatchesNothing {
        /// `include` or `exclude`.
        flag: &'static str,
        /// As given.
        pattern: String,
        /// Something close that exists.
        near: Option<String>,
        /// Whether a document names some operation, and not the service's framework all of them.
        has_document: bool,
    },
    /// Nothing to call.
    #[error("no operations left: the filters leave out all {of} of the schema")]
    NothingLeft {
        /// Operations of the schema.
        of: usize,
    },
    /// The schema has nothing to call.
    #[error("no operations left: the schema has none that can be called ({skipped} skipped)")]
    NoneAtAll {
        /// Operations that could not be understood.
        skipped: usize,
    },
}

impl FilterError {
    /// The next step.
    pub fn hint(&self) -> String {
        match self {
            Self::MatchesNothing { near: Some(near), .. } => format!("did you mean `{near}`?"),
            Self::MatchesNothing { has_document: true, .. } => "`restive schema check` lists the operations".to_owned(),
            Self::MatchesNothing { .. } => "`restive schema infer` writes a document of the operations".to_owned(),
            Self::NothingLeft { .. } => "drop a pattern; exclusions win over inclusions".to_owned(),
            Self::NoneAtAll { skipped: 0 } => "is it the right document? it has no operations under `paths`".to_owned(),
            Self::NoneAtAll { .. } => "`restive schema check` says why each one is skipped".to_owned(),
        }
    }
}

impl From<FilterError> for CliError {
    fn from(error: FilterError) -> Self {
        Self::usage(error.to_string()).hint(error.hint())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Verb(Verb),
    Tag(String),
    OperationId(String),
    Path(String),
    VerbAndPath(Verb, String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    text: String,
    kind: Kind,
}

impl Pattern {
    fn parse(text: &str) -> Self {
        let text = text.trim();
        let kind = match text.split_once(':') {
            Some(("tag", name)) => Kind::Tag(name.trim().to_owned()),
            Some(("id", name)) => Kind::OperationId(name.trim().to_owned()),
            Some(("path", path)) => Kind::Path(path.trim().to_owned()),
            Some(("verb", name)) => Verb::from_name(name.trim()).map_or_else(|| Kind::OperationId(text.to_owned()), Kind::Verb),
            _ => Self::parse_plain(text),
        };
        Self { text: text.to_owned(), kind }
    }

    fn parse_plain(text: &str) -> Kind {
        if text.starts_with('/') {
            return Kind::Path(text.to_owned());
        }
        if let Some((verb, path)) = text.split_once(char::is_whitespace)
            && let (Some(verb), true) = (Verb::from_name(verb), path.trim_start().starts_with(['/', '*']))
        {
            return Kind::VerbAndPath(verb, path.trim().to_owned());
        }
        // Only in upper case: `delete` may well be an operationId.
        match Verb::ALL.into_iter().find(|verb| verb.name() == text) {
            Some(verb) => Kind::Verb(verb),
            None => Kind::OperationId(text.to_owned()),
        }
    }

    fn matches(&self, operation: &Operation) -> bool {
        match &self.kind {
            Kind::Verb(verb) => operation.verb == *verb,
            Kind::Tag(tag) => operation.tags.iter().any(|own| glob(tag, own)),
            Kind::OperationId(id) => operation.operation_id.as_ref().is_some_and(|own| glob(id, own)),
            Kind::Path(path) => glob(path, &operation.url_path),
            Kind::VerbAndPath(verb, path) => operation.verb == *verb && glob(path, &operation.url_path),
        }
    }

    /// Whether an operation that is skipped anyway is meant; of it only verb and path are known.
    fn matches_skipped(&self, skipped: &Skipped) -> bool {
        let (verb, path) = skipped.operation.split_once(' ').unwrap_or(("", &skipped.operation));
        let verb = Verb::from_name(verb);
        match &self.kind {
            Kind::Verb(wanted) => verb == Some(*wanted),
            Kind::Path(pattern) => glob(pattern, path),
            Kind::VerbAndPath(wanted, pattern) => verb.is_none_or(|verb| verb == *wanted) && glob(pattern, path),
            Kind::Tag(_) | Kind::OperationId(_) => false,
        }
    }
}

impl OperationFilter {
    /// The filter of `settings`.
    pub fn new(settings: &OperationSettings) -> Self {
        let parse = |patterns: &[String]| patterns.iter().map(|text| Pattern::parse(text)).collect();
        Self { include: parse(&settings.include), exclude: parse(&settings.exclude) }
    }

    /// Takes out of `api` what is not to be called and returns it with the pattern as reason.
    ///
    /// Links to operations that are taken out go with them. On an error `api` is unchanged.
    pub fn apply(&self, api: &mut Api) -> Result<Vec<Skipped>, FilterError> {
        let total = api.operations.len();
        if total == 0 {
            return Err(FilterError::NoneAtAll { skipped: api.skipped.len() });
        }
        self.refuse_unmatched(api)?;
        let reasons: Vec<Option<String>> = api.operations.iter().map(|operation| self.reason(operation)).collect();
        if reasons.iter().all(Option::is_some) {
            return Err(FilterError::NothingLeft { of: total });
        }
        Ok(api.take_out(reasons))
    }

    /// Why `operation` is left out, none when it stays.
    fn reason(&self, operation: &Operation) -> Option<String> {
        if let Some(pattern) = self.exclude.iter().find(|pattern| pattern.matches(operation)) {
            return Some(format!("excluded by `{}`", pattern.text));
        }
        let included = self.include.is_empty() || self.include.iter().any(|pattern| pattern.matches(operation));
        (!included).then(|| "not included by any pattern".to_owned())
    }

    fn refuse_unmatched(&self, api: &Api) -> Result<(), FilterError> {
        for (flag, patterns) in [("exclude", &self.exclude), ("include", &self.include)] {
            let is_unmatched = |pattern: &&Pattern| {
                !api.operations.iter().any(|operation| pattern.matches(operation))
                    && !api.skipped.iter().any(|skipped| pattern.matches_skipped(skipped))
            };
            if let Some(pattern) = patterns.iter().find(is_unmatched) {
                let (pattern, near) = (pattern.text.clone(), near(pattern, api));
                let has_document = api.discovered.len() < api.operations.len();
                return Err(FilterError::MatchesNothing { flag, pattern, near, has_document });
            }
        }
        Ok(())
    }
}

/// An existing pattern close to one that matches nothing.
fn near(pattern: &Pattern, api: &Api) -> Option<String> {
    let operations = &api.operations;
    match &pattern.kind {
        Kind::Tag(tag) => nearest(tag, operations.iter().flat_map(|operation| operation.tags.iter().map(String::as_str)))
            .map(|tag| format!("tag:{tag}")),
        Kind::Verb(_) => None,
        Kind::Path(path) => nearest(path, operations.iter().map(|operation| operation.url_path.as_str())).map(str::to_owned),
        Kind::OperationId(id) => {
            let names = operations.iter().filter_map(|operation| operation.operation_id.as_deref());
            nearest(id, names.chain(operations.iter().map(|operation| operation.id.as_str()))).map(str::to_owned)
        }
        Kind::VerbAndPath(..) => {
            nearest(&pattern.text, operations.iter().map(|operation| operation.id.as_str())).map(str::to_owned)
        }
    }
}

/// Whether `text` is of the form `pattern`, in which `*` stands for any text; linear in both but for retries at stars.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests;
