//! What the service can be called at, as its framework knows it.

use serde::{Deserialize, Serialize};

/// Operations that frameworks have registered. Since version 1.2.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Routes {
    /// Each once, ordered by path and verb.
    pub routes: Vec<Route>,
    /// How many more there were.
    pub dropped: u32,
    /// What could not be read of a framework that is there, a lower-case fragment each.
    pub notes: Vec<String>,
    /// Paths below which the server has applications, as far as `path` of a route lacks them: `/shop`. Since version 1.3.
    #[serde(skip)]
    pub bases: Vec<String>,
    /// Paths at which a first call has more routes registered: those of servlets that begin when they are called. Since
    /// version 1.3.
    #[serde(skip)]
    pub lazy: Vec<String>,
    /// Where none of `routes` is the service's own: packages of other classes that serve some, with the number of these, the
    /// most first. Since version 1.5.
    #[serde(skip)]
    pub others: Vec<(String, u32)>,
}

/// An operation that a framework has registered.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Route {
    /// Path below the application, parameters as in OpenAPI: `/items/{id}`; `{+name}` takes slashes, too.
    pub path: String,
    /// HTTP method in capital letters; empty when any is taken.
    pub verb: String,
    /// What serves it, `unit.function`; empty when unknown.
    pub handler: String,
    /// Who registered it: `spring`, `jax-rs`, `http-server`, …; an open list.
    pub framework: String,
    /// What it takes, as far as known: an operation object of OpenAPI 3.1 as JSON with `parameters` and `requestBody`, all
    /// schemas in place; empty when nothing is known.
    pub operation: String,
}
