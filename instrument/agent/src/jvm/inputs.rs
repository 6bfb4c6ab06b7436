//! Fetching which inputs were read, and the schemas of what bodies were read into.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_rewrite::InputPlace;
use restive_runtime::CellsError;

use super::heap::Heap;
use super::members::{Kept, Members};
use crate::told;

/// The class that notes which inputs are read, and its members.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputIds {
    class: jni::jclass,
    watch: jni::jmethodID,
    schema: jni::jmethodID,
    kept: Kept,
}

impl InputIds {
    /// Finds them; the class of this internal name has been defined.
    pub fn find(jni: &JniEnv, internal_name: &str) -> Result<Self, String> {
        let members = Members::of(jni, internal_name, "inputs")?;
        Ok(Self {
            class: members.class,
            watch: members.method("watch", "()V")?,
            schema: members.method("schema", "(Ljava/lang/String;)Ljava/lang/String;")?,
            kept: members.kept("inputs")?,
        })
    }
}

impl Heap {
    /// From now on it is noted which inputs are read; what was noted before is forgotten.
    pub fn watch_inputs(&self) -> Result<(), CellsError> {
        let InputIds { class, watch, .. } = self.vm.inputs;
        // SAFETY: `watch` is a static method of this class without arguments.
        unsafe { self.jni.call_static_void_method(class, watch, &[]) };
        self.checked("watch inputs")
    }

    /// Which inputs were read, and how many were left out.
    pub fn take_inputs(&self) -> Result<(Vec<(InputPlace, String)>, u32), CellsError> {
        let (units, n_dropped) = self.take(self.vm.inputs.kept, "fetch inputs")?;
        Ok((told::inputs(&units), n_dropped))
    }

    /// The schema of a type that was told by this name.
    pub fn input_schema(&self, name: &str) -> Result<String, CellsError> {
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        let units: Vec<u16> = name.encode_utf16().collect();
        let text = self.jni.new_string_utf16(&units);
        let told = text.map(|text| {
            let InputIds { class, schema, .. } = self.vm.inputs;
            // SAFETY: `schema` is a static method of this class that takes a text and gives one.
            unsafe { self.jni.call_static_object_method(class, schema, &[jni::jvalue { l: text }]) }
        });
        let schema = told.map(|told| self.text(told, jni::jsize::MAX));
        frame.close();
        self.checked("fetch a schema")?;
        Ok(schema.unwrap_or_default())
    }
}
