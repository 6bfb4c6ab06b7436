//! A runtime on plain memory, asked by a core over real sockets.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use restive_driver_protocol::fake::hello;
use restive_driver_protocol::{
    COVERED, DriverConnection, DriverListener, Error, ErrorCode, Feedback, Limits, Origin, Report, StartAction, StartTest,
    TestNumber, Token, UnitsFrom,
};
use restive_runtime::memory::Memory;
use restive_runtime::{Inventory, MeasuredUnit, Runtime, serve};

fn token() -> Token {
    Token::new("0123456789abcdef")
}

fn test(number: u64, report: Report) -> StartTest {
    StartTest { number: TestNumber(number), report }
}

fn action(index: u32) -> StartAction {
    StartAction { index, track: Vec::new() }
}

fn ids(feedback: &Feedback) -> Vec<u32> {
    feedback.changed.iter().map(|change| change.id).collect()
}

fn connected(memory: &Memory, inventory: Inventory) -> (DriverConnection, JoinHandle<Result<(), Error>>) {
    let listener = DriverListener::bind(token()).expect("binds");
    let address = listener.address().to_string();
    let mut runtime = Runtime::new(memory.clone(), Arc::new(memory.clone()), Arc::new(inventory));
    let driver = thread::spawn(move || serve::connect(&address, hello(&token()), &mut runtime).map(drop));
    (listener.next(Duration::from_secs(5)).expect("hello").expect("connects"), driver)
}

#[test]
fn boot_actions_and_background_are_told_apart() {
    let memory = Memory::with_capacity(100);
    let (line, then, noise) = (memory.add("line:A:1"), memory.add("branch:A:1:0:then"), memory.add("line:Timer:1"));
    memory.line(line);
    let (mut core, driver) = connected(&memory, Inventory::default());

    let boot = core.start_test(test(1, Report::Uncovered)).expect("boot");
    assert_eq!((boot.origin, ids(&boot), boot.names.texts.len()), (Origin::Boot, vec![line], 3));

    core.start_action(action(0)).expect("starts");
    memory.raise(then, 1_000);
    let late = memory.add("line:A:2");
    memory.line(late);
    let first = core.end_and_start_action(action(1)).expect("ends");
    assert_eq!((ids(&first), first.last_statement), (vec![then, late], Some(late)));
    assert_eq!((first.names.first, first.names.texts.as_slice()), (3, ["line:A:2".to_owned()].as_slice()));
    memory.raise(then, 900);
    let second = core.end_action().expect("ends");
    assert_eq!((ids(&second), second.action, second.last_statement), (vec![], 1, None));

    for _ in 0..3 {
        memory.raise(noise, 5);
        let between = core.start_test(test(2, Report::Uncovered)).expect("between");
        assert_eq!((between.origin, ids(&between)), (Origin::Between, vec![noise]));
    }
    core.start_action(action(0)).expect("starts");
    memory.raise(noise, 7);
    memory.raise(then, 900);
    memory.line(line);
    let third = core.end_action().expect("ends");
    assert_eq!((ids(&third), third.background.clone()), (vec![then, noise], vec![noise]), "covered ones are not repeated");

    core.start_test(test(3, Report::All)).expect("starts");
    core.start_action(action(0)).expect("starts");
    memory.line(line);
    assert_eq!(ids(&core.end_action().expect("ends")), [line], "a complete test reports covered ones too");
    core.shutdown().expect("shuts down");
    driver.join().expect("no panic").expect("ends well");
}

#[test]
fn what_ends_late_is_told_of_the_next_action_that_comes_to_it() {
    let memory = Memory::with_capacity(100);
    let (line, then) = (memory.add("line:A:1"), memory.add("branch:A:1:0:then"));
    let (mut core, driver) = connected(&memory, Inventory::default());
    core.start_test(test(1, Report::Uncovered)).expect("boot");
    let mut told = Vec::new();
    for number in 2..6 {
        core.start_action(action(0)).expect("starts");
        core.end_action().expect("ends");
        memory.line(line);
        memory.raise(then, 8);
        assert_eq!(ids(&core.start_test(test(number, Report::Uncovered)).expect("between")).last(), Some(&then));
        core.start_action(action(0)).expect("starts");
        memory.raise(then, 7);
        if number == 3 {
            memory.line(line);
        }
        let feedback = core.end_action().expect("ends");
        told.push((ids(&feedback), feedback.background));
    }
    // An action has it after it was late twice; what comes nearer a third time while none runs is work of none.
    let own = |ids: &[u32]| (ids.to_vec(), vec![]);
    assert_eq!(told, [own(&[then]), own(&[line, then]), (vec![then], vec![then]), (vec![then], vec![then])]);
    core.shutdown().expect("shuts down");
    driver.join().expect("no panic").expect("ends well");
}

#[test]
fn hints_are_of_the_values_of_their_action_and_travel_once() {
    let memory = Memory::with_capacity(10);
    let (mut core, driver) = connected(&memory, Inventory::default());
    core.start_test(test(1, Report::Uncovered)).expect("starts");
    let mut hints = |index: u32, track: &str| {
        core.start_action(StartAction { index, track: vec![track.to_owned()] }).expect("starts");
        for value in ["apple", "pear"] {
            memory.meet(value, "equals", "plum");
        }
        let hints = core.end_action().expect("ends").hints;
        hints.into_iter().map(|hint| (hint.tracked, hint.usage, hint.operand)).collect::<Vec<_>>()
    };
    let told = |value: &str| vec![(value.to_owned(), "equals".to_owned(), "plum".to_owned())];
    assert_eq!(hints(0, "apple"), told("apple"));
    assert_eq!(hints(1, "apple"), []);
    assert_eq!(hints(2, "pear"), told("pear"));
    memory.meet("pear", "equals", "late");
    assert_eq!(hints(3, "quince"), []);
    core.shutdown().expect("shuts down");
    driver.join().expect("no panic").expect("ends well");
}

#[test]
fn requests_out_of_place_are_refused_and_the_session_goes_on() {
    let memory = Memory::with_capacity(1);
    let (mut core, driver) = connected(&memory, Inventory::default());
    assert!(matches!(core.end_action(), Err(Error::Refused { code: ErrorCode::NOT_NOW, .. })));
    core.kill().expect("kills");
    core.reset().expect("resets");
    assert!(memory.is_killing());
    drop(core);
    driver.join().expect("no panic").expect("ends well");
    assert!(!memory.is_killing(), "a core that is gone kills nothing");
}

#[test]
fn units_are_told_to_the_core() {
    let inventory = Inventory::default();
    let unit = MeasuredUnit { name: "com.acme.Foo".to_owned(), lines: 3, branches: 4, degraded: String::new() };
    inventory.add_measured(unit);
    inventory.add_foreign("org.library");
    let (mut core, _driver) = connected(&Memory::default(), inventory);
    let units = core.units(UnitsFrom { known: 0, limit: 10 }).expect("units");
    assert_eq!((units.measured, units.foreign, units.units[0].branches), (1, 1, 4));
}

#[test]
fn names_that_share_their_beginnings_are_told_at_once() {
    let memory = Memory::with_capacity(3_000);
    let long = "x".repeat(5_000);
    for number in 0..3_000 {
        memory.raise(memory.add(&format!("{long}:{number}")), COVERED);
    }
    let (mut core, _driver) = connected(&memory, Inventory::default());
    let boot = core.start_test(test(1, Report::All)).expect("boot");
    assert_eq!((boot.names.texts.len(), boot.changed.len()), (3_000, 3_000), "what booting reached is told as such");
}

#[test]
fn names_beyond_one_message_follow_with_their_cells() {
    let memory = Memory::with_capacity(3_000);
    let long = "x".repeat(6_000);
    for number in 0..3_000 {
        let id = memory.add(&format!("{number:04}{long}"));
        memory.raise(id, COVERED);
    }
    let (mut core, _driver) = connected(&memory, Inventory::default());
    let mut feedback = core.start_test(test(1, Report::All)).expect("boot");
    let (mut named, mut reached) = (0, 0);
    for round in 0..9 {
        assert_eq!(feedback.names.first, named);
        named += u32::try_from(feedback.names.texts.len()).expect("short");
        assert!(ids(&feedback).iter().all(|&id| id < named), "a cell never comes before its name");
        reached += feedback.changed.len();
        if named == 3_000 {
            assert!(round > 1);
            assert_eq!(reached, 3_000, "none is lost while it waits for its name");
            return;
        }
        feedback = core.start_test(test(2 + round, Report::All)).expect("between");
    }
    panic!("{named} of 3,000 names after nine messages");
}

#[test]
fn listening_driver_serves_one_core_after_the_other_and_one_at_a_time() {
    let memory = Memory::with_capacity(2);
    let line = memory.add("line:A:1");
    memory.line(line);
    let listener = TcpListener::bind("127.0.0.1:0").expect("binds");
    let address = listener.local_addr().expect("bound").to_string();
    let mut runtime = Runtime::new(memory.clone(), Arc::new(memory.clone()), Arc::new(Inventory::default()));
    // Ends with the process: nobody asks a listening driver to stop.
    let _driver = thread::spawn(move || serve::listen(listener, || hello(&token()), &mut runtime, |_| ()).map(drop));
    let call = || {
        // The driver may be between two cores.
        for _ in 0..50 {
            match DriverConnection::call(&address, &token(), Limits::default()) {
                Err(Error::Refused { code: ErrorCode::BUSY, .. }) => thread::sleep(Duration::from_millis(20)),
                other => return other.expect("connects"),
            }
        }
        panic!("busy for a second");
    };
    for _ in 0..2 {
        let mut core = call();
        let error = DriverConnection::call(&address, &token(), Limits::default()).expect_err("one at a time");
        assert!(matches!(error, Error::Refused { code: ErrorCode::BUSY, .. }), "{error}");
        let boot = core.start_test(test(1, Report::Uncovered)).expect("boot");
        assert_eq!(
            (boot.origin, ids(&boot), boot.names.texts.len()),
            (Origin::Boot, vec![line], 1),
            "a new core knows nothing"
        );
    }
}
