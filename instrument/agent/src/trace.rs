//! What stacks of exceptions tell, each looked through once.

use std::collections::BTreeMap;

use crate::classes::Classes;
use crate::jvm::Stack;

/// Frames of one exception that are told.
const FRAMES: usize = 64;
/// Traces that are kept; then all are forgotten.
const MOST: usize = 1024;
/// Methods of the platform below which only work runs that repeats by the clock.
const PERIODIC: [&str; 2] = ["java.util.concurrent.FutureTask.runAndReset(", "java.util.TimerThread.mainLoop("];

/// What the stack of an exception tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// Whether work that repeats by the clock threw it, which is no action's.
    pub is_periodic: bool,
    /// The line of the service that it was thrown in, or below which.
    pub statement: Option<u32>,
    /// The frames that are told, innermost first.
    pub frames: Vec<String>,
}

/// Traces of stacks that have a number.
#[derive(Debug, Default)]
pub(crate) struct Traces(BTreeMap<i32, Trace>);

impl Traces {
    /// Forgets all when there are too many. What is known stays known until then.
    pub fn make_room(&mut self) {
        if self.0.len() > MOST {
            self.0.clear();
        }
    }

    /// Whether that of the stack of this number is kept.
    pub fn knows(&self, number: i32) -> bool {
        self.0.contains_key(&number)
    }

    /// That of `stack`; an empty one where nothing is known of it.
    pub fn of(&mut self, stack: &Stack, classes: &Classes) -> Trace {
        match stack {
            Stack::Known(number) => self.0.get(number).cloned().unwrap_or_default(),
            Stack::New { number, frames } => {
                let trace = Trace::of(frames, classes);
                self.0.extend(number.map(|number| (number, trace.clone())));
                trace
            }
        }
    }
}

impl Trace {
    /// What these frames tell, innermost first, a line each.
    fn of(frames: &str, classes: &Classes) -> Self {
        let frames: Vec<&str> = frames.lines().collect();
        Self {
            is_periodic: frames.iter().any(|frame| PERIODIC.iter().any(|method| frame.starts_with(method))),
            statement: statement(&frames, classes),
            frames: own(&frames, classes).iter().copied().map(str::to_owned).collect(),
        }
    }
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
    fn a_stack_with_a_number_is_looked_through_once() {
        let (mut traces, classes) = (Traces::default(), classes());
        let new = |number, frames: &str| Stack::New { number, frames: frames.to_owned() };
        let periodic = "com.acme.A.b(A.java:2)\njava.util.TimerThread.mainLoop(Timer.java:1)\n";
        let trace = traces.of(&new(Some(7), periodic), &classes);
        assert!(trace.is_periodic && trace.frames.len() == 2, "{trace:?}");
        assert_eq!(traces.of(&Stack::Known(7), &classes), trace);
        traces.of(&new(None, "x.Y.z(Y.java:4)"), &classes);
        assert!(traces.knows(7) && !traces.knows(0));
        for number in 0..=MOST {
            traces.make_room();
            traces.of(&new(i32::try_from(number).ok(), "x.Y.z(Y.java:4)"), &classes);
        }
        assert!(traces.knows(7));
        traces.make_room();
        assert!(!traces.knows(7), "there is no room for more");
    }
}
