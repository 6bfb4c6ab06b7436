//! Looks for the path below which a service really answers, when its document names none or another.

use crate::api::{Api, Operation, Verb};

/// Paths below which services put their interface without saying so in the document.
const USUAL_BASES: [&str; 4] = ["", "/api", "/rest", "/services"];
/// Operations that are asked for, at most.
const MOST_PROBES: usize = 5;

/// The path to use in place of the `documented` one (no slash at its end); none when that answers, or none does.
///
/// Paths that are `likely` are preferred to the usual ones; they are asked for when the documented one does not answer.
/// `status` gives the status of a GET of a path of the server. Only operations are asked for that have no placeholder
/// in their path: whether such a one is there does not depend on data, so that 404 means another path. Those of other methods
/// answer a GET as well where they are, by 405 as a rule, and do nothing. What leads elsewhere for good, or with the same
/// method (301, 307, 308; RFC 9110, 15.4), is not there; what sends browsers to a login (302) may be.
pub(super) fn find(
    documented: &str,
    likely: &mut dyn FnMut() -> Vec<String>,
    api: &Api,
    status: &mut dyn FnMut(&str) -> Option<u16>,
) -> Option<String> {
    let mut plain: Vec<&Operation> = api.operations.iter().filter(|operation| !operation.url_path.contains('{')).collect();
    plain.sort_by_key(|operation| operation.verb != Verb::Get);
    let mut plain: Vec<&str> = plain.into_iter().map(|operation| operation.url_path.as_str()).collect();
    plain.dedup();
    // Something is at the root of most servers.
    let is_specific = |url_path: &&str| *url_path != "/";
    if plain.iter().any(is_specific) {
        plain.retain(is_specific);
    }
    plain.truncate(MOST_PROBES);
    let mut is_there = |base: &str, url_path: &str| {
        status(&format!("{base}{url_path}")).is_some_and(|status| !matches!(status, 301 | 307 | 308 | 404))
    };
    // One answer is enough there: each of these calls is work of the service that no test can be credited with.
    if plain.is_empty() || plain.iter().any(|url_path| is_there(documented, url_path)) {
        return None;
    }
    let mut answers = |base: &str| plain.iter().filter(|url_path| is_there(base, url_path)).count();
    let mut others = likely();
    others.extend(USUAL_BASES.map(str::to_owned));
    others.retain(|base| base != documented);
    // Of several the first: the maximum of a reversed list is its last.
    let found = others.into_iter().map(|base| (answers(&base), base)).rev().max_by_key(|(count, _)| *count)?;
    (found.0 > 0).then_some(found.1)
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::openapi;

    fn found(documented: &str, paths: &str, is_there: impl Fn(&str) -> bool) -> (Option<String>, usize) {
        found_by(documented, paths, |url_path| if is_there(url_path) { 400 } else { 404 })
    }

    fn found_by(documented: &str, paths: &str, status: impl Fn(&str) -> u16) -> (Option<String>, usize) {
        let text = format!("openapi: 3.0.0\ninfo: {{title: t, version: v}}\npaths: {{{paths}}}\n");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("api.yaml");
        std::fs::write(&file, text).expect("written");
        let api = openapi::load(&file.to_string_lossy()).expect("a valid document");
        let mut asked = 0;
        let found = find(documented, &mut || vec!["/clinic".to_owned()], &api, &mut |url_path| {
            asked += 1;
            Some(status(url_path))
        });
        (found, asked)
    }

    const ITEMS: &str = "/items: {get: {responses: {}}}";

    #[test]
    fn the_documented_path_stays_when_anything_answers_there() {
        assert_eq!(found("/v1", ITEMS, |path| path == "/v1/items"), (None, 1));
        let two = "/items: {get: {responses: {}}}, /things: {get: {responses: {}}}";
        assert_eq!(found("/v1", two, |_| true), (None, 1));
    }

    #[test]
    fn a_usual_path_takes_its_place_when_only_that_answers() {
        let base = |documented: &str, is_there: fn(&str) -> bool| found(documented, ITEMS, is_there).0;
        assert_eq!(base("", |path| path == "/api/items").as_deref(), Some("/api"));
        assert_eq!(base("/wrong", |path| path == "/items").as_deref(), Some(""));
        assert_eq!(base("/wrong", |path| !path.starts_with("/wrong")).as_deref(), Some("/clinic"));
        assert_eq!(base("", |path| path == "/clinic/items" || path == "/api/items").as_deref(), Some("/clinic"));
        assert_eq!(base("", |_| false), None);
    }

    #[test]
    fn what_leads_to_another_path_is_not_there() {
        let answer = |status: u16| move |url_path: &str| if url_path.starts_with("/clinic/") { 200 } else { status };
        assert_eq!(found_by("", ITEMS, answer(307)).0.as_deref(), Some("/clinic"));
        assert_eq!(found_by("", ITEMS, answer(302)).0, None, "a login");
    }

    #[test]
    fn a_page_at_the_root_of_the_server_tells_nothing_of_other_paths() {
        let paths = "/: {get: {responses: {}}}, /items: {get: {responses: {}}}";
        assert_eq!(found("", paths, |path| path == "/" || path.starts_with("/clinic/")).0.as_deref(), Some("/clinic"));
        assert_eq!(found("", "/: {get: {responses: {}}}", |_| true), (None, 1), "it is all there is");
    }

    #[test]
    fn nothing_is_asked_for_where_404_may_be_the_right_answer() {
        assert_eq!(found("", "'/items/{id}': {get: {responses: {}}}", |_| false), (None, 0));
    }

    #[test]
    fn paths_without_a_get_are_there_where_one_is_refused() {
        let paths = "'/items/{id}': {get: {responses: {}}}, /x: {post: {responses: {}}}";
        assert_eq!(found("", paths, |path| path == "/clinic/x").0.as_deref(), Some("/clinic"));
        assert_eq!(found("", paths, |_| false).0, None);
    }
}
