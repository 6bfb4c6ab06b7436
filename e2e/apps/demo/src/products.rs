//! The range of products: everybody may read it, admins change it.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::IntoResponse;
use serde::Serialize;

use crate::SharedShop;
use crate::access::admin_only;
use crate::answer::{Answer, Problem, created, done, found, found_list};
use crate::fields::{Body, Fields, Parameters, PathId};
use crate::shop::{CATEGORIES, Product};

/// Products that are there from the start and cannot be deleted.
const BASE_RANGE: u64 = 4;

const NO_PRODUCT: Problem = Problem::NotFound("no such product");

/// A product with its price in the asked currency.
#[derive(Serialize)]
struct PricedProduct<'a> {
    #[serde(flatten)]
    product: &'a Product,
    currency: &'static str,
}

#[derive(Clone, Copy)]
enum SortKey {
    Id,
    Name,
    Price,
}

/// `GET /products`
pub(crate) async fn list(State(shop): State<SharedShop>, parameters: Parameters) -> Answer {
    let category = parameters.choice("category", &CATEGORIES)?;
    let max_price = parameters.integer("maxPriceCents", 1..=1_000_000)?;
    let sort_key = parameters.choice("sort", &[("id", SortKey::Id), ("name", SortKey::Name), ("price", SortKey::Price)])?;
    let limit = parameters.limit()?;
    let shop = shop.open();
    let wanted = |product: &&Product| {
        category.is_none_or(|category| product.category == category) && max_price.is_none_or(|max| product.price_cents <= max)
    };
    let mut products: Vec<&Product> = shop.products.iter().filter(wanted).collect();
    match sort_key.unwrap_or(SortKey::Id) {
        SortKey::Id => {}
        SortKey::Name => products.sort_by_key(|product| &product.name),
        SortKey::Price => products.sort_by_key(|product| product.price_cents),
    }
    Ok(found_list(products, limit))
}

/// `POST /products`
pub(crate) async fn create(State(shop): State<SharedShop>, headers: HeaderMap, body: Body) -> Answer {
    admin_only(&headers)?;
    let object = body.object()?;
    let fields = Fields::of(&object);
    let name = fields.text("name", 1..=40)?;
    let category = fields.choice("category", &CATEGORIES)?;
    let price_cents = fields.integer("priceCents", 1..=1_000_000)?;
    let stock = fields.optional_integer("stock", 0..=1000)?.unwrap_or(0);
    let mut shop = shop.open();
    let product = shop.products.insert(|id| Product { id, name, category, price_cents, stock });
    Ok(created(format!("/products/{}", product.id), product))
}

/// `GET /products/{productId}`
pub(crate) async fn read(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId) -> Answer {
    let id = id.0?;
    let currency = match headers.get("x-currency").map(HeaderValue::as_bytes) {
        None | Some(b"EUR") => "EUR",
        Some(b"USD") => "USD",
        Some(_) => return Err(Problem::Unreadable("`X-Currency` must be EUR or USD".to_owned())),
    };
    let mut product = shop.open().products.find(id).cloned().ok_or(NO_PRODUCT)?;
    if currency == "USD" {
        product.price_cents = product.price_cents * 11 / 10;
    }
    Ok(found(&PricedProduct { product: &product, currency }).into_response())
}

/// `DELETE /products/{productId}`
pub(crate) async fn delete(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId) -> Answer {
    admin_only(&headers)?;
    let id = id.0?;
    let mut shop = shop.open();
    shop.products.find(id).ok_or(NO_PRODUCT)?;
    if shop.products.is_among_first(id, BASE_RANGE) {
        return Err(Problem::Conflict("the base range stays"));
    }
    shop.products.remove(id);
    Ok(done())
}
