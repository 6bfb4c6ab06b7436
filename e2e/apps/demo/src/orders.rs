//! Orders: made for an existing customer from existing products, read, cancelled.

use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use crate::SharedShop;
use crate::access::role;
use crate::answer::{Answer, Problem, created, done, found, found_list};
use crate::fields::{Body, Fields, Parameters, PathId};
use crate::shop::{Line, Order, SHIPPINGS, STATUSES, Shipping, Shop, Status};

/// The refusal of an order id that is not known.
pub(crate) const NO_ORDER: Problem = Problem::NotFound("no such order");

/// An order as lists show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OrderSummary {
    id: u64,
    customer_id: u64,
    total_cents: u64,
}

/// `GET /orders`
pub(crate) async fn list(State(shop): State<SharedShop>, headers: HeaderMap, parameters: Parameters) -> Answer {
    role(&headers)?;
    let customer_id = parameters.integer("customerId", 1..=u64::MAX)?;
    let status = parameters.choice("status", &STATUSES)?;
    let limit = parameters.limit()?;
    let shop = shop.open();
    let wanted = |order: &&Order| {
        customer_id.is_none_or(|id| order.customer_id == id) && status.is_none_or(|status| order.status == status)
    };
    let summary = |order: &Order| OrderSummary { id: order.id, customer_id: order.customer_id, total_cents: order.total_cents };
    Ok(found_list(shop.orders.iter().filter(wanted).map(summary).collect(), limit))
}

/// `POST /orders`
pub(crate) async fn create(State(shop): State<SharedShop>, headers: HeaderMap, body: Body) -> Answer {
    role(&headers)?;
    let object = body.object()?;
    let fields = Fields::of(&object);
    let customer_id = fields.integer("customerId", 1..=u64::MAX)?;
    let lines = lines(&fields)?;
    let shipping = fields.optional_choice("shipping", &SHIPPINGS)?.unwrap_or(Shipping::Standard);
    let delivery_date = fields.date("deliveryDate")?;
    let mut shop = shop.open();
    if shop.customers.find(customer_id).is_none() {
        return Err(fields.broken("customerId", "must be the id of a customer"));
    }
    let total_cents = total(&shop, &lines)? + shipping_cents(shipping);
    let make = |id| Order { id, customer_id, lines, shipping, delivery_date, status: Status::Open, total_cents };
    let order = shop.orders.insert(make);
    Ok(created(format!("/orders/{}", order.id), order))
}

fn lines(fields: &Fields<'_>) -> Result<Vec<Line>, Problem> {
    let values = fields.value("lines").and_then(|value| value.as_array());
    let values = values.filter(|values| (1..=5).contains(&values.len()));
    let values = values.ok_or_else(|| fields.broken("lines", "must be an array of 1 to 5 lines"))?;
    let line = |(idx, value)| {
        let fields = Fields::inside(value, &format!("lines[{idx}]"))?;
        let product_id = fields.integer("productId", 1..=u64::MAX)?;
        let quantity = fields.integer("quantity", 1..=20)?;
        Ok(Line { product_id, quantity })
    };
    values.iter().enumerate().map(line).collect()
}

fn total(shop: &Shop, lines: &[Line]) -> Result<u64, Problem> {
    let mut total_cents = 0;
    for (idx, line) in lines.iter().enumerate() {
        let product = shop.products.find(line.product_id);
        let product =
            product.ok_or_else(|| Problem::invalid(&format!("lines[{idx}].productId"), "must be the id of a product"))?;
        if line.quantity > product.stock {
            return Err(Problem::Conflict("not that many pieces in stock"));
        }
        total_cents += product.price_cents * line.quantity;
    }
    Ok(total_cents)
}

fn shipping_cents(shipping: Shipping) -> u64 {
    match shipping {
        Shipping::Pickup => 0,
        Shipping::Standard => 490,
        Shipping::Express => 1290,
    }
}

/// `GET /orders/{orderId}`
pub(crate) async fn read(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId) -> Answer {
    role(&headers)?;
    let id = id.0?;
    let shop = shop.open();
    Ok(found(shop.orders.find(id).ok_or(NO_ORDER)?))
}

/// `POST /orders/{orderId}/cancellation`
pub(crate) async fn cancel(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId, body: Body) -> Answer {
    role(&headers)?;
    let id = id.0?;
    let object = body.object()?;
    let fields = Fields::of(&object);
    fields.choice("reason", &[("changed_mind", ()), ("too_late", ()), ("other", ())])?;
    fields.optional_text("note", 0..=200)?;
    let mut shop = shop.open();
    let order = shop.orders.find_mut(id).ok_or(NO_ORDER)?;
    if order.status != Status::Open {
        return Err(Problem::Conflict("the order is not open"));
    }
    order.status = Status::Cancelled;
    Ok(done())
}
