//! Genes of a tree with names for people: where each stands, and which part of the value it decides.

use std::sync::Arc;

use serde_json::Value;

use super::site::push_token;
use super::{Gene, Specialisation};
use crate::random::Random;

/// Values that are drawn before it is said that none fits.
const TRIES: usize = 24;
/// Values that are drawn before it is said that all of them fit.
const DRAWS: usize = 24;

/// A gene that can be changed by itself, with its name.
#[derive(Debug, Clone)]
pub struct NamedGene<'a> {
    /// [`super::GeneSite::key`].
    pub key: u64,
    /// JSON pointer of its place with `*` for any member of a list, or of a map by a name that the service does not know, and what of the value it decides where that is
    /// not the value itself: `/items/*/name`, `/tags (how many)`; without a pointer at the root.
    pub name: String,
    /// JSON pointer of its value.
    pub pointer: String,
    /// The gene.
    pub gene: &'a Gene,
}

impl Gene {
    /// Every gene of the active tree that can be changed by itself with its name, in tree order.
    pub fn named(&self) -> Vec<NamedGene<'_>> {
        let sites = self.sites().into_iter();
        let named = sites.filter_map(|site| {
            let (place, gene) = self.walk_to(&site.path.0)?;
            let part = gene.part_name();
            let name = [place.as_str(), part].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
            Some(NamedGene { key: site.key, name, pointer: site.pointer, gene })
        });
        named.collect()
    }

    /// Whether some value of this gene is one of `specialisation`.
    pub fn can_be(&self, specialisation: &Arc<Specialisation>, random: &mut Random) -> bool {
        let mut gene = self.clone();
        gene.specialise(specialisation, random);
        match &gene {
            Self::Text(text) => text.specialised() == Some(specialisation),
            Self::Boolean(_) | Self::Integer(_) | Self::Number(_) | Self::Enum(_) => (0..TRIES).any(|_| {
                let drawn = specialisation.draw(random, "").map(Value::String);
                drawn.is_some_and(|value| gene.assign(&value))
            }),
            _ => false,
        }
    }

    /// Whether all values that this gene draws by itself are of `specialisation`, as far as a few of them show: to be told so
    /// is to be told nothing.
    pub fn is_always(&self, specialisation: &Specialisation, random: &mut Random) -> bool {
        let mut gene = self.clone();
        (0..DRAWS).all(|_| {
            gene.sample(random);
            match gene.to_json() {
                Some(Value::String(text)) => specialisation.accepts(&text),
                Some(Value::Number(number)) => specialisation.accepts(&number.to_string()),
                _ => false,
            }
        })
    }

    /// What the value is narrowed to at present.
    pub fn specialised(&self) -> Option<&Arc<Specialisation>> {
        match self {
            Self::Text(gene) => gene.specialised(),
            _ => None,
        }
    }

    /// The pointer of the gene at these child numbers, and the gene.
    fn walk_to(&self, steps: &[u16]) -> Option<(String, &Self)> {
        let mut pointer = String::new();
        let mut gene = self;
        for step in steps.iter().map(|step| usize::from(*step)) {
            gene = match gene {
                Self::Array(array) => {
                    push_token(&mut pointer, "*");
                    array.members().get(step)?
                }
                Self::Object(object) => {
                    let (idx, name, part) = object.named_parts().nth(step)?;
                    push_token(&mut pointer, if object.has_known_name(idx) { name } else { "*" });
                    part
                }
                Self::Choice(choice) if step == 0 => choice.active(),
                Self::Optional(optional) if step == 0 => optional.present()?,
                Self::Nullable(nullable) if step == 0 => nullable.value()?,
                _ => return None,
            };
        }
        Some((pointer, gene))
    }

    /// What of the value the gene itself decides, empty for all of it.
    fn part_name(&self) -> &'static str {
        match self {
            Self::Never | Self::Boolean(_) | Self::Integer(_) | Self::Number(_) | Self::Text(_) | Self::Enum(_) => "",
            Self::Array(_) => "(how many)",
            Self::Object(_) => "(which fields)",
            Self::Choice(_) => "(which alternative)",
            Self::Optional(_) => "(sent or not)",
            Self::Nullable(_) => "(null or not)",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use crate::api::{
        Additional, ArraySchema, IntegerSchema, ObjectSchema, Property, Schema, SchemaKind, Schemas, StringSchema,
    };
    use crate::gene::{FieldName, Gene, GeneLimits, Mutation, Specialisation, TextForm};
    use crate::random::Random;

    const LIMITS: GeneLimits = GeneLimits { max_depth: 4, max_genes: 300, max_members: 4, max_string: 12 };

    /// An object with an optional list of texts.
    fn gene() -> Gene {
        let mut schemas = Schemas::default();
        let text = schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let list = schemas.push(Schema::new(SchemaKind::Array(ArraySchema {
            items: text,
            min_items: 0,
            max_items: None,
            unique: false,
        })));
        let property = Property { name: "a/b".to_owned(), schema: list, required: false };
        let object = ObjectSchema {
            properties: vec![property],
            additional: Additional::Forbidden,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: false,
        };
        let object = schemas.push(Schema::new(SchemaKind::Object(object)));
        Gene::from_schema(&schemas, object, &LIMITS)
    }

    #[test]
    fn members_of_lists_share_a_name_and_parts_are_told() {
        let mut gene = gene();
        assert!(gene.assign(&json!({ "a/b": ["x", "y"] })));
        let names: Vec<String> = gene.named().into_iter().map(|named| named.name).collect();
        assert!(names.contains(&"/a~1b (sent or not)".to_owned()), "{names:?}");
        assert!(names.contains(&"/a~1b (how many)".to_owned()), "{names:?}");
        assert_eq!(names.iter().filter(|name| *name == "/a~1b/*").count(), 2, "{names:?}");
        let keys: Vec<u64> = gene.named().into_iter().filter(|named| named.name == "/a~1b/*").map(|it| it.key).collect();
        assert_eq!(keys[0], keys[1], "one gene of the operation");
    }

    #[test]
    fn members_of_maps_are_told_by_the_names_that_the_service_knows() {
        let mut schemas = Schemas::default();
        let text = schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let map = ObjectSchema {
            properties: Vec::new(),
            additional: Additional::Typed(text),
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: false,
        };
        let map = schemas.push(Schema::new(SchemaKind::Object(map)));
        let mut gene = Gene::from_schema(&schemas, map, &LIMITS);
        assert!(gene.assign(&json!({ "x": "y" })));
        assert!(gene.put_in_field(FieldName::Known("topic"), None, &mut Random::new(1, 0)));
        let names: Vec<String> = gene.named().into_iter().map(|named| named.name).collect();
        assert_eq!(names, ["(which fields)", "/*", "/topic"]);
    }

    #[test]
    fn what_narrows_a_value_is_known_as_long_as_it_does() {
        let mut schemas = Schemas::default();
        let text = schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let mut gene = Gene::from_schema(&schemas, text, &LIMITS);
        let blue = Arc::new(Specialisation::Constant("blue".to_owned()));
        assert_eq!(gene.specialise(&blue, &mut Random::new(1, 0)), Mutation::Changed);
        assert_eq!(gene.specialised(), Some(&blue));
        assert!(gene.assign(&json!("red")) && gene.specialised().is_none());
        assert!(gene.can_be(&blue, &mut Random::new(1, 0)) && gene.to_json() == Some(json!("red")), "only asked");
        let number = schemas.push(Schema::new(SchemaKind::Integer(IntegerSchema { min: 0, max: 9, multiple_of: None })));
        let number = Gene::from_schema(&schemas, number, &LIMITS);
        assert!(!number.can_be(&blue, &mut Random::new(1, 0)));
    }

    #[test]
    fn what_all_values_are_is_told_from_what_some_are() {
        let gene = |kind| {
            let mut schemas = Schemas::default();
            let schema = schemas.push(Schema::new(kind));
            Gene::from_schema(&schemas, schema, &LIMITS)
        };
        let date = StringSchema { format: Some("date".to_owned()), ..StringSchema::default() };
        let genes = [
            gene(SchemaKind::String(StringSchema::default())),
            gene(SchemaKind::String(date)),
            gene(SchemaKind::Integer(IntegerSchema { min: 0, max: 9, multiple_of: None })),
        ];
        let digits = Specialisation::of_pattern("[0-9]{4}-[0-1][0-9]-[0-3][0-9]").expect("a pattern");
        let told = [
            Specialisation::Form(TextForm::IntegerText),
            Specialisation::Form(TextForm::NumberText),
            Specialisation::Constant("5".to_owned()),
            digits,
        ];
        let is_always = |gene: &Gene| told.each_ref().map(|it| gene.is_always(it, &mut Random::new(1, 0)));
        assert_eq!(is_always(&genes[0]), [false; 4]);
        assert_eq!(is_always(&genes[1]), [false, false, false, true]);
        assert_eq!(is_always(&genes[2]), [true, true, false, false]);
    }
}
