//! One encoded sample of every message. A changed file is a change of the wire format: raise the version, see `SPEC.md`.
//!
//! `BLESS=1` rewrites the files and the dumps in `SPEC.md`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use restive_driver_protocol::codec::{append_reply, append_request, read_reply, read_request};
use restive_driver_protocol::frame::Frame;
use restive_driver_protocol::message::capability;
use restive_driver_protocol::{
    COVERED, Change, CoreHello, DatabaseStatement, DriverHello, ErrorCode, Expansion, Feedback, Group, Hint, Names, Origin,
    Raised, Refusal, Reply, Report, Request, Route, Routes, SkippedUnit, StartAction, StartTest, TestNumber, Unit, Units,
    UnitsFrom, cell_of_closeness,
};

fn text(text: &str) -> String {
    text.to_owned()
}

fn requests() -> Vec<(&'static str, Request)> {
    let hello = CoreHello { token: text("0123456789abcdef"), core: text("restive 0.1.0") };
    vec![
        ("core_hello", Request::Hello(hello)),
        ("start_test", Request::StartTest(StartTest { number: TestNumber(300), report: Report::Uncovered })),
        ("start_action", Request::StartAction(StartAction { index: 2, track: vec![text("_EM_1_XYZ_")] })),
        ("end_action", Request::EndAction),
        ("reset", Request::Reset),
        ("units", Request::Units(UnitsFrom { known: 0, limit: 1_000 })),
        ("routes", Request::Routes),
        ("kill", Request::Kill),
        ("shutdown", Request::Shutdown),
    ]
}

fn driver_hello() -> DriverHello {
    DriverHello {
        token: text("0123456789abcdef"),
        language: text("jvm"),
        driver: text("restive-agent 0.1.0"),
        runtime: text("OpenJDK 17"),
        process: 4_711,
        command: text("app.jar"),
        capabilities: vec![text(capability::LINES), text(capability::BRANCHES)],
        units: 3,
        include: vec![text("com.acme.")],
    }
}

fn feedback() -> Feedback {
    let raised = Raised {
        kind: text("uncaught"),
        type_name: text("java.lang.IllegalStateException"),
        message: text("no stock"),
        statement: Some(6),
        trace: vec![text("com.acme.Shop.buy(Shop.java:17)")],
    };
    let statement =
        DatabaseStatement { text: text("SELECT 1"), parameters: vec![text("7")], failure: String::new(), micros: 250 };
    Feedback {
        changed: vec![Change { id: 5, cell: cell_of_closeness(0.4) }, Change { id: 6, cell: COVERED }],
        origin: Origin::Action,
        action: 2,
        names: Names { first: 5, texts: vec![text("branch:com.acme.Shop:17:0:then"), text("line:com.acme.Shop:17")] },
        background: vec![6],
        last_statement: Some(6),
        hints: vec![Hint { tracked: text("_EM_1_XYZ_"), usage: text("equals"), operand: text("blue") }],
        expansions: vec![Expansion { place: text("query"), name: text("debug"), schema: text(r#"{"type":"string"}"#) }],
        exceptions: vec![raised],
        statements: vec![statement],
        dropped: 0,
    }
}

fn units() -> Units {
    Units {
        measured: 1,
        skipped: 1,
        foreign: 412,
        targets: 7,
        units: vec![Unit { name: text("com.acme.Shop"), lines: 1, branches: 2, degraded: String::new() }],
        skips: vec![SkippedUnit { name: text("com.acme.Odd"), reason: text("method `run` has 70,000 bytes") }],
        groups: vec![Group { name: text("org.springframework.core"), units: 412 }],
        untracked: 3,
    }
}

fn routes() -> Routes {
    let route = Route {
        path: text("/items/{id}"),
        verb: text("GET"),
        handler: text("com.acme.Shop.item"),
        framework: text("spring"),
        operation: text(r#"{"parameters":[]}"#),
    };
    Routes {
        routes: vec![route],
        dropped: 0,
        notes: vec![text("2 routes of a predicate that is code")],
        bases: vec![text("/shop")],
        lazy: vec![text("/orders/")],
        others: vec![(text("org.engine.rest"), 12)],
    }
}

fn replies() -> Vec<(&'static str, Reply)> {
    let refusal = Refusal { code: ErrorCode::NOT_NOW.0, text: text("no action to end") };
    vec![
        ("driver_hello", Reply::Hello(driver_hello())),
        ("done", Reply::Done),
        ("feedback", Reply::Feedback(Box::new(feedback()))),
        ("units_reply", Reply::Units(units())),
        ("routes_reply", Reply::Routes(routes())),
        ("refused", Reply::Refused(refusal)),
    ]
}

/// Sixteen bytes a line: offset, bytes, printable characters.
fn dump(bytes: &[u8]) -> String {
    let mut out = String::new();
    for (idx, row) in bytes.chunks(16).enumerate() {
        let hex: Vec<String> = row.iter().map(|byte| format!("{byte:02x}")).collect();
        let shown: String = row.iter().map(|&byte| if (0x20..0x7f).contains(&byte) { char::from(byte) } else { '.' }).collect();
        writeln!(out, "{:04x}  {:<47}  {shown}", idx * 16, hex.join(" ")).expect("writes to memory");
    }
    out
}

fn undump(text: &str) -> Vec<u8> {
    let digits = text.lines().filter_map(|line| line.get(6..53)).flat_map(str::split_whitespace);
    digits.map(|digits| u8::from_str_radix(digits, 16).expect("two hexadecimal digits")).collect()
}

fn encoded() -> Vec<(&'static str, Vec<u8>)> {
    let requests = requests().into_iter().map(|(name, request)| {
        let mut out = Vec::new();
        append_request(&mut out, &request);
        (name, out)
    });
    let replies = replies().into_iter().map(|(name, reply)| {
        let mut out = Vec::new();
        append_reply(&mut out, &reply);
        (name, out)
    });
    requests.chain(replies).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 writes it", path.display()))
}

#[test]
fn samples_are_encoded_as_written_down() {
    for (name, bytes) in encoded() {
        let path = folder().join("golden").join(format!("{name}.txt"));
        if blessing() {
            std::fs::write(&path, dump(&bytes)).expect("writes");
        }
        assert_eq!(read(&path), dump(&bytes), "{name}: the wire format changed");
    }
}

#[test]
fn samples_are_decoded_to_what_they_were() {
    let bytes = |name: &str| undump(&read(&folder().join("golden").join(format!("{name}.txt"))));
    for (name, request) in requests() {
        let bytes = bytes(name);
        assert_eq!(read_request(Frame { op: bytes[4], payload: &bytes[5..] }).expect(name), request);
    }
    for (name, reply) in replies() {
        let bytes = bytes(name);
        assert_eq!(read_reply(Frame { op: bytes[4], payload: &bytes[5..] }).expect(name), reply);
    }
}

/// The dump that follows each line `Sample: golden/<name>.txt` is that file.
#[test]
fn specification_shows_the_samples() {
    let path = folder().join("SPEC.md");
    let mut specification = read(&path);
    for (name, bytes) in encoded() {
        let head = format!("Sample: `golden/{name}.txt`\n\n```text\n");
        let start = specification.find(&head).unwrap_or_else(|| panic!("no sample of {name}")) + head.len();
        let end = start + specification[start..].find("```").expect("the block ends");
        if blessing() {
            specification.replace_range(start..end, &dump(&bytes));
        } else {
            assert_eq!(specification[start..end], dump(&bytes), "{name}");
        }
    }
    if blessing() {
        std::fs::write(&path, specification).expect("writes");
    }
}
