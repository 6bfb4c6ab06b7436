//! The point where a target framework is added: one file with a [`SuiteWriter`], one entry in [`WRITERS`].

use std::collections::BTreeMap;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Value, context};

use crate::api::{MediaKind, Verb};

use super::Error;
use super::covers::covers;
use super::curl::Curl;
use super::http::Http;
use super::javascript::Javascript;
use super::junit::Junit;
use super::kotlin::Kotlin;
use super::model::{Piece, SuiteReset, TestCall, TestCase, TestKind, TestSuite};
use super::naming::{bounded, snake};
use super::pytest::Pytest;
use super::rust::Rust;
use super::shape::Shape;
use super::text::comment;

/// Writes a suite for one test framework.
pub trait SuiteWriter: Sync {
    /// Name of the form, which is also its folder.
    fn name(&self) -> &'static str;

    /// What runs the tests, for people: `JUnit in Java`.
    fn title(&self) -> &'static str;

    /// Shell command that runs the tests in the folder of the form.
    fn command(&self) -> &'static str;

    /// The written name of the test that a line of a file with tests begins.
    fn test_begun<'l>(&self, line: &'l str) -> Option<&'l str>;

    /// All files of the form; equal suites give equal files.
    fn files(&self, suite: &TestSuite) -> Result<Vec<SuiteFile>, Error>;
}

/// Every form a suite is written in.
pub const WRITERS: [&dyn SuiteWriter; 7] = [&Pytest, &Junit, &Kotlin, &Rust, &Javascript, &Http, &Curl];

/// One file of a written suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteFile {
    /// Path below the folder of the form, with forward slashes.
    pub path: String,
    /// What is in it; text in UTF-8 but for request bodies that are not.
    pub content: Vec<u8>,
    /// Names of the tests that stand in it.
    pub tests: Vec<String>,
}

/// Templates of one form, by name.
pub(super) struct Templates(Environment<'static>);

impl Templates {
    /// The templates of that text; nothing is escaped on its own, for the values handed in are code.
    pub fn new(templates: &[(&'static str, &'static str)]) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
        let mut syntax = SyntaxConfig::builder();
        syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
        environment.set_syntax(syntax.build().expect("the default delimiters are valid"));
        for (name, text) in templates {
            environment.add_template(name, text).map_err(|source| Error::template(name, source))?;
        }
        Ok(Self(environment))
    }

    /// The files that support the tests of `suite`; each is named like its template, and `text` writes a string.
    pub fn support(&self, paths: &[&str], suite: &TestSuite, text: fn(&str) -> String) -> Result<Vec<SuiteFile>, Error> {
        let values = support_values(suite, text);
        paths.iter().map(|path| self.file(path, path, values.clone(), Vec::new())).collect()
    }

    /// The file at `path`, made by the template `name` with `values`.
    pub fn file(&self, name: &str, path: &str, values: impl Into<Value>, tests: Vec<String>) -> Result<SuiteFile, Error> {
        let template = self.0.get_template(name).map_err(|source| Error::template(name, source))?;
        let content = template.render(values).map_err(|source| Error::template(name, source))?;
        Ok(SuiteFile { path: path.to_owned(), content: content.into_bytes(), tests })
    }
}

/// A call with what is known of the captured values it may use.
#[derive(Clone, Copy)]
pub(super) struct CallInTest<'a> {
    /// The test around it.
    pub test: &'a TestCase,
    /// The call.
    pub call: &'a TestCall,
}

impl<'a> CallInTest<'a> {
    /// The calls of `test`.
    pub fn all(test: &'a TestCase) -> impl Iterator<Item = Self> {
        test.calls.iter().map(move |call| Self { test, call })
    }

    /// What the run saw in the variable of that name, which every piece refers to by construction.
    pub fn seen(self, name: &str) -> Option<&'a serde_json::Value> {
        let captured = self.test.calls.iter().flat_map(|call| &call.captures).map(|capture| (&capture.name, &capture.seen));
        let fresh = self.test.calls.iter().flat_map(|call| &call.fresh).map(|fresh| (&fresh.name, &fresh.seen));
        captured.chain(fresh).find(|(other, _)| *other == name).map(|(_, seen)| seen)
    }

    /// What draws the texts that are others each time, by the names of variables and what they are like.
    pub fn drawings(self, write: impl Fn(&str, &str) -> String) -> Vec<String> {
        self.call.fresh.iter().map(|fresh| write(&fresh.name, fresh.text())).collect()
    }

    /// Whether the place at `pointer` of the answer is known to be an array.
    pub fn is_array(self, pointer: &str) -> bool {
        self.call.expects_array(pointer)
    }
}

/// What stands in the files beside the tests: `address` and sentences for people, the rest as code.
fn support_values(suite: &TestSuite, text: fn(&str) -> String) -> Value {
    let users: Vec<_> =
        suite.users.iter().map(|user| context! { name => text(&user.name), variable => text(&user.variable) }).collect();
    let (verb, url) = match &suite.reset {
        SuiteReset::Call { verb, url } => (verb.as_str(), url.as_str()),
        _ => ("POST", ""),
    };
    let (words, folder) = match &suite.reset {
        SuiteReset::Command { words, folder } => (words.as_slice(), folder.as_str()),
        _ => (&[][..], ""),
    };
    context! {
        title => comment(&suite.title),
        is_https => suite.base_url.starts_with("https:"),
        verbs => Verb::ALL.map(Verb::name),
        shapes => Shape::ALL.map(|shape| context! { name => shape.name(), pascal => pascal(shape.name()), pattern => shape.pattern() }),
        address => comment(&suite.base_url),
        reset_sentence => reset_sentence(&suite.reset),
        users_sentence => users_sentence(suite),
        users,
        base_url => text(&suite.base_url),
        insecure => suite.insecure,
        reset_verb => text(verb),
        reset_url => text(url),
        reset_words => words.iter().map(|word| text(word)).collect::<Vec<_>>(),
        reset_folder => text(folder),
    }
}

/// Whether the body is said to be JSON; without a type it must be sent without one, which a JSON value is not.
pub(super) fn is_json(call: &TestCall) -> bool {
    let content_type = call.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    matches!(content_type.map(|(_, value)| value.as_slice()), Some([Piece::Text(text)]) if MediaKind::of(text) == MediaKind::Json)
}

/// `snake` in lower camel case; numbers that follow each other stay apart: `returns_200_2` is `returns200_2`.
pub(super) fn camel(snake: &str) -> String {
    let mut words = snake.split('_').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or("test").to_owned();
    let ends_in_digit = |name: &str| name.ends_with(|last: char| last.is_ascii_digit());
    words.fold(first, |name, word| {
        let apart = if ends_in_digit(&name) && word.starts_with(|first: char| first.is_ascii_digit()) { "_" } else { "" };
        name + apart + &word[..1].to_ascii_uppercase() + &word[1..]
    })
}

/// `snake` in upper camel case.
pub(super) fn pascal(snake: &str) -> String {
    let words = snake.split('_').filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// How the service is brought back before each test, for a README.
fn reset_sentence(reset: &SuiteReset) -> String {
    let call = "`RESTIVE_RESET_URL` and `RESTIVE_RESET_VERB` name a call made before each test";
    match reset {
        SuiteReset::Never => format!("{call}."),
        SuiteReset::Call { verb, url } => format!("{call} (default: `{} {}`).", comment(verb), comment(url)),
        SuiteReset::LeftOut => format!(
            "The run started the service anew before each of its tests. These tests cannot: they were verified, and pass, without. {call}."
        ),
        SuiteReset::Command { words, .. } => format!(
            "`RESTIVE_RESET_COMMAND` is a command run before each test, in `RESTIVE_RESET_FOLDER`; the tests were verified with it (default: `{}`, where the run was started).",
            comment(&words.join(" "))
        ),
    }
}

/// Why a test without calls is skipped; none for one with calls.
pub(super) fn skip_reason(test: &TestCase) -> Option<&str> {
    test.calls.is_empty().then(|| test.notes.first().map_or("nothing can be expected", String::as_str))
}

/// Names of the environment variables as a sentence for a README.
fn users_sentence(suite: &TestSuite) -> String {
    if suite.users.is_empty() {
        return "No test sends credentials.".to_owned();
    }
    let names: Vec<String> = suite.users.iter().map(|user| format!("`{}`", user.variable)).collect();
    format!("Credentials come from {}, as header fields: `Authorization: Bearer ...`.", names.join(", "))
}

/// Tests of one kind in one file, when there are not too many; else those of one tag of the interface.
const MAX_WITHOUT_TAGS: usize = 40;
/// Longest word for a tag.
const MAX_TAG: usize = 40;

/// Tests that stand in one file.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// What they show.
    pub kind: TestKind,
    /// Their tag in snake case, none when tests of all tags or of none stand here.
    pub tag: Option<String>,
    /// The tests in the order of the suite; at least one.
    pub tests: Vec<&'a TestCase>,
}

impl Group<'_> {
    /// `faults`, or `faults_orders` with a tag: the name of a file.
    pub fn name(&self) -> String {
        let kind = match self.kind {
            TestKind::Fault => "faults",
            TestKind::Success => "successes",
            TestKind::Other => "other",
        };
        self.tag.as_ref().map_or_else(|| kind.to_owned(), |tag| format!("{kind}_{tag}"))
    }

    /// What the tests have in common, for the top of a file.
    pub fn heading(&self) -> String {
        let kind = match self.kind {
            TestKind::Fault => "Faults: what the service answers wrongly today",
            TestKind::Success => "Calls that succeed",
            TestKind::Other => "Calls that are refused, and the rest",
        };
        self.tag.as_ref().map_or_else(|| format!("{kind}."), |tag| format!("{kind} ({}).", tag.replace('_', " ")))
    }

    /// Names of the tests.
    pub fn test_names(&self) -> Vec<String> {
        self.tests.iter().map(|test| test.name.clone()).collect()
    }
}

/// The tests of `suite` by kind, faults first, and by tag where a kind has many.
pub(super) fn groups(suite: &TestSuite) -> Vec<Group<'_>> {
    [TestKind::Fault, TestKind::Success, TestKind::Other].into_iter().flat_map(|kind| groups_of(suite, kind)).collect()
}

/// The tests of `suite` in the order in which most runners take written ones: file by file, by the files' names.
pub fn in_written_order(suite: &TestSuite) -> Vec<&TestCase> {
    let mut files = groups(suite);
    files.sort_by_key(Group::name);
    files.into_iter().flat_map(|group| group.tests).collect()
}

fn groups_of(suite: &TestSuite, kind: TestKind) -> Vec<Group<'_>> {
    let tests: Vec<&TestCase> = suite.tests.iter().filter(|test| test.kind == kind).collect();
    let mut by_tag: BTreeMap<Option<String>, Vec<&TestCase>> = BTreeMap::new();
    let has_tags = tests.len() > MAX_WITHOUT_TAGS;
    for test in tests {
        let tag = test.tag.as_deref().filter(|_| has_tags).and_then(tag_word);
        by_tag.entry(tag).or_default().push(test);
    }
    by_tag.into_iter().map(|(tag, tests)| Group { kind, tag, tests }).collect()
}

/// A tag as a part of a name, if it has letters or digits.
fn tag_word(tag: &str) -> Option<String> {
    let word = bounded(&snake(tag), MAX_TAG).to_owned();
    (!word.is_empty())
        .then(|| if word.starts_with(|first: char| first.is_ascii_digit()) { format!("tag_{word}") } else { word })
}

/// The comment lines of a test: what it covers and shows, and what is left out.
pub(super) fn comments(test: &TestCase) -> Vec<String> {
    let mut lines = Vec::new();
    if !test.findings.is_empty() {
        lines.push(format!("Shows {}.", test.findings.join(", ")));
    }
    lines.extend(covers(&test.targets));
    lines.extend(test.notes.iter().cloned());
    if test.kind == TestKind::Fault && !test.calls.is_empty() {
        let word = if test.name.contains("after_a_fault") { "after a fault" } else { "wrongly" };
        lines.push(format!("Once it is fixed this fails: expect the right answer then, and take '{word}' out of the name."));
    }
    lines.iter().map(|line| super::text::comment(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::sample;

    #[test]
    fn names_become_camel_case() {
        assert_eq!(camel("get_orders_by_id_returns_500"), "getOrdersByIdReturns500");
        assert_eq!(camel("get_orders_returns_200_2"), "getOrdersReturns200_2");
        assert_eq!(pascal("date_time"), "DateTime");
    }

    /// A suite of `count` successes with these tags in turn.
    fn tagged(count: usize, tags: &[Option<&str>]) -> TestSuite {
        let test = |idx: usize| TestCase {
            tag: tags[idx % tags.len()].map(str::to_owned),
            ..sample::test(&format!("test_{idx}"), TestKind::Success, Vec::new())
        };
        TestSuite { tests: (0..count).map(test).collect(), ..sample::suite() }
    }

    #[test]
    fn few_tests_of_a_kind_stand_together_and_many_by_tag() {
        let names = |suite: &TestSuite| groups(suite).iter().map(|group| (group.name(), group.tests.len())).collect::<Vec<_>>();
        let tags = [Some("Orders"), None, Some("orders!"), Some("2nd"), Some("é")];
        assert_eq!(names(&tagged(40, &tags)), [("successes".to_owned(), 40)]);
        let expected = [("successes", 20), ("successes_orders", 20), ("successes_tag_2nd", 10)];
        assert_eq!(names(&tagged(50, &tags)), expected.map(|(name, count)| (name.to_owned(), count)));
        assert_eq!(names(&tagged(50, &[None])), [("successes".to_owned(), 50)]);
    }

    #[test]
    fn written_tests_are_taken_file_by_file() {
        let test = |kind: TestKind, name: &str| sample::test(name, kind, Vec::new());
        let tests = vec![
            test(TestKind::Success, "get_a"),
            test(TestKind::Other, "get_b"),
            test(TestKind::Fault, "get_c"),
            test(TestKind::Success, "get_0"),
        ];
        let suite = TestSuite { tests, ..sample::suite() };
        let names: Vec<&str> = in_written_order(&suite).into_iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["get_c", "get_b", "get_a", "get_0"]);
    }

    #[test]
    fn faults_say_how_they_are_turned_round() {
        let suite = sample::suite();
        let last = |test: &TestCase| comments(test).pop().unwrap_or_default();
        let is_told = |test: &&TestCase| last(test).contains("Once it is fixed");
        let told: Vec<_> = suite.tests.iter().filter(is_told).map(|test| test.kind).collect();
        assert_eq!(told, [TestKind::Fault, TestKind::Fault]);
    }
}
