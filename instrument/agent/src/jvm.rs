//! The only module that touches the JVM, and the only `unsafe`: events in, the fields of the runtime class out.
//!
//! No early class hook, which would switch class data sharing off, and no retransformation, so that this agent's changes
//! come first and once whatever other agents do.

mod heap;
mod inputs;
mod loaders;
mod machine;
mod members;
mod routes;
mod survey;
mod threads;
mod thrown;
mod tracked;

use std::sync::{Arc, OnceLock};

use jvmti_bindings::prelude::{
    Agent, AgentLoadContext, CallbackContext, ClassEvent, ClassFileLoadHookEvent, Jvmti, ThreadEvent, jni, jvmti,
};
use restive_rewrite::runtime;

pub(crate) use heap::{Field, Heap, VirtualMachine};
pub(crate) use machine::Machine;
pub(crate) use thrown::{SLOTS, Stack, Thrown};

use crate::classes::{Classes, RUNTIME_PREFIX};
use crate::options::Options;
use crate::service;
use loaders::Loaders;

/// The agent of this process.
#[derive(Default)]
struct RestiveAgent {
    started: OnceLock<Started>,
    /// Set when the runtime class is there: from then on classes get probes.
    classes: OnceLock<(Arc<Classes>, Loaders)>,
}

/// What is known since the agent was loaded.
struct Started {
    options: Options,
    machine: Machine,
}

jvmti_bindings::export_agent!(RestiveAgent);

/// The capability and the first event, the start of the JVM; others follow when they are wanted.
fn subscribe(jvmti: &Jvmti) -> Result<(), jvmti::jvmtiError> {
    jvmti.add_capabilities_with(|capabilities| capabilities.set_can_generate_all_class_hook_events(true))?;
    jvmti.set_default_agent_callbacks()?;
    jvmti.enable_events_global(&[jvmti::JVMTI_EVENT_VM_INIT])
}

impl RestiveAgent {
    fn load(&self, context: &AgentLoadContext<'_>) -> Result<(), String> {
        let text = context.options_str().map_err(|error| error.to_string())?.unwrap_or_default();
        let options = Options::parse(&text).map_err(|error| error.to_string())?;
        let jvmti = context.vm().jvmti().map_err(|code| format!("this JVM has no tool interface (code {code})"))?;
        let property = |name: &str| jvmti.get_system_property(name).unwrap_or_default();
        let machine = Machine::new(property).inspect_err(|reason| service::refuse(&options, reason));
        // Told already.
        let Ok(machine) = machine else { return Ok(()) };
        if let Err(code) = subscribe(&jvmti) {
            service::refuse(&options, &format!("this JVM gives no class files to agents ({code:?})"));
            return Ok(());
        }
        // An agent is loaded once; a second `-agentpath` of the same library is left out.
        let _first = self.started.set(Started { options, machine });
        Ok(())
    }

    fn init(&self, context: &CallbackContext<'_>) -> Result<(), String> {
        let Some(started) = self.started.get() else { return Ok(()) };
        let jni = context.jni().ok_or("no JNI environment at the start of the JVM")?;
        let runtime_classes = runtime::classes(RUNTIME_PREFIX, started.options.targets);
        let vm = VirtualMachine::define(jni, context.jvmti().raw(), &runtime_classes)?;
        let options = &started.options;
        let classes = Classes::new(options.selection.clone(), options.targets, options.replacements.clone());
        let classes = classes.with_connections(options.connections).with_tracking(options.tracking);
        let classes = classes.with_expansions(options.expansions);
        let classes = Arc::new(classes);
        let hook = context.jvmti().enable_class_file_load_hook_events();
        hook.map_err(|code| format!("this JVM gives no class files to agents ({code:?})"))?;
        let _first = self.classes.set((Arc::clone(&classes), vm.loaders()));
        service::start(started.options.clone(), started.machine.clone(), classes, &vm)
            .map_err(|error| format!("cannot start a thread: {error}"))
    }
}

impl Agent for RestiveAgent {
    /// Always lets the JVM start: a service without probes is better than none.
    fn on_load(&self, context: AgentLoadContext<'_>) -> jni::jint {
        if let Err(error) = self.load(&context) {
            service::complain(&format!("{error}; the service runs without it"));
        }
        jni::JNI_OK
    }

    fn on_attach(&self, _context: AgentLoadContext<'_>) -> jni::jint {
        service::complain("it must be there from the start of the JVM: use -agentpath");
        jni::JNI_ERR
    }

    fn vm_init(&self, context: CallbackContext<'_>, _event: ThreadEvent) {
        if let Err(error) = self.init(&context) {
            let Some(started) = self.started.get() else { return };
            service::refuse(&started.options, &error);
        }
    }

    fn class_file_load_hook<'a>(&self, context: CallbackContext<'a>, mut event: ClassFileLoadHookEvent<'a>) {
        let (Some((classes, loaders)), Some(jni)) = (self.classes.get(), context.jni()) else { return };
        let Ok(Some(name)) = event.name_str() else { return };
        let loader = loaders.which(jni, event.loader());
        let Some(bytes) = classes.loaded(&name, loader, event.class_data()) else { return };
        if let Err(code) = event.set_transformed_class(&context, &bytes) {
            classes.skipped(&name, format!("the JVM refused the class file ({code:?})"));
        }
    }

    fn class_load(&self, context: CallbackContext<'_>, event: ClassEvent) {
        let (Some((classes, loaders)), Some(jni)) = (self.classes.get(), context.jni()) else { return };
        survey::tell(context.jvmti(), jni, *loaders, event.class(), |name, loader| classes.found(name, loader));
    }

    fn callback_panicked(&self, event: &'static str) {
        if let Some((classes, _)) = self.classes.get() {
            classes.skipped(event, "the agent failed on a class; please report it");
        }
    }
}
