//! Times of what the search does with genes most often, on an order with customer, lines and a map.

use divan::{Bencher, black_box};
use restive_core::api::{
    Additional, ArraySchema, IntegerSchema, ObjectSchema, Property, Schema, SchemaId, SchemaKind, Schemas, StringSchema,
};
use restive_core::gene::{Gene, GeneLimits};
use restive_core::random::Random;

const LIMITS: GeneLimits = GeneLimits { max_depth: 8, max_genes: 2_000, max_members: 5, max_string: 32 };

fn main() {
    divan::main();
}

fn text(schemas: &mut Schemas, format: Option<&str>, pattern: Option<&str>) -> SchemaId {
    let (format, pattern) = (format.map(str::to_owned), pattern.map(str::to_owned));
    let string = StringSchema { max_length: Some(64), pattern, format, ..StringSchema::default() };
    schemas.push(Schema::new(SchemaKind::String(string)))
}

fn object(schemas: &mut Schemas, fields: &[(&str, SchemaId)], additional: Additional) -> SchemaId {
    let property = |(idx, (name, schema)): (usize, &(&str, SchemaId))| Property {
        name: (*name).to_owned(),
        schema: *schema,
        required: idx % 3 == 0,
    };
    let properties = fields.iter().enumerate().map(property).collect();
    schemas.push(Schema::new(SchemaKind::Object(ObjectSchema {
        properties,
        additional,
        names: None,
        min_properties: 0,
        max_properties: None,
        is_tuple: false,
    })))
}

/// About 25 fields on three levels.
fn order() -> Gene {
    let mut schemas = Schemas::default();
    let schemas = &mut schemas;
    let integer = schemas.push(Schema::new(SchemaKind::Integer(IntegerSchema { min: 0, max: 10_000, multiple_of: None })));
    let flag = schemas.push(Schema::new(SchemaKind::Boolean));
    let plain = text(schemas, None, None);
    let date = text(schemas, Some("date-time"), None);
    let email = text(schemas, Some("email"), None);
    let code = text(schemas, None, Some("^[A-Z]{3}-[0-9]{4}$"));
    let address = object(schemas, &[("street", plain), ("city", plain), ("code", code)], Additional::Forbidden);
    let customer = object(schemas, &[("name", plain), ("email", email), ("address", address)], Additional::Forbidden);
    let line = object(schemas, &[("article", code), ("count", integer), ("gift", flag)], Additional::Forbidden);
    let lines =
        schemas.push(Schema::new(SchemaKind::Array(ArraySchema { items: line, min_items: 3, max_items: None, unique: false })));
    let tags = object(schemas, &[], Additional::Typed(plain));
    let fields = [("id", integer), ("placed", date), ("paid", flag), ("customer", customer), ("lines", lines), ("tags", tags)];
    let root = object(schemas, &fields, Additional::Unspecified);
    let mut gene = Gene::from_schema(schemas, root, &LIMITS);
    let mut random = Random::new(1, 0);
    // The first draw that is neither among the smallest nor among the largest.
    while !(20..60).contains(&gene.sites().len()) {
        gene.sample(&mut random);
    }
    gene
}

#[divan::bench]
fn mutate_a_leaf(bencher: Bencher) {
    let mut random = Random::new(2, 0);
    let mut gene = order();
    let sites = gene.sites();
    let site = sites.iter().find(|site| site.pointer == "/id").expect("the field is required").clone();
    bencher.bench_local(|| gene.at_mut(black_box(&site.path)).map(|gene| gene.mutate(&mut random)));
}

#[divan::bench]
fn mutate_text(bencher: Bencher) {
    let mut random = Random::new(2, 0);
    let mut gene = order();
    let sites = gene.sites();
    let site = sites.iter().find(|site| site.pointer == "/customer/name").expect("the field is required").clone();
    bencher.bench_local(|| gene.at_mut(black_box(&site.path)).map(|gene| gene.mutate(&mut random)));
}

#[divan::bench]
fn list_sites(bencher: Bencher) {
    let gene = order();
    bencher.bench_local(|| black_box(&gene).sites());
}

#[divan::bench]
fn sample_an_order(bencher: Bencher) {
    let mut random = Random::new(3, 0);
    let mut gene = order();
    bencher.bench_local(|| gene.sample(&mut random));
}

#[divan::bench]
fn clone_an_order(bencher: Bencher) {
    let gene = order();
    bencher.bench_local(|| black_box(&gene).clone());
}

#[divan::bench]
fn render_an_order(bencher: Bencher) {
    let gene = order();
    bencher.bench_local(|| black_box(&gene).to_json());
}
