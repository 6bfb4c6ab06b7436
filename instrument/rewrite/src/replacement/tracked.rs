//! Which measured library methods take texts that may be tracked values, and how their hooks tell of it.

use super::{Replacement, ReplacementFamily};
use crate::usage::Usage;

/// How a call tells of operands that are tracked values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// The method of `instrument/java/Tracking.java` in front of the call.
    pub hook: TrackingHook,
    /// The number that it is given: of a usage, or of a kind of members.
    pub number: i32,
    /// Whose calls tell.
    pub reach: Reach,
}

/// A method of `instrument/java/Tracking.java`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TrackingHook {
    /// The first two operands are compared.
    Compared,
    /// The second is sought in the first.
    Sought,
    /// The first becomes something else.
    Parsed,
    /// The first is read by the second.
    Formatted,
    /// The second is read by the first.
    Formatting,
    /// The first is held against the second.
    Matched,
    /// The second is held against the first.
    Matching,
    /// The second becomes something else.
    Decoded,
    /// The first is a matcher.
    Matcher,
    /// The second is looked for in the first.
    Member,
    /// The second, a char, is sought in the first.
    SoughtChar,
    /// The second is looked up in the first, the map inside an object of a JSON library.
    LookedUp,
    /// Parts of two texts are compared.
    Region,
    /// The same, in any case where the second operand says so.
    RegionInCase,
}

/// Whose calls tell of tracked values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of the service.
    Service,
    /// Those of libraries as well.
    Everywhere,
}

/// Kinds of members, as `Tracking.java` numbers them.
const MEMBERS: i32 = 120;
const KEYS: i32 = 121;
const VALUES: i32 = 122;
const CONSTANTS: i32 = 123;

impl TrackingHook {
    /// Name and descriptor of the method.
    pub fn method(self) -> (&'static str, &'static str) {
        match self {
            TrackingHook::Compared => ("compared", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::Sought => ("sought", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::Parsed => ("parsed", "(Ljava/lang/Object;I)V"),
            TrackingHook::Formatted | TrackingHook::Formatting => ("formatted", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::Matched | TrackingHook::Matching => ("matched", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::Decoded => ("decoded", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::Matcher => ("matcher", "(Ljava/lang/Object;I)V"),
            TrackingHook::Member => ("member", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::LookedUp => ("lookedUp", "(Ljava/lang/Object;Ljava/lang/Object;I)V"),
            TrackingHook::SoughtChar => ("soughtChar", "(Ljava/lang/Object;II)V"),
            TrackingHook::Region => ("region", "(Ljava/lang/Object;ILjava/lang/Object;III)V"),
            TrackingHook::RegionInCase => ("region", "(Ljava/lang/Object;IILjava/lang/Object;III)V"),
        }
    }

    /// How many of the operands it takes, which are the first ones.
    pub fn n_operands(self) -> usize {
        match self {
            TrackingHook::Parsed | TrackingHook::Matcher => 1,
            TrackingHook::Region => 5,
            TrackingHook::RegionInCase => 6,
            _ => 2,
        }
    }

    /// Whether it takes them the other way round.
    pub fn is_swapped(self) -> bool {
        matches!(self, TrackingHook::Formatting | TrackingHook::Matching)
    }
}

/// How calls of a row tell; none for those that take no texts, or of whose texts nothing is to be learned.
pub(super) fn of(row: &Replacement) -> Option<Tracked> {
    use TrackingHook::{
        Compared, Decoded, Formatted, Formatting, LookedUp, Matched, Matcher, Matching, Member, Parsed, Region, RegionInCase,
        Sought, SoughtChar,
    };
    use Usage::{Base64, Boolean, Contains, Date, DateTime, EndsWith, Equals, EqualsIgnoreCase, Find, Matches, StartsWith};
    // What frameworks look for in every text (`${`, `;`) and in which tables of their own tells of no input; the marks that
    // they look for at its start are left out in `Tracking.java`.
    let everywhere = |hook, usage: Usage| Some(Tracked { hook, number: usage.number(), reach: Reach::Everywhere });
    let of_service = |hook, number| Some(Tracked { hook, number, reach: Reach::Service });
    let is_text = row.family == ReplacementFamily::Text;
    match row.hook {
        "equal" | "order" | "contentEqual" if is_text => everywhere(Compared, Equals),
        "equalIgnoreCase" | "equalCase" | "orderIgnoreCase" => everywhere(Compared, EqualsIgnoreCase),
        "equalObject" if row.family == ReplacementFamily::Equality => everywhere(Compared, Equals),
        "order" if row.class == "java/lang/Comparable" => everywhere(Compared, Equals),
        "startsWith" => everywhere(Sought, StartsWith),
        "endsWith" => of_service(Sought, EndsWith.number()),
        "contains" => of_service(Sought, Contains.number()),
        "containsChar" => of_service(SoughtChar, Contains.number()),
        "regionMatches" if row.descriptor.starts_with("(Z") => of_service(RegionInCase, 0),
        "regionMatches" if row.descriptor.starts_with("(I") => of_service(Region, 0),
        "split" => of_service(Sought, Usage::Split.number()),
        "decodeUrl" => of_service(Parsed, Usage::UrlDecoded.number()),
        "splitting" => of_service(Matching, Usage::Split.number()),
        "contained" => of_service(Member, MEMBERS),
        "containsKey" => of_service(Member, KEYS),
        "containsValue" => of_service(Member, VALUES),
        "lookedUp" => everywhere(LookedUp, Equals),
        "enumConstant" => everywhere(Member, Equals).map(|tracked| Tracked { number: CONSTANTS, ..tracked }),
        "matches" if row.class == "java/util/regex/Matcher" => everywhere(Matcher, Matches),
        "matches" => everywhere(Matched, Matches),
        "patternMatches" => everywhere(Matching, Matches),
        "lookingAt" | "find" => everywhere(Matcher, Find),
        "parseBoolean" => everywhere(Parsed, Boolean),
        "parseByte" | "parseShort" | "parseInt" | "parseUnsignedInt" | "parseLong" | "parseBigInteger" | "decodeByte"
        | "decodeShort" | "decodeInt" | "decodeLong" => everywhere(Parsed, Usage::Integer),
        "parseReal" => everywhere(Parsed, Usage::Number),
        "parseLocalDate" => everywhere(Parsed, Date),
        "parseLocalTime" => everywhere(Parsed, Usage::Time),
        "parseLocalDateTime" => everywhere(Parsed, DateTime),
        "parseInstant" => everywhere(Parsed, Usage::Instant),
        "parseZonedDateTime" => everywhere(Parsed, Usage::ZonedDateTime),
        "parseOffsetDateTime" => everywhere(Parsed, Usage::OffsetDateTime),
        "parseYear" => everywhere(Parsed, Usage::Year),
        "parseYearMonth" => everywhere(Parsed, Usage::YearMonth),
        "parseDuration" => everywhere(Parsed, Usage::Duration),
        "parseUuid" => everywhere(Parsed, Usage::Uuid),
        "parseUri" => everywhere(Parsed, Usage::Uri),
        "parseUrl" => everywhere(Parsed, Usage::Url),
        "parseBy" => everywhere(Formatted, Matches),
        "parsing" => everywhere(Formatting, Matches),
        "decodeBase64" => everywhere(Decoded, Base64),
        "currency" => everywhere(Parsed, Usage::Currency),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Known, table, tracked_only};
    use super::Reach;
    use crate::replacement::ReplacementFamily;

    #[test]
    fn hooks_take_objects_that_the_calls_have() {
        let mut n_tracked = 0;
        for row in table::ROWS.iter().chain(&tracked_only::ROWS) {
            let known = Known::of(row);
            let Some(tracked) = known.tracked else { continue };
            let taken = known.operands.get(..tracked.hook.n_operands()).expect("the call has as many");
            let taken: String = taken.iter().map(|operand| operand.descriptor()).collect();
            assert_eq!(tracked.hook.method().1, format!("({taken}I)V"), "{row:?}");
            n_tracked += 1;
        }
        assert!(n_tracked > 80, "{n_tracked}");
    }

    #[test]
    fn every_comparison_of_texts_tells() {
        let compares = |name: &str| name.to_lowercase().contains("equals") || name.starts_with("compare");
        let of_texts = table::ROWS.iter().filter(|row| row.family == ReplacementFamily::Text && compares(row.method));
        for row in of_texts {
            assert!(Known::of(row).tracked.is_some(), "{row:?}");
        }
    }

    #[test]
    fn what_frameworks_look_for_in_every_text_is_told_by_the_service_alone() {
        let reach = |hook: &str| {
            let row = table::ROWS.iter().find(|row| row.hook == hook).expect("a row");
            Known::of(row).tracked.map(|tracked| tracked.reach)
        };
        assert_eq!(reach("contains"), Some(Reach::Service));
        assert_eq!(reach("equal"), Some(Reach::Everywhere));
        assert_eq!(reach("blank"), None);
    }
}
