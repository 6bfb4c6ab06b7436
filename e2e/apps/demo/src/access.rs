//! Who may call: two users, each with a fixed bearer token that `POST /login` hands out.

use axum::http::{HeaderMap, header};
use serde::Serialize;

use crate::answer::{Answer, Problem, found};
use crate::fields::{Body, Fields};
use crate::{ADMIN_TOKEN, CLERK_TOKEN};

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// Everything about customers and orders.
    Clerk,
    /// Also changes of the product range.
    Admin,
}

struct Account {
    username: &'static str,
    password: &'static str,
    token: &'static str,
    role: Role,
}

const ACCOUNTS: [Account; 2] = [
    Account { username: "clerk", password: "clerk-secret", token: CLERK_TOKEN, role: Role::Clerk },
    Account { username: "admin", password: "admin-secret", token: ADMIN_TOKEN, role: Role::Admin },
];

#[derive(Serialize)]
struct Login {
    token: &'static str,
    role: Role,
}

/// `POST /login`
pub(crate) async fn login(body: Body) -> Answer {
    let object = body.object()?;
    let fields = Fields::of(&object);
    let username = fields.text("username", 1..=40)?;
    let password = fields.text("password", 1..=40)?;
    let account = ACCOUNTS.iter().find(|account| account.username == username && account.password == password);
    let account = account.ok_or(Problem::NoToken)?;
    Ok(found(&Login { token: account.token, role: account.role }))
}

/// The role of the call's user; 401 without a known token.
pub(crate) fn role(headers: &HeaderMap) -> Result<Role, Problem> {
    let value = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = value.and_then(|value| value.strip_prefix("Bearer ")).ok_or(Problem::NoToken)?;
    ACCOUNTS.iter().find(|account| account.token == token).map(|account| account.role).ok_or(Problem::NoToken)
}

/// Lets only admins pass: 401 without a known token, 403 for others.
pub(crate) fn admin_only(headers: &HeaderMap) -> Result<(), Problem> {
    match role(headers)? {
        Role::Admin => Ok(()),
        Role::Clerk => Err(Problem::Forbidden),
    }
}
