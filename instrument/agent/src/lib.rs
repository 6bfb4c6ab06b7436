//! The native agent of a JVM: `java -agentpath:librestive_agent.so=connect=HOST:PORT,token=TEXT,include=com.acme.`
//!
//! At the start of the JVM it defines the Java classes that probes report to, in `java.lang`, and starts a thread that
//! serves the driver protocol. Every class of the service gets probes as it is loaded; what cannot get them stays as it was
//! and is counted. The agent writes nothing to the service's standard output, never lets a panic or an exception into the
//! service, and does nothing at all on a JVM it was not made for.
//!
//! Reading order: [`options`], [`selection`] (whose classes), [`classes`] (what happens when one is loaded), [`cells`] (how
//! probes are read, with [`merged`], [`raised`] and [`trace`]), [`service`] (the serving thread), [`jvm`] (the only module that touches the JVM, and the only `unsafe`).

mod cells;
mod classes;
#[expect(unsafe_code, reason = "JVMTI and JNI are C interfaces; all calls are here")]
mod jvm;
mod merged;
mod options;
mod others;
mod processor_time;
mod raised;
mod selection;
mod service;
mod told;
mod trace;
