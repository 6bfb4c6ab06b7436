//! Closed objects that forbid what is demanded of them: there the closing is not believed in.

use std::collections::BTreeSet;

use serde_json::Value;

use super::JsonSchemas;
use super::keyword::{self, Node};

/// Parts of one schema that are looked at, nested ones included.
const MOST_PARTS: usize = 200;

/// Every name that a schema with `allOf` demands, itself or through its parts; nothing without `allOf`.
pub(crate) fn demanded<'n>(schemas: &'n JsonSchemas, node: &'n Node) -> BTreeSet<&'n str> {
    if node.contains_key("allOf") { names(schemas, node) } else { BTreeSet::new() }
}

/// Every name that a schema demands, itself or through its parts.
fn names<'n>(schemas: &'n JsonSchemas, node: &'n Node) -> BTreeSet<&'n str> {
    let mut names = BTreeSet::new();
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
pub(crate) fn forbids(node: &Node, names: &BTreeSet<&str>) -> bool {
    is_closed(node) && names.iter().any(|name| !lists(node, name))
}

/// Whether the schema allows listed properties only and each branch of its `oneOf` or `anyOf` demands another one.
pub(crate) fn shuts_out(schemas: &JsonSchemas, node: &Node) -> bool {
    let is_shut_out = |branch: &Value| branch.as_object().is_some_and(|branch| forbids(node, &names(schemas, branch)));
    is_closed(node)
        && ["oneOf", "anyOf"].iter().any(|group| {
            let branches = keyword::list(node, group);
            !branches.is_empty() && branches.iter().all(|(_, branch)| is_shut_out(branch))
        })
}

fn is_closed(node: &Node) -> bool {
    node.get("additionalProperties") == Some(&Value::Bool(false)) && !node.contains_key("patternProperties")
}

fn lists(node: &Node, name: &str) -> bool {
    node.get("properties").and_then(Value::as_object).is_some_and(|properties| properties.contains_key(name))
}
