//! Closed parts of an `allOf` that forbid what other parts demand: there the closing is not believed in.

use std::collections::BTreeSet;

use serde_json::Value;

use super::JsonSchemas;
use super::keyword::{self, Node};

/// Parts of one `allOf` that are looked at, nested ones included.
const MOST_PARTS: usize = 200;

/// Every name that a schema with `allOf` demands, itself or through its parts; nothing without `allOf`.
pub(super) fn demanded<'n>(schemas: &'n JsonSchemas, node: &'n Node) -> BTreeSet<&'n str> {
    let mut names = BTreeSet::new();
    if !node.contains_key("allOf") {
        return names;
    }
    let mut seen = BTreeSet::new();
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if !seen.insert(std::ptr::from_ref(node).addr()) || seen.len() > MOST_PARTS {
            continue;
        }
        names.extend(keyword::required(node));
        let parts = keyword::list(node, "allOf").into_iter().filter_map(|(_, part)| part.as_object());
        let target = keyword::reference(node).and_then(|reference| schemas.resolve(reference)?.0.as_object());
        stack.extend(parts.chain(target));
    }
    names
}

/// Whether the schema allows listed properties only and one of `names` is not among them.
pub(super) fn forbids(node: &Node, names: &BTreeSet<&str>) -> bool {
    let is_closed = node.get("additionalProperties") == Some(&Value::Bool(false)) && !node.contains_key("patternProperties");
    let properties = node.get("properties").and_then(Value::as_object);
    is_closed && names.iter().any(|name| !properties.is_some_and(|properties| properties.contains_key(*name)))
}
