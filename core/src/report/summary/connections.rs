//! Names a service that closes connections which could be used again: how many, and after which answers; and one that loses
//! requests on them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::report::results::Results;
use crate::report::style::grouped;

/// Fewer closed connections are not worth a line.
const MIN_CLOSED: u64 = 10;

/// Nor are fewer than one in so many calls.
const MAX_CALLS_EACH: u64 = 200;

/// Writes a line when the service closes many connections, and one when it lost a request.
pub(super) fn write(text: &mut String, results: &Results) {
    if results.run.connections_given_up > 0 {
        let _ = writeln!(
            text,
            "the service lost a request on a kept connection, behind one whose body it refused: {} such connections were closed",
            grouped(results.run.connections_given_up)
        );
    }
    write_closed(text, results);
}

fn write_closed(text: &mut String, results: &Results) {
    let closed = &results.run.connections_closed;
    let n_closed: u64 = closed.values().sum();
    if n_closed < MIN_CLOSED || n_closed.saturating_mul(MAX_CALLS_EACH) < results.run.calls {
        return;
    }
    let mut answers = BTreeMap::new();
    for (status, times) in results.operations.iter().flat_map(|operation| &operation.statuses) {
        if let Some(status) = status.parse::<u16>().ok().filter(|status| *status != 0) {
            *answers.entry(status).or_default() += *times;
        }
    }
    let reason = reason(closed, &answers);
    let _ = writeln!(text, "the service closed {} connections, {reason}; new ones take time", grouped(n_closed));
}

/// After which answers connections are closed, from both by status.
fn reason(closed: &BTreeMap<u16, u64>, answers: &BTreeMap<u16, u64>) -> String {
    let answered = |status: &u16| answers.get(status).copied().unwrap_or(0);
    // Calls outside the search are closed as well, and not among the answers; a client may come too late to see it.
    let always: Vec<u16> =
        closed.iter().filter(|(status, n)| *n * 10 >= answered(status) * 9).map(|(status, _)| *status).collect();
    let (n_closed, n_answers): (u64, u64) = (closed.values().sum(), answers.values().sum());
    let by_status: u64 = always.iter().filter_map(|status| closed.get(status)).sum();
    if n_closed * 10 >= n_answers * 9 {
        "one after each answer".to_owned()
    } else if by_status * 10 >= n_closed * 9 {
        let names: Vec<String> = always.iter().map(ToString::to_string).collect();
        format!("after answers with {}", names.join(", "))
    } else {
        format!("one after about {} answers", grouped(n_answers / n_closed.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(u16, u64)]) -> BTreeMap<u16, u64> {
        counts.iter().copied().collect()
    }

    #[test]
    fn the_reason_is_what_the_closed_connections_have_in_common() {
        let answers = counts(&[(200, 800), (400, 150), (500, 50)]);
        for (closed, wanted) in [
            (counts(&[(200, 801), (400, 150), (500, 50)]), "one after each answer"),
            (counts(&[(400, 149), (500, 50)]), "after answers with 400, 500"),
            (counts(&[(200, 3), (500, 50)]), "after answers with 500"),
            (counts(&[(200, 8), (400, 2)]), "one after about 100 answers"),
        ] {
            assert_eq!(reason(&closed, &answers), wanted);
        }
    }
}
