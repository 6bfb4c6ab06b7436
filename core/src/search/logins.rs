//! Logging in: which answers have credentials, and which operations want them.
//!
//! What is answered 401 or 403 wants credentials (RFC 9110, 15.5.2 and 15.5.4), and so does what sends its callers to a login.
//! Where the run was given none, an earlier call of the test may tell a token, which is sent as RFC 6750, 2.1 says, or set the
//! cookie of a session. Whether that helps shows, for each operation: one that goes on to refuse is left alone.

use std::collections::{BTreeMap, BTreeSet};

use crate::action::{Action, ActionResult, Answer, Link, url_path};
use crate::api::{OperationIdx, SecurityScheme};
use crate::random::Random;

use super::Individual;
use super::accounts::{Accounts, sends_secret};
use super::credentials::{Part, credentials_in};
use super::names::logs_in;

/// How often credentials are sent whatever comes of it.
const SENT_ANYWAY: u32 = 12;
/// One of so many calls with them must be let in from then on.
const LEAST_LET_IN: u32 = 8;

/// What is known of credentials, and of who wants them.
#[derive(Debug, Clone, Default)]
pub struct Logins {
    /// By the operation that gives them out.
    credentials: BTreeMap<OperationIdx, Credentials>,
    /// What came of calls with credentials, of operations that refused others.
    wanting: BTreeMap<OperationIdx, Tries>,
    /// How callers show them, as the document says.
    schemes: Vec<SecurityScheme>,
    /// Whether the run has credentials of its user's.
    is_off: bool,
}

/// What the answers of an operation have that lets callers in.
#[derive(Debug, Clone)]
struct Credentials {
    parts: Vec<Part>,
    /// What came of calls with them that are refused otherwise.
    tries: Tries,
}

/// What came of calls with credentials: of one operation, for others may want another role, or with those of one login.
#[derive(Debug, Clone, Copy, Default)]
struct Tries {
    n_sent: u32,
    n_let_in: u32,
}

impl Tries {
    fn is_worth_it(self) -> bool {
        self.n_sent < SENT_ANYWAY || self.n_let_in * LEAST_LET_IN >= self.n_sent
    }

    /// The share of calls that were let in, as far as so few can tell (Laplace's rule of succession).
    fn share(self) -> f64 {
        f64::from(self.n_let_in + 1) / f64::from(self.n_sent + 2)
    }

    fn note(&mut self, was_let_in: bool) {
        self.n_sent += 1;
        self.n_let_in += u32::from(was_let_in);
    }
}

impl Logins {
    /// None known, of a document with these `schemes`. A run that `has_credentials` needs no others.
    pub fn new(schemes: Vec<SecurityScheme>, has_credentials: bool) -> Self {
        Self { schemes, is_off: has_credentials, ..Self::default() }
    }

    /// Whether an answer has any.
    pub fn are_known(&self) -> bool {
        !self.credentials.is_empty()
    }

    /// Takes in what came of the call at `call_idx` of a test; gives operations that are to be called with credentials now.
    pub fn learn(&mut self, actions: &[Action], results: &[ActionResult], call_idx: usize) -> Vec<OperationIdx> {
        let answer_of = |idx: usize| results.get(idx).and_then(ActionResult::answer);
        let (Some(action), Some(answer)) = (actions.get(call_idx), answer_of(call_idx)) else { return Vec::new() };
        if self.is_off || action.violation.is_some() {
            return Vec::new();
        }
        let operation_idx = action.operation_idx;
        if let Some(link) = action.links.iter().find(|link| link.place.shows_credentials()) {
            // A login that was refused itself gave none.
            let is_sent = answer_of(link.from_action).is_some_and(lets_in);
            if let Some(maker) = actions.get(link.from_action).filter(|_| is_sent) {
                self.note(operation_idx, maker.operation_idx, answer);
            }
        } else if is_refusal(answer) {
            // A wrong password is answered 401, too.
            if logs_in(url_path(&results[call_idx].request.url)) && sends_secret(action) {
                return Vec::new();
            }
            let is_news = !self.credentials.is_empty() && !self.wanting.contains_key(&operation_idx);
            self.wanting.entry(operation_idx).or_default();
            return if is_news { vec![operation_idx] } else { Vec::new() };
        }
        if !lets_in(answer) || self.credentials.contains_key(&operation_idx) {
            return Vec::new();
        }
        let parts = credentials_in(&self.schemes, action, &results[call_idx], answer);
        if parts.is_empty() {
            return Vec::new();
        }
        // What others could not do for an operation says nothing of these.
        self.wanting.values_mut().filter(|tries| tries.n_let_in == 0).for_each(|tries| *tries = Tries::default());
        self.credentials.insert(operation_idx, Credentials { parts, tries: Tries::default() });
        self.wanting.keys().copied().filter(|idx| *idx != operation_idx).collect()
    }

    /// A call with the credentials that `maker` gave out came back.
    fn note(&mut self, operation_idx: OperationIdx, maker: OperationIdx, answer: &Answer) {
        if let Some(tries) = self.wanting.get_mut(&operation_idx) {
            tries.note(!is_refusal(answer));
            // What is not found, or cannot be read, may not have been looked at by whom it is.
            if let Some(credentials) = self.credentials.get_mut(&maker).filter(|_| lets_in(answer) || is_refusal(answer)) {
                credentials.tries.note(lets_in(answer));
            }
        }
    }

    /// The operation that gives out credentials for `operation_idx`; none where it wants none, gives them out itself, or none
    /// have helped.
    pub fn maker_of_credentials(&self, operation_idx: OperationIdx, random: &mut Random) -> Option<OperationIdx> {
        if !self.wants(operation_idx) {
            return None;
        }
        random.pick(&self.best()).copied()
    }

    /// Who gives out what lets in most often.
    fn best(&self) -> Vec<OperationIdx> {
        let share = |credentials: &Credentials| credentials.tries.share();
        let most = self.credentials.values().map(share).fold(0.0, f64::max);
        let best = self.credentials.iter().filter(|(_, credentials)| share(credentials) >= most);
        best.map(|(idx, _)| *idx).collect()
    }

    /// Has `action` sent with the credentials in the answer of the action at `from_action`, which is of `maker`.
    pub fn let_in(&self, action: &mut Action, maker: OperationIdx, from_action: usize) {
        let parts = self.credentials.get(&maker).into_iter().flat_map(|credentials| credentials.parts.iter().cloned());
        action.links.extend(parts.map(|(place, source)| Link { place, from_action, source }));
    }

    /// Has all calls of a test show the credentials of its first login, and takes out the logins that others went by until then,
    /// with what made their accounts.
    pub fn share(&self, individual: &mut Individual, accounts: &Accounts) {
        let mut in_vain = BTreeSet::new();
        let best = self.best();
        for idx in 1..individual.actions.len() {
            let (before, rest) = individual.actions.split_at_mut(idx);
            let is_same = |it: &Action, other: &Action| it.operation_idx == other.operation_idx;
            let shown = rest[0].links.iter().find(|link| link.place.shows_credentials()).map(|link| link.from_action);
            let first = match shown {
                Some(position) => before.iter().position(|action| is_same(action, &before[position])),
                None if self.wants(rest[0].operation_idx) => {
                    before.iter().position(|action| best.contains(&action.operation_idx))
                }
                None => None,
            };
            let Some(first) = first.filter(|first| shown != Some(*first)) else { continue };
            in_vain.extend(shown);
            rest[0].links.retain(|link| !link.place.shows_credentials());
            self.let_in(&mut rest[0], before[first].operation_idx, first);
        }
        while let Some(idx) = in_vain.pop_last() {
            if individual.is_linked(idx) {
                continue;
            }
            let made_by = accounts.maker(individual.actions[idx].operation_idx);
            individual.remove(idx);
            if made_by == Some(individual.actions[idx - 1].operation_idx) && !individual.is_linked(idx - 1) {
                individual.remove(idx - 1);
                in_vain.remove(&(idx - 1));
            }
        }
    }

    fn wants(&self, operation_idx: OperationIdx) -> bool {
        let is_wanting = self.wanting.get(&operation_idx).is_some_and(|tries| tries.is_worth_it());
        is_wanting && !self.credentials.contains_key(&operation_idx)
    }
}

/// The calls of a test that later ones are let in by: logins, and what makes their accounts.
pub fn guards(actions: &[Action], accounts: &Accounts) -> BTreeSet<usize> {
    let links = actions.iter().flat_map(|action| &action.links).filter(|link| link.place.shows_credentials());
    let logins: BTreeSet<usize> = links.map(|link| link.from_action).collect();
    let makers = logins.iter().filter_map(|login| accounts.made_at(actions, *login));
    makers.chain(logins.iter().copied()).collect()
}

/// Whether callers are to show who they are, or may not do this: by its status, or as it sends them to a login.
fn is_refusal(answer: &Answer) -> bool {
    let leads_to_login = || answer.header("location").is_some_and(|location| logs_in(url_path(location)));
    matches!(answer.status, 401 | 403) || (matches!(answer.status, 300..400) && leads_to_login())
}

/// Whether the answer of a login says that it worked: browsers are sent on then.
fn lets_in(answer: &Answer) -> bool {
    answer.status < 400 && !is_refusal(answer)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::{Logins, SENT_ANYWAY, guards, is_refusal, lets_in};
    use crate::action::{Action, ActionResult, Answer, LinkPlace, Outcome, Request};
    use crate::api::{Api, Operation, OperationIdx, Verb};
    use crate::random::Random;
    use crate::search::accounts::Accounts;
    use crate::search::accounts::tests::api;
    use crate::search::{Budget, Individual, Problem, SearchSettings};

    const LOGIN: OperationIdx = OperationIdx(0);
    const NOTES: OperationIdx = OperationIdx(1);
    const USERS: OperationIdx = OperationIdx(2);

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
    fn who_is_sent_to_a_login_is_refused() {
        let sent_on = |location: &str| Answer {
            status: 302,
            headers: vec![("location".to_owned(), location.to_owned())],
            ..Answer::default()
        };
        for location in ["/login", "http://localhost:80/app/login?error", "/users/sign_in"] {
            assert!(is_refusal(&sent_on(location)) && !lets_in(&sent_on(location)), "{location}");
        }
        for location in ["/", "/orders/7", "http://localhost/home?from=/login"] {
            assert!(!is_refusal(&sent_on(location)) && lets_in(&sent_on(location)), "{location}");
        }
    }

    #[test]
    fn what_is_refused_is_called_with_a_token_until_that_shows_to_be_in_vain() {
        let (mut logins, mut random) = (Logins::new(Vec::new(), false), Random::new(1, 0));
        let refused = || Answer { status: 401, ..Answer::default() };
        let told = || json_answer(json!({"token": "a-12345678"}));
        let mut actions = [call(LOGIN), call(NOTES)];
        let results = |login, notes| [result(LOGIN, login), result(NOTES, notes)];
        assert!(logins.learn(&actions, &results(refused(), refused()), 1).is_empty());
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), None, "no token is known");
        assert_eq!(logins.learn(&actions, &results(told(), refused()), 0), [NOTES]);
        assert!(logins.learn(&actions, &results(told(), refused()), 0).is_empty(), "it is no news any more");
        logins.learn(&actions, &results(refused(), refused()), 0);
        assert_eq!(logins.maker_of_credentials(LOGIN, &mut random), None, "a wrong password wants no token");
        logins.let_in(&mut actions[1], LOGIN, 0);
        assert_eq!(actions[1].links[0].place, LinkPlace::Credentials("Authorization".to_owned(), "Bearer "));
        for _ in 0..SENT_ANYWAY {
            assert_eq!(logins.maker_of_credentials(NOTES, &mut random), Some(LOGIN));
            logins.learn(&actions, &results(refused(), refused()), 1);
            logins.learn(&actions, &results(told(), refused()), 1);
        }
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), None);
        logins.learn(&actions, &results(told(), json_answer(json!({}))), 1);
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), None, "one of thirteen is not enough");
        logins.learn(&actions, &results(told(), json_answer(json!({}))), 1);
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), Some(LOGIN));
    }

    #[test]
    fn of_several_tokens_the_one_that_lets_in_is_shown() {
        let (mut logins, mut random) = (Logins::new(Vec::new(), false), Random::new(1, 0));
        let other = OperationIdx(2);
        let mut actions = [call(LOGIN), call(NOTES), call(other)];
        let token = || json_answer(json!({"token": "a-12345678"}));
        let results = |status| {
            let notes = Answer { status, ..Answer::default() };
            [result(LOGIN, token()), result(NOTES, notes), result(other, token())]
        };
        (0..3).for_each(|call_idx| drop(logins.learn(&actions, &results(403), call_idx)));
        let mut makers = || (0..20).filter_map(|_| logins.maker_of_credentials(NOTES, &mut random)).collect::<BTreeSet<_>>();
        assert_eq!(makers(), [LOGIN, other].into());
        logins.let_in(&mut actions[1], LOGIN, 0);
        logins.learn(&actions, &results(200), 1);
        let makers: BTreeSet<_> = (0..20).filter_map(|_| logins.maker_of_credentials(NOTES, &mut random)).collect();
        assert_eq!(makers, [LOGIN].into());
    }

    #[test]
    fn a_login_is_known_though_it_showed_what_was_given_out_before() {
        let (mut logins, mut random) = (Logins::new(Vec::new(), false), Random::new(1, 0));
        let signup = OperationIdx(2);
        let mut actions = [call(signup), call(NOTES), call(LOGIN)];
        let token = || json_answer(json!({"token": "a-12345678"}));
        let results = |status| {
            let notes = Answer { status, ..Answer::default() };
            [result(signup, token()), result(NOTES, notes), result(LOGIN, token())]
        };
        (0..2).for_each(|call_idx| drop(logins.learn(&actions, &results(401), call_idx)));
        for action in &mut actions[1..] {
            logins.let_in(action, signup, 0);
        }
        (0..SENT_ANYWAY).for_each(|_| drop(logins.learn(&actions, &results(401), 1)));
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), None, "those of the account alone are in vain");
        assert_eq!(logins.learn(&actions, &results(401), 2), [NOTES]);
        assert_eq!(logins.maker_of_credentials(NOTES, &mut random), Some(LOGIN), "others may help");
        logins.learn(&actions, &results(404), 1);
        assert_eq!(logins.credentials[&signup].tries.n_sent, SENT_ANYWAY, "nobody knows whether anybody was let in");
    }

    /// Three operations: what makes accounts, what logs in to them, and what wants that; with what is known of them.
    fn of_accounts() -> (Api, Accounts, Logins) {
        let account = &["username", "password"][..];
        let api = api(&[("/login", account), ("/notes", &["title"]), ("/users", account)]);
        let paths: Vec<&str> = api.operations.iter().map(|operation| operation.url_path.as_str()).collect();
        assert_eq!(paths, ["/login", "/notes", "/users"]);
        let accounts = Accounts::new(&api, &[LOGIN, NOTES, USERS]);
        let mut logins = Logins::new(Vec::new(), false);
        let actions = [call(LOGIN), call(NOTES)];
        let refused = Answer { status: 401, ..Answer::default() };
        let results = [result(LOGIN, json_answer(json!({"token": "a-12345678"}))), result(NOTES, refused)];
        for call_idx in [1, 0] {
            logins.learn(&actions, &results, call_idx);
        }
        (api, accounts, logins)
    }

    #[test]
    fn a_wrong_password_wants_no_credentials() {
        let (api, _, mut logins) = of_accounts();
        let settings = SearchSettings::new(Budget::Calls(1), 1);
        let problem = Problem::new(&api, vec![LOGIN, NOTES, USERS], 0, &settings);
        let refused = |operation_idx: OperationIdx| {
            let mut result = result(operation_idx, Answer { status: 401, ..Answer::default() });
            result.request.url = api.operation(operation_idx).url_path.clone();
            result
        };
        logins = Logins { credentials: logins.credentials.into_values().map(|it| (OperationIdx(3), it)).collect(), ..logins };
        for operation_idx in [LOGIN, USERS] {
            logins.learn(&[problem.template(operation_idx)], &[refused(operation_idx)], 0);
        }
        let maker = |operation_idx| logins.maker_of_credentials(operation_idx, &mut Random::new(1, 0));
        assert_eq!([LOGIN, USERS].map(maker), [None, Some(OperationIdx(3))]);
    }

    #[test]
    fn all_calls_of_a_test_go_by_its_first_login() {
        let (_, accounts, logins) = of_accounts();
        let mut individual =
            Individual { actions: [USERS, LOGIN, NOTES, USERS, LOGIN, NOTES, NOTES, LOGIN].map(call).to_vec() };
        for (idx, from_action) in [(2, 1), (5, 4)] {
            logins.let_in(&mut individual.actions[idx], LOGIN, from_action);
        }
        assert_eq!(guards(&individual.actions, &accounts), [0, 1, 3, 4].into());
        logins.share(&mut individual, &accounts);
        let left: Vec<_> = individual.actions.iter().map(|action| action.operation_idx).collect();
        assert_eq!(left, [USERS, LOGIN, NOTES, NOTES, NOTES, LOGIN], "the last login is no one's, so that it is what is tried");
        let shown =
            individual.actions.iter().map(|action| action.links.iter().map(|link| link.from_action).collect::<Vec<_>>());
        assert_eq!(shown.collect::<Vec<_>>(), [vec![], vec![], vec![1], vec![1], vec![1], vec![]]);
        let once = individual.clone();
        logins.share(&mut individual, &accounts);
        assert_eq!(format!("{once:?}"), format!("{individual:?}"));
    }

    #[test]
    fn a_run_with_credentials_learns_of_no_others() {
        let mut logins = Logins::new(Vec::new(), true);
        let actions = [call(LOGIN), call(NOTES)];
        let refused = Answer { status: 403, ..Answer::default() };
        let results = [result(LOGIN, json_answer(json!({"token": "a-12345678"}))), result(NOTES, refused)];
        assert!([1, 0].iter().all(|call_idx| logins.learn(&actions, &results, *call_idx).is_empty()));
        assert_eq!(logins.maker_of_credentials(NOTES, &mut Random::new(1, 0)), None);
    }
}
