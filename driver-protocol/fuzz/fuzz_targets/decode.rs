//! Any bytes are a message or an error, and a message that was read is written and read again as the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use restive_driver_protocol::codec::{append_reply, append_request, read_reply, read_request};
use restive_driver_protocol::frame::{Frame, MAX_FRAME, length_of};

fuzz_target!(|data: &[u8]| {
    let _length = length_of(data, MAX_FRAME);
    let Some((&op, payload)) = data.split_first() else { return };
    if let Ok(request) = read_request(Frame { op, payload }) {
        let mut out = Vec::new();
        append_request(&mut out, &request);
        assert_eq!(read_request(Frame { op: out[4], payload: &out[5..] }).expect("own writing"), request);
    }
    if let Ok(reply) = read_reply(Frame { op, payload }) {
        let mut out = Vec::new();
        append_reply(&mut out, &reply);
        assert_eq!(read_reply(Frame { op: out[4], payload: &out[5..] }).expect("own writing"), reply);
    }
});
