//! Reading OpenAPI and Swagger documents into [`crate::api`]; the only code that sees their JSON.
//!
//! [`load`] reads a file or URL and every document it refers to, [`parse`] a text. Both are lenient: a part that cannot
//! be understood costs no more than itself and is told in the result. The stages are [`source`] (bytes), [`text`] (JSON
//! or YAML to a value), [`documents`] (documents that others refer to), [`paths`] (operations) and [`schema`] (values).
//!
//! Parameters, bodies, answers and links of Swagger 2.0, OpenAPI 3.0 and 3.1 are brought into the shape of 3.0 one by
//! one and go through the types of `openapiv3`; schemas are read straight from the document, because one document can
//! have a million of them. Whether a schema has a value where only the attempt shows it is left to
//! [`crate::action::settle`].

mod body;
mod documents;
mod error;
mod parameter;
mod paths;
mod reader;
mod response;
mod schema;
mod server;
mod source;
mod text;

pub use error::Error;
pub use source::{Certificates, Origin};

use crate::api::Api;

/// Reads the document at `location`, a file or an `http(s)` URL, and what it refers to.
pub fn load(location: &str) -> Result<Api, Error> {
    load_with(location, Certificates::Trusted)
}

/// `location` as it may be shown: without the password that a URL may have.
pub fn shown(location: &str) -> String {
    Origin::of(location).map_or_else(|_| location.to_owned(), |origin| origin.to_string())
}

/// As [`load`], from servers with these certificates.
pub fn load_with(location: &str, certificates: Certificates) -> Result<Api, Error> {
    let origin = Origin::of(location)?;
    let (text, origin) = source::read(&origin, certificates)?;
    parse_with(&text, &origin, certificates)
}

/// Reads the document `text`, which came from `origin`: what it refers to is looked for there.
pub fn parse(text: &str, origin: &Origin) -> Result<Api, Error> {
    parse_with(text, origin, Certificates::Trusted)
}

fn parse_with(text: &str, origin: &Origin, certificates: Certificates) -> Result<Api, Error> {
    let (value, repeated) = text::to_value(text).map_err(|reason| Error::Syntax { origin: origin.to_string(), reason })?;
    let version = documents::version(&value).map_err(|reason| Error::NotASchema { origin: origin.to_string(), reason })?;
    let documents = documents::collect((value, repeated), version, origin, certificates);
    Ok(paths::lower(documents, origin))
}

#[cfg(test)]
mod tests;
