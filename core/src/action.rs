//! One step of a test: an HTTP call made from genes, with links to earlier answers.
//!
//! [`Action`] is the genotype; [`render()`] makes the [`Request`] from it, the executor the [`ActionResult`]. [`settle`]
//! makes a loaded interface ready for that.

mod answer;
mod expanded;
mod link;
mod render;
mod request;
mod result;
mod settle;
mod violation;

pub use answer::AnswerSchema;
pub use expanded::{Expanded, ExtraInput};
pub(crate) use link::url_path;
pub use link::{Link, LinkPlace, LinkSource};
pub use render::{Upload, is_sendable_header, render, uploads};
pub use request::Request;
pub use result::{ActionResult, Answer, Coding, Outcome};
pub use settle::settle;
pub use violation::{CallViolation, Malformation, OddBody, OddPath, PlacedViolation, ValuePlace};

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::api::{Api, Body, Operation, OperationIdx, Parameter};
use crate::gene::{Gene, GeneLimits, Violation};

/// Position of a user in the auth settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UserIdx(pub u16);

/// Numbers of places of parameters, and of bodies, that no document names.
const FIRST_EXTRA: usize = 0x8000;
const FIRST_EXTRA_BODY: usize = 0xc000;

/// One HTTP call as genes.
#[derive(Debug, Clone)]
pub struct Action {
    /// What is called.
    pub operation_idx: OperationIdx,
    /// One gene per parameter, in the order of [`Operation::parameters`], then of [`Self::expanded`]; an optional one is a
    /// [`Gene::Optional`].
    pub parameters: Vec<Gene>,
    /// The request body, when the operation takes one.
    pub body: Option<BodyGene>,
    /// Whose credentials are sent.
    pub user: Option<UserIdx>,
    /// Values taken from earlier answers instead of the gene's own.
    pub links: Vec<Link>,
    /// What is wrong on purpose, if anything.
    pub violation: Option<CallViolation>,
    /// What it takes beyond the document, when the service was seen to read more.
    pub expanded: Option<Arc<Expanded>>,
}

/// A request body as alternatives by media type.
#[derive(Debug, Clone)]
pub struct BodyGene {
    /// Whether it is sent at all; always true when it is required.
    pub present: bool,
    /// Position of the active alternative in [`Operation::bodies`] and behind.
    pub active: usize,
    /// One gene per media type, in the order of [`Operation::bodies`], then of [`Action::expanded`].
    pub alternatives: Vec<Gene>,
}

impl Action {
    /// A call of `operation_idx` with the smallest valid values, nobody's credentials and no links.
    pub fn template(api: &Api, operation_idx: OperationIdx, limits: &GeneLimits) -> Self {
        let operation: &Operation = api.operation(operation_idx);
        let parameters = operation
            .parameters
            .iter()
            .map(|parameter| {
                let gene = Gene::from_schema(&api.schemas, parameter.schema, limits);
                if parameter.required { gene } else { gene.into_optional() }
            })
            .collect();
        let body = (!operation.bodies.is_empty()).then(|| BodyGene {
            present: operation.body_required,
            active: 0,
            alternatives: operation.bodies.iter().map(|body| Gene::from_schema(&api.schemas, body.schema, limits)).collect(),
        });
        Self { operation_idx, parameters, body, user: None, links: Vec::new(), violation: None, expanded: None }
    }

    /// Has genes for what `expanded` takes beyond what it takes itself; what is sent stays the same. Gives how many parameters
    /// are new, which are the last ones.
    pub fn expand(&mut self, expanded: &Arc<Expanded>, limits: &GeneLimits) -> usize {
        let (n_parameters, n_bodies) = self.n_expanded();
        let gene = |schema| Gene::from_schema(&expanded.api().schemas, schema, limits);
        let parameters = expanded.parameters().iter().skip(n_parameters);
        let before = self.parameters.len();
        self.parameters.extend(parameters.map(|parameter| gene(parameter.schema).into_optional()));
        let mut alternatives = expanded.bodies().iter().skip(n_bodies).map(|body| gene(body.schema)).peekable();
        if alternatives.peek().is_some() {
            let nothing = || BodyGene { present: false, active: 0, alternatives: Vec::new() };
            self.body.get_or_insert_with(nothing).alternatives.extend(alternatives);
        }
        self.expanded = Some(Arc::clone(expanded));
        self.parameters.len() - before
    }

    /// How many of its parameters and of its bodies are not documented.
    fn n_expanded(&self) -> (usize, usize) {
        self.expanded.as_ref().map_or((0, 0), |expanded| (expanded.parameters().len(), expanded.bodies().len()))
    }

    /// The parameters of its genes: those of the operation, which is its own, then others.
    pub fn inputs<'a>(&'a self, operation: &'a Operation) -> impl Iterator<Item = &'a Parameter> {
        let others = self.expanded.as_deref().map_or(&[][..], Expanded::parameters);
        operation.parameters.iter().chain(others)
    }

    /// The media type at a position of its body's alternatives, and what its schema is a position in.
    pub fn media_at<'a>(&'a self, api: &'a Api, position: usize) -> Option<(&'a Api, &'a Body)> {
        let documented = &api.operation(self.operation_idx).bodies;
        if let Some(body) = documented.get(position) {
            return Some((api, body));
        }
        let expanded = self.expanded.as_deref()?;
        Some((expanded.api(), expanded.bodies().get(position - documented.len())?))
    }

    /// A number for a place that is the same in every call of the operation, however much is expanded.
    pub fn place_number(&self, place: ValuePlace) -> u16 {
        let (n_parameters, n_bodies) = self.n_expanded();
        let n_documented = self.parameters.len().saturating_sub(n_parameters);
        let number = match place {
            ValuePlace::Parameter(idx) if idx >= n_documented => FIRST_EXTRA + idx - n_documented,
            ValuePlace::Parameter(idx) => idx,
            ValuePlace::Body => {
                let (active, length) = self.body.as_ref().map_or((0, 0), |body| (body.active, body.alternatives.len()));
                let documented = length.saturating_sub(n_bodies);
                if active >= documented && length > 0 { FIRST_EXTRA_BODY + active - documented } else { n_documented + active }
            }
        };
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    /// Takes what is wrong on purpose away when it stands in the place of the whole value at `place`, and gives it back: the
    /// genes there are not sent meanwhile.
    pub fn take_hiding(&mut self, place: ValuePlace) -> Option<Violation> {
        let hides = |violation: &CallViolation| matches!(violation, CallViolation::Value(placed) if placed.place == place && placed.violation.is_whole());
        match self.violation.take_if(|violation| hides(violation)) {
            Some(CallViolation::Value(placed)) => Some(placed.violation),
            _ => None,
        }
    }

    /// Takes away what is wrong on purpose about the value at `place`, or a part of it: all genes there are sent then.
    pub fn put_right(&mut self, place: ValuePlace) {
        self.violation.take_if(|violation| match violation {
            CallViolation::Value(placed) => placed.place == place,
            CallViolation::Request(malformation) => {
                place == ValuePlace::Body && matches!(malformation, Malformation::Body(_) | Malformation::CutBody)
            }
        });
    }

    /// Whether it goes where no operation is, so that its answer says nothing about one.
    pub fn leads_astray(&self) -> bool {
        self.violation.as_ref().is_some_and(CallViolation::leads_astray)
    }
}
