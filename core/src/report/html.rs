//! `report.html`: one page about a run, made from its files alone. It needs no network and nothing beside it.
//!
//! [`page`] is the entry point. The page itself (markup, style, script) stands in `html/page/`; here its data is made small
//! and put where no text of a service can break out of it.

mod command;
mod condense;
mod escape;
mod read;
mod tests_of_page;
mod verdict;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minijinja::{AutoEscape, Environment, context};
use serde_json::Value;

use super::{SourceTexts, printable};
use crate::explain::Shortfall;

pub use read::read_results;

const TEMPLATE: &str = include_str!("html/page/page.html.jinja");
const STYLE: &str =
    concat!(include_str!("html/page/base.css"), include_str!("html/page/lists.css"), include_str!("html/page/print.css"));
/// One script, so that one hash admits it; the parts stand in the order in which they need each other.
const SCRIPT: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("html/page/dom.js"),
    include_str!("html/page/model.js"),
    include_str!("html/page/list.js"),
    include_str!("html/page/faults.js"),
    include_str!("html/page/changes.js"),
    include_str!("html/page/curves.js"),
    include_str!("html/page/operations.js"),
    include_str!("html/page/source.js"),
    include_str!("html/page/coverage.js"),
    include_str!("html/page/open.js"),
    include_str!("html/page/tests.js"),
    include_str!("html/page/run.js"),
    include_str!("html/page/main.js"),
    "})();\n"
);

/// What a page is made from.
#[derive(Debug, Clone, Copy)]
pub struct PageSource<'a> {
    /// The content of `results.json`.
    pub results: &'a Value,
    /// What was not reached and why, where the record of the run is there.
    pub shortfall: Option<&'a Shortfall>,
    /// Sources of the service's classes.
    pub sources: &'a SourceTexts,
}

/// The page's text.
///
/// # Panics
/// Never: the template is ours and fits its values.
pub fn page(source: &PageSource) -> String {
    let verdict = verdict::verdict(source.results);
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    let values = context! {
        title => printable(&verdict.title),
        sentence => verdict.sentence,
        mood => verdict.mood.name(),
        style => STYLE,
        script => SCRIPT,
        style_hash => hash(STYLE),
        script_hash => hash(SCRIPT),
        data => escape::for_script(&condense::condense(source).to_string()),
    };
    environment.render_named_str("page.html", TEMPLATE, values).expect("the template fits its values")
}

/// As a content security policy names what it admits.
fn hash(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    format!("sha256-{}", STANDARD.encode(digest.as_ref()))
}

#[cfg(test)]
mod tests;
