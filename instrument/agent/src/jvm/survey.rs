//! Which classes are loaded, whether their class files were shown to agents or not.

use jvmti_bindings::prelude::Jvmti;
use restive_runtime::CellsError;

use super::heap::Heap;
use crate::selection::Loader;

impl Heap {
    /// Calls `take` with the name of each loaded class as the JVM tells it (internal, and for hidden classes with a point in
    /// it), and who loaded it. Arrays and primitive types are left out.
    pub fn loaded_classes(&self, mut take: impl FnMut(&str, Loader)) -> Result<(), CellsError> {
        let frame = self.jni.push_local_frame(16).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: the environment of this agent is valid on every thread for the life of the JVM.
        let tools = unsafe { Jvmti::from_raw(self.vm.tools) };
        let classes = tools.get_loaded_classes().map_err(|code| CellsError(format!("no list of classes ({code:?})")))?;
        for class in classes {
            // SAFETY: `class` is a live local reference of this thread.
            let (told, loader) = unsafe { (tools.get_class_signature(class), tools.get_class_loader(class)) };
            let (Ok((signature, _)), Ok(loader)) = (told, loader) else { continue };
            if let Some(name) = signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')) {
                take(name, self.vm.loaders.which(&self.jni, loader));
            }
        }
        frame.close();
        Ok(())
    }
}
