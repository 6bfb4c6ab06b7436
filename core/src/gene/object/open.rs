//! Fields of objects that their schema leaves open, put in by name.

use serde_json::Value;

use super::{Extra, ObjectGene};
use crate::gene::Gene;
use crate::random::Random;

/// The name of a field that no schema lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldName<'a> {
    /// The service knows it: the field is a part of the object's structure, a gene of its own.
    Known(&'a str),
    /// It was made up, and stands for any.
    MadeUp(&'a str),
}

impl Gene {
    /// Puts a field of that name into the object that it is, or can become, if fields that no schema lists are the point of
    /// that; says whether it is there then.
    ///
    /// The field has `value` where there is one that its schema allows, else one that is drawn. What may be left out is put in.
    pub fn put_in_field(&mut self, name: FieldName<'_>, value: Option<&Value>, random: &mut Random) -> bool {
        match self {
            Self::Object(gene) => gene.put_in(name, value, random),
            Self::Choice(gene) => gene.put_in_field(name, value, random),
            Self::Optional(gene) => {
                let mut changed = gene.clone();
                let is_in =
                    changed.put_in() && changed.present_mut().is_some_and(|inner| inner.put_in_field(name, value, random));
                if is_in {
                    *gene = changed;
                }
                is_in
            }
            Self::Nullable(gene) => gene.put_in_field(name, value, random),
            _ => false,
        }
    }

    /// Takes out of the object that it is the fields whose names were made up, if such fields are its point and it may be
    /// without them.
    pub(crate) fn drop_made_up(&mut self) {
        match self {
            Self::Object(gene) => gene.drop_made_up(),
            Self::Choice(gene) => gene.drop_made_up(),
            Self::Optional(gene) => {
                if let Some(inner) = gene.present_mut() {
                    inner.drop_made_up();
                }
            }
            Self::Nullable(gene) => gene.drop_made_up(),
            _ => {}
        }
    }

    /// Whether its value is narrowed to what the service was told to want.
    pub(crate) fn is_narrowed(&self) -> bool {
        match self {
            Self::Choice(gene) => gene.active().is_narrowed(),
            Self::Optional(gene) => gene.present().is_some_and(Self::is_narrowed),
            Self::Nullable(gene) => gene.value().is_some_and(Self::is_narrowed),
            gene => gene.specialised().is_some(),
        }
    }
}

impl ObjectGene {
    /// Whether fields that the schema does not list are the point of it, and there is room for some.
    fn is_open(&self) -> bool {
        self.rules.is_map && self.rules.looked_up.is_some() && self.rules.extras_drawn > 0
    }

    /// Takes out the fields whose names were made up, if it may be without them.
    fn drop_made_up(&mut self) {
        if !self.is_open() || self.extras.iter().all(|field| field.is_known) {
            return;
        }
        let before = self.clone();
        self.extras.retain(|field| field.is_known);
        if self.holds(&self.render()) {
            self.settle();
        } else {
            *self = before;
        }
    }

    /// Puts a field in that the schema does not list, in the place of another one where there is no room for more: of one
    /// whose name the service does not know, else of one that has not what the service wants, if there is such. It has `value` where
    /// there is one that its schema allows, else one that is drawn. False, and nothing changes, when the schema allows no field
    /// of that name.
    fn put_in(&mut self, name: FieldName<'_>, value: Option<&Value>, random: &mut Random) -> bool {
        let (FieldName::Known(name) | FieldName::MadeUp(name), is_known) = (name, matches!(name, FieldName::Known(_)));
        let Some(seed) = self.rules.looked_up.as_ref().filter(|_| self.is_open()) else { return false };
        if self.knows(name) || !self.rules.allows_name(name) {
            return false;
        }
        let mut gene = seed.gene();
        if matches!(gene, Gene::Never) {
            return false;
        }
        if !value.is_some_and(|value| gene.assign(value)) {
            gene.sample(random);
        }
        let before = self.clone();
        let known = self.extras.iter().position(|other| other.name == name);
        let is_full = self.extras.len() >= self.rules.extras_drawn;
        let made_up = || self.extras.iter().position(|other| !other.is_known);
        let spare = || made_up().or_else(|| self.extras.iter().position(|other| !other.gene.is_narrowed())).unwrap_or(0);
        let field = Extra { name: name.to_owned(), gene, is_known };
        // The others stay where they are.
        match known.or_else(|| is_full.then(spare)) {
            Some(idx) => self.extras[idx] = field,
            None => self.extras.push(field),
        }
        let is_in = self.holds(&self.render());
        if is_in {
            self.settle();
        } else {
            *self = before;
        }
        is_in
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use crate::api::{Additional, ChoiceSchema, ObjectSchema, Property, Schema, SchemaId, SchemaKind, Schemas, StringSchema};
    use crate::gene::FieldName::{Known, MadeUp};
    use crate::gene::{Gene, GeneLimits, Specialisation};
    use crate::random::Random;

    const LIMITS: GeneLimits = GeneLimits { max_depth: 5, max_genes: 100, max_members: 3, max_string: 10 };

    fn push(schemas: &mut Schemas, kind: SchemaKind) -> SchemaId {
        schemas.push(Schema::new(kind))
    }

    fn object(additional: Additional) -> ObjectSchema {
        ObjectSchema {
            properties: Vec::new(),
            additional,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: false,
        }
    }

    /// The value with `key` put in, of the gene of the schema that `build` makes.
    fn put_in(build: impl Fn(&mut Schemas) -> SchemaKind, names: &[&str]) -> (bool, Option<Value>) {
        let mut schemas = Schemas::default();
        let kind = build(&mut schemas);
        let id = push(&mut schemas, kind);
        let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
        let mut random = Random::new(1, 0);
        let is_in = names.iter().all(|name| gene.put_in_field(Known(name), Some(&json!("word")), &mut random));
        (is_in, gene.to_json())
    }

    #[test]
    fn maps_take_fields_of_any_name_up_to_their_room() {
        let any = |_: &mut Schemas| SchemaKind::Object(object(Additional::Unspecified));
        assert_eq!(put_in(any, &["a", "b"]), (true, Some(json!({"a": "word", "b": "word"}))));
        assert_eq!(put_in(any, &["a", "a"]).1, Some(json!({"a": "word"})));
        assert_eq!(put_in(any, &["c", "d", "e", "f"]).1, Some(json!({"f": "word", "d": "word", "e": "word"})));
    }

    #[test]
    fn names_that_were_made_up_go_where_they_need_not_be_there() {
        let mut random = Random::new(1, 0);
        let kept = [0, 2].map(|min_properties| {
            let mut schemas = Schemas::default();
            let map = ObjectSchema { min_properties, ..object(Additional::Unspecified) };
            let id = push(&mut schemas, SchemaKind::Object(map));
            let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
            assert!(gene.assign(&json!({"x": "word", "y": "word"})));
            assert!(gene.put_in_field(Known("title"), Some(&json!("word")), &mut random));
            gene.drop_made_up();
            gene.to_json().and_then(|value| Some(value.as_object()?.len()))
        });
        assert_eq!(kept, [Some(1), Some(3)]);
    }

    /// A map of anything.
    fn map() -> Gene {
        let mut schemas = Schemas::default();
        let id = push(&mut schemas, SchemaKind::Object(object(Additional::Unspecified)));
        Gene::from_schema(&schemas, id, &LIMITS)
    }

    #[test]
    fn a_field_whose_name_the_service_does_not_know_gives_way_first() {
        let (mut gene, mut random) = (map(), Random::new(1, 0));
        assert!(gene.put_in_field(Known("a"), Some(&json!("word")), &mut random));
        assert!(gene.assign(&json!({"x": "word", "type": "word"})));
        for name in ["type", "b", "c"] {
            assert!(gene.put_in_field(Known(name), Some(&json!("word")), &mut random));
        }
        assert_eq!(gene.to_json(), Some(json!({"c": "word", "type": "word", "b": "word"})));
    }

    #[test]
    fn names_that_the_service_knows_are_structure_and_others_values() {
        let (mut gene, mut random) = (map(), Random::new(1, 0));
        assert!(gene.assign(&json!({"x": "word", "y": "word"})));
        assert!(gene.put_in_field(Known("topic"), Some(&json!("word")), &mut random));
        let key = |gene: &Gene, pointer: &str| {
            let sites = gene.sites();
            sites.iter().find(|site| site.pointer == pointer).map(|site| site.key).expect("a site there")
        };
        assert_eq!(key(&gene, "/x"), key(&gene, "/y"));
        assert_ne!(key(&gene, "/x"), key(&gene, "/topic"));
        assert!(gene.put_in_field(MadeUp("y"), Some(&json!("word")), &mut random));
        assert_eq!(key(&gene, "/x"), key(&gene, "/y"));
    }

    #[test]
    fn a_field_that_has_what_the_service_wants_gives_way_last() {
        let (mut gene, mut random) = (map(), Random::new(1, 0));
        for name in ["c", "d", "e"] {
            assert!(gene.put_in_field(Known(name), Some(&json!("word")), &mut random));
        }
        let sites = gene.sites();
        let site = sites
            .iter()
            .find(|site| site.pointer == "/c" && gene.at(&site.path).is_some_and(|gene| matches!(gene, Gene::Text(_))));
        let path = site.expect("a text").path.clone();
        let wanted = Arc::new(Specialisation::Constant("3.0".to_owned()));
        gene.at_mut(&path).expect("it is there").specialise(&wanted, &mut random);
        for name in ["f", "g", "h"] {
            assert!(gene.put_in_field(Known(name), Some(&json!("word")), &mut random));
        }
        assert_eq!(gene.to_json(), Some(json!({"c": "3.0", "h": "word", "e": "word"})));
    }

    #[test]
    fn where_a_document_says_object_of_a_value_it_may_be_anything() {
        let map = |schemas: &mut Schemas| {
            let value = push(schemas, SchemaKind::Object(object(Additional::Unspecified)));
            SchemaKind::Object(object(Additional::Typed(value)))
        };
        assert_eq!(put_in(map, &["a"]), (true, Some(json!({"a": "word"}))));
    }

    #[test]
    fn values_keep_to_what_the_document_says_otherwise() {
        let map = |schemas: &mut Schemas| {
            let value = push(schemas, SchemaKind::Boolean);
            SchemaKind::Object(object(Additional::Typed(value)))
        };
        let (is_in, value) = put_in(map, &["a"]);
        assert!(is_in && value.and_then(|value| value.get("a").cloned()).is_some_and(|value| value.is_boolean()));
    }

    #[test]
    fn a_choice_becomes_the_alternative_that_is_open() {
        let text_or_map = |schemas: &mut Schemas| {
            let options = [SchemaKind::String(StringSchema::default()), SchemaKind::Object(object(Additional::Unspecified))];
            let options = options.map(|kind| push(schemas, kind)).to_vec();
            SchemaKind::Choice(ChoiceSchema { options, exclusive: false, discriminator: None })
        };
        assert_eq!(put_in(text_or_map, &["a", "b"]), (true, Some(json!({"a": "word", "b": "word"}))));
        assert_eq!(put_in(|_| SchemaKind::Any, &["a"]), (true, Some(json!({"a": "word"}))));
    }

    #[test]
    fn fields_that_no_schema_lists_are_told_from_others() {
        let mut schemas = Schemas::default();
        let map = push(&mut schemas, SchemaKind::Object(object(Additional::Unspecified)));
        let property = Property { name: "labels".into(), schema: map, required: true };
        let whole = SchemaKind::Object(ObjectSchema { properties: vec![property], ..object(Additional::Forbidden) });
        let id = push(&mut schemas, whole);
        let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
        assert!(gene.assign(&json!({"labels": {"a/b": "word"}})));
        let unlisted_at = |pointer: &str| {
            let mut told = gene.sites().into_iter().filter(|site| site.pointer == pointer);
            gene.unlisted_on(&told.next().expect("a site there").path)
        };
        assert!(unlisted_at("/labels").is_empty());
        assert_eq!(unlisted_at("/labels/a~1b"), ["/labels/a~1b"]);
    }

    #[test]
    fn what_is_not_open_stays_as_it_is() {
        let closed = |_: &mut Schemas| SchemaKind::Object(object(Additional::Forbidden));
        assert_eq!(put_in(closed, &["a"]), (false, Some(json!({}))));
        let listed = |schemas: &mut Schemas| {
            let schema = push(schemas, SchemaKind::Boolean);
            let property = Property { name: "on".into(), schema, required: true };
            SchemaKind::Object(ObjectSchema { properties: vec![property], ..object(Additional::Unspecified) })
        };
        assert_eq!(put_in(listed, &["a"]), (false, Some(json!({"on": false}))));
        assert_eq!(put_in(|_| SchemaKind::Boolean, &["a"]), (false, Some(json!(false))));
    }
}
