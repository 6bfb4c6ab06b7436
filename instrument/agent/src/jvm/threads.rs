//! Telling the runtime class when actions begin and end, and which threads to stop.

use jvmti_bindings::prelude::{JniEnv, jni, jvmti};
use restive_runtime::CellsError;

use super::heap::{Heap, pending};
use crate::classes::RUNTIME_CLASS;

/// Methods of the runtime class.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadIds {
    begin: jni::jmethodID,
    idle: jni::jmethodID,
    stacks: jni::jmethodID,
    work: jni::jmethodID,
    rest: jni::jmethodID,
    background: jni::jmethodID,
    kill: jni::jmethodID,
}

/// The name that launchers of JVMs give to the thread that a service starts on.
const FIRST: &str = "main";

/// What a thread that sleeps has innermost on its stack.
const SLEEPER: &str = "java.lang.Thread";

impl ThreadIds {
    /// Finds them.
    pub fn find(jni: &JniEnv, class: jni::jclass) -> Result<Self, String> {
        let method = |name: &str, descriptor: &str| {
            // SAFETY: `class` is a live reference to the runtime class.
            let id = unsafe { jni.get_static_method_id(class, name, descriptor) };
            id.filter(|_| !pending(jni)).ok_or_else(|| format!("the runtime class has no method {name}"))
        };
        Ok(Self {
            begin: method("begin", "()V")?,
            idle: method("idle", "()V")?,
            stacks: method("stacks", "()Ljava/lang/String;")?,
            work: method("work", "(I)V")?,
            rest: method("rest", "(I)V")?,
            background: method("background", "(I)V")?,
            kill: method("kill", "()V")?,
        })
    }
}

impl Heap {
    /// An action begins: what was thrown and killed before is over.
    pub fn begin(&self) -> Result<(), CellsError> {
        self.call(self.vm.threads.begin, &[], "begin an action")
    }

    /// No action runs: threads that come to probes again and again until the next one begins work for none.
    pub fn idle(&self) -> Result<(), CellsError> {
        self.call(self.vm.threads.idle, &[], "watch threads")
    }

    /// Stops threads that have a class of the service on their stack, background threads left out.
    ///
    /// When there are none, every other thread that comes to a probe.
    pub fn kill(&self, is_own: impl Fn(&str) -> bool) -> Result<(), CellsError> {
        for (number, classes) in others(&self.stacks()?) {
            if classes.split(' ').any(&is_own) {
                self.call(self.vm.threads.work, &[jni::jvalue { i: number }], "stop a thread")?;
            }
        }
        self.call(self.vm.threads.kill, &[], "stop threads")
    }

    /// No action runs: threads that sleep in the service's code now work for none, however long they sleep.
    pub fn note_sleepers(&self, is_own: impl Fn(&str) -> bool) -> Result<(), CellsError> {
        for (number, classes) in others(&self.stacks()?) {
            if sleeps_in(classes, &is_own) {
                self.call(self.vm.threads.rest, &[jni::jvalue { i: number }], "note a thread")?;
            }
        }
        Ok(())
    }

    /// What threw the exception in this place works for no action.
    pub fn note_background(&self, slot: usize) -> Result<(), CellsError> {
        let slot = jni::jint::try_from(slot).expect("there are few places");
        self.call(self.vm.threads.background, &[jni::jvalue { i: slot }], "note a thread")
    }

    /// Whether the thread that the service started on is at work still: it has not ended, and neither rests nor waits for a
    /// connection.
    pub fn is_first_at_work(&self) -> Result<bool, CellsError> {
        let frame = self.jni.push_local_frame(16).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        let tools = self.tools();
        let threads = tools.get_all_threads().map_err(|code| CellsError(format!("no list of threads ({code:?})")))?;
        let is_at_work = threads.into_iter().any(|thread| {
            // SAFETY: `thread` is a live local reference of this thread.
            let (info, state) = unsafe { (tools.get_thread_info(thread), tools.get_thread_state(thread)) };
            info.is_ok_and(|info| info.name.as_deref() == Some(FIRST)) && state.is_ok_and(is_at_work)
        });
        frame.close();
        Ok(is_at_work)
    }

    /// The classes on the stack of each thread, a line each.
    fn stacks(&self) -> Result<String, CellsError> {
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: `stacks` is a static method of the runtime class without arguments.
        let stacks = unsafe { self.jni.call_static_object_method(self.vm.class, self.vm.threads.stacks, &[]) };
        let stacks = self.text(stacks, jni::jsize::MAX);
        frame.close();
        Ok(stacks)
    }

    fn call(&self, method: jni::jmethodID, arguments: &[jni::jvalue], what: &str) -> Result<(), CellsError> {
        // SAFETY: `method` is a static method of the runtime class with these arguments.
        unsafe { self.jni.call_static_void_method(self.vm.class, method, arguments) };
        self.checked(what)
    }
}

/// The lines of `stacks` by their numbers, without that of the thread that asked: without packages to measure any class may
/// be one of the service.
fn others(stacks: &str) -> impl Iterator<Item = (jni::jint, &str)> {
    // It began with the runtime class, which is innermost where a thread of the service is at a probe.
    let is_asking =
        |classes: &str| classes.split_whitespace().next_back().is_some_and(|it| it.replace('.', "/") == RUNTIME_CLASS);
    (0..).zip(stacks.lines()).filter(move |(_, classes)| !is_asking(classes))
}

/// Whether the thread with these classes on its stack, innermost first, sleeps in a method of the service.
fn sleeps_in(classes: &str, is_own: impl Fn(&str) -> bool) -> bool {
    let mut classes = classes.split(' ');
    classes.next() == Some(SLEEPER) && classes.any(is_own)
}

/// Whether a thread in this state could run, or does, in code that is no native method: where it accepts connections it could
/// run as well.
fn is_at_work(state: jni::jint) -> bool {
    state & jvmti::JVMTI_THREAD_STATE_RUNNABLE != 0 && state & jvmti::JVMTI_THREAD_STATE_IN_NATIVE == 0
}

#[cfg(test)]
mod tests {
    use super::{others, sleeps_in};

    #[test]
    fn the_thread_that_asks_for_stacks_is_none_of_the_service() {
        let stacks = "java.lang.Object com.acme.Queue \njava.lang.Thread java.lang.RestiveProbes \n\n\
                      java.lang.RestiveProbes com.acme.Busy java.lang.Thread \n";
        assert_eq!(others(stacks).map(|(number, _)| number).collect::<Vec<_>>(), [0, 2, 3]);
    }

    #[test]
    fn who_sleeps_in_a_method_of_the_service_is_told_from_who_waits_for_work() {
        let is_own = |class: &str| class.starts_with("com.acme.");
        assert!(sleeps_in("java.lang.Thread java.lang.Thread com.acme.Poller java.lang.Thread ", is_own));
        assert!(sleeps_in("java.lang.Thread java.util.concurrent.TimeUnit com.acme.Poller ", is_own));
        for waiting in
            ["java.lang.Object com.acme.Queue ", "com.acme.Busy java.lang.Thread ", "java.lang.Thread org.web.Timer ", ""]
        {
            assert!(!sleeps_in(waiting, is_own), "{waiting}");
        }
    }
}
