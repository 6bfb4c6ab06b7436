//! The protocol between restive and a *driver*, the part of restive that runs inside the service under test.
//!
//! One side asks, the other answers: each [`Request`] of the core has exactly one [`Reply`], in order, and several
//! requests may be on their way at once.
//! `SPEC.md` beside this crate says the same without Rust and suffices to write a driver in another language.
//!
//! Reading order: [`message`] (what is said), [`codec`] (how one message becomes bytes), [`frame`] (how messages are told
//! apart in a stream), [`connect`] (who calls whom, and the hello), [`connection`] (the core's side),
//! [`serve`](mod@serve) (the driver's side). [`fake`] is a driver that follows a script, for tests of the core.
//!
//! This crate knows neither what a target means to the search nor how a probe measures it.
//!
//! ```
//! use std::time::Duration;
//!
//! use restive_driver_protocol::fake::{FakeDriver, Script};
//! use restive_driver_protocol::{DriverListener, Report, StartAction, StartTest, TestNumber, Token, closeness};
//!
//! let listener = DriverListener::bind(Token::new("secret"))?;
//! let script = Script::default().action(&[("branch:com.acme.Foo:42:0:then", 0.5)]);
//! let driver = FakeDriver::connect(listener.address(), Token::new("secret"), script);
//!
//! let mut connection = listener.next(Duration::from_secs(5))?.expect("the driver connects");
//! connection.start_test(StartTest { number: TestNumber(1), report: Report::Uncovered })?;
//! connection.start_action(StartAction { index: 0, track: Vec::new() })?;
//! // Here goes the call to the service.
//! let feedback = connection.end_action()?;
//! assert_eq!(feedback.names.texts, ["branch:com.acme.Foo:42:0:then"]);
//! assert!((closeness(feedback.changed[0].cell) - 0.5).abs() < 1e-6);
//! connection.shutdown()?;
//! driver.join()?;
//! # Ok::<(), restive_driver_protocol::Error>(())
//! ```

pub mod cell;
pub mod codec;
pub mod connect;
pub mod connection;
mod error;
pub mod fake;
pub mod frame;
pub mod message;
pub mod serve;
pub mod version;

pub use cell::{COVERED, UNREACHED, cell_of_closeness, closeness};
pub use connect::{DriverListener, Token};
pub use connection::{DriverConnection, Limits};
pub use error::{Error, ErrorCode};
pub use message::{
    Change, CoreHello, DatabaseStatement, DriverHello, Expansion, Feedback, Group, Hint, Names, Origin, Raised, Refusal, Reply,
    Report, Request, Route, Routes, SkippedUnit, StartAction, StartTest, TestNumber, Unit, Units, UnitsFrom,
};
pub use serve::{Answer, Handler};
pub use version::Version;
