//! Logging in: which answers have a token, and which operations want one.
//!
//! What is answered 401 or 403 wants credentials (RFC 9110, 15.5.2 and 15.5.4). Where the run was given none, an earlier
//! call of the test may tell a token, which is sent as RFC 6750, 2.1 says. Whether that helps shows, for each operation: one that
//! goes on to refuse is left alone.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::action::{Action, ActionResult, Answer, Link, LinkPlace, LinkSource};
use crate::api::OperationIdx;
use crate::random::Random;

use super::names::rank_of_token;

/// The scheme of RFC 6750, in front of a token.
const BEARER: &str = "Bearer ";
/// Characters of a token, at least.
const SHORTEST: usize = 8;
/// How deep in an answer a token is looked for.
const DEEPEST: usize = 3;
/// How often a token is sent whatever comes of it.
const SENT_ANYWAY: u32 = 12;
/// One of so many calls with it must be let in from then on.
const LEAST_LET_IN: u32 = 8;

/// What is known of tokens, and of who wants them.
#[derive(Debug, Clone, Default)]
pub struct Logins {
    /// By the operation that makes it.
    tokens: BTreeMap<OperationIdx, Token>,
    /// What came of calls with a token, of operations that refused others.
    wanting: BTreeMap<OperationIdx, Tries>,
    /// Whether the run has credentials of its user's.
    is_off: bool,
}

/// A token in the answers of an operation.
#[derive(Debug, Clone)]
struct Token {
    source: LinkSource,
    /// What stands in front of it where it is sent.
    scheme: &'static str,
    /// How many calls that are refused otherwise it let in.
    n_let_in: u32,
}

/// What came of calls with a token, of one operation: others may want another role.
#[derive(Debug, Clone, Copy, Default)]
struct Tries {
    n_sent: u32,
    n_let_in: u32,
}

impl Tries {
    fn is_worth_it(self) -> bool {
        self.n_sent < SENT_ANYWAY || self.n_let_in * LEAST_LET_IN >= self.n_sent
    }

    fn note(&mut self, was_let_in: bool) {
        self.n_sent += 1;
        self.n_let_in += u32::from(was_let_in);
    }
}

impl Logins {
    /// None known. A run that `has_credentials` needs no others.
    pub fn new(has_credentials: bool) -> Self {
        Self { is_off: has_credentials, ..Self::default() }
    }

    /// Takes in what came of the call at `call_idx` of a test; gives operations that are to be called with a token now.
    pub fn learn(&mut self, actions: &[Action], results: &[ActionResult], call_idx: usize) -> Vec<OperationIdx> {
        let answer_of = |idx: usize| results.get(idx).and_then(ActionResult::answer);
        let (Some(action), Some(answer)) = (actions.get(call_idx), answer_of(call_idx)) else { return Vec::new() };
        if self.is_off || action.violation.is_some() {
            return Vec::new();
        }
        let operation_idx = action.operation_idx;
        let is_refused = matches!(answer.status, 401 | 403);
        if let Some(link) = action.links.iter().find(|link| matches!(link.place, LinkPlace::Authorization(_))) {
            // A login that was refused itself gave none.
            let is_sent = answer_of(link.from_action).is_some_and(|answer| answer.status < 300);
            let maker = actions.get(link.from_action).map(|maker| maker.operation_idx).filter(|_| is_sent);
            if let Some(token) = maker.and_then(|maker| self.tokens.get_mut(&maker)) {
                token.n_let_in += u32::from(!is_refused);
            }
            if let Some(tries) = self.wanting.get_mut(&operation_idx).filter(|_| is_sent) {
                tries.note(!is_refused);
            }
            return Vec::new();
        }
        if is_refused {
            let is_news = !self.tokens.is_empty() && !self.wanting.contains_key(&operation_idx);
            self.wanting.entry(operation_idx).or_default();
            return if is_news { vec![operation_idx] } else { Vec::new() };
        }
        if answer.status >= 300 || self.tokens.contains_key(&operation_idx) {
            return Vec::new();
        }
        let Some((source, scheme)) = token_in(answer) else { return Vec::new() };
        self.tokens.insert(operation_idx, Token { source, scheme, n_let_in: 0 });
        self.wanting.keys().copied().filter(|idx| *idx != operation_idx).collect()
    }

    /// The operation that makes a token for `operation_idx`; none where it wants none, makes one itself, or none has helped.
    pub fn maker_of_token(&self, operation_idx: OperationIdx, random: &mut Random) -> Option<OperationIdx> {
        let is_wanting = self.wanting.get(&operation_idx).is_some_and(|tries| tries.is_worth_it());
        // A wrong password is answered 401, too.
        if !is_wanting || self.tokens.contains_key(&operation_idx) {
            return None;
        }
        // The one that helped most often, and any of them until one has.
        let most = self.tokens.values().map(|token| token.n_let_in).max()?;
        let best: Vec<OperationIdx> =
            self.tokens.iter().filter(|(_, token)| token.n_let_in == most).map(|(idx, _)| *idx).collect();
        random.pick(&best).copied()
    }

    /// Has `action` sent with the token in the answer of the action at `from_action`, which is of `maker`.
    pub fn let_in(&self, action: &mut Action, maker: OperationIdx, from_action: usize) {
        if let Some(Token { source, scheme, .. }) = self.tokens.get(&maker) {
            action.links.push(Link { place: LinkPlace::Authorization(scheme), from_action, source: source.clone() });
        }
    }
}

/// Where the token of an answer is, and what stands in front of it where it is sent.
fn token_in(answer: &Answer) -> Option<(LinkSource, &'static str)> {
    let is_bearer = |value: &str| value.get(..BEARER.len()).is_some_and(|start| start.eq_ignore_ascii_case(BEARER));
    let scheme_of = |value: &str| if is_bearer(value) { "" } else { BEARER };
    if let Some(value) = answer.header("authorization").filter(|value| is_bearer(value)) {
        return Some((LinkSource::Header("Authorization".to_owned()), scheme_of(value)));
    }
    let json = answer.json()?;
    if let Some(text) = json.as_str() {
        return is_jwt(text).then(|| (LinkSource::Body(String::new()), scheme_of(text)));
    }
    let mut found = Vec::new();
    collect_tokens(json, &mut String::new(), 0, &mut found);
    let (_, pointer) = found.into_iter().min()?;
    let scheme = scheme_of(json.pointer(&pointer)?.as_str()?);
    Some((LinkSource::Body(pointer), scheme))
}

/// RFC 7519, 3: a header, claims and a signature, each base64url without padding; the header is a JSON object.
fn is_jwt(text: &str) -> bool {
    text.starts_with("eyJ") && text.split('.').count() == 3
}

/// Adds the pointers of texts that may be tokens, with the rank of their names.
fn collect_tokens(value: &Value, pointer: &mut String, depth: usize, found: &mut Vec<(u8, String)>) {
    let Value::Object(fields) = value else { return };
    for (name, value) in fields {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
        let is_token = |text: &str| text.len() >= SHORTEST && !text.trim_start_matches(BEARER).contains(char::is_whitespace);
        if value.as_str().is_some_and(is_token) {
            found.extend(rank_of_token(name).map(|rank| (rank, pointer.clone())));
        } else if depth < DEEPEST {
            collect_tokens(value, pointer, depth + 1, found);
        }
        pointer.truncate(length);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::{BEARER, Logins, SENT_ANYWAY, token_in};
    use crate::action::{Action, ActionResult, Answer, LinkPlace, LinkSource, Outcome, Request};
    use crate::api::{Operation, OperationIdx, Verb};
    use crate::random::Random;

    const LOGIN: OperationIdx = OperationIdx(0);
    const NOTES: OperationIdx = OperationIdx(1);

    fn json_answer(json: Value) -> Answer {
        Answer { status: 200, json: Some(json), ..Answer::default() }
    }

    fn call(operation_idx: OperationIdx) -> Action {
        let (parameters, links) = (Vec::new(), Vec::new());
        Action { operation_idx, parameters, body: None, user: None, links, violation: None, expanded: None }
    }

    fn result(operation_idx: OperationIdx, answer: Answer) -> ActionResult {
        let operation = Operation::bare(Verb::Post, "/x");
        let request = Request {
            operation_idx,
            verb: operation.verb,
            url: operation.url_path,
            headers: Vec::new(),
            body: None,
            user: None,
        };
        ActionResult { request, outcome: Outcome::Answered(answer), elapsed: Duration::ZERO }
    }

    #[test]
    fn tokens_are_found_by_their_names_and_sent_behind_their_scheme() {
        let found = |json: Value| token_in(&json_answer(json));
        let at = |pointer: &str| Some((LinkSource::Body(pointer.to_owned()), BEARER));
        assert_eq!(found(json!({"refresh_token": "r-12345678", "access_token": "a-12345678"})), at("/access_token"));
        assert_eq!(found(json!({"user": {"name": "ann", "token": "a-12345678"}})), at("/user/token"));
        assert_eq!(found(json!("eyJhbGciOiJub25lIn0.e30.")), at(""));
        assert_eq!(found(json!({"jwt": "Bearer a-12345678"})), Some((LinkSource::Body("/jwt".to_owned()), "")));
        for json in
            [json!({"token": "short"}), json!({"token": "of many words"}), json!({"id": "a-12345678"}), json!("a-12345678")]
        {
            assert_eq!(found(json.clone()), None, "{json}");
        }
        let field = ("authorization".to_owned(), "Bearer a-12345678".to_owned());
        let answer = Answer { status: 200, headers: vec![field], ..Answer::default() };
        assert_eq!(token_in(&answer), Some((LinkSource::Header("Authorization".to_owned()), "")));
    }

    #[test]
    fn what_is_refused_is_called_with_a_token_until_that_shows_to_be_in_vain() {
        let (mut logins, mut random) = (Logins::new(false), Random::new(1, 0));
        let refused = || Answer { status: 401, ..Answer::default() };
        let told = || json_answer(json!({"token": "a-12345678"}));
        let mut actions = [call(LOGIN), call(NOTES)];
        let results = |login, notes| [result(LOGIN, login), result(NOTES, notes)];
        assert!(logins.learn(&actions, &results(refused(), refused()), 1).is_empty());
        assert_eq!(logins.maker_of_token(NOTES, &mut random), None, "no token is known");
        assert_eq!(logins.learn(&actions, &results(told(), refused()), 0), [NOTES]);
        assert!(logins.learn(&actions, &results(told(), refused()), 0).is_empty(), "it is no news any more");
        logins.learn(&actions, &results(refused(), refused()), 0);
        assert_eq!(logins.maker_of_token(LOGIN, &mut random), None, "a wrong password wants no token");
        logins.let_in(&mut actions[1], LOGIN, 0);
        assert_eq!(actions[1].links[0].place, LinkPlace::Authorization(BEARER));
        for _ in 0..SENT_ANYWAY {
            assert_eq!(logins.maker_of_token(NOTES, &mut random), Some(LOGIN));
            logins.learn(&actions, &results(refused(), refused()), 1);
            logins.learn(&actions, &results(told(), refused()), 1);
        }
        assert_eq!(logins.maker_of_token(NOTES, &mut random), None);
        logins.learn(&actions, &results(told(), json_answer(json!({}))), 1);
        assert_eq!(logins.maker_of_token(NOTES, &mut random), None, "one of thirteen is not enough");
        logins.learn(&actions, &results(told(), json_answer(json!({}))), 1);
        assert_eq!(logins.maker_of_token(NOTES, &mut random), Some(LOGIN));
    }

    #[test]
    fn of_several_tokens_the_one_that_lets_in_is_shown() {
        let (mut logins, mut random) = (Logins::new(false), Random::new(1, 0));
        let other = OperationIdx(2);
        let mut actions = [call(LOGIN), call(NOTES), call(other)];
        let token = || json_answer(json!({"token": "a-12345678"}));
        let results = |status| {
            let notes = Answer { status, ..Answer::default() };
            [result(LOGIN, token()), result(NOTES, notes), result(other, token())]
        };
        (0..3).for_each(|call_idx| drop(logins.learn(&actions, &results(403), call_idx)));
        let mut makers = || (0..20).filter_map(|_| logins.maker_of_token(NOTES, &mut random)).collect::<BTreeSet<_>>();
        assert_eq!(makers(), [LOGIN, other].into());
        logins.let_in(&mut actions[1], LOGIN, 0);
        logins.learn(&actions, &results(200), 1);
        let makers: BTreeSet<_> = (0..20).filter_map(|_| logins.maker_of_token(NOTES, &mut random)).collect();
        assert_eq!(makers, [LOGIN].into());
    }

    #[test]
    fn a_run_with_credentials_learns_of_no_others() {
        let mut logins = Logins::new(true);
        let actions = [call(LOGIN), call(NOTES)];
        let refused = Answer { status: 403, ..Answer::default() };
        let results = [result(LOGIN, json_answer(json!({"token": "a-12345678"}))), result(NOTES, refused)];
        assert!([1, 0].iter().all(|call_idx| logins.learn(&actions, &results, *call_idx).is_empty()));
        assert_eq!(logins.maker_of_token(NOTES, &mut Random::new(1, 0)), None);
    }
}
