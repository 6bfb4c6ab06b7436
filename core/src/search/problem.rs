//! What stays the same during a search: operations, users, settings, and the gene templates made on demand.

use std::cell::RefCell;
use std::sync::Arc;

use crate::action::{Action, UserIdx};
use crate::api::{Api, OperationIdx};

use super::{Changed, SearchSettings};

/// The problem to solve.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The service's interface.
    pub api: &'a Api,
    /// The operations that may be called, in document order; never empty.
    pub operations: Vec<OperationIdx>,
    /// Number of users whose credentials can be sent.
    pub n_users: u16,
    /// Parameters.
    pub settings: &'a SearchSettings,
    /// What changed, so that tests of it are wanted first; nothing where that is not asked for.
    pub preferred: Changed,
    templates: RefCell<Vec<Option<Arc<Action>>>>,
}

impl<'a> Problem<'a> {
    /// The problem of calling `operations` of `api` as one of `n_users` users or as nobody.
    pub fn new(api: &'a Api, operations: Vec<OperationIdx>, n_users: u16, settings: &'a SearchSettings) -> Self {
        let templates = RefCell::new(vec![None; api.operations.len()]);
        Self { api, operations, n_users, settings, preferred: Changed::default(), templates }
    }

    /// The same with tests of what changed wanted first.
    #[must_use]
    pub fn preferring(mut self, preferred: Changed) -> Self {
        self.preferred = preferred;
        self
    }

    /// The same with other parameters.
    pub fn within<'b>(&self, settings: &'b SearchSettings) -> Problem<'b>
    where
        'a: 'b,
    {
        let problem = Problem::new(self.api, self.operations.clone(), self.n_users, settings);
        problem.preferring(self.preferred.clone())
    }

    /// A call of `operation_idx` whose genes still have their smallest values.
    pub fn template(&self, operation_idx: OperationIdx) -> Action {
        let mut templates = self.templates.borrow_mut();
        let template = templates[operation_idx.0 as usize]
            .get_or_insert_with(|| Arc::new(Action::template(self.api, operation_idx, &self.settings.gene_limits)));
        Action::clone(template)
    }

    /// All users.
    pub fn users(&self) -> impl Iterator<Item = UserIdx> + use<> {
        (0..self.n_users).map(UserIdx)
    }
}
