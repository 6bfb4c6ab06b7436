//! Runs one test after the other against a service, and keeps the service alive between them.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::action::{ActionResult, Answer, Outcome, Request, UserIdx};
use crate::api::OperationIdx;
use crate::exec::{HttpSettings, Revival, Service};
use crate::random::Random;
use crate::report::{CurlSettings, Mask, curl_line, shortened, user_variables};
use crate::suite::{AnswerPart, CapturedValues, Difference, TestCall, TestCase, TestSuite, differences};

use super::fix::fixed;
use super::{DifferingCall, Replayed, Verdict};

/// Characters shown of a body.
const MAX_BODY: usize = 200;

/// Runs tests of a suite.
#[derive(Debug)]
pub struct Player<'a> {
    suite: &'a TestSuite,
    http: &'a HttpSettings,
    service: Service,
    users: BTreeMap<String, UserIdx>,
    /// Shell variables with credentials, by [`UserIdx`].
    user_variables: Vec<String>,
    operations: BTreeMap<&'a str, OperationIdx>,
    /// For texts that are others each time.
    random: Random,
    /// Why nothing can be asked any more.
    lost: Option<String>,
}

/// How far a test came.
enum Played {
    /// To its end; everything is as expected.
    Through,
    /// To a call whose answer is not as expected.
    Stopped(Box<Stopped>),
    /// To a call for which nobody was there. The service is there again, with this to say about it.
    NobodyThere(String),
    /// To a call during which the user stopped it.
    Interrupted,
}

/// A call whose answer is not as expected.
struct Stopped {
    position: usize,
    result: ActionResult,
    differences: Vec<Difference>,
    /// What happened to the service, if anything did.
    note: Option<String>,
}

impl<'a> Player<'a> {
    /// Runs tests of `suite` on `service`, which is called as `http` says and knows every user of the suite that the tests
    /// need.
    ///
    /// # Panics
    /// Never: a suite has fewer than 2^32 operations, a service fewer than 2^16 users.
    pub fn new(suite: &'a TestSuite, service: Service, http: &'a HttpSettings) -> Self {
        let names: Vec<String> = service.users.names().map(str::to_owned).collect();
        let user_variables = user_variables(&names, &suite.users);
        let user = |(idx, name): (usize, String)| (name, UserIdx(u16::try_from(idx).expect("user numbers fit in 16 bits")));
        let users = names.into_iter().enumerate().map(user).collect();
        let called: BTreeSet<&str> =
            suite.tests.iter().flat_map(|test| &test.calls).map(|call| call.operation.as_str()).collect();
        let operation =
            |(idx, id): (usize, &'a str)| (id, OperationIdx(u32::try_from(idx).expect("fewer than 2^32 operations")));
        let operations = called.into_iter().enumerate().map(operation).collect();
        // The service may have seen those of an earlier time.
        let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let random = Random::new(clock.as_secs() ^ u64::from(clock.subsec_nanos()).rotate_left(32), 0);
        Self { suite, http, service, users, user_variables, operations, random, lost: None }
    }

    /// Where the service is called, without a slash at the end.
    pub fn base_url(&self) -> &str {
        self.service.client.base_url()
    }

    /// Ends the service when it is ours.
    pub fn end(&mut self) {
        self.service.end();
    }

    /// Runs `tests`, which are some of the suite, until the user stops it; `tell` is called as soon as it is known what
    /// became of one. Gives them in their order, and whether they are all done.
    ///
    /// Where nothing resets the service, a test may need what others leave behind, as it may have in the run: one that
    /// differs is asked once more after all others.
    ///
    /// # Errors
    /// Those of `tell`, which end it.
    pub fn play_all<E>(
        &mut self,
        tests: &[&TestCase],
        tell: &mut dyn FnMut(&Replayed) -> Result<(), E>,
    ) -> Result<(Vec<Replayed>, bool), E> {
        let (mut all, mut again) = (Vec::new(), Vec::new());
        for test in tests {
            let Some(replayed) = self.play(test) else { break };
            let differs = matches!(replayed.verdict, Verdict::Changed | Verdict::Fixed);
            if differs && !self.service.resets() && tests.len() > 1 {
                again.push(all.len());
            } else {
                tell(&replayed)?;
            }
            all.push(replayed);
        }
        let mut is_done = all.len() == tests.len();
        for idx in again {
            let second = if is_done && self.lost.is_none() { self.play(tests[idx]) } else { None };
            is_done &= second.is_some() || self.lost.is_some();
            match second {
                Some(second) if second.verdict == Verdict::Same => {
                    let note = Some("only after the other tests: it needs what they leave behind".to_owned());
                    all[idx] = Replayed { note, ..second };
                }
                Some(second) => all[idx] = second,
                None => {}
            }
            tell(&all[idx])?;
        }
        Ok((all, is_done))
    }

    /// Runs `test`, which is one of the suite; none when the user stopped it.
    fn play(&mut self, test: &TestCase) -> Option<Replayed> {
        if test.calls.is_empty() {
            let note = test.notes.first().cloned();
            return Some(Replayed { note, ..Replayed::new(test, Verdict::Skipped) });
        }
        let mut note = None;
        // Somebody else's call may have ended the service, or its last one after the answer: such a test gets another try.
        for _ in 0..2 {
            if self.service.stop.is_requested() {
                return None;
            }
            if let Some(reason) = &self.lost {
                return Some(Replayed { note: Some(reason.clone()), ..Replayed::new(test, Verdict::Gone) });
            }
            if let Err(error) = self.service.try_reset() {
                let is_stopped = self.service.stop.is_requested();
                let gone = Replayed { note: Some(error.to_string()), ..Replayed::new(test, Verdict::Gone) };
                return (!is_stopped).then(|| self.masked(gone));
            }
            match self.run(test) {
                Played::Interrupted => return None,
                Played::Through => return Some(Replayed { note, ..Replayed::new(test, Verdict::Same) }),
                Played::Stopped(stopped) => return Some(self.judged(test, *stopped, note)),
                Played::NobodyThere(why) => note = Some(why),
            }
        }
        let note = note.map(|why| format!("{why}, and it was so again"));
        Some(self.masked(Replayed { note, ..Replayed::new(test, Verdict::Gone) }))
    }

    fn run(&mut self, test: &TestCase) -> Played {
        let mut captured = CapturedValues::default();
        for (idx, call) in test.calls.iter().enumerate() {
            captured.draw(call, &mut self.random);
            let request = self.request(call, &captured);
            let result = self.service.send(&request, &mut || {});
            if result.answer().is_none() && self.service.stop.is_requested() {
                return Played::Interrupted;
            }
            let note = match self.after(&result) {
                Ok(note) => note,
                Err(nobody_there) => return nobody_there,
            };
            let mut differences = self.differences(call, &result, &mut captured);
            if let Some(note) = note.as_ref().filter(|_| differences.is_empty()) {
                differences.push(Difference::new(AnswerPart::Answer, "a service that lives on", note));
            }
            if !differences.is_empty() {
                return Played::Stopped(Box::new(Stopped { position: idx + 1, result, differences, note }));
            }
        }
        Played::Through
    }

    fn request(&self, call: &TestCall, captured: &CapturedValues) -> Request {
        let user = call.user.as_ref().and_then(|name| self.users.get(name)).copied();
        captured.request(call, self.operations[call.operation.as_str()], user)
    }

    /// Sees to the service after a call: what happened to it, if anything did; an error when nobody was there for the call.
    fn after(&mut self, result: &ActionResult) -> Result<Option<String>, Played> {
        let revival = match result.outcome {
            Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => {
                self.service.revive(result.request.operation_idx)
            }
            Outcome::Answered(_) | Outcome::Unsent(_) => Revival::Alive,
        };
        if self.service.stop.is_requested() && !matches!(revival, Revival::Alive) {
            return Err(Played::Interrupted);
        }
        let note = revival.death().map(|how| match &revival {
            Revival::Restarted(_) => format!("the service ended {how}, and was started anew"),
            Revival::Dead(_) => format!("the service ended {how}, and does not start any more"),
            Revival::Lost | Revival::Alive => "the service does not answer any more".to_owned(),
        });
        if matches!(revival, Revival::Dead(_) | Revival::Lost) {
            self.lost.clone_from(&note);
        }
        match &result.outcome {
            Outcome::Failed(reason) => {
                Err(Played::NobodyThere(note.unwrap_or_else(|| format!("the service could not be called ({reason})"))))
            }
            _ => Ok(note),
        }
    }

    /// In what the outcome of `call` is not as expected; what it captures is taken.
    fn differences(&self, call: &TestCall, result: &ActionResult, captured: &mut CapturedValues) -> Vec<Difference> {
        let expected =
            if call.is_dropped() { "a connection that breaks off".to_owned() } else { format!("status {}", call.status) };
        let no_answer = |found: String| vec![Difference::new(AnswerPart::Answer, expected.clone(), found)];
        match &result.outcome {
            Outcome::Answered(answer) if call.is_dropped() => no_answer(format!("status {}", answer.status)),
            Outcome::Answered(answer) => {
                let mut found = differences(call, answer);
                // What cannot be captured because of something else says nothing of its own.
                if found.is_empty() {
                    found = captured.take(call, answer);
                }
                found
            }
            Outcome::Disconnected(_) if call.is_dropped() => Vec::new(),
            Outcome::Disconnected(reason) => no_answer(format!("a connection that broke off ({reason})")),
            Outcome::TimedOut => no_answer(format!("nothing within {} s", self.http.time_limit.as_secs_f64())),
            Outcome::Failed(reason) => no_answer(format!("no connection ({reason})")),
            Outcome::Unsent(reason) => no_answer(format!("a call that cannot be sent ({reason})")),
        }
    }

    fn judged(&self, test: &TestCase, stopped: Stopped, earlier: Option<String>) -> Replayed {
        let Stopped { position, result, differences, note } = stopped;
        let call = &test.calls[position - 1];
        let fixed = match (result.answer(), &note) {
            (Some(answer), None) => fixed(test, call, answer.status, &differences),
            _ => Vec::new(),
        };
        let verdict = if fixed.is_empty() { Verdict::Changed } else { Verdict::Fixed };
        let call = DifferingCall {
            position,
            of: test.calls.len(),
            operation: call.operation.clone(),
            differences,
            body: result.answer().and_then(beginning),
            curl: curl_line(&result.request, &self.curl_settings()),
        };
        self.masked(Replayed { fixed, call: Some(call), note: note.or(earlier), ..Replayed::new(test, verdict) })
    }

    fn curl_settings(&self) -> CurlSettings<'_> {
        CurlSettings {
            base_url: self.base_url(),
            insecure: self.suite.insecure || self.http.insecure,
            headers: &self.http.headers,
            user_variables: &self.user_variables,
        }
    }

    /// The same without credentials in what the service said or was sent.
    fn masked(&self, mut replayed: Replayed) -> Replayed {
        let of_headers = self.http.headers.iter().filter(|(name, _)| crate::report::is_secret_name(name));
        let secrets: Vec<String> =
            self.service.users.secrets().into_iter().chain(of_headers.map(|(_, value)| value.clone())).collect();
        let mask = Mask::new(&secrets);
        let hide = |text: &mut String| *text = mask.apply(text).into_owned();
        replayed.note.iter_mut().for_each(hide);
        if let Some(call) = &mut replayed.call {
            hide(&mut call.curl);
            call.body.iter_mut().for_each(hide);
            call.differences.iter_mut().for_each(|difference| hide(&mut difference.found));
        }
        replayed
    }
}

/// The beginning of a body that is text.
fn beginning(answer: &Answer) -> Option<String> {
    let text = std::str::from_utf8(&answer.body).ok().map(str::trim).filter(|text| !text.is_empty())?;
    Some(shortened(text, MAX_BODY).into_owned())
}
