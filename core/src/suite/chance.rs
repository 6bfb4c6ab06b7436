//! Values that are the same in every execution of a run and yet differ on another machine or in the next process.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

/// Names under which a process tells about its machine: properties of a JVM, variables of a shell.
const OF_MACHINES: [&str; 10] =
    ["java.home", "java.io.tmpdir", "java.version", "os.name", "user.dir", "user.home", "HOME", "JAVA_HOME", "PATH", "PWD"];
/// How many of them make an object one of such names.
const ENOUGH: usize = 3;

/// Whether an object lists properties of the process or variables of its environment: which there are depends on the
/// machine, and on how restive started the service.
pub(super) fn describes_machine(object: &Map<String, Value>) -> bool {
    OF_MACHINES.iter().filter(|name| object.contains_key(**name)).count() >= ENOUGH
}

/// Whether a text lists complaints about several places, as `name: must not be blank, size: must be positive`.
///
/// Validators hold them in sets, whose order is another one in the next process.
pub(super) fn lists_complaints(text: &str) -> bool {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?:^|[,;\n\[] ?)[A-Za-z_$][\w$\[\].]*: [^\s,;]").expect("the pattern is valid"));
    PLACE.find_iter(text).nth(1).is_some()
}

/// The same of an array in an answer that refuses a call: several objects, each a complaint.
pub(super) fn are_complaints(array: &[Value]) -> bool {
    array.len() > 1 && array.iter().all(Value::is_object)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_and_environments_describe_a_machine() {
        let is_machine = |value: Value| value.as_object().is_some_and(describes_machine);
        assert!(is_machine(json!({ "java.version": "17", "os.name": "x", "user.dir": "/", "a": 1 })));
        assert!(is_machine(json!({ "PATH": "", "HOME": "", "PWD": "" })));
        assert!(!is_machine(json!({ "PATH": "/orders", "HOME": "" })) && !is_machine(json!({})));
    }

    #[test]
    fn two_complaints_have_an_order_and_one_has_none() {
        let listing = [
            "move.expectedHash: Hash must be hexadecimal, move.branchName: must start with a letter, followed by letters",
            "name: must not be blank; items[0].size: must be positive",
            "[a: x, b: y]",
            "a: x\nb: y",
        ];
        for text in listing {
            assert!(lists_complaints(text), "{text}");
        }
        let others = [
            "move.branchName: must start with a letter, followed by letters, digits or a dot",
            "Cannot parse: wanted a number",
            "http://a:80, https://b:81",
            "at 10:20:30, 10:20:31",
            "{\"a\": 1, \"b\": 2}",
            "",
        ];
        for text in others {
            assert!(!lists_complaints(text), "{text}");
        }
    }
}
