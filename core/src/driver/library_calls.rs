//! Calls of library methods, and what came of them: what guides the search where branches tell nothing.

use std::collections::BTreeMap;

use crate::search::CodeId;

use super::places::Places;

/// A call whose outcomes are measured, or one that did not return at least once.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryCall {
    /// Its line; the method where the class has no line numbers; the property of a constraint, `*` for a whole bean.
    pub place: String,
    /// Which of the measured calls of the line it is, from 0.
    pub ordinal: u32,
    /// Class and method, or the constraint.
    pub method: String,
    /// Outcomes with the closeness in [0, 1] that the run came to at best; 1 is met, 0 not reached.
    pub outcomes: Vec<(String, f64)>,
}

/// All there are by class; within a class by line, places without a number last.
pub(super) fn library_calls(places: &Places, nearest: &dyn Fn(CodeId) -> f64) -> BTreeMap<String, Vec<LibraryCall>> {
    let mut found: BTreeMap<&str, BTreeMap<Key<'_>, Outcomes>> = BTreeMap::new();
    for (id, name) in places.numbered() {
        if let Some((unit, key, outcome)) = split(name) {
            found.entry(unit).or_default().entry(key).or_default().push((outcome.to_owned(), nearest(id)));
        }
    }
    let call = |((_, place, ordinal, method), outcomes): (Key<'_>, Outcomes)| {
        let (place, method) = (place.to_owned(), method.to_owned());
        let outcomes = told(outcomes);
        (!outcomes.is_empty()).then_some(LibraryCall { place, ordinal, method, outcomes })
    };
    let calls = found.into_iter().map(|(unit, calls)| (unit.to_owned(), calls.into_iter().filter_map(call).collect()));
    calls.filter(|(_, calls): &(String, Vec<LibraryCall>)| !calls.is_empty()).collect()
}

/// Outcomes with their closeness.
type Outcomes = Vec<(String, f64)>;

/// Line, place, ordinal and method; what is no number comes last.
type Key<'a> = (u32, &'a str, u32, &'a str);

/// Class, call and outcome of the name of a place; none for what is no outcome of a call.
fn split(name: &str) -> Option<(&str, Key<'_>, &str)> {
    let (kind, rest) = name.split_once(':')?;
    let mut parts = rest.splitn(4, ':');
    let (unit, place, ordinal, rest) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let (method, outcome) = match kind {
        "replace" => rest.rsplit_once(':')?,
        "returns" | "throws" => (rest, kind),
        _ => return None,
    };
    Some((unit, (place.parse().unwrap_or(u32::MAX), place, ordinal.parse().ok()?, method), outcome))
}

/// Any call may throw: which of them are measured no name says, and all that always returned would bury the others.
fn told(mut outcomes: Outcomes) -> Outcomes {
    let threw = outcomes.iter().any(|(outcome, closeness)| outcome == "throws" && *closeness >= 1.0);
    outcomes.retain(|(outcome, _)| threw || !["returns", "throws"].contains(&outcome.as_str()));
    outcomes
}

#[cfg(test)]
mod tests {
    use super::super::places::Places;
    use super::library_calls;

    #[test]
    fn calls_are_told_by_class_and_line_and_those_that_always_returned_are_not() {
        let mut places = Places::default();
        let names = [
            "line:a.B:9",
            "replace:a.B:10:0:String.equals:true",
            "replace:a.B:10:0:String.equals:false",
            "replace:a.B:9:1:List.contains:true",
            "replace:a.B:9:1:List.contains:false",
            "returns:a.B:9:0:Integer.parseInt",
            "throws:a.B:9:0:Integer.parseInt",
            "returns:a.B:9:2:B.own",
            "throws:a.B:9:2:B.own",
            "returns:a.B:10:0:String.equals",
            "throws:a.B:10:0:String.equals",
            "replace:a.A:name:0:Size:true",
            "replace:a.A:name:0:Size:false",
        ];
        let closeness = [1.0, 0.25, 1.0, 0.0, 0.0, 0.125, 1.0, 1.0, 0.5, 1.0, 0.0, 0.5, 1.0];
        let ids = names.map(|name| places.intern(name));
        let nearest = |id| closeness[ids.iter().position(|known| *known == id).expect("it has a name")];
        let calls = library_calls(&places, &nearest);
        let told: Vec<String> = calls
            .iter()
            .flat_map(|(unit, calls)| {
                calls.iter().map(move |it| format!("{unit} {} {} {} {:?}", it.place, it.ordinal, it.method, it.outcomes))
            })
            .collect();
        let expected = [
            r#"a.A name 0 Size [("true", 0.5), ("false", 1.0)]"#,
            r#"a.B 9 0 Integer.parseInt [("returns", 0.125), ("throws", 1.0)]"#,
            r#"a.B 9 1 List.contains [("true", 0.0), ("false", 0.0)]"#,
            r#"a.B 10 0 String.equals [("true", 0.25), ("false", 1.0)]"#,
        ];
        assert_eq!(told, expected);
    }
}
