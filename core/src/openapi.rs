//! Reading OpenAPI and Swagger documents into [`crate::api`]; the only code that sees their JSON.
//!
//! [`load`] reads a file or URL and every document it refers to, [`parse`] a text. Both are lenient: a part that cannot
//! be understood costs no more than itself and is told in the result. The stages are [`source`] (bytes), [`text`] (JSON
//! or YAML to a value), [`complete`] (operations that a
//! service has and its document lacks), [`documents`] (documents that others refer to), [`paths`] (operations) and
//! [`schema`] (values). [`differing`] compares two versions of a document.
//!
//! Parameters, bodies, answers and links of Swagger 2.0, OpenAPI 3.0 and 3.1 are brought into the shape of 3.0 one by
//! one and go through the types of `openapiv3`; schemas are read straight from the document, because one document can
//! have a million of them. Whether a schema has a value where only the attempt shows it is left to
//! [`crate::action::settle`].

mod body;
mod complete;
mod differ;
mod documents;
mod error;
mod parameter;
mod paths;
mod reader;
mod response;
mod route;
mod schema;
mod security;
mod server;
mod source;
mod text;

pub use complete::{Addition, completed};
pub use differ::differing;
pub use error::Error;
pub use route::{Route, handlers, path_in_front};
pub use source::{Access, Origin};

use serde_json::Value;

use crate::api::{Api, Dialect};
use text::Repeated;

/// Reads the document at `location`, a file or an `http(s)` URL, and what it refers to.
pub fn load(location: &str) -> Result<Api, Error> {
    load_with(location, &Access::default(), &[])
}

/// `location` as it may be shown: without the password that a URL may have.
pub fn shown(location: &str) -> String {
    Origin::of(location).map_or_else(|_| location.to_owned(), |origin| origin.to_string())
}

/// As [`load`], from servers that are asked so, with operations for those of `routes` that the document lacks.
pub fn load_with(location: &str, access: &Access, routes: &[Route]) -> Result<Api, Error> {
    let origin = Origin::of(location)?;
    let (text, origin) = source::read(&origin, access)?;
    parse_with(&text, &origin, access, routes)
}

/// The interface of a service that has no document.
pub fn of_routes(routes: &[Route]) -> Api {
    let mut value = complete::empty();
    complete::complete(&mut value, routes);
    lower((value, Vec::new()), Dialect::OpenApi31, &Origin::Text, &Access::default())
}

/// Reads the document `text`, which came from `origin`: what it refers to is looked for there.
pub fn parse(text: &str, origin: &Origin) -> Result<Api, Error> {
    parse_with(text, origin, &Access::default(), &[])
}

fn parse_with(text: &str, origin: &Origin, access: &Access, routes: &[Route]) -> Result<Api, Error> {
    let (mut value, repeated) = text::to_value(text).map_err(|reason| Error::Syntax { origin: origin.to_string(), reason })?;
    let version = documents::version(&value).map_err(|reason| Error::NotASchema { origin: origin.to_string(), reason })?;
    complete::complete(&mut value, routes);
    Ok(lower((value, repeated), version, origin, access))
}

fn lower(read: (Value, Vec<Repeated>), dialect: Dialect, origin: &Origin, access: &Access) -> Api {
    paths::lower(documents::collect(read, dialect, origin, access), origin)
}

#[cfg(test)]
mod tests;
