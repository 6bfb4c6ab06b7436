//! What can be wrong about a value, by its gene.

use serde_json::{Value, json};

use super::{Edit, Violation};
use crate::gene::number::render;
use crate::gene::site::push_token;
use crate::gene::{ArrayGene, ChoiceGene, Gene, IntegerGene, NumberGene, ObjectGene, TextForm, TextGene};
use crate::random::Random;

/// Draws until something wrong is found.
const TRIES: usize = 12;
/// Characters or members up to which something is made too long.
const MAX_LENGTH: usize = 10_000;

/// A value in the tree that can be made wrong.
#[derive(Clone)]
struct Spot<'a> {
    gene: &'a Gene,
    pointer: String,
    nullable: bool,
    required: bool,
    /// The outermost choice around it, with its pointer: a change may only lead to another alternative.
    choice: Option<(&'a ChoiceGene, usize)>,
}

impl Gene {
    /// Something wrong on purpose for the present value: missing field, wrong type, out of range, extra enum value.
    pub fn sample_violation(&self, random: &mut Random) -> Option<Violation> {
        let mut spots = Vec::new();
        let root = Spot { gene: self, pointer: String::new(), nullable: false, required: false, choice: None };
        collect(root, &mut spots);
        for _ in 0..TRIES {
            let spot = random.pick(&spots)?;
            let Some((edit, description)) = spot.draw(random) else { continue };
            let violation = Violation { pointer: spot.pointer.clone(), edit, description };
            if spot.is_wrong(&violation) {
                return Some(violation);
            }
        }
        None
    }
}

/// Everything below and at `spot` whose wrongness is known.
fn collect<'a>(spot: Spot<'a>, spots: &mut Vec<Spot<'a>>) {
    let below = |token: &str, gene: &'a Gene, required: bool| {
        let mut pointer = spot.pointer.clone();
        push_token(&mut pointer, token);
        Spot { gene, pointer, nullable: false, required, choice: spot.choice }
    };
    match spot.gene {
        // Nothing is wrong where anything goes.
        Gene::Never => {}
        Gene::Choice(choice) if choice.is_any() => {}
        Gene::Enum(gene) if gene.is_cut() => {}
        Gene::Choice(choice) => {
            let outermost = spot.choice.or(Some((&**choice, spot.pointer.len())));
            collect(Spot { gene: choice.active(), choice: outermost, ..spot }, spots);
        }
        Gene::Optional(optional) => {
            optional.present().into_iter().for_each(|gene| collect(Spot { gene, ..spot.clone() }, spots));
        }
        Gene::Nullable(nullable) => {
            nullable.value().into_iter().for_each(|gene| collect(Spot { gene, nullable: true, ..spot.clone() }, spots));
        }
        Gene::Array(array) => {
            for (idx, member) in array.members().iter().enumerate() {
                collect(below(&idx.to_string(), member, false), spots);
            }
            spots.push(spot);
        }
        Gene::Object(object) => {
            for (idx, name, part) in object.named_parts() {
                let required = idx < object.known_fields() && !matches!(part, Gene::Optional(_));
                collect(below(name, part, required), spots);
            }
            spots.push(spot);
        }
        _ => spots.push(spot),
    }
}

impl Spot<'_> {
    fn draw(&self, random: &mut Random) -> Option<(Edit, String)> {
        let name = self.name();
        match random.below(10) {
            0..=1 if self.required => Some((Edit::Remove, format!("missing {name}"))),
            2 if !self.nullable && !self.allows_null() => Some((Edit::Replace(Value::Null), format!("{name} as null"))),
            0..=3 => self.wrong_type(random),
            _ => self.wrong_value(random).or_else(|| self.wrong_type(random)),
        }
    }

    /// The last token of the pointer, `value` at the root.
    fn name(&self) -> String {
        let token = self.pointer.rsplit('/').next().unwrap_or_default();
        if token.is_empty() { "value".to_owned() } else { token.replace("~1", "/").replace("~0", "~") }
    }

    fn allows_null(&self) -> bool {
        matches!(self.gene, Gene::Enum(gene) if gene.values().contains(&Value::Null))
    }

    fn wrong_type(&self, random: &mut Random) -> Option<(Edit, String)> {
        let wrong = |value: Value, kind: &str| Some((Edit::Replace(value), format!("{} as {kind}", self.name())));
        let number = || wrong(json!(12), "number");
        let text = || wrong(json!("text"), "text");
        let list = || wrong(json!([]), "list");
        let object = || wrong(json!({}), "object");
        match (self.gene, random.below(3)) {
            (Gene::Array(_) | Gene::Integer(_) | Gene::Number(_) | Gene::Boolean(_), 0) | (Gene::Text(_), 1) => object(),
            (Gene::Integer(_) | Gene::Number(_), 1) => wrong(json!(true), "boolean"),
            (Gene::Array(_), 1) | (Gene::Object(_), 0) | (Gene::Integer(_) | Gene::Number(_) | Gene::Boolean(_), _) => text(),
            (Gene::Array(_), _) | (Gene::Text(_), 0) => number(),
            (Gene::Object(_) | Gene::Text(_), _) => list(),
            _ => None,
        }
    }

    fn wrong_value(&self, random: &mut Random) -> Option<(Edit, String)> {
        let name = self.name();
        let (value, what) = match self.gene {
            Gene::Integer(gene) => wrong_integer(gene, random)?,
            Gene::Number(gene) => wrong_number(gene, random)?,
            Gene::Text(gene) => wrong_text(gene, random)?,
            Gene::Enum(gene) => (extra_value(gene.values()), "outside its list"),
            Gene::Array(gene) => wrong_array(gene, random)?,
            Gene::Object(gene) => return unknown_field(gene, &name),
            _ => return None,
        };
        Some((Edit::Replace(value), format!("{name} {what}")))
    }

    /// Whether no alternative of the choice around it allows the changed value.
    fn is_wrong(&self, violation: &Violation) -> bool {
        let Some((choice, length)) = self.choice else { return true };
        let below = Violation { pointer: violation.pointer[length..].to_owned(), ..violation.clone() };
        // A choice that is not sent is missed by the object around it.
        let Some(value) = choice.to_json() else { return false };
        below.apply(value).is_none_or(|value| choice.refuses(&value))
    }
}

fn wrong_integer(gene: &IntegerGene, random: &mut Random) -> Option<(Value, &'static str)> {
    let (min, max) = gene.bounds();
    let below = min.checked_sub(1).map(|value| (json!(value), "too small"));
    let above = max.checked_add(1).map(|value| (json!(value), "too large"));
    let fraction = Some((json!(min.max(0) as f64 + 0.5), "with a fraction"));
    let far = (max < i64::MAX).then(|| (json!(i64::MAX), "too large"));
    let huge = Some((json!(1e30), "too large"));
    let candidates = [below, above, fraction, far, huge];
    random.pick(&candidates.into_iter().flatten().collect::<Vec<_>>()).cloned()
}

fn wrong_number(gene: &NumberGene, random: &mut Random) -> Option<(Value, &'static str)> {
    let schema = gene.schema();
    let below = schema.min.map(|min| (render(min - 1.0_f64.max(min.abs() / 2.0)), "too small"));
    let above = schema.max.map(|max| (render(max + 1.0_f64.max(max.abs() / 2.0)), "too large"));
    let at_min = schema.min.filter(|_| schema.exclusive_min).map(|min| (render(min), "too small"));
    let at_max = schema.max.filter(|_| schema.exclusive_max).map(|max| (render(max), "too large"));
    let between = schema.multiple_of.map(|step| (render(step / 2.0), "off its step"));
    let candidates: Vec<_> = [below, above, at_min, at_max, between].into_iter().flatten().collect();
    random.pick(&candidates).cloned().filter(|(value, _)| value.is_number())
}

fn wrong_text(gene: &TextGene, random: &mut Random) -> Option<(Value, &'static str)> {
    let (min, max) = gene.lengths();
    let present = gene.value();
    let short = (min > 0).then(|| (present.chars().take(min - 1).collect::<String>(), "too short"));
    let long = (max < MAX_LENGTH).then(|| {
        let missing = max + 1 - present.chars().count().min(max);
        (present.to_owned() + &"x".repeat(missing), "too long")
    });
    // Nearly everything is a URI template, or a reference.
    let misfits: &[&str] = match gene.form() {
        TextForm::UriReference | TextForm::UriTemplate => &["{"],
        _ => &["", "not valid", "\u{0}", "!", "2020-13-45T99:99:99Z", "::", "@", "x"],
    };
    let misfit = misfits.iter().find(|text| {
        let refused = gene.pattern().is_some_and(|pattern| !pattern.is_match(text));
        (refused || !gene.form().accepts(text)) && (random.chance(0.6))
    });
    let what = if gene.form() == TextForm::Plain { "against its pattern" } else { "in a bad format" };
    let candidates: Vec<_> = [short, long, misfit.map(|text| ((*text).to_owned(), what))].into_iter().flatten().collect();
    random.pick(&candidates).map(|(text, what)| (json!(text), *what))
}

/// A value that is none of the listed ones.
fn extra_value(values: &[Value]) -> Value {
    let number = values.iter().filter_map(Value::as_i64).max().and_then(|largest| largest.checked_add(1)).map(Value::from);
    let text = values.iter().find_map(Value::as_str).map(|text| Value::from(format!("{text}x")));
    let candidates = number.into_iter().chain(text).chain([json!("unlisted"), json!("unlisted value")]);
    let mut unlisted = candidates.filter(|candidate| !values.contains(candidate));
    unlisted.next().unwrap_or_else(|| json!({"unlisted": true}))
}

fn wrong_array(gene: &ArrayGene, random: &mut Random) -> Option<(Value, &'static str)> {
    let (min, max, unique) = gene.sizes();
    let Value::Array(members) = gene.to_json() else { return None };
    let short = (min > 0).then(|| (members[..(min - 1).min(members.len())].to_vec(), "too short"));
    let long = members.first().filter(|_| max < MAX_LENGTH).map(|first| {
        let mut more = members.clone();
        more.resize(max + 1, first.clone());
        (more, "too long")
    });
    let twice = members
        .first()
        .filter(|_| unique)
        .map(|first| ([members.clone(), vec![first.clone()]].concat(), "with a repeated member"));
    let candidates: Vec<_> = [short, long, twice].into_iter().flatten().collect();
    random.pick(&candidates).map(|(members, what)| (json!(members), *what))
}

fn unknown_field(gene: &ObjectGene, name: &str) -> Option<(Edit, String)> {
    let extra = ["unknownField", "unknown_field", "unknown"].into_iter().find(|extra| !gene.knows(extra))?;
    let description = format!("unknown field in {name}");
    gene.forbids_extras().then(|| (Edit::Insert(extra.to_owned(), json!("unknown")), description))
}
