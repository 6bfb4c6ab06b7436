//! What an executor remembers of a run: it writes down what the service answers, and in a run that is resumed it gives
//! the answers that were written down, as long as there are any.

use std::time::{Duration, Instant};

use crate::action::ActionResult;
use crate::api::Api;
use crate::driver::{Aside, Driver, Exchange};
use crate::exec::{Service, Sut};
use crate::journal::{Call, Entry, Event, Executed, Journal};
use crate::search::{ExecutedCall, Execution, Feedback, Individual};

use super::execute::{Rendered, RestExecutor};
use super::forgotten::{Forgotten, SentAgain};

/// How often drivers are asked for the classes that they have seen, so that those of a run that is killed are known; only
/// new ones are written down.
const UNITS_EVERY: Duration = Duration::from_secs(2);

/// The journal of the run, and how it stands by it.
#[derive(Debug)]
pub(super) struct Memory {
    journal: Option<Journal>,
    /// What drivers told before the past was repeated; some while it is.
    aside: Option<Aside>,
    /// What drivers told of each call of the execution under way, and whether it was of the action.
    calls: Vec<Vec<Exchange>>,
    clock: Clock,
    renewal_time: Option<Duration>,
    /// How often the service was started anew in earlier lives of the run, less what this one had done when it went on.
    restarts: i64,
    /// What a service that is started anew now has to be told again.
    forgotten: Forgotten,
    /// What came of that.
    sent_again: SentAgain,
    units_asked: Duration,
    /// Calls that were remembered.
    n_calls: u64,
    /// Whether the run did not go on as it is written down.
    is_misfit: bool,
}

/// Time since the run began, as of the last thing that was waited for: a run that is resumed reads the same.
#[derive(Debug)]
struct Clock {
    now: Duration,
    /// In earlier lives of the run.
    before: Duration,
    since: Instant,
    /// How many times as fast as others it goes.
    speed: u32,
    /// Time that is not the search's.
    left_out: Duration,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            journal: None,
            aside: None,
            calls: Vec::new(),
            clock: Clock {
                now: Duration::ZERO,
                before: Duration::ZERO,
                since: Instant::now(),
                speed: 1,
                left_out: Duration::ZERO,
            },
            renewal_time: None,
            restarts: 0,
            forgotten: Forgotten::default(),
            sent_again: SentAgain::default(),
            units_asked: Duration::ZERO,
            n_calls: 0,
            is_misfit: false,
        }
    }
}

/// What was remembered when it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remembered {
    /// Calls whose answers were there already.
    pub calls: u64,
    /// Whether the run then went another way than the one that is written down.
    pub is_misfit: bool,
    /// Calls that were sent once more, so that the service is where it was.
    pub sent_again: SentAgain,
}

impl Memory {
    /// Time since the run began, less what was left out.
    pub(super) fn clock(&self) -> Duration {
        self.clock.now.saturating_sub(self.clock.left_out)
    }

    /// The time since [`clock`](Self::clock) told `moment` is not counted.
    pub(super) fn leave_out_since(&mut self, moment: Duration) {
        self.clock.left_out += self.clock().saturating_sub(moment);
    }

    /// Whether tests were made at this point of an earlier life.
    pub(super) fn comes_to_tests(&mut self) -> bool {
        self.journal.as_mut().is_some_and(Journal::comes_to_tests)
    }

    /// What starting the service anew takes, by `service` or as it was then.
    pub(super) fn renewal_time(&self, service: &Service) -> Option<Duration> {
        if self.is_past() { self.renewal_time } else { service.sut.as_ref().map(Sut::start_time) }
    }

    /// How often the service was started anew, in all lives of the run.
    pub(super) fn restarts(&self, service: &Service) -> u64 {
        let now = i64::try_from(service.restarts()).unwrap_or(i64::MAX);
        u64::try_from(if self.is_past() { self.restarts } else { self.restarts + now }).unwrap_or(0)
    }

    /// Why not all of the run is written down, where something went wrong.
    pub(super) fn trouble(&self) -> Option<&str> {
        self.journal.as_ref().and_then(Journal::trouble)
    }

    /// How much was remembered.
    pub(super) fn remembered(&self) -> Remembered {
        Remembered { calls: self.n_calls, is_misfit: self.is_misfit, sent_again: self.sent_again }
    }

    fn is_past(&self) -> bool {
        self.aside.is_some() || self.journal.as_ref().is_some_and(Journal::is_past)
    }

    fn is_writing(&self) -> bool {
        !self.is_past() && self.journal.as_ref().is_some_and(Journal::is_open)
    }

    /// Keeps what drivers told of the call that just ended.
    pub(super) fn note_call(&mut self, driver: Option<&mut Driver>) {
        if self.is_writing() {
            self.calls.push(driver.map(Driver::take_exchanges).unwrap_or_default());
        }
    }

    /// From now on the clock goes so many times as fast as others.
    pub(super) fn speed_up(&mut self, speed: u32) {
        self.clock.speed = speed;
    }

    /// What happens from now on is not part of a run that is resumed.
    fn close(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.close(None);
        }
    }

    /// Reads the clock after something was waited for.
    fn tick(&mut self) {
        self.clock.now = self.clock.before + self.clock.since.elapsed() * self.clock.speed;
    }
}

impl RestExecutor<'_> {
    /// Has what happens written to `journal`, after what is in it is repeated; without one nothing is.
    pub(super) fn keep(&mut self, journal: Option<Journal>) {
        if let Some(driver) = &mut self.service.driver {
            match &journal {
                Some(journal) if journal.is_past() => self.memory.aside = Some(driver.rewind()),
                Some(_) => {}
                None => driver.drop_exchanges(),
            }
        }
        self.memory.journal = journal;
    }

    /// What executing `individual` gave in an earlier life of the run; it is given back where none did.
    pub(super) fn remember(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Individual> {
        let restarts = self.memory.restarts;
        let Some(entry) = self.next_entry() else { return Err(individual) };
        let was_restarted = self.memory.restarts != restarts;
        let Event::Execution(executed) = entry.event else {
            self.miss();
            return Err(individual);
        };
        let elapsed = executed.elapsed;
        let Some(told) = calls_again(self.api, &individual, executed) else {
            self.miss();
            return Err(individual);
        };
        self.memory.n_calls += told.len() as u64;
        self.note_changes(told.iter().map(|(call, ..)| &call.result), was_restarted);
        let mut calls = Vec::with_capacity(told.len());
        for (action, (mut call, told, has_feedback)) in individual.actions.iter().zip(told) {
            call.feedback = self.repeat(told, has_feedback);
            self.note_wanted_body(action, &call.result, call.feedback.as_mut());
            calls.push(call);
            meanwhile();
        }
        Ok(Execution { individual, calls, elapsed })
    }

    /// Whether the service was renewed at this point of an earlier life; none where there is none.
    pub(super) fn remember_renewal(&mut self) -> Option<bool> {
        let entry = self.next_entry()?;
        let Event::Renewal(was_renewed) = entry.event else {
            self.miss();
            return None;
        };
        self.repeat(entry.exchanges, false);
        if was_renewed {
            self.memory.forgotten.clear();
        }
        Some(was_renewed)
    }

    /// Notes what calls of an earlier life may have changed in the service, which at their end `was_restarted` or not. One that
    /// others have started runs on and still has it.
    fn note_changes<'a>(&mut self, results: impl Iterator<Item = &'a ActionResult>, was_restarted: bool) {
        if self.service.resets() || was_restarted {
            self.memory.forgotten.clear();
        } else if self.service.sut.is_some() {
            results.for_each(|result| self.memory.forgotten.note(result));
        }
    }

    /// Begins to make tests, of a search that `is_whole`: one that was stopped is to be gone on with.
    pub(super) fn begin_tests(&mut self, is_whole: bool) {
        if !is_whole {
            self.memory.close();
        }
        match self.next_entry() {
            Some(Entry { event: Event::Tests, exchanges, .. }) => {
                self.repeat(exchanges, false);
            }
            Some(_) => self.miss(),
            None => {
                if let Some(driver) = &mut self.service.driver {
                    driver.ask_units();
                }
                self.note(Event::Tests);
            }
        }
    }

    /// Writes down what an execution gave. One that the user cut short is none.
    pub(super) fn note_execution(&mut self, execution: &Execution) {
        self.memory.tick();
        let told = std::mem::take(&mut self.memory.calls);
        if !self.memory.is_writing() {
            // Nobody asks for what a journal that is closed would have kept.
            if let Some(driver) = &mut self.service.driver {
                driver.drop_exchanges();
            }
            return;
        }
        if self.service.stop.is_requested() && execution.calls.len() < execution.individual.actions.len() {
            self.memory.close();
            return;
        }
        let calls = execution.calls.iter().zip(told).map(|(call, exchanges)| Call::of(call, exchanges));
        let executed = Executed {
            n_actions: u32::try_from(execution.individual.actions.len()).unwrap_or(u32::MAX),
            fingerprint: Executed::fingerprint(execution.calls.iter().map(|call| &call.result.request)),
            calls: calls.collect(),
            elapsed: execution.elapsed,
        };
        self.write(Event::Execution(executed), Vec::new());
        if self.memory.clock.now >= self.memory.units_asked + UNITS_EVERY {
            self.memory.units_asked = self.memory.clock.now;
            if let Some(driver) = &mut self.service.driver {
                driver.ask_units();
            }
        }
    }

    /// Writes down something else that was waited for.
    pub(super) fn note(&mut self, event: Event<'_>) {
        self.memory.tick();
        if self.memory.is_writing() {
            let exchanges = self.service.driver.as_mut().map(Driver::take_exchanges).unwrap_or_default();
            self.write(event, exchanges);
        }
    }

    fn write(&mut self, event: Event<'_>, exchanges: Vec<Exchange>) {
        let (renewal_time, restarts) = (self.memory.renewal_time(&self.service), self.memory.restarts(&self.service));
        let entry = Entry { exchanges, event, clock: self.memory.clock.now, renewal_time, restarts };
        if let Some(journal) = &mut self.memory.journal {
            journal.note(&entry);
        }
    }

    /// The next entry of an earlier life, and how things stood after it; where there is none, the service takes over.
    fn next_entry(&mut self) -> Option<Entry<'static>> {
        let entry = self.memory.journal.as_mut().filter(|journal| journal.is_past())?.next();
        match &entry {
            Some(entry) => {
                let restarts = i64::try_from(entry.restarts).unwrap_or(i64::MAX);
                (self.memory.clock.now, self.memory.renewal_time, self.memory.restarts) =
                    (entry.clock, entry.renewal_time, restarts);
            }
            None => self.go_on(),
        }
        entry
    }

    /// The entry that was read last is not what the run comes to.
    fn miss(&mut self) {
        if let Some(journal) = &mut self.memory.journal {
            journal.give_up_past();
        }
        self.memory.is_misfit = true;
        self.go_on();
    }

    /// The past is repeated: from here on the service answers.
    fn go_on(&mut self) {
        if let (Some(driver), Some(aside)) = (&mut self.service.driver, self.memory.aside.take()) {
            driver.go_on(aside);
        }
        let forgotten = std::mem::take(&mut self.memory.forgotten);
        self.memory.sent_again = forgotten.send_again(&mut self.service);
        let clock = &mut self.memory.clock;
        (clock.before, clock.since) = (clock.now, Instant::now());
        self.memory.restarts -= i64::try_from(self.service.restarts()).unwrap_or(i64::MAX);
        self.memory.units_asked = self.memory.clock.now;
    }

    /// Tells once more what drivers told; the last of it may be of an action.
    fn repeat(&mut self, mut told: Vec<Exchange>, has_feedback: bool) -> Option<Feedback> {
        let driver = self.service.driver.as_mut()?;
        let last = if has_feedback { told.pop() } else { None };
        for exchange in told {
            driver.repeat(exchange);
        }
        driver.repeat_end(last?)
    }
}

/// A call as it was, without feedback; what drivers told of it, and whether the last of that is of the action.
type ToldCall = (ExecutedCall, Vec<Exchange>, bool);

/// The calls of an execution, if it is one of `individual`.
fn calls_again(api: &Api, individual: &Individual, executed: Executed<'_>) -> Option<Vec<ToldCall>> {
    if individual.actions.len() != executed.n_actions as usize {
        return None;
    }
    let (mut calls, mut told): (Vec<ExecutedCall>, Vec<_>) = Default::default();
    for (action, call) in individual.actions.iter().zip(executed.calls) {
        let Rendered { request, links } = Rendered::new(api, action, &calls);
        told.push((call.exchanges.clone(), call.has_feedback));
        let sut_death = call.sut_death.clone().into_owned();
        calls.push(ExecutedCall { result: call.into_result(request), links, sut_death, feedback: None });
    }
    if Executed::fingerprint(calls.iter().map(|call| &call.result.request)) != executed.fingerprint {
        return None;
    }
    Some(calls.into_iter().zip(told).map(|(call, (told, has_feedback))| (call, told, has_feedback)).collect())
}

#[cfg(test)]
mod tests;
