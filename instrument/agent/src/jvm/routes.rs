//! Looking for the objects in which HTTP frameworks keep their routes, and having the runtime class read them.
//!
//! The heap is walked once, and only when a core asks: nothing is hooked for it, and a service that is not asked pays nothing.

use std::ffi::c_void;
use std::ptr;

use jvmti_bindings::prelude::{Jvmti, jni, jvmti};
use restive_runtime::CellsError;

use super::heap::{Heap, pending};
use crate::classes::ROUTES_CLASS;
use crate::told::{ToldRoutes, routes};

/// Classes and interfaces whose objects know routes or where these are, and so do those of classes below them.
const HOLDERS: [&str; 17] = [
    "Ljavax/servlet/Servlet;",
    "Ljakarta/servlet/Servlet;",
    "Lorg/springframework/web/servlet/handler/AbstractHandlerMethodMapping;",
    "Lorg/springframework/web/reactive/result/method/AbstractHandlerMethodMapping;",
    "Lorg/springframework/web/servlet/function/support/RouterFunctionMapping;",
    "Lorg/springframework/web/reactive/function/server/support/RouterFunctionMapping;",
    "Lcom/sun/net/httpserver/HttpContext;",
    "Lio/micronaut/web/router/Router;",
    "Lio/javalin/core/routing/HandlerEntry;",
    "Lio/javalin/routing/HandlerEntry;",
    "Lio/javalin/router/Endpoint;",
    "Lio/vertx/ext/web/Route;",
    "Lcom/linecorp/armeria/server/ServiceConfig;",
    "Lio/ktor/server/routing/Route;",
    "Lio/ktor/server/routing/RoutingNode;",
    "Lio/helidon/webserver/http/HttpRouting;",
    "Lspark/route/Routes;",
];

/// Objects that are read, at most.
const MOST_OBJECTS: usize = 10_000;

/// Marks classes whose objects are wanted.
const WANTED: jni::jlong = 1;
/// Marks objects that were found.
const FOUND: jni::jlong = 2;

/// Marks what is an object of a wanted class, and goes on.
unsafe extern "system" fn mark(
    _kind: jvmti::jvmtiHeapReferenceKind,
    _info: *const jvmti::jvmtiHeapReferenceInfo,
    class_tag: jni::jlong,
    _referrer_class_tag: jni::jlong,
    _size: jni::jlong,
    tag: *mut jni::jlong,
    _referrer_tag: *mut jni::jlong,
    _length: jni::jint,
    _nothing: *mut c_void,
) -> jni::jint {
    if class_tag == WANTED {
        // SAFETY: the JVM gives a pointer to the tag of the object that it shows (JVM TI, heap reference callback).
        unsafe { *tag = FOUND };
    }
    jvmti::JVMTI_VISIT_OBJECTS
}

impl Heap {
    /// Routes that frameworks have registered; `is_own` says whether a class of this internal name is the service's.
    pub fn routes(&self, is_own: impl Fn(&str) -> bool) -> Result<ToldRoutes, CellsError> {
        let frame = self.jni.push_local_frame(64).map_err(|code| CellsError(format!("no local frame (code {code})")))?;
        // SAFETY: the environment of this agent is valid on every thread for the life of the JVM.
        let tools = unsafe { Jvmti::from_raw(self.vm.tools) };
        let told = self.told_routes(&tools, &is_own);
        frame.close();
        self.checked("tell routes")?;
        told.map(|units| routes(&units))
    }

    fn told_routes(&self, tools: &Jvmti, is_own: &dyn Fn(&str) -> bool) -> Result<Vec<u16>, CellsError> {
        let classes = tools.get_loaded_classes().map_err(|code| refused("list classes", code))?;
        let (mut above, mut own) = (Vec::new(), Vec::new());
        for &class in &classes {
            // SAFETY: `class` is a live local reference of this thread.
            let Ok((signature, _)) = (unsafe { tools.get_class_signature(class) }) else { continue };
            if HOLDERS.contains(&signature.as_str()) {
                above.push(class);
            } else if signature.strip_prefix('L').and_then(|name| name.strip_suffix(';')).is_some_and(is_own) {
                own.push(class);
            }
        }
        let holders = self.objects_of(tools, &classes, &above)?;
        self.tell(&holders, &own)
    }

    /// Live objects of classes among `classes` that are one of `above` or below it.
    fn objects_of(
        &self,
        tools: &Jvmti,
        classes: &[jni::jclass],
        above: &[jni::jclass],
    ) -> Result<Vec<jni::jobject>, CellsError> {
        let is_below = |class: jni::jclass| {
            // SAFETY: all are live local references to classes.
            above.iter().any(|above| unsafe { self.jni.is_assignable_from(class, *above) })
        };
        let wanted: Vec<jni::jclass> = classes.iter().copied().filter(|class| is_below(*class)).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let can_tag = tools.add_capabilities_with(|capabilities| capabilities.set_can_tag_objects(true));
        can_tag.map_err(|code| refused("mark objects", code))?;
        tag(tools, &wanted, WANTED)?;
        let callbacks = jvmti::jvmtiHeapCallbacks { heap_reference_callback: Some(mark), ..Default::default() };
        // SAFETY: `callbacks` lives until the walk is over, which is when this returns; null stands for all classes and for the
        // roots of the heap.
        let walked = unsafe {
            let (class, start) = (ptr::null_mut(), ptr::null_mut());
            tools.follow_references(jvmti::JVMTI_HEAP_FILTER_CLASS_UNTAGGED, class, start, &callbacks, ptr::null())
        };
        tag(tools, &wanted, 0)?;
        walked.map_err(|code| refused("walk the heap", code))?;
        let (mut objects, _tags) = tools.get_objects_with_tags(&[FOUND]).map_err(|code| refused("find objects", code))?;
        tag(tools, &objects, 0)?;
        objects.truncate(MOST_OBJECTS);
        Ok(objects)
    }

    /// What the runtime class makes of objects of frameworks and of classes of the service.
    fn tell(&self, holders: &[jni::jobject], classes: &[jni::jclass]) -> Result<Vec<u16>, CellsError> {
        let missing = |what: &str| CellsError(format!("the runtime class of routes has no {what}"));
        let reader = self.jni.find_class(ROUTES_CLASS).filter(|_| !pending(&self.jni)).ok_or_else(|| missing("class"))?;
        // SAFETY: `reader` is a live local reference to a class.
        let tell = unsafe {
            self.jni.get_static_method_id(reader, "tell", "([Ljava/lang/Object;[Ljava/lang/Class;)Ljava/lang/String;")
        };
        let tell = tell.filter(|_| !pending(&self.jni)).ok_or_else(|| missing("method"))?;
        let arguments = [self.array("java/lang/Object", holders)?, self.array("java/lang/Class", classes)?];
        // SAFETY: `tell` is a static method of `reader` that takes these two arrays.
        let told = unsafe { self.jni.call_static_object_method(reader, tell, &arguments.map(|l| jni::jvalue { l })) };
        Ok(self.units(told, jni::jsize::MAX))
    }

    fn array(&self, element: &str, objects: &[jni::jobject]) -> Result<jni::jobjectArray, CellsError> {
        let failed = || CellsError("no array of objects".to_owned());
        let class = self.jni.find_class(element).ok_or_else(failed)?;
        let length = jni::jsize::try_from(objects.len()).map_err(|_| failed())?;
        // SAFETY: `class` is a live local reference to a class; null is an object of every class.
        let array = unsafe { self.jni.new_object_array(length, class, ptr::null_mut()) }.ok_or_else(failed)?;
        for (idx, object) in (0..length).zip(objects) {
            // SAFETY: the array has `length` places for objects of a class that `object` is of.
            unsafe { self.jni.set_object_array_element(array, idx, *object) };
        }
        Ok(array)
    }
}

fn tag(tools: &Jvmti, objects: &[jni::jobject], tag: jni::jlong) -> Result<(), CellsError> {
    for object in objects {
        // SAFETY: `object` is a live local reference of this thread.
        unsafe { tools.set_tag(*object, tag) }.map_err(|code| refused("mark objects", code))?;
    }
    Ok(())
}

fn refused(what: &str, code: jvmti::jvmtiError) -> CellsError {
    CellsError(format!("the JVM refused to {what} ({code:?})"))
}
