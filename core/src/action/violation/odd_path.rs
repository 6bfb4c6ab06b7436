//! Paths that no operation has: what routers refuse, or hand to whatever takes the rest.

use crate::api::{Api, Operation, OperationIdx, Verb};

use super::Request;

/// A segment that nobody expects.
const UNKNOWN: &str = "/unknown";

/// How a path becomes one that no operation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OddPath {
    /// The first segment is missing.
    Beheaded,
    /// An unknown segment stands before it.
    Prefixed,
    /// An unknown segment stands behind it.
    Extended,
    /// A slash stands behind it.
    Slashed,
}

impl OddPath {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::Beheaded, Self::Prefixed, Self::Extended, Self::Slashed];

    /// For test names and reports.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Beheaded => "path without its first segment",
            Self::Prefixed => "unknown path",
            Self::Extended => "path with an unknown end",
            Self::Slashed => "slash after the path",
        }
    }

    /// Whether calls of `operation_idx` can be sent to such a path, as far as its template tells.
    pub(super) fn applies(self, api: &Api, operation_idx: OperationIdx) -> bool {
        let operation = api.operation(operation_idx);
        let odd = self.changed(&operation.url_path);
        odd.starts_with('/') && !is_taken(api, operation_idx, operation.verb, &odd)
    }

    /// Sends `request` to that path, unless it is another operation's or one that nothing may be sent to.
    pub(super) fn apply(self, api: &Api, request: &mut Request) {
        let at = request.url.find('?').unwrap_or(request.url.len());
        let (path, query) = request.url.split_at(at);
        let odd = self.changed(path);
        if odd.starts_with('/') && !is_taken(api, request.operation_idx, request.verb, &odd) {
            request.url = odd + query;
        }
    }

    /// `path` in this way; empty or without a slash where there is no such path.
    fn changed(self, path: &str) -> String {
        match self {
            Self::Beheaded => {
                let start = path.char_indices().skip(1).find(|(_, c)| *c == '/').map_or(path.len(), |(at, _)| at);
                path[start..].to_owned()
            }
            Self::Prefixed => format!("{UNKNOWN}{path}"),
            Self::Extended => format!("{}{UNKNOWN}", path.trim_end_matches('/')),
            Self::Slashed => format!("{path}/"),
        }
    }
}

/// Whether `path` with `verb` is an operation other than `own`, or nothing may be sent there.
fn is_taken(api: &Api, own: OperationIdx, verb: Verb, path: &str) -> bool {
    let is_other = |(idx, operation): (usize, &Operation)| {
        idx != own.0 as usize && operation.verb == verb && fits(&operation.url_path, path)
    };
    let is_off_limits = api.off_limits.iter().any(|template| fits(template, path))
        || api.skipped.iter().any(|skipped| fits(path_of(&skipped.operation), path));
    is_off_limits || api.operations.iter().enumerate().any(is_other)
}

/// The path in `VERB /path` or `/path`.
fn path_of(operation: &str) -> &str {
    operation.find('/').map_or("", |start| &operation[start..])
}

/// Whether a path is one of those that a template stands for.
fn fits(template: &str, path: &str) -> bool {
    let mut known = template.trim_end_matches('/').split('/');
    let mut given = path.trim_end_matches('/').split('/');
    loop {
        match (known.next(), given.next()) {
            (None, None) => return true,
            (Some(known), Some(given)) if known.contains('{') || known == given => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{OddPath, fits};
    use crate::action::Request;
    use crate::api::{Api, Operation, OperationIdx, Skipped, Verb};

    fn sent(odd: OddPath, url: &str, others: &[&str]) -> String {
        let own = url.split('?').next().expect("a path");
        let operations = [own].iter().chain(others).map(|path| Operation::bare(Verb::Get, path)).collect();
        let api = Api { operations, ..Api::default() };
        let mut request = Request {
            operation_idx: OperationIdx(0),
            verb: Verb::Get,
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        odd.apply(&api, &mut request);
        request.url
    }

    #[test]
    fn a_path_changes_and_its_query_stays() {
        let sent = |odd| sent(odd, "/a/b?x=/1", &[]);
        assert_eq!(sent(OddPath::Beheaded), "/b?x=/1");
        assert_eq!(sent(OddPath::Slashed), "/a/b/?x=/1");
        assert_eq!(sent(OddPath::Prefixed), "/unknown/a/b?x=/1");
        assert_eq!(sent(OddPath::Extended), "/a/b/unknown?x=/1");
    }

    #[test]
    fn no_other_operation_is_called() {
        assert_eq!(sent(OddPath::Beheaded, "/a/b", &["/b"]), "/a/b");
        assert_eq!(sent(OddPath::Extended, "/a", &["/a/{id}"]), "/a");
        assert_eq!(sent(OddPath::Slashed, "/a", &["/a/"]), "/a");
        assert_eq!(sent(OddPath::Beheaded, "/a", &[]), "/a");
    }

    #[test]
    fn what_cannot_change_does_not_apply() {
        let api = |paths: &[&str]| {
            let operations = paths.iter().map(|path| Operation::bare(Verb::Get, path)).collect();
            Api { operations, ..Api::default() }
        };
        let applies = |odd: OddPath, paths: &[&str]| odd.applies(&api(paths), OperationIdx(0));
        assert!(!applies(OddPath::Beheaded, &["/a"]), "nothing is left");
        assert!(applies(OddPath::Beheaded, &["/a/{id}"]));
        assert!(!applies(OddPath::Beheaded, &["/a/{id}", "/{id}"]));
        assert!(!applies(OddPath::Extended, &["/a", "/a/{id}"]) && applies(OddPath::Slashed, &["/a", "/a/{id}"]));
    }

    #[test]
    fn what_was_taken_out_is_not_called_by_any_verb() {
        let operations = ["/admin/stop", "/stop", "/admin"].map(|path| Operation::bare(Verb::Post, path)).into();
        let mut api = Api { operations, ..Api::default() };
        api.take_out(vec![None, Some("excluded".to_owned()), None]);
        let skipped =
            |operation: &str| Skipped { operation: operation.to_owned(), pointer: String::new(), reason: String::new() };
        api.skipped = vec![skipped("GET /admin/unknown")];
        let sent = |odd: OddPath, operation_idx: u32| {
            let url = api.operation(OperationIdx(operation_idx)).url_path.clone();
            let (verb, operation_idx) = (Verb::Get, OperationIdx(operation_idx));
            let mut request = Request { operation_idx, verb, url, headers: Vec::new(), body: None, user: None };
            odd.apply(&api, &mut request);
            request.url
        };
        assert_eq!(sent(OddPath::Beheaded, 0), "/admin/stop", "`/stop` is off limits");
        assert_eq!(sent(OddPath::Extended, 1), "/admin", "`/admin/unknown` was skipped");
        assert_eq!(sent(OddPath::Prefixed, 1), "/unknown/admin");
    }

    #[test]
    fn placeholders_stand_for_any_segment() {
        assert!(fits("/a/{id}", "/a/7") && fits("/a/{id}.json", "/a/7.json") && fits("/a/", "/a"));
        assert!(!fits("/a/{id}", "/a") && !fits("/a", "/b"));
    }
}
