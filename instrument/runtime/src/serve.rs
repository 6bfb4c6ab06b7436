//! Connecting a runtime to cores, one at a time.

use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use restive_driver_protocol::codec::append_refusal;
use restive_driver_protocol::serve::{End, Patience, Session};
use restive_driver_protocol::{DriverHello, Error, ErrorCode, Refusal};

use crate::{Catalogue, Cells, Runtime};

/// Calls the core at `address` (`host:port`) and serves it until it is gone.
pub fn connect<C: Cells, N: Catalogue>(address: &str, hello: DriverHello, runtime: &mut Runtime<C, N>) -> Result<End, Error> {
    let session = Session::connect(address, hello, Patience::default())?;
    run(session, runtime)
}

fn run<C: Cells, N: Catalogue>(session: Session, runtime: &mut Runtime<C, N>) -> Result<End, Error> {
    runtime.begin_session();
    let ended = session.serve(runtime);
    runtime.end_session();
    ended
}

/// Serves cores that call, one after the other, for ever; a second one at the same time is told that it is too many.
///
/// `hello` is asked for each caller, and `failed` is told what went wrong with one.
///
/// # Errors
///
/// The listener is of no use any more.
pub fn listen<C: Cells, N: Catalogue>(
    listener: TcpListener,
    hello: impl Fn() -> DriverHello,
    runtime: &mut Runtime<C, N>,
    failed: impl Fn(&Error),
) -> Result<(), Error> {
    // A call is handed over only while somebody waits for it.
    let (hand_over, calls) = sync_channel::<TcpStream>(0);
    let door = thread::Builder::new().name("restive-door".to_owned()).spawn(move || {
        loop {
            match listener.accept().map(|(stream, _caller)| hand_over.try_send(stream)) {
                Ok(Ok(())) => {}
                Ok(Err(TrySendError::Full(stream))) => turn_away(stream),
                Ok(Err(TrySendError::Disconnected(_))) => return,
                // Out of file descriptors, or the caller is gone already.
                Err(_) => thread::sleep(Duration::from_millis(20)),
            }
        }
    });
    door.map_err(|source| Error::Io { doing: "wait for callers", source })?;
    while let Ok(stream) = calls.recv() {
        let session = Session::accept(stream, hello(), Patience::default());
        let ended = session.and_then(|session| run(session, runtime));
        if let Err(error) = ended {
            failed(&error);
        }
    }
    Err(Error::Closed)
}

fn turn_away(mut stream: TcpStream) {
    let mut out = Vec::new();
    append_refusal(&mut out, &Refusal { code: ErrorCode::BUSY.0, text: "another core is served".to_owned() });
    // The caller may be gone.
    let _unheard = std::io::Write::write_all(&mut stream, &out);
}
