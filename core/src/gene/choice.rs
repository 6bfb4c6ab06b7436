//! One of several alternatives: `oneOf`, `anyOf`, and values of any kind.

use std::sync::Arc;

use serde_json::Value;

use super::seed::{Seed, Shape};
use super::{Conversion, FieldName, Gene, Mutation};
use crate::api::{ChoiceSchema, SchemaId};
use crate::random::Random;

/// Draws at the root for a value that matches one alternative only.
const TRIES: usize = 20;

/// Levels below the depth limit down to which alternatives with parts are taken when no other has a value.
const DEEPER: usize = 4;

/// How values are found that match one alternative only, from the first that is tried to the last: how formats are taken,
/// and whether what is drawn is changed.
const WAYS: [(Formats, bool); 4] =
    [(Formats::Ignored, false), (Formats::Ignored, true), (Formats::Asserted, false), (Formats::Asserted, true)];

/// One of several alternatives; only the active one is kept.
#[derive(Debug, Clone)]
pub struct ChoiceGene {
    rules: Arc<ChoiceRules>,
    active: usize,
    gene: Gene,
    /// The last value that matched one alternative only, when it must.
    kept: Option<Arc<Value>>,
}

#[derive(Debug)]
struct ChoiceRules {
    /// The alternatives that can be taken here.
    options: Vec<Arc<Seed>>,
    /// Property that names the alternative, with its value, per option.
    names: Vec<Option<(String, Value)>>,
    /// The schema of the choice, none for any JSON value.
    id: Option<SchemaId>,
    /// All alternatives of the schema, for checks.
    all: Vec<SchemaId>,
    /// How it is told whether a value matches another alternative; none when it may. Where formats are ignored, it matches
    /// none with formats asserted either.
    exclusive: Option<Formats>,
    /// Whether values are changed until they match one alternative only, because what is drawn does not.
    separates: bool,
    /// Whether any JSON value will do.
    is_any: bool,
    examples: Arc<[Value]>,
    // Never empty, so there is always a place to ask for schemas.
    place: Arc<Seed>,
}

/// Whether a string of another format matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formats {
    /// It does: JSON Schema leaves formats unchecked.
    Ignored,
    /// It does not where JSON Schema names the format: what validators do not know, they do not look at.
    Asserted,
}

impl ChoiceGene {
    /// The choice with its smallest value, or [`Gene::Never`].
    pub(super) fn build(seed: &Seed, schema: &ChoiceSchema, examples: &Arc<[Value]>) -> Gene {
        let sizes = schema.options.iter().map(|id| seed.source.extent(Shape::Schema(*id)).map(|extent| extent.size));
        let mut reachable: Vec<(usize, u32)> = sizes.enumerate().filter_map(|(idx, size)| Some((idx, size?))).collect();
        let Some(shortest) = reachable.iter().min_by_key(|(_, size)| *size).copied() else { return Gene::Never };
        let room = seed.room.saturating_sub(1);
        let all = reachable.clone();
        reachable.retain(|(idx, size)| {
            // Below the depth limit only what has no parts of its own.
            let is_shallow = !seed.is_deepest() || seed.source.is_plain(Shape::Schema(schema.options[*idx]));
            is_shallow && (*size == shortest.1 || *size as usize <= room)
        });
        if reachable.is_empty() {
            reachable.push(shortest);
        }
        match Self::of_options(seed, schema, &reachable, examples) {
            // What is within the limits may not have a value of its own, but the rest may.
            Gene::Never if reachable.len() < all.len() && seed.depth < seed.source.limits.max_depth + DEEPER => {
                Self::of_options(seed, schema, &all, examples)
            }
            gene => gene,
        }
    }

    /// The choice between some alternatives of the schema, given by their positions and sizes.
    fn of_options(seed: &Seed, schema: &ChoiceSchema, taken: &[(usize, u32)], examples: &Arc<[Value]>) -> Gene {
        let room = seed.room.saturating_sub(1);
        let place_of = |(idx, size): &(usize, u32)| seed.below(Shape::Schema(schema.options[*idx]), room.max(*size as usize));
        let name_of = |idx: usize| {
            let (property, values) = schema.discriminator.as_ref()?;
            Some((property.clone(), Value::from(values.get(idx)?.as_str())))
        };
        let rules = ChoiceRules {
            options: taken.iter().map(place_of).collect(),
            names: taken.iter().map(|(idx, _)| name_of(*idx)).collect(),
            id: if let Shape::Schema(id) = seed.shape { Some(id) } else { None },
            all: schema.options.clone(),
            exclusive: (schema.exclusive && seed.source.may_overlap(&schema.options)).then_some(Formats::Ignored),
            separates: false,
            is_any: false,
            examples: Arc::clone(examples),
            place: seed.below(Shape::Null, 1),
        };
        Self::first(rules, &taken.iter().map(|(_, size)| *size).collect::<Vec<_>>())
    }

    /// Any JSON value.
    pub(super) fn any(seed: &Seed, examples: Arc<[Value]>) -> Gene {
        let mut shapes = vec![Shape::Text, Shape::Integer, Shape::Boolean, Shape::Number, Shape::Null];
        if !seed.is_deepest() && seed.room > 2 {
            shapes.extend([Shape::Map, Shape::List]);
        }
        let room = seed.room.saturating_sub(1).max(1);
        let options: Vec<Arc<Seed>> = shapes.into_iter().map(|shape| seed.below(shape, room)).collect();
        let names = vec![None; options.len()];
        let place = Arc::clone(&options[0]);
        let rules = ChoiceRules {
            options,
            names,
            id: None,
            all: Vec::new(),
            exclusive: None,
            separates: false,
            is_any: true,
            examples,
            place,
        };
        let sizes = vec![1; rules.options.len()];
        Self::first(rules, &sizes)
    }

    /// Starts with the smallest option that has a value matching no other option, when that matters.
    fn first(mut rules: ChoiceRules, sizes: &[u32]) -> Gene {
        let mut order: Vec<usize> = (0..rules.options.len()).collect();
        order.sort_by_key(|idx| sizes[*idx]);
        if rules.exclusive.is_none() {
            let found = order.into_iter().find_map(|idx| Some((idx, rules.gene(idx)?)));
            return found
                .map_or(Gene::Never, |(active, gene)| Self { rules: Arc::new(rules), active, gene, kept: None }.into());
        }
        if let Some(known) = rules.known_first() {
            order.sort_by_key(|idx| *idx != known);
        }
        let mut way = rules.known_way();
        while let Some((formats, separates)) = WAYS.get(way).copied().filter(|_| !rules.is_known_empty()) {
            (rules.exclusive, rules.separates) = (Some(formats), separates);
            for idx in &order {
                if let Some(gene) = rules.first_exclusive(*idx) {
                    rules.remember_way(way);
                    rules.remember_first(*idx);
                    let kept = gene.to_json().map(Arc::new);
                    return Self { rules: Arc::new(rules), active: *idx, gene, kept }.into();
                }
                // The same choice further down may have found out by now.
                if rules.known_way() > way {
                    break;
                }
            }
            way = rules.known_way().max(way + 1);
        }
        rules.remember_empty();
        Gene::Never
    }

    /// The gene of the active alternative.
    pub fn active(&self) -> &Gene {
        &self.gene
    }

    /// Position of the active alternative among those that can be taken, and their number.
    pub fn position(&self) -> (usize, usize) {
        (self.active, self.rules.options.len())
    }

    /// Whether any JSON value will do.
    pub fn is_any(&self) -> bool {
        self.rules.is_any
    }

    pub(super) fn active_mut(&mut self) -> &mut Gene {
        self.settle();
        &mut self.gene
    }

    pub(super) fn examples(&self) -> &Arc<[Value]> {
        &self.rules.examples
    }

    /// Whether no alternative of the schema allows the value.
    pub(super) fn refuses(&self, value: &Value) -> bool {
        let accepts = |id: &SchemaId, formats| self.rules.place.source.accepts(*id, value, formats);
        let is_accepted = |id| accepts(id, Formats::Ignored) || accepts(id, Formats::Asserted);
        !self.rules.is_any && !self.rules.all.iter().any(is_accepted)
    }

    pub(super) fn sample(&mut self, random: &mut Random) {
        for _ in 0..if self.kept.is_some() { self.rules.tries() } else { 1 } {
            let active = random.below(self.rules.options.len());
            if !self.rules.may_be_only(active) {
                continue;
            }
            let gene = if active == self.active { Some(self.gene.clone()) } else { self.rules.gene(active) };
            let Some(mut gene) = gene else { continue };
            gene.sample(random);
            if self.replace(active, self.rules.separated(active, gene)) {
                return;
            }
        }
    }

    pub(super) fn mutate(&mut self, random: &mut Random) -> Mutation {
        let count = self.rules.options.len();
        if count < 2 {
            return Mutation::Unchanged;
        }
        let before = self.to_json();
        for _ in 0..self.rules.tries() {
            let active = (self.active + 1 + random.below(count - 1)) % count;
            let Some(mut gene) = self.rules.gene(active).filter(|_| self.rules.may_be_only(active)) else { continue };
            gene.sample(random);
            let gene = self.rules.separated(active, gene);
            if gene.to_json() != before && self.replace(active, gene) {
                return Mutation::Changed;
            }
        }
        Mutation::Unchanged
    }

    /// [`Gene::put_in_field`], of the active alternative or another one that is open.
    pub(super) fn put_in_field(&mut self, name: FieldName<'_>, value: Option<&Value>, random: &mut Random) -> bool {
        let others = (0..self.rules.options.len()).filter(|idx| *idx != self.active);
        for idx in std::iter::once(self.active).chain(others).collect::<Vec<_>>() {
            let gene = if idx == self.active { Some(self.gene.clone()) } else { self.rules.gene(idx) };
            let Some(mut gene) = gene else { continue };
            if gene.put_in_field(name, value, random) && self.replace(idx, gene) {
                return true;
            }
        }
        false
    }

    /// [`Gene::drop_made_up`], of the active alternative.
    pub(super) fn drop_made_up(&mut self) {
        let mut gene = self.gene.clone();
        gene.drop_made_up();
        self.replace(self.active, gene);
    }

    pub(super) fn take(&mut self, value: &Value, conversion: Conversion) -> bool {
        let mut gene = self.gene.clone();
        if gene.take(value, conversion) && self.replace(self.active, gene) {
            return true;
        }
        let others = (0..self.rules.options.len()).filter(|idx| *idx != self.active);
        for idx in others.collect::<Vec<_>>() {
            let Some(mut gene) = self.rules.gene(idx) else { continue };
            if gene.take(value, conversion) && self.replace(idx, gene) {
                return true;
            }
        }
        false
    }

    pub(super) fn to_json(&self) -> Option<Value> {
        let value = self.gene.to_json();
        match (&self.kept, value) {
            (Some(kept), Some(value)) if !self.rules.is_only(self.active, &value) => Some(Value::clone(kept)),
            (_, value) => value,
        }
    }

    /// Makes `gene` the active one unless its value matches another alternative.
    fn replace(&mut self, active: usize, gene: Gene) -> bool {
        if self.kept.is_some() {
            let Some(value) = gene.to_json().filter(|value| self.rules.is_only(active, value)) else { return false };
            self.kept = Some(Arc::new(value));
        }
        self.active = active;
        self.gene = gene;
        true
    }

    /// Remembers the present value as valid, or goes back to the last valid one.
    fn settle(&mut self) {
        let Some(kept) = self.kept.clone() else { return };
        match self.gene.to_json().filter(|value| self.rules.is_only(self.active, value)) {
            Some(value) => self.kept = Some(Arc::new(value)),
            None => {
                self.gene.take(&kept, Conversion::Exact);
            }
        }
    }
}

impl ChoiceRules {
    /// The gene of an option, with the property that names it made a constant.
    fn gene(&self, idx: usize) -> Option<Gene> {
        let mut gene = self.options[idx].gene();
        if let (Gene::Object(object), Some((name, value))) = (&mut gene, &self.names[idx]) {
            object.pin(name, value);
        }
        (!matches!(gene, Gene::Never)).then_some(gene)
    }

    /// The way that worked for this choice at another place, or the first.
    fn known_way(&self) -> usize {
        self.id.map_or(0, |id| self.place.source.found_out().ways.get(&id).copied().unwrap_or(0))
    }

    /// Whether no value was found at another place as deep with as many options.
    fn is_known_empty(&self) -> bool {
        self.place_key().is_some_and(|key| self.place.source.found_out().empty.contains(&key))
    }

    fn remember_empty(&self) {
        if let Some(key) = self.place_key() {
            self.place.source.found_out().empty.insert(key);
        }
    }

    /// The option that a value was found for at another place as deep with as many options.
    fn known_first(&self) -> Option<usize> {
        self.place.source.found_out().first.get(&self.place_key()?).copied()
    }

    fn remember_first(&self, idx: usize) {
        if let Some(key) = self.place_key() {
            self.place.source.found_out().first.insert(key, idx);
        }
    }

    fn place_key(&self) -> Option<(SchemaId, usize, usize)> {
        Some((self.id?, self.place.depth, self.options.len()))
    }

    fn remember_way(&self, way: usize) {
        if let Some(id) = self.id {
            self.place.source.found_out().ways.insert(id, way);
        }
    }

    /// Whether some value of option `idx` matches that alternative only, as far as is known; found out once per schema.
    fn may_be_only(&self, idx: usize) -> bool {
        let (true, Some(id), Shape::Schema(option)) = (self.separates, self.id, self.options[idx].shape) else { return true };
        let known = self.place.source.found_out().only.get(&(id, option)).copied();
        known.unwrap_or_else(|| {
            // What is found out about a choice inside itself must not wait for this.
            self.place.source.found_out().only.insert((id, option), true);
            let may = self.first_exclusive(idx).is_some();
            self.place.source.found_out().only.insert((id, option), may);
            may
        })
    }

    /// Fewer draws the deeper it lies: those of choices around each other multiply.
    fn tries(&self) -> usize {
        let most = if self.separates { TRIES / 4 } else { TRIES };
        (most >> self.place.depth.min(8)).max(2)
    }

    fn first_exclusive(&self, idx: usize) -> Option<Gene> {
        if self.is_listed_twice(idx) {
            return None;
        }
        let mut gene = self.gene(idx)?;
        let mut random = Random::new(0, 0);
        for _ in 0..self.tries() {
            let separated = self.separated(idx, gene.clone());
            if self.is_only(idx, &separated.to_json()?) {
                return Some(separated);
            }
            gene.sample(&mut random);
        }
        None
    }

    /// `gene` of option `idx` with a value that no other alternative allows, where one is looked for and found.
    ///
    /// A part that is added may be of this very choice, and its first value wants one, too: so not without end.
    fn separated(&self, idx: usize, mut gene: Gene) -> Gene {
        let may_nest = self.place.depth <= self.place.source.limits.max_depth + DEEPER;
        if let (true, Some(formats), Shape::Schema(own), Some(value)) =
            (self.separates && may_nest, self.exclusive, self.options[idx].shape, gene.to_json())
        {
            let others: Vec<SchemaId> = self.all.iter().copied().filter(|id| *id != own).collect();
            if let Some(value) = self.place.source.separated(own, &others, &value, formats) {
                gene.take(&value, Conversion::Exact);
            }
        }
        gene
    }

    /// The same schema listed twice counts twice.
    fn is_listed_twice(&self, idx: usize) -> bool {
        let own = self.options[idx].shape;
        self.all.iter().filter(|id| Shape::Schema(**id) == own).count() > 1
    }

    /// Whether the alternative of option `idx` allows the value and no other one does.
    fn is_only(&self, idx: usize, value: &Value) -> bool {
        let Some(formats) = self.exclusive else { return true };
        let own = self.options[idx].shape;
        let accepts = |id: &SchemaId, formats| self.place.source.accepts(*id, value, formats);
        let is_only_by = |formats| self.all.iter().all(|id| accepts(id, formats) == (Shape::Schema(*id) == own));
        // What matches no alternative without formats may match one with them, where that has a `oneOf` inside.
        let is_only = is_only_by(Formats::Asserted) && (formats == Formats::Asserted || is_only_by(Formats::Ignored));
        is_only && !self.is_listed_twice(idx)
    }
}

impl From<ChoiceGene> for Gene {
    fn from(gene: ChoiceGene) -> Self {
        Self::Choice(Box::new(gene))
    }
}
