//! Accounts: which operation makes those that another one logs in to, and how a call names one.
//!
//! Two operations share accounts where the bodies of both have a secret, a `password`, and the path of the second one says that
//! it logs in.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::action::{Action, ValuePlace};
use crate::api::{Api, OperationIdx, SchemaKind, Verb};
use crate::gene::GeneSite;

use super::mutator::gene_at;
use super::names::{logs_in, normalise};

/// Names of what only the owner of an account knows.
const SECRETS: [&str; 6] = ["password", "passwd", "pwd", "passphrase", "secret", "pin"];
/// Names of what tells an account from others.
const IDENTITIES: [&str; 7] = ["username", "email", "login", "mail", "user", "userid", "name"];

/// The operations that make accounts, by those that log in to them.
#[derive(Debug, Clone, Default)]
pub struct Accounts(BTreeMap<OperationIdx, OperationIdx>);

impl Accounts {
    /// Those of `operations`, by the names in their bodies.
    pub fn new(api: &Api, operations: &[OperationIdx]) -> Self {
        let with_secret = |idx: &OperationIdx| Some((*idx, texts_of(api, *idx))).filter(|(_, texts)| has_secret(texts));
        let all: Vec<_> = operations.iter().filter_map(with_secret).collect();
        let (logging_in, making): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(idx, _)| logs_in(&api.operation(*idx).url_path));
        let maker_of = |texts: &[String]| {
            let n_shared = |other: &[String]| texts.iter().filter(|text| other.contains(text)).count();
            let posts = making.iter().filter(|(idx, _)| api.operation(*idx).verb == Verb::Post);
            // From behind, for the last one of the largest is taken.
            posts.rev().max_by_key(|(_, other)| n_shared(other)).map(|(idx, _)| *idx)
        };
        Self(logging_in.iter().filter_map(|(idx, texts)| Some((*idx, maker_of(texts)?))).collect())
    }

    /// Where a test makes the account to which its call at `login` logs in, if it is a login and the test does.
    pub fn made_at(&self, actions: &[Action], login: usize) -> Option<usize> {
        let maker = self.maker(actions.get(login)?.operation_idx)?;
        let is_told =
            |(name, _): &(String, Value)| [&SECRETS[..], &IDENTITIES].iter().any(|names| names.contains(&name.as_str()));
        let told: Vec<Value> = texts_sent(&actions[login]).into_iter().filter(is_told).map(|(_, value)| value).collect();
        let makes_it = |action: &Action| {
            let texts = texts_sent(action);
            action.violation.is_none() && told.iter().all(|value| texts.iter().any(|(_, text)| text == value))
        };
        actions[..login].iter().rposition(|action| action.operation_idx == maker && makes_it(action))
    }

    /// How many calls log in to accounts that the test does not make.
    pub fn n_foreign(&self, actions: &[Action]) -> usize {
        let logs_in = |idx: &usize| self.maker(actions[*idx].operation_idx).is_some();
        (0..actions.len()).filter(|idx| logs_in(idx) && self.made_at(actions, *idx).is_none()).count()
    }

    /// Whether the call at `action_idx` makes the account to which a later one logs in.
    pub fn is_logged_in_to(&self, actions: &[Action], action_idx: usize) -> bool {
        (action_idx + 1..actions.len()).any(|login| self.made_at(actions, login) == Some(action_idx))
    }

    /// The operation that makes the account to which `operation_idx` logs in.
    pub fn maker(&self, operation_idx: OperationIdx) -> Option<OperationIdx> {
        self.0.get(&operation_idx).copied()
    }
}

/// Whether `other` logs in to what `maker` makes.
pub fn share_accounts(api: &Api, maker: OperationIdx, other: OperationIdx) -> bool {
    let is_login = |idx: OperationIdx| logs_in(&api.operation(idx).url_path);
    is_login(other) && !is_login(maker) && [maker, other].iter().all(|idx| has_secret(&texts_of(api, *idx)))
}

/// Has `action`, which logs in, name the account that `maker` makes: fields of equal names say the same, and what tells accounts
/// from others may have another name in each.
pub fn name_account(action: &mut Action, maker: &Action) {
    let texts = texts_sent(maker);
    let said_as = |name: &str| {
        let same = texts.iter().find(|(other, _)| other == name);
        let mut identities = IDENTITIES.iter().filter(|_| IDENTITIES.contains(&name));
        same.or_else(|| identities.find_map(|other| texts.iter().find(|(it, _)| it == other)))
    };
    let Some(body) = gene_at(action, ValuePlace::Body) else { return };
    for site in body.sites() {
        if let (Some((_, value)), Some(gene)) = (said_as(&normalise(&site.name)), body.at_mut(&site.path)) {
            gene.assign(value);
        }
    }
}

/// Has `action`, which logs in, say `after` where it said `before` of the account.
pub fn rename_account(action: &mut Action, (before, after): (&Value, &Value)) {
    let Some(body) = gene_at(action, ValuePlace::Body) else { return };
    for site in body.sites() {
        if let Some(gene) = body.at_mut(&site.path).filter(|gene| gene.to_json().as_ref() == Some(before)) {
            gene.assign(after);
        }
    }
}

/// Whether the body of a call has what only the owner of an account knows.
pub fn sends_secret(action: &Action) -> bool {
    texts_sent(action).iter().any(|(name, _)| SECRETS.contains(&name.as_str()))
}

/// The normalised names of the texts in the body of an operation.
fn texts_of(api: &Api, operation_idx: OperationIdx) -> Vec<String> {
    let mut names = Vec::new();
    for body in &api.operation(operation_idx).bodies {
        let SchemaKind::Object(object) = &api.schemas.at(body.schema).kind else { continue };
        let is_text = |schema| matches!(api.schemas.at(schema).kind, SchemaKind::String(_) | SchemaKind::Any);
        names.extend(object.properties.iter().filter(|it| is_text(it.schema)).map(|it| normalise(&it.name)));
    }
    names
}

fn has_secret(names: &[String]) -> bool {
    names.iter().any(|name| SECRETS.contains(&name.as_str()))
}

/// The texts in the body of a call, by their normalised names.
fn texts_sent(action: &Action) -> Vec<(String, Value)> {
    let body = action.body.as_ref().filter(|body| body.present);
    let Some(gene) = body.and_then(|body| body.alternatives.get(body.active)) else { return Vec::new() };
    let Some(json) = gene.to_json() else { return Vec::new() };
    let text = |site: GeneSite| Some((normalise(&site.name), json.pointer(&site.pointer).filter(|it| it.is_string())?.clone()));
    gene.sites().into_iter().filter_map(text).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::{Value, json};

    use super::{Accounts, name_account, share_accounts};
    use crate::action::{Action, CallViolation, Malformation};
    use crate::api::{Api, OperationIdx};
    use crate::openapi::{Origin, parse};
    use crate::search::{Budget, Individual, Problem, SearchSettings, SearchState};

    /// Operations whose bodies have these texts.
    pub(in crate::search) fn api(operations: &[(&str, &[&str])]) -> Api {
        let post = |names: &[&str]| {
            let fields: serde_json::Map<_, _> =
                names.iter().map(|name| (name.to_string(), json!({"type": "string"}))).collect();
            let schema = json!({"type": "object", "required": names, "properties": fields});
            let body = json!({"required": true, "content": {"application/json": {"schema": schema}}});
            json!({"post": {"requestBody": body, "responses": {"200": {"description": ""}}}})
        };
        let paths: serde_json::Map<_, _> = operations.iter().map(|(path, names)| (path.to_string(), post(names))).collect();
        let document = json!({"openapi": "3.1.0", "info": {"title": "", "version": ""}, "paths": paths});
        parse(&document.to_string(), &Origin::Text).expect("a document")
    }

    fn at(api: &Api, url_path: &str) -> OperationIdx {
        let mut all = (0..).map(OperationIdx).take(api.operations.len());
        all.find(|idx| api.operation(*idx).url_path == url_path).expect("it is there")
    }

    #[test]
    fn whoever_logs_in_does_so_to_what_has_most_in_common() {
        let api = api(&[
            ("/admins", &["email", "password"]),
            ("/users", &["username", "password", "note"]),
            ("/login", &["username", "password"]),
            ("/sessions/{id}/close", &["password"]),
            ("/auth", &["code"]),
        ]);
        let all: Vec<_> = (0..).map(OperationIdx).take(api.operations.len()).collect();
        let accounts = Accounts::new(&api, &all);
        let [admins, users, login] = ["/admins", "/users", "/login"].map(|path| at(&api, path));
        let found: Vec<_> = all.iter().filter_map(|idx| Some((*idx, accounts.maker(*idx)?))).collect();
        assert_eq!(found, [(login, users)]);
        assert!(share_accounts(&api, users, login) && share_accounts(&api, admins, login));
        assert!(!share_accounts(&api, login, users) && !share_accounts(&api, users, at(&api, "/auth")));
    }

    #[test]
    fn a_call_that_logs_in_says_what_the_account_was_made_with() {
        let api = api(&[("/users", &["email", "password", "note"]), ("/login", &["username", "password", "note", "device"])]);
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![OperationIdx(0), OperationIdx(1)], 0, &settings);
        let call = |url_path: &str, body: Value| {
            let mut action = problem.template(at(&api, url_path));
            let sent = action.body.as_mut().expect("a body");
            sent.present = true;
            assert!(sent.alternatives[0].assign(&body));
            action
        };
        let sent = |action: &Action| action.body.as_ref().expect("a body").alternatives[0].to_json();
        let maker = call("/users", json!({"email": "a@b.c", "password": "s3cret", "note": "x"}));
        let mut login = call("/login", json!({"username": "u", "password": "p", "note": "n", "device": "d"}));
        name_account(&mut login, &maker);
        assert_eq!(sent(&login), Some(json!({"username": "a@b.c", "password": "s3cret", "note": "x", "device": "d"})));
        let accounts = Accounts::new(&api, &[OperationIdx(0), OperationIdx(1)]);
        let other = call("/users", json!({"email": "d@e.f", "password": "s3cret", "note": "x"}));
        let mut spoilt = maker.clone();
        spoilt.violation = Some(CallViolation::Request(Malformation::CutBody));
        let made_at = |before: &[&Action]| {
            let actions: Vec<Action> = before.iter().copied().chain([&login]).cloned().collect();
            let made_at = accounts.made_at(&actions, before.len());
            assert_eq!(accounts.n_foreign(&actions), usize::from(made_at.is_none()));
            assert!(made_at.is_none_or(|idx| accounts.is_logged_in_to(&actions, idx)));
            made_at
        };
        assert_eq!([&[&maker, &other][..], &[&other], &[&spoilt], &[]].map(made_at), [Some(0), None, None, None]);
        let mut state = SearchState::new(&problem);
        state.worked.entry(maker.operation_idx).or_default().push_back(other);
        let alone = Individual { actions: vec![login.clone()] };
        let completed = state.with_accounts(&problem, &alone).expect("it has no account");
        let bodies: Vec<_> = completed.actions.iter().filter_map(sent).collect();
        assert_eq!(bodies[1], json!({"username": "d@e.f", "password": "s3cret", "note": "x", "device": "d"}));
        assert_eq!(bodies[0]["email"], bodies[1]["username"]);
        assert!(state.with_accounts(&problem, &completed).is_none());
    }
}
