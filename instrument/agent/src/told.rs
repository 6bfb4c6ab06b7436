//! Tracked values, hints, inputs and routes as the runtime classes take and tell them: texts as their length and their UTF-16
//! units.

use std::collections::BTreeSet;

use restive_driver_protocol::{Expansion, Hint, Route, Routes};
use restive_rewrite::{InputPlace, PART, PART_PREFIX, Usage};

/// UTF-16 units of a value that is tracked, at most; the same as in `Tracking.java`.
const LONGEST: usize = 200;
/// Values of one action that are tracked, at most.
const MOST_VALUES: usize = 512;

/// The values that can be tracked, one behind the other.
pub(crate) fn packed(values: &[String]) -> Vec<u16> {
    let mut packed = Vec::new();
    for value in values.iter().take(MOST_VALUES) {
        let units: Vec<u16> = value.encode_utf16().collect();
        if let Some(length) = u16::try_from(units.len()).ok().filter(|length| (1..=LONGEST).contains(&usize::from(*length))) {
            packed.push(length);
            packed.extend(units);
        }
    }
    packed
}

/// Hints, each as its usage, its value and the other operand; what is damaged ends them.
pub(crate) fn unpacked(units: &[u16]) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut rest = units;
    while let Some((hint, behind)) = first(rest) {
        hints.extend(hint);
        rest = behind;
    }
    hints
}

/// Inputs that were read, each as its place and its name; what is damaged ends them.
pub(crate) fn inputs(units: &[u16]) -> Vec<(InputPlace, String)> {
    let mut inputs = Vec::new();
    let mut rest = units;
    while let Some((place, behind)) = rest.split_first() {
        let Some((name, behind)) = text(behind) else { break };
        inputs.extend(InputPlace::of_number(*place).map(|place| (place, name)));
        rest = behind;
    }
    inputs
}

/// What the core is told of inputs; `schema` gives the schema of a type by its name.
///
/// A text that is read into a class is the body only where the body was read as it came; elsewhere it may be anything. So may
/// be JSON objects, unless the framework read the body.
pub(crate) fn expansions<E>(
    read: &[(InputPlace, String)],
    mut schema: impl FnMut(&str) -> Result<String, E>,
) -> Result<Vec<Expansion>, E> {
    let is_raw = read.iter().any(|(place, _)| matches!(place, InputPlace::Raw | InputPlace::Direct));
    let is_body = is_raw || read.iter().any(|(place, _)| *place == InputPlace::Bound);
    let is_parsed =
        |place: &InputPlace| key_schema(*place).is_some() || matches!(place, InputPlace::Properties | InputPlace::Fields);
    let is_understood = read.iter().any(|(place, _)| is_parsed(place));
    let filling: Vec<Expansion> = read.iter().filter_map(filling).collect();
    let is_filling = |it: &Expansion| filling.iter().any(|other| (&other.place, &other.name) == (&it.place, &it.name));
    let mut expansions: Vec<Expansion> = Vec::new();
    for (place, name) in read {
        let told =
            |place: &str, schema: &str| Expansion { place: place.to_owned(), name: name.clone(), schema: schema.to_owned() };
        let expansion = match place {
            InputPlace::Query => Some(told("query", "")),
            InputPlace::Header => Some(told("header", "")),
            InputPlace::Cookie => Some(told("cookie", "")),
            InputPlace::Form => Some(told("form", "")),
            // That there are parts says nothing more where they are known.
            InputPlace::Part if name.is_empty() && filling.iter().any(|it| it.place == "part") => None,
            InputPlace::Part => Some(told("part", "")),
            InputPlace::Matrix => Some(told("matrix", "")),
            InputPlace::File => Some(told("part", r#"{"type":"string","format":"binary"}"#)),
            InputPlace::Raw => (!is_understood).then(|| told("raw", "")),
            InputPlace::Properties | InputPlace::Fields | InputPlace::Direct => {
                Some(told(if is_raw { "body" } else { "parsed" }, &schema(name)?))
            }
            InputPlace::Bound => Some(told("bound", &schema(name)?)),
            InputPlace::Bean | InputPlace::Registered | InputPlace::Pointed | InputPlace::DeepKey => None,
            _ => key_schema(*place).filter(|_| is_body).and_then(|schema| key(name, schema)),
        };
        // Of what a bean is filled from, more is known than its name.
        expansions.extend(expansion.filter(|expansion| !expansions.contains(expansion) && !is_filling(expansion)));
    }
    for expansion in filling {
        if !expansions.contains(&expansion) {
            expansions.push(expansion);
        }
    }
    Ok(expansions)
}

/// A parameter that a bean is filled from: its place as a char, its name, a line break, its schema.
fn filling((place, told): &(InputPlace, String)) -> Option<Expansion> {
    let mut chars = told.chars();
    let number = chars.next().filter(|_| *place == InputPlace::Bean)?;
    let (name, schema) = chars.as_str().split_once('\n')?;
    let place = match InputPlace::of_number(u16::try_from(u32::from(number)).ok()?)? {
        InputPlace::Query => "query",
        InputPlace::Header => "header",
        InputPlace::Cookie => "cookie",
        InputPlace::Form => "form",
        InputPlace::Part | InputPlace::File => "part",
        InputPlace::Matrix => "matrix",
        _ => return None,
    };
    Some(Expansion { place: place.to_owned(), name: name.to_owned(), schema: schema.to_owned() })
}

/// What is known of the value of a key; none for other places.
fn key_schema(place: InputPlace) -> Option<&'static str> {
    match place {
        InputPlace::Key => Some("{}"),
        InputPlace::TextKey => Some(r#"{"type":"string"}"#),
        InputPlace::IntegerKey => Some(r#"{"type":"integer"}"#),
        InputPlace::NumberKey => Some(r#"{"type":"number"}"#),
        InputPlace::BooleanKey => Some(r#"{"type":"boolean"}"#),
        InputPlace::ArrayKey => Some(r#"{"type":"array"}"#),
        InputPlace::ObjectKey => Some(r#"{"type":"object"}"#),
        _ => None,
    }
}

/// A key that this way leads to: by its name where it is one of the outermost object, else by the way.
/// Without a way all keys of the outermost object are gone through.
fn key(way: &str, schema: &str) -> Option<Expansion> {
    let expansion = |place: &str, name: String| Expansion { place: place.to_owned(), name, schema: schema.to_owned() };
    if way.is_empty() {
        return Some(expansion("key", String::new()));
    }
    let name = way.strip_prefix('/')?;
    if name.contains('/') {
        return Some(expansion("way", way.to_owned()));
    }
    // A member of an array is no key.
    (name != "-").then(|| expansion("key", name.replace("~2", "-").replace("~1", "/").replace("~0", "~")))
}

/// The first hint, none where its usage is not known, and what is behind it.
fn first(units: &[u16]) -> Option<(Option<Hint>, &[u16])> {
    let (usage, rest) = units.split_first()?;
    let (tracked, rest) = text(rest)?;
    let (operand, rest) = text(rest)?;
    let prefix = if usage & PART == 0 { "" } else { PART_PREFIX };
    let usage = Usage::of_number(usage & !PART).map(|usage| format!("{prefix}{}", usage.name()));
    let hint = usage.map(|usage| Hint { tracked, usage, operand });
    Some((hint, rest))
}

/// What the runtime class tells of routes.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ToldRoutes {
    /// Their paths are those in the server.
    pub(crate) routes: Routes,
    /// Paths of the server's applications, with which those of routes begin.
    contexts: Vec<String>,
}

impl ToldRoutes {
    /// The routes, without the path of the one application that all of them are in; those of several keep theirs.
    pub(crate) fn below_contexts(self) -> Routes {
        let Self { mut routes, contexts } = self;
        let rest_in = |context: &str, path: &str| {
            let rest = path.strip_prefix(context).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some(if rest.is_empty() { "/".to_owned() } else { rest.to_owned() })
        };
        let context_of = |route: &Route| {
            let around = contexts.iter().filter(|context| rest_in(context, &route.path).is_some());
            around.max_by_key(|context| context.len())
        };
        let used: BTreeSet<Option<&String>> = routes.routes.iter().map(context_of).collect();
        if let (1, Some(Some(context))) = (used.len(), used.first()) {
            for route in &mut routes.routes {
                route.path = rest_in(context, &route.path).expect("all are in this one");
            }
        }
        routes.bases.extend(contexts);
        routes.bases.sort();
        routes.bases.dedup();
        routes
    }
}

/// Routes, notes, paths and how many routes were left out, each behind a letter; what is damaged ends them.
pub(crate) fn routes(units: &[u16]) -> ToldRoutes {
    let mut told = ToldRoutes::default();
    let mut rest = units;
    while let Some(behind) = next_route(&mut told, rest) {
        rest = behind;
    }
    told.routes.routes.sort();
    told
}

fn next_route<'a>(ToldRoutes { routes: told, contexts }: &mut ToldRoutes, units: &'a [u16]) -> Option<&'a [u16]> {
    let (letter, rest) = units.split_first()?;
    let (first, rest) = text(rest)?;
    match u8::try_from(*letter).ok()? {
        b'R' => {
            let (verb, rest) = text(rest)?;
            let (handler, rest) = text(rest)?;
            let (framework, rest) = text(rest)?;
            let (operation, rest) = text(rest)?;
            told.routes.push(Route { path: first, verb, handler, framework, operation });
            Some(rest)
        }
        b'N' => {
            told.notes.push(first);
            Some(rest)
        }
        b'C' => {
            contexts.push(first);
            Some(rest)
        }
        b'B' => {
            told.bases.push(first);
            Some(rest)
        }
        b'L' => {
            told.lazy.push(first);
            Some(rest)
        }
        b'D' => {
            told.dropped = first.parse().unwrap_or(0);
            Some(rest)
        }
        _ => None,
    }
}

fn text(units: &[u16]) -> Option<(String, &[u16])> {
    let (length, rest) = units.split_first()?;
    let (text, rest) = rest.split_at_checked(usize::from(*length))?;
    Some((decoded(text), rest))
}

/// The text of these units; what is no UTF-16 becomes a replacement character. Nearly all texts are ASCII, which goes by the
/// dozen.
pub(crate) fn decoded(units: &[u16]) -> String {
    let is_ascii = units.iter().fold(0, |all, unit| all | unit) < 0x80;
    let bytes = || units.iter().map(|unit| unit.to_le_bytes()[0]).collect();
    match is_ascii.then(bytes).map(String::from_utf8) {
        Some(Ok(text)) => text,
        _ => String::from_utf16_lossy(units),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_with_their_lengths_in_units() {
        let values = ["abc", "", "😀", &"x".repeat(LONGEST + 1)].map(str::to_owned);
        let emoji: Vec<u16> = "😀".encode_utf16().collect();
        assert_eq!(packed(&values), [&[3, 97, 98, 99, 2][..], &emoji].concat());
        assert_eq!(packed(&vec!["ab".to_owned(); MOST_VALUES + 1]).len(), 3 * MOST_VALUES);
    }

    proptest::proptest! {
        #[test]
        fn units_are_read_as_utf_16(units in proptest::collection::vec(proptest::prop_oneof![0u16..0x80, 0u16..0x100, 0u16..], 0..20)) {
            proptest::prop_assert_eq!(decoded(&units), String::from_utf16_lossy(&units));
        }
    }

    fn told(read: &[(InputPlace, &str)]) -> Vec<String> {
        let read: Vec<(InputPlace, String)> = read.iter().map(|(place, name)| (*place, (*name).to_owned())).collect();
        let Ok(expansions) = expansions(&read, |name| Ok::<_, std::convert::Infallible>(format!("schema of {name}")));
        expansions.into_iter().map(|it| format!("{} {} {}", it.place, it.name, it.schema)).collect()
    }

    #[test]
    fn a_parsed_text_is_the_body_where_the_body_was_read() {
        let fields = (InputPlace::Fields, "a.B");
        assert_eq!(told(&[fields]), ["parsed a.B schema of a.B"]);
        assert_eq!(told(&[fields, (InputPlace::Raw, "")]), ["body a.B schema of a.B"]);
        let key = (InputPlace::IntegerKey, "/x");
        assert_eq!(told(&[key, (InputPlace::Query, "q")]), ["query q "]);
        for body in [(InputPlace::Raw, ""), (InputPlace::Direct, "c.D")] {
            assert!(told(&[key, body]).contains(&r#"key x {"type":"integer"}"#.to_owned()), "{body:?}");
        }
        assert_eq!(told(&[key, (InputPlace::Bound, "a.B")])[0], r#"key x {"type":"integer"}"#);
    }

    #[test]
    fn ways_lead_to_keys_and_a_body_that_is_not_understood_is_told_as_it_comes() {
        let raw = (InputPlace::Raw, "");
        assert_eq!(told(&[raw]), ["raw  "]);
        assert_eq!(told(&[raw, (InputPlace::Key, "")]), ["key  {}"]);
        let keys = [(InputPlace::Key, "/a~1b"), (InputPlace::Key, "/~2"), (InputPlace::Key, "/-"), (InputPlace::Key, "/a/-/b")];
        let keys = [&[raw], &keys[..]].concat();
        assert_eq!(told(&keys), ["key a/b {}", "key - {}", "way /a/-/b {}"]);
        assert_eq!(told(&[(InputPlace::File, "f")]), [r#"part f {"type":"string","format":"binary"}"#]);
    }

    #[test]
    fn what_a_bean_is_filled_from_is_told_with_its_schema_alone() {
        let bean = |told: &'static str| (InputPlace::Bean, told);
        let read = [
            (InputPlace::Query, "size"),
            (InputPlace::Query, "page"),
            bean("\0size\n{\"type\":\"integer\"}"),
            bean("\u{11}photo\n{}"),
            bean("\u{1}size\n{}"),
        ];
        assert_eq!(told(&read), ["query page ", r#"query size {"type":"integer"}"#, "part photo {}", "header size {}"]);
        assert_eq!(told(&[bean("\u{6}a.B\n{}"), bean("\0a"), bean("")]), [""; 0], "what is damaged is left out");
    }

    #[test]
    fn inputs_are_read_as_far_as_they_are_whole() {
        let told = [0, 2, 97, 98, 99, 1, 97, 1, 1, 98, 2, 3, 97];
        let read = vec![(InputPlace::Query, "ab".to_owned()), (InputPlace::Header, "b".to_owned())];
        assert_eq!(inputs(&told), read, "99 is no place, and the last is cut");
    }

    #[test]
    fn routes_are_read_as_far_as_they_are_whole() {
        let text = |text: &str| -> Vec<u16> {
            std::iter::once(u16::try_from(text.len()).expect("short")).chain(text.encode_utf16()).collect()
        };
        let route =
            |path: &str| [vec![u16::from(b'R')], text(path), text("GET"), text("a.B.c"), text("spring"), text("{}")].concat();
        let behind = |letter: u8, text_of: &str| [vec![u16::from(letter)], text(text_of)].concat();
        let others = [behind(b'N', "odd"), behind(b'B', "/shop"), behind(b'L', "/yard/"), behind(b'D', "3")].concat();
        let told = [route("/b"), route("/a"), others].concat();
        let Routes { routes: found, dropped, notes, bases, lazy, others } = routes(&told).below_contexts();
        assert_eq!(found.iter().map(|route| route.path.as_str()).collect::<Vec<_>>(), ["/a", "/b"]);
        assert_eq!((found[0].handler.as_str(), found[0].operation.as_str()), ("a.B.c", "{}"));
        assert_eq!(dropped, 3);
        assert_eq!([notes, bases, lazy].map(|texts| texts.join(" ")), ["odd", "/shop", "/yard/"]);
        assert_eq!(others, []);
        assert_eq!(routes(&told[..9]), ToldRoutes::default(), "the first is cut");
    }

    #[test]
    fn routes_of_one_application_are_told_without_its_path_and_those_of_several_with_it() {
        let route = |path: &str| Route {
            path: path.to_owned(),
            verb: String::new(),
            handler: String::new(),
            framework: "servlet".to_owned(),
            operation: String::new(),
        };
        let below_contexts = |paths: &[&str], contexts: &[&str]| {
            let routes = Routes { routes: paths.iter().map(|path| route(path)).collect(), ..Routes::default() };
            let told = ToldRoutes { routes, contexts: contexts.iter().map(|&path| path.to_owned()).collect() };
            let Routes { routes, bases, .. } = told.below_contexts();
            (routes.into_iter().map(|route| route.path).collect::<Vec<_>>().join(" "), bases.join(" "))
        };
        let is = |paths: &str, bases: &str| (paths.to_owned(), bases.to_owned());
        assert_eq!(below_contexts(&["/shop", "/shop/items"], &["/shop", "/admin"]), is("/ /items", "/admin /shop"));
        assert_eq!(below_contexts(&["/shop/items", "/admin/users"], &["/shop", "/admin"]).0, "/shop/items /admin/users");
        assert_eq!(below_contexts(&["/shop/items", "/shops"], &["/shop"]).0, "/shop/items /shops");
        assert_eq!(below_contexts(&["/shop/v2/items"], &["/shop", "/shop/v2"]).0, "/items");
        assert_eq!(below_contexts(&["/items"], &[]), is("/items", ""));
        assert_eq!(below_contexts(&[], &["/shop"]), is("", "/shop"));
    }

    #[test]
    fn hints_are_read_as_far_as_they_are_whole() {
        let hint = |usage: &str, operand: &str| Hint {
            tracked: "ab".to_owned(),
            usage: usage.to_owned(),
            operand: operand.to_owned(),
        };
        let told = [0, 2, 97, 98, 1, 99, 8 + PART, 2, 97, 98, 0, 99, 2, 97, 98, 0, 4, 2, 97];
        assert_eq!(unpacked(&told), [hint("equals", "c"), hint("part_integer", "")], "99 is no usage, and the last is cut");
    }
}
