//! A socket for the HTTP library that is read only when it is said to, and then by waiting in the system's own call.

use std::cell::Cell;
use std::io;
use std::net::TcpStream;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, recv, send};

/// Bytes read at once.
const PIECE: usize = 16 * 1024;
/// Time between two looks at a connection that neither reads nor writes.
const PAUSE: Duration = Duration::from_millis(1);

/// What the HTTP library reads and writes.
#[derive(Debug)]
pub(super) struct Socket {
    control: Rc<Control>,
    buffer: Box<[u8]>,
}

/// Says what the next reading of a [`Socket`] does.
#[derive(Debug)]
pub(super) struct Control {
    stream: TcpStream,
    reading: Cell<Reading>,
    /// How long a reading that waits does so.
    patience: Cell<Duration>,
    /// Whether the other side has to read before more can be written.
    is_full: Cell<bool>,
}

/// What a reading does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Nothing: there was nothing a moment ago.
    Off,
    /// Takes what is there.
    Look,
    /// Waits until something is there.
    Wait,
}

impl Socket {
    /// A socket that is not read.
    pub(super) fn new(stream: TcpStream) -> io::Result<(Self, Rc<Control>)> {
        stream.set_nodelay(true)?;
        let (reading, is_full) = (Cell::new(Reading::Off), Cell::new(false));
        let control = Rc::new(Control { stream, reading, patience: Cell::new(Duration::ZERO), is_full });
        Ok((Self { control: Rc::clone(&control), buffer: vec![0; PIECE].into() }, control))
    }
}

impl Control {
    /// Makes the next reading take what is there.
    pub(super) fn look(&self) {
        self.reading.set(Reading::Look);
    }

    /// Makes the next reading wait up to `patience`, which is above zero; waits here while nothing can be written.
    pub(super) fn wait(&self, patience: Duration) -> io::Result<()> {
        if self.reading.get() != Reading::Off {
            // The HTTP library did not read when it could have; whatever it waits for, it is not to keep a processor busy.
            thread::sleep(patience.min(PAUSE));
        }
        if self.is_full.take() {
            let mut sockets = [PollFd::new(&self.stream, PollFlags::IN | PollFlags::OUT)];
            // An interrupted wait is followed by the next one.
            let _ready = poll(&mut sockets, Timespec::try_from(patience).ok().as_ref());
            self.look();
            return Ok(());
        }
        // It is nearly always the same.
        if self.patience.replace(patience) != patience {
            self.stream.set_read_timeout(Some(patience))?;
        }
        self.reading.set(Reading::Wait);
        Ok(())
    }
}

impl Read for Socket {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, mut into: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        let flags = match self.control.reading.replace(Reading::Off) {
            Reading::Off => return Poll::Pending,
            Reading::Look => RecvFlags::DONTWAIT,
            Reading::Wait => RecvFlags::empty(),
        };
        let Self { control, buffer } = &mut *self;
        let room = into.remaining().min(buffer.len());
        match recv(&control.stream, &mut buffer[..room], flags) {
            Ok((_, n_bytes)) => {
                into.put_slice(&buffer[..n_bytes]);
                Poll::Ready(Ok(()))
            }
            Err(Errno::AGAIN | Errno::INTR) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }
}

impl Write for Socket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match send(&self.control.stream, bytes, SendFlags::DONTWAIT) {
            Ok(n_bytes) => Poll::Ready(Ok(n_bytes)),
            Err(Errno::INTR) => {
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Err(Errno::AGAIN) => {
                self.control.is_full.set(true);
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error.into())),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The connection is dropped next, which closes it.
        Poll::Ready(Ok(()))
    }
}
