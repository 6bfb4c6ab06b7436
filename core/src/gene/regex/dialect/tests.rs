//! The translation as a table, and its failures.

use super::super::Dialect::{self, Ecma, Java};
use super::translate;

fn shape(pattern: &str, dialect: Dialect) -> String {
    translate(pattern, dialect).map_or_else(|reason| format!("error: {reason}"), |translation| translation.shape)
}

#[test]
fn every_construct_has_its_translation() {
    let space = r"[\t\n\x0B\f\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]";
    let dot = r"[^\n\r\x{2028}\x{2029}]";
    let horizontal = r"[ \t\x{A0}\x{1680}\x{180E}\x{2000}-\x{200A}\x{202F}\x{205F}\x{3000}]";
    let line_break = r"(?:\r\n|[\n\x0B\f\r\x{85}\x{2028}\x{2029}])";
    let table: &[(Dialect, &str, &str)] = &[
        // Classes of one letter are US-ASCII in both dialects.
        (Ecma, r"^\d+$", "^[0-9]+$"),
        (Ecma, r"\D", "[^0-9]"),
        (Ecma, r"\w*", "[A-Za-z0-9_]*"),
        (Ecma, r"\s", space),
        (Java, r"\s", r"[\t\n\x0B\f\r ]"),
        (Java, r"\W", "[^A-Za-z0-9_]"),
        (Ecma, ".", dot),
        // Escapes of plain characters.
        (Ecma, r"\/a\-b\@\_", r"/a\-b@_"),
        (Ecma, r"\x41\u0042\u{43}\cJ\0", r"ABC\x{A}\x{0}"),
        (Ecma, r"\uD83D\uDE00", "😀"),
        (Ecma, r"\e\h\Q", "ehQ"),
        (Java, r"\e\a", r"\x{1B}\x{7}"),
        (Java, r"\cA\x{1F600}", r"\x{1}😀"),
        (Java, r"\0101", "A"),
        (Ecma, r"\101", "A"),
        (Java, r"\h", horizontal),
        (Java, r"\R", line_break),
        // Quoting.
        (Java, r"\Qa.b*\E+", r"a\.b\*+"),
        (Java, r"\Q[x", r"\[x"),
        // Anchors of other dialects.
        (Java, r"\Aa\Z", r"\Aa\z"),
        (Ecma, r"\Aa\z", r"\Aa\z"),
        // Braces that count nothing.
        (Ecma, "a{", r"a\{"),
        (Ecma, "{a}", r"\{a\}"),
        (Ecma, "a{,3}", r"a\{,3\}"),
        (Ecma, "a{2}b{2,}c{2,3}", "a{2}b{2,}c{2,3}"),
        // Quantifiers.
        (Java, "a++b*+c?+d{2}+", "a+b*c?d{2}"),
        (Ecma, "a+?b*?", "a+?b*?"),
        // Groups.
        (Ecma, "(a)(?:b)(?<c>d)", "(?:a)(?:b)(?:d)"),
        (Java, "(?>a|b)c", "(?:a|b)c"),
        (Ecma, "a(?=b)c", "a(?:)c"),
        (Java, "(?<!x)a(?!b)", "(?:)a(?:)"),
        (Java, "(?i)a(?s:.)", "(?i)a(?s:.)"),
        (Java, "(?iu-m:a)", "(?i-m:a)"),
        (Java, "(?d)a", "a"),
        // Back references.
        (Ecma, r"(a|b)c\1", "(?:a|b)c(?:a|b)"),
        (Ecma, r"(?<x>a)(?P<y>b)\k<y>", "(?:a)(?:b)(?:b)"),
        (Ecma, r"(?=(a))\1", "(?:)(?:)"),
        // Classes.
        (Ecma, r"[\w.-]", r"[A-Za-z0-9_\.\-]"),
        (Ecma, r"[\w-.]", r"[A-Za-z0-9_\-\.]"),
        (Ecma, "[a[b]", r"[a\[b]"),
        (Java, "[a[bc]]", "[a[bc]]"),
        (Java, "[a-z&&[^bc]]", "[a-z&&[^bc]]"),
        (Ecma, "[a&&b]", r"[a\&\&b]"),
        (Ecma, r"[\b]", r"[\x{8}]"),
        (Ecma, "[^]", "(?s:.)"),
        (Ecma, "[]", "[a&&b]"),
        (Ecma, r"[\]\-\\]", r"[\]\-\\]"),
        (Ecma, "[+--]", r"[\+-\-]"),
        (Ecma, "[^/]", "[^/]"),
        (Ecma, r"[\D]", "[[^0-9]]"),
        // Properties.
        (Java, r"\p{Alpha}\P{Digit}", "[A-Za-z][^0-9]"),
        (Java, r"[\p{Upper}_]", "[A-Z_]"),
        (Java, r"\pL\p{IsLatin}", r"\p{L}\p{Latin}"),
        (Java, r"\p{InGreek}\P{InCYRILLIC}", r"[\x{370}-\x{3FF}][^\x{400}-\x{4FF}]"),
        (Java, r"[\p{InLatin-1Supplement}\p{block=Latin Extended-A}]", r"[\x{80}-\x{FF}\x{100}-\x{17F}]"),
        (Ecma, r"\p{L}", r"\p{L}"),
        (Ecma, r"[\p{Alnum}_]\P{Print}", r"[A-Za-z0-9_][[^ -~]&&[\x00-\x7F]]"),
        (Ecma, r"\p", "p"),
    ];
    for (dialect, pattern, expected) in table {
        assert_eq!(shape(pattern, *dialect), *expected, "{pattern} of {dialect:?}");
        let parsed = regex_syntax::parse(expected);
        assert!(parsed.is_ok(), "{expected}: {parsed:?}");
    }
}

#[test]
fn what_cannot_be_drawn_is_an_error_that_says_why() {
    let table: &[(Dialect, &str, &str)] = &[
        (Ecma, r"(?<x>a)\k<y>", "error: group `y` is not known"),
        (Java, r"\X", r"error: `\X` is not supported"),
        (Java, r"\p{InKlingon}", "error: property `InKlingon` is not known"),
        (Ecma, "(a", "error: unclosed group"),
        (Ecma, "a)", "error: unopened group"),
        (Ecma, "[a", "error: unclosed class"),
        (Ecma, "[z-a]", "error: range `z-a` is empty"),
        (Ecma, "*a", "error: `*` follows nothing"),
        (Ecma, "(?y)", "error: group `(?y` is not known"),
        (Ecma, "a\\", "error: the pattern ends with a backslash"),
    ];
    for (dialect, pattern, expected) in table {
        assert_eq!(shape(pattern, *dialect), *expected, "{pattern} of {dialect:?}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    assert!(translate(&"(".repeat(100_000), Ecma).is_err());
    assert!(translate(&"[".repeat(100_000), Java).is_err());
}

#[test]
fn the_full_pattern_keeps_what_the_shape_drops() {
    let full = |pattern: &str| translate(pattern, Java).map(|translation| (translation.full, translation.exact));
    assert_eq!(full("(?>a)(?=b)(?<!c)d++"), Ok(("(?>a)(?=b)(?<!c)d++".to_owned(), false)));
    assert_eq!(full("(a)[b]"), Ok(("(a)[b]".to_owned(), true)));
}

#[test]
fn look_aheads_say_what_must_be_somewhere() {
    let wanted = translate(r"^(?=.*\d)(?=.*?[A-Z])(?!x)(?=a).{8,}$", Ecma).map(|translation| translation.wanted);
    assert_eq!(wanted, Ok(vec!["[0-9]".to_owned(), "[A-Z]".to_owned(), "a".to_owned()]));
}
