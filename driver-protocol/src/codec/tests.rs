use proptest::prelude::*;

use super::*;
use crate::frame::{LENGTH_BYTES, MAX_FRAME, length_of};
use crate::message::{Names, Origin, Report, StartAction, StartTest, TestNumber, UnitsFrom};

fn frame(bytes: &[u8]) -> Frame<'_> {
    Frame { op: bytes[LENGTH_BYTES], payload: &bytes[LENGTH_BYTES + 1..] }
}

fn encoded(reply: &Reply) -> Vec<u8> {
    let mut out = Vec::new();
    append_reply(&mut out, reply);
    out
}

fn feedback() -> impl Strategy<Value = Feedback> {
    let changed = proptest::collection::vec((any::<u32>(), any::<i32>()), 0..9);
    let names = (any::<u32>(), proptest::collection::vec("[a-c]{0,5}", 0..5));
    let rest = (any::<u32>(), proptest::collection::vec(any::<u32>(), 0..4), proptest::option::of(any::<u32>()));
    (changed, names, rest).prop_map(|(changed, (first, texts), (action, background, last_statement))| Feedback {
        changed: changed.into_iter().map(|(id, cell)| Change { id, cell }).collect(),
        origin: Origin::Action,
        action,
        names: Names { first, texts },
        background,
        last_statement,
        ..Feedback::default()
    })
}

/// What is read as a message is written and read again as the same.
fn check_reading(frame_to_read: Frame<'_>) -> Result<(), TestCaseError> {
    if let Ok(request) = read_request(frame_to_read) {
        let mut out = Vec::new();
        append_request(&mut out, &request);
        prop_assert_eq!(read_request(frame(&out)).expect("own writing"), request);
    }
    if let Ok(reply) = read_reply(frame_to_read) {
        prop_assert_eq!(read_reply(frame(&encoded(&reply))).expect("own writing"), reply);
    }
    Ok(())
}

proptest! {
    #[test]
    fn feedback_comes_back(feedback in feedback()) {
        let reply = Reply::Feedback(Box::new(feedback));
        prop_assert_eq!(read_reply(frame(&encoded(&reply))).expect("decodes"), reply);
    }

    #[test]
    fn requests_come_back(number: u64, index: u32, track in proptest::collection::vec(".{0,9}", 0..4), known: u32, limit: u32) {
        let requests = [
            Request::StartTest(StartTest { number: TestNumber(number), report: Report::All }),
            Request::StartAction(StartAction { index, track }),
            Request::Units(UnitsFrom { known, limit }),
            Request::EndAction,
            Request::Routes,
            Request::Kill,
        ];
        for request in requests {
            let mut out = Vec::new();
            append_request(&mut out, &request);
            prop_assert_eq!(length_of(&out, MAX_FRAME).expect("good length"), Some(out.len()));
            prop_assert_eq!(read_request(frame(&out)).expect("decodes"), request);
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error(op in prop_oneof![0u8..10, 0x80u8..0x87, any::<u8>()], payload in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_reading(Frame { op, payload: &payload })?;
    }

    #[test]
    fn units_of_the_first_version_are_read_without_what_came_later(measured: u32, untracked: u32) {
        let units = Units { measured, untracked, ..Units::default() };
        let all = encoded(&Reply::Units(units.clone()));
        prop_assert_eq!(read_reply(frame(&all)).expect("decodes"), Reply::Units(units.clone()));
        let mut first = Vec::new();
        append_postcard(&mut first, &units);
        let read = read_reply(Frame { op: op::UNITS_REPLY, payload: &first }).expect("decodes");
        prop_assert_eq!(read, Reply::Units(Units { untracked: 0, ..units }));
    }

    #[test]
    fn routes_of_an_earlier_version_are_read_without_what_came_later(dropped: u32, base in "/[a-z]{1,9}", lazy in "/[a-z]{1,9}") {
        let (bases, lazy, others) = (vec![base], vec![lazy], vec![("a.b".to_owned(), 7)]);
        let routes = Routes { dropped, bases: bases.clone(), lazy: lazy.clone(), others, ..Routes::default() };
        let all = encoded(&Reply::Routes(routes.clone()));
        prop_assert_eq!(read_reply(frame(&all)).expect("decodes"), Reply::Routes(routes.clone()));
        let mut earlier = Vec::new();
        append_postcard(&mut earlier, &routes);
        let read = read_reply(Frame { op: op::ROUTES_REPLY, payload: &earlier }).expect("decodes");
        prop_assert_eq!(read, Reply::Routes(Routes { dropped, ..Routes::default() }));
        append_postcard(&mut earlier, &(&bases, &lazy));
        let read = read_reply(Frame { op: op::ROUTES_REPLY, payload: &earlier }).expect("decodes");
        prop_assert_eq!(read, Reply::Routes(Routes { dropped, bases, lazy, ..Routes::default() }));
    }

    #[test]
    fn cut_feedback_is_an_error(feedback in feedback(), keep in 0.0f64..1.0) {
        let bytes = encoded(&Reply::Feedback(Box::new(feedback)));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a short length")]
        let end = LENGTH_BYTES + 1 + ((bytes.len() - LENGTH_BYTES - 1) as f64 * keep) as usize;
        prop_assert!(read_reply(frame(&bytes[..end])).is_err());
    }

    #[test]
    fn changed_byte_is_a_message_or_an_error(feedback in feedback(), place: prop::sample::Index, value: u8) {
        let mut bytes = encoded(&Reply::Feedback(Box::new(feedback)));
        let place = place.index(bytes.len() - LENGTH_BYTES) + LENGTH_BYTES;
        bytes[place] = value;
        check_reading(frame(&bytes))?;
    }

    #[test]
    fn later_fields_are_ignored(feedback in feedback(), later in proptest::collection::vec(any::<u8>(), 0..20)) {
        let reply = Reply::Feedback(Box::new(feedback));
        let mut bytes = encoded(&reply);
        bytes.extend(later);
        prop_assert_eq!(read_reply(frame(&bytes)).expect("decodes"), reply);
    }
}

#[test]
fn hello_of_another_major_version_is_told_apart_before_its_fields_are_read() {
    let error =
        read_reply(Frame { op: op::DRIVER_HELLO, payload: b"RSTV\x09\x00\x02\x00\xff\xff\xff" }).expect_err("version 9");
    assert!(matches!(error, Error::Version { theirs: Version { major: 9, minor: 2 }, .. }), "{error}");
}

#[test]
fn hello_without_the_magic_is_not_the_protocol() {
    for payload in [b"GET / HTTP/1.1\r\n\r\n".as_slice(), b"RST", b""] {
        let error = read_reply(Frame { op: op::DRIVER_HELLO, payload }).expect_err("no hello");
        assert!(matches!(error, Error::NotTheProtocol), "{error}");
    }
}

#[test]
fn announced_list_longer_than_the_message_is_refused_at_once() {
    let payload = [0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0];
    let error = read_reply(Frame { op: op::FEEDBACK, payload: &payload }).expect_err("2 G targets");
    assert!(matches!(error, Error::Malformed { op: op::FEEDBACK, .. }), "{error}");
    let track = [0, 0xff, 0xff, 0xff, 0xff, 0x0f];
    assert!(read_request(Frame { op: op::START_ACTION, payload: &track }).is_err());
}
