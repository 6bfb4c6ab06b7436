//! Sends the calls of individuals, one after the other, and keeps the service alive between them.

use std::time::Instant;

use crate::action::{Action, Outcome, Request, render};
use crate::api::Api;
use crate::exec::Service;
use crate::exec::service::Revival;
use crate::search::{ExecutedCall, Execution, Executor, Halt, Individual};

/// Executes individuals against a service.
#[derive(Debug)]
pub(super) struct RestExecutor<'a> {
    api: &'a Api,
    pub(super) service: Service,
    lost: bool,
}

/// What comes of one call.
struct Step {
    call: ExecutedCall,
    /// Whether the next one can follow.
    goes_on: bool,
}

impl<'a> RestExecutor<'a> {
    /// An executor that has sent nothing.
    pub(super) fn new(api: &'a Api, service: Service) -> Self {
        Self { api, service, lost: false }
    }

    /// Sends one action after `earlier` ones; none when the user stopped it before anything could be told.
    fn step(&mut self, action: &Action, earlier: &[ExecutedCall], meanwhile: &mut dyn FnMut()) -> Option<Step> {
        let (request, links) = self.request(action, earlier);
        let result = self.service.send(&request, meanwhile);
        if result.answer().is_none() && self.service.stop.is_requested() {
            return None;
        }
        // Whether a service lives is looked up where no operation is either, so that there it would say the same.
        let is_telling = !action.leads_astray() || self.service.sut.is_some();
        let revival = match result.outcome {
            Outcome::TimedOut | Outcome::Disconnected(_) if !is_telling => Revival::Alive,
            Outcome::TimedOut | Outcome::Disconnected(_) | Outcome::Failed(_) => self.service.revive(),
            Outcome::Answered(_) | Outcome::Unsent(_) => Revival::Alive,
        };
        self.lost = matches!(revival, Revival::Lost | Revival::Dead(_));
        if self.lost && self.service.stop.is_requested() {
            // Nobody waited long enough to say what became of the service.
            return None;
        }
        let sut_death = revival.death().map(str::to_owned);
        Some(Step { call: ExecutedCall { result, links, sut_death }, goes_on: revival == Revival::Alive })
    }

    /// The request of `action`, and the positions of its links that found a value.
    fn request(&self, action: &Action, earlier: &[ExecutedCall]) -> (Request, Vec<usize>) {
        let mut links = Vec::new();
        let request = render(self.api, action, &mut |link| {
            let value = link.resolve(&earlier.get(link.from_action)?.result)?;
            links.extend(action.links.iter().position(|other| other == link));
            Some(value)
        });
        (request, links)
    }
}

impl Executor for RestExecutor<'_> {
    fn execute(&mut self, individual: Individual, meanwhile: &mut dyn FnMut()) -> Result<Execution, Halt> {
        if self.service.stop.is_requested() {
            return Err(Halt::Interrupted);
        }
        if self.lost {
            return Err(Halt::SutLost);
        }
        let began = Instant::now();
        self.service.reset();
        let mut calls = Vec::with_capacity(individual.actions.len());
        for action in &individual.actions {
            let Some(step) = self.step(action, &calls, meanwhile) else { break };
            calls.push(step.call);
            if !step.goes_on {
                break;
            }
        }
        if calls.is_empty() && !individual.actions.is_empty() {
            return Err(Halt::Interrupted);
        }
        Ok(Execution { individual, calls, elapsed: began.elapsed() })
    }
}
