//! Whether what an operation's genes make is valid against the operation's own schema.
//!
//! Shared by the test of `restive-core` on small documents and by the experiment on thousands of real ones, so that both
//! mean the same by "valid". The judge is the `jsonschema` crate; the genes do not use it.

use std::collections::BTreeMap;
use std::rc::Rc;

use jsonschema::Validator;
use jsonschema::canonical::Satisfiability;
use restive_core::action::{Action, render};
use restive_core::api::{Api, Direction, Operation, OperationIdx};
use restive_core::gene::{Gene, GeneLimits};
use restive_core::random::Random;
use serde_json::Value;

use super::structure;

/// Kept validators; beyond that the cache starts anew.
const MAX_VALIDATORS: usize = 256;
/// Longest schema text, in bytes, that is examined for satisfiability.
const MAX_SATISFIABILITY_BYTES: usize = 20_000;
/// Examples kept per class of violation; a reader that shows fewer leaves the rest out.
const MAX_EXAMPLES: usize = 1_000;
/// Longest value text, in characters, kept in an example.
const MAX_EXAMPLE_TEXT: usize = 400;

/// How many values are made per operation, and from which stream.
#[derive(Debug, Clone)]
pub struct Effort {
    /// Times all genes are drawn anew.
    pub samples: usize,
    /// Single mutations after each draw.
    pub mutations: usize,
    /// Seed of the draws.
    pub rng_seed: u64,
    /// Size limits of the genes.
    pub limits: GeneLimits,
}

/// What was checked and what was wrong.
#[derive(Debug, Default)]
pub struct Tally {
    /// Operations gone through.
    pub operations: usize,
    /// Values compared with their schema.
    pub values: usize,
    /// Requests looked at.
    pub requests: usize,
    /// Values not compared, by reason.
    pub skipped: BTreeMap<String, Class>,
    /// Violations by failing keyword or structural rule.
    pub violations: BTreeMap<String, Class>,
}

/// Cases of one kind.
#[derive(Debug, Default)]
pub struct Class {
    /// How often it was seen.
    pub count: usize,
    /// Operations it was seen in.
    pub operations: usize,
    /// Some of them: operation, place, pointers and value.
    pub examples: Vec<String>,
}

impl Class {
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.operations += other.operations;
        // One example per operation shows more than several of one.
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.extend(other.examples.into_iter().take(1));
        }
    }
}

impl Tally {
    /// Adds what another one counted.
    pub fn merge(&mut self, other: Self) {
        self.operations += other.operations;
        self.values += other.values;
        self.requests += other.requests;
        let pairs = [(&mut self.skipped, other.skipped), (&mut self.violations, other.violations)];
        for (classes, others) in pairs {
            for (kind, class) in others {
                classes.entry(kind).or_default().merge(class);
            }
        }
    }
}

/// Notes a case; `example` describes it when there is room for one more.
fn note(classes: &mut BTreeMap<String, Class>, kind: &str, example: impl FnOnce() -> String) {
    let class = classes.entry(kind.to_owned()).or_default();
    class.count += 1;
    class.operations = 1;
    if class.examples.len() < MAX_EXAMPLES {
        class.examples.push(example());
    }
}

/// Checks operations of one interface.
pub struct Checker<'a> {
    api: &'a Api,
    effort: &'a Effort,
    validators: BTreeMap<String, Option<Rc<Validator>>>,
}

/// One gene's place in an action.
struct Place {
    name: String,
    validator: Rc<Validator>,
    /// Parameter position, or alternative of the body.
    slot: Slot,
}

#[derive(Clone, Copy)]
enum Slot {
    Parameter(usize),
    Alternative(usize),
}

impl Slot {
    fn gene(self, action: &mut Action) -> Option<&mut Gene> {
        match self {
            Self::Parameter(idx) => action.parameters.get_mut(idx),
            Self::Alternative(idx) => action.body.as_mut()?.alternatives.get_mut(idx),
        }
    }
}

impl<'a> Checker<'a> {
    /// A checker for `api`.
    pub fn new(api: &'a Api, effort: &'a Effort) -> Self {
        Self { api, effort, validators: BTreeMap::new() }
    }

    /// Makes values for an operation and compares each with its schema, and each request with its operation.
    pub fn check(&mut self, operation_idx: OperationIdx) -> Tally {
        let mut tally = Tally { operations: 1, ..Tally::default() };
        let mut random = Random::new(self.effort.rng_seed, u64::from(operation_idx.0));
        let mut action = Action::template(self.api, operation_idx, &self.effort.limits);
        let places = self.places(operation_idx, &mut tally);
        self.check_all(&places, &mut action, &mut tally);
        for round in 0..self.effort.samples {
            action.parameters.iter_mut().for_each(|gene| gene.sample(&mut random));
            if let Some(body) = &mut action.body {
                body.present = true;
                body.active = round % body.alternatives.len();
                body.alternatives[body.active].sample(&mut random);
            }
            self.check_all(&places, &mut action, &mut tally);
            for _ in 0..self.effort.mutations {
                mutate_one(&places, &mut action, &mut random);
                self.check_all(&places, &mut action, &mut tally);
            }
        }
        tally
    }

    /// The places whose schema compiles.
    fn places(&mut self, operation_idx: OperationIdx, tally: &mut Tally) -> Vec<Place> {
        let operation = self.api.operation(operation_idx);
        let parameters = operation.parameters.iter().enumerate().map(|(idx, parameter)| {
            (format!("{:?} parameter {}", parameter.location, parameter.name), &parameter.json_schema, Slot::Parameter(idx))
        });
        let bodies = operation.bodies.iter().enumerate();
        let bodies = bodies.map(|(idx, body)| (format!("body {}", body.media_type), &body.json_schema, Slot::Alternative(idx)));
        let mut places = Vec::new();
        for (name, json_schema, slot) in parameters.chain(bodies) {
            match self.validator(json_schema) {
                Some(validator) => places.push(Place { name, validator, slot }),
                None => note(&mut tally.skipped, "the schema does not compile", || format!("{} | {name}", operation.id)),
            }
        }
        places
    }

    fn validator(&mut self, json_schema: &Value) -> Option<Rc<Validator>> {
        let key = json_schema.to_string();
        if let Some(validator) = self.validators.get(&key) {
            return validator.clone();
        }
        if self.validators.len() >= MAX_VALIDATORS {
            self.validators.clear();
        }
        let closure = self.api.json_schemas.closure(json_schema, Direction::Request);
        let options = jsonschema::options().should_validate_formats(true);
        let validator = options.build(&closure).ok().map(Rc::new);
        self.validators.insert(key, validator.clone());
        validator
    }

    /// Compares the present values of `action` with their schemas, and its request with its operation.
    fn check_all(&self, places: &[Place], action: &mut Action, tally: &mut Tally) {
        let operation = self.api.operation(action.operation_idx);
        for place in places {
            let active = action.body.as_ref().map(|body| body.active);
            if matches!(place.slot, Slot::Alternative(idx) if Some(idx) != active) {
                continue;
            }
            let Some(gene) = place.slot.gene(action) else { continue };
            let Some(value) = gene.to_json() else { continue };
            if !gene.is_satisfiable() {
                note(&mut tally.skipped, "no finite value satisfies the schema", || {
                    format!("{} | {}", operation.id, place.name)
                });
                continue;
            }
            tally.values += 1;
            let Err(error) = place.validator.validate(&value) else { continue };
            let (classes, kind) = if self.is_unsatisfiable(operation, place.slot) {
                (&mut tally.skipped, "no value satisfies the schema, says the validator")
            } else {
                (&mut tally.violations, error.kind().keyword())
            };
            note(classes, kind, || {
                let (at, rule) = (error.instance_path(), error.schema_path());
                let (message, value) = (clipped(&error.to_string()), clipped(&value.to_string()));
                format!("{} | {} | value at `{at}` | schema `{rule}` | {message} | {value}", operation.id, place.name)
            });
        }
        let request = render(self.api, action, &mut |_| None);
        tally.requests += 1;
        for (rule, found) in structure::faults(operation, action, &request) {
            note(&mut tally.violations, rule, || format!("{} | {}", operation.id, clipped(&found)));
        }
    }

    fn closure(&self, operation: &Operation, slot: Slot) -> Value {
        let json_schema = match slot {
            Slot::Parameter(idx) => &operation.parameters[idx].json_schema,
            Slot::Alternative(idx) => &operation.bodies[idx].json_schema,
        };
        self.api.json_schemas.closure(json_schema, Direction::Request)
    }

    /// Whether the schema is known to allow nothing at all.
    fn is_unsatisfiable(&self, operation: &Operation, slot: Slot) -> bool {
        let closure = self.closure(operation, slot);
        closure.to_string().len() <= MAX_SATISFIABILITY_BYTES
            && jsonschema::canonicalize(&closure).is_ok_and(|schema| schema.satisfiability() == Satisfiability::No)
    }
}

/// Changes one gene of the action.
fn mutate_one(places: &[Place], action: &mut Action, random: &mut Random) {
    let active = action.body.as_ref().map(|body| body.active);
    let is_active = |place: &&Place| !matches!(place.slot, Slot::Alternative(idx) if Some(idx) != active);
    let places: Vec<&Place> = places.iter().filter(is_active).collect();
    let Some(gene) = random.pick(&places).and_then(|place| place.slot.gene(action)) else { return };
    let sites = gene.sites();
    if let Some(site) = random.pick(&sites)
        && let Some(gene) = gene.at_mut(&site.path)
    {
        gene.mutate(random);
    }
}

fn clipped(text: &str) -> String {
    let mut clipped: String = text.chars().take(MAX_EXAMPLE_TEXT).collect();
    if clipped.len() < text.len() {
        clipped.push('…');
    }
    clipped
}
