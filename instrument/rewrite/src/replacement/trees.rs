//! Classes of JSON libraries whose objects keep their fields in a map: what is looked up there are fields that whoever reads
//! the JSON knows, be it the service or a library.

use super::ReplacementFamily::Collection;
use super::{OutcomeKind, Receiver, Replacement};
use crate::relocation::package_above;

/// Internal names of these classes.
const CLASSES: [&str; 7] = [
    "com/fasterxml/jackson/databind/node/ObjectNode",
    "tools/jackson/databind/node/ObjectNode",
    "com/google/gson/JsonObject",
    "org/json/JSONObject",
    "io/vertx/core/json/JsonObject",
    "org/glassfish/json/JsonObjectBuilderImpl$JsonObjectImpl",
    "org/eclipse/parsson/JsonObjectBuilderImpl$JsonObjectImpl",
];

const fn looked_up(method: &'static str, descriptor: &'static str) -> Replacement {
    let (family, receiver, outcome) = (Collection, Receiver::Open, OutcomeKind::Return);
    Replacement { family, class: "java/util/Map", method, descriptor, receiver, outcome, hook: "lookedUp", since: 8 }
}

/// How such a class asks its map.
pub(super) static ROWS: [Replacement; 4] = [
    looked_up("get", "(Ljava/lang/Object;)Ljava/lang/Object;"),
    looked_up("containsKey", "(Ljava/lang/Object;)Z"),
    looked_up("getOrDefault", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
    looked_up("remove", "(Ljava/lang/Object;)Ljava/lang/Object;"),
];

/// Whether a class is one of these, wherever its library was moved.
pub(crate) fn is_tree(class: &[u8]) -> bool {
    CLASSES.iter().any(|name| package_above(class, name.as_bytes()).is_some())
}

#[cfg(test)]
mod tests {
    use super::is_tree;

    #[test]
    fn trees_are_known_wherever_they_are() {
        for package in ["", "shaded_package/", "a/b/"] {
            assert!(is_tree(format!("{package}com/fasterxml/jackson/databind/node/ObjectNode").as_bytes()), "{package}");
        }
        assert!(!is_tree(b"com/acme/JsonObject") && !is_tree(b"com/fasterxml/jackson/databind/node/ArrayNode"));
    }
}
