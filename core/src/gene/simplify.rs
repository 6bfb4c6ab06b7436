//! Smaller values for one gene, for tests that people read.

use serde_json::{Value, json};

use super::Gene;

impl Gene {
    /// Gives this very gene (not its children) the plainest value its constraints allow: absent, `false`, zero, empty.
    ///
    /// A gene that has no plainer value stays as it is.
    pub fn simplify(&mut self) {
        let candidates: Vec<Value> = match self {
            Self::Optional(gene) => return gene.leave_out(),
            Self::Boolean(_) => vec![json!(false)],
            Self::Integer(_) | Self::Number(_) => vec![json!(0), json!(1)],
            Self::Text(_) => vec![json!(""), json!("a")],
            Self::Array(_) => match self.to_json() {
                Some(Value::Array(members)) => (0..members.len()).map(|n| Value::Array(members[..n].to_vec())).collect(),
                _ => return,
            },
            Self::Never | Self::Enum(_) | Self::Object(_) | Self::Choice(_) | Self::Nullable(_) => return,
        };
        for candidate in &candidates {
            if self.assign(candidate) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::api::{ArraySchema, IntegerSchema, Schema, SchemaKind, Schemas, StringSchema};
    use crate::gene::{Gene, GeneLimits};

    #[track_caller]
    fn check(kind: SchemaKind, value: &Value, expected: &Value) {
        let mut schemas = Schemas::default();
        let id = schemas.push(Schema::new(kind));
        let limits = GeneLimits { max_depth: 5, max_genes: 100, max_members: 5, max_string: 10 };
        let mut gene = Gene::from_schema(&schemas, id, &limits);
        assert!(gene.assign(value));
        gene.simplify();
        assert_eq!(gene.to_json().as_ref(), Some(expected));
    }

    #[test]
    fn the_plainest_allowed_value_is_taken() {
        let integer = |min| SchemaKind::Integer(IntegerSchema { min, max: 1000, multiple_of: None });
        check(integer(-5), &json!(77), &json!(0));
        check(integer(1), &json!(77), &json!(1));
        check(integer(7), &json!(77), &json!(77));
        check(SchemaKind::String(StringSchema::default()), &json!("xyz"), &json!(""));
        check(SchemaKind::String(StringSchema { min_length: 1, ..StringSchema::default() }), &json!("xyz"), &json!("a"));
    }

    #[test]
    fn an_array_loses_members_down_to_its_minimum() {
        let mut schemas = Schemas::default();
        let items = schemas.push(Schema::new(SchemaKind::Boolean));
        let array = ArraySchema { items, min_items: 1, max_items: None, unique: false };
        let id = schemas.push(Schema::new(SchemaKind::Array(array)));
        let limits = GeneLimits { max_depth: 5, max_genes: 100, max_members: 5, max_string: 10 };
        let mut gene = Gene::from_schema(&schemas, id, &limits);
        assert!(gene.assign(&json!([true, false, true])));
        gene.simplify();
        assert_eq!(gene.to_json(), Some(json!([true])));
    }
}
