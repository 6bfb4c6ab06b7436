//! Time of the feedback of one action: 10,000 targets of which 100 changed. To reach: a median of at most 50 us.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use divan::Bencher;
use restive_driver_protocol::fake::hello;
use restive_driver_protocol::{DriverListener, Handler, Report, Request, StartAction, StartTest, TestNumber, Token};
use restive_runtime::memory::Memory;
use restive_runtime::{Inventory, Runtime, serve};

const TARGETS: u32 = 10_000;

fn main() {
    divan::main();
}

fn memory() -> Memory {
    let memory = Memory::with_capacity(TARGETS as usize);
    for id in 0..TARGETS {
        memory.add(&format!("branch:com.acme.orders.OrderController{}:{}:0:then", id / 100, id % 100));
    }
    memory
}

fn runtime(memory: &Memory) -> Runtime<Memory, Memory> {
    Runtime::new(memory.clone(), Arc::new(memory.clone()), Arc::new(Inventory::default()))
}

fn start_test() -> StartTest {
    StartTest { number: TestNumber(1), report: Report::Uncovered }
}

fn start_action() -> StartAction {
    StartAction { index: 0, track: Vec::new() }
}

/// Brings 100 targets a little nearer.
fn raise(memory: &Memory, round: &mut i32) {
    *round += 1;
    (0..TARGETS).step_by(100).for_each(|id| memory.raise(id, *round));
}

#[divan::bench]
fn in_the_driver(bencher: Bencher) {
    let (memory, mut round) = (memory(), 0);
    let mut runtime = runtime(&memory);
    runtime.answer(Request::StartTest(start_test()));
    bencher.with_inputs(|| raise(&memory, &mut round)).bench_local_values(|()| {
        runtime.answer(Request::StartAction(start_action()));
        runtime.answer(Request::EndAction);
    });
}

#[divan::bench]
fn over_the_socket(bencher: Bencher) {
    let (memory, mut round) = (memory(), 0);
    let token = Token::new("secret");
    let listener = DriverListener::bind(token.clone()).expect("binds");
    let (address, mut runtime) = (listener.address().to_string(), runtime(&memory));
    let driver = thread::spawn(move || serve::connect(&address, hello(&token), &mut runtime).map(drop));
    let mut connection = listener.next(Duration::from_secs(5)).expect("hello").expect("connects");
    connection.start_test(start_test()).expect("starts");
    connection.start_action(start_action()).expect("starts");
    bencher
        .with_inputs(|| raise(&memory, &mut round))
        .bench_local_values(|()| connection.end_and_start_action(start_action()).expect("answers").changed.len());
    connection.shutdown().expect("shuts down");
    driver.join().expect("no panic").expect("ends well");
}
