//! What the handlers answer with: success values, and refusals in one JSON form.

use axum::Json;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// What a handler gives.
pub(crate) type Answer = Result<Response, Problem>;

/// Why a call was refused; each becomes a status and the JSON object `Error` of the OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// 400: the body or a parameter cannot be read at all.
    Unreadable(String),
    /// 401: no token, or one that is not known.
    NoToken,
    /// 403: the token's user may not do this.
    Forbidden,
    /// 404: no such thing.
    NotFound(&'static str),
    /// 405: the path has no such verb.
    VerbNotAllowed,
    /// 409: the state of things stands against it.
    Conflict(&'static str),
    /// 422: a field's value breaks its rules.
    Invalid {
        /// The field, with its path inside the body.
        field: String,
        /// The rule, as a sentence fragment.
        rule: String,
    },
    /// 500: a fault of the service itself.
    Internal,
}

#[derive(Serialize)]
struct ErrorBody {
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl Problem {
    /// A field whose value breaks a rule.
    pub(crate) fn invalid(field: &str, rule: impl Into<String>) -> Self {
        Self::Invalid { field: field.to_owned(), rule: rule.into() }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::Unreadable(_) => StatusCode::BAD_REQUEST,
            Self::NoToken => StatusCode::UNAUTHORIZED,
            Self::Forbidden => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::VerbNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Invalid { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn into_body(self) -> ErrorBody {
        let (error, field) = match self {
            Self::Unreadable(reason) => (reason, None),
            Self::NoToken => ("a valid bearer token is needed".to_owned(), None),
            Self::Forbidden => ("only an admin may do this".to_owned(), None),
            Self::NotFound(what) | Self::Conflict(what) => (what.to_owned(), None),
            Self::VerbNotAllowed => ("this path has no such verb".to_owned(), None),
            Self::Invalid { field, rule } => (rule, Some(field)),
            Self::Internal => ("internal error".to_owned(), None),
        };
        ErrorBody { error, field }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        (status, Json(self.into_body())).into_response()
    }
}

/// 200 with a JSON body.
pub(crate) fn found(value: &impl Serialize) -> Response {
    Json(value).into_response()
}

/// 200 with a JSON array, cut to `limit`; the header field `X-Total-Count` holds the length before the cut.
pub(crate) fn found_list<T: Serialize>(mut values: Vec<T>, limit: usize) -> Response {
    let total = values.len();
    values.truncate(limit);
    ([(HeaderName::from_static("x-total-count"), total.to_string())], Json(values)).into_response()
}

/// 201 with a JSON body and the new thing's place in `Location`.
pub(crate) fn created(location: String, value: &impl Serialize) -> Response {
    (StatusCode::CREATED, [(header::LOCATION, location)], Json(value)).into_response()
}

/// 204.
pub(crate) fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}
