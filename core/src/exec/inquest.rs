//! Finds out what ended the service: not always the call during which the end shows.
//!
//! A service may answer and end a moment later, when others are being called. So what was called lately is called once
//! more on the service started anew: first what is most suspicious, alone, then everything together, halved as long as a
//! half ends the service by itself. Each operation that is found guilty is charged with later deaths without another
//! trial.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use crate::action::{ActionResult, Outcome, Request};
use crate::api::{Api, OperationIdx, Verb};
use crate::search::{AFTERMATH, Death, Proof};

use super::client::{Pulse, Question};
use super::{Client, Service, Stop};

/// Calls that ended longer ago than this before the end showed are not suspected.
const WINDOW: Duration = Duration::from_secs(10);
/// How long it gets after calls of which the last one broke off in the first place.
const QUICK_DEATH: Duration = Duration::from_secs(1);
/// Trials that showed nothing, after which none is held any more.
const MAX_FRUITLESS: u32 = 2;
/// Paths at which calls of an operation are kept.
const MAX_PATHS: usize = 3;
/// Operations whose names tell that they end the service, tried alone at most.
const MAX_NAMED: usize = 3;
/// Statuses by which an operation says that it takes nothing of a call, whatever else it has. Others may be those of whoever
/// answers where no operation is, or go by what is there (409).
const REFUSALS: [u16; 4] = [400, 406, 415, 422];
/// Words in paths of operations that end a service.
const ENDING_WORDS: [&str; 10] =
    ["exit", "halt", "kill", "poweroff", "quit", "restart", "shutdown", "stop", "suspend", "terminate"];

/// Time-outs in a row after which a service of ours is taken for hanging and started anew, though something answers.
const MAX_TIME_OUTS: u32 = 5;
/// Probes, each with the time limit of a call, that a service of ours may leave without an answer after a time-out: it
/// may still be busy with the call that nobody waits for any more.
const HANG_PROBES: usize = 4;
/// The same after a call of an operation that was seen to stop the whole service.
const KNOWN_HANG_PROBES: usize = 1;
/// How long probes are waited for at first: where a thread of the service is blocked, which has some of the connections to
/// serve, others are answered at once.
const QUICK_PROBE: Duration = Duration::from_millis(500);

/// What was called lately, and what is known to end the service.
#[derive(Debug, Default)]
pub struct Inquest {
    /// The latest calls that reached the service since it was started: of each operation one for each of the last few paths, for
    /// what ends the service at its own path may have been called beside it since then.
    latest: BTreeMap<OperationIdx, Vec<Latest>>,
    /// The very latest such call, of a service of somebody else too.
    last: Option<(OperationIdx, Instant)>,
    n_calls: u64,
    guilty: BTreeMap<OperationIdx, Manner>,
    fruitless: u32,
    /// Operations after which the service answered nothing any more.
    hanging: BTreeSet<OperationIdx>,
    /// What a GET asked for last that succeeded: path below the base URL with the query.
    known: Option<String>,
    /// How long a service that does not answer is asked again before it is taken for hanging, at most.
    pub patience: Option<Duration>,
}

/// A call that reached the service.
#[derive(Debug, Clone)]
struct Latest {
    number: u64,
    ended: Instant,
    request: Request,
    /// Whether the service took none of it.
    is_refused: bool,
}

/// How an operation ends the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// In the middle of its call.
    AtOnce,
    /// After its answer.
    AfterAnswer,
}

impl Inquest {
    /// Takes in a call; its request is kept if it can be called again, on a service that can be started anew.
    pub(super) fn note(&mut self, result: &ActionResult, can_restart: bool) {
        if !reached_service(&result.outcome) {
            return;
        }
        if result.request.verb == Verb::Get && matches!(result.status(), Some(200..=299)) {
            self.known = Some(result.request.url.clone());
        }
        let (operation_idx, ended) = (result.request.operation_idx, Instant::now());
        self.last = Some((operation_idx, ended));
        if can_restart {
            self.n_calls += 1;
            let calls = self.latest.entry(operation_idx).or_default();
            calls.retain(|call| path_of(&call.request) != path_of(&result.request));
            let is_refused = result.status().is_some_and(|status| REFUSALS.contains(&status));
            calls.insert(0, Latest { number: self.n_calls, ended, request: result.request.clone(), is_refused });
            calls.truncate(MAX_PATHS);
        }
    }

    /// Forgets all calls: the service was started anew.
    pub(super) fn forget_calls(&mut self) {
        self.latest.clear();
        self.last = None;
    }

    /// What shows within `limit` of whether the service lives, at the `nth` look, from 0: what was answered before, what was
    /// refused, which changes nothing when it is sent again, and the root of the base URL are asked in turn, for a call may
    /// have told the service to be late at some of them.
    pub(super) fn pulse(&self, nth: usize, client: &Client, limit: Duration) -> Pulse {
        let refused = self.latest.values().flatten().filter(|call| call.is_refused).max_by_key(|call| call.number);
        let refused = refused.map(|call| Question::Again(&call.request));
        let known = self.known.as_deref().map(Question::Get);
        let questions: Vec<Question<'_>> = known.into_iter().chain(refused).chain([Question::Get("/")]).collect();
        client.pulse(questions[nth % questions.len()], limit)
    }

    /// The operation that was called last, unless that is long ago.
    pub(super) fn last(&self) -> Option<OperationIdx> {
        self.last.filter(|(_, ended)| ended.elapsed() <= WINDOW).map(|(operation_idx, _)| operation_idx)
    }

    /// How a process hangs after so many time-outs in a row, of which the last was a call of `called`, when it does: the
    /// call that stopped it is the one to blame, not one of those that come after.
    pub(super) fn hang(&mut self, called: OperationIdx, time_outs: u32, client: &Client, stop: &Stop) -> Option<String> {
        if time_outs >= MAX_TIME_OUTS {
            return Some(format!("by hanging: {MAX_TIME_OUTS} calls in a row without an answer"));
        }
        let n_probes = if self.hanging.contains(&called) { KNOWN_HANG_PROBES } else { HANG_PROBES };
        let until = self.patience.map(|patience| Instant::now() + patience);
        let is_silent = [QUICK_PROBE, Duration::MAX].into_iter().all(|limit| {
            (0..n_probes).all(|nth| {
                let left = until.map_or(limit, |until| until.saturating_duration_since(Instant::now()).min(limit));
                left.is_zero() || (!stop.is_requested() && self.pulse(nth, client, left) == Pulse::Silent)
            })
        });
        if is_silent && !stop.is_requested() {
            self.hanging.insert(called);
        }
        is_silent.then(|| "by hanging: it answers nothing any more".to_owned())
    }

    /// Asks a service that left a call without an answer a few times, each for a moment: the next call goes where it answers.
    pub(super) fn settle(&self, client: &Client, stop: &Stop) {
        let is_silent = |nth| !stop.is_requested() && self.pulse(nth, client, QUICK_PROBE) == Pulse::Silent;
        let _answered = (0..HANG_PROBES).find(|nth| !is_silent(*nth));
    }

    /// What may have ended the service now, first to last.
    fn suspects(&self) -> Vec<Request> {
        let mut recent: Vec<&Latest> = self.latest.values().flatten().filter(|call| call.ended.elapsed() <= WINDOW).collect();
        recent.sort_by_key(|call| call.number);
        recent.into_iter().map(|call| call.request.clone()).collect()
    }
}

/// The path of a call, without its query.
fn path_of(request: &Request) -> &str {
    request.url.split('?').next().unwrap_or_default()
}

/// Whether a call got as far as the service.
fn reached_service(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Answered(_) | Outcome::TimedOut | Outcome::Disconnected(_) => true,
        Outcome::Failed(_) | Outcome::Unsent(_) => false,
    }
}

impl Service {
    /// Charges an operation with the end of the service, `how`, that showed in `result`; `suspects` is what
    /// [`Self::suspects`] gave before the service was started anew, as it is now.
    pub fn charge(&mut self, api: &Api, how: String, result: &ActionResult, suspects: &[Request]) -> Death {
        let seen = result.request.operation_idx;
        let broke = reached_service(&result.outcome);
        let manner = |operation_idx: OperationIdx| self.inquest.guilty.get(&operation_idx).copied();
        // What ends the service at once does so in its own call; what takes its time may have been called before others.
        let slow = suspects.iter().rev().map(|request| request.operation_idx);
        let slow = slow.into_iter().find(|operation_idx| manner(*operation_idx) == Some(Manner::AfterAnswer));
        let known = if broke && manner(seen).is_some() { Some(seen) } else { slow };
        if let Some(culprit) = known {
            return Death { how, culprit, proof: Proof::Untried };
        }
        // Nobody to be called is left in the test of a call that did not get through.
        let last = suspects.last().map_or(seen, |request| request.operation_idx);
        let culprit = if broke { seen } else { last };
        if self.inquest.fruitless >= MAX_FRUITLESS {
            return Death { how, culprit, proof: Proof::Untried };
        }
        if let Some(requests) = self.try_again(api, result, suspects) {
            let culprit = requests.last().map_or(culprit, |request| request.operation_idx);
            return Death { how, culprit, proof: Proof::Shown(requests) };
        }
        self.inquest.fruitless += 1;
        Death { how, culprit, proof: Proof::NotShown }
    }

    /// What was called since the service was started and may have ended it, first to last, a few calls per operation; nothing
    /// when it is not ours to start.
    pub fn suspects(&self) -> Vec<Request> {
        self.inquest.suspects()
    }

    /// Calls again what may have ended the service; gives what did so again.
    fn try_again(&mut self, api: &Api, result: &ActionResult, suspects: &[Request]) -> Option<Vec<Request>> {
        if let Some(driver) = &mut self.driver {
            driver.pause();
        }
        if reached_service(&result.outcome) && self.ends_by(std::slice::from_ref(&result.request), QUICK_DEATH) {
            return Some(vec![result.request.clone()]);
        }
        let named = suspects.iter().rev().filter(|request| sounds_ending(api, request.operation_idx)).take(MAX_NAMED);
        let named: Vec<Request> = named.cloned().collect();
        for request in named {
            if self.ends_by(std::slice::from_ref(&request), AFTERMATH) {
                return Some(vec![request]);
            }
        }
        (suspects.len() > 1 && self.ends_by(suspects, AFTERMATH)).then(|| self.narrowed(suspects))
    }

    /// The smallest part of `requests`, which end the service together, that is found by halving them.
    fn narrowed(&mut self, requests: &[Request]) -> Vec<Request> {
        let mut requests = requests;
        while requests.len() > 1 {
            let (first, second) = requests.split_at(requests.len() / 2);
            // The later half more often holds what showed last.
            let half = [second, first].into_iter().find(|half| self.ends_by(half, AFTERMATH));
            let Some(half) = half else { break };
            requests = half;
        }
        requests.to_vec()
    }

    /// Whether the service ends within `patience` when it is sent `requests`; it then runs again, when that is possible.
    fn ends_by(&mut self, requests: &[Request], patience: Duration) -> bool {
        let mut was_answered = false;
        for request in requests {
            if self.stop.is_requested() || !self.is_running() {
                break;
            }
            let result = self.send(request, &mut || {});
            was_answered = matches!(result.outcome, Outcome::Answered(_));
            if matches!(result.outcome, Outcome::TimedOut) {
                break;
            }
        }
        let has_ended = self.ends_within(patience);
        if has_ended {
            if let [request] = requests {
                let manner = if was_answered { Manner::AfterAnswer } else { Manner::AtOnce };
                self.inquest.guilty.insert(request.operation_idx, manner);
            }
            self.start_again();
        }
        self.time_outs = 0;
        has_ended
    }

    fn ends_within(&self, patience: Duration) -> bool {
        let start = Instant::now();
        while self.is_running() && start.elapsed() < patience {
            if !self.stop.sleep(Duration::from_millis(20)) {
                return false;
            }
        }
        !self.is_running()
    }

    fn is_running(&self) -> bool {
        self.sut.as_ref().is_some_and(super::Sut::is_alive)
    }

    /// Whether it runs, as far as that is known.
    pub(super) fn is_there(&self) -> bool {
        self.sut.is_none() || self.is_running()
    }
}

/// Whether the path of an operation has a word for ending something.
fn sounds_ending(api: &Api, operation_idx: OperationIdx) -> bool {
    let url_path = api.operation(operation_idx).url_path.to_ascii_lowercase();
    let mut words = url_path.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| ENDING_WORDS.contains(&word)) || url_path.replace(['-', '_'], "").contains("shutdown")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use crate::action::Answer;
    use crate::exec::test_server::{always, answering, client_within, read_request, server};

    use super::*;

    /// What a service on `port` is said to be after a call that timed out, when `inquest` is patient for half a second.
    fn hang_of(port: u16, inquest: Inquest) -> Option<String> {
        let client = client_within(format!("http://127.0.0.1:{port}"), Duration::from_mins(5));
        Inquest { patience: Some(Duration::from_millis(500)), ..inquest }.hang(OperationIdx(0), 1, &client, &Stop::default())
    }

    #[test]
    fn a_silent_service_is_taken_for_hanging_when_patience_ends_and_one_that_does_anything_is_not() {
        let silent = server(|stream, _| {
            std::thread::sleep(Duration::from_mins(10));
            drop(stream);
        });
        let talking = answering(|_| ("200 OK".to_owned(), String::new()));
        let announcing = server(always("HTTP/1.1 164 Soon\r\n\r\n"));
        let closing = server(|mut stream, _| drop(read_request(&mut stream)));
        for (port, hangs) in [(silent, true), (talking, false), (announcing, false), (closing, false)] {
            let how = hang_of(port, Inquest::default());
            assert_eq!(how.is_some(), hangs, "{how:?}");
        }
    }

    #[test]
    fn a_service_that_is_silent_at_its_root_alone_does_not_hang() {
        let port = server(|mut stream, _| {
            let is_known = read_request(&mut stream).starts_with("GET /hours?day=1 ");
            if !is_known {
                std::thread::sleep(Duration::from_mins(10));
            }
            let _gone = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
        });
        assert!(hang_of(port, Inquest::default()).is_some());
        let mut inquest = Inquest::default();
        inquest.note(&answered("/hours?day=1"), true);
        assert_eq!(hang_of(port, inquest), None);
    }

    #[test]
    fn a_service_that_still_refuses_something_does_not_hang() {
        let port = server(|mut stream, _| {
            let is_known = read_request(&mut stream).starts_with("PUT /expectation ");
            if !is_known {
                std::thread::sleep(Duration::from_mins(10));
            }
            let _gone = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
        });
        let put = |url: &str, operation: u32, status| {
            let result = answered(url);
            let outcome = Outcome::Answered(Answer { status, ..Answer::default() });
            let request = Request { verb: Verb::Put, operation_idx: OperationIdx(operation), ..result.request };
            ActionResult { request, outcome, ..result }
        };
        let mut inquest = Inquest::default();
        inquest.note(&put("/expectation", 0, 400), true);
        // What was taken is not sent again, nor what nobody may have refused.
        inquest.note(&put("/reset", 1, 200), true);
        inquest.note(&put("/unknown/reset", 1, 404), true);
        inquest.note(&put("/reset/user", 1, 409), true);
        assert_eq!(hang_of(port, inquest), None);
    }

    fn answered(url: &str) -> ActionResult {
        let request = Request {
            operation_idx: OperationIdx(0),
            verb: Verb::Get,
            url: url.to_owned(),
            headers: Vec::new(),
            body: None,
            user: None,
        };
        let outcome = Outcome::Answered(Answer { status: 200, ..Answer::default() });
        ActionResult { request, outcome, elapsed: Duration::ZERO }
    }

    #[test]
    fn what_was_called_beside_its_path_does_not_hide_what_was_called_at_it() {
        let mut inquest = Inquest::default();
        for url in ["/a", "/expire?now=1", "/expire?now=2", "/unknown/expire", "/expire/", "/unknown/expire?x"] {
            inquest.note(&answered(url), true);
        }
        let suspects: Vec<String> = inquest.suspects().into_iter().map(|request| request.url).collect();
        assert_eq!(suspects, ["/expire?now=2", "/expire/", "/unknown/expire?x"]);
    }
}
