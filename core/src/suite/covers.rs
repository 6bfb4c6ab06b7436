//! What a test is kept for, in words for those who own the test; `tests.json` has the names of the targets themselves.

use std::collections::BTreeMap;

/// Classes that are named.
const MAX_CLASSES: usize = 3;
/// Lines of one class that are named.
const MAX_LINES: usize = 6;
/// Parts of requests that are named.
const MAX_SHAPES: usize = 4;

/// Lines of the service's classes, by the name of the class without its package.
type Places = BTreeMap<String, Vec<u32>>;

/// One line on what the targets of that name stand for; none when nothing of it says more than the name of the test.
pub(super) fn covers(targets: &[String]) -> Option<String> {
    let (mut lines, mut exceptions) = (Places::new(), Places::new());
    let mut shapes: Vec<String> = Vec::new();
    let mut has_own_answer = false;
    for target in targets {
        let Some((kind, rest)) = target.split_once(':') else { continue };
        match kind {
            "line" | "branch" | "switch" | "replace" | "returns" => note_place(&mut lines, rest),
            "throws" => note_place(&mut exceptions, rest),
            "shape" => note_shape(&mut shapes, rest.split_once(':').map(|(_, shape)| shape_words(shape))),
            "answer" => has_own_answer = true,
            "link" => {
                let words = rest.split_once(':').map(|(_, name)| format!("`{name}` from an earlier answer"));
                note_shape(&mut shapes, words);
            }
            _ => {}
        }
    }
    let is_new = |class: &String, line: &u32| !lines.get(class).is_some_and(|known| known.contains(line));
    for (class, found) in &mut exceptions {
        found.retain(|line| is_new(class, line));
    }
    exceptions.retain(|_, found| !found.is_empty());
    let mut parts = Vec::new();
    parts.extend(places(&lines));
    parts.extend(places(&exceptions).map(|places| format!("exceptions at {places}")));
    parts.extend((!shapes.is_empty()).then(|| listed(&shapes, MAX_SHAPES, ", ")));
    if parts.is_empty() && has_own_answer {
        parts.push("an answer like no other".to_owned());
    }
    (!parts.is_empty()).then(|| format!("Covers {}.", parts.join("; ")))
}

/// Adds a part of a request, once for all operations that have one of that name.
fn note_shape(shapes: &mut Vec<String>, words: Option<String>) {
    shapes.extend(words.filter(|words| !shapes.contains(words)));
}

/// Adds the place of `org.acme.Shop:17:0:then`; what was compiled without lines has none.
fn note_place(places: &mut Places, rest: &str) {
    let mut words = rest.split(':');
    let (Some(class), Some(Ok(line))) = (words.next(), words.next().map(str::parse)) else { return };
    let class = class.rsplit('.').next().unwrap_or(class).to_owned();
    let lines = places.entry(class).or_default();
    if let Err(at) = lines.binary_search(&line) {
        lines.insert(at, line);
    }
}

/// `Shop:17, 18; Till:3`, those of most lines first; none without any.
fn places(places: &Places) -> Option<String> {
    let mut classes: Vec<_> = places.iter().collect();
    classes.sort_by_key(|(class, lines)| (usize::MAX - lines.len(), *class));
    let texts: Vec<String> = classes
        .into_iter()
        .map(|(class, lines)| {
            let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("{class}:{}", listed(&numbers, MAX_LINES, ", "))
        })
        .collect();
    (!texts.is_empty()).then(|| listed(&texts, MAX_CLASSES, "; "))
}

/// The first `most` of some texts, and how many there are besides.
fn listed(texts: &[String], most: usize, between: &str) -> String {
    let shown = texts[..texts.len().min(most)].join(between);
    if texts.len() > most { format!("{shown} and {} more", texts.len() - most) } else { shown }
}

/// `query.limit absent` of `query.limit:absent`.
fn shape_words(shape: &str) -> String {
    match shape.rsplit_once(':') {
        Some((place, state)) => format!("`{place}` {state}"),
        None => format!("`{shape}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::covers;

    fn of(targets: &[&str]) -> Option<String> {
        covers(&targets.iter().map(|target| (*target).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn lines_are_listed_once_by_class() {
        let targets = [
            "line:com.acme.Shop:18",
            "returns:com.acme.Shop:17:0:Till.open",
            "branch:com.acme.Shop:17:0:then",
            "throws:com.acme.Shop:17:0:Till.close",
            "throws:com.acme.Till:3:1:Integer.valueOf",
            "class:GET /orders:2xx",
        ];
        assert_eq!(of(&targets).as_deref(), Some("Covers Shop:17, 18; exceptions at Till:3."));
    }

    #[test]
    fn what_is_special_about_a_request_is_told() {
        let targets = [
            "shape:GET /orders:query.limit:absent",
            "link:GET /orders/{id}:id",
            "link:DELETE /orders/{id}:id",
            "answer:GET /orders:200:0f",
        ];
        let wanted = "Covers `query.limit` absent, `id` from an earlier answer.";
        assert_eq!(of(&targets).as_deref(), Some(wanted));
        assert_eq!(of(&targets[3..]).as_deref(), Some("Covers an answer like no other."));
    }

    #[test]
    fn what_the_name_of_a_test_says_is_not_repeated() {
        assert_eq!(of(&["class:GET /orders:2xx", "status:GET /orders:200", "fault:100:GET /orders:x", "odd"]), None);
        assert_eq!(of(&["returns:com.acme.Shop:run()V:0:[]"]), None);
    }

    #[test]
    fn long_lists_are_cut() {
        let targets: Vec<String> =
            (0..50).map(|idx| format!("line:com.acme.{}:{idx}", ["A", "B", "C", "D", "E"][idx % 5])).collect();
        let line = covers(&targets).expect("lines are covered");
        assert!(line.starts_with("Covers A:0, 5, 10, 15, 20, 25 and 4 more; B:") && line.ends_with(" and 2 more."), "{line}");
    }
}
