//! Names of findings that stay the same from run to run.

use std::collections::BTreeSet;

use crate::api::Api;
use crate::oracle::Finding;

/// One id per finding, in their order: the code and eight hexadecimal digits, `F100-3fa9c2d1`.
///
/// The digits depend on code, operation and key alone, so another run gives the same fault the same id.
pub fn finding_ids(api: &Api, findings: &[Finding]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut ids = Vec::with_capacity(findings.len());
    for finding in findings {
        let fault = &finding.fault;
        let code = fault.code.number();
        let operation = &api.operation(fault.operation_idx).id;
        let mut digits = digest(&[operation, &fault.key]);
        // Two findings of one run never share an id; the later one moves on.
        while !taken.insert((code, digits)) {
            digits = digits.wrapping_add(1);
        }
        ids.push(format!("F{code}-{digits:08x}"));
    }
    ids
}

/// 32 bits of FNV-1a (Fowler, Noll, Vo), parts kept apart by a byte that no text has.
fn digest(parts: &[&str]) -> u32 {
    let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::finding_ids;
    use crate::report::fixture;

    #[test]
    fn ids_are_unique_and_do_not_depend_on_the_order() {
        let run = fixture::Parts::new();
        let ids = finding_ids(&run.api, &run.findings);
        let mut reversed = run.findings.clone();
        reversed.reverse();
        let mut again = finding_ids(&run.api, &reversed);
        again.reverse();
        assert_eq!(ids, again);
        let twice = [run.findings[0].clone(), run.findings[0].clone()];
        let ids = finding_ids(&run.api, &twice);
        assert_ne!(ids[0], ids[1]);
        assert!(ids[0].starts_with("F100-"));
    }
}
