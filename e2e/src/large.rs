//! A `results.json` as large as a report must bear: a thousand operations, ten thousand tests.

use serde_json::{Value, json};

/// Results of that many operations and tests, of 300 findings and of a class for every other operation; no two parts are
/// quite alike, and nothing is left to chance.
pub fn large_results(n_operations: usize, n_tests: usize) -> Value {
    let ids: Vec<String> = (0..n_operations).map(operation_id).collect();
    let tests: Vec<Value> = (0..n_tests).map(|idx| test(idx, &ids)).collect();
    json!({
        "format_version": 1,
        "restive_version": "0.1.0",
        "configuration": { "sut.url": { "value": "http://127.0.0.1:8080", "origin": "flag" } },
        "run": {
            "rng_seed": 1, "budget": "100000 calls", "calls": 100_000, "seconds": 1234.5, "calls_per_second": 81.0, "sut_restarts": 0,
            "connections_opened": 3, "connections_closed": {}, "connections_given_up": 0, "ended_by": "budget", "unstable_tests": 0, "unstable_causes": [],
            "untried_tests": 0, "unproven_tests": 0, "deadly_tests": 0, "title": "Large", "base_url": "http://127.0.0.1:8080", "users": 0,
            "schema_repairs": 0, "unsupported_keywords": {}, "unchecked": {},
            "hints": { "arrived": {}, "inputs": 0 }, "expansions": { "found": {}, "inputs": [], "unused": 0 },
        },
        "operations": ids.iter().enumerate().map(|(idx, id)| operation(idx, id)).collect::<Vec<_>>(),
        "findings": (0..300.min(n_tests)).map(|idx| finding(idx, &ids)).collect::<Vec<_>>(),
        "coverage": {
            "driver": "agent", "lines": covered(30_000), "branches": covered(9_000), "replacements": covered(3_000),
            "targets": 20_000, "classes": n_operations / 2, "skipped_classes": [], "classes_skipped": 0,
            "per_class": (0..n_operations / 2).map(class).collect::<Vec<_>>(),
        },
        "tests": tests,
        "curve": (0..1000).map(point).collect::<Vec<_>>(),
    })
}

fn operation_id(idx: usize) -> String {
    let verb = ["GET", "POST", "PUT", "DELETE"][idx % 4];
    format!("{verb} /api/v1/resource{idx}/{{id}}/part{}", idx % 37)
}

fn operation(idx: usize, id: &str) -> Value {
    let (method, path) = id.split_once(' ').unwrap_or_default();
    let statuses: serde_json::Map<String, Value> = ["200", "400", "401", "404", "500"]
        .into_iter()
        .enumerate()
        .filter(|(at, _)| !(idx + at).is_multiple_of(3))
        .map(|(at, status)| (status.to_owned(), json!(idx * 7 % 500 + at + 1)))
        .collect();
    json!({ "id": id, "method": method, "path": path, "statuses": statuses })
}

fn class_name(idx: usize) -> String {
    format!("com.acme.shop.area{}.Service{idx}", idx / 25)
}

fn covered(total: usize) -> Value {
    json!({ "covered": total * 2 / 3, "covered_at_boot": 0, "covered_in_background": 0, "total": total })
}

fn class(idx: usize) -> Value {
    json!({
        "name": class_name(idx), "lines": covered(200 + idx % 50), "branches": covered(40), "replacements": covered(9),
        "reached_lines": "3-90,95-120", "missed_lines": "91-94,121-200", "partly_lines": "60,70",
    })
}

fn point(idx: usize) -> Value {
    json!({
        "calls": idx * 100, "seconds": idx as f64 * 1.2, "targets": idx * 20, "lines": idx * 20, "branches": idx * 6,
        "findings": idx / 4,
    })
}

fn finding(idx: usize, ids: &[String]) -> Value {
    let statement = format!("{}:{}", class_name(idx % (ids.len() / 2).max(1)), idx + 1);
    let operation = &ids[idx * 13 % ids.len()];
    let trace: Vec<String> = (0..25).map(|line| format!("com.acme.Shop.sell{line}(Shop.java:{line})")).collect();
    let curl = format!("curl -sS -i 'http://127.0.0.1:8080/{idx}' --data-raw '{}'", "z".repeat(300));
    let request = json!({ "operation": operation, "url": format!("http://127.0.0.1:8080/{idx}"), "curl": curl });
    json!({
        "id": format!("F100-{idx:08x}"), "code": 100, "title": "server error (status 500)", "operation": operation,
        "message": format!("status 500 at {statement}"), "count": idx + 1, "confirmed": true, "confirmation": "confirmed",
        "statement": statement, "last_statement": statement, "curl": curl, "tests": [test_name(idx)],
        "requests": [request, request, request],
        "exceptions": [{
            "kind": "uncaught", "type": "java.lang.IllegalStateException", "message": "the till is shut", "statement": statement,
            "trace": trace,
        }],
    })
}

fn test_name(idx: usize) -> String {
    format!("get_resource_{idx}_returns_200")
}

fn test(idx: usize, ids: &[String]) -> Value {
    let call = |at: usize| {
        let status = [200, 201, 400, 404, 500][(idx + at) % 5];
        let operation = &ids[(idx * 31 + at * 7) % ids.len()];
        json!({
            "operation": operation,
            "url": format!("http://127.0.0.1:8080/api/v1/resource?limit={idx}&at={at}"),
            "status": status,
            "body": format!("{{\"id\":{idx},\"html\":\"<p>{}</p>\"}}", "x".repeat(idx * 17 % 900)),
            "request_body": format!("{{\"name\":\"{}\"}}", "y".repeat(200)),
        })
    };
    let targets: Vec<String> =
        (0..5).map(|at| format!("branch:{}:{}:0:then", class_name((idx + at) % 500), idx * 7 % 900)).collect();
    json!({
        "name": test_name(idx),
        "files": ["suite/pytest/test_other.py", "suite/junit-java/src/test/java/restive/OtherTest.java"],
        "targets": targets,
        "findings": [],
        "calls": (0..=idx % 4).map(call).collect::<Vec<_>>(),
    })
}
