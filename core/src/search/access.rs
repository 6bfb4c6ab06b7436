//! Who may call what, learned from answers: a creator called as somebody who is refused creates nothing.

use std::collections::BTreeMap;

use crate::action::UserIdx;
use crate::api::OperationIdx;

/// Successes and refusals per operation and user.
#[derive(Debug, Clone, Default)]
pub struct Access {
    counts: BTreeMap<OperationIdx, BTreeMap<Option<UserIdx>, Count>>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    succeeded: u32,
    refused: u32,
}

impl Access {
    /// Notes that `operation_idx`, called as `user`, was answered with `status`.
    pub fn note(&mut self, operation_idx: OperationIdx, user: Option<UserIdx>, status: u16) {
        let count = self.counts.entry(operation_idx).or_default().entry(user).or_default();
        match status {
            200..=299 => count.succeeded = count.succeeded.saturating_add(1),
            401 | 403 => count.refused = count.refused.saturating_add(1),
            _ => {}
        }
    }

    /// `user`, or somebody who has succeeded with `operation_idx` when `user` was only ever refused.
    pub fn allowed(&self, operation_idx: OperationIdx, user: Option<UserIdx>) -> Option<UserIdx> {
        let Some(counts) = self.counts.get(&operation_idx) else { return user };
        let own = counts.get(&user).copied().unwrap_or_default();
        if own.refused == 0 || own.succeeded > 0 {
            return user;
        }
        let best = counts.iter().filter(|(_, count)| count.succeeded > 0).max_by_key(|(_, count)| count.succeeded);
        best.map_or(user, |(other, _)| *other)
    }
}

#[cfg(test)]
mod tests {
    use super::Access;
    use crate::action::UserIdx;
    use crate::api::OperationIdx;

    #[test]
    fn a_refused_user_gives_way_to_one_who_succeeded() {
        let (operation_idx, clerk, admin) = (OperationIdx(0), Some(UserIdx(0)), Some(UserIdx(1)));
        let mut access = Access::default();
        assert_eq!(access.allowed(operation_idx, clerk), clerk);
        access.note(operation_idx, clerk, 403);
        assert_eq!(access.allowed(operation_idx, clerk), clerk, "nobody is known to succeed");
        access.note(operation_idx, admin, 201);
        assert_eq!(access.allowed(operation_idx, clerk), admin);
        access.note(operation_idx, clerk, 200);
        assert_eq!(access.allowed(operation_idx, clerk), clerk);
    }
}
