//! From genes to a request: a pure function of the action and of the values its links resolve to.

use serde_json::Value;

use crate::api::Api;

use super::{Action, Link, Request};

/// The request for `action`; `resolve` gives the value of a link, or none to use the gene's own.
pub fn render(api: &Api, action: &Action, resolve: &mut dyn FnMut(&Link) -> Option<Value>) -> Request {
    let operation = api.operation(action.operation_idx);
    let _ = resolve;
    Request {
        operation_idx: action.operation_idx,
        verb: operation.verb,
        url: operation.url_path.clone(),
        headers: Vec::new(),
        body: None,
        user: action.user,
    }
}
