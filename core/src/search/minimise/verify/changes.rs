//! What the calls of a test change in the service, as far as their answers and names tell.

use crate::action::ActionResult;
use crate::api::Verb;

/// Words of paths that ask by `POST`, for want of a body in `GET`.
const ASKING: [&str; 12] =
    ["check", "count", "estimate", "filter", "find", "get", "list", "lookup", "preview", "query", "search", "validate"];
/// Words of paths that clear away by `POST`.
const CLEARING: [&str; 8] = ["clear", "delete", "drop", "flush", "purge", "remove", "reset", "stop"];

/// Calls that succeeded in what may change something. Less comes before more, and what is less likely to leave something
/// behind before all that is likelier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Changes {
    /// Those that put something, or say that they made it (201, RFC 9110 15.3.2).
    made: usize,
    /// Other `POST`s, which make something or do not.
    perhaps_made: usize,
    /// Those that remove something, or whose path says that they do.
    cleared: usize,
    /// `POST`s whose path says that they ask.
    asked: usize,
}

impl Changes {
    /// Those of an execution.
    pub fn of(results: &[ActionResult]) -> Self {
        let mut changes = Self::default();
        for result in results {
            if let Some(status) = result.status().filter(|status| (200..300).contains(status)) {
                changes.count(result.request.verb, &result.request.url, status);
            }
        }
        changes
    }

    fn count(&mut self, verb: Verb, url: &str, status: u16) {
        if verb.is_safe() {
            return;
        }
        let says = |them: &[&str]| words(last_segment(url)).any(|word| them.contains(&&*word));
        let is_post = verb == Verb::Post && status != 201;
        let number = if verb == Verb::Delete || is_post && says(&CLEARING) {
            &mut self.cleared
        } else if is_post && says(&ASKING) {
            &mut self.asked
        } else if is_post {
            &mut self.perhaps_made
        } else {
            &mut self.made
        };
        *number += 1;
    }

    /// The order of a pass that fills the service: what makes something and clears nothing away, then what leaves all as it is,
    /// then what clears away.
    pub fn filling(self) -> impl Ord {
        (self.cleared > 0, self.made + self.perhaps_made == 0)
    }
}

/// Whether a call may have changed something: not one that only reads, nor one that was refused.
pub(super) fn may_change_something(result: &ActionResult) -> bool {
    !result.request.verb.is_safe() && !result.status().is_some_and(|status| (400..500).contains(&status))
}

/// The last segment of the path.
fn last_segment(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// The words of a name in lower case: `batchGet`, `find-by-id` and `pets:search` have them in all usual ways.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    for letter in name.chars() {
        let is_apart = !letter.is_ascii_alphanumeric();
        if is_apart || letter.is_ascii_uppercase() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_apart) {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(calls: &[(Verb, &str, u16)]) -> Changes {
        let mut changes = Changes::default();
        for (verb, url, status) in calls {
            changes.count(*verb, url, *status);
        }
        changes
    }

    #[test]
    fn posts_are_told_apart_by_the_words_of_their_last_segment() {
        let post = |url: &str| changes(&[(Verb::Post, url, 200)]);
        for url in ["/pets/find-by-id", "/pets:search?q=created", "/pets/batchGet/", "http://a.example/v1/count"] {
            assert_eq!(post(url), Changes { asked: 1, ..Changes::default() }, "{url}");
        }
        for url in ["/mappings/reset", "/pets/removeByTag"] {
            assert_eq!(post(url), Changes { cleared: 1, ..Changes::default() }, "{url}");
        }
        for url in ["/find/pets", "/pets/import", "/pets/counter", "/pets?op=find", "/widgets", ""] {
            assert_eq!(post(url), Changes { perhaps_made: 1, ..Changes::default() }, "{url}");
        }
        assert_eq!(changes(&[(Verb::Post, "/pets/find", 201)]).made, 1, "whatever its name");
    }

    #[test]
    fn the_likelier_something_is_left_behind_the_later_a_test_comes() {
        let ordered = [
            changes(&[(Verb::Get, "/a", 200)]),
            changes(&[(Verb::Post, "/a/search", 200); 9]),
            changes(&[(Verb::Delete, "/a/1", 204)]),
            changes(&[(Verb::Post, "/a", 200)]),
            changes(&[(Verb::Put, "/a/1", 200)]),
            changes(&[(Verb::Post, "/a", 201), (Verb::Delete, "/a/1", 204)]),
        ];
        assert!(ordered.is_sorted_by(|one, next| one < next), "{ordered:?}");
    }

    #[test]
    fn a_service_is_filled_before_it_is_read_and_cleared() {
        let filling = |verb: Verb, url: &str| changes(&[(verb, url, 200)]).filling();
        assert!(
            filling(Verb::Put, "/a/1") < filling(Verb::Get, "/a") && filling(Verb::Get, "/a") < filling(Verb::Delete, "/a/1")
        );
        assert!(filling(Verb::Post, "/a") < filling(Verb::Post, "/a/search"));
    }
}
