//! The thread that serves the driver protocol.

use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use restive_driver_protocol::codec::append_refusal;
use restive_driver_protocol::message::capability;
use restive_driver_protocol::{DriverHello, Error, ErrorCode, Refusal};
use restive_runtime::{Runtime, serve};

use crate::cells::JvmCells;
use crate::classes::Classes;
use crate::jvm::{Machine, VirtualMachine};
use crate::options::{Expansions, Options, Peer, Tracking};

/// How often and after what pause a core that does not answer is called again.
const CALLS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(500);

/// Name and release, for messages.
const DRIVER: &str = concat!("restive-agent ", env!("CARGO_PKG_VERSION"));

/// Starts the thread. What fails later is told on standard error; the service goes on.
pub(crate) fn start(options: Options, machine: Machine, classes: Arc<Classes>, vm: &VirtualMachine) -> std::io::Result<()> {
    let vm = *vm;
    let thread = thread::Builder::new().name("restive-agent".to_owned());
    thread.spawn(move || {
        // A panic ends this thread and nothing else.
        let served = vm.attached(|heap| {
            let cells = JvmCells::new(heap, Arc::clone(&classes));
            let mut runtime = Runtime::new(cells, Arc::clone(&classes), Arc::clone(classes.inventory()));
            serve(&options, &machine, &classes, &mut runtime).map_err(|error| error.to_string())
        });
        if let Err(error) = served.and_then(|served| served) {
            complain(&error);
        }
    })?;
    Ok(())
}

/// Tells people about a failure, never on the service's standard output.
pub(crate) fn complain(text: &str) {
    // A closed standard error is no reason to fail.
    let _unwritten = std::io::Write::write_all(&mut std::io::stderr(), format!("restive-agent: {text}\n").as_bytes());
}

/// Tells the core why it gets no driver from this process.
pub(crate) fn refuse(options: &Options, text: &str) {
    complain(text);
    if let Peer::Core(address) = &options.peer {
        let mut out = Vec::new();
        append_refusal(&mut out, &Refusal { code: ErrorCode::FAILED.0, text: text.to_owned() });
        // The core finds out by itself that nobody called.
        let _untold = TcpStream::connect(address).and_then(|mut core| std::io::Write::write_all(&mut core, &out));
    }
}

fn serve(
    options: &Options,
    machine: &Machine,
    classes: &Classes,
    runtime: &mut Runtime<JvmCells, Classes>,
) -> Result<(), Error> {
    let hello = || hello(options, machine, classes);
    match &options.peer {
        Peer::Core(address) => call(address, &hello, runtime),
        Peer::Listen(address) => {
            let listener = TcpListener::bind(address).map_err(|source| Error::Io { doing: "listen for the core", source })?;
            serve::listen(listener, hello, runtime, |error| complain(&error.to_string()))
        }
    }
}

fn call(address: &str, hello: &impl Fn() -> DriverHello, runtime: &mut Runtime<JvmCells, Classes>) -> Result<(), Error> {
    for left in (0..CALLS).rev() {
        match serve::connect(address, hello(), runtime) {
            Ok(_end) => break,
            // Only what may be otherwise next time is tried again.
            Err(Error::Io { .. } | Error::TimedOut { .. }) if left > 0 => thread::sleep(PAUSE),
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn hello(options: &Options, machine: &Machine, classes: &Classes) -> DriverHello {
    let mut capabilities = vec![
        capability::LINES,
        capability::BRANCHES,
        capability::LAST_STATEMENT,
        capability::KILL,
        capability::EXIT,
        capability::EXCEPTIONS,
        capability::ROUTES,
    ];
    if options.tracking != Tracking::Off {
        capabilities.push(capability::HINTS);
    }
    if options.expansions != Expansions::Off {
        capabilities.push(capability::EXPANSIONS);
    }
    DriverHello {
        token: options.token.clone(),
        language: "jvm".to_owned(),
        driver: DRIVER.to_owned(),
        runtime: machine.name.clone(),
        process: std::process::id(),
        command: machine.command.clone(),
        capabilities: capabilities.into_iter().map(str::to_owned).collect(),
        units: classes.inventory().measured(),
        include: options.selection.include.clone(),
    }
}
