//! Sets of code points.

use regex_syntax::hir::{Class, HirKind};

use crate::text::{lower, upper};

/// The last code point.
pub const LAST: u32 = 0x10_ffff;

/// General categories are only looked up below this: the first two planes.
const LOOKED_UP: u32 = 0x2_0000;

/// A set of code points, halves of surrogate pairs included.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges {
    /// First and last of each range; ascending and not touching after [`Ranges::tidy`].
    bounds: Vec<(u32, u32)>,
}

impl Ranges {
    /// All from `first` to `last`.
    pub(super) fn new(first: u32, last: u32) -> Ranges {
        Ranges { bounds: vec![(first, last)] }
    }

    /// These ranges, in any order.
    pub(super) fn of(bounds: &[(u32, u32)]) -> Ranges {
        Ranges { bounds: bounds.to_vec() }.tidy()
    }

    /// A class as `regex-syntax` reads it, such as `\p{Lu}`; none when it reads none.
    pub(crate) fn of_class(class: &str) -> Option<Ranges> {
        let hir = regex_syntax::parse(class).ok()?;
        let HirKind::Class(Class::Unicode(class)) = hir.kind() else { return None };
        let bounds = class.iter().map(|range| (u32::from(range.start()), u32::from(range.end()))).collect();
        Some(Ranges { bounds })
    }

    /// The chars of a general category of one or two letters.
    pub(super) fn of_category(name: &str) -> Option<Ranges> {
        let one = |name: &str| match name {
            "Cs" => Some(Ranges::new(0xd800, 0xdfff)),
            // Halves of pairs are no chars to Unicode's tables.
            "C" | "Cn" => {
                Some(Ranges::of_class(&format!(r"\p{{{name}}}"))?.without_surrogates().add_if(0xd800, 0xdfff, name == "C"))
            }
            _ => Ranges::of_class(&format!(r"\p{{{name}}}")),
        };
        let known =
            ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Me", "Mc", "Nd", "Nl", "No", "Zs", "Zl", "Zp", "Cc", "Cf", "Co", "Cs"];
        let more = ["Cn", "Pd", "Ps", "Pe", "Pc", "Po", "Sm", "Sc", "Sk", "So", "Pi", "Pf"];
        let is_known = known.iter().chain(&more).any(|known| *known == name || name.len() == 1 && known.starts_with(name));
        let all = if is_known { one(name)? } else { return None };
        Some(all.intersect(&Ranges::new(0, LOOKED_UP - 1)))
    }

    fn without_surrogates(self) -> Ranges {
        self.intersect(&Ranges::new(0xd800, 0xdfff).negate())
    }

    fn add_if(mut self, first: u32, last: u32, added: bool) -> Ranges {
        if added {
            self.bounds.push((first, last));
        }
        self.tidy()
    }

    /// Adds all of the other set; to be tidied.
    pub(super) fn add(&mut self, other: &Ranges) {
        self.bounds.extend(&other.bounds);
    }

    /// Sorts the ranges and joins those that touch.
    pub(super) fn tidy(mut self) -> Ranges {
        self.bounds.sort_unstable();
        let mut tidy: Vec<(u32, u32)> = Vec::with_capacity(self.bounds.len());
        for (first, last) in self.bounds {
            match tidy.last_mut() {
                Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
                _ => tidy.push((first, last)),
            }
        }
        Ranges { bounds: tidy }
    }

    /// All others.
    pub(super) fn negate(self) -> Ranges {
        let mut others = Vec::new();
        let mut next = 0;
        for (first, last) in self.tidy().bounds {
            if first > next {
                others.push((next, first - 1));
            }
            next = last + 1;
        }
        if next <= LAST {
            others.push((next, LAST));
        }
        Ranges { bounds: others }
    }

    /// Those of both.
    pub(super) fn intersect(self, other: &Ranges) -> Ranges {
        let mut none = self.negate();
        none.add(&other.clone().negate());
        none.negate()
    }

    /// With the other cases: of ASCII only, or of all.
    pub(super) fn cased(self, unicode: bool) -> Ranges {
        let mut all = self.tidy();
        for (first, last) in all.bounds.clone() {
            for (low, high, by) in [(0x41, 0x5a, 0x20), (0x61, 0x7a, 0x20u32.wrapping_neg())] {
                let (from, to) = (first.max(low), last.min(high));
                if from <= to {
                    all.bounds.push((from.wrapping_add(by), to.wrapping_add(by)));
                }
            }
        }
        let all = all.tidy();
        if unicode { all.folded() } else { all }
    }

    /// With every char of which one case is in.
    fn folded(mut self) -> Ranges {
        let cases = (128..0x1_0000u32).filter_map(char::from_u32).map(|c| (u32::from(c), upper(c)));
        let cases = cases.map(|(c, upper)| (c, [u32::from(upper), u32::from(lower(upper))]));
        let cases: Vec<_> = cases.filter(|(c, cases)| *cases != [*c; 2]).collect();
        let mut more = Vec::new();
        for (c, cases) in &cases {
            if cases.iter().any(|case| self.distance(*case) == Some(0)) {
                more.push((*c, *c));
            }
            if self.distance(*c) == Some(0) {
                more.extend(cases.map(|case| (case, case)));
            }
        }
        self.bounds.extend(more);
        self.tidy()
    }

    /// How far a code point is from the nearest of the set; none of the empty set.
    pub(crate) fn distance(&self, c: u32) -> Option<u32> {
        let next = self.bounds.partition_point(|(_, last)| *last < c);
        let above = self.bounds.get(next).map(|(first, _)| first.saturating_sub(c));
        let below = next.checked_sub(1).map(|before| c - self.bounds[before].1);
        above.into_iter().chain(below).min()
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }
}
