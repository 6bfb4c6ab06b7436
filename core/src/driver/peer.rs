//! One connected driver, and what its messages mean for the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use restive_driver_protocol::message::{
    Expansion, Feedback as Message, Hint as HintMessage, Origin, Raised, Routes, Units, UnitsFrom, capability,
};
use restive_driver_protocol::{DriverConnection, Error, Reply, Request, cell};
use serde::{Deserialize, Serialize};

use crate::search::{CodeId, Exception, ExceptionKind, Feedback, Hint, ReadInput, ReadPlace};

use super::hint_traffic::{self, Told};
use super::places::Places;

/// Units asked for at once.
const UNITS_AT_ONCE: u32 = 2_000;

/// Schemas that are kept, at most, and bytes of one.
const MOST_SCHEMAS: usize = 1_000;
const LONGEST_SCHEMA: usize = 1 << 18;

/// What the name of a statement begins with.
const LINE: &str = "line:";

/// A process that measures the service, or might.
#[derive(Debug)]
pub(super) struct Peer {
    connection: DriverConnection,
    /// By the driver's own ids.
    ids: Vec<CodeId>,
    /// Schemas of inputs by place and name, each as it was told last.
    schemas: BTreeMap<(ReadPlace, String), Arc<str>>,
    /// Hints of this session.
    told: Told,
}

/// One feedback in terms of the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Part {
    /// What it is about.
    pub(super) origin: Origin,
    /// Places that came nearer.
    pub(super) reached: Vec<(CodeId, f64)>,
    /// Those among them that were also reached while no action ran.
    pub(super) background: Vec<CodeId>,
    last_statement: Option<String>,
    exceptions: Vec<Exception>,
    /// What was done with tracked values.
    pub(super) hints: Vec<Hint>,
    inputs: Vec<ReadInput>,
    /// Bytes of the hints on the wire.
    pub(super) hint_bytes: u64,
    /// Hints that came before in this session.
    pub(super) repeated_hints: u64,
}

impl Part {
    /// Adds what it says to `feedback`, except for work that no call asked for.
    pub(super) fn join(self, feedback: &mut Feedback) {
        let is_own = |(code, _): &(CodeId, f64)| self.background.binary_search(code).is_err();
        feedback.reached.extend(self.reached.into_iter().filter(is_own));
        feedback.last_statement = feedback.last_statement.take().or(self.last_statement);
        feedback.exceptions.extend(self.exceptions);
        feedback.hints.extend(self.hints);
        feedback.inputs.extend(self.inputs);
    }
}

impl Peer {
    /// A driver that was just met.
    pub(super) fn new(connection: DriverConnection) -> Self {
        Self { connection, ids: Vec::new(), schemas: BTreeMap::new(), told: Told::default() }
    }

    /// The ids of `new` for the places that `old` has named for it.
    pub(super) fn renumber(&mut self, old: &Places, new: &mut Places) {
        for id in &mut self.ids {
            *id = new.intern(old.name(*id));
        }
    }

    /// What it is, for people: `restive-agent 0.1.0 in OpenJDK 17.0.15`.
    pub(super) fn description(&self) -> String {
        let hello = self.connection.hello();
        format!("{} in {}", hello.driver, hello.runtime)
    }

    /// Whether it measures any unit of the service.
    pub(super) fn measures(&mut self) -> bool {
        self.connection.units(UnitsFrom { known: 0, limit: 0 }).is_ok_and(|units| units.measured > 0)
    }

    /// Whether it tells what is done with tracked values.
    pub(super) fn tells_hints(&self) -> bool {
        self.connection.hello().capabilities.iter().any(|it| it == capability::HINTS)
    }

    /// What frameworks have registered; none of a driver that does not know it.
    pub(super) fn routes(&mut self) -> Option<Routes> {
        let knows = self.connection.hello().capabilities.iter().any(|it| it == capability::ROUTES);
        if knows { self.connection.routes().ok() } else { None }
    }

    /// All units with the reasons why some are not measured.
    pub(super) fn all_units(&mut self) -> Result<Units, Error> {
        let mut all: Option<Units> = None;
        loop {
            let known = all.as_ref().map_or(0, |units| u32::try_from(units.units.len()).unwrap_or(u32::MAX));
            let mut more = self.connection.units(UnitsFrom { known, limit: UNITS_AT_ONCE })?;
            let is_last = more.units.is_empty();
            all = Some(match all {
                None => more,
                Some(mut before) => {
                    before.units.append(&mut more.units);
                    Units { units: before.units, ..more }
                }
            });
            if is_last {
                return all.ok_or(Error::Closed);
            }
        }
    }

    /// Sends `requests` in one round trip; gives all feedback among the replies. A refused request is passed over: the
    /// connection is still in order.
    pub(super) fn exchange(&mut self, requests: &[Request], places: &mut Places) -> Result<Vec<Part>, Error> {
        let replies = self.connection.exchange(requests)?;
        let feedback = replies.into_iter().filter_map(|reply| match reply {
            Reply::Feedback(feedback) => Some(*feedback),
            _ => None,
        });
        feedback.map(|message| self.read(message, places)).collect()
    }

    fn read(&mut self, message: Message, places: &mut Places) -> Result<Part, Error> {
        let Message { changed, origin, names, background, last_statement, exceptions, hints, expansions, .. } = message;
        if names.first as usize != self.ids.len() && !names.texts.is_empty() {
            return Err(Error::Unexpected { found: "names out of order", wanted: "names that follow those before" });
        }
        self.ids.extend(names.texts.iter().map(|name| places.intern(name)));
        let unnamed = Error::Unexpected { found: "a target without a name", wanted: "its name before it" };
        let reached = changed.iter().map(|change| Some((self.id(change.id)?, cell::closeness(change.cell))));
        let reached = reached.collect::<Option<Vec<_>>>().ok_or(unnamed)?;
        let mut background: Vec<CodeId> = background.iter().filter_map(|id| self.id(*id)).collect();
        background.sort_unstable();
        let repeated = hints.iter().filter(|hint| self.told.is_known(*hint)).count();
        Ok(Part {
            hint_bytes: hints.iter().map(hint_traffic::size).sum(),
            repeated_hints: repeated as u64,
            origin,
            reached: reached.into_iter().filter(|(_, closeness)| *closeness > 0.0).collect(),
            background,
            last_statement: last_statement.and_then(|id| self.statement(id, places)),
            exceptions: exceptions.into_iter().filter_map(|raised| self.exception(raised, places)).collect(),
            hints: known_hints(hints),
            inputs: self.known_inputs(expansions),
        })
    }

    /// Inputs of places that are known here, in an order that does not depend on the service's threads.
    fn known_inputs(&mut self, expansions: Vec<Expansion>) -> Vec<ReadInput> {
        let mut inputs = Vec::new();
        for Expansion { place, name, schema } in expansions {
            let Some(place) = ReadPlace::of_name(&place) else { continue };
            let key = (place, name.clone());
            let has_room = self.schemas.len() < MOST_SCHEMAS || self.schemas.contains_key(&key);
            if !schema.is_empty() && schema.len() <= LONGEST_SCHEMA && has_room {
                self.schemas.insert(key.clone(), schema.into());
            }
            inputs.push(ReadInput { place, name, schema: self.schemas.get(&key).cloned().unwrap_or_default() });
        }
        inputs.sort_unstable();
        inputs
    }

    fn id(&self, id: u32) -> Option<CodeId> {
        self.ids.get(id as usize).copied()
    }

    /// Class and line: `com.acme.Foo:42`.
    fn statement(&self, id: u32, places: &Places) -> Option<String> {
        let name = places.name(self.id(id)?);
        Some(name.strip_prefix(LINE).unwrap_or(name).to_owned())
    }

    /// None for kinds that are not known here.
    fn exception(&self, raised: Raised, places: &Places) -> Option<Exception> {
        let Raised { kind, type_name, message, statement, trace } = raised;
        let statement = statement.and_then(|id| self.statement(id, places));
        let kind = match kind.as_str() {
            "uncaught" => ExceptionKind::Uncaught,
            "caught" => ExceptionKind::Caught,
            "exit" => ExceptionKind::Exit,
            "killed" => ExceptionKind::Stopped,
            _ => return None,
        };
        Some(Exception { type_name, message, statement, trace, kind })
    }
}

/// Hints of usages that are known here, in an order that does not depend on the service's threads.
fn known_hints(hints: Vec<HintMessage>) -> Vec<Hint> {
    let known = |HintMessage { tracked, usage, operand }: HintMessage| Hint::told(tracked, &usage, operand);
    let mut hints: Vec<Hint> = hints.into_iter().filter_map(known).collect();
    hints.sort_unstable();
    hints
}
