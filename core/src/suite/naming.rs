//! Names of tests, variables and environment variables: made of ASCII letters, digits and `_`, bounded, unique.

use std::collections::BTreeSet;

use crate::action::LinkSource;

/// Longest name of a test before the number that tells equal names apart.
const MAX_TEST_NAME: usize = 100;
/// Longest name of a variable before the number that tells equal names apart.
pub(super) const MAX_VARIABLE: usize = 40;
/// Groups of calls that a name spells out.
const MAX_GROUPS: usize = 3;

/// Names given so far; two names are equal when they differ only in case and underscores.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// No names given yet, but for those.
    pub fn without(reserved: &[&str]) -> Self {
        Self { taken: reserved.iter().map(|name| fold(name)).collect() }
    }

    /// Whether a name equal to `wanted` was given.
    pub fn has(&self, wanted: &str) -> bool {
        self.taken.contains(&fold(wanted))
    }

    /// `wanted`, or with `_2`, `_3`, … behind it when that is taken.
    pub fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(fold(&name)) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

/// What writers may turn into one and the same identifier: `a_1_2` and `a_12` are both `a12` in camel case.
pub(crate) fn fold(name: &str) -> String {
    name.replace('_', "").to_ascii_lowercase()
}

/// `text` in snake case: runs of other characters become one `_`, words inside camel case are split.
pub(super) fn snake(text: &str) -> String {
    let mut snake = String::new();
    let mut previous = ' ';
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            let starts_word = character.is_ascii_uppercase() && (previous.is_ascii_lowercase() || previous.is_ascii_digit());
            if starts_word && !snake.ends_with('_') {
                snake.push('_');
            }
            snake.push(character.to_ascii_lowercase());
        } else if !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        previous = character;
    }
    snake.truncate(snake.trim_end_matches('_').len());
    snake
}

/// `snake` cut to `max` bytes at the end of a word where there is one.
pub(super) fn bounded(snake: &str, max: usize) -> &str {
    if snake.len() <= max {
        return snake;
    }
    let cut = &snake[..max];
    cut.rfind('_').map_or(cut, |end| &cut[..end]).trim_end_matches('_')
}

/// Words for an operation: `get_orders_by_id` for `GET /orders/{id}`.
pub(super) fn operation_words(verb: &str, url_path: &str) -> String {
    let mut words = vec![verb.to_ascii_lowercase()];
    for segment in url_path.split('/').filter(|segment| !segment.is_empty()) {
        let word = snake(segment);
        if segment.starts_with('{') && !word.is_empty() {
            words.push("by".to_owned());
        }
        words.push(word);
    }
    words.retain(|word| !word.is_empty());
    if words.len() == 1 {
        words.push("root".to_owned());
    }
    words.join("_")
}

/// What a test does: the operations called, what is special about the last one, and how it ends.
pub(super) fn test_name(operations: &[String], detail: &str, ending: &str) -> String {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for operation in operations {
        match groups.last_mut() {
            Some((last, count)) if *last == operation => *count += 1,
            _ => groups.push((operation, 1)),
        }
    }
    let mut words: Vec<String> = groups.iter().map(|(operation, count)| times(operation, *count)).collect();
    if words.len() > MAX_GROUPS {
        let left_out = words.len() - 2;
        words.splice(1..words.len() - 1, [format!("{left_out}_more")]);
    }
    let calls = words.join("_then_");
    let detail = if detail.is_empty() { String::new() } else { format!("_{}", bounded(&snake(detail), MAX_VARIABLE)) };
    let tail = format!("{detail}_{ending}");
    let room = MAX_TEST_NAME.saturating_sub(tail.len());
    format!("{}{tail}", bounded(&calls, room))
}

fn times(operation: &str, count: usize) -> String {
    match count {
        1 => operation.to_owned(),
        2 => format!("{operation}_twice"),
        _ => format!("{operation}_{count}_times"),
    }
}

/// A variable for a value taken from an answer of the operation at `url_path`: `order_id` for `/id` of `/orders`.
pub(super) fn capture_name(url_path: &str, source: &LinkSource) -> String {
    let resource = url_path
        .split('/')
        .rfind(|segment| !segment.is_empty() && !segment.starts_with('{'))
        .map(|segment| singular(&snake(segment)))
        .filter(|resource| resource.starts_with(|first: char| first.is_ascii_alphabetic()))
        .unwrap_or_else(|| "seen".to_owned());
    let field = match source {
        LinkSource::Body(pointer) => snake(last_name(pointer)),
        LinkSource::Segment(pointer, 0) => format!("{}_end", snake(last_name(pointer))),
        LinkSource::Segment(pointer, from_end) => format!("{}_part_{from_end}", snake(last_name(pointer))),
        LinkSource::Header(name) | LinkSource::Cookie(name) => snake(name),
        LinkSource::LocationSegment => "id".to_owned(),
    };
    let field = if field.is_empty() { "value".to_owned() } else { field };
    let name = if field.starts_with(&resource) && field.len() > resource.len() { field } else { format!("{resource}_{field}") };
    // The trailing word keeps a name that was cut, and a field named like its resource, apart from keywords.
    let name = bounded(&name, MAX_VARIABLE);
    if name.contains('_') { name.to_owned() } else { format!("{name}_value") }
}

/// The last name of a JSON pointer that is no position in an array.
fn last_name(pointer: &str) -> &str {
    pointer.rsplit('/').find(|token| token.parse::<usize>().is_err()).unwrap_or_default()
}

/// A plain guess at the singular of an English plural; a wrong guess only makes a less pretty name.
fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => match word.strip_suffix('s') {
            Some(stem) if stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
            _ => word.to_owned(),
        },
    }
}

/// What tells a call from others of its operation at a glance: the parameters in the query of `url`, as `with limit`; none
/// without a query, or with too many of them.
pub(super) fn query_words(url: &str) -> Option<String> {
    let (_, query) = url.split_once('?')?;
    let mut names: Vec<String> = Vec::new();
    for name in query.split('&').map(|pair| snake(pair.split('=').next().unwrap_or_default())) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    (1..=MAX_GROUPS).contains(&names.len()).then(|| format!("with {}", names.join(" and ")))
}

/// The environment variable for the credentials of `user`, before equal ones are told apart.
pub(super) fn credentials_variable(user: &str) -> String {
    let name = snake(user).to_ascii_uppercase();
    if name.is_empty() { "RESTIVE_AUTH".to_owned() } else { format!("RESTIVE_AUTH_{}", bounded(&name, MAX_VARIABLE)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn operation_words_read_the_path() {
        assert_eq!(operation_words("GET", "/orders/{orderId}/lines"), "get_orders_by_order_id_lines");
        assert_eq!(operation_words("DELETE", "/"), "delete_root");
        assert_eq!(operation_words("GET", "/__admin/x.y/{é}"), "get_admin_x_y");
    }

    #[test]
    fn test_name_joins_calls_and_ending() {
        let name = test_name(&operations(&["post_orders", "get_orders_by_id"]), "", "returns_500");
        assert_eq!(name, "post_orders_then_get_orders_by_id_returns_500");
        let name = test_name(&operations(&["put_pets", "put_pets"]), "with missing name", "returns_400");
        assert_eq!(name, "put_pets_twice_with_missing_name_returns_400");
    }

    #[test]
    fn long_tests_keep_first_and_last_call() {
        let name = test_name(&operations(&["a", "b", "c", "d", "e"]), "", "returns_200");
        assert_eq!(name, "a_then_3_more_then_e_returns_200");
    }

    #[test]
    fn test_name_is_bounded_and_keeps_its_ending() {
        let name = test_name(&[format!("get_{}", "word_".repeat(100))], &"x".repeat(300), "returns_200");
        assert!(name.len() <= MAX_TEST_NAME && name.ends_with("_returns_200"), "{name}");
    }

    #[test]
    fn equal_names_are_numbered_even_when_only_spelling_differs() {
        let mut names = Names::default();
        assert_eq!(names.unique("get_a"), "get_a");
        assert_eq!(names.unique("get_a"), "get_a_2");
        assert_eq!(names.unique("geta"), "geta_3");
    }

    #[test]
    fn capture_names_say_resource_and_field() {
        let body = |pointer: &str| LinkSource::Body(pointer.to_owned());
        assert_eq!(capture_name("/orders", &body("/id")), "order_id");
        assert_eq!(capture_name("/orders/{id}", &body("/0/orderNumber")), "order_number");
        assert_eq!(capture_name("/", &body("")), "seen_value");
        assert_eq!(capture_name("/statuses", &LinkSource::LocationSegment), "statuse_id");
        assert_eq!(capture_name("/class", &body("/class")), "class_class");
        assert_eq!(capture_name("/categories", &LinkSource::Header("X-Id".into())), "category_x_id");
        assert_eq!(capture_name("/auth/login", &LinkSource::Cookie("connect.sid".into())), "login_connect_sid");
        let segment = |from_end| LinkSource::Segment("/0/nextUri".into(), from_end);
        assert_eq!(
            [0, 2].map(|from_end| capture_name("/statement", &segment(from_end))),
            ["statement_next_uri_end", "statement_next_uri_part_2"]
        );
    }

    #[test]
    fn a_query_is_told_by_the_names_in_it() {
        assert_eq!(query_words("/a?limit=1&pageToken=x&limit=2").as_deref(), Some("with limit and page_token"));
        assert_eq!(
            [query_words("/a"), query_words("/a?"), query_words("/a?a&b&c&d"), query_words("/a?%20=1")],
            [None, None, None, Some("with 20".to_owned())]
        );
    }

    #[test]
    fn credentials_variables_are_upper_case() {
        assert_eq!(credentials_variable("Alice's token"), "RESTIVE_AUTH_ALICE_S_TOKEN");
        assert_eq!(credentials_variable("é"), "RESTIVE_AUTH");
    }
}
