//! What the name of a target that is no place in the code says: the operation it is about.

use super::record::{Kind, Record, TargetRecord};

impl Record {
    /// The operation that a target is about: that of the call that came closest, else the one in its name.
    pub(super) fn operation_of(&self, target: &TargetRecord) -> Option<usize> {
        let named = || self.operations.iter().position(|operation| names_operation(&target.name, &operation.id));
        target.call.map(|call| call.operation).or_else(|| if target.kind == Kind::Code { None } else { named() })
    }
}

/// Whether `name` (`class:GET /x:2xx`, `after:POST /x:GET /x`) is about the operation; of two the last is what is called.
fn names_operation(name: &str, id: &str) -> bool {
    let Some((_, rest)) = name.split_once(':') else { return false };
    let begins = |text: &str| text.strip_prefix(id).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
    if name.starts_with("after:") {
        rest.strip_suffix(id).is_some_and(|rest| rest.ends_with(':'))
    } else {
        begins(strip_code(rest))
    }
}

/// Without the number of a fault.
fn strip_code(rest: &str) -> &str {
    match rest.split_once(':') {
        Some((code, after)) if code.bytes().all(|byte| byte.is_ascii_digit()) => after,
        _ => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::names_operation;

    #[test]
    fn a_goal_names_its_operation() {
        for name in
            ["class:GET /x:2xx", "status:GET /x:404", "fault:100:GET /x:a.B:7", "after:POST /y:GET /x", "shape:GET /x:query.q"]
        {
            assert!(names_operation(name, "GET /x"), "{name}");
            assert!(!names_operation(name, "GET /xy") && !names_operation(name, "POST /y"), "{name}");
        }
        assert!(!names_operation("astray:GET:404", "GET /x"));
    }
}
