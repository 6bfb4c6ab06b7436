//! Patterns as found in real documents: what is drawn matches, by engines that know nothing of the translation.

use proptest::prelude::*;

use super::{Dialect, Pattern};
use crate::random::Random;

/// Patterns with the lengths asked for beside them.
const ECMA: [(&str, usize, usize); 40] = [
    ("^[a-z]+$", 0, usize::MAX),
    ("^[a-z]+$", 20, 30),
    ("^[a-z]*$", 0, 0),
    (r"^\d{3}-\d{2}-\d{4}$", 0, usize::MAX),
    ("[0-9]", 12, 12),
    ("^a", 10, 20),
    ("a$", 10, 20),
    (r"^([a-zA-Z0-9_\-\.]+)@([a-zA-Z0-9_\-\.]+)\.([a-zA-Z]{2,5})$", 0, 254),
    (r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,16}$", 8, 16),
    (r"^(?!.*\.\.)[a-z.]{3,63}$", 3, 63),
    (r"^(?!-)[a-z0-9-]{1,63}(?<!-)$", 0, usize::MAX),
    (r"^[\w.-]+/[\w.-]+$", 0, usize::MAX),
    (r"^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})$", 0, usize::MAX),
    (r"^#([A-Fa-f0-9]{6}|[A-Fa-f0-9]{3})$", 0, usize::MAX),
    ("foo|^bar$|baz", 3, 40),
    (r"^[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\t]*$", 1, 1_024),
    (r"[\s\S]{0,4000}", 1, 4_000),
    ("^.{1,2048}$", 1, 2_048),
    (r"^arn:aws:iam::\d{12}:role/[\w+=,.@/-]+$", 20, 2_048),
    (r"\S+", 1, 256),
    (r"^\+?[1-9]\d{1,14}$", 0, usize::MAX),
    (r"^(https?|ftp):\/\/[^\s/$.?#].[^\s]*$", 0, usize::MAX),
    (r"^[^<>]*$", 5, 5),
    (r"^\/[a-z]+\/\{id\}$", 0, usize::MAX),
    (r"\bword\b", 0, 20),
    (r"^\p{L}+$", 0, 30),
    ("^$", 0, 10),
    ("", 0, 10),
    ("^(a|b|ab)*c{2,3}?$", 6, 12),
    (r"^(?:[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){3,7})$", 0, 34),
    (r"^[A-Z]{3}$", 3, 3),
    (r"^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$", 0, usize::MAX),
    (r"^[^\x00-\x1f]+$", 0, 40),
    (r"^{id}$", 0, 20),
    // Back references.
    (r"^([a-c])([0-9])-\2\1$", 0, usize::MAX),
    (r#"^(?<quote>['"])[a-z]+\k<quote>$"#, 3, 10),
    // Look-around that asks for the whole text, for what follows a place, or against what stands beside it.
    (r"(?=^.{8,64}$)((?=.*\d)(?=.*[A-Z])(?=.*[a-z])|(?=.*\d)(?=.*[^A-Za-z0-9\s])(?=.*[a-z]))^.*", 8, 64),
    (r"^(?!.*--)(?!-)[a-z-]{2,10}(?<!-)$", 2, 10),
    (r"^arn:(?=[^:]+:fsx:[^:]+:\d{12}:)((|(?=[a-z0-9-.]{1,63})[a-z0-9].*(?<!-)):){4}(?!/).{0,1024}$", 8, 512),
    // Too large to be unrolled, with lengths beside it.
    (r"^((https://([^/]+)\.s3(-[^/]+)?\.amazonaws\.com(.cn)?)|(s3://([^/]+)))/\S{1,2000}$", 0, 2_000),
];

#[test]
fn samples_of_ecma_patterns_match_by_an_ecma_engine_and_keep_their_lengths() {
    let mut random = Random::new(11, 0);
    for (text, min, max) in ECMA {
        let pattern = Pattern::new(text, Dialect::Ecma).expect(text);
        let engine = regress::Regex::with_flags(text, if text.contains("\\p") || text.contains("\\uD800") { "u" } else { "" })
            .expect("the patterns are of the dialect");
        let smallest = pattern.smallest(min, max).unwrap_or_else(|| panic!("nothing drawn for {text}"));
        let samples: Vec<String> = (0..40).filter_map(|_| pattern.sample(&mut random, min, max)).collect();
        assert!(samples.len() > 30, "{} samples for {text}", samples.len());
        for sample in samples.iter().chain([&smallest]) {
            assert!(engine.find(sample).is_some(), "{sample:?} of {text}");
            assert!((min..=max).contains(&sample.chars().count()), "{sample:?} of {text}");
        }
    }
}

#[test]
fn patterns_that_no_text_of_the_lengths_matches_give_nothing() {
    for (text, min, max) in [
        (r"^[-_a-zA-Z0-9]*$\{2,64\}$", 2, 64),
        (r" ^[-\w]+$", 1, 90),
        (r"^[a-z]{5}$", 0, 4),
        (r"^[a-z]{5}$", 6, 9),
        (r"^[a-zA-Z]((?!--|__|..)[a-zA-Z0-9-_.])+$", 3, 32),
    ] {
        let pattern = Pattern::new(text, Dialect::Ecma).expect(text);
        assert_eq!(pattern.smallest(min, max), None, "{text}");
        assert_eq!(pattern.sample(&mut Random::new(1, 0), min, max), None, "{text}");
    }
}

#[test]
fn properties_of_other_dialects_are_drawn_from_us_ascii() {
    let pattern = Pattern::new(r"^[\p{Alnum}_]+\P{Alnum}$", Dialect::Ecma).expect("it is known");
    let judge = regex::Regex::new(r"^[A-Za-z0-9_]+[\x00-/:-@\[-`{-\x7f]$").expect("the judge is valid");
    let mut random = Random::new(15, 0);
    for _ in 0..40 {
        let sample = pattern.sample(&mut random, 0, 20).expect("it is drawn");
        assert!(judge.is_match(&sample), "{sample:?}");
    }
}

#[test]
fn samples_of_java_patterns_match() {
    let table = [
        (r"^\p{Alpha}\p{Alnum}*+$", r"^[A-Za-z][A-Za-z0-9]*$"),
        (r"\Qa.b\E\d", r"a\.b[0-9]"),
        (r"^(?>x+)y\Z", r"^x+y$"),
        (r"^[a-z&&[^aeiou]]+$", r"^[b-df-hj-np-tv-z]+$"),
        (r"(?i)^abc$", r"^[aA][bB][cC]$"),
        (r"^\h+\R$", r"^\s+$"),
        (r"^\e\cA$", r"^\x1b\x01$"),
        (r"^(?x) a \s b # comment", r"^a\sb"),
    ];
    let mut random = Random::new(12, 0);
    for (java, judge) in table {
        let pattern = Pattern::new(java, Dialect::Java).expect(java);
        let judge = regex::Regex::new(judge).expect("the judge is valid");
        for _ in 0..40 {
            let sample = pattern.sample(&mut random, 0, usize::MAX).unwrap_or_else(|| panic!("nothing drawn for {java}"));
            assert!(judge.is_match(&sample), "{sample:?} of {java}");
        }
    }
}

#[test]
fn samples_differ_and_repetitions_are_bounded() {
    let mut random = Random::new(13, 0);
    let pattern = Pattern::new("^[a-z]+(-[a-z]+)*$", Dialect::Ecma).expect("it is plain");
    let samples: std::collections::BTreeSet<String> =
        (0..200).filter_map(|_| pattern.sample(&mut random, 0, usize::MAX)).collect();
    assert!(samples.len() > 100);
    assert!(samples.iter().all(|sample| sample.len() < 500));
}

#[test]
fn hostile_patterns_end_soon() {
    let mut random = Random::new(14, 0);
    let long = "a".repeat(60) + "!";
    for text in [
        r"^(a+)+$",
        r"^(a|aa)+$",
        r"^(x+x+)+y|x+z$",
        r"^(.*a){12}$",
        r"^(?=(a+)+$).*$",
        "((((a{9}){9}){9}){9}){9}",
        r"^(a?){50}a{50}$",
    ] {
        let Ok(pattern) = Pattern::new(text, Dialect::Ecma) else { continue };
        // What is drawn matches or nothing is; that the test ends is the point.
        assert!(pattern.sample(&mut random, 0, 100).is_none_or(|sample| pattern.is_match(&sample)), "{text}");
        assert!(pattern.smallest(0, 100).is_none_or(|sample| pattern.is_match(&sample)), "{text}");
        let _ = (pattern.is_match(&long), pattern.is_match(&"x".repeat(60)));
    }
}

proptest! {
    #[test]
    fn any_text_as_a_pattern_is_translated_or_refused(text in r"[\[\]a-c(){}?*+|\\^$.\-&:=!<>,0-9dwpQEuxk]{0,24}", java: bool) {
        let dialect = if java { Dialect::Java } else { Dialect::Ecma };
        if let Ok(pattern) = Pattern::new(&text, dialect)
            && let Some(sample) = pattern.sample(&mut Random::new(1, 0), 0, 64)
        {
            prop_assert!(pattern.is_match(&sample));
        }
    }
}
