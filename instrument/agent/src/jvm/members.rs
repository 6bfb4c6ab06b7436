//! Static members of a runtime class, looked up by name.

use jvmti_bindings::prelude::{JniEnv, jni};

use super::heap::pending;

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
    pub fn int_field(&self, name: &str) -> Result<jni::jfieldID, String> {
        // SAFETY: `class` is a global reference to a class.
        let id = unsafe { self.jni.get_static_field_id(self.class, name, "I") };
        id.filter(|_| !pending(self.jni)).ok_or_else(|| self.missing(name))
    }

    fn missing(&self, name: &str) -> String {
        format!("the runtime class of {} has no {name}", self.purpose)
    }
}
