//! Requests of a core, carried out on cells, names and units.

use std::collections::BTreeMap;
use std::sync::Arc;

use restive_driver_protocol::{Answer, COVERED, ErrorCode, Feedback, Handler, Names, Origin, Report, Request, StartTest};

use crate::changes::Changes;
use crate::travelled::Travelled;
use crate::{Catalogue, Cells, CellsError, Inventory, Seen};

/// Bytes of names in one feedback as they are sent, without what each shares with the one before it; the rest follows with
/// the next one, and counts as reached then. Far below the limit of a message, and enough for all of a large service's.
const NAME_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that a name takes beside its text, at most.
const NAME_HEAD: usize = 6;

/// How often a target may come nearer while no action ran before it counts as background: an action's work may end late.
const MOST_LATE: u8 = 2;

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// No test began yet.
    Boot,
    /// No action runs.
    Idle,
    /// The action of this index runs.
    Action(u32),
}

/// The part of a driver that answers a core.
#[derive(Debug)]
pub struct Runtime<C, N> {
    cells: C,
    catalogue: Arc<N>,
    inventory: Arc<Inventory>,
    changes: Changes,
    /// Targets whose names the core has.
    named: u32,
    stage: Stage,
    /// How often targets came nearer while no action ran; those that did so more often than [`MOST_LATE`] are background.
    between: BTreeMap<u32, u8>,
    noise: Vec<u8>,
    /// Hints and schemas that the core has.
    travelled: Travelled,
    feedback: Feedback,
}

impl<C: Cells, N: Catalogue> Runtime<C, N> {
    /// A runtime that was asked nothing yet.
    pub fn new(cells: C, catalogue: Arc<N>, inventory: Arc<Inventory>) -> Self {
        Self {
            cells,
            catalogue,
            inventory,
            changes: Changes::default(),
            named: 0,
            stage: Stage::Boot,
            between: BTreeMap::new(),
            noise: Vec::new(),
            travelled: Travelled::default(),
            feedback: Feedback::default(),
        }
    }

    /// Another core is served from now on: it knows no names, and what was reached so far is its boot.
    pub(crate) fn begin_session(&mut self) {
        self.changes.forget_all();
        (self.named, self.stage) = (0, Stage::Boot);
        self.between.clear();
        self.travelled.clear();
    }

    /// The core is gone: what it began ends, above all a kill.
    pub(crate) fn end_session(&mut self) {
        // Cells out of reach are the next core's worry.
        let _unreached = self.cells.start_action();
        let _untracked = self.cells.track(&[]);
        self.stage = Stage::Boot;
    }

    /// Reads the cells and makes the feedback of what grew.
    fn collect(&mut self, origin: Origin, action: u32) -> Result<(), CellsError> {
        self.append_names();
        let cells = self.cells.read(self.named as usize)?;
        let feedback = &mut self.feedback;
        self.changes.collect(cells, &mut feedback.changed);
        (feedback.origin, feedback.action) = (origin, action);
        feedback.background.clear();
        feedback.last_statement = None;
        feedback.exceptions.clear();
        feedback.hints.clear();
        feedback.expansions.clear();
        feedback.dropped = 0;
        match origin {
            Origin::Boot => {}
            Origin::Between => self.note_between(),
            Origin::Action => {
                self.cells.read_noise(&mut self.noise, self.named as usize)?;
                if !self.between.is_empty() || !self.noise.is_empty() {
                    let is_noise = |id: u32| self.noise.get(id as usize).is_some_and(|noise| *noise != 0);
                    let is_background = |id: &u32| self.between.get(id).is_some_and(|times| *times > MOST_LATE);
                    let ids = feedback.changed.iter().map(|change| change.id);
                    feedback.background.extend(ids.filter(|id| is_background(id) || is_noise(*id)));
                }
            }
        }
        Ok(())
    }

    /// Counts the targets that came nearer while no action ran.
    ///
    /// Of those that are covered now, and may be by work of an action that ended late, the next action that comes to them is
    /// to tell: they are taken as not covered.
    fn note_between(&mut self) {
        let mut late = Vec::new();
        for change in &self.feedback.changed {
            let times = self.between.entry(change.id).or_default();
            *times = times.saturating_add(1);
            if *times <= MOST_LATE && change.cell == COVERED {
                late.push(change.id);
            }
        }
        self.changes.uncover(&late);
    }

    /// Takes new names into the feedback, as many as fit.
    fn append_names(&mut self) {
        let targets = self.catalogue.targets();
        let Names { first, texts } = &mut self.feedback.names;
        texts.clear();
        *first = self.named;
        let mut bytes = 0;
        while self.named < targets && bytes < NAME_BYTES {
            let name = self.catalogue.name(self.named);
            bytes += NAME_HEAD + name.len() - texts.last().map_or(0, |before| shared(before, &name));
            texts.push(name);
            self.named += 1;
        }
    }

    fn start_test(&mut self, test: &StartTest) -> Result<(), CellsError> {
        self.leave_action()?;
        let origin = if self.stage == Stage::Boot { Origin::Boot } else { Origin::Between };
        if origin == Origin::Boot {
            self.cells.settle()?;
        }
        self.collect(origin, 0)?;
        self.stage = Stage::Idle;
        match test.report {
            Report::All => self.forget_all(),
            Report::Uncovered => self.changes.forget_uncovered().into_iter().try_for_each(|ids| self.cells.forget(ids)),
        }
    }

    fn forget_all(&mut self) -> Result<(), CellsError> {
        self.changes.forget_all();
        // What the core has not heard of yet keeps its cell until it has.
        self.cells.forget(0..self.named)
    }

    /// Ends an action whose end the core did not ask for.
    fn leave_action(&mut self) -> Result<(), CellsError> {
        if let Stage::Action(_) = self.stage {
            self.cells.end_action()?;
            self.stage = Stage::Idle;
        }
        Ok(())
    }

    fn end_action(&mut self, index: u32) -> Result<(), CellsError> {
        let seen = self.cells.end_action()?;
        self.stage = Stage::Idle;
        self.collect(Origin::Action, index)?;
        let Seen { last_statement, raised, mut hints, mut expansions, dropped } = seen;
        // An id is of use to the core only when it has the name.
        let named = |id: &u32| *id < self.named;
        self.feedback.last_statement = last_statement.filter(named);
        self.feedback.exceptions = raised;
        for raised in &mut self.feedback.exceptions {
            raised.statement = raised.statement.filter(named);
        }
        self.feedback.dropped = dropped.saturating_add(self.travelled.retain_new(&mut hints));
        self.feedback.hints = hints;
        self.travelled.leave_schemas_out(&mut expansions);
        self.feedback.expansions = expansions;
        Ok(())
    }

    fn carry_out(&mut self, request: Request) -> Result<Answer<'_>, CellsError> {
        match request {
            Request::StartTest(test) => self.start_test(&test).map(|()| Answer::Feedback(&self.feedback)),
            Request::StartAction(action) => {
                self.leave_action()?;
                self.cells.start_action()?;
                self.cells.track(&action.track)?;
                self.stage = Stage::Action(action.index);
                Ok(Answer::Done)
            }
            Request::EndAction => {
                let Stage::Action(index) = self.stage else {
                    return Ok(Answer::refused(ErrorCode::NOT_NOW, "no action to end"));
                };
                self.end_action(index).map(|()| Answer::Feedback(&self.feedback))
            }
            Request::Reset => self.forget_all().map(|()| Answer::Done),
            Request::Units(from) => {
                // A core that asks for more of them has had this already.
                if from.known == 0 && from.limit > 0 {
                    self.cells.survey()?;
                }
                Ok(Answer::Units(self.inventory.to_units(from, self.catalogue.targets())))
            }
            Request::Routes => self.cells.routes().map(Answer::Routes),
            Request::Kill => self.cells.kill().map(|()| Answer::Done),
            Request::Shutdown => self.leave_action().map(|()| Answer::Done),
            Request::Hello(_) => Ok(Answer::refused(ErrorCode::NOT_NOW, "found a second hello")),
        }
    }
}

/// How many bytes two names have in common at their beginnings.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

impl<C: Cells, N: Catalogue> Handler for Runtime<C, N> {
    fn answer(&mut self, request: Request) -> Answer<'_> {
        self.carry_out(request).unwrap_or_else(|error| Answer::refused(ErrorCode::FAILED, error.to_string()))
    }
}
