//! An exception of the service as the core is told of it.

use restive_driver_protocol::Raised;

use crate::cells::line;
use crate::jvm::{SLOTS, Thrown};
use crate::trace::Trace;

/// A kept exception with its trace; `status` and `attempts` are what is known of attempts to end the JVM.
pub(crate) fn describe(thrown: Thrown, trace: Trace, status: i32, attempts: i32) -> Raised {
    let Thrown { slot, type_name, message, at, is_caught, causes, .. } = thrown;
    let Trace { statement, frames: mut trace, .. } = trace;
    let statement = statement.or_else(|| line(at));
    let signal = |kind: &str, message: String, trace| Raised {
        kind: kind.to_owned(),
        type_name: String::new(),
        message,
        statement,
        trace,
    };
    if slot == SLOTS {
        let message = format!("wanted to end the process with status {status}, attempts: {attempts}");
        return signal("exit", message, trace);
    }
    if slot > SLOTS {
        return signal("killed", "was stopped because it took too long".to_owned(), trace);
    }
    trace.extend(causes);
    let kind = if is_caught { "caught" } else { "uncaught" };
    Raised { kind: kind.to_owned(), type_name, message, statement, trace }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_to_end_the_jvm_are_told_with_their_status() {
        let thrown = Thrown { slot: SLOTS, type_name: "java.lang.Throwable".to_owned(), at: 4, ..Thrown::default() };
        let raised = describe(thrown, Trace::default(), 3, 2);
        assert_eq!((raised.kind.as_str(), raised.type_name.as_str(), raised.statement), ("exit", "", Some(4)));
        assert_eq!(raised.message, "wanted to end the process with status 3, attempts: 2");
    }
}
