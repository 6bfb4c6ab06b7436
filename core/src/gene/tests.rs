//! Properties of whole trees, against the `jsonschema` crate as an independent judge.

mod schemas;

use std::sync::Arc;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::{Value, json};

use super::{Edit, Gene, GeneLimits, Lens, Measure, Mutation, Specialisation, TextForm};
use crate::api::{
    Additional, ArraySchema, ChoiceSchema, IntegerSchema, ObjectSchema, Property, Schema, SchemaId, SchemaKind, Schemas,
    StringSchema,
};
use crate::random::Random;
use schemas::{Document, document};

const LIMITS: GeneLimits = GeneLimits { max_depth: 4, max_genes: 300, max_members: 4, max_string: 12 };

/// Changes one site of the tree, as the search does.
fn mutate_somewhere(gene: &mut Gene, random: &mut Random) -> Mutation {
    let sites = gene.sites();
    let Some(site) = random.pick(&sites) else { return Mutation::Unchanged };
    gene.at_mut(&site.path).map_or(Mutation::Unchanged, |gene| gene.mutate(random))
}

fn check(document: &Document, gene: &Gene, what: &str) {
    let value = gene.to_json().expect("a gene that is not optional has a value");
    if gene.keeps_constraints() {
        let error = document.validator.validate(&value).err().map(|error| error.to_string());
        assert_eq!(error, None, "{what}: {value} against {}", document.json);
    }
}

proptest! {


    #[test]
    fn every_value_keeps_the_constraints_of_its_schema(document in document(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        prop_assume!(gene.is_satisfiable());
        check(&document, &gene, "smallest");
        for _ in 0..8 {
            gene.sample(&mut random);
            check(&document, &gene, "sampled");
            for _ in 0..12 {
                mutate_somewhere(&mut gene, &mut random);
                check(&document, &gene, "mutated");
            }
        }
    }

    #[test]
    fn a_value_can_be_taken_over_by_a_fresh_gene(document in document(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let fresh = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        prop_assume!(fresh.is_satisfiable());
        for _ in 0..8 {
            let mut source = fresh.clone();
            source.sample(&mut random);
            mutate_somewhere(&mut source, &mut random);
            let value = source.to_json().expect("it is not optional");
            let (mut assigned, mut copied) = (fresh.clone(), fresh.clone());
            prop_assert!(assigned.assign(&value), "{value} against {}", document.json);
            prop_assert_eq!(assigned.to_json(), Some(value.clone()));
            prop_assert!(copied.copy_value_from(&source));
            prop_assert_eq!(copied.to_json(), Some(value));
        }
    }

    #[test]
    fn assign_takes_a_foreign_value_or_changes_nothing(document in document(), foreign in any_json(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        prop_assume!(gene.is_satisfiable());
        gene.sample(&mut random);
        let before = gene.to_json();
        if gene.assign(&foreign) {
            check(&document, &gene, "assigned");
        } else {
            prop_assert_eq!(gene.to_json(), before);
        }
    }

    #[test]
    fn sites_resolve_and_point_at_their_values(document in document(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        for _ in 0..6 {
            gene.sample(&mut random);
            let value = gene.to_json().expect("it is not optional");
            for site in gene.sites() {
                let found = gene.clone().at_mut(&site.path).map(|gene| gene.to_json());
                prop_assert!(found.is_some(), "{site:?}");
                prop_assert_eq!(value.pointer(&site.pointer).cloned(), found.flatten(), "{:?} in {}", site, value);
                prop_assert!(site.weight >= 1.0);
            }
        }
    }

    #[test]
    fn a_violation_is_one(document in document(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        prop_assume!(gene.is_satisfiable());
        for _ in 0..10 {
            gene.sample(&mut random);
            let Some(violation) = gene.sample_violation(&mut random) else { continue };
            if !gene.keeps_constraints() {
                continue;
            }
            let value = gene.to_json().expect("it is not optional");
            if let Some(broken) = violation.apply(value.clone()) {
                prop_assert!(broken != value, "{violation:?} of {value} against {}", document.json);
                prop_assert!(!document.validator.is_valid(&broken), "{violation:?} of {value} against {}", document.json);
            }
        }
    }

    #[test]
    fn the_tree_stays_within_its_limits(document in document(), seed: u64) {
        let mut random = Random::new(seed, 0);
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        for _ in 0..40 {
            gene.sample(&mut random);
            mutate_somewhere(&mut gene, &mut random);
            let mut count = 0;
            gene.for_each(&mut |gene| count += usize::from(!matches!(gene, Gene::Optional(_) | Gene::Nullable(_))));
            prop_assert!(count <= LIMITS.max_genes, "{count} genes for {}", document.json);
        }
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-20_i64..20).prop_map(Value::from),
        (-5.0..5.0_f64).prop_map(Value::from),
        "[a-c0-9]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-d]", inner, 0..4).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn single(kind: SchemaKind) -> Gene {
    let mut schemas = Schemas::default();
    let id = schemas.push(Schema::new(kind));
    Gene::from_schema(&schemas, id, &LIMITS)
}

#[test]
fn mutating_a_site_usually_changes_the_value() {
    let mut random = Random::new(3, 0);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut changed, mut total) = (0, 0);
    for _ in 0..60 {
        let document = document().new_tree(&mut runner).expect("the strategy gives schemas").current();
        let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
        for _ in 0..40 {
            gene.sample(&mut random);
            let before = gene.to_json();
            if gene.sites().is_empty() {
                continue;
            }
            let mutation = mutate_somewhere(&mut gene, &mut random);
            total += 1;
            changed += usize::from(mutation == Mutation::Changed && gene.to_json() != before);
        }
    }
    assert!(changed * 100 > total * 90, "{changed} of {total}");
}

/// A text gene with at most this many characters.
fn text(max_length: Option<usize>) -> Gene {
    single(SchemaKind::String(StringSchema { max_length, ..StringSchema::default() }))
}

#[test]
fn a_narrowed_text_mostly_stays_narrow_and_always_keeps_its_constraints() {
    let mut random = Random::new(1, 0);
    let pattern = Arc::new(Specialisation::of_pattern("^[a-c]{3}-[0-9]+$").expect("a pattern"));
    let mut gene = text(Some(8));
    assert_eq!(gene.specialise(&pattern, &mut random), Mutation::Changed);
    let is_narrow = |gene: &Gene| {
        let value = gene.to_json().expect("a text");
        let text = value.as_str().expect("a text").to_owned();
        assert!(text.chars().count() <= 8, "{text}");
        text.split_once('-').is_some_and(|(start, end)| {
            start.len() == 3
                && start.bytes().all(|byte| b"abc".contains(&byte))
                && end.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    assert!(is_narrow(&gene));
    let narrow = (0..200).filter(|_| {
        let mut mutant = gene.clone();
        mutant.mutate(&mut random);
        is_narrow(&mutant)
    });
    assert!(narrow.count() > 120);
}

#[test]
fn a_part_is_narrowed_where_it_stands_and_what_surrounds_it_is_not() {
    let mut random = Random::new(1, 0);
    let constant = |text: &str| Arc::new(Specialisation::Constant(text.to_owned()));
    let second = Arc::new(Specialisation::Within(Lens::Piece { separator: ',', idx: 1 }, constant("blue")));
    let mut gene = text(Some(12));
    assert!(gene.assign(&json!("abc,def,g")));
    assert_eq!(gene.specialise(&second, &mut random), Mutation::Changed);
    assert_eq!(gene.to_json(), Some(json!("abc,blue,g")));
    let kept = (0..200).filter(|_| {
        let mut mutant = gene.clone();
        mutant.mutate(&mut random);
        let value = mutant.to_json().and_then(|value| value.as_str().map(str::to_owned)).expect("a text");
        assert!(value.chars().count() <= 12, "{value}");
        value != "abc,blue,g" && value.split(',').nth(1) == Some("blue")
    });
    assert!(kept.count() > 60, "the rest changes, and the part stays");
    assert!(gene.assign(&json!("abcdefghi")));
    assert_eq!(gene.specialise(&second, &mut random), Mutation::Unchanged, "it would be too long");
    assert!(gene.assign(&json!("abcd")));
    assert_eq!(gene.specialise(&second, &mut random), Mutation::Changed);
    assert_eq!(gene.to_json(), Some(json!("abcd,blue")));
}

#[test]
fn texts_are_marked_where_their_constraints_allow_it() {
    let mut gene = text(None);
    assert_eq!((gene.mark(7), gene.to_json()), (Mutation::Changed, Some(json!("restive_7_input"))));
    let mut short = text(Some(6));
    assert_eq!((short.mark(7), short.to_json()), (Mutation::Changed, Some(json!("zq7qz"))));
    assert_eq!(short.mark(12_345), Mutation::Unchanged, "no room");
    let pattern = "^[0-9]+$".to_owned();
    let mut digits = single(SchemaKind::String(StringSchema { pattern: Some(pattern), ..StringSchema::default() }));
    assert_eq!(digits.mark(7), Mutation::Unchanged);
    let mut narrow = text(None);
    narrow.specialise(&Arc::new(Specialisation::Constant("blue".to_owned())), &mut Random::new(1, 0));
    assert!(!narrow.is_markable() && narrow.mark(7) == Mutation::Unchanged);
}

#[test]
fn what_a_gene_does_not_allow_it_does_not_take() {
    let mut random = Random::new(1, 0);
    let constant = |text: &str| Arc::new(Specialisation::Constant(text.to_owned()));
    let mut short = text(Some(3));
    let before = short.to_json();
    assert_eq!(short.specialise(&constant("long"), &mut random), Mutation::Unchanged);
    assert_eq!(short.to_json(), before);
    assert_eq!(short.specialise(&constant("abc"), &mut random), Mutation::Changed);
    let mut number = single(SchemaKind::Integer(IntegerSchema { min: 0, max: 99, multiple_of: None }));
    assert_eq!(number.specialise(&constant("42"), &mut random), Mutation::Changed);
    assert_eq!(number.to_json(), Some(json!(42)));
    assert_eq!(number.specialise(&constant("100"), &mut random), Mutation::Unchanged);
    assert_eq!(number.specialise(&constant("x"), &mut random), Mutation::Unchanged);
}

#[test]
fn a_text_narrowed_to_dates_lies_on_their_line() {
    let mut random = Random::new(1, 0);
    let mut gene = text(None);
    gene.specialise(&Arc::new(Specialisation::Form(TextForm::Date)), &mut random);
    assert!(matches!(gene.measure(), Some(Measure::Whole(_))), "{gene:?}");
    gene.assign(&json!("2020-01-01"));
    assert!(matches!(gene.measure(), Some(Measure::Text(_))), "a value from elsewhere is no date by itself");
}

#[test]
fn equal_seeds_give_equal_trees() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..30 {
        let document = document().new_tree(&mut runner).expect("the strategy gives schemas").current();
        let run = || {
            let mut random = Random::new(5, 0);
            let mut gene = Gene::from_schema(&document.schemas, SchemaId(0), &LIMITS);
            let mut values = Vec::new();
            for _ in 0..20 {
                gene.sample(&mut random);
                mutate_somewhere(&mut gene, &mut random);
                values.push(gene.to_json());
            }
            (values, gene.sites())
        };
        assert_eq!(run(), run());
    }
}

#[test]
fn numbers_become_text_and_numeric_text_becomes_numbers() {
    let mut text = single(SchemaKind::String(StringSchema::default()));
    assert!(text.assign(&json!(42)) && text.to_json() == Some(json!("42")));
    assert!(!text.assign(&json!([1])) && text.to_json() == Some(json!("42")));
    let mut number = single(SchemaKind::Integer(IntegerSchema { min: 0, max: 50, multiple_of: None }));
    assert!(number.assign(&json!("42")) && number.to_json() == Some(json!(42)));
    assert!(number.assign(&json!(7.0)) && number.to_json() == Some(json!(7)));
    assert!(!number.assign(&json!("51")) && !number.assign(&json!("x")) && !number.assign(&json!(1.5)));
    let mut truth = single(SchemaKind::Boolean);
    assert!(truth.assign(&json!("true")) && truth.to_json() == Some(json!(true)));
}

#[test]
fn an_array_with_a_schema_for_each_place_is_one_in_every_change() {
    let text = r#"{"openapi": "3.1.0", "paths": {"/": {"post": {"requestBody": {"content": {"application/json": {"schema": {
        "type": "array", "minItems": 2, "maxItems": 2, "prefixItems": [
            {"enum": ["heavy"]},
            {"type": "object", "properties": {"tons": {"type": "integer", "minimum": 3}}, "required": ["tons"]}
        ]}}}}}}}}"#;
    let api = crate::openapi::parse(text, &crate::openapi::Origin::Text).expect("a document");
    let mut gene = Gene::from_schema(&api.schemas, api.operations[0].bodies[0].schema, &LIMITS);
    assert_eq!(gene.to_json(), Some(json!(["heavy", {"tons": 3}])));
    assert!(gene.assign(&json!(["heavy", {"tons": 9}])) && gene.to_json() == Some(json!(["heavy", {"tons": 9}])));
    for wrong in [json!([{"tons": 9}, "heavy"]), json!(["heavy"]), json!(["heavy", {"tons": 9}, 1]), json!({"0": "heavy"})] {
        assert!(!gene.assign(&wrong), "{wrong}");
    }
    let mut random = Random::new(1, 0);
    for _ in 0..50 {
        gene.sample(&mut random);
        let value = gene.to_json().expect("it is there");
        assert!(value[0] == "heavy" && value[1]["tons"].as_i64() >= Some(3) && value.as_array().map(Vec::len) == Some(2));
    }
}

#[test]
fn an_optional_gene_starts_absent_and_comes_back_with_its_value() {
    let mut random = Random::new(1, 0);
    let mut gene = single(SchemaKind::Boolean);
    gene.assign(&json!(true));
    let mut gene = gene.into_optional();
    assert_eq!(gene.to_json(), None);
    assert_eq!(gene.mutate(&mut random), Mutation::Changed);
    assert_eq!(gene.to_json(), Some(json!(true)));
    let absent = single(SchemaKind::Boolean).into_optional();
    assert!(gene.copy_value_from(&absent) && gene.to_json().is_none());
}

#[test]
fn a_schema_without_values_is_absent_when_optional_and_known_as_unsatisfiable() {
    let mut random = Random::new(1, 0);
    let gene = single(SchemaKind::Never);
    assert!(!gene.is_satisfiable() && gene.sites().is_empty());
    let mut optional = gene.into_optional();
    for _ in 0..20 {
        optional.sample(&mut random);
        assert_eq!(optional.mutate(&mut random), Mutation::Unchanged);
        assert_eq!(optional.to_json(), None);
    }
    assert!(optional.is_satisfiable());
}

fn object(properties: &[(&str, SchemaId, bool)]) -> ObjectSchema {
    let property = |(name, schema, required): &(&str, SchemaId, bool)| Property {
        name: (*name).to_owned(),
        schema: *schema,
        required: *required,
    };
    ObjectSchema {
        properties: properties.iter().map(property).collect(),
        additional: Additional::Unspecified,
        names: None,
        min_properties: 0,
        max_properties: None,
        is_tuple: false,
    }
}

#[test]
fn read_only_fields_are_left_out_when_optional_and_passed_over_in_examples() {
    let mut schemas = Schemas::default();
    let mut read_only = Schema::new(SchemaKind::Boolean);
    read_only.read_only = true;
    let read_only = schemas.push(read_only);
    let plain = schemas.push(Schema::new(SchemaKind::Boolean));
    let fields = [("id", read_only, false), ("must", read_only, true), ("on", plain, false)];
    let id = schemas.push(Schema::new(SchemaKind::Object(object(&fields))));
    let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
    assert!(gene.assign(&json!({"id": true, "must": true, "on": false})));
    assert_eq!(gene.to_json(), Some(json!({"must": true, "on": false})));
    let mut random = Random::new(2, 0);
    for _ in 0..100 {
        gene.sample(&mut random);
        assert!(gene.to_json().is_some_and(|value| value.get("id").is_none() && value.get("must").is_some()));
    }
}

#[test]
fn a_value_for_one_branch_matches_it_alone_with_and_without_formats() {
    let mut schemas = Schemas::default();
    let outer = schemas.push(Schema::new(SchemaKind::Never));
    let text = schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    let date = StringSchema { format: Some("date".to_owned()), ..StringSchema::default() };
    let date = schemas.push(Schema::new(SchemaKind::String(date)));
    let one_of = |options: Vec<SchemaId>| SchemaKind::Choice(ChoiceSchema { options, exclusive: true, discriminator: None });
    // No text matches it when formats are ignored, and all but dates do when they are not.
    let no_date = schemas.push(Schema::new(one_of(vec![date, text])));
    let listed = schemas.push(Schema::new(SchemaKind::Enum(vec![json!("on"), json!("2020-01-31"), json!("off")])));
    schemas.replace(outer, Schema::new(one_of(vec![listed, no_date])));
    let mut gene = Gene::from_schema(&schemas, outer, &LIMITS);
    let mut random = Random::new(1, 0);
    for _ in 0..100 {
        assert_eq!(gene.to_json(), Some(json!("2020-01-31")));
        gene.sample(&mut random);
        mutate_somewhere(&mut gene, &mut random);
    }
}

#[test]
fn a_required_cycle_is_cut_at_its_shortest_end() {
    let mut schemas = Schemas::default();
    let node = schemas.push(Schema::new(SchemaKind::Never));
    let leaf = schemas.push(Schema::new(SchemaKind::Boolean));
    let list =
        schemas.push(Schema::new(SchemaKind::Array(ArraySchema { items: node, min_items: 1, max_items: None, unique: false })));
    let both = schemas.push(Schema::new(SchemaKind::Object(object(&[("left", node, true), ("right", list, true)]))));
    let choice = ChoiceSchema { options: vec![both, leaf], exclusive: true, discriminator: None };
    schemas.replace(node, Schema::new(SchemaKind::Choice(choice)));
    let mut gene = Gene::from_schema(&schemas, both, &LIMITS);
    assert_eq!(gene.to_json(), Some(json!({"left": false, "right": [false]})));
    let mut random = Random::new(4, 0);
    let mut deepest = 0;
    for _ in 0..300 {
        gene.sample(&mut random);
        deepest = deepest.max(nesting(&gene.json_or_null()));
    }
    assert!((4..=10).contains(&deepest), "{deepest}");
}

fn nesting(value: &Value) -> usize {
    1 + match value {
        Value::Array(members) => members.iter().map(nesting).max().unwrap_or(0),
        Value::Object(fields) => fields.values().map(nesting).max().unwrap_or(0),
        _ => 0,
    }
}

#[test]
fn ten_thousand_mutually_recursive_schemas_give_a_gene_each_in_little_time() {
    let mut schemas = Schemas::default();
    let ids: Vec<SchemaId> = (0..10_000).map(|_| schemas.push(Schema::new(SchemaKind::Never))).collect();
    let names: Vec<String> = (0..20).map(|idx| format!("f{idx}")).collect();
    for (idx, id) in ids.iter().enumerate() {
        let parts: Vec<(&str, SchemaId, bool)> = names
            .iter()
            .enumerate()
            .map(|(number, name)| (name.as_str(), ids[(idx * 7 + number * 131) % ids.len()], false))
            .collect();
        schemas.replace(*id, Schema::new(SchemaKind::Object(object(&parts))));
    }
    let limits = GeneLimits { max_depth: 8, max_genes: 2_000, max_members: 5, max_string: 32 };
    let mut random = Random::new(6, 0);
    for id in ids.iter().step_by(200) {
        let mut gene = Gene::from_schema(&schemas, *id, &limits);
        assert_eq!(gene.to_json(), Some(json!({})));
        gene.sample(&mut random);
        assert!(gene.sites().len() <= 4_000);
    }
}

#[test]
fn doubling_required_fields_are_unsatisfiable_instead_of_exploding() {
    let mut schemas = Schemas::default();
    let mut id = schemas.push(Schema::new(SchemaKind::Boolean));
    for _ in 0..60 {
        id = schemas.push(Schema::new(SchemaKind::Object(object(&[("a", id, true), ("b", id, true)]))));
    }
    assert!(!Gene::from_schema(&schemas, id, &LIMITS).is_satisfiable());
}

#[test]
fn a_discriminator_names_the_branch_it_stands_in() {
    let mut schemas = Schemas::default();
    let text = schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
    let cat = schemas.push(Schema::new(SchemaKind::Object(object(&[("kind", text, true), ("mice", text, false)]))));
    let dog = schemas.push(Schema::new(SchemaKind::Object(object(&[("kind", text, true), ("bones", text, true)]))));
    let discriminator = Some(("kind".to_owned(), vec!["cat".to_owned(), "dog".to_owned()]));
    let choice = ChoiceSchema { options: vec![cat, dog], exclusive: false, discriminator };
    let id = schemas.push(Schema::new(SchemaKind::Choice(choice)));
    let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
    let mut random = Random::new(8, 0);
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..200 {
        gene.sample(&mut random);
        mutate_somewhere(&mut gene, &mut random);
        let value = gene.json_or_null();
        let kind = value["kind"].as_str().expect("it is text").to_owned();
        assert_eq!(kind == "dog", value.get("bones").is_some(), "{value}");
        seen.insert(kind);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["cat", "dog"]);
}

#[test]
fn examples_are_drawn_often_but_not_always() {
    let mut schemas = Schemas::default();
    let mut schema = Schema::new(SchemaKind::String(StringSchema::default()));
    schema.examples = vec![json!("ada@example.com"), json!(5)];
    schema.default = Some(json!("grace"));
    let id = schemas.push(schema);
    let mut gene = Gene::from_schema(&schemas, id, &LIMITS);
    let mut random = Random::new(8, 0);
    let mut count = |wanted: &str| {
        (0..1_000)
            .filter(|_| {
                gene.sample(&mut random);
                gene.to_json() == Some(json!(wanted))
            })
            .count()
    };
    assert!((30..200).contains(&count("ada@example.com")));
    assert!((30..200).contains(&count("grace")));
}

#[test]
fn keys_do_not_depend_on_positions_in_lists() {
    let mut schemas = Schemas::default();
    let flag = schemas.push(Schema::new(SchemaKind::Boolean));
    let item = schemas.push(Schema::new(SchemaKind::Object(object(&[("on", flag, true), ("off", flag, true)]))));
    let list = schemas.push(Schema::new(SchemaKind::Array(ArraySchema {
        items: item,
        min_items: 2,
        max_items: Some(2),
        unique: false,
    })));
    let root = schemas.push(Schema::new(SchemaKind::Object(object(&[("a/b", list, true)]))));
    let sites = Gene::from_schema(&schemas, root, &LIMITS).sites();
    let leaves: Vec<_> = sites.iter().filter(|site| site.pointer.len() > 5).collect();
    let pointers: Vec<&str> = leaves.iter().map(|site| site.pointer.as_str()).collect();
    assert_eq!(pointers, ["/a~1b/0/on", "/a~1b/0/off", "/a~1b/1/on", "/a~1b/1/off"]);
    assert_eq!(leaves[0].key, leaves[2].key);
    assert_ne!(leaves[0].key, leaves[1].key);
    assert_eq!((leaves[0].name.as_str(), leaves[1].name.as_str()), ("on", "off"));
}

#[test]
fn a_missing_field_and_an_unknown_one_are_among_the_violations() {
    let mut schemas = Schemas::default();
    let flag = schemas.push(Schema::new(SchemaKind::Boolean));
    let mut closed = object(&[("on", flag, true)]);
    closed.additional = Additional::Forbidden;
    let root = schemas.push(Schema::new(SchemaKind::Object(closed)));
    let gene = Gene::from_schema(&schemas, root, &LIMITS);
    let mut random = Random::new(2, 0);
    let violations: Vec<_> = (0..100).filter_map(|_| gene.sample_violation(&mut random)).collect();
    assert!(violations.iter().any(|violation| violation.edit == Edit::Remove && violation.description == "missing on"));
    assert!(violations.iter().any(|violation| matches!(violation.edit, Edit::Insert(..)) && violation.pointer.is_empty()));
    assert!(violations.iter().any(|violation| violation.description == "on as null"));
}

#[test]
fn what_a_validator_takes_for_a_template_is_taken_for_one() {
    // Of two equal alternatives of a `oneOf` none may be met by a text that was drawn for a third.
    let form = TextForm::of_format("uri-template");
    assert!(["9AYNfe\u{15dc}1#", "/a/{b}", "/a"].into_iter().all(|text| form.accepts(text)));
    assert!(["{", "}a", "{}"].into_iter().all(|text| !form.accepts(text)));
}
