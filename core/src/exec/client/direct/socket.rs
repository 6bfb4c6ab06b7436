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
    /// Whether something was read since something was written.
    has_begun: Cell<bool>,
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
        let (reading, patience) = (Cell::new(Reading::Off), Cell::new(Duration::ZERO));
        let (is_full, has_begun) = (Cell::new(false), Cell::new(false));
        let control = Rc::new(Control { stream, reading, patience, is_full, has_begun });
        Ok((Self { control: Rc::clone(&control), buffer: vec![0; PIECE].into() }, control))
    }
}

impl Control {
    /// Whether something was read since something was written.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun.get()
    }

    /// Makes the next reading take what is there.
    pub(super) fn look(&self) {
        self.reading.set(Reading::Look);
    }

    /// Makes the next reading wait up to `patience`, which is above zero; waits here while nothing can be written.
    ///
    /// Where a part of the answer is there, the service hears so at once. One that sends head and body apart, and has left
    /// Nagle's algorithm on, sends the body only then (RFC 896), and a receiver that has nothing to say waits 40 ms to say it
    /// (RFC 1122, 4.2.3.2): such a service would answer 24 times a second.
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
        if self.has_begun.get() {
            acknowledge(&self.stream);
        }
        // It is nearly always the same.
        if self.patience.replace(patience) != patience {
            self.stream.set_read_timeout(Some(patience))?;
        }
        self.reading.set(Reading::Wait);
        Ok(())
    }
}

/// Tells the other side what has arrived, where the system has a call for that.
#[cfg(target_os = "linux")]
fn acknowledge(stream: &TcpStream) {
    // Where it cannot be said now it is said later, as ever.
    let _late = rustix::net::sockopt::set_tcp_quickack(stream, true);
}

/// Tells the other side what has arrived, where the system has a call for that.
#[cfg(not(target_os = "linux"))]
fn acknowledge(_: &TcpStream) {}

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
                control.has_begun.set(n_bytes > 0);
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
            Ok(n_bytes) => {
                self.control.has_begun.set(false);
                Poll::Ready(Ok(n_bytes))
            }
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::task::Waker;

    use hyper::rt::ReadBuf;
    use rustix::net::sockopt::tcp_quickack;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(30);

    /// A socket and the service at its other end.
    fn pair() -> io::Result<(Socket, Rc<Control>, TcpStream)> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let stream = TcpStream::connect(listener.local_addr()?)?;
        let (socket, control) = Socket::new(stream)?;
        Ok((socket, control, listener.accept()?.0))
    }

    /// Writes to the service, which reads it.
    fn ask(socket: &mut Socket, service: &mut TcpStream) -> io::Result<()> {
        let written = Pin::new(socket).poll_write(&mut Context::from_waker(Waker::noop()), b"ask");
        assert!(matches!(written, Poll::Ready(Ok(3))), "{written:?}");
        service.read_exact(&mut [0; 3])
    }

    /// Waits for what the service has written, and reads it.
    fn take(socket: &mut Socket, control: &Control) -> io::Result<()> {
        control.wait(PATIENCE)?;
        let mut bytes = [0; 16];
        let mut into = ReadBuf::new(&mut bytes);
        let read = Pin::new(socket).poll_read(&mut Context::from_waker(Waker::noop()), into.unfilled());
        assert!(matches!(read, Poll::Ready(Ok(()))), "{read:?}");
        assert_eq!(into.filled(), b"part");
        Ok(())
    }

    #[test]
    fn who_sends_an_answer_in_parts_hears_at_once_that_the_first_one_arrived() -> io::Result<()> {
        let (mut socket, control, mut service) = pair()?;
        // As in each talk of questions and answers, what arrives is acknowledged with the next question after a while.
        for _ in 0..5 {
            ask(&mut socket, &mut service)?;
            service.write_all(b"part")?;
            take(&mut socket, &control)?;
        }
        ask(&mut socket, &mut service)?;
        service.write_all(b"part")?;
        take(&mut socket, &control)?;
        assert!(!tcp_quickack(&control.stream)?, "an answer in one part costs nothing");
        service.write_all(b"part")?;
        take(&mut socket, &control)?;
        assert!(tcp_quickack(&control.stream)?, "the service may wait for that");
        Ok(())
    }
}
