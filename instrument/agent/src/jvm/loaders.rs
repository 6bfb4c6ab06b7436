//! Where a class comes from, by the loader that loads it.

use jvmti_bindings::prelude::{JniEnv, jni};

use super::heap::pending;
use crate::selection::Loader;

/// The loaders of the JDK besides the JVM's own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Loaders {
    /// The platform's, of Java 8 that of extensions; null where there is none that could be found.
    platform: jni::jobject,
}

// SAFETY: a global reference, or null, is valid on every thread for the life of the JVM; it is never deleted.
unsafe impl Send for Loaders {}
// SAFETY: as above; it is never changed.
unsafe impl Sync for Loaders {}

impl Loaders {
    /// Finds them; the JVM has been initialised.
    pub fn find(jni: &JniEnv) -> Self {
        let platform = platform(jni);
        // SAFETY: `platform` is a live local reference or null, of which the global reference is null.
        Self { platform: unsafe { jni.new_global_ref(platform.unwrap_or(std::ptr::null_mut())) } }
    }

    /// Which of them `loader` is, a live reference of this thread or null.
    pub fn which(self, jni: &JniEnv, loader: jni::jobject) -> Loader {
        if loader.is_null() {
            return Loader::Machine;
        }
        // SAFETY: both are live references.
        let is_platform = !self.platform.is_null() && unsafe { jni.is_same_object(self.platform, loader) };
        if is_platform { Loader::Platform } else { Loader::Other }
    }
}

/// The loader above that of the class path.
fn platform(jni: &JniEnv) -> Option<jni::jobject> {
    let class = jni.find_class("java/lang/ClassLoader").filter(|_| !pending(jni))?;
    let descriptor = "()Ljava/lang/ClassLoader;";
    // SAFETY: `class` is a live local reference to a class.
    let newer = unsafe { jni.get_static_method_id(class, "getPlatformClassLoader", descriptor) };
    if let Some(method) = newer.filter(|_| !pending(jni)) {
        // SAFETY: a static method of this class without arguments.
        let loader = unsafe { jni.call_static_object_method(class, method, &[]) };
        return Some(loader).filter(|_| !pending(jni));
    }
    pending(jni);
    // SAFETY: as above.
    let system = unsafe { jni.get_static_method_id(class, "getSystemClassLoader", descriptor) }.filter(|_| !pending(jni))?;
    // SAFETY: as above.
    let parent = unsafe { jni.get_method_id(class, "getParent", descriptor) }.filter(|_| !pending(jni))?;
    // SAFETY: a static method of this class without arguments.
    let system = unsafe { jni.call_static_object_method(class, system, &[]) };
    if pending(jni) || system.is_null() {
        return None;
    }
    // SAFETY: `system` is a live loader, and the method takes no arguments.
    Some(unsafe { jni.call_object_method(system, parent, &[]) }).filter(|_| !pending(jni))
}
