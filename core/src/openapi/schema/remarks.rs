//! What a schema says about values without demanding it.

use serde_json::{Map, Value};

use super::facts::Facts;
use crate::api::XmlHints;
use crate::api::json_schema::keyword::Node;

/// Default, examples and the like, which demand nothing; the first place that has one wins.
pub(super) fn absorb_remarks(facts: &mut Facts<'_>, node: &Node) {
    if facts.default.is_none() {
        facts.default = node.get("default").cloned();
    }
    if facts.examples.is_empty() {
        let listed = node.get("examples").and_then(Value::as_array).into_iter().flatten();
        facts.examples = ["example", "x-example"].iter().filter_map(|name| node.get(*name)).chain(listed).cloned().collect();
    }
    facts.read_only |= node.get("readOnly") == Some(&Value::Bool(true));
    if facts.xml.is_none() {
        facts.xml = node.get("xml").and_then(Value::as_object).map(xml_hints).map(Box::new);
    }
}

fn xml_hints(xml: &Map<String, Value>) -> XmlHints {
    let text = |name: &str| xml.get(name).and_then(Value::as_str).map(str::to_owned);
    let flag = |name: &str| xml.get(name) == Some(&Value::Bool(true));
    XmlHints {
        name: text("name"),
        namespace: text("namespace"),
        prefix: text("prefix"),
        attribute: flag("attribute"),
        wrapped: flag("wrapped"),
    }
}
