//! Time to make a request from genes.

use divan::{Bencher, black_box};
use restive_core::action::{Action, render};
use restive_core::api::{Api, OperationIdx};
use restive_core::openapi::{self, Origin};
use restive_core::random::Random;
use restive_core::search::{Budget, SearchSettings};

/// A GET with five query parameters, and a POST with a body of three levels and about twenty fields.
const DOCUMENT: &str = r##"
openapi: 3.0.3
info: {title: Benchmark, version: "1"}
paths:
  /shops/{shop}/orders:
    parameters:
      - {name: shop, in: path, required: true, schema: {type: string, minLength: 3, maxLength: 12}}
    get:
      parameters:
        - {name: state, in: query, required: true, schema: {type: string, enum: [open, paid, sent]}}
        - {name: tags, in: query, required: true, schema: {type: array, items: {type: string}, minItems: 3, maxItems: 3}}
        - {name: from, in: query, required: true, schema: {type: string, format: date-time}}
        - {name: limit, in: query, required: true, schema: {type: integer, minimum: 1, maximum: 100}}
        - {name: text, in: query, required: true, schema: {type: string, minLength: 10, maxLength: 20}}
      responses: {"200": {description: ok, content: {application/json: {}, application/xml: {}}}}
    post:
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}
      responses: {"201": {description: made, content: {application/json: {}}}}
components:
  schemas:
    Order:
      type: object
      required: [number, buyer, items, note, paid]
      properties:
        number: {type: integer}
        buyer: {$ref: "#/components/schemas/Person"}
        items: {type: array, items: {$ref: "#/components/schemas/Item"}, minItems: 3, maxItems: 3}
        note: {type: string, minLength: 20, maxLength: 40}
        paid: {type: boolean}
    Person:
      type: object
      required: [name, email, phone]
      properties: {name: {type: string}, email: {type: string, format: email}, phone: {type: string, pattern: "^[0-9]{6,12}$"}}
    Item:
      type: object
      required: [id, count, price, title]
      properties:
        id: {type: string, format: uuid}
        count: {type: integer, minimum: 1}
        price: {type: number, minimum: 0}
        title: {type: string, minLength: 5, maxLength: 30}
"##;

fn main() {
    divan::main();
}

/// The interface and a call of the operation `idx` with drawn values.
fn sampled(idx: u32) -> (Api, Action) {
    let api = openapi::parse(DOCUMENT, &Origin::Text).expect("the document loads");
    let limits = SearchSettings::new(Budget::Calls(1), 1).gene_limits;
    let mut action = Action::template(&api, OperationIdx(idx), &limits);
    let mut random = Random::new(1, 0);
    action.parameters.iter_mut().for_each(|gene| gene.sample(&mut random));
    action.body.iter_mut().flat_map(|body| &mut body.alternatives).for_each(|gene| gene.sample(&mut random));
    (api, action)
}

#[divan::bench]
fn get_with_query(bencher: Bencher) {
    let (api, action) = sampled(0);
    bencher.bench(|| render(&api, black_box(&action), &mut |_| None));
}

#[divan::bench]
fn post_with_json(bencher: Bencher) {
    let (api, action) = sampled(1);
    bencher.bench(|| render(&api, black_box(&action), &mut |_| None));
}
