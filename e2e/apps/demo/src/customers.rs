//! Customers: made, read, changed, deleted.

use axum::extract::State;
use axum::http::HeaderMap;
use serde_json::Value;

use crate::SharedShop;
use crate::access::role;
use crate::answer::{Answer, Problem, created, done, found};
use crate::fields::{Body, Fields, PathId};
use crate::shop::{Customer, LEVELS, Level, Status};

const NO_CUSTOMER: Problem = Problem::NotFound("no such customer");
const EMAIL_RULE: &str = "must be an e-mail address like ada@example.com";
const PHONE_RULE: &str = "must be a plus sign and 6 to 15 digits";

/// `POST /customers`
pub(crate) async fn create(State(shop): State<SharedShop>, headers: HeaderMap, body: Body) -> Answer {
    role(&headers)?;
    let object = body.object()?;
    let fields = Fields::of(&object);
    let name = fields.text("name", 1..=40)?;
    let email = fields.checked_text("email", EMAIL_RULE, is_email)?.ok_or_else(|| fields.broken("email", "is required"))?;
    let level = fields.optional_choice("level", &LEVELS)?.unwrap_or(Level::Basic);
    let birthday = fields.optional_date("birthday")?;
    let phone = fields.checked_text("phone", PHONE_RULE, is_phone)?;
    let mut shop = shop.open();
    let customer = shop.customers.insert(|id| Customer { id, name, email, level, birthday, phone });
    Ok(created(format!("/customers/{}", customer.id), customer))
}

/// `GET /customers/{customerId}`
pub(crate) async fn read(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId) -> Answer {
    role(&headers)?;
    let id = id.0?;
    let shop = shop.open();
    Ok(found(shop.customers.find(id).ok_or(NO_CUSTOMER)?))
}

/// `PATCH /customers/{customerId}`: fields that are there replace, `"phone": null` removes the number.
pub(crate) async fn change(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId, body: Body) -> Answer {
    role(&headers)?;
    let id = id.0?;
    let mut object = body.object()?;
    let removes_phone = object.get("phone") == Some(&Value::Null);
    if removes_phone {
        object.remove("phone");
    }
    let fields = Fields::of(&object);
    let name = fields.optional_text("name", 1..=40)?;
    let email = fields.checked_text("email", EMAIL_RULE, is_email)?;
    let level = fields.optional_choice("level", &LEVELS)?;
    let phone = fields.checked_text("phone", PHONE_RULE, is_phone)?;
    let mut shop = shop.open();
    let customer = shop.customers.find_mut(id).ok_or(NO_CUSTOMER)?;
    customer.name = name.unwrap_or_else(|| customer.name.clone());
    customer.email = email.unwrap_or_else(|| customer.email.clone());
    customer.level = level.unwrap_or(customer.level);
    customer.phone = if removes_phone { None } else { phone.or_else(|| customer.phone.take()) };
    Ok(found(customer))
}

/// `DELETE /customers/{customerId}`
pub(crate) async fn delete(State(shop): State<SharedShop>, headers: HeaderMap, id: PathId) -> Answer {
    role(&headers)?;
    let id = id.0?;
    let mut shop = shop.open();
    shop.customers.find(id).ok_or(NO_CUSTOMER)?;
    if shop.orders.iter().any(|order| order.customer_id == id && order.status == Status::Open) {
        return Err(Problem::Conflict("the customer has an open order"));
    }
    shop.customers.remove(id);
    Ok(done())
}

/// A strict subset of RFC 5321: dot-separated words of letters, digits, `_`, `+` and `-`, and a host name with a dot.
fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_+-".contains(c));
    let is_label = |label: &str| {
        let inner = label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        inner && !label.is_empty() && !label.starts_with('-') && !label.ends_with('-')
    };
    local.split('.').all(is_word) && domain.contains('.') && domain.split('.').all(is_label)
}

fn is_phone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or_default();
    (6..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_without_host_or_with_empty_parts_are_refused() {
        for text in ["ada", "ada@", "@example.com", "a..b@example.com", "ada@host", "ada@-x.com", "ada@x..com", "a b@x.com"] {
            assert!(!is_email(text), "{text}");
        }
        assert!(is_email("ada.love+lace@mail.example.com"));
    }

    #[test]
    fn phone_numbers_need_a_plus_and_six_digits() {
        assert!(is_phone("+123456"));
        assert!(!is_phone("123456"));
        assert!(!is_phone("+12345"));
        assert!(!is_phone("+1234567890123456"));
    }
}
