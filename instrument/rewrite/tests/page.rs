//! `replacements.md`, the page of the library methods whose calls are measured, is what the table says; `BLESS=1` writes it
//! anew.

use std::fmt::Write as _;
use std::path::Path;

use restive_rewrite::{OutcomeKind, Receiver, Replacement, ReplacementFamily, replacements};

const HEAD: &str = "\
# Library methods whose calls are measured

Made from `src/replacement/table.rs` by `BLESS=1 cargo test -p restive-rewrite --test page`; what the distances are stands in
[`../heuristics/`](../heuristics/README.md), by the name of the hook in [`../java/Calls.java`](../java/README.md).
References to these methods are measured as well, and calls of overrides where `subclasses` says so.
`--replacements` of restive takes the names of the families.

Targets: of *true or false*, *found*, *index* and *equal* `replace:…:true` and `…:false`; of *returns* `returns:…` and `throws:…`.
";

/// What the outcomes of a call are, for people.
fn outcomes(kind: OutcomeKind) -> &'static str {
    match kind {
        OutcomeKind::Truth => "true or false",
        OutcomeKind::Presence => "found or null",
        OutcomeKind::Index => "index or -1",
        OutcomeKind::Order => "equal or not",
        OutcomeKind::Stated => "found or not",
        OutcomeKind::Matched => "some, or all, elements fulfil it",
        OutcomeKind::Unmatched => "none fulfils it",
        OutcomeKind::Return => "returns or throws",
    }
}

/// `contains(Object)` of a row; a constructor has the name of its class.
fn signature(row: &Replacement) -> String {
    let parameters = row.descriptor.split(')').next().unwrap_or_default().trim_start_matches('(');
    let mut names = Vec::new();
    let mut rest = parameters;
    while let Some(first) = rest.chars().next() {
        let end = if first == 'L' { rest.find(';').map_or(rest.len(), |end| end + 1) } else { 1 };
        names.push(match first {
            'C' => "char",
            'D' => "double",
            'I' => "int",
            'J' => "long",
            'Z' => "boolean",
            _ => simple(rest[..end].trim_end_matches(';')),
        });
        rest = &rest[end..];
    }
    let method = if row.receiver == Receiver::Constructor { simple(row.class) } else { row.method };
    format!("{method}({})", names.join(", "))
}

fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for family in ReplacementFamily::ALL {
        let rows: Vec<_> = replacements().iter().filter(|row| row.family == family).collect();
        let table = "| class | method | outcomes | hook | since |\n| --- | --- | --- | --- | --- |";
        writeln!(page, "\n## {}\n\n{} methods.\n\n{table}", family.name(), rows.len()).expect("a string takes all");
        for row in rows {
            let class = row.class.replace(['/', '$'], ".");
            let others = if row.receiver == Receiver::Open { ", subclasses" } else { "" };
            let since = if row.since == 0 { "library".to_owned() } else { format!("Java {}", row.since) };
            let (outcomes, signature) = (outcomes(row.outcome), signature(row));
            writeln!(page, "| `{class}`{others} | `{signature}` | {outcomes} | `{}` | {since} |", row.hook)
                .expect("a string takes all");
        }
    }
    page
}

#[test]
fn the_page_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("replacements.md");
    let page = page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &page).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(found == page, "{} is not what the table says; BLESS=1 writes it anew", path.display());
}
