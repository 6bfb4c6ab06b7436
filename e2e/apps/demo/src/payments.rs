//! Payment of an order: by card, voucher or invoice in instalments.

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use crate::SharedShop;
use crate::access::role;
use crate::answer::{Answer, Problem, found};
use crate::fields::{Body, Fields, PathId};
use crate::orders::NO_ORDER;
use crate::shop::{Level, Status};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Method {
    Card,
    Voucher,
    Invoice,
}

const METHODS: [(&str, Method); 3] = [("card", Method::Card), ("voucher", Method::Voucher), ("invoice", Method::Invoice)];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Payment {
    order_id: u64,
    method: Method,
    total_cents: u64,
    /// What is due each month; the whole sum unless it is paid in instalments.
    monthly_cents: u64,
}

/// `POST /orders/{orderId}/payment`
pub(crate) async fn pay(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId, body: Body) -> Answer {
    role(&headers)?;
    let order_id = id.0?;
    let object = body.object()?;
    let fields = Fields::of(&object);
    let method = fields.choice("method", &METHODS)?;
    let instalments = fields.optional_integer("instalments", 0..=24)?.unwrap_or(1);
    let voucher = fields.checked_text("voucherCode", "must be like ABC-1234", is_voucher)?;
    if method == Method::Voucher && voucher.is_none() {
        return Err(fields.broken("voucherCode", "is required when paying by voucher"));
    }
    let mut shop = shop.open();
    let order = shop.orders.find(order_id).ok_or(NO_ORDER)?;
    if order.status != Status::Open {
        return Err(Problem::Conflict("the order is not open"));
    }
    let level = shop.customers.find(order.customer_id).map_or(Level::Basic, |customer| customer.level);
    if method == Method::Invoice && level == Level::Basic {
        return Err(Problem::Conflict("only silver and gold customers may pay by invoice"));
    }
    let total_cents = order.total_cents;
    let monthly_cents = monthly_cents(method, total_cents, instalments)?;
    shop.orders.find_mut(order_id).ok_or(NO_ORDER)?.status = Status::Paid;
    Ok(found(&Payment { order_id, method, total_cents, monthly_cents }))
}

fn monthly_cents(method: Method, total_cents: u64, instalments: u64) -> Result<u64, Problem> {
    match method {
        Method::Card | Method::Voucher => Ok(total_cents),
        // PLANTED FAULT 1: nobody thought of an invoice in 0 instalments, which the checks let through; see `README.md`.
        Method::Invoice => total_cents.checked_div(instalments).ok_or(Problem::Internal),
    }
}

fn is_voucher(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 8
        && bytes[..3].iter().all(u8::is_ascii_uppercase)
        && bytes[3] == b'-'
        && bytes[4..].iter().all(u8::is_ascii_digit)
}
