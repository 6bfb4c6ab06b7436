//! Users against services that log them in, refuse them, forget them and create them.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Arc, Mutex};

use crate::action::{Request, UserIdx};
use crate::api::{OperationIdx, Verb};
use crate::exec::test_server::{answering, client_of};
use crate::exec::{AuthFile, AuthSettings, Client, Error};

use super::Users;

fn client(port: u16) -> Client {
    client_of(format!("http://127.0.0.1:{port}/api"))
}

fn users(yaml: &str) -> Users {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("auth.yaml");
    fs::write(&path, yaml).expect("a writable folder");
    Users::load(&AuthSettings { file: Some(AuthFile::Path(path)), ..AuthSettings::default() }, 1)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What a call with the credentials of user 0 looks like on the wire, in lower case.
fn sent(users: &mut Users, client: &Client) -> String {
    let credentials = users.credentials(UserIdx(0), client).unwrap_or_else(|error| panic!("{error}"));
    let request = Request {
        operation_idx: OperationIdx(0),
        verb: Verb::Get,
        url: "/echo".into(),
        headers: vec![],
        body: None,
        user: None,
    };
    let result = client.send(&request, Some(&credentials), &mut || {});
    String::from_utf8_lossy(&result.answer().expect("an answer").body).to_lowercase()
}

/// A service that records logins, answers them with `login`, and echoes every other call.
fn service(login: &'static str) -> (u16, Arc<Mutex<Vec<String>>>) {
    let logins = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&logins);
    let port = answering(move |request| {
        if request.contains("/echo") {
            return ("200 OK".to_owned(), request.to_owned());
        }
        seen.lock().unwrap().push(request.to_owned());
        let (head, body) = login.split_once('|').unwrap();
        (head.to_owned(), body.to_owned())
    });
    (port, logins)
}

#[test]
fn flags_make_users_with_fixed_headers() {
    let (port, logins) = service("|");
    let settings = |bearer: &str, basic: &str| AuthSettings {
        file: None,
        bearer: (!bearer.is_empty()).then(|| bearer.to_owned()),
        basic: (!basic.is_empty()).then(|| basic.to_owned()),
    };
    let mut both = Users::load(&settings("t0k", "anna:geheim"), 1).unwrap();
    assert_eq!(both.names().collect::<Vec<_>>(), ["bearer", "basic"]);
    assert!(sent(&mut both, &client(port)).contains("authorization: bearer t0k\r\n"));
    let mut basic = Users::load(&settings("", "anna:geheim"), 1).unwrap();
    assert!(sent(&mut basic, &client(port)).contains("authorization: basic yw5uytpnzwhlaw0=\r\n"));
    assert!(matches!(Users::load(&settings("", "anna"), 1), Err(Error::AuthSettings { .. })));
    let unsendable = Users::load(&settings("a\nb", ""), 1).expect_err("a line break cannot be sent");
    assert!(!format!("{unsendable:?} {both:?}").contains("t0k") && logins.lock().unwrap().is_empty());
}

#[test]
fn a_token_from_the_body_is_sent_by_its_template_and_the_login_happens_once() {
    let (port, logins) = service("200 OK\r\ncontent-type: application/json|{\"a\":{\"t\":123}}");
    let mut users = users(
        "
auth:
  - name: foo
    fixedHeaders: [{name: X-Tenant, value: acme}]
    loginEndpointAuth:
      endpoint: /login
      verb: POST
      contentType: application/json
      headers: [{name: X-Client, value: web}]
      payloadUserPwd: {username: foo, password: 456, usernameField: u, passwordField: p}
      token: {extractFrom: body, extractSelector: /a/t, sendIn: header, sendName: Authorization, sendTemplate: 'JWT {token}!'}
",
    );
    let client = client(port);
    for _ in 0..3 {
        let call = sent(&mut users, &client);
        assert!(call.contains("authorization: jwt 123!\r\n") && call.contains("x-tenant: acme\r\n"), "{call}");
    }
    let logins = logins.lock().unwrap();
    assert_eq!(logins.len(), 1);
    assert!(logins[0].starts_with("POST /login HTTP/1.1\r\n") && logins[0].contains("x-client: web"), "{}", logins[0]);
    assert!(logins[0].ends_with("{\"u\":\"foo\",\"p\":\"456\"}"), "{}", logins[0]);
}

#[test]
fn tokens_come_from_headers_too_and_go_into_the_query() {
    let (port, _) = service("204 No Content\r\nx-token: a b&c|");
    let mut users = users(
        "auth: [{name: a, loginEndpointAuth: {endpoint: /l, verb: GET,
          token: {extractFrom: header, extractSelector: X-Token, sendIn: query, sendName: key}}}]",
    );
    let call = sent(&mut users, &client(port));
    assert!(call.starts_with("get /api/echo?key=a+b%26c http/1.1"), "{call}");
}

#[test]
fn token_fields_of_early_releases_are_understood() {
    let (port, _) = service("200 OK|{\"t\":\"x\"}");
    let mut users = users(
        "auth: [{name: a, loginEndpointAuth: {endpoint: /l, verb: POST, payloadRaw: '{}',
          token: {extractFromField: /t, httpHeaderName: Authorization, headerPrefix: 'Bearer '}}}]",
    );
    assert!(sent(&mut users, &client(port)).contains("authorization: bearer x\r\n"));
}

#[test]
fn tokens_of_a_header_with_text_around_them_are_understood_as_in_early_releases() {
    let (port, _) = service("200 OK\r\nx-auth-token: abc|{}");
    let token = "extractFromHeader: X-Auth-Token, httpHeaderName: Authorization, headerPrefix: 'Token \"', headerPostfix: '\"'";
    let mut users = users(&format!("auth: [{{name: a, loginEndpointAuth: {{endpoint: /l, verb: POST, token: {{{token}}}}}}}]"));
    assert!(sent(&mut users, &client(port)).contains("authorization: token \"abc\"\r\n"));
}

#[test]
fn cookies_of_a_form_login_that_redirects_are_kept() {
    let (port, logins) = service("302 Found\r\nlocation: /\r\nset-cookie: sid=1; Path=/\r\nset-cookie: csrf=2|");
    let mut users = users(
        "auth: [{name: a, loginEndpointAuth: {endpoint: login, verb: POST, expectCookies: true,
          contentType: application/x-www-form-urlencoded,
          payloadUserPwd: {username: 'a&b', password: p q, usernameField: u, passwordField: p}}}]",
    );
    assert!(sent(&mut users, &client(port)).contains("cookie: sid=1; csrf=2\r\n"));
    assert!(logins.lock().unwrap()[0].ends_with("u=a%26b&p=p+q"));
}

#[test]
fn an_endpoint_may_be_below_the_base_path_or_on_another_server() {
    let below = answering(|request| match request.split(' ').nth(1) {
        Some("/api/login") => ("200 OK\r\nset-cookie: a=1".to_owned(), String::new()),
        Some("/api/echo") => ("200 OK".to_owned(), request.to_owned()),
        _ => ("404 Not Found".to_owned(), String::new()),
    });
    let mut same = users("auth: [{name: a, loginEndpointAuth: {endpoint: /login, verb: POST, expectCookies: true}}]");
    assert!(sent(&mut same, &client(below)).contains("cookie: a=1\r\n"));
    let (other, logins) = service("200 OK\r\nset-cookie: b=2|");
    let mut elsewhere = users(&format!(
        "auth: [{{name: a, loginEndpointAuth: {{externalEndpointURL: 'http://127.0.0.1:{other}/t?k=s3cret', verb: POST,
          expectCookies: true}}}}]"
    ));
    assert!(sent(&mut elsewhere, &client(below)).contains("cookie: b=2\r\n"));
    assert!(logins.lock().unwrap()[0].starts_with("POST /t?k=s3cret "));
}

#[test]
fn refused_logins_name_user_and_status_but_no_secret_and_are_given_up() {
    let (port, logins) = service("401 Unauthorized|s3cret is wrong");
    let mut users = users(
        "auth: [{name: foo, loginEndpointAuth: {endpoint: '/login?k=s3cret', verb: POST, payloadRaw: s3cret, expectCookies: true}}]",
    );
    let client = client(port);
    for _ in 0..10 {
        let error = users.credentials(UserIdx(0), &client).expect_err("the login is refused");
        let shown = format!("{error} {error:?} {users:?}");
        assert!(shown.contains("foo") && !shown.contains("s3cret"), "{shown}");
    }
    assert_eq!(logins.lock().unwrap().len(), 3);
    users.forget();
    let error = users.credentials(UserIdx(0), &client).expect_err("the login is refused");
    assert_eq!(error.to_string(), "cannot log in user `foo` at `/login`: status 401, wanted 2xx");
}

#[test]
fn answers_without_the_token_say_what_is_missing() {
    let token = |fields: &str| format!("auth: [{{name: a, loginEndpointAuth: {{endpoint: /l, verb: POST, {fields}}}}}]");
    let body = token("token: {extractFrom: body, extractSelector: /t, sendIn: header, sendName: X}");
    let header = token("token: {extractFrom: header, extractSelector: X-T, sendIn: header, sendName: X}");
    let cases = [
        ("200 OK|plain", &body, "its body is not JSON"),
        ("200 OK|{}", &body, "nothing at `/t`"),
        ("200 OK|{\"t\":{}}", &body, "no text at `/t`"),
        ("200 OK|{\"t\":\"\"}", &body, "the token is empty"),
        ("200 OK|", &header, "no header `X-T`"),
        ("200 OK|", &token("expectCookies: true"), "sets no cookie"),
    ];
    for (answer, yaml, wanted) in cases {
        let (port, _) = service(answer);
        let message = users(yaml).credentials(UserIdx(0), &client(port)).expect_err(wanted).to_string();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn a_401_after_a_success_renews_the_login_but_not_for_ever() {
    let (port, logins) = service("200 OK\r\nset-cookie: a=1|");
    let mut users = users("auth: [{name: a, loginEndpointAuth: {endpoint: /l, verb: POST, expectCookies: true}}]");
    let client = client(port);
    let user = UserIdx(0);
    users.credentials(user, &client).unwrap();
    assert!(!users.has_expired(user, 401), "nothing worked before");
    assert!(!users.has_expired(user, 200));
    assert!(users.has_expired(user, 401));
    users.credentials(user, &client).unwrap();
    assert!(!users.has_expired(user, 200));
    assert_eq!(logins.lock().unwrap().len(), 2);
    // An operation that always refuses this user, between others that work.
    let renewals = (0..50).filter(|_| {
        let renews = users.has_expired(user, 401);
        if renews {
            assert!(!users.has_expired(user, 401));
        }
        assert!(!users.has_expired(user, 200));
        renews
    });
    assert_eq!(renewals.count(), 3);
    // A real expiry is noticed in the end.
    assert!((0..20).any(|_| users.has_expired(user, 401)));
}

#[test]
fn users_are_created_with_unique_names_and_again_after_a_reset() {
    let known = Arc::new(Mutex::new(BTreeSet::new()));
    let server = Arc::clone(&known);
    let port = answering(move |request| {
        let body = request.split("\r\n\r\n").nth(1).unwrap_or_default().to_owned();
        let mut known = server.lock().unwrap();
        let head = match request.split(' ').nth(1) {
            Some("/users") if known.len() < 2 && !known.contains("seen") => {
                // The first name is taken.
                known.insert("seen".to_owned());
                "409 Conflict"
            }
            Some("/users") if known.insert(body.clone()) => "201 Created",
            Some("/users") => "409 Conflict",
            Some("/login") if known.contains(&body) => "200 OK\r\nset-cookie: sid=1",
            Some("/api/echo") => return ("200 OK".to_owned(), request.to_owned()),
            _ => "403 Forbidden",
        };
        (head.to_owned(), String::new())
    });
    let mut users = users(
        "
auth:
  - name: created
    fixedHeaders: [{name: X-User, value: '{$name}'}]
    createUsers:
      {endpoint: /users, verb: POST, contentType: application/json, payloadRaw: '{\"n\": \"{$name}\", \"mail\": \"{$mail}\"}',
       generators: [{placeHolder: '{$name}', prefix: u_, minLength: 12, maxLength: 12},
                    {placeHolder: '{$mail}', postfix: '@example.com'}]}
    loginEndpointAuth:
      {endpoint: /login, verb: POST, payloadRaw: '{\"n\": \"{$name}\", \"mail\": \"{$mail}\"}', expectCookies: true}
",
    );
    let client = client(port);
    let call = sent(&mut users, &client);
    let name = |call: &str| call.lines().find_map(|line| line.strip_prefix("x-user: ")).unwrap_or_default().to_owned();
    let first = name(&call);
    assert!(first.starts_with("u_") && first.len() == 12 && call.contains("cookie: sid=1"), "{call}");
    // Still known: creation is refused, the login works.
    users.forget();
    assert_eq!(name(&sent(&mut users, &client)), first);
    // Wiped: the same user is created again.
    known.lock().unwrap().retain(|name| name == "seen");
    users.forget();
    assert_eq!(name(&sent(&mut users, &client)), first);
    assert_eq!(known.lock().unwrap().len(), 2);
}
