//! One message to bytes and back.
//!
//! Structured messages are postcard; the cells of a feedback are a plain block of integers ahead of it, and a hello has
//! magic and version ahead of it, so that both can be read without knowing the rest.
//! Bytes after the last known field are ignored: a peer of a later minor version may have written them.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::frame::{self, Frame};
use crate::message::{Change, Feedback, Refusal, Reply, Request, Routes, Units};
use crate::version::{MAGIC, VERSION, Version};

/// Operation bytes.
pub mod op {
    /// Hello of the core.
    pub const CORE_HELLO: u8 = 0x01;
    /// A test begins.
    pub const START_TEST: u8 = 0x02;
    /// An action begins.
    pub const START_ACTION: u8 = 0x03;
    /// An action ends.
    pub const END_ACTION: u8 = 0x04;
    /// Forget what was reached.
    pub const RESET: u8 = 0x05;
    /// What is measured.
    pub const UNITS: u8 = 0x06;
    /// End the action's work.
    pub const KILL: u8 = 0x07;
    /// End the connection.
    pub const SHUTDOWN: u8 = 0x08;
    /// What frameworks have registered.
    pub const ROUTES: u8 = 0x09;
    /// Hello of the driver.
    pub const DRIVER_HELLO: u8 = 0x81;
    /// Carried out.
    pub const DONE: u8 = 0x82;
    /// What was reached.
    pub const FEEDBACK: u8 = 0x83;
    /// What is measured.
    pub const UNITS_REPLY: u8 = 0x84;
    /// What frameworks have registered.
    pub const ROUTES_REPLY: u8 = 0x85;
    /// First of the operations a driver may send at any time and the core ignores when it does not know them.
    pub const FIRST_NOTICE: u8 = 0xc0;
    /// Last of those.
    pub const LAST_NOTICE: u8 = 0xdf;
    /// Not carried out.
    pub const REFUSED: u8 = 0xff;
}

fn append_postcard<T: Serialize>(out: &mut Vec<u8>, message: &T) {
    let bytes = std::mem::take(out);
    *out = postcard::to_extend(message, bytes).expect("writing to memory succeeds, and all lengths are known");
}

fn append_hello<T: Serialize>(out: &mut Vec<u8>, message: &T) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.major.to_le_bytes());
    out.extend_from_slice(&VERSION.minor.to_le_bytes());
    append_postcard(out, message);
}

fn append_feedback(out: &mut Vec<u8>, feedback: &Feedback) {
    let count = u32::try_from(feedback.changed.len()).expect("ids have 32 bits and occur once");
    out.extend_from_slice(&count.to_le_bytes());
    for Change { id, cell } in &feedback.changed {
        out.extend_from_slice(&id.to_le_bytes());
        out.extend_from_slice(&cell.to_le_bytes());
    }
    append_postcard(out, feedback);
}

/// Appends a request as a frame.
pub fn append_request(out: &mut Vec<u8>, request: &Request) {
    match request {
        Request::Hello(hello) => frame::append(out, op::CORE_HELLO, |out| append_hello(out, hello)),
        Request::StartTest(test) => frame::append(out, op::START_TEST, |out| append_postcard(out, test)),
        Request::StartAction(action) => frame::append(out, op::START_ACTION, |out| append_postcard(out, action)),
        Request::EndAction => frame::append(out, op::END_ACTION, |_| ()),
        Request::Reset => frame::append(out, op::RESET, |_| ()),
        Request::Units(from) => frame::append(out, op::UNITS, |out| append_postcard(out, from)),
        Request::Routes => frame::append(out, op::ROUTES, |_| ()),
        Request::Kill => frame::append(out, op::KILL, |_| ()),
        Request::Shutdown => frame::append(out, op::SHUTDOWN, |_| ()),
    }
}

/// Appends a reply as a frame.
pub fn append_reply(out: &mut Vec<u8>, reply: &Reply) {
    match reply {
        Reply::Hello(hello) => frame::append(out, op::DRIVER_HELLO, |out| append_hello(out, hello)),
        Reply::Done => append_done(out),
        Reply::Feedback(feedback) => append_feedback_frame(out, feedback),
        Reply::Units(units) => frame::append(out, op::UNITS_REPLY, |out| append_units(out, units)),
        Reply::Routes(routes) => frame::append(out, op::ROUTES_REPLY, |out| append_routes(out, routes)),
        Reply::Refused(refusal) => append_refusal(out, refusal),
    }
}

/// Appends [`Reply::Feedback`] without owning it.
pub fn append_feedback_frame(out: &mut Vec<u8>, feedback: &Feedback) {
    frame::append(out, op::FEEDBACK, |out| append_feedback(out, feedback));
}

/// Appends [`Reply::Done`].
pub fn append_done(out: &mut Vec<u8>) {
    frame::append(out, op::DONE, |_| ());
}

/// Appends [`Reply::Refused`], which either side may send.
pub fn append_refusal(out: &mut Vec<u8>, refusal: &Refusal) {
    frame::append(out, op::REFUSED, |out| append_postcard(out, refusal));
}

/// The fields of the first version, then those that came later.
fn append_units(out: &mut Vec<u8>, units: &Units) {
    append_postcard(out, units);
    append_postcard(out, &units.untracked);
}

fn read_units(op: u8, payload: &[u8]) -> Result<Units, Error> {
    let (mut units, later) = take_postcard::<Units>(op, payload)?;
    if !later.is_empty() {
        units.untracked = read_postcard(op, later)?;
    }
    Ok(units)
}

/// The fields of the version that brought the message, then those that came later.
fn append_routes(out: &mut Vec<u8>, routes: &Routes) {
    append_postcard(out, routes);
    append_postcard(out, &(&routes.bases, &routes.lazy));
    append_postcard(out, &routes.others);
}

fn read_routes(op: u8, payload: &[u8]) -> Result<Routes, Error> {
    let (mut routes, later) = take_postcard::<Routes>(op, payload)?;
    if !later.is_empty() {
        let ((bases, lazy), later) = take_postcard(op, later)?;
        (routes.bases, routes.lazy) = (bases, lazy);
        if !later.is_empty() {
            routes.others = read_postcard(op, later)?;
        }
    }
    Ok(routes)
}

fn read_postcard<'a, T: Deserialize<'a>>(op: u8, payload: &'a [u8]) -> Result<T, Error> {
    take_postcard(op, payload).map(|(message, _later_fields)| message)
}

/// The message, and the bytes behind its fields.
fn take_postcard<'a, T: Deserialize<'a>>(op: u8, payload: &'a [u8]) -> Result<(T, &'a [u8]), Error> {
    postcard::take_from_bytes(payload).map_err(|error| Error::Malformed { op, reason: error.to_string() })
}

/// Checks magic and version, and gives the version and what follows.
fn read_hello<'a, T: Deserialize<'a>>(op: u8, payload: &'a [u8]) -> Result<T, Error> {
    let Some((magic, rest)) = payload.split_first_chunk::<4>() else { return Err(Error::NotTheProtocol) };
    let Some((&[a, b, c, d], rest)) = rest.split_first_chunk::<4>() else { return Err(Error::NotTheProtocol) };
    if *magic != MAGIC {
        return Err(Error::NotTheProtocol);
    }
    let theirs = Version { major: u16::from_le_bytes([a, b]), minor: u16::from_le_bytes([c, d]) };
    if !VERSION.understands(theirs) {
        return Err(Error::Version { theirs, ours: VERSION });
    }
    read_postcard(op, rest)
}

fn read_feedback(op: u8, payload: &[u8]) -> Result<Feedback, Error> {
    let malformed = |reason: &str| Error::Malformed { op, reason: reason.to_owned() };
    let (&count, rest) = payload.split_first_chunk::<4>().ok_or_else(|| malformed("no count of changed targets"))?;
    let bytes = usize::try_from(u32::from_le_bytes(count)).ok().and_then(|count| count.checked_mul(8));
    let bytes = bytes.filter(|&bytes| bytes <= rest.len()).ok_or_else(|| malformed("more changed targets than bytes"))?;
    let (cells, rest) = rest.split_at(bytes);
    let mut feedback: Feedback = read_postcard(op, rest)?;
    let (cells, _) = cells.as_chunks::<8>();
    let change = |&[a, b, c, d, e, f, g, h]: &[u8; 8]| Change {
        id: u32::from_le_bytes([a, b, c, d]),
        cell: i32::from_le_bytes([e, f, g, h]),
    };
    feedback.changed = cells.iter().map(change).collect();
    Ok(feedback)
}

/// Reads a request from its frame.
pub fn read_request(frame: Frame<'_>) -> Result<Request, Error> {
    let Frame { op, payload } = frame;
    Ok(match op {
        op::CORE_HELLO => Request::Hello(read_hello(op, payload)?),
        op::START_TEST => Request::StartTest(read_postcard(op, payload)?),
        op::START_ACTION => Request::StartAction(read_postcard(op, payload)?),
        op::END_ACTION => Request::EndAction,
        op::RESET => Request::Reset,
        op::UNITS => Request::Units(read_postcard(op, payload)?),
        op::ROUTES => Request::Routes,
        op::KILL => Request::Kill,
        op::SHUTDOWN => Request::Shutdown,
        op::REFUSED => return Err(read_postcard::<Refusal>(op, payload)?.into()),
        _ => return Err(Error::UnknownOperation { op }),
    })
}

/// Reads a reply from its frame.
pub fn read_reply(frame: Frame<'_>) -> Result<Reply, Error> {
    let Frame { op, payload } = frame;
    Ok(match op {
        op::DRIVER_HELLO => Reply::Hello(read_hello(op, payload)?),
        op::DONE => Reply::Done,
        op::FEEDBACK => Reply::Feedback(Box::new(read_feedback(op, payload)?)),
        op::UNITS_REPLY => Reply::Units(read_units(op, payload)?),
        op::ROUTES_REPLY => Reply::Routes(read_routes(op, payload)?),
        op::REFUSED => Reply::Refused(read_postcard(op, payload)?),
        _ => return Err(Error::UnknownOperation { op }),
    })
}

#[cfg(test)]
mod tests;
