//! The fields of the runtime class, read and written over JNI.

use std::marker::PhantomData;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use jvmti_bindings::prelude::{JniEnv, jni, jvmti};
use restive_rewrite::runtime::RuntimeClass;
use restive_runtime::CellsError;

use super::inputs::InputIds;
use super::loaders::Loaders;
use super::threads::ThreadIds;
use super::thrown::ThrownIds;
use super::tracked::TrackingIds;
use crate::classes::{INPUTS_CLASS, STACKS_CLASS, TRACKING_CLASS};

/// The `int` fields of the runtime class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The line target executed last, -1 for none.
    Last,
    /// The line target executed last by a thread that works for the action, -1 for none or when there is no other thread.
    LastOwn,
    /// How many threads work for no action.
    Backgrounds,
    /// What stands in `NOISE` for the current action.
    Round,
    AtWork,
    /// Attempts to end the JVM.
    Exits,
    /// Exit status of the last attempt.
    ExitCode,
    /// Exceptions of the service.
    Thrown,
    /// Constraints of bean validation that were seen.
    Constraints,
}

/// Names of the fields in the order of [`Field`].
const FIELDS: [&str; 9] = ["last", "lastOwn", "backgrounds", "round", "atWork", "exits", "exitCode", "thrown", "constraints"];

/// The JVM, its runtime class, and where its fields are; may go to another thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VirtualMachine {
    vm: *mut jni::JavaVM,
    /// The tool interface of this agent.
    pub(super) tools: *mut jvmti::jvmtiEnv,
    pub(super) class: jni::jclass,
    pub(super) thrown: ThrownIds,
    pub(super) threads: ThreadIds,
    pub(super) tracking: TrackingIds,
    pub(super) loaders: Loaders,
    pub(super) inputs: InputIds,
    cells: jni::jobject,
    marks: jni::jobject,
    noise: jni::jobject,
    constraints: jni::jobject,
    constraint_ids: jni::jobject,
    fields: [jni::jfieldID; FIELDS.len()],
}

// SAFETY: the JavaVM pointer, the tool interface (JVM TI specification, "Environments"), global references and field ids are valid on every thread for the life of the JVM (JNI
// specification, "Global and Local References", "The Invocation API"); the references are never deleted.
unsafe impl Send for VirtualMachine {}

/// Whether a call left an exception behind, which is taken away.
pub(super) fn pending(jni: &JniEnv) -> bool {
    let pending = jni.exception_check();
    if pending {
        jni.exception_clear();
    }
    pending
}

/// Defines classes by the JVM's own loader; a local reference to the last of them.
fn defined(jni: &JniEnv, classes: &[RuntimeClass]) -> Result<jni::jclass, String> {
    let mut last = None;
    for RuntimeClass { internal_name, bytes } in classes {
        // SAFETY: a null loader means the JVM's own; the environment belongs to this thread.
        let class = unsafe { jni.define_class(internal_name, ptr::null_mut(), bytes) };
        let refused = || format!("the JVM refused to define {internal_name}; is the agent loaded twice?");
        last = Some(class.filter(|_| !pending(jni)).ok_or_else(refused)?);
    }
    last.ok_or_else(|| "there are no runtime classes".to_owned())
}

impl VirtualMachine {
    /// Defines the runtime classes by the JVM's own loader and finds the fields of the last one, which probes report to.
    ///
    /// `tools` is the tool interface of this agent.
    pub fn define(jni: &JniEnv, tools: *mut jvmti::jvmtiEnv, classes: &[RuntimeClass]) -> Result<Self, String> {
        let class = defined(jni, classes)?;
        let field = |name: &str, descriptor: &str| {
            // SAFETY: `class` is a live local reference of this thread. Looking a field up initialises the class.
            let id = unsafe { jni.get_static_field_id(class, name, descriptor) };
            id.filter(|_| !pending(jni)).ok_or_else(|| format!("the runtime class has no field {name}"))
        };
        let array = |name: &str, descriptor: &str| {
            let id = field(name, descriptor)?;
            // SAFETY: `id` is a static field of `class` that holds an object.
            let array = unsafe { jni.get_static_object_field(class, id) };
            // SAFETY: `array` is a live local reference or null, of which the global reference is null.
            let array = unsafe { jni.new_global_ref(array) };
            if array.is_null() { Err(format!("the runtime class has no array {name}")) } else { Ok(array) }
        };
        let (cells, marks) = (array("CELLS", "[I")?, array("MARKS", "[S")?);
        let mut fields = [ptr::null_mut(); FIELDS.len()];
        for (id, name) in fields.iter_mut().zip(FIELDS) {
            *id = field(name, "I")?;
        }
        // SAFETY: `class` is a live local reference.
        let class = unsafe { jni.new_global_ref(class) };
        Ok(Self {
            tools,
            vm: jni.get_java_vm().map_err(|code| format!("no virtual machine (code {code})"))?,
            class,
            thrown: ThrownIds::find(jni, class, STACKS_CLASS, array)?,
            threads: ThreadIds::find(jni, class)?,
            tracking: TrackingIds::find(jni, TRACKING_CLASS)?,
            loaders: Loaders::find(jni),
            inputs: InputIds::find(jni, INPUTS_CLASS)?,
            noise: array("NOISE", "[B")?,
            constraints: array("CONSTRAINTS", "[Ljava/lang/String;")?,
            constraint_ids: array("CONSTRAINT_IDS", "[I")?,
            cells,
            marks,
            fields,
        })
    }

    /// The loaders of the JDK.
    pub fn loaders(&self) -> Loaders {
        self.loaders
    }

    /// Attaches this thread as a daemon, which does not keep the JVM alive, does `work`, and detaches.
    pub fn attached<T>(self, work: impl FnOnce(Heap) -> T) -> Result<T, String> {
        let mut env = ptr::null_mut();
        // SAFETY: `vm` is the JVM of this process; `env` receives a pointer; null arguments are allowed.
        let code = unsafe { ((**self.vm).AttachCurrentThreadAsDaemon)(self.vm, &raw mut env, ptr::null_mut()) };
        if code != jni::JNI_OK || env.is_null() {
            return Err(format!("the JVM refused a thread (code {code})"));
        }
        // SAFETY: the JVM has just given this environment to this thread, and `Heap` cannot leave the thread.
        let jni = unsafe { JniEnv::from_raw(env.cast()) };
        let done = work(Heap { vm: self, jni, _not_send: PhantomData });
        // SAFETY: `Heap` was consumed by `work`, so nothing uses the environment any more.
        unsafe { ((**self.vm).DetachCurrentThread)(self.vm) };
        Ok(done)
    }
}

/// The runtime class, seen from an attached thread.
pub(crate) struct Heap {
    pub(super) vm: VirtualMachine,
    pub(super) jni: JniEnv,
    _not_send: PhantomData<Rc<()>>,
}

impl std::fmt::Debug for Heap {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Heap").finish_non_exhaustive()
    }
}

/// Start and length of a range of ids as the JVM counts.
fn region(ids: &Range<usize>) -> Result<(jni::jsize, jni::jsize), CellsError> {
    let number = |number: usize| jni::jsize::try_from(number).map_err(|_| CellsError(format!("there is no target {number}")));
    Ok((number(ids.start)?, number(ids.len())?))
}

/// Zeros are written from here, piece by piece.
const ZEROS: usize = 4096;

impl Heap {
    pub(super) fn checked(&self, what: &str) -> Result<(), CellsError> {
        if pending(&self.jni) { Err(CellsError(format!("the JVM refused to {what}"))) } else { Ok(()) }
    }

    /// Copies the first cells.
    pub fn read_cells(&self, into: &mut [i32]) -> Result<(), CellsError> {
        let (start, length) = region(&(0..into.len()))?;
        // SAFETY: `cells` is a global reference to an int array; the JVM checks the range and `into` has `length` places.
        unsafe { self.jni.get_int_array_region(self.vm.cells, start, length, into) };
        self.checked("read cells")
    }

    /// Copies the first marks.
    pub fn read_marks(&self, into: &mut [i16]) -> Result<(), CellsError> {
        let (start, length) = region(&(0..into.len()))?;
        // SAFETY: `marks` is a global reference to a short array; the JVM checks the range and `into` has `length` places.
        unsafe { self.jni.get_short_array_region(self.vm.marks, start, length, into) };
        self.checked("read marks")
    }

    /// Copies what background threads came to.
    pub fn read_noise(&self, into: &mut [u8]) -> Result<(), CellsError> {
        let (start, length) = region(&(0..into.len()))?;
        // SAFETY: u8 and i8 have the same layout, every value is valid for both, and the new slice is the only use of `into`.
        let bytes = unsafe { std::slice::from_raw_parts_mut(into.as_mut_ptr().cast::<i8>(), into.len()) };
        // SAFETY: `noise` is a global reference to a byte array; the JVM checks the range and `bytes` has `length` places.
        unsafe { self.jni.get_byte_array_region(self.vm.noise, start, length, bytes) };
        self.checked("read noise")
    }

    /// Sets cells to 0.
    pub fn clear_cells(&self, ids: Range<usize>) -> Result<(), CellsError> {
        for piece in pieces(ids) {
            let (start, length) = region(&piece)?;
            // SAFETY: as in `read_cells`; the zeros have at least `length` places.
            unsafe { self.jni.set_int_array_region(self.vm.cells, start, length, &[0; ZEROS]) };
        }
        self.checked("clear cells")
    }

    /// Sets marks to 0.
    pub fn clear_marks(&self, ids: Range<usize>) -> Result<(), CellsError> {
        for piece in pieces(ids) {
            let (start, length) = region(&piece)?;
            // SAFETY: as in `read_marks`; the zeros have at least `length` places.
            unsafe { self.jni.set_short_array_region(self.vm.marks, start, length, &[0; ZEROS]) };
        }
        self.checked("clear marks")
    }

    /// What the constraint with this index is: class, property and annotation, a line each.
    pub fn constraint(&self, idx: i32) -> Result<String, CellsError> {
        let frame = self.jni.push_local_frame(4).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: `constraints` is a global reference to an array of objects; the JVM checks the index.
        let named = unsafe { self.jni.get_object_array_element(self.vm.constraints, idx) };
        let named = self.text(named, jni::jsize::MAX);
        frame.close();
        self.checked("read a constraint").map(|()| named)
    }

    /// Gives the constraint with this index the target of fulfilling it.
    pub fn name_constraint(&self, idx: i32, id: u32) -> Result<(), CellsError> {
        // Ids are those of an array, which has fewer elements.
        let number = i32::try_from(id).map_or(0, |id| id + 1);
        // SAFETY: `constraint_ids` is a global reference to an int array; the JVM checks the range.
        unsafe { self.jni.set_int_array_region(self.vm.constraint_ids, idx, 1, &[number]) };
        self.checked("write a constraint")
    }

    /// Reads a field.
    pub fn read(&self, field: Field) -> Result<i32, CellsError> {
        // SAFETY: `class` is a global reference and the id is of a static int field of it.
        let value = unsafe { self.jni.get_static_int_field(self.vm.class, self.vm.fields[field as usize]) };
        self.checked("read a field").map(|()| value)
    }

    /// Writes a field.
    pub fn write(&self, field: Field, value: i32) -> Result<(), CellsError> {
        // SAFETY: `class` is a global reference and the id is of a static int field of it that is not final.
        unsafe { self.jni.set_static_int_field(self.vm.class, self.vm.fields[field as usize], value) };
        self.checked("write a field")
    }
}

/// Ranges of at most [`ZEROS`] that make up `ids`.
fn pieces(ids: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = ids.end;
    ids.step_by(ZEROS).map(move |start| start..(start + ZEROS).min(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_range() {
        assert_eq!(pieces(5..5).count(), 0);
        assert_eq!(pieces(3..ZEROS + 4).collect::<Vec<_>>(), [3..ZEROS + 3, ZEROS + 3..ZEROS + 4]);
    }
}
