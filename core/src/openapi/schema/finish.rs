//! A schema from what is demanded of a value.

use serde_json::Value;

use super::super::reader::Place;
use super::facts::{Facts, Null};
use super::{Lowering, Source};
use crate::api::json_schema::keyword::{self, TypeSet};
use crate::api::{ArraySchema, ChoiceSchema, IntegerSchema, NumberSchema, PatternDialect, Schema, SchemaKind, StringSchema};

/// Counts of members and properties are limited to this, far beyond what is ever sent.
const LARGEST_COUNT: usize = 1 << 30;

impl<'a> Lowering<'_, 'a> {
    /// The schema of a source, and the places that give it a `format`.
    pub(super) fn lower(&mut self, source: &Source<'a>) -> (Schema, Vec<Place<'a>>) {
        let mut facts = self.facts(source);
        // Null is one of the types that were taken apart, and has its place where that was done.
        let mut nullable = source.only.is_none() && matches!(facts.null, Null::Allowed | Null::Forced);
        let guessed = facts.types.is_none() && facts.values.is_none() && facts.groups.is_empty();
        let kind = if facts.never {
            SchemaKind::Never
        } else if !facts.groups.is_empty() {
            // The branches say themselves whether they allow null.
            nullable =
                source.places.iter().all(|place| place.object().is_some_and(|node| keyword::is_nullable(node, place.dialect)));
            self.choice(source, &mut facts)
        } else if let Some(values) = facts.values.take() {
            listed(&facts, values)
        } else {
            self.typed(source, &facts)
        };
        if matches!(kind, SchemaKind::Null) {
            nullable = false;
        }
        let Facts { default, examples, read_only, xml, formats, .. } = facts;
        (Schema { kind, nullable, default, examples, guessed, read_only, xml }, formats)
    }

    fn choice(&mut self, source: &Source<'a>, facts: &mut Facts<'a>) -> SchemaKind {
        let is_alone = facts.is_free() && facts.groups.len() == 1;
        let group = facts.groups.swap_remove(0);
        let options = group.options.into_iter().map(|option| {
            if is_alone {
                return self.id_of(option);
            }
            let mut branch = source.clone();
            branch.places.push(option);
            branch.spent.push(group.address);
            self.id_of_source(branch)
        });
        let options = options.collect();
        SchemaKind::Choice(ChoiceSchema { options, exclusive: group.exclusive, discriminator: group.discriminator })
    }

    /// A schema by its type, which is guessed from the keywords when none is given.
    fn typed(&mut self, source: &Source<'a>, facts: &Facts<'a>) -> SchemaKind {
        let Some(types) = facts.types.or_else(|| guessed(facts)) else { return SchemaKind::Any };
        let members: Vec<TypeSet> = types.without_null().members().map(|(member, _)| member).collect();
        match members[..] {
            [] if types.contains(TypeSet::NULL) => SchemaKind::Null,
            [] => SchemaKind::Never,
            [TypeSet::BOOLEAN] => SchemaKind::Boolean,
            [TypeSet::INTEGER] => self.integer(facts),
            [TypeSet::NUMBER] => number(facts),
            [TypeSet::STRING] => self.string(source, facts),
            [TypeSet::ARRAY] => self.array(facts),
            [TypeSet::OBJECT] => self.object(facts),
            _ => {
                let options = members.into_iter().map(|member| {
                    let only = Some(source.only.map_or(member, |only| only.intersection(member)));
                    self.id_of_source(Source { only, ..source.clone() })
                });
                SchemaKind::Choice(ChoiceSchema { options: options.collect(), exclusive: false, discriminator: None })
            }
        }
    }

    /// Whole numbers, as a choice of those below and above what `not` takes out.
    fn integer(&mut self, facts: &Facts<'a>) -> SchemaKind {
        let (whole, gap) = (integer(facts), facts.gap);
        let (SchemaKind::Integer(whole), Some((from, to))) = (&whole, gap) else { return whole };
        let below = (from > i64::MIN as f64)
            .then(|| IntegerSchema { max: whole.max.min(saturating(from.ceil()).saturating_sub(1)), ..whole.clone() });
        let above = (to < i64::MAX as f64)
            .then(|| IntegerSchema { min: whole.min.max(saturating(to.floor()).saturating_add(1)), ..whole.clone() });
        let has_values =
            |part: &IntegerSchema| part.min <= part.max && has_multiple(part.min, part.max, part.multiple_of.unwrap_or(1));
        let mut parts: Vec<SchemaKind> =
            [below, above].into_iter().flatten().filter(has_values).map(SchemaKind::Integer).collect();
        match parts.len() {
            0 => SchemaKind::Never,
            1 => parts.swap_remove(0),
            _ => {
                let options = parts.into_iter().map(|part| self.push(Schema::new(part))).collect();
                SchemaKind::Choice(ChoiceSchema { options, exclusive: false, discriminator: None })
            }
        }
    }

    fn string(&mut self, source: &Source<'a>, facts: &Facts<'a>) -> SchemaKind {
        let (min_length, max_length) = sizes(facts.length);
        if max_length.is_some_and(|most| most < min_length) {
            return SchemaKind::Never;
        }
        if facts.patterns.len() + facts.other_patterns.len() > 1 {
            self.reader.unsupported("several patterns at once (the first is used)");
            self.reader.repair(source.places[0], "several `pattern`s hold at once, only the first is used");
        }
        let known = facts.patterns.first().map(|pattern| (pattern, PatternDialect::Ecma));
        let chosen = known.or_else(|| facts.other_patterns.first().map(|pattern| (pattern, PatternDialect::Java)));
        SchemaKind::String(StringSchema {
            min_length,
            max_length,
            pattern: chosen.map(|(pattern, _)| (*pattern).to_owned()),
            pattern_dialect: chosen.map_or_else(PatternDialect::default, |(_, dialect)| dialect),
            format: facts.format.map(str::to_ascii_lowercase),
        })
    }

    fn array(&mut self, facts: &Facts<'a>) -> SchemaKind {
        let (min_items, max_items) = sizes(facts.n_items);
        if max_items.is_some_and(|most| most < min_items) {
            return SchemaKind::Never;
        }
        let n = facts.tuple.len();
        if n > 0 && !facts.unique && (min_items, max_items) == (n, Some(n)) {
            return self.tuple(&facts.tuple);
        }
        let items = if facts.items.is_empty() {
            self.any
        } else {
            self.id_of_source(Source { places: facts.items.clone(), spent: Vec::new(), only: None })
        };
        SchemaKind::Array(ArraySchema { items, min_items, max_items, unique: facts.unique })
    }
}

pub(super) fn sizes((least, most): (u64, Option<u64>)) -> (usize, Option<usize>) {
    let size = |count: u64| usize::try_from(count).unwrap_or(LARGEST_COUNT).min(LARGEST_COUNT);
    (size(least), most.map(size))
}

/// Listed values that fit the rest of what is demanded.
fn listed(facts: &Facts<'_>, values: Vec<Value>) -> SchemaKind {
    let had_null = values.contains(&Value::Null);
    let kept: Vec<Value> = values.into_iter().filter(|value| !value.is_null() && fits(facts, value)).collect();
    match (kept.is_empty(), had_null) {
        (false, _) => SchemaKind::Enum(kept),
        (true, true) => SchemaKind::Null,
        (true, false) => SchemaKind::Never,
    }
}

fn fits(facts: &Facts<'_>, value: &Value) -> bool {
    let is_of_type = facts.types.is_none_or(|types| types.contains(TypeSet::of(value)));
    let is_in_range = value.as_f64().is_none_or(|value| {
        let above =
            facts.lower.as_ref().is_none_or(|lower| value > lower.float() || (value >= lower.float() && !lower.exclusive));
        let below =
            facts.upper.as_ref().is_none_or(|upper| value < upper.float() || (value <= upper.float() && !upper.exclusive));
        above && below
    });
    let is_of_length = value.as_str().is_none_or(|text| {
        let length = text.chars().count() as u64;
        length >= facts.length.0 && facts.length.1.is_none_or(|most| length <= most)
    });
    is_of_type && is_in_range && is_of_length
}

fn guessed(facts: &Facts<'_>) -> Option<TypeSet> {
    const NUMBERS: [&str; 6] = ["int32", "int64", "integer", "float", "double", "decimal"];
    let is_number = facts.format.is_some_and(|format| NUMBERS.contains(&format));
    if !facts.parts.is_empty() || !facts.required.is_empty() || facts.n_properties != (0, None) {
        Some(TypeSet::OBJECT)
    } else if !facts.items.is_empty() || !facts.tuple.is_empty() || facts.unique || facts.n_items != (0, None) {
        Some(TypeSet::ARRAY)
    } else if facts.lower.is_some() || facts.upper.is_some() || !facts.steps.is_empty() || is_number {
        Some(if facts.format.is_some_and(|format| format.starts_with("int")) { TypeSet::INTEGER } else { TypeSet::NUMBER })
    } else if facts.length != (0, None)
        || !(facts.patterns.is_empty() && facts.other_patterns.is_empty())
        || facts.format.is_some()
    {
        Some(TypeSet::STRING)
    } else {
        None
    }
}

fn integer(facts: &Facts<'_>) -> SchemaKind {
    let (mut min, mut max) = if facts.format.is_some_and(|format| format.eq_ignore_ascii_case("int32")) {
        (i64::from(i32::MIN), i64::from(i32::MAX))
    } else {
        (i64::MIN, i64::MAX)
    };
    // 2^63 is the first float beyond the range.
    let is_out_of_range = |bound: &keyword::Bound| !bound.at.is_i64() && bound.float().abs() >= 9_223_372_036_854_775_808.0;
    if let Some(lower) = &facts.lower {
        if is_out_of_range(lower) && lower.float() > 0.0 {
            return SchemaKind::Never;
        }
        let whole = lower.at.as_i64().unwrap_or_else(|| saturating(lower.float().ceil()));
        let is_left_out = lower.exclusive && (lower.at.is_i64() || lower.float().fract() == 0.0);
        min = min.max(whole.saturating_add(i64::from(is_left_out)));
    }
    if let Some(upper) = &facts.upper {
        if is_out_of_range(upper) && upper.float() < 0.0 {
            return SchemaKind::Never;
        }
        let whole = upper.at.as_i64().unwrap_or_else(|| saturating(upper.float().floor()));
        let is_left_out = upper.exclusive && (upper.at.is_i64() || upper.float().fract() == 0.0);
        max = max.min(whole.saturating_sub(i64::from(is_left_out)));
    }
    let step = facts.steps.iter().map(|step| whole_step(*step)).try_fold(1_i64, least_common_multiple);
    match step {
        Some(step) if min <= max && has_multiple(min, max, step) => {
            SchemaKind::Integer(IntegerSchema { min, max, multiple_of: (step > 1).then_some(step) })
        }
        _ => SchemaKind::Never,
    }
}

/// The smallest whole number that is a multiple of `step`, none when it is not to be found.
fn whole_step(step: f64) -> Option<i64> {
    (1..=1000).map(|factor| step * f64::from(factor)).find(|multiple| (multiple - multiple.round()).abs() < 1e-9).and_then(
        |multiple| {
            let whole = saturating(multiple.round());
            (1..i64::MAX).contains(&whole).then_some(whole)
        },
    )
}

fn least_common_multiple(one: i64, other: Option<i64>) -> Option<i64> {
    let other = other?;
    let (mut divisor, mut rest) = (one, other);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (one / divisor).checked_mul(other)
}

fn has_multiple(min: i64, max: i64, step: i64) -> bool {
    i128::from(max).div_euclid(i128::from(step)) * i128::from(step) >= i128::from(min)
}

fn saturating(float: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "casts from floats saturate, which is what is wanted")]
    let whole = float as i64;
    whole
}

fn number(facts: &Facts<'_>) -> SchemaKind {
    let (min, max) = (facts.lower.as_ref(), facts.upper.as_ref());
    let exclusive = (min.is_some_and(|bound| bound.exclusive), max.is_some_and(|bound| bound.exclusive));
    let (min, max) = (min.map(keyword::Bound::float), max.map(keyword::Bound::float));
    if let (Some(min), Some(max)) = (min, max)
        && (min > max || (min >= max && (exclusive.0 || exclusive.1)))
    {
        return SchemaKind::Never;
    }
    SchemaKind::Number(NumberSchema {
        min,
        max,
        exclusive_min: exclusive.0,
        exclusive_max: exclusive.1,
        multiple_of: facts.steps.iter().copied().reduce(f64::max),
        single_precision: facts.format.is_some_and(|format| format.eq_ignore_ascii_case("float")),
    })
}
