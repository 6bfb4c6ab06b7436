//! What makes a call somebody's: header fields and query parameters, kept out of every output.

use std::fmt;

use reqwest::header::{HeaderName, HeaderValue};

use super::Error;

/// Ready-to-send credentials of one user.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    headers: Vec<(HeaderName, HeaderValue)>,
    query: Vec<(String, String)>,
}

impl Credentials {
    /// Adds a header field; it replaces a field of that name in the request, cookies are joined instead.
    ///
    /// # Errors
    /// When name or value cannot be sent; the value is not in the message.
    pub fn add_header(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let (name, mut value) = header_field(name, value)?;
        value.set_sensitive(true);
        self.headers.push((name, value));
        Ok(())
    }

    /// Adds a query parameter, percent-encoded when it is sent.
    pub fn add_query(&mut self, name: &str, value: &str) {
        self.query.push((name.to_owned(), value.to_owned()));
    }

    /// Adds everything of `others`.
    pub(crate) fn extend(&mut self, others: Self) {
        self.headers.extend(others.headers);
        self.query.extend(others.query);
    }

    /// Whether nothing is sent.
    pub fn is_empty(&self) -> bool {
        self.headers.is_empty() && self.query.is_empty()
    }

    /// Every text that must not be shown: values, and what stands behind the scheme in them.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter().filter_map(|(_, value)| value.to_str().ok());
        let query = self.query.iter().map(|(_, value)| value.as_str());
        headers.chain(query).flat_map(|value| [value, value.rsplit(' ').next().unwrap_or(value)])
    }

    /// Header fields in sending order.
    pub(crate) fn headers(&self) -> &[(HeaderName, HeaderValue)] {
        &self.headers
    }

    /// Query parameters in sending order.
    pub(crate) fn query(&self) -> &[(String, String)] {
        &self.query
    }
}

/// Names only: values are secrets.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.headers.iter().map(|(name, _)| name.as_str());
        let query = self.query.iter().map(|(name, _)| name.as_str());
        f.debug_struct("Credentials")
            .field("headers", &names.collect::<Vec<_>>())
            .field("query", &query.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// `name` and `value` as they are sent.
pub(crate) fn header_field(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), Error> {
    let invalid = |reason: &str| Error::InvalidHeader { name: name.to_owned(), reason: reason.to_owned() };
    let field = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("its name has characters that are not allowed"))?;
    let value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| invalid("its value has control characters"))?;
    Ok((field, value))
}

#[cfg(test)]
mod tests {
    use super::Credentials;

    #[test]
    fn values_appear_neither_in_debug_output_nor_in_errors() {
        let mut credentials = Credentials::default();
        credentials.add_header("Authorization", "Bearer s3cret").expect("a valid field");
        credentials.add_query("api_key", "s3cret");
        let error = credentials.add_header("X-Key", "s3cret\n").expect_err("a line break cannot be sent");
        let shown = format!("{credentials:?} {error} {error:?}");
        assert!(!shown.contains("s3cret") && shown.contains("api_key") && shown.contains("authorization"), "{shown}");
    }
}
