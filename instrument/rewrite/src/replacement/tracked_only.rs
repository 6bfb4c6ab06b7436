//! Library methods whose calls are not measured, but tell of tracked values.

use super::ReplacementFamily::Text;
use super::{OutcomeKind, Receiver, Replacement};

const fn exact(class: &'static str, method: &'static str, descriptor: &'static str, hook: &'static str) -> Replacement {
    let (family, receiver, outcome) = (Text, Receiver::Exact, OutcomeKind::Return);
    Replacement { family, class, method, descriptor, receiver, outcome, hook, since: 8 }
}

const fn fixed(class: &'static str, method: &'static str, descriptor: &'static str, hook: &'static str) -> Replacement {
    Replacement { receiver: Receiver::Static, ..exact(class, method, descriptor, hook) }
}

/// Every such method.
#[rustfmt::skip] // One row, one line.
pub(super) static ROWS: [Replacement; 7] = [
    exact("java/lang/String", "split", "(Ljava/lang/String;)[Ljava/lang/String;", "split"),
    exact("java/lang/String", "split", "(Ljava/lang/String;I)[Ljava/lang/String;", "split"),
    exact("java/util/regex/Pattern", "split", "(Ljava/lang/CharSequence;)[Ljava/lang/String;", "splitting"),
    exact("java/util/regex/Pattern", "split", "(Ljava/lang/CharSequence;I)[Ljava/lang/String;", "splitting"),
    fixed("java/net/URLDecoder", "decode", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", "decodeUrl"),
    fixed("java/net/URLDecoder", "decode", "(Ljava/lang/String;Ljava/nio/charset/Charset;)Ljava/lang/String;", "decodeUrl"),
    fixed("java/net/URLDecoder", "decode", "(Ljava/lang/String;)Ljava/lang/String;", "decodeUrl"),
];
