//! Faults: what the service answers wrongly today.
//!
//! The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its
//! test fails: expect the right status and body then, and keep the test.

use restive_suite::{Service, url_part};

// GET /orders/{id}: server error (status 500) - the answer is 500.
// Shows F1.
// Covers Orders:31, 32, 33, 34, 35, 36 and 1 more.
// Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
#[tokio::test]
async fn post_orders_then_get_orders_by_id_wrongly_returns_500() {
    let service = Service::ready().await;

    // POST /orders
    let response = service
        .post("/orders")
        .json(concat!(
            r#"{"item":"book","quantity":2,"note":"as a gift, please wrap it well","tags":["a","b"],"#,
            r#""price":9.5}"#,
        ))
        .send()
        .await;
    assert_eq!(response.status, 201);
    assert_eq!(response.media_type(), "application/json");
    assert_eq!(response.header("cache-control"), Some("no-store, private"));
    assert!(response.header("location").is_some());
    let body = response.json();
    assert_eq!(body.text("/item"), "book");
    assert_eq!(body.integer("/quantity"), 2);
    assert_eq!(body.number("/price"), 9.5);
    assert_eq!(body.number("/total"), 1.2345678901234568e21);
    assert!(body.is_number("/id"));
    assert!(body.is_number("/rate"));
    assert_eq!(body.integer("/count"), 9007199254740993);
    assert_eq!(body.array("/lines").len(), 1);
    assert!(body.boolean("/lines/0/open"));
    assert_eq!(body.text("/lines/0/0"), "key that looks like a position");
    assert!(body.array("/history").is_empty());
    assert!(body.is_uuid("/key"));
    assert!(body.is_date_time("/made"));
    assert_eq!(body.texts("/labels"), ["new", "paid"]);
    assert_eq!(body.integers("/counts"), [2, 10]);
    assert!(body.is_null("/paid"));
    let order_id = body.scalar("/id");

    // GET /orders/{id}
    let response = service.get(&format!("/orders/{}", url_part(&order_id))).send().await;
    assert_eq!(response.status, 500);
}

// What `post_drop_wrongly_breaks_the_connection` is about.
// Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
#[tokio::test]
async fn post_drop_wrongly_breaks_the_connection() {
    let service = Service::ready().await;

    let result = service.post("/drop").header("X-One", "1").try_send().await;
    assert!(result.is_err());
}
