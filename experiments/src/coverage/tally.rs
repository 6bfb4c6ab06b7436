//! Counts of answers by operation and status, for calls known only by verb and path.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// Counts for every operation of a schema.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    operations: Vec<Operation>,
    outside: u64,
}

#[derive(Debug, Clone)]
struct Operation {
    id: String,
    verb: String,
    segments: Vec<String>,
    statuses: BTreeMap<u16, u64>,
}

impl Tally {
    /// Nothing counted yet, for the operations of an OpenAPI document whose base URL has no path.
    pub fn new(schema: &Value) -> Self {
        let mut operations = Vec::new();
        for (path, item) in schema["paths"].as_object().into_iter().flatten() {
            for (verb, operation) in item.as_object().into_iter().flatten() {
                if operation.get("responses").is_some() {
                    let verb = verb.to_uppercase();
                    let segments = path.split('/').map(str::to_owned).collect();
                    operations.push(Operation { id: format!("{verb} {path}"), verb, segments, statuses: BTreeMap::new() });
                }
            }
        }
        // Fixed segments win over placeholders.
        operations.sort_by_key(|operation| operation.segments.iter().filter(|segment| segment.starts_with('{')).count());
        Self { operations, outside: 0 }
    }

    /// Counts an answer to a call of that verb on that path, which may have a query.
    pub fn count(&mut self, verb: &str, path: &str, status: u16) {
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |operation: &&mut Operation| {
            let same = |(wanted, found): (&String, &&str)| (wanted.starts_with('{') && !found.is_empty()) || wanted == found;
            operation.verb == verb
                && operation.segments.len() == segments.len()
                && operation.segments.iter().zip(&segments).all(same)
        };
        match self.operations.iter_mut().find(fits) {
            Some(operation) => *operation.statuses.entry(status).or_default() += 1,
            None => self.outside += 1,
        }
    }

    /// Ids of all operations.
    pub fn operations(&self) -> impl Iterator<Item = &String> {
        self.operations.iter().map(|operation| &operation.id)
    }

    /// Ids of the operations with an answer of that class: 2 for 2xx.
    pub fn operations_with(&self, class: u16) -> BTreeSet<String> {
        let has = |operation: &&Operation| operation.statuses.keys().any(|status| status / 100 == class);
        self.operations.iter().filter(has).map(|operation| operation.id.clone()).collect()
    }

    /// All answers counted.
    pub fn answers(&self) -> u64 {
        self.outside + self.operations.iter().flat_map(|operation| operation.statuses.values()).sum::<u64>()
    }

    /// Answers to calls of no operation.
    pub fn outside(&self) -> u64 {
        self.outside
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_counted_at_the_operation_that_fits_best() {
        let operation = json!({"responses": {}});
        let schema = json!({"paths": {
            "/a/{id}": {"parameters": [], "get": operation, "delete": operation},
            "/a/count": {"get": operation},
        }});
        let mut tally = Tally::new(&schema);
        for (verb, path, status) in [
            ("GET", "/a/count?x=/y", 200),
            ("GET", "/a/7", 404),
            ("GET", "/a/8", 500),
            ("DELETE", "/a/7", 204),
            ("GET", "/a/", 404),
            ("PUT", "/a/7", 405),
        ] {
            tally.count(verb, path, status);
        }
        assert_eq!(tally.operations_with(2), ["DELETE /a/{id}", "GET /a/count"].map(str::to_owned).into());
        assert_eq!(tally.operations_with(5), ["GET /a/{id}"].map(str::to_owned).into());
        assert_eq!((tally.answers(), tally.outside()), (6, 2));
    }
}
