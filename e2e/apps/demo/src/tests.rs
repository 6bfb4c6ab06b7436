//! The service as a caller sees it: direct calls of the router.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{ADMIN_TOKEN, CLERK_TOKEN, OPENAPI, RESET_PATH, router};

/// A shop in its first state with the token that calls carry.
struct Caller {
    router: Router,
    token: Option<&'static str>,
}

struct Reply {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

impl Caller {
    fn new(token: Option<&'static str>) -> Self {
        Self { router: router(), token }
    }

    fn as_user(&self, token: Option<&'static str>) -> Self {
        Self { router: self.router.clone(), token }
    }

    async fn send(&self, verb: &str, path: &str, body: impl Into<Body>) -> Reply {
        let mut request = Request::builder().method(verb).uri(path);
        if let Some(token) = self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let response = self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let body = if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes).unwrap() };
        Reply { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, Body::empty()).await
    }

    async fn post(&self, path: &str, body: Value) -> Reply {
        self.send("POST", path, body.to_string()).await
    }

    /// Path of a new order of a new customer of that level.
    async fn order(&self, level: &str) -> String {
        let customer = self.post("/customers", json!({"name": "Ada", "email": "ada@example.com", "level": level})).await;
        let order = self.post("/orders", new_order(&customer.body["id"])).await;
        assert_eq!(order.status, 201, "{}", order.body);
        order.headers["location"].to_str().unwrap().to_owned()
    }
}

fn new_order(customer_id: &Value) -> Value {
    json!({"customerId": customer_id, "lines": [{"productId": 11, "quantity": 2}], "deliveryDate": "2026-05-01"})
}

/// Whether a body matches a named schema of the OpenAPI document.
fn matches(schema: &str, body: &Value) -> bool {
    let mut document: Value = serde_json::from_str(OPENAPI).unwrap();
    document["$ref"] = json!(format!("#/components/schemas/{schema}"));
    jsonschema::options().should_validate_formats(true).build(&document).unwrap().is_valid(body)
}

#[tokio::test]
async fn login_hands_out_the_token_of_the_user() {
    let caller = Caller::new(None);
    let login = caller.post("/login", json!({"username": "admin", "password": "admin-secret"})).await;
    assert_eq!((login.status, &login.body), (200, &json!({"token": ADMIN_TOKEN, "role": "admin"})));
    assert_eq!(caller.post("/login", json!({"username": "admin", "password": "x"})).await.status, 401);
    assert_eq!(caller.post("/login", json!({"username": "admin"})).await.status, 422);
    assert_eq!(caller.send("POST", "/login", "{").await.status, 400);
}

#[tokio::test]
async fn calls_without_token_are_refused_and_clerks_do_not_change_the_range() {
    let product = json!({"name": "Go Board", "category": "game", "priceCents": 4990});
    let nobody = Caller::new(None);
    assert_eq!(nobody.get("/orders").await.status, 401);
    assert_eq!(nobody.as_user(Some("guess")).get("/orders").await.status, 401);
    assert_eq!(nobody.as_user(Some(CLERK_TOKEN)).post("/products", product.clone()).await.status, 403);
    let made = nobody.as_user(Some(ADMIN_TOKEN)).post("/products", product).await;
    assert_eq!((made.status, made.headers["location"].to_str().unwrap()), (201, "/products/15"));
    assert_eq!(nobody.get("/products/15").await.body["currency"], "EUR");
}

#[tokio::test]
async fn lists_filter_sort_and_cut() {
    let caller = Caller::new(None);
    let names = |reply: &Reply| reply.body.as_array().unwrap().iter().map(|p| p["id"].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(names(&caller.get("/products?category=book&sort=price").await), [11, 14]);
    assert_eq!(names(&caller.get("/products?maxPriceCents=4000&sort=name").await), [12, 11]);
    let cut = caller.get("/products?limit=1").await;
    assert_eq!((names(&cut), cut.headers["x-total-count"].to_str().unwrap()), (vec![11], "4"));
    for query in ["category=food", "limit=0", "limit=x", "maxPriceCents=-1", "sort="] {
        assert_eq!(caller.get(&format!("/products?{query}")).await.status, 400, "{query}");
    }
}

#[tokio::test]
async fn the_base_range_stays_and_other_products_go() {
    let caller = Caller::new(Some(ADMIN_TOKEN));
    caller.post("/products", json!({"name": "Go Board", "category": "game", "priceCents": 1})).await;
    let mut statuses = Vec::new();
    for path in ["/products/11", "/products/15", "/products/15", "/products/none"] {
        statuses.push(caller.send("DELETE", path, "").await.status);
    }
    assert_eq!(statuses, [409, 204, 404, 400]);
}

#[tokio::test]
async fn fields_that_break_their_rules_are_named() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    for (field, value) in [
        ("name", json!("")),
        ("email", json!("ada")),
        ("level", json!("platinum")),
        ("birthday", json!("2025-02-29")),
        ("phone", json!("123")),
        ("name", Value::Null),
    ] {
        let mut customer = json!({"name": "Ada", "email": "ada@example.com"});
        customer[field] = value;
        let reply = caller.post("/customers", customer).await;
        assert_eq!((reply.status, &reply.body["field"]), (422, &json!(field)), "{}", reply.body);
        assert!(matches("Error", &reply.body));
    }
}

#[tokio::test]
async fn an_order_needs_a_customer_a_product_and_stock() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    assert_eq!(caller.post("/orders", new_order(&json!(1001))).await.status, 422);
    caller.post("/customers", json!({"name": "Ada", "email": "ada@example.com"})).await;
    let made = caller.post("/orders", new_order(&json!(1001))).await;
    assert_eq!((made.status, made.body["totalCents"].as_u64()), (201, Some(2 * 3_990 + 490)));
    assert!(matches("Order", &made.body));
    for (product_id, quantity, status) in [(14, 1, 409), (99, 1, 422), (11, 21, 422)] {
        let mut order = new_order(&json!(1001));
        order["lines"][0] = json!({"productId": product_id, "quantity": quantity});
        assert_eq!(caller.post("/orders", order).await.status, status);
    }
    assert_eq!(caller.send("DELETE", "/customers/1001", "").await.status, 409);
    assert!(matches("OrderSummary", &caller.get("/orders?customerId=1001&status=open").await.body[0]));
}

#[tokio::test]
async fn changes_replace_what_they_name_and_null_removes_the_phone() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    caller.post("/customers", json!({"name": "Ada", "email": "ada@example.com", "phone": "+49123456"})).await;
    let changed = caller.send("PATCH", "/customers/1001", r#"{"level": "gold"}"#).await;
    assert_eq!((&changed.body["level"], &changed.body["phone"]), (&json!("gold"), &json!("+49123456")));
    let changed = caller.send("PATCH", "/customers/1001", r#"{"phone": null}"#).await;
    assert!(changed.body.get("phone").is_none() && matches("Customer", &changed.body));
    assert_eq!(caller.send("DELETE", "/customers/1001", "").await.status, 204);
    assert_eq!(caller.get("/customers/1001").await.status, 404);
}

/// Planted fault 1: all three of invoice, zero instalments and a customer that may pay so are needed.
#[tokio::test]
async fn an_invoice_in_zero_instalments_is_a_server_error() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    for (level, method, instalments, status) in [
        ("gold", "invoice", 0, 500),
        ("silver", "invoice", 0, 500),
        ("basic", "invoice", 0, 409),
        ("gold", "invoice", 1, 200),
        ("gold", "card", 0, 200),
        ("gold", "voucher", 0, 422),
    ] {
        let path = format!("{}/payment", caller.order(level).await);
        let reply = caller.post(&path, json!({"method": method, "instalments": instalments})).await;
        assert_eq!(reply.status, status, "{level} {method} {instalments}: {}", reply.body);
        assert_eq!(matches("Payment", &reply.body), status == 200);
    }
}

/// Planted fault 2: only reading an order after it was cancelled shows it.
#[tokio::test]
async fn a_cancelled_order_breaks_its_schema() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    let path = caller.order("basic").await;
    assert!(matches("Order", &caller.get(&path).await.body));
    assert_eq!(caller.post(&format!("{path}/cancellation"), json!({"reason": "never"})).await.status, 422);
    assert_eq!(caller.post(&format!("{path}/cancellation"), json!({"reason": "other"})).await.status, 204);
    assert!(!matches("Order", &caller.get(&path).await.body));
    assert_eq!(caller.post(&format!("{path}/payment"), json!({"method": "card"})).await.status, 409);
    assert_eq!(caller.post(&format!("{path}/cancellation"), json!({"reason": "other"})).await.status, 409);
}

#[tokio::test]
async fn the_report_counts_paid_orders_of_its_range() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    let path = caller.order("basic").await;
    caller.post(&format!("{path}/payment"), json!({"method": "card"})).await;
    let report = caller.get("/reports/sales?from=2026-05-01&to=2026-05-02").await;
    assert_eq!((&report.body["paidOrders"], &report.body["days"]), (&json!(1), &json!(2)));
    assert_eq!(caller.get("/reports/sales?from=2026-05-02&to=2026-05-02").await.body["paidOrders"], 0);
    for (query, status) in [
        ("from=2026-05-02&to=2026-05-01", 422),
        ("from=2000-01-01&to=2020-01-01", 422),
        ("from=2026-05-02", 400),
        ("from=today&to=2026-05-01", 400),
    ] {
        assert_eq!(caller.get(&format!("/reports/sales?{query}")).await.status, status, "{query}");
    }
}

#[tokio::test]
async fn a_large_report_takes_its_time() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    let start = std::time::Instant::now();
    assert_eq!(caller.get("/reports/sales?from=2016-01-01&to=2025-12-31").await.status, 200);
    assert!(start.elapsed().as_millis() >= 365);
}

#[tokio::test]
async fn reset_brings_the_first_state_back() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    let first = caller.order("basic").await;
    assert_eq!(caller.send("POST", RESET_PATH, "").await.status, 204);
    assert_eq!(caller.get(&first).await.status, 404);
    assert_eq!(caller.order("basic").await, first);
}

#[tokio::test]
async fn unknown_paths_and_verbs_are_refused_in_the_common_form() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    for (verb, path, status) in [("GET", "/nowhere", 404), ("DELETE", "/customers/", 404), ("PUT", "/orders", 405)] {
        let reply = caller.send(verb, path, "").await;
        assert_eq!(reply.status, status, "{verb} {path}");
        assert!(matches("Error", &reply.body));
    }
}

#[tokio::test]
async fn broken_bodies_and_ids_are_unreadable() {
    let caller = Caller::new(Some(CLERK_TOKEN));
    for body in [b"\xff\xfe".to_vec(), b"[]".to_vec(), Vec::new(), vec![b' '; 70_000]] {
        assert_eq!(caller.send("POST", "/customers", body).await.status, 400);
    }
    for path in ["/orders/0", "/orders/%ff", "/orders/a%2Fb", "/orders/99999999999999999999", "/customers/-1"] {
        assert_eq!(caller.get(path).await.status, 400, "{path}");
    }
}

#[tokio::test]
async fn every_documented_operation_has_a_route() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let caller = Caller::new(None);
    let mut operations = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        let path = path.replace("{productId}", "11").replace("{customerId}", "1").replace("{orderId}", "1");
        for (verb, operation) in item.as_object().unwrap().iter().filter(|(key, _)| *key != "parameters") {
            let reply = caller.send(&verb.to_uppercase(), &path, "").await;
            assert!(operation["responses"].get(reply.status.to_string()).is_some(), "{verb} {path}: {}", reply.status);
            operations += 1;
        }
    }
    assert_eq!(operations, 15);
}

#[tokio::test]
async fn the_document_is_served() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    assert_eq!(Caller::new(None).get(crate::OPENAPI_PATH).await.body, document);
}
