//! The bundled demo service: a small shop, in memory, the same on every start.
//!
//! `restive demo` starts it on loopback and fuzzes it; `e2e/tests/demo.rs` checks that the planted faults are found.
//! The entry point is [`serve`]; the README beside this crate's manifest lists what must be found.
//! It keeps no file, reads no clock and draws no random number: ids are sequential, answers depend on earlier calls only.

mod access;
mod answer;
mod customers;
mod date;
mod fields;
mod orders;
mod payments;
mod products;
mod reports;
mod shop;

#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tokio::net::TcpListener;

use crate::answer::Problem;
use crate::shop::Shop;

/// The service's OpenAPI 3.0 document as JSON text; the service answers it at [`OPENAPI_PATH`] too.
pub const OPENAPI: &str = include_str!("../openapi.json");

/// A Web Fuzzing Commons auth file (YAML) with both users of the service: `clerk` by fixed header, `admin` by login.
pub const AUTH: &str = include_str!("../auth.yaml");

/// Bearer token of the user `clerk`, always valid.
pub const CLERK_TOKEN: &str = "demo-clerk-token";

/// Bearer token of the user `admin`, always valid; `POST /login` hands it out.
pub const ADMIN_TOKEN: &str = "demo-admin-token";

/// Path of the OpenAPI document.
pub const OPENAPI_PATH: &str = "/openapi.json";

/// Path that a `POST` brings the service back to its first state by; it is not in the OpenAPI document and needs no token.
pub const RESET_PATH: &str = "/-/reset";

/// The shop as the handlers share it.
#[derive(Clone, Default)]
pub(crate) struct SharedShop(Arc<Mutex<Shop>>);

impl SharedShop {
    /// The shop for the time of one call; a handler that panicked leaves it usable.
    pub(crate) fn open(&self) -> MutexGuard<'_, Shop> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves the shop, in its first state, on that listener until the future is dropped.
///
/// # Errors
/// When the listener fails for good.
pub async fn serve(listener: TcpListener) -> std::io::Result<()> {
    axum::serve(listener, router()).await
}

/// All routes over a shop in its first state.
pub fn router() -> Router {
    Router::new()
        .route(OPENAPI_PATH, get(openapi))
        .route(RESET_PATH, post(reset))
        .route("/login", post(access::login))
        .route("/products", get(products::list).post(products::create))
        .route("/products/{product_id}", get(products::read).delete(products::delete))
        .route("/customers", post(customers::create))
        .route("/customers/{customer_id}", get(customers::read).patch(customers::change).delete(customers::delete))
        .route("/orders", get(orders::list).post(orders::create))
        .route("/orders/{order_id}", get(orders::read))
        .route("/orders/{order_id}/cancellation", post(orders::cancel))
        .route("/orders/{order_id}/payment", post(payments::pay))
        .route("/reports/sales", get(reports::sales))
        .fallback(|| async { Problem::NotFound("no such path") })
        .method_not_allowed_fallback(|| async { Problem::VerbNotAllowed })
        .with_state(SharedShop::default())
}

async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

async fn reset(axum::extract::State(shop): axum::extract::State<SharedShop>) -> StatusCode {
    *shop.open() = Shop::default();
    StatusCode::NO_CONTENT
}
