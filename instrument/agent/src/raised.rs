//! An exception of the service as the core is told of it.

use restive_driver_protocol::Raised;

use crate::cells::line;
use crate::classes::Classes;
use crate::jvm::{SLOTS, Thrown};

/// Frames of one exception that are told.
const FRAMES: usize = 64;

/// A kept exception; `status` and `attempts` are what is known of attempts to end the JVM.
pub(crate) fn describe(thrown: Thrown, status: i32, attempts: i32, classes: &Classes) -> Raised {
    let Thrown { slot, type_name, message, at, is_caught, frames, causes } = thrown;
    let frames: Vec<&str> = frames.lines().collect();
    let statement = statement(&frames, classes).or_else(|| line(at));
    let mut trace: Vec<String> = own(&frames, classes).iter().copied().map(str::to_owned).collect();
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

/// The line of the service that the exception was thrown in, or below which.
///
/// Other threads may have been at work meanwhile, so this knows better than what was executed last.
fn statement(frames: &[&str], classes: &Classes) -> Option<u32> {
    let own = frames.iter().map(|frame| place(frame)).find(|(class, _)| classes.is_own(class))?;
    classes.line(own.0, own.1?)
}

/// Class and line of `com.acme.Shop.buy(Shop.java:17)`.
fn place(frame: &str) -> (&str, Option<u16>) {
    let (method, file) = frame.rsplit_once('(').unwrap_or((frame, ""));
    let class = method.rsplit_once('.').map_or(method, |(class, _)| class);
    let line = file.rsplit_once(':').and_then(|(_, line)| line.trim_end_matches(')').parse().ok());
    (class, line)
}

/// The frames down to the service's outermost one and the one that called it; what is below is the same for all requests.
fn own<'f, 't>(frames: &'f [&'t str], classes: &Classes) -> &'f [&'t str] {
    let outermost = frames.iter().rposition(|frame| classes.is_own(place(frame).0));
    let n_told = outermost.map_or(FRAMES / 4, |idx| idx + 2).min(FRAMES);
    &frames[..n_told.min(frames.len())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::Selection;

    fn classes() -> Classes {
        Classes::new(Selection { include: vec!["com.acme.".to_owned()], exclude: Vec::new() }, 10, Vec::new())
    }

    #[test]
    fn frames_tell_class_and_line() {
        assert_eq!(place("com.acme.Shop$1.buy(Shop.java:17)"), ("com.acme.Shop$1", Some(17)));
        assert_eq!(place("com.acme.Shop.<init>(Unknown Source)"), ("com.acme.Shop", None));
        assert_eq!(place("a.B.c(Native Method)"), ("a.B", None));
        assert_eq!(place("odd"), ("odd", None));
    }

    #[test]
    fn frames_below_the_caller_of_the_service_are_left_out() {
        let frames = ["java.util.List.of(List.java:1)", "com.acme.A.b(A.java:2)", "org.web.C.d(C.java:3)", "x.Y.z(Y.java:4)"];
        assert_eq!(own(&frames, &classes()), &frames[..3]);
        assert_eq!(own(&frames[..1], &classes()), &frames[..1]);
        assert_eq!(own(&[frames[2]; 100], &classes()).len(), FRAMES / 4);
    }

    #[test]
    fn attempts_to_end_the_jvm_are_told_with_their_status() {
        let thrown = Thrown { slot: SLOTS, type_name: "java.lang.Throwable".to_owned(), at: 4, ..Thrown::default() };
        let raised = describe(thrown, 3, 2, &classes());
        assert_eq!((raised.kind.as_str(), raised.type_name.as_str(), raised.statement), ("exit", "", Some(4)));
        assert_eq!(raised.message, "wanted to end the process with status 3, attempts: 2");
    }
}
