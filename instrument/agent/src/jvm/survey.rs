//! Which classes are loaded, whether their class files were shown to agents or not.
//!
//! All of them are looked at once; from then on the JVM tells of each class as it is loaded. Looking at them takes time by
//! their number each time, and a core asks every few seconds; being told of a class costs nothing where none is loaded.

use jvmti_bindings::prelude::{JniEnv, Jvmti, jni, jvmti};
use restive_runtime::CellsError;

use super::heap::Heap;
use super::loaders::Loaders;
use crate::selection::Loader;

impl Heap {
    /// From now on the JVM tells of each class that is loaded.
    pub fn watch_loading(&self) -> Result<(), CellsError> {
        let watched = self.tools().enable_events_global(&[jvmti::JVMTI_EVENT_CLASS_LOAD]);
        watched.map_err(|code| CellsError(format!("the JVM does not tell which classes are loaded ({code:?})")))
    }

    /// Calls `take` with the name of each loaded class as the JVM tells it (internal, and for hidden classes with a point in
    /// it), and who loaded it. Arrays and primitive types are left out.
    pub fn loaded_classes(&self, mut take: impl FnMut(&str, Loader)) -> Result<(), CellsError> {
        let frame = self.jni.push_local_frame(16).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        let tools = self.tools();
        let classes = tools.get_loaded_classes().map_err(|code| CellsError(format!("no list of classes ({code:?})")))?;
        for class in classes {
            tell(&tools, &self.jni, self.vm.loaders, class, &mut take);
        }
        frame.close();
        Ok(())
    }

    pub(super) fn tools(&self) -> Jvmti {
        // SAFETY: the environment of this agent is valid on every thread for the life of the JVM.
        unsafe { Jvmti::from_raw(self.vm.tools) }
    }
}

/// Calls `take` with the name of `class`, a live reference of this thread, and who loaded it, unless it is an array or a
/// primitive type.
pub(super) fn tell(tools: &Jvmti, jni: &JniEnv, loaders: Loaders, class: jni::jclass, mut take: impl FnMut(&str, Loader)) {
    // SAFETY: `class` is a live local reference of this thread.
    let (told, loader) = unsafe { (tools.get_class_signature(class), tools.get_class_loader(class)) };
    let (Ok((signature, _)), Ok(loader)) = (told, loader) else { return };
    if let Some(name) = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
        take(name, loaders.which(jni, loader));
    }
}
