//! The sales report: the service's slow path, for its time grows with the range asked for.

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use crate::SharedShop;
use crate::access::role;
use crate::answer::{Answer, Problem, found};
use crate::date::Date;
use crate::fields::Parameters;
use crate::shop::{Order, Status};

/// Ten years with their leap days.
const MAX_DAYS: u32 = 3653;

/// The report takes a millisecond for that many days, so 0 to 365 ms.
const DAYS_A_MILLISECOND: u32 = 10;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SalesReport {
    from: Date,
    to: Date,
    days: u32,
    paid_orders: usize,
    total_cents: u64,
}

/// `GET /reports/sales`
pub(crate) async fn sales(State(shop): State<SharedShop>, headers: HeaderMap, parameters: Parameters) -> Answer {
    role(&headers)?;
    let from = parameters.date("from")?;
    let to = parameters.date("to")?;
    if to < from {
        return Err(Problem::invalid("to", "must not lie before `from`"));
    }
    let days = to.day_number() - from.day_number() + 1;
    if days > MAX_DAYS {
        return Err(Problem::invalid("to", format!("the range may have {MAX_DAYS} days at most")));
    }
    tokio::time::sleep(Duration::from_millis(u64::from(days / DAYS_A_MILLISECOND))).await;
    let shop = shop.open();
    let counts = |order: &&Order| order.status == Status::Paid && (from..=to).contains(&order.delivery_date);
    let paid: Vec<&Order> = shop.orders.iter().filter(counts).collect();
    let total_cents = paid.iter().map(|order| order.total_cents).sum();
    Ok(found(&SalesReport { from, to, days, paid_orders: paid.len(), total_cents }))
}
