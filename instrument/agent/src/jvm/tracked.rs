//! Telling the runtime class which values to track, and fetching what was done with them.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_driver_protocol::Hint;
use restive_runtime::CellsError;

use super::heap::Heap;
use super::members::{Kept, Members};
use crate::told::{packed, unpacked};

/// The class that looks for tracked values, and its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackingIds {
    class: jni::jclass,
    track: jni::jmethodID,
    kept: Kept,
}

impl TrackingIds {
    /// Finds them; the class of this internal name has been defined.
    pub fn find(jni: &JniEnv, internal_name: &str) -> Result<Self, String> {
        let members = Members::of(jni, internal_name, "tracking")?;
        Ok(Self {
            class: members.class,
            track: members.method("track", "(Ljava/lang/String;)V")?,
            kept: members.kept("hints")?,
        })
    }
}

impl Heap {
    /// From now on these values are tracked, as far as they are neither too long nor too many.
    pub fn track(&self, values: &[String]) -> Result<(), CellsError> {
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        if let Some(text) = self.jni.new_string_utf16(&packed(values)) {
            let TrackingIds { class, track, .. } = self.vm.tracking;
            // SAFETY: `track` is a static method of this class that takes a text.
            unsafe { self.jni.call_static_void_method(class, track, &[jni::jvalue { l: text }]) };
        }
        frame.close();
        self.checked("track values")
    }

    /// What was done with tracked values, and how many hints were left out; nothing is tracked any more.
    pub fn take_hints(&self) -> Result<(Vec<Hint>, u32), CellsError> {
        let (units, n_dropped) = self.take(self.vm.tracking.kept, "fetch hints")?;
        Ok((unpacked(&units), n_dropped))
    }
}
