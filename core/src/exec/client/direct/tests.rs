//! The own connection next to the HTTP library's client, and against servers that are slow or gone.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::action::{ActionResult, Outcome, Request};
use crate::api::{OperationIdx, Verb};
use crate::exec::client::{Client, Pulse, Question};
use crate::exec::test_server::{client_of as client, client_within, read_request, server};

const FINE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

fn get(url: &str) -> Request {
    Request { operation_idx: OperationIdx(0), verb: Verb::Get, url: url.to_owned(), headers: vec![], body: None, user: None }
}

fn send(client: &Client, request: &Request) -> ActionResult {
    client.send(request, None, &mut || {})
}

/// Answers with what it was sent, in chunks.
fn echo(mut stream: TcpStream, _: usize) {
    loop {
        let request = read_request(&mut stream);
        if request.is_empty() {
            return;
        }
        let (first, rest) = request.split_at(request.len() / 2);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        for chunk in [first, rest, ""] {
            let _ = stream.write_all(format!("{:x}\r\n{chunk}\r\n", chunk.len()).as_bytes());
            thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn it_sends_what_the_http_library_sends() {
    let port = server(echo);
    let direct = client(format!("http://127.0.0.1:{port}/api"));
    let library = Client { direct: None, ..client(format!("http://127.0.0.1:{port}/api")) };
    assert!(direct.direct.is_some());
    let field = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let fields = vec![field("Accept", "text/plain"), field("X-Trace", "a"), field("x-trace", "b"), field("User-Agent", "me")];
    let posted = Request { verb: Verb::Post, body: Some(b"{\"x\":1}".to_vec()), ..get("/pets/a%2Fb?q=%20x&%C3%A4=['|") };
    let requests = [
        get("/"),
        get("//x?"),
        Request { headers: fields.clone(), ..posted.clone() },
        Request { headers: vec![field("Content-Type", "text/plain")], ..posted },
        Request { verb: Verb::Put, headers: fields, ..get("/a") },
        Request { verb: Verb::Options, body: Some(Vec::new()), ..get("/a") },
        Request { verb: Verb::Delete, body: Some(vec![b'x'; 3000]), ..get("/a") },
    ];
    for request in &requests {
        let [ours, theirs] = [&direct, &library].map(|client| send(client, request));
        let [ours, theirs] = [ours, theirs].map(|result| result.answer().expect("an answer").body.clone());
        assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(&theirs));
        assert!(ours.len() > 40);
    }
    assert_eq!((direct.connections_opened(), library.connections_opened()), (1, 1));
}

#[test]
fn a_service_that_loses_requests_behind_refused_bodies_is_spared_them() {
    const REFUSED: &[u8] = b"HTTP/1.1 415 Unsupported Media Type\r\nContent-Length: 0\r\n\r\n";
    let port = server(|mut stream, _| {
        let mut is_lost = false;
        loop {
            let request = read_request(&mut stream);
            if request.is_empty() {
                return;
            }
            // It is not heard of again.
            let answer = if request.starts_with("POST") { REFUSED } else { FINE };
            if !is_lost {
                let _ = stream.write_all(answer);
            }
            is_lost |= request.starts_with("POST");
        }
    });
    let client = client_within(format!("http://127.0.0.1:{port}"), Duration::from_millis(300));
    let posted = Request { verb: Verb::Post, body: Some(b"{}".to_vec()), ..get("/pets") };
    let timed_out = |request: &Request| matches!(send(&client, request).outcome, Outcome::TimedOut);
    assert!(!timed_out(&posted) && timed_out(&get("/pets")), "who could know");
    for _ in 0..5 {
        assert!(!timed_out(&posted) && !timed_out(&get("/pets")) && !timed_out(&get("/pets")));
    }
    assert_eq!((client.connections_opened(), client.connections_given_up()), (7, 5));
}

#[test]
fn calls_go_where_the_service_showed_that_it_lives() {
    // Every other connection is served by a thread that is blocked for good.
    let port = server(|mut stream, n| {
        while !read_request(&mut stream).is_empty() {
            if n % 2 == 0 {
                thread::sleep(Duration::from_mins(10));
            }
            let _ = stream.write_all(FINE);
        }
    });
    let client = client_within(format!("http://127.0.0.1:{port}"), Duration::from_millis(300));
    assert!(matches!(send(&client, &get("/pets")).outcome, Outcome::TimedOut));
    assert_eq!(client.pulse(Question::Get("/"), Duration::MAX), Pulse::Speaks);
    for _ in 0..5 {
        assert_eq!(send(&client, &get("/pets")).status(), Some(200));
    }
    assert_eq!(client.connections_opened(), 2);
}

#[test]
fn connections_that_the_service_closes_are_counted_by_the_last_status() {
    // The second answer says so, the third does not.
    const LAST: &[u8] = b"HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    let client = client(format!(
        "http://127.0.0.1:{}",
        server(|mut stream, n| {
            read_request(&mut stream);
            let _ = stream.write_all(FINE);
            if n == 0 {
                read_request(&mut stream);
                let _ = stream.write_all(LAST);
            }
        })
    ));
    let statuses: Vec<_> = (0..3).map(|_| send(&client, &get("/")).status()).collect();
    assert_eq!(statuses, [Some(200), Some(404), Some(200)]);
    assert_eq!((client.connections_opened(), client.connections_closed().get(&404)), (2, Some(&1)));
    // Until the second connection is closed.
    while client.connections_opened() < 3 {
        assert_eq!(send(&client, &get("/")).status(), Some(200));
    }
    assert_eq!(client.connections_closed().get(&200), Some(&1));
}

#[test]
fn services_that_are_not_encrypted_are_called_so_wherever_they_are() {
    let is_direct = |url: &str| client(url.to_owned()).direct.is_some();
    for url in ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:81/", "http://192.0.2.1", "http://service.test"] {
        assert!(is_direct(url), "{url}");
    }
    assert!(!is_direct("https://127.0.0.1:8443"));
}

#[test]
fn a_name_of_this_machine_is_looked_up() {
    let client = client(format!("http://localhost:{}", server(echo)));
    let sent = String::from_utf8_lossy(&send(&client, &get("/")).answer().expect("an answer").body).into_owned();
    assert!(sent.contains("host: localhost:"), "{sent}");
}

#[test]
fn meanwhile_is_when_the_request_is_there_and_the_answer_is_not() {
    let (told, heard) = std::sync::mpsc::channel();
    let (allow, allowed) = std::sync::mpsc::channel::<()>();
    let allowed = std::sync::Mutex::new(allowed);
    let client = client(format!(
        "http://127.0.0.1:{}",
        server(move |mut stream, _| {
            let _ = told.send(read_request(&mut stream));
            let _ = allowed.lock().expect("one connection").recv_timeout(Duration::from_secs(4));
            let _ = stream.write_all(FINE);
        })
    ));
    let mut n_times = 0;
    let result = client.send(&get("/now"), None, &mut || {
        n_times += 1;
        let request = heard.recv_timeout(Duration::from_secs(4)).expect("the request was sent");
        assert!(request.starts_with("GET /now "), "{request}");
        allow.send(()).expect("the server waits");
    });
    assert_eq!((result.status(), n_times), (Some(200), 1));
}

#[test]
fn a_large_body_reaches_a_server_that_reads_late() {
    let client = client(format!(
        "http://127.0.0.1:{}",
        server(|mut stream, _| {
            thread::sleep(Duration::from_millis(200));
            let mut left = 16 << 20;
            let mut buffer = vec![0; 1 << 16];
            while left > 0 {
                left -= stream.read(&mut buffer).expect("the body comes").min(left);
            }
            let _ = stream.write_all(FINE);
        })
    ));
    let large = Request { verb: Verb::Post, body: Some(vec![b'x'; 16 << 20]), ..get("/") };
    assert_eq!(send(&client, &large).status(), Some(200));
}

#[test]
fn a_service_that_ended_between_two_calls_is_not_blamed_on_the_second() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("a bound address").port();
    let serving = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        read_request(&mut stream);
        let _ = stream.write_all(FINE);
    });
    let client = client(format!("http://127.0.0.1:{port}"));
    assert_eq!(send(&client, &get("/")).status(), Some(200));
    serving.join().expect("it answers once");
    let outcome = send(&client, &get("/")).outcome;
    assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
}

#[test]
fn what_was_cut_off_is_not_read_by_the_next_call() {
    let client = client(format!(
        "http://127.0.0.1:{}",
        server(|mut stream, _| {
            while let Some(request) = Some(read_request(&mut stream)).filter(|request| !request.is_empty()) {
                let length = if request.starts_with("GET /long") { 50_000 } else { 2 };
                let body = "x".repeat(length);
                let _ = stream.write_all(format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n{body}").as_bytes());
            }
        })
    ));
    for url in ["/long", "/", "/long", "/long", "/"] {
        let result = send(&client, &get(url));
        let answer = result.answer().expect("an answer");
        assert_eq!((answer.truncated, answer.body.len()), if url == "/" { (false, 2) } else { (true, 10_000) });
    }
}
