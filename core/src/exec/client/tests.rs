//! The client against servers that behave, misbehave and vanish.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::action::{ActionResult, Coding, Outcome, Request};
use crate::api::{OperationIdx, Verb};
use crate::exec::test_server::{always, encrypted, read_request, server};
use crate::exec::{Credentials, Error, HttpSettings, Stop};

use reqwest::Method;

use super::blocking::Blocking;
use super::{Call, CallTarget, Client, Pulse, Question, answer};

/// Answers with what it was sent, as the body.
fn echo(mut stream: TcpStream, _: usize) {
    loop {
        let request = read_request(&mut stream);
        let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: {}\r\n\r\n", request.len());
        if request.is_empty() || stream.write_all((head + &request).as_bytes()).is_err() {
            return;
        }
    }
}

fn settings(port: u16) -> HttpSettings {
    HttpSettings {
        base_url: Some(format!("http://127.0.0.1:{port}/api")),
        time_limit: Duration::from_secs(5),
        max_body_bytes: 10_000,
        max_rate: None,
        headers: Vec::new(),
        insecure: false,
    }
}

fn client(port: u16) -> Client {
    Client::new(&settings(port), &Stop::default()).expect("valid settings")
}

fn impatient(port: u16) -> Client {
    let settings = HttpSettings { time_limit: Duration::from_millis(300), ..settings(port) };
    Client::new(&settings, &Stop::default()).expect("valid settings")
}

fn get(url: &str) -> Request {
    Request { operation_idx: OperationIdx(0), verb: Verb::Get, url: url.to_owned(), headers: vec![], body: None, user: None }
}

fn body_text(result: &ActionResult) -> String {
    String::from_utf8_lossy(&result.answer().expect("an answer").body).into_owned()
}

#[test]
fn a_request_is_sent_as_it_is_below_the_base_path() {
    let client = client(server(echo));
    let headers = vec![("X-Trace".to_owned(), "a".to_owned()), ("X-Trace".to_owned(), "b".to_owned())];
    let request = Request { verb: Verb::Post, headers, body: Some(b"{\"x\":1}".to_vec()), ..get("/pets/a%2Fb?q=%20") };
    let result = client.send(&request, None, &mut || {});
    let sent = body_text(&result);
    assert!(sent.starts_with("POST /api/pets/a%2Fb?q=%20 HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains("x-trace: a\r\nx-trace: b\r\n") && sent.ends_with("\r\n\r\n{\"x\":1}"), "{sent}");
    assert_eq!(result.request, request);
}

#[test]
fn a_missing_body_is_said_where_the_method_gives_content_a_meaning() {
    let client = client(server(echo));
    for (verb, body) in [(Verb::Post, None), (Verb::Put, None), (Verb::Patch, Some(Vec::new()))] {
        let sent = body_text(&client.send(&Request { verb, body, ..get("/") }, None, &mut || {}));
        assert_eq!(sent.matches("content-length: 0\r\n").count(), 1, "{sent}");
    }
    for verb in [Verb::Get, Verb::Delete, Verb::Options, Verb::Trace] {
        let sent = body_text(&client.send(&Request { verb, ..get("/") }, None, &mut || {}));
        assert!(!sent.contains("content-length"), "{sent}");
    }
    let reset = Call {
        method: Method::POST,
        target: CallTarget::Below("/reset"),
        headers: vec![],
        body: None,
        limit: Duration::from_secs(5),
    };
    let answer = client.fetch(&reset).expect("an answer");
    assert!(String::from_utf8_lossy(&answer.body).contains("content-length: 0\r\n"));
}

#[test]
fn settings_replace_request_fields_and_credentials_replace_both() {
    let port = server(echo);
    let fields = [("X-Key", "settings"), ("Authorization", "settings")];
    let headers = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let client = Client::new(&HttpSettings { headers, ..settings(port) }, &Stop::default()).unwrap();
    let mut credentials = Credentials::default();
    credentials.add_header("authorization", "Bearer t").unwrap();
    credentials.add_header("cookie", "sid=1").unwrap();
    credentials.add_query("api key", "s&t");
    let fields = [("x-key", "own"), ("cookie", "lang=de"), ("content-length", "999"), ("host", "evil.test")];
    let headers = fields.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let sent = body_text(&client.send(&Request { headers, ..get("/a?b=1") }, Some(&credentials), &mut || {}));
    assert!(sent.starts_with("GET /api/a?b=1&api+key=s%26t HTTP/1.1\r\n"), "{sent}");
    for line in ["x-key: settings", "authorization: Bearer t", "cookie: lang=de; sid=1"] {
        assert!(sent.contains(&format!("{line}\r\n")), "{line} in {sent}");
    }
    // By the whole field: the port in the field that names the host may have the same digits.
    for replaced in ["x-key: own", "content-length", "evil"] {
        assert!(!sent.contains(replaced), "{replaced} in {sent}");
    }
}

#[test]
fn one_connection_serves_many_calls() {
    let client = client(server(always("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")));
    for _ in 0..20 {
        assert_eq!(client.send(&get("/"), None, &mut || {}).status(), Some(200));
    }
    assert_eq!(client.connections_opened(), 1);
}

#[test]
fn a_connection_that_closed_while_idle_is_replaced_without_notice() {
    let port = server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    let client = client(port);
    for _ in 0..5 {
        assert_eq!(client.send(&get("/"), None, &mut || {}).status(), Some(200));
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(client.connections_opened(), 5);
}

#[test]
fn a_fresh_connection_that_closes_without_answer_is_told_and_not_retried() {
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&calls);
    let client = client(server(move |mut stream, _| {
        read_request(&mut stream);
        seen.fetch_add(1, Ordering::SeqCst);
    }));
    let result = client.send(&get("/"), None, &mut || {});
    assert!(matches!(&result.outcome, Outcome::Disconnected(reason) if reason.contains("closed")), "{:?}", result.outcome);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
}

#[test]
fn a_reused_connection_that_closes_is_tried_once_more_and_a_second_close_is_told() {
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&calls);
    let client = client(server(move |mut stream, _| {
        while read_request(&mut stream).starts_with("GET /api/fine") {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        }
        seen.fetch_add(1, Ordering::SeqCst);
    }));
    assert_eq!(client.send(&get("/fine"), None, &mut || {}).status(), Some(200));
    let outcome = client.send(&Request { verb: Verb::Post, ..get("/drop") }, None, &mut || {}).outcome;
    assert!(matches!(outcome, Outcome::Disconnected(_)), "{outcome:?}");
    assert_eq!((calls.load(Ordering::SeqCst), client.connections_opened()), (2, 2));
}

#[test]
fn a_service_that_ends_with_a_call_broke_its_connection_and_one_that_is_gone_did_not() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a bound address").port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        drop(listener);
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
        read_request(&mut stream);
    });
    let client = client(port);
    assert_eq!(client.send(&get("/"), None, &mut || {}).status(), Some(200));
    assert!(matches!(client.send(&get("/"), None, &mut || {}).outcome, Outcome::Disconnected(_)));
    assert!(matches!(client.send(&get("/"), None, &mut || {}).outcome, Outcome::Failed(_)));
}

#[test]
fn slow_drip_and_streams_without_end_stop_at_the_limits() {
    let head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
    let drip = impatient(server(move |mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(head);
        while stream.write_all(b"1\r\nx\r\n").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    }));
    assert!(matches!(drip.send(&get("/"), None, &mut || {}).outcome, Outcome::TimedOut));
    let flood = client(server(move |mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(head);
        while stream.write_all(b"5\r\n[1,2,\r\n").is_ok() {}
    }));
    let result = flood.send(&get("/"), None, &mut || {});
    let answer = result.answer().expect("a truncated answer");
    assert!(answer.truncated && answer.body.len() == 10_000 && answer.json.is_none());
}

/// A server of events: as many as its path says, after which the answer ends or, for an odd number, nothing comes any more.
fn events() -> u16 {
    server(|mut stream, _| {
        let request = read_request(&mut stream);
        let n: usize = request.split(['/', ' ']).find_map(|word| word.parse().ok()).unwrap_or_default();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
        for _ in 0..n {
            let _ = stream.write_all(b"9\r\ndata: 1\n\n\r\n");
        }
        if n.is_multiple_of(2) {
            let _ = stream.write_all(b"0\r\n\r\n");
        }
        // Until the other side has had enough.
        let _ = stream.read(&mut [0]);
    })
}

#[test]
fn a_stream_is_an_answer_that_is_cut_off_where_it_goes_on() {
    let client = client(events());
    for n in [3, 2, 1, 2] {
        let result = client.send(&get(&format!("/{n}")), None, &mut || {});
        let answer = result.answer().expect("an answer");
        assert_eq!((answer.truncated, answer.body.len(), result.is_endless()), (n % 2 == 1, 9 * n, n % 2 == 1), "{n} events");
    }
}

#[test]
fn a_stream_over_the_client_of_the_library_is_cut_off_as_well() {
    let (http, blocking, port) = (reqwest::Client::new(), Blocking::new().expect("a runtime"), events());
    for n in [3, 2] {
        let request = http.get(format!("http://127.0.0.1:{port}/{n}")).build().expect("a request");
        let received = answer::receive(&http, request, 10_000);
        let answer = blocking.run(Duration::from_mins(1), &Stop::default(), received, &mut || {}).expect("an answer");
        assert_eq!((answer.truncated, answer.body.len()), (n % 2 == 1, 9 * n), "{n} events");
    }
}

#[test]
fn a_service_that_says_nothing_or_drips_its_head_times_out() {
    let silent = impatient(server(|mut stream, _| drop((read_request(&mut stream), thread::sleep(Duration::from_secs(3))))));
    assert!(matches!(silent.send(&get("/"), None, &mut || {}).outcome, Outcome::TimedOut));
    let drip = impatient(server(|mut stream, _| {
        read_request(&mut stream);
        while stream.write_all(b"H").is_ok() {
            thread::sleep(Duration::from_secs(1));
        }
    }));
    assert!(matches!(drip.send(&get("/"), None, &mut || {}).outcome, Outcome::TimedOut));
}

#[test]
fn a_call_ends_at_once_when_stopping_is_asked_for() {
    let port = server(|stream, _| drop((thread::sleep(Duration::from_secs(30)), stream)));
    let stop = Stop::default();
    let client = Client::new(&HttpSettings { time_limit: Duration::from_secs(30), ..settings(port) }, &stop).unwrap();
    let asker = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        stop.request();
    });
    let result = client.send(&get("/"), None, &mut || {});
    asker.join().expect("it only sleeps");
    assert!(matches!(result.outcome, Outcome::Failed(_)), "{:?}", result.outcome);
    assert!(result.elapsed < Duration::from_secs(10), "{:?}", result.elapsed);
}

#[test]
fn a_body_of_exactly_the_limit_is_whole() {
    let client = client(server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(format!("HTTP/1.1 200 OK\r\ncontent-length: 10000\r\n\r\n{}", "x".repeat(10_000)).as_bytes());
    }));
    let result = client.send(&get("/"), None, &mut || {});
    assert!(result.answer().is_some_and(|answer| !answer.truncated && answer.body.len() == 10_000));
}

#[test]
fn garbage_huge_heads_and_broken_bodies_are_told_apart() {
    let garbage = client(server(always("SSH-2.0-OpenSSH_9.9\r\n")));
    let outcome = garbage.send(&get("/"), None, &mut || {}).outcome;
    assert!(matches!(&outcome, Outcome::Disconnected(reason) if reason.contains("not HTTP")), "{outcome:?}");
    let huge = client(server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(format!("x-{}: y\r\n", "z".repeat(1000)).as_bytes()).is_ok() {}
    }));
    let outcome = huge.send(&get("/"), None, &mut || {}).outcome;
    assert!(matches!(&outcome, Outcome::Failed(reason) if reason.contains("larger")), "{outcome:?}");
    let broken = client(server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
    }));
    let outcome = broken.send(&get("/"), None, &mut || {}).outcome;
    assert!(matches!(&outcome, Outcome::Disconnected(reason) if reason.contains("after 4 bytes")), "{outcome:?}");
}

#[test]
fn coded_bodies_are_read_and_the_size_limit_holds_for_what_comes_out() {
    let client = client(server(|mut stream, _| {
        while let Some(request) = Some(read_request(&mut stream)).filter(|request| !request.is_empty()) {
            let plain = if request.contains("/bomb") { vec![b' '; 1_000_000] } else { b"{\"a\": 1}".to_vec() };
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            let body = encoder.write_all(&plain).and_then(|()| encoder.finish()).expect("memory takes all");
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n";
            let _ = stream.write_all(format!("{head}content-length: {}\r\n\r\n", body.len()).as_bytes());
            let _ = stream.write_all(&body);
        }
    }));
    let result = client.send(&get("/"), None, &mut || {});
    let answer = result.answer().expect("an answer");
    assert_eq!((answer.json.as_ref(), answer.coding.clone()), (Some(&serde_json::json!({ "a": 1 })), Coding::Plain));
    let result = client.send(&get("/bomb"), None, &mut || {});
    assert!(result.answer().is_some_and(|answer| answer.truncated && answer.body.len() == 10_000));
}

#[test]
fn redirects_are_answers_and_never_followed() {
    let client = client(server(always("HTTP/1.1 302 Found\r\nlocation: http://other.test/\r\ncontent-length: 0\r\n\r\n")));
    let result = client.send(&get("/"), None, &mut || {});
    assert_eq!(result.answer().and_then(|answer| answer.header("location")), Some("http://other.test/"));
    assert_eq!((result.status(), client.connections_opened()), (Some(302), 1));
}

#[test]
fn a_429_with_retry_after_is_sent_again_a_bounded_number_of_times() {
    let calls = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&calls);
    let port = server(move |mut stream, _| {
        while !read_request(&mut stream).is_empty() {
            let answer: &[u8] = match seen.fetch_add(1, Ordering::SeqCst) {
                0 => b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n",
                1 => b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
                2..7 => b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n",
                7 => b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 0\r\n\r\n",
                _ => b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n",
            };
            let _ = stream.write_all(answer);
        }
    });
    let client = client(port);
    let statuses = [(); 2].map(|()| client.send(&get("/"), None, &mut || {}).status());
    assert_eq!((statuses, calls.load(Ordering::SeqCst)), ([Some(200), Some(429)], 6));
    // A wait that is too long, and a refusal without a time, are answers at once.
    calls.store(7, Ordering::SeqCst);
    let statuses = [(); 2].map(|()| client.send(&get("/"), None, &mut || {}).status());
    assert_eq!((statuses, calls.load(Ordering::SeqCst)), ([Some(429), Some(429)], 9));
}

#[test]
fn what_cannot_be_sent_is_not_sent() {
    let client = client(server(echo));
    let bad_name = Request { headers: vec![("bad name".to_owned(), String::new())], ..get("/") };
    let bad_value = Request { headers: vec![("x".to_owned(), "a\nb".to_owned())], ..get("/") };
    let too_long = get(&format!("/{}", "x".repeat(70_000)));
    for request in [get("/a/../b"), get("no-slash"), bad_name, bad_value, too_long] {
        let outcome = client.send(&request, None, &mut || {}).outcome;
        assert!(matches!(outcome, Outcome::Unsent(_)), "{outcome:?}");
    }
    assert_eq!(client.connections_opened(), 0);
}

#[test]
fn the_head_request_has_no_body_whatever_its_length_says() {
    let client = client(server(always("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n")));
    let head = Request { verb: Verb::Head, ..get("/") };
    for _ in 0..3 {
        let result = client.send(&head, None, &mut || {});
        assert!(result.answer().is_some_and(|answer| answer.status == 200 && answer.body.is_empty()));
    }
    assert_eq!(client.connections_opened(), 1);
}

#[test]
fn the_probe_tells_why_a_service_is_out_of_reach() {
    let free_port = || TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port();
    assert!(matches!(client(free_port()).probe(), Err(Error::Refused(_))));
    let probe = |base_url: String| {
        let settings = HttpSettings { base_url: Some(base_url), time_limit: Duration::from_secs(2), ..settings(1) };
        Client::new(&settings, &Stop::default()).unwrap().probe()
    };
    let unknown = probe("http://no-such-host.invalid/".to_owned());
    assert!(matches!(unknown, Err(Error::NameNotFound(_) | Error::TimedOut { .. })), "{unknown:?}");
    let plain_text = server(|mut stream, _| {
        let _ = stream.read(&mut [0; 100]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
    let encrypted = HttpSettings { base_url: Some(format!("https://127.0.0.1:{plain_text}")), insecure: true, ..settings(1) };
    let tls = Client::new(&encrypted, &Stop::default()).unwrap().probe();
    assert!(matches!(tls, Err(Error::Tls { .. })), "{tls:?}");
    let silent = impatient(server(|stream, _| drop((thread::sleep(Duration::from_secs(3)), stream)))).probe();
    assert!(matches!(silent, Err(Error::TimedOut { .. })), "{silent:?}");
    let garbage = client(server(always("220 mail ready\r\n"))).probe();
    assert!(matches!(garbage, Err(Error::NoAnswer { .. })), "{garbage:?}");
    let endless = client(server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 100\r\n\r\n");
        thread::sleep(Duration::from_secs(30));
    }));
    assert!(matches!(endless.probe(), Ok(Some(404))));
    let announcing = impatient(server(|mut stream, _| {
        read_request(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 164 Soon\r\n\r\n");
        thread::sleep(Duration::from_secs(30));
    }));
    assert!(matches!(announcing.probe(), Ok(None)));
}

#[test]
fn whatever_a_service_says_is_a_sign_of_life() {
    let pulse = |port| client(port).pulse(Question::Get("/"), Duration::from_millis(300));
    for answer in [
        "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nh\u{e9} : 1\r\n\r\n",
        "HTTP/1.1 164 Soon\r\n\r\n",
        "220 mail ready\r\n",
    ] {
        assert_eq!(pulse(server(always(answer))), Pulse::Speaks, "{answer:?}");
    }
    assert_eq!(pulse(server(|mut stream, _| drop(read_request(&mut stream)))), Pulse::Closes);
    assert_eq!(pulse(server(|stream, _| drop((thread::sleep(Duration::from_secs(3)), stream)))), Pulse::Silent);
    let free_port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).unwrap().port();
    assert_eq!(pulse(free_port), Pulse::Silent);
    let port = encrypted("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    let base_url = Some(format!("https://127.0.0.1:{port}"));
    let tls = Client::new(&HttpSettings { base_url, insecure: true, ..settings(port) }, &Stop::default()).unwrap();
    assert_eq!(tls.pulse(Question::Get("/"), Duration::from_secs(5)), Pulse::Speaks);
}

#[test]
fn unusable_settings_are_refused() {
    let new = |settings: HttpSettings| Client::new(&settings, &Stop::default()).err();
    assert!(matches!(new(HttpSettings { base_url: None, ..settings(1) }), Some(Error::NoBaseUrl)));
    let headers = vec![("bad name".to_owned(), "x".to_owned())];
    assert!(matches!(new(HttpSettings { headers, ..settings(1) }), Some(Error::InvalidHeader { .. })));
}

#[test]
fn certificates_that_nobody_signed_are_refused_unless_told_otherwise() {
    let port = encrypted("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    let with = |insecure| {
        let base_url = Some(format!("https://127.0.0.1:{port}"));
        Client::new(&HttpSettings { base_url, insecure, ..settings(port) }, &Stop::default())
    };
    let client = with(true).expect("no certificates are needed");
    assert!(client.probe().is_ok());
    assert_eq!(
        (client.send(&get("/"), None, &mut || {}).status(), client.send(&get("/"), None, &mut || {}).status()),
        (Some(200), Some(200))
    );
    // A machine without any certificates cannot even start to verify.
    match with(false) {
        Ok(client) => {
            let error = client.probe().expect_err("nobody signed the certificate");
            assert!(matches!(&error, Error::Tls { .. }), "{error:?}");
            assert!(matches!(client.send(&get("/"), None, &mut || {}).outcome, Outcome::Failed(_)));
        }
        Err(error) => assert!(matches!(error, Error::ClientSetup(_)), "{error:?}"),
    }
}
