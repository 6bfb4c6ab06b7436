//! Versions, origins, other documents, servers and errors.

use std::io::{Read as _, Write as _};

use super::super::{Access, Error, Origin, load, load_with, parse};
use super::{api_of, sketch};
use crate::api::Direction;
use crate::exec::test_server::{answering, encrypted};

#[test]
fn errors_name_the_origin_and_have_a_hint() {
    for (text, expected) in [
        ("[1, 2", "`(text)` is neither JSON nor YAML: EOF while parsing a list at line 1 column 5"),
        ("<html></html>", "`(text)` is no OpenAPI or Swagger document: found text, wanted an object"),
        ("", "`(text)` is no OpenAPI or Swagger document: found nothing, wanted an object"),
        ("{}", "`(text)` is no OpenAPI or Swagger document: found neither `openapi` nor `swagger`"),
        ("{openapi: 4.0.0}", "`(text)` is no OpenAPI or Swagger document: found version `4.0.0`, wanted 2.0, 3.0 or 3.1"),
        ("{swaggerVersion: 1.2}", "`(text)` is no OpenAPI or Swagger document: found Swagger 1, wanted 2.0 or later"),
    ] {
        let error = parse(text, &Origin::Text).unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!error.hint().is_empty());
    }
    let error = load("/nonexistent/api.yaml").unwrap_err();
    assert!(matches!(&error, Error::Read { origin, .. } if origin == "/nonexistent/api.yaml"), "{error}");
    assert!(matches!(load(env!("CARGO_MANIFEST_DIR")), Err(Error::Read { .. })));
    assert!(matches!(load("http://"), Err(Error::Fetch { .. })));
}

#[test]
fn versions_are_read_as_text_or_number_and_may_be_missing() {
    for version in
        ["openapi: 3.0.0", "openapi: 3.1", "openapi: '3.2.0'", "swagger: 2.0", "swagger: '2.0'", "openapi: 3", "x: 1"]
    {
        let api = api_of(&format!("{{{version}, paths: {{/a: {{get: {{}}}}}}}}"));
        assert_eq!(api.operations.len(), 1, "{version}");
    }
}

#[test]
fn server_variables_are_filled_in() {
    let api = api_of(
        "{openapi: 3.0.0, servers: [{url: 'https://{host}:{port}/v1', variables: {host: {default: a.b}, port: {enum: [80], default: 8080}}}, {url: /v2}, {}], paths: {}}",
    );
    assert_eq!(api.servers, ["https://a.b:8080/v1", "/v2"]);
    let api = api_of("{swagger: 2.0, host: 'a.b:80', basePath: v1, schemes: [https, ws], paths: {}}");
    assert_eq!(api.servers, ["https://a.b:80/v1"]);
    let text = "{openapi: 3.0.0, servers: [{url: ./v1}], paths: {}}";
    let origin = Origin::of("http://127.0.0.1:1/docs/api.yaml").unwrap();
    assert_eq!(parse(text, &origin).unwrap().servers, ["http://127.0.0.1:1/docs/v1"]);
    let secret = Origin::of("http://user:secret@127.0.0.1:1/docs/api.yaml").unwrap();
    assert_eq!(parse(text, &secret).unwrap().servers, ["http://127.0.0.1:1/docs/v1"]);
    let text = "{swagger: 2.0, basePath: /v3, paths: {}}";
    assert_eq!(parse(text, &origin).unwrap().servers, ["http://127.0.0.1:1/v3"]);
}

#[test]
fn references_across_files_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    write(
        "api.yaml",
        "{openapi: 3.0.0, paths: {/a: {$ref: 'parts/a.yaml#/item'}, /b: {$ref: 'parts/none.yaml#/item'}}, components: {schemas: {Id: {type: integer}}}}",
    );
    write(
        "parts/a.yaml",
        "item: {post: {requestBody: {content: {application/json: {schema: {$ref: '#/schemas/A'}}}}, responses: {200: {content: {application/json: {schema: {$ref: b.json}}}}}}}\nschemas: {A: {properties: {id: {$ref: '../api.yaml#/components/schemas/Id'}, b: {$ref: b.json}}}}",
    );
    write("parts/b.json", r#"{"type":"string","maxLength":3}"#);
    let api = load(&folder.path().join("api.yaml").to_string_lossy()).unwrap();
    let found = sketch(&api);
    assert!(
        found.starts_with(
            "POST /a; body? application/json Json {id?: int, b?: str[0..3]}; -> Code(200)[application/json!]\nskipped /b"
        ),
        "{found}"
    );
    let fragment = api.operations[0].responses[0].media[0].json_schema.as_ref().unwrap();
    let validator = jsonschema::validator_for(&api.json_schemas.closure(fragment, Direction::Answer)).unwrap();
    assert!(validator.is_valid(&"abc".into()) && !validator.is_valid(&"abcd".into()));
    let validator =
        jsonschema::validator_for(&api.json_schemas.closure(&api.operations[0].bodies[0].json_schema, Direction::Request))
            .unwrap();
    assert!(validator.is_valid(&serde_json::json!({ "id": 1 })) && !validator.is_valid(&serde_json::json!({ "id": "1" })));
}

#[test]
fn anchors_in_other_files_are_followed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let body = |schema: &str| format!("requestBody: {{content: {{application/json: {{schema: {schema}}}}}}}");
    write(
        "api.yaml",
        &format!(
            "{{openapi: 3.1.0, paths: {{/a: {{post: {{{}}}}}, /b: {{post: {{{}}}}}}}, components: {{schemas: {{Id: {{$anchor: id, type: integer}}}}}}}}",
            body("{$ref: 'b.yaml#name'}"),
            body("{$ref: 'b.yaml#back'}"),
        ),
    );
    write("b.yaml", "$defs:\n  N: {$anchor: name, type: string, maxLength: 3}\n  B: {$anchor: back, $ref: 'api.yaml#id'}\n");
    let found = sketch(&load(&folder.path().join("api.yaml").to_string_lossy()).unwrap());
    assert!(found.contains("POST /a; body? application/json Json str[0..3]"), "{found}");
    assert!(found.contains("POST /b; body? application/json Json int"), "{found}");
}

/// Answers `n` connections with `answer`; returns the address.
fn serve(n: usize, answer: &'static str) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().take(n) {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 2048]).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    address
}

#[test]
fn documents_are_fetched_from_urls() {
    let body = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nopenapi: 3.0.0\nservers: [{url: /v1}]\npaths: {/a: {get: {}}}\n";
    let address = serve(1, body);
    let api = load(&format!("http://{address}/api.yaml")).unwrap();
    assert_eq!((api.operations.len(), api.servers[0].as_str()), (1, format!("http://{address}/v1").as_str()));
}

#[test]
fn only_the_server_that_header_fields_are_meant_for_is_sent_them() {
    let guarded = || {
        answering(|request| {
            if request.to_ascii_lowercase().contains("\r\nx-key: k\r\n") {
                ("200 OK".to_owned(), "{openapi: 3.0.0, paths: {/a: {$ref: 'a.yaml#/a'}}, a: {get: {}}}".to_owned())
            } else {
                ("401 Unauthorized".to_owned(), String::new())
            }
        })
    };
    let [port, other] = [guarded(), guarded()];
    let server = url::Url::parse(&format!("http://127.0.0.1:{port}/v1")).unwrap();
    let fields = [("x-key", "k")].map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
    let access = Access { any_certificate: false, fields: Some((server, fields.into_iter().collect())) };
    let api = load_with(&format!("http://127.0.0.1:{port}/api.yaml"), &access, &[]).unwrap();
    assert_eq!((api.operations.len(), &api.skipped[..]), (1, &[][..]), "nor is it left out for what is referred to");
    let refused = load_with(&format!("http://127.0.0.1:{other}/api.yaml"), &access, &[]).unwrap_err();
    assert!(matches!(refused, Error::Status { status: 401, .. }) && refused.hint().contains("--header"), "{refused}");
    let redirecting = answering(move |_| (format!("302 Found\r\nlocation: http://127.0.0.1:{port}/api.yaml"), String::new()));
    let server = url::Url::parse(&format!("http://127.0.0.1:{redirecting}/")).unwrap();
    let access = Access { fields: access.fields.map(|(_, fields)| (server.clone(), fields)), ..access };
    let redirected = load_with(server.as_str(), &access, &[]).unwrap_err();
    assert!(matches!(redirected, Error::Status { status: 302, .. }), "{redirected}");
}

#[test]
fn what_a_redirected_document_refers_to_is_meant_from_where_it_came_from() {
    let port = answering(|request| match request.split(' ').nth(1) {
        Some("/api-docs") => ("302 Found\r\nlocation: /docs/v1/api.yaml".to_owned(), String::new()),
        Some("/docs/v1/api.yaml") => {
            ("200 OK".to_owned(), "{openapi: 3.0.0, servers: [{url: ../v1}], paths: {/a: {$ref: 'a.yaml#/a'}}}".to_owned())
        }
        Some("/docs/v1/a.yaml") => ("200 OK".to_owned(), "a: {get: {}}".to_owned()),
        _ => ("404 Not Found".to_owned(), String::new()),
    });
    let api = load(&format!("http://127.0.0.1:{port}/api-docs")).unwrap();
    assert_eq!((api.operations.len(), &api.skipped[..]), (1, &[][..]));
    assert_eq!(api.servers, [format!("http://127.0.0.1:{port}/docs/v1")]);
}

#[test]
fn bad_answers_and_unreachable_servers_are_typed_errors() {
    let address = serve(1, "HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    assert!(matches!(load(&format!("http://{address}/")), Err(Error::Status { status: 404, .. })));
    let address =
        serve(1, "HTTP/1.1 302 Found\r\nlocation: http://elsewhere.invalid/\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    assert!(matches!(load(&format!("http://{address}/")), Err(Error::Status { status: 302, .. })));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = load(&format!("http://{closed}/")).unwrap_err();
    assert_eq!(error.to_string(), format!("cannot fetch `http://{closed}/`: connection refused"));
    let error = load("http://no-such-host.invalid/api.yaml").unwrap_err().to_string();
    assert!(error.starts_with("cannot fetch `http://no-such-host.invalid/api.yaml`: ") && error.len() < 120, "{error}");
}

#[test]
fn certificates_that_nobody_signed_are_accepted_only_when_all_are() {
    let port = encrypted("HTTP/1.1 200 OK\r\ncontent-length: 40\r\n\r\n{openapi: 3.0.0, paths: {/a: {get: {}}}}");
    let url = format!("https://127.0.0.1:{port}/api.yaml");
    assert_eq!(load_with(&url, &Access { any_certificate: true, fields: None }, &[]).unwrap().operations.len(), 1);
    match load(&url).unwrap_err() {
        error @ Error::Tls { .. } => assert!(error.hint().contains("--insecure"), "{error}"),
        // A machine without any certificates cannot even start to verify.
        error => assert!(matches!(error, Error::Fetch { .. }), "{error}"),
    }
}

#[test]
fn other_hosts_are_not_asked_for_referred_documents() {
    let origin = Origin::of("http://127.0.0.1:1/api.yaml").unwrap();
    let text = "{openapi: 3.0.0, paths: {/a: {$ref: 'http://elsewhere.invalid/a.yaml'}}}";
    let api = parse(text, &origin).unwrap();
    assert_eq!(api.skipped[0].reason, "`http://elsewhere.invalid/a.yaml#` lies where nothing is fetched from");
}
