//! The fixed odds of sampling and mutating: probabilities that do not change over a run, and weights of choices.

use std::ops::RangeInclusive;

/// What values odds may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddsKind {
    /// A probability in [0, 1].
    Share,
    /// A weight beside others, from 0 to 1,000.
    Weight,
}

impl OddsKind {
    /// The values that are allowed.
    pub fn range(self) -> RangeInclusive<f64> {
        match self {
            Self::Share => 0.0..=1.0,
            Self::Weight => 0.0..=1000.0,
        }
    }
}

macro_rules! odds {
    ($($(#[doc = $doc:literal])+ $field:ident, $name:literal, $kind:ident = $default:literal;)*) => {
        /// All of them, each by its own name in `[search.odds]`.
        #[derive(Debug, Clone, PartialEq)]
        pub struct SearchOdds {
            $($(#[doc = $doc])+ pub $field: f64,)*
        }

        impl Default for SearchOdds {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl SearchOdds {
            /// Each with its dotted key, in the order of the settings.
            pub fn entries(&mut self) -> Vec<(&'static str, OddsKind, &mut f64)> {
                vec![$((concat!("search.odds.", $name), OddsKind::$kind, &mut self.$field),)*]
            }
        }
    };
}

odds! {
    /// Without a driver: that an open goal is worked on.
    pick_goal, "pick-goal", Share = 0.5;
    /// Without a driver: that an open shape is; a covered target in the remaining cases.
    pick_shape, "pick-shape", Share = 0.25;
    /// While places in the code are open: that one of them is worked on.
    guided_pick_code, "guided-pick-code", Share = 0.6;
    /// While places in the code are open: that an open goal is.
    guided_pick_goal, "guided-pick-goal", Share = 0.1;
    /// While places in the code are open: that an open shape is; a covered target in the remaining cases.
    guided_pick_shape, "guided-pick-shape", Share = 0.1;
    /// While places in the code are open: that an open goal is worked on that was picked seldom, before all of these.
    fresh_goal, "fresh-goal", Share = 0.3;
    /// That any open place in the code is taken instead of one that was picked least.
    any_code, "any-code", Share = 0.5;
    /// That only those open places in the code are looked at that some tests come closer to than others.
    sloping_code, "sloping-code", Share = 0.5;
    /// Where operations are known to work with what changed: that one of them is sampled.
    changed_operations, "changed-operations", Share = 0.8;
    /// While targets of what changed are open: that one of them is worked on.
    changed_targets, "changed-targets", Share = 0.8;
    /// That a sampled test is sent as some user, where there are any, and not as nobody.
    as_user, "as-user", Share = 0.93;
    /// That a user who was only ever refused gives way to one who succeeded.
    allowed_user, "allowed-user", Share = 0.85;
    /// That a creator takes values with which it succeeded before.
    worked_values, "worked-values", Share = 0.6;
    /// That a value which the service takes once, as the name of a user, is another one when its call is made again.
    renew_taken, "renew-taken", Share = 0.8;
    /// That a call that changes or deletes something is made twice.
    twice, "twice", Share = 0.3;
    /// That calls on the same resource follow.
    relatives, "relatives", Share = 0.5;
    /// That members are created before a collection is read.
    members, "members", Share = 0.6;
    /// That values named after a resource are linked to a call that creates one.
    link_references, "link-references", Share = 0.85;
    /// The same for calls that create what others need.
    link_creators, "link-creators", Share = 0.98;
    /// That an operation which is refused without credentials is called with those of a login.
    log_in, "log-in", Share = 0.95;
    /// That a link of the document is followed.
    document_links, "document-links", Share = 0.5;
    /// That a URL of an answer is followed that leads to what no operation is known to create.
    seen_links, "seen-links", Share = 0.5;
    /// That one is followed that leads to what another operation creates.
    other_links, "other-links", Share = 0.05;
    /// That a parameter with which calls are refused, and which may be left out, is sent where it was drawn.
    spoiling_parameters, "spoiling-parameters", Share = 0.1;
    /// That an input that may be left out, and that refusals name where it is, is sent, or is left out where they name it when it
    /// is sent.
    named_by_refusals, "named-by-refusals", Share = 0.8;
    /// That a body that may be left out is sent.
    optional_body, "optional-body", Share = 0.9;
    /// That a body is sent in the first of its media types.
    first_media_type, "first-media-type", Share = 0.7;
    /// That an example of a body is changed before it is sent.
    varied_example, "varied-example", Share = 0.3;
    /// That fields of a body that is drawn with values of earlier answers take one.
    pooled_fields, "pooled-fields", Share = 0.5;
    /// That a value named after a resource is taken from earlier answers, at most; it is twice `p-pool`.
    pooled_references, "pooled-references", Share = 0.9;
    /// That a body whose keys the document leaves open has fields that answers about its resource have.
    answer_fields, "answer-fields", Share = 0.5;
    /// That it has no keys then that were made up.
    answer_fields_alone, "answer-fields-alone", Share = 0.7;
    /// That what is wrong on purpose is the request and not a value.
    malformed, "malformed", Share = 0.3;
    /// That what is wrong with a demanded parameter or body is that it is missing.
    left_out, "left-out", Share = 0.15;
    /// By what each call without an answer in time makes further ones to paths that no operation has rarer.
    unanswered, "unanswered", Share = 0.7;
    /// With a budget of time: what all operations may take of it together whose calls take ten times as long as usual ones.
    slow_operations, "slow-operations", Share = 0.25;
    /// That added calls work on what the test already works on.
    extend, "extend", Share = 0.6;
    /// A change to the list of calls: one goes.
    remove_call, "remove-call", Weight = 1.0;
    /// A change to the list of calls: some are added.
    add_call, "add-call", Weight = 1.0;
    /// A change to the list of calls: two change places.
    swap_calls, "swap-calls", Weight = 0.5;
    /// A change to the list of calls: one is replaced.
    replace_call, "replace-call", Weight = 0.7;
    /// That a mutation changes a single value.
    one_change, "one-change", Share = 0.5;
    /// How much likelier a value of the last call is changed than one of the others.
    last_call, "last-call", Weight = 3.0;
    /// By what changes are rarer that keep later calls from being let in.
    change_login, "change-login", Share = 0.1;
    /// A change to values, beside 1 for a small value: whose credentials are sent.
    change_user, "change-user", Weight = 0.3;
    /// A change to values: the media type.
    change_media_type, "change-media-type", Weight = 0.5;
    /// A change to values: whether a body is sent.
    change_presence, "change-presence", Weight = 0.3;
    /// A change to values: what is wrong on purpose.
    change_violation, "change-violation", Weight = 0.5;
    /// By what that is multiplied where a place in the code is worked on.
    change_violation_code, "change-violation-code", Share = 0.4;
    /// A change to values: all of a call anew.
    refill, "refill", Weight = 0.3;
    /// A change to values: a link goes.
    unlink, "unlink", Weight = 0.2;
    /// That what is wrong on purpose is put right when it is changed.
    put_right, "put-right", Share = 0.6;
    /// That a value is drawn anew instead of being changed.
    resample, "resample", Share = 0.2;
    /// That a value of which the service told what it wants is narrowed to that when it is changed.
    specialise, "specialise", Share = 0.3;
    /// That a value that is narrowed so may be changed into something else.
    give_up_wanted, "give-up-wanted", Share = 0.3;
    /// The same when a call is drawn anew.
    sample_special, "sample-special", Share = 0.3;
    /// That values which the service compares with each other are the same when calls are drawn anew.
    join_bound, "join-bound", Share = 0.5;
    /// That what other calls of the test call by that value is renamed with it.
    rename, "rename", Share = 0.8;
    /// That it is copied from another value of the test.
    copy, "copy", Share = 0.08;
}

/// How often which kind of target is picked; a covered one with the rest of the probability.
#[derive(Debug, Clone, Copy)]
pub struct PickOdds {
    /// Probability of an open goal that was picked seldom; the others are those of what is left.
    pub fresh_goal: f64,
    /// Probability of an open place in the code.
    pub code: f64,
    /// Probability of an open goal.
    pub goal: f64,
    /// Probability of an open shape.
    pub shape: f64,
    /// Probability that of the places in the code any is taken.
    pub any_code: f64,
    /// Probability that of the places in the code only those are looked at that some individuals come closer to than others.
    pub sloping_code: f64,
    /// Probability that only favoured targets are looked at.
    pub favoured: f64,
}

impl PickOdds {
    /// Those of `odds`; places in the code, where some are open, tell more than shapes do.
    pub fn new(odds: &SearchOdds, is_guided: bool) -> Self {
        let SearchOdds { any_code, sloping_code, changed_targets: favoured, .. } = *odds;
        if is_guided {
            let (code, goal, shape) = (odds.guided_pick_code, odds.guided_pick_goal, odds.guided_pick_shape);
            Self { fresh_goal: odds.fresh_goal, code, goal, shape, any_code, sloping_code, favoured }
        } else {
            let (fresh_goal, code, goal, shape) = (0.0, 0.0, odds.pick_goal, odds.pick_shape);
            Self { fresh_goal, code, goal, shape, any_code, sloping_code, favoured }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::SearchOdds;

    #[test]
    fn keys_differ_and_defaults_are_in_range() {
        let mut odds = SearchOdds::default();
        let entries = odds.entries();
        let keys: BTreeSet<&str> = entries.iter().map(|(key, ..)| *key).collect();
        assert_eq!(keys.len(), entries.len());
        assert!(entries.iter().all(|(_, kind, value)| kind.range().contains(*value)));
    }
}
