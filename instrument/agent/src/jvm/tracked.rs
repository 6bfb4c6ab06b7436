//! Telling the runtime class which values to track, and fetching what was done with them.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_driver_protocol::Hint;
use restive_runtime::CellsError;

use super::heap::Heap;
use super::members::Members;
use crate::told::{packed, unpacked};

/// The class that looks for tracked values, and its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackingIds {
    class: jni::jclass,
    track: jni::jmethodID,
    take: jni::jmethodID,
    hints: jni::jfieldID,
    dropped: jni::jfieldID,
}

impl TrackingIds {
    /// Finds them; the class of this internal name has been defined.
    pub fn find(jni: &JniEnv, internal_name: &str) -> Result<Self, String> {
        let members = Members::of(jni, internal_name, "tracking")?;
        Ok(Self {
            class: members.class,
            track: members.method("track", "(Ljava/lang/String;)V")?,
            take: members.method("take", "()Ljava/lang/String;")?,
            hints: members.int_field("hints")?,
            dropped: members.int_field("dropped")?,
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
        let TrackingIds { class, take, hints, dropped, .. } = self.vm.tracking;
        // SAFETY: the ids are of static int fields of this class.
        let n_hints = unsafe { self.jni.get_static_int_field(class, hints) };
        if n_hints == 0 {
            return Ok((Vec::new(), 0));
        }
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: `take` is a static method of this class without arguments.
        let told = unsafe { self.jni.call_static_object_method(class, take, &[]) };
        let units = self.units(told, jni::jsize::MAX);
        frame.close();
        // SAFETY: as above.
        let n_dropped = unsafe { self.jni.get_static_int_field(class, dropped) };
        self.checked("fetch hints")?;
        Ok((unpacked(&units), u32::try_from(n_dropped).unwrap_or(0)))
    }
}
