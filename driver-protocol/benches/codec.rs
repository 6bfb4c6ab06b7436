//! Times of the message that travels once per call: a service of 10,000 targets of which 100 changed.

use divan::{Bencher, black_box};
use restive_driver_protocol::codec::{append_feedback_frame, read_reply};
use restive_driver_protocol::frame::Frame;
use restive_driver_protocol::{Change, Feedback, Names, Origin};

fn main() {
    divan::main();
}

/// 100 of 10,000 targets, evenly spread.
fn feedback() -> Feedback {
    let changed =
        (0..100).map(|idx| Change { id: idx * 100, cell: 0x3fff_ffff + i32::try_from(idx).expect("small") }).collect();
    Feedback { changed, origin: Origin::Action, action: 3, last_statement: Some(4_711), ..Feedback::default() }
}

/// The first feedback: all of 10,000 targets with their names.
fn first() -> Feedback {
    let name = |id: u32| format!("branch:com.acme.orders.OrderController{}:{}:0:then", id / 100, id % 100);
    let names = Names { first: 0, texts: (0..10_000).map(name).collect() };
    let changed = (0..10_000).map(|id| Change { id, cell: i32::MAX }).collect();
    Feedback { changed, names, ..Feedback::default() }
}

fn frame(bytes: &[u8]) -> Frame<'_> {
    Frame { op: bytes[4], payload: &bytes[5..] }
}

#[divan::bench]
fn encode_100_changed(bencher: Bencher) {
    let (feedback, mut out) = (feedback(), Vec::new());
    bencher.bench_local(|| {
        out.clear();
        append_feedback_frame(&mut out, black_box(&feedback));
        out.len()
    });
}

#[divan::bench]
fn decode_100_changed(bencher: Bencher) {
    let mut out = Vec::new();
    append_feedback_frame(&mut out, &feedback());
    bencher.bench_local(|| read_reply(frame(black_box(&out))).expect("decodes"));
}

#[divan::bench]
fn encode_10000_with_names(bencher: Bencher) {
    let (feedback, mut out) = (first(), Vec::new());
    bencher.bench_local(|| {
        out.clear();
        append_feedback_frame(&mut out, black_box(&feedback));
        out.len()
    });
}

#[divan::bench]
fn decode_10000_with_names(bencher: Bencher) {
    let mut out = Vec::new();
    append_feedback_frame(&mut out, &first());
    bencher.bench_local(|| read_reply(frame(black_box(&out))).expect("decodes"));
}
