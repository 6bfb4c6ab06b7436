//! Core and driver in one process, over real sockets.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use restive_driver_protocol::fake::{FakeDriver, Fault, Moment, Reached, Script, hello};
use restive_driver_protocol::serve::{Patience, Session};
use restive_driver_protocol::{
    DriverConnection, DriverListener, Error, ErrorCode, Limits, Origin, Reply, Report, Request, StartAction, StartTest,
    TestNumber, Token, UnitsFrom, closeness,
};

const SOON: Duration = Duration::from_secs(5);

fn token() -> Token {
    Token::new("0123456789abcdef")
}

fn start(number: u64, report: Report) -> StartTest {
    StartTest { number: TestNumber(number), report }
}

fn action(index: u32) -> StartAction {
    StartAction { index, track: Vec::new() }
}

fn connected(script: Script) -> (DriverConnection, FakeDriver) {
    let listener = DriverListener::bind(token()).expect("binds");
    let driver = FakeDriver::connect(listener.address(), token(), script);
    (listener.next(SOON).expect("says hello").expect("connects"), driver)
}

#[test]
fn boot_is_told_apart_and_only_what_comes_nearer_travels() {
    let script = Script::default()
        .boot(&[("line:A:1", 1.0), ("branch:A:1:0:then", 0.2)])
        .action(&[("line:A:1", 1.0), ("branch:A:1:0:then", 0.5)])
        .action(&[("branch:A:1:0:then", 0.3), ("line:A:2", 1.0)])
        .action(&[("branch:A:1:0:then", 0.3)]);
    let (mut driver, fake) = connected(script);
    let boot = driver.start_test(start(1, Report::Uncovered)).expect("starts");
    assert_eq!((boot.origin, boot.names.texts.len(), boot.changed.len()), (Origin::Boot, 2, 2));

    driver.start_action(action(0)).expect("starts");
    let first = driver.end_and_start_action(action(1)).expect("ends and starts");
    assert_eq!((first.origin, first.names.texts.len()), (Origin::Action, 0), "names travel once");
    assert_eq!(first.changed.iter().map(|change| change.id).collect::<Vec<_>>(), [1], "the line was covered at boot");
    assert!((closeness(first.changed[0].cell) - 0.5).abs() < 1e-6);

    let second = driver.end_action().expect("ends");
    assert_eq!((second.action, second.names.first, second.names.texts.as_slice()), (1, 2, ["line:A:2".to_owned()].as_slice()));
    assert_eq!(second.changed.iter().map(|change| change.id).collect::<Vec<_>>(), [2], "0.3 is not nearer than 0.5");

    let between = driver.start_test(start(2, Report::Uncovered)).expect("starts");
    assert_eq!((between.origin, between.changed.len()), (Origin::Between, 0));
    driver.start_action(action(0)).expect("starts");
    assert_eq!(driver.end_action().expect("ends").changed.len(), 1, "a new test begins anew");
    driver.shutdown().expect("shuts down");
    assert_eq!(fake.join().expect("ends well").len(), 9, "one request per step");
}

#[test]
fn driver_that_listens_is_called_by_the_core() {
    let script = Script::answering(|moment: &Moment| Reached::targets(&[("line:A:1", 1.0 / f64::from(moment.index + 1))]));
    let (address, fake) = FakeDriver::listen(token(), script).expect("listens");
    let mut driver = DriverConnection::call(&address.to_string(), &token(), Limits::default()).expect("connects");
    assert_eq!(driver.hello().language, "jvm");
    driver.start_test(start(1, Report::All)).expect("starts");
    driver.start_action(action(0)).expect("starts");
    assert_eq!(driver.end_action().expect("ends").changed.len(), 1);
    assert_eq!(driver.units(UnitsFrom { known: 0, limit: 9 }).expect("units").units.len(), 1);
    drop(driver);
    fake.join().expect("a core that is gone is no failure of the driver");
}

#[test]
fn several_drivers_connect_and_each_is_kept() {
    let listener = DriverListener::bind(token()).expect("binds");
    let drivers: Vec<_> =
        (0..3).map(|_| FakeDriver::connect(listener.address(), token(), Script::default().units(Vec::new()))).collect();
    let mut connections: Vec<_> = (0..3).map(|_| listener.next(SOON).expect("hello").expect("connects")).collect();
    for connection in &mut connections {
        assert_eq!(connection.units(UnitsFrom { known: 0, limit: 0 }).expect("units").measured, 0);
    }
    drop(connections);
    for driver in drivers {
        driver.join().expect("ends well");
    }
}

#[test]
fn wrong_token_is_turned_away_and_the_door_stays_open() {
    let listener = DriverListener::bind(token()).expect("binds");
    let stranger = FakeDriver::connect(listener.address(), Token::new("guess"), Script::default());
    assert!(matches!(listener.next(SOON), Err(Error::WrongToken)));
    assert!(matches!(stranger.join(), Err(Error::Refused { code: ErrorCode::TOKEN, .. })));
    let _driver = FakeDriver::connect(listener.address(), token(), Script::default());
    assert!(listener.next(SOON).expect("hello").is_some());

    let (address, fake) = FakeDriver::listen(token(), Script::default()).expect("listens");
    let error = DriverConnection::call(&address.to_string(), &Token::new("guess"), Limits::default()).expect_err("wrong token");
    assert!(matches!(error, Error::Refused { code: ErrorCode::TOKEN, .. }), "{error}");
    assert!(matches!(fake.join(), Err(Error::WrongToken)));
}

#[test]
fn core_without_the_token_is_no_core() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    let address = listener.local_addr().expect("bound").to_string();
    let other = thread::spawn(move || {
        let (stream, _) = listener.accept().expect("accepts");
        // Whoever took the core's port knows only its own token.
        DriverConnection::accept(stream, &Token::new("other"), Limits::default()).map(drop)
    });
    assert!(matches!(Session::connect(&address, hello(&token()), Patience::default()), Err(Error::Refused { .. })));
    assert!(matches!(other.join().expect("no panic"), Err(Error::WrongToken)));
}

#[test]
fn callers_that_speak_something_else_are_told_so_and_silent_ones_keep_no_one_waiting() {
    let limits = Limits { hello: Duration::from_secs(2), ..Limits::default() };
    let listener = DriverListener::bind_to("127.0.0.1:0".parse().expect("address"), token(), limits).expect("binds");
    let _silent = TcpStream::connect(listener.address()).expect("connects");
    let mut browser = TcpStream::connect(listener.address()).expect("connects");
    browser.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("writes");
    // `GET ` is the length of a frame of half a gigabyte.
    assert!(matches!(listener.next(SOON), Err(Error::BadLength { .. })));
    let mut answer = Vec::new();
    browser.read_to_end(&mut answer).expect("reads");
    assert_eq!(answer[4], 0xff, "a refusal");
    let started = Instant::now();
    let _driver = FakeDriver::connect(listener.address(), token(), Script::default());
    assert!(listener.next(SOON).expect("hello").is_some());
    assert!(started.elapsed() < Duration::from_secs(1));
    assert!(matches!(listener.next(SOON), Err(Error::TimedOut { .. })), "the silent one");
}

#[test]
fn refused_request_leaves_the_connection_usable() {
    let (mut driver, _fake) = connected(Script::default());
    let error = driver.end_action().expect_err("nothing to end");
    assert!(matches!(error, Error::Refused { code: ErrorCode::NOT_NOW, .. }), "{error}");
    let replies = driver.exchange(&[Request::EndAction, Request::Kill]).expect("exchanges");
    assert!(matches!(replies.as_slice(), [Reply::Refused(_), Reply::Done]));
    driver.shutdown().expect("shuts down");
}

#[test]
fn driver_that_dies_is_an_error_now_and_later() {
    let (mut driver, fake) = connected(Script::default().fault(2, Fault::Close));
    driver.start_test(start(1, Report::Uncovered)).expect("starts");
    driver.start_action(action(0)).expect("starts");
    assert!(driver.end_action().is_err());
    assert!(matches!(driver.end_action(), Err(Error::Closed)));
    assert!(fake.join().is_err());
}

#[test]
fn driver_that_falls_silent_is_a_time_out() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    let address = listener.local_addr().expect("bound").to_string();
    let silent = thread::spawn(move || {
        let session = Session::connect(&address, hello(&token()), Patience::default()).expect("says hello");
        thread::sleep(Duration::from_millis(600));
        drop(session);
    });
    let (stream, _) = listener.accept().expect("accepts");
    let limits = Limits { reply: Duration::from_millis(200), ..Limits::default() };
    let mut driver = DriverConnection::accept(stream, &token(), limits).expect("hello");
    assert!(matches!(driver.kill(), Err(Error::TimedOut { .. })));
    assert!(matches!(driver.kill(), Err(Error::Closed)), "a late answer must not be taken for another");
    silent.join().expect("no panic");
}

#[test]
fn driver_survives_nonsense_and_says_so() {
    let (address, fake) = FakeDriver::listen(token(), Script::default()).expect("listens");
    let mut stream = TcpStream::connect(address).expect("connects");
    let mut bytes = Vec::new();
    let core = restive_driver_protocol::CoreHello { token: token().text().to_owned(), core: "test".to_owned() };
    restive_driver_protocol::codec::append_request(&mut bytes, &Request::Hello(core));
    bytes.extend([1, 0, 0, 0, 0x70]);
    bytes.extend([1, 0, 0, 0, 0x07]);
    bytes.extend([2, 0, 0, 0, 0x02, 0xff]);
    stream.write_all(&bytes).expect("writes");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("the driver closes");
    let mut ops = Vec::new();
    while let Some(&length) = answer.first_chunk::<4>() {
        ops.push(answer[4]);
        answer.drain(..4 + u32::from_le_bytes(length) as usize);
    }
    assert_eq!(ops, [0x81, 0xff, 0x82, 0xff], "hello, unknown operation, done, malformed");
    assert!(matches!(fake.join(), Err(Error::Malformed { op: 0x02, .. })));
}
