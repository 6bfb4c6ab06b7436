//! Exceptions that the runtime class kept, read over JNI without running code of the service.
//!
//! Methods of exceptions may be overridden: a message is a field unless the class is the platform's, and the stack comes from
//! `Throwable.getStackTrace` itself.

use jvmti_bindings::prelude::{JniEnv, jni};
use restive_runtime::CellsError;

use super::heap::{Heap, pending};
use super::members::Members;
use crate::told::decoded;

/// Exceptions kept, and behind them one for an attempt to end the JVM and one for a thread that was stopped.
pub(crate) const SLOTS: usize = 16;
const ALL: usize = SLOTS + 2;

/// UTF-16 units of a message that are kept.
const MESSAGE: jni::jsize = 1000;
/// Frames that are looked at.
const FRAMES: jni::jint = 256;
/// Frames of a cause that are kept.
const CAUSE_FRAMES: usize = 8;
/// Causes that are told.
const CAUSES: usize = 3;

/// An exception, as much as can be known without asking the service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Thrown {
    /// Which of the kept ones it is: from 0, then [`SLOTS`] for an attempt to end the JVM, and one more for a stop.
    pub slot: usize,
    /// Name of its class, with dots.
    pub type_name: String,
    /// Its message, cut.
    pub message: String,
    /// `last` when it was seen first, -1 for none.
    pub at: i32,
    /// Whether what was seen of it last is that a handler took it.
    pub is_caught: bool,
    /// The way on which it was thrown.
    pub stack: Stack,
    /// Causes, outermost first, each with its frames below it.
    pub causes: Vec<String>,
}

/// The way on which an exception was thrown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stack {
    /// That of the exceptions which had this number before.
    Known(i32),
    /// Another one.
    New {
        /// The number of exceptions that are thrown on it, where they have one.
        number: Option<i32>,
        /// Frames, innermost first, a line each: `com.acme.Shop.buy(Shop.java:17)`.
        frames: String,
    },
}

impl Default for Stack {
    fn default() -> Self {
        Self::New { number: None, frames: String::new() }
    }
}

/// Where things of exceptions are.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThrownIds {
    throwable: jni::jclass,
    thrown: jni::jobject,
    at: jni::jobject,
    fates: jni::jobject,
    forget: jni::jmethodID,
    trace: jni::jmethodID,
    stack: jni::jmethodID,
    get_message: jni::jmethodID,
    message: jni::jfieldID,
    cause: jni::jfieldID,
    name: jni::jmethodID,
    /// None where this JVM keeps stacks in another way than is known here.
    stacks: Option<StackIds>,
}

/// What numbers of stacks are found by: fields of `Throwable` that are the JVM's own.
#[derive(Clone, Copy, Debug)]
struct StackIds {
    /// The class that numbers them.
    class: jni::jclass,
    number: jni::jmethodID,
    /// What the JVM keeps.
    backtrace: jni::jfieldID,
    /// The elements, once they were asked for or set.
    elements: jni::jfieldID,
    /// What stands in their place until then.
    unasked: jni::jobject,
}

impl StackIds {
    /// Finds them; `throwable` is a global reference to that class, and that of the internal name has been defined.
    fn find(jni: &JniEnv, throwable: jni::jclass, internal_name: &str) -> Result<Option<Self>, String> {
        let members = Members::of(jni, internal_name, "stacks")?;
        let number = members.method("number", "(Ljava/lang/Object;)I")?;
        let elements = "[Ljava/lang/StackTraceElement;";
        // A field that is missing leaves an exception behind, with which nothing else may be asked for.
        let found = |id: Option<jni::jfieldID>| if pending(jni) { None } else { id };
        // SAFETY: `throwable` is a global reference to a class.
        let field = |name: &str, descriptor: &str| found(unsafe { jni.get_field_id(throwable, name, descriptor) });
        let (backtrace, elements_id) = (field("backtrace", "Ljava/lang/Object;"), field("stackTrace", elements));
        // SAFETY: as above.
        let unasked = found(unsafe { jni.get_static_field_id(throwable, "UNASSIGNED_STACK", elements) });
        // SAFETY: the field is a static one of this class that holds an object, of which or of null a reference is made.
        let unasked = unasked.map(|id| unsafe { jni.new_global_ref(jni.get_static_object_field(throwable, id)) });
        let (Some(backtrace), Some(elements), Some(unasked)) = (backtrace, elements_id, unasked) else { return Ok(None) };
        Ok(Some(Self { class: members.class, number, backtrace, elements, unasked }))
    }
}

impl ThrownIds {
    /// Finds them; `stacks` is the internal name of the class that numbers stacks, and `array` gives a global reference to an
    /// array of the runtime class.
    pub fn find(
        jni: &JniEnv,
        class: jni::jclass,
        stacks: &str,
        array: impl Fn(&str, &str) -> Result<jni::jobject, String>,
    ) -> Result<Self, String> {
        let missing = |name: &str| format!("the JVM has no {name}");
        let platform = |name: &str| {
            let class = jni.find_class(name).filter(|_| !pending(jni)).ok_or_else(|| missing(name))?;
            // SAFETY: `class` is a live local reference.
            Ok::<_, String>(unsafe { jni.new_global_ref(class) })
        };
        let (throwable, class_class) = (platform("java/lang/Throwable")?, platform("java/lang/Class")?);
        let method = |class, name: &str, descriptor: &str| {
            // SAFETY: `class` is a global reference to a class.
            let id = unsafe { jni.get_method_id(class, name, descriptor) };
            id.filter(|_| !pending(jni)).ok_or_else(|| missing(name))
        };
        let own = |name: &str, descriptor: &str| {
            // SAFETY: `class` is a live reference to the runtime class.
            let id = unsafe { jni.get_static_method_id(class, name, descriptor) };
            id.filter(|_| !pending(jni)).ok_or_else(|| missing(name))
        };
        let field = |name: &str, descriptor: &str| {
            // SAFETY: `throwable` is a global reference to a class.
            let id = unsafe { jni.get_field_id(throwable, name, descriptor) };
            id.filter(|_| !pending(jni)).ok_or_else(|| missing(name))
        };
        Ok(Self {
            throwable,
            thrown: array("THROWN", "[Ljava/lang/Throwable;")?,
            at: array("THROWN_AT", "[I")?,
            fates: array("FATES", "[I")?,
            forget: own("forget", "()V")?,
            trace: own("trace", "([Ljava/lang/StackTraceElement;I)Ljava/lang/String;")?,
            stack: method(throwable, "getStackTrace", "()[Ljava/lang/StackTraceElement;")?,
            get_message: method(throwable, "getMessage", "()Ljava/lang/String;")?,
            message: field("detailMessage", "Ljava/lang/String;")?,
            cause: field("cause", "Ljava/lang/Throwable;")?,
            name: method(class_class, "getName", "()Ljava/lang/String;")?,
            stacks: StackIds::find(jni, throwable, stacks)?,
        })
    }
}

/// `Probes.FATES`: a handler took the exception.
const CAUGHT: i32 = 2;
/// `Probes.FATES`: a background thread threw it.
const NOISY: i32 = 4;

impl Heap {
    /// The exceptions that were kept; `without_noise` leaves those of background threads out, and `is_known` says of which
    /// stacks no more than the number is wanted.
    pub fn thrown(&self, without_noise: bool, is_known: impl Fn(i32) -> bool) -> Result<Vec<Thrown>, CellsError> {
        let mut found = Vec::new();
        for slot in 0..ALL {
            let frame = self.jni.push_local_frame(32).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
            let idx = jni::jsize::try_from(slot).expect("is small");
            // SAFETY: `thrown` is a global reference to an array of objects of this length.
            let exception = unsafe { self.jni.get_object_array_element(self.vm.thrown.thrown, idx) };
            if !exception.is_null() && !pending(&self.jni) {
                // The exception is written last, so that what is read behind it is of it, also while others are thrown.
                let [at, fate] = self.noted(idx);
                if !(fate & NOISY != 0 && without_noise) {
                    found.push(Thrown { slot, at, is_caught: fate & CAUGHT != 0, ..self.describe(exception, &is_known) });
                }
            }
            frame.close();
            self.checked("read exceptions")?;
        }
        Ok(found)
    }

    /// What is noted of the exception at a place: the line that was executed last when it was seen first, and its fate.
    fn noted(&self, idx: jni::jsize) -> [jni::jint; 2] {
        [self.vm.thrown.at, self.vm.thrown.fates].map(|array| {
            let mut value = [0];
            // SAFETY: `array` is a global reference to an int array that has this place, and `value` has room for one.
            unsafe { self.jni.get_int_array_region(array, idx, 1, &mut value) };
            value[0]
        })
    }

    /// Forgets exceptions and attempts to end the JVM.
    pub fn forget_thrown(&self) -> Result<(), CellsError> {
        // SAFETY: `forget` is a static method of the runtime class without arguments.
        unsafe { self.jni.call_static_void_method(self.vm.class, self.vm.thrown.forget, &[]) };
        self.checked("forget exceptions")
    }

    fn describe(&self, exception: jni::jobject, is_known: impl Fn(i32) -> bool) -> Thrown {
        let type_name = self.type_name(exception);
        let message = self.message(exception, &type_name);
        let number = self.vm.thrown.stacks.and_then(|ids| self.stack_number(exception, &ids));
        let stack = match number {
            Some(number) if is_known(number) => Stack::Known(number),
            _ => Stack::New { number, frames: self.frames(exception) },
        };
        Thrown { type_name, message, stack, causes: self.causes(exception), ..Thrown::default() }
    }

    /// The number of the way on which an exception was thrown, where nobody has asked for its elements or set others.
    fn stack_number(&self, exception: jni::jobject, ids: &StackIds) -> Option<i32> {
        // SAFETY: `exception` is a live reference to an exception, and the fields are of its class.
        let [elements, kept] = [ids.elements, ids.backtrace].map(|id| unsafe { self.jni.get_object_field(exception, id) });
        // SAFETY: both are live references or null.
        let is_unasked = unsafe { self.jni.is_same_object(elements, ids.unasked) };
        if pending(&self.jni) || !is_unasked || kept.is_null() {
            return None;
        }
        // SAFETY: `number` is a static method of this class that takes an object.
        let number = unsafe { self.jni.call_static_int_method(ids.class, ids.number, &[jni::jvalue { l: kept }]) };
        (!pending(&self.jni) && number >= 0).then_some(number)
    }

    fn causes(&self, exception: jni::jobject) -> Vec<String> {
        let (mut told, mut outer) = (Vec::new(), exception);
        for _ in 0..CAUSES {
            // SAFETY: `outer` is a live reference to an exception and the field is one of its class.
            let cause = unsafe { self.jni.get_object_field(outer, self.vm.thrown.cause) };
            // SAFETY: both are live references or null.
            let is_last = cause.is_null() || unsafe { self.jni.is_same_object(cause, outer) };
            if pending(&self.jni) || is_last {
                break;
            }
            let type_name = self.type_name(cause);
            told.push(format!("caused by {type_name}: {}", self.message(cause, &type_name)));
            told.extend(self.frames(cause).lines().take(CAUSE_FRAMES).map(str::to_owned));
            outer = cause;
        }
        told
    }

    fn type_name(&self, object: jni::jobject) -> String {
        // SAFETY: `object` is a live reference, and `getName` a method of its class, which cannot be overridden.
        let name = unsafe {
            let class = self.jni.get_object_class(object);
            self.jni.call_object_method(class, self.vm.thrown.name, &[])
        };
        self.text(name, jni::jsize::MAX)
    }

    fn message(&self, exception: jni::jobject, type_name: &str) -> String {
        // Nobody but the platform has classes of this name, and some of its messages are made when asked for.
        let message = if type_name.starts_with("java.") {
            // SAFETY: `exception` is a live reference to an exception and the method one of its class.
            unsafe { self.jni.call_object_method(exception, self.vm.thrown.get_message, &[]) }
        } else {
            // SAFETY: `exception` is a live reference to an exception and the field one of its class.
            unsafe { self.jni.get_object_field(exception, self.vm.thrown.message) }
        };
        self.text(message, MESSAGE)
    }

    fn frames(&self, exception: jni::jobject) -> String {
        let ids = self.vm.thrown;
        // SAFETY: `exception` is a live reference to an exception, the method one of `Throwable`, called as it stands there.
        let frames = unsafe { self.jni.call_nonvirtual_object_method(exception, ids.throwable, ids.stack, &[]) };
        if pending(&self.jni) || frames.is_null() {
            return String::new();
        }
        let arguments = [jni::jvalue { l: frames }, jni::jvalue { i: FRAMES }];
        // SAFETY: `trace` is a static method of the runtime class with these arguments.
        let text = unsafe { self.jni.call_static_object_method(self.vm.class, ids.trace, &arguments) };
        self.text(text, jni::jsize::MAX)
    }

    /// At most `most` UTF-16 units of a string; empty for null, or when what gave it failed.
    pub(super) fn text(&self, string: jni::jobject, most: jni::jsize) -> String {
        decoded(&self.units(string, most))
    }

    /// UTF-16 units of a string, at most this many; none without one.
    pub(super) fn units(&self, string: jni::jobject, most: jni::jsize) -> Vec<u16> {
        if pending(&self.jni) || string.is_null() {
            return Vec::new();
        }
        // SAFETY: `string` is a live reference to a string.
        let length = unsafe { self.jni.get_string_length(string) }.min(most);
        let mut units = vec![0; usize::try_from(length).unwrap_or(0)];
        // SAFETY: the string has at least `length` units and `units` as many places.
        unsafe { self.jni.get_string_region(string, 0, length, &mut units) };
        if pending(&self.jni) { Vec::new() } else { units }
    }
}
