//! Schemas that contradict themselves in a way that only the attempt to make a value shows, settled before the first call.
//!
//! The attempt is that of the genes, so what is left can be sent: a format that lengths or pattern contradict is left out
//! for genes and validation alike; what no value was found for is taken out with the operations that demand it.

use std::collections::BTreeMap;

use crate::api::json_schema::keyword;
use crate::api::{Api, Doubt, PatternDialect, Repair, Schema, SchemaId, SchemaKind, Schemas, StringSchema};
use crate::gene::{Gene, GeneLimits, Pattern};

/// Limits of the values that are looked for; schemas whose smallest value is larger are not doubted.
const LIMITS: GeneLimits = GeneLimits { max_depth: 8, max_genes: 2_000, max_members: 5, max_string: 32 };

/// What is looked at in one document, in pairs of alternatives; no real one has as many, the rest is left to the genes.
const MOST_PAIRS: usize = 20_000;

/// What the attempt showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// Some value fits.
    Fits,
    /// Some value does without the format.
    FormatContradicted,
    /// Some value does without the pattern, which validation does not know.
    PatternUnusable,
    /// None was found.
    NoValue,
}

/// The interface without contradictions: [`Api::doubts`] is empty, what was given up is told where skips and repairs are.
#[must_use]
pub fn settle(mut api: Api) -> Api {
    let doubts = std::mem::take(&mut api.doubts);
    let verdicts = verdicts(&api, &doubts);
    let with = |verdict: Verdict| {
        let is_meant = move |(_, found): &(&Doubt, &Verdict)| **found == verdict;
        doubts.iter().zip(&verdicts).filter(is_meant).map(|(doubt, _)| doubt)
    };
    note_foreign_patterns(&mut api, &with(Verdict::Fits).collect::<Vec<_>>());
    leave_out_formats(&mut api, &with(Verdict::FormatContradicted).collect::<Vec<_>>());
    leave_out_formats_of_answers(&mut api);
    leave_out_patterns(&mut api, &with(Verdict::PatternUnusable).collect::<Vec<_>>());
    leave_out(&mut api, &with(Verdict::NoValue).collect::<Vec<_>>());
    api
}

/// One verdict per doubt.
fn verdicts(api: &Api, doubts: &[Doubt]) -> Vec<Verdict> {
    let mut looked_at = Vec::new();
    let mut positions = BTreeMap::new();
    let mut left = MOST_PAIRS;
    let position_of = |doubt: &Doubt| {
        let schema = api.schemas.at(doubt.schema);
        let extent = api.schemas.extent(doubt.schema)?;
        let pairs = if let SchemaKind::Choice(choice) = &schema.kind { choice.options.len().pow(2) } else { 1 };
        let key = key_of(doubt.schema, schema);
        let known = positions.get(&key).copied();
        if known.is_some() || extent.size as usize > LIMITS.max_genes || pairs > left {
            return known;
        }
        left -= pairs;
        positions.insert(key, looked_at.len());
        looked_at.push(doubt.schema);
        Some(looked_at.len() - 1)
    };
    let position_of_each: Vec<Option<usize>> = doubts.iter().map(position_of).collect();
    let genes = Gene::of_each(&api.schemas, &looked_at, &LIMITS).zip(&looked_at);
    let found: Vec<Verdict> = genes.map(|(gene, id)| verdict(&gene, foreign_pattern(api, *id).is_some())).collect();
    position_of_each.into_iter().map(|position| position.map_or(Verdict::Fits, |position| found[position])).collect()
}

/// The same patterns and formats stand in many places.
fn key_of(id: SchemaId, schema: &Schema) -> String {
    match &schema.kind {
        SchemaKind::String(string) => format!("{string:?} {:?} {:?}", schema.default, schema.examples),
        _ => id.0.to_string(),
    }
}

/// The string schema whose pattern validation does not know.
fn foreign_pattern(api: &Api, id: SchemaId) -> Option<&StringSchema> {
    match &api.schemas.at(id).kind {
        SchemaKind::String(string) if string.pattern.is_some() && string.pattern_dialect != PatternDialect::Ecma => {
            Some(string)
        }
        _ => None,
    }
}

fn verdict(gene: &Gene, is_foreign: bool) -> Verdict {
    let gives_up_format = |gene: &Gene| matches!(gene, Gene::Text(text) if !text.keeps_format());
    let is_text = |gene: &Gene| match gene {
        Gene::Nullable(gene) => gene.value().is_some_and(|gene| matches!(gene, Gene::Text(_))),
        gene => matches!(gene, Gene::Text(_)),
    };
    match gene {
        gene if is_foreign && !(gene.is_satisfiable() && is_text(gene)) => Verdict::PatternUnusable,
        gene if !gene.is_satisfiable() => Verdict::NoValue,
        Gene::Nullable(gene) if gene.value().is_some_and(gives_up_format) => Verdict::FormatContradicted,
        gene if gives_up_format(gene) => Verdict::FormatContradicted,
        _ => Verdict::Fits,
    }
}

/// Says which patterns only the genes keep.
fn note_foreign_patterns(api: &mut Api, doubts: &[&Doubt]) {
    for doubt in doubts {
        let Some(pattern) = foreign_pattern(api, doubt.schema).and_then(|string| string.pattern.as_deref()) else { continue };
        let action =
            format!("`pattern` {pattern:?} is unknown to validation: values keep it, answers are not compared with it");
        api.note(Repair { pointer: doubt.pointer.clone(), action });
    }
}

/// A pattern that validation does not know gives way, whatever is wrong with it.
fn leave_out_patterns(api: &mut Api, doubts: &[&Doubt]) {
    for doubt in doubts {
        let Some(string) = foreign_pattern(api, doubt.schema) else { continue };
        let is_usable = Pattern::of(string).is_some_and(|pattern| pattern.is_ok());
        let reason = if is_usable { "matches nothing of the lengths beside it" } else { "is no usable regular expression" };
        let action = format!("`pattern` {:?} {reason}, left out", string.pattern.as_deref().unwrap_or_default());
        let mut schema = api.schemas.at(doubt.schema).clone();
        if let SchemaKind::String(string) = &mut schema.kind {
            (string.pattern, string.pattern_dialect) = (None, PatternDialect::Ecma);
        }
        api.schemas.replace(doubt.schema, schema);
        api.note(Repair { pointer: doubt.pointer.clone(), action });
    }
}

/// Lengths and pattern are demands, a format is a remark to JSON Schema: so it is what gives way.
fn leave_out_formats(api: &mut Api, doubts: &[&Doubt]) {
    for doubt in doubts {
        let mut schema = api.schemas.at(doubt.schema).clone();
        let SchemaKind::String(string) = &mut schema.kind else { continue };
        let format = string.format.take().unwrap_or_default();
        api.schemas.replace(doubt.schema, schema);
        note_left_out(api, &format, &doubt.formats);
    }
    api.json_schemas.leave_out_formats(doubts.iter().flat_map(|doubt| &doubt.formats).map(String::as_str));
}

/// The same for schemas that no gene is made from: an answer is not wrong because its schema is.
fn leave_out_formats_of_answers(api: &mut Api) {
    let mut schemas = Schemas::default();
    let strings = api.json_schemas.formatted_strings().into_iter().take(MOST_PAIRS);
    let (ids, places): (Vec<SchemaId>, Vec<(String, Vec<String>)>) = strings
        .map(|(mut string, places)| {
            // A pattern that validation does not know contradicts nothing there.
            string.pattern = string.pattern.filter(|pattern| keyword::compiles(pattern));
            let format = string.format.clone().unwrap_or_default();
            (schemas.push(Schema::new(SchemaKind::String(string))), (format, places))
        })
        .unzip();
    let verdicts: Vec<Verdict> = Gene::of_each(&schemas, &ids, &LIMITS).map(|gene| verdict(&gene, false)).collect();
    for (verdict, (format, references)) in verdicts.into_iter().zip(places) {
        if verdict == Verdict::FormatContradicted {
            note_left_out(api, &format, &references);
            api.json_schemas.leave_out_formats(references.iter().map(String::as_str));
        }
    }
}

fn note_left_out(api: &mut Api, format: &str, references: &[String]) {
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap_or(reference).to_owned();
        let action = format!("`format` `{format}` left out: the lengths or the `pattern` beside it contradict it");
        api.note(Repair { pointer, action });
    }
}

/// What has no value is taken out of choices and optional parts; where it is demanded, so is what demands it.
fn leave_out(api: &mut Api, doubts: &[&Doubt]) {
    for doubt in doubts {
        api.schemas.replace(doubt.schema, Schema::new(SchemaKind::Never));
        api.note(Repair { pointer: doubt.pointer.clone(), action: "no value was found that fits, left out".to_owned() });
    }
    if !doubts.is_empty() {
        api.drop_unusable();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{LIMITS, settle};
    use crate::api::{Api, Direction, SchemaKind};
    use crate::gene::Gene;
    use crate::openapi::{Origin, parse};
    use crate::random::Random;

    /// The interface of `POST /a` with a body of that schema, settled.
    fn settled(schema: &Value, named: &Value) -> Api {
        let body = json!({ "required": true, "content": { "application/json": { "schema": schema } } });
        let document = json!({
            "openapi": "3.0.3", "info": {},
            "paths": { "/a": { "post": { "requestBody": body, "responses": {} } } },
            "components": { "schemas": named },
        });
        settle(parse(&document.to_string(), &Origin::Text).unwrap())
    }

    fn repairs(api: &Api) -> Vec<String> {
        api.repairs.iter().map(|repair| format!("{}: {}", repair.pointer, repair.action)).collect()
    }

    #[test]
    fn a_contradicted_format_is_left_out_for_genes_and_validation() {
        let named = json!({ "Key": { "type": "string", "format": "uuid", "maxLength": 8 } });
        let api = settled(&json!({ "$ref": "#/components/schemas/Key" }), &named);
        let body = &api.operations[0].bodies[0];
        assert!(matches!(&api.schemas.at(body.schema).kind, SchemaKind::String(string) if string.format.is_none()));
        let closure = api.json_schemas.closure(&body.json_schema, Direction::Request);
        assert_eq!(closure["$defs"]["d1"], json!({ "type": ["string"], "maxLength": 8 }));
        let because = "`format` `uuid` left out: the lengths or the `pattern` beside it contradict it";
        assert_eq!(repairs(&api), [format!("/components/schemas/Key: {because}")]);
        assert_eq!(api.doubts, []);
    }

    #[test]
    fn a_contradicted_format_of_an_answer_is_not_asserted_either() {
        let answer = json!({ "type": "array", "items": { "properties": {
            "day": { "type": "string", "format": "date", "pattern": "^[0-9]{8}$" },
            "key": { "type": "string", "format": "uuid", "maxLength": 8 },
            "kept": { "type": "string", "format": "uuid", "maxLength": 40 } } } });
        let responses = json!({ "200": { "description": "", "content": { "application/json": { "schema": answer } } } });
        let document = json!({ "openapi": "3.0.3", "info": {}, "paths": { "/a": { "get": { "responses": responses } } } });
        let api = settle(parse(&document.to_string(), &Origin::Text).unwrap());
        let fragment = api.operations[0].responses[0].media[0].json_schema.as_ref().unwrap();
        let closure = api.json_schemas.closure(fragment, Direction::Answer);
        assert_eq!(closure.to_string().matches("\"format\"").count(), 1, "{closure}");
        let told = repairs(&api);
        assert_eq!(told.len(), 2, "{told:?}");
        let place = "/paths/~1a/get/responses/200/content/application~1json/schema/items/properties/";
        assert!(told[0].starts_with(&format!("{place}day: `format` `date` left out")), "{told:?}");
    }

    #[test]
    fn a_format_that_fits_what_stands_beside_it_stays() {
        let api =
            settled(&json!({ "type": "string", "format": "uuid", "maxLength": 36, "pattern": "^[0-9a-f-]+$" }), &json!({}));
        let schema = api.schemas.at(api.operations[0].bodies[0].schema);
        assert!(matches!(&schema.kind, SchemaKind::String(string) if string.format.as_deref() == Some("uuid")));
        assert_eq!(repairs(&api), Vec::<String>::new());
    }

    #[test]
    fn patterns_of_java_are_kept_by_genes_and_others_that_are_unusable_give_way() {
        let of = |pattern: &str, extra: Value| {
            let mut schema = json!({ "type": "string", "pattern": pattern });
            schema.as_object_mut().unwrap().extend(extra.as_object().cloned().unwrap_or_default());
            let api = settled(&schema, &json!({}));
            let body = &api.operations[0].bodies[0];
            let closure = api.json_schemas.closure(&body.json_schema, Direction::Request);
            assert!(closure.get("pattern").is_none(), "{closure}");
            let mut gene = Gene::of_each(&api.schemas, &[body.schema], &LIMITS).next().unwrap();
            gene.sample(&mut Random::new(1, 0));
            (gene.to_json().unwrap(), repairs(&api))
        };
        for (pattern, expected) in [(r"^\Qa.b*c\E$", "a.b*c"), ("^(?>ab|a)c$", "abc"), (r"^\p{javaLowerCase}\Z", "a")] {
            let (value, repairs) = of(pattern, json!({}));
            let text = value.as_str().unwrap();
            assert!(text == expected || text.len() <= 3, "{pattern}: {text}");
            assert!(repairs[0].ends_with("values keep it, answers are not compared with it"), "{repairs:?}");
        }
        assert_eq!(of("^a[^]$", json!({})).0.as_str().map(|text| text.chars().count()), Some(2), "any character in JavaScript");
        assert!(of(r"^\X\N{DIGIT ONE}$", json!({})).1[0].ends_with("is no usable regular expression, left out"));
        for (extra, reason) in [
            (json!({ "maxLength": 2 }), "matches nothing of the lengths beside it, left out"),
            (json!({ "nullable": true, "maxLength": 2 }), "left out"),
        ] {
            let (_, repairs) = of(r"^\Qa.b*c\E$", extra);
            assert!(repairs[0].ends_with(reason), "{repairs:?}");
        }
        assert!(of("(", json!({})).1[0].ends_with("`pattern` \"(\" is no usable regular expression, left out"));
    }

    #[test]
    fn an_operation_that_demands_what_has_no_value_is_skipped_with_place_and_reason() {
        let same = json!({ "oneOf": [{ "type": "string" }, { "type": "string" }] });
        let demanded =
            json!({ "type": "object", "required": ["b"], "properties": { "b": { "$ref": "#/components/schemas/B" } } });
        let api = settled(&demanded, &json!({ "B": same }));
        assert_eq!(api.operations.len(), 0);
        let skipped = &api.skipped[0];
        assert_eq!((skipped.operation.as_str(), skipped.pointer.as_str()), ("POST /a", "/paths/~1a/post"));
        assert_eq!(skipped.reason, "no value fits the schema of its body");
        assert_eq!(repairs(&api), ["/components/schemas/B: no value was found that fits, left out"]);
    }

    #[test]
    fn optional_parts_and_branches_without_value_are_left_out() {
        let named = json!({ "B": { "type": "string", "pattern": "^[a-z]{5}$", "maxLength": 4 } });
        let reference = json!({ "$ref": "#/components/schemas/B" });
        let properties = json!({ "b": reference, "c": { "anyOf": [reference, { "type": "integer" }] } });
        let api = settled(&json!({ "type": "object", "properties": properties }), &named);
        assert_eq!((api.operations.len(), api.skipped.len()), (1, 0));
        let SchemaKind::Object(object) = &api.schemas.at(api.operations[0].bodies[0].schema).kind else { panic!("an object") };
        assert!(matches!(api.schemas.at(object.properties[0].schema).kind, SchemaKind::Never));
        let SchemaKind::Choice(choice) = &api.schemas.at(object.properties[1].schema).kind else { panic!("a choice") };
        assert_eq!(choice.options.len(), 1);
    }

    #[test]
    fn branches_of_a_syntax_tree_that_all_overlap_are_told_apart() {
        let node = |n: usize| json!({ "type": "object", "properties": { "type": { "type": "string" }, format!("left{n}"): { "$ref": "#/components/schemas/Node" }, format!("right{n}"): { "type": "array", "items": { "$ref": "#/components/schemas/Node" } } } });
        let nodes: Vec<Value> = (0..20).map(node).collect();
        let api = settled(&json!({ "$ref": "#/components/schemas/Node" }), &json!({ "Node": { "oneOf": nodes } }));
        assert_eq!((api.operations.len(), api.skipped.len()), (1, 0));
        assert_eq!(repairs(&api), Vec::<String>::new());
    }
}
