//! Static members of a runtime class, looked up by name.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_runtime::CellsError;

use super::heap::{Heap, pending};

/// A runtime class whose members are looked up.
#[derive(Clone, Copy)]
pub(super) struct Members<'a> {
    jni: &'a JniEnv,
    /// A global reference, which is never deleted.
    pub(super) class: jni::jclass,
    /// What the class is for, in messages.
    purpose: &'a str,
}

impl<'a> Members<'a> {
    /// Those of the class of this internal name, which has been defined.
    pub fn of(jni: &'a JniEnv, internal_name: &str, purpose: &'a str) -> Result<Self, String> {
        let missing = || format!("the runtime class of {purpose} is missing");
        let class = jni.find_class(internal_name).filter(|_| !pending(jni)).ok_or_else(missing)?;
        // SAFETY: `class` is a live local reference.
        let class = unsafe { jni.new_global_ref(class) };
        Ok(Self { jni, class, purpose })
    }

    /// A static method.
    pub fn method(&self, name: &str, descriptor: &str) -> Result<jni::jmethodID, String> {
        // SAFETY: `class` is a global reference to a class.
        let id = unsafe { self.jni.get_static_method_id(self.class, name, descriptor) };
        id.filter(|_| !pending(self.jni)).ok_or_else(|| self.missing(name))
    }

    /// A static field of type `int`.
    fn int_field(&self, name: &str) -> Result<jni::jfieldID, String> {
        // SAFETY: `class` is a global reference to a class.
        let id = unsafe { self.jni.get_static_field_id(self.class, name, "I") };
        id.filter(|_| !pending(self.jni)).ok_or_else(|| self.missing(name))
    }

    /// What the class keeps until it is fetched, as many as the field `count` says.
    pub fn kept(&self, count: &str) -> Result<Kept, String> {
        Ok(Kept {
            class: self.class,
            take: self.method("take", "()Ljava/lang/String;")?,
            count: self.int_field(count)?,
            dropped: self.int_field("dropped")?,
        })
    }

    fn missing(&self, name: &str) -> String {
        format!("the runtime class of {} has no {name}", self.purpose)
    }
}

/// What a runtime class keeps until it is fetched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    class: jni::jclass,
    take: jni::jmethodID,
    count: jni::jfieldID,
    dropped: jni::jfieldID,
}

impl Heap {
    /// Fetches it as UTF-16 units, none where there is nothing, and how much was left out. `what` stands in messages.
    pub(super) fn take(&self, kept: Kept, what: &str) -> Result<(Vec<u16>, u32), CellsError> {
        let Kept { class, take, count, dropped } = kept;
        // SAFETY: the ids are of static int fields of this class.
        if unsafe { self.jni.get_static_int_field(class, count) } == 0 {
            return Ok((Vec::new(), 0));
        }
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: `take` is a static method of this class without arguments.
        let told = unsafe { self.jni.call_static_object_method(class, take, &[]) };
        let units = self.units(told, jni::jsize::MAX);
        frame.close();
        // SAFETY: as above.
        let n_dropped = unsafe { self.jni.get_static_int_field(class, dropped) };
        self.checked(what)?;
        Ok((units, u32::try_from(n_dropped).unwrap_or(0)))
    }
}
