//! One step of a test: an HTTP call made from genes, with links to earlier answers.
//!
//! [`Action`] is the genotype; [`render()`] makes the [`Request`] from it, the executor the [`ActionResult`]. [`settle`]
//! makes a loaded interface ready for that.

mod link;
mod render;
mod request;
mod result;
mod settle;
mod violation;

pub use link::{Link, LinkPlace, LinkSource};
pub use render::render;
pub use request::Request;
pub use result::{ActionResult, Answer, Coding, Outcome};
pub use settle::settle;
pub use violation::{CallViolation, Malformation, OddBody, OddPath, PlacedViolation, ValuePlace};

use crate::api::{Api, Operation, OperationIdx};
use crate::gene::{Gene, GeneLimits, Violation};

/// Position of a user in the auth settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UserIdx(pub u16);

/// One HTTP call as genes.
#[derive(Debug, Clone)]
pub struct Action {
    /// What is called.
    pub operation_idx: OperationIdx,
    /// One gene per parameter, in the order of [`Operation::parameters`]; an optional one is a [`Gene::Optional`].
    pub parameters: Vec<Gene>,
    /// The request body, when the operation takes one.
    pub body: Option<BodyGene>,
    /// Whose credentials are sent.
    pub user: Option<UserIdx>,
    /// Values taken from earlier answers instead of the gene's own.
    pub links: Vec<Link>,
    /// What is wrong on purpose, if anything.
    pub violation: Option<CallViolation>,
}

/// A request body as alternatives by media type.
#[derive(Debug, Clone)]
pub struct BodyGene {
    /// Whether it is sent at all; always true when it is required.
    pub present: bool,
    /// Position of the active alternative in [`Operation::bodies`].
    pub active: usize,
    /// One gene per media type, in the order of [`Operation::bodies`].
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
        Self { operation_idx, parameters, body, user: None, links: Vec::new(), violation: None }
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

    /// Whether it goes where no operation is, so that its answer says nothing about one.
    pub fn leads_astray(&self) -> bool {
        self.violation.as_ref().is_some_and(CallViolation::leads_astray)
    }
}
