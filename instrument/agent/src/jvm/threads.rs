//! Telling the runtime class when actions begin and end, and which threads to stop.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_runtime::CellsError;

use super::heap::{Heap, pending};

/// Methods of the runtime class.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThreadIds {
    begin: jni::jmethodID,
    idle: jni::jmethodID,
    stacks: jni::jmethodID,
    work: jni::jmethodID,
    kill: jni::jmethodID,
}

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
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: `stacks` is a static method of the runtime class without arguments.
        let stacks = unsafe { self.jni.call_static_object_method(self.vm.class, self.vm.threads.stacks, &[]) };
        let stacks = self.text(stacks, jni::jsize::MAX);
        frame.close();
        for (number, classes) in (0..).zip(stacks.lines()) {
            if classes.split(' ').any(&is_own) {
                self.call(self.vm.threads.work, &[jni::jvalue { i: number }], "stop a thread")?;
            }
        }
        self.call(self.vm.threads.kill, &[], "stop threads")
    }

    fn call(&self, method: jni::jmethodID, arguments: &[jni::jvalue], what: &str) -> Result<(), CellsError> {
        // SAFETY: `method` is a static method of the runtime class with these arguments.
        unsafe { self.jni.call_static_void_method(self.vm.class, method, arguments) };
        self.checked(what)
    }
}
