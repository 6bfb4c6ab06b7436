//! Which operations the URLs in answers lead to: `next`, `href`, `self` and the like, known by the templates of their paths.

use serde_json::Value;

use crate::action::{LinkSource, url_path};
use crate::api::{Api, Location, OperationIdx};

/// Levels of an answer in which URLs are looked for.
const MAX_DEPTH: usize = 7;
/// URLs of one answer that are looked at, at most.
const MAX_URLS: usize = 32;
/// Characters of a URL.
const LONGEST_URL: usize = 1_000;

/// What URLs lead to.
#[derive(Debug, Clone, Default)]
pub(super) struct Addresses(Vec<Address>);

/// The path of an operation.
#[derive(Debug, Clone)]
struct Address {
    operation_idx: OperationIdx,
    segments: Vec<Segment>,
}

/// A segment of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Fixed(String),
    /// The value of the parameter at this position in the operation's.
    Parameter(usize),
}

/// Parameter positions of an operation and what of an answer goes there.
type Linked = (OperationIdx, Vec<(usize, LinkSource)>);

impl Addresses {
    /// The paths of `operations` that consist of fixed segments and parameters, and have both.
    pub fn new(api: &Api, operations: &[OperationIdx]) -> Self {
        let addresses = operations.iter().filter_map(|operation_idx| {
            let operation = api.operation(*operation_idx);
            let in_path =
                |name: &str| operation.parameters.iter().position(|it| it.location == Location::Path && it.name == name);
            let segments = operation.url_path.split('/').filter(|segment| !segment.is_empty()).map(|segment| {
                match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    Some(name) => in_path(name).map(Segment::Parameter),
                    None => (!segment.contains(['{', '}'])).then(|| Segment::Fixed(segment.to_owned())),
                }
            });
            let segments: Vec<Segment> = segments.collect::<Option<_>>()?;
            let n_fixed = segments.iter().filter(|segment| matches!(segment, Segment::Fixed(_))).count();
            (n_fixed > 0 && n_fixed < segments.len()).then_some(Address { operation_idx: *operation_idx, segments })
        });
        Self(addresses.collect())
    }

    /// The operations that URLs in the JSON body of an answer of `from` lead to, and what of each is the value of which
    /// parameter. The own path of `from` is nothing new.
    pub fn in_answer(&self, from: OperationIdx, json: &Value) -> Vec<Linked> {
        let mut urls = Vec::new();
        if !self.0.is_empty() {
            collect_urls(json, &mut String::new(), 0, &mut urls);
        }
        let own = self.0.iter().find(|address| address.operation_idx == from).map(|address| &address.segments);
        let mut found = Vec::new();
        for (pointer, url) in urls {
            let segments: Vec<&str> = url_path(url).split('/').filter(|segment| !segment.is_empty()).collect();
            let fitting = self.0.iter().filter(|address| address.fits(&segments)).collect::<Vec<_>>();
            // A longer path says more, and a fixed segment more than a parameter.
            let Some(best) = fitting.iter().map(|address| address.rank()).max() else { continue };
            let best = fitting.into_iter().filter(|address| address.rank() == best && Some(&address.segments) != own);
            found.extend(best.map(|address| (address.operation_idx, address.sources(&pointer))));
        }
        found
    }
}

impl Address {
    /// Whether the last of these segments are as its own; what is in front of them is of the base URL.
    fn fits(&self, segments: &[&str]) -> bool {
        let fits = |own: &Segment, segment: &str| match own {
            Segment::Fixed(fixed) => fixed == segment,
            Segment::Parameter(_) => true,
        };
        let skipped = segments.len().checked_sub(self.segments.len());
        skipped.is_some_and(|skipped| self.segments.iter().zip(&segments[skipped..]).all(|(own, segment)| fits(own, segment)))
    }

    fn rank(&self) -> (usize, usize) {
        let n_fixed = self.segments.iter().filter(|segment| matches!(segment, Segment::Fixed(_))).count();
        (n_fixed, self.segments.len())
    }

    /// The values of its parameters in the URL at `pointer`.
    fn sources(&self, pointer: &str) -> Vec<(usize, LinkSource)> {
        let from_end = self.segments.iter().rev().enumerate();
        let parameters = from_end.filter_map(|(from_end, segment)| match segment {
            Segment::Parameter(position) => Some((*position, LinkSource::Segment(pointer.to_owned(), from_end))),
            Segment::Fixed(_) => None,
        });
        parameters.collect()
    }
}

/// Adds what looks like a URL, or like the path of one, in the first few levels, each with its JSON pointer. Of arrays the first
/// member stands for all; templates of URLs are none.
fn collect_urls<'v>(value: &'v Value, pointer: &mut String, depth: usize, urls: &mut Vec<(String, &'v str)>) {
    let length = pointer.len();
    match value {
        Value::Object(fields) if depth < MAX_DEPTH => {
            for (name, value) in fields {
                pointer.push('/');
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                collect_urls(value, pointer, depth + 1, urls);
                pointer.truncate(length);
            }
        }
        Value::Array(members) if depth < MAX_DEPTH => {
            if let Some(first) = members.first() {
                pointer.push_str("/0");
                collect_urls(first, pointer, depth + 1, urls);
                pointer.truncate(length);
            }
        }
        Value::String(text) if urls.len() < MAX_URLS && text.len() <= LONGEST_URL => {
            let is_url = ["/", "http://", "https://"].iter().any(|start| text.starts_with(start));
            if is_url && !text.contains(['{', ' ']) {
                urls.push((pointer.clone(), text));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Addresses;
    use crate::action::LinkSource;
    use crate::api::{Api, Location, Operation, OperationIdx, Parameter, Schema, SchemaKind, StringSchema, Verb};

    /// Operations with these paths, in order.
    fn addresses(paths: &[&str]) -> Addresses {
        let mut api = Api::default();
        let schema = api.schemas.push(Schema::new(SchemaKind::String(StringSchema::default())));
        let operation = |path: &&str| {
            let names = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
            let in_path = |name: &str| Parameter { location: Location::Path, ..Parameter::query(name, schema) };
            Operation { parameters: names.map(in_path).collect(), ..Operation::bare(Verb::Get, path) }
        };
        api.operations = paths.iter().map(operation).collect();
        let operations: Vec<OperationIdx> = (0..paths.len()).map(|idx| OperationIdx(u32::try_from(idx).unwrap())).collect();
        Addresses::new(&api, &operations)
    }

    #[test]
    fn urls_in_answers_lead_to_the_operation_whose_path_says_most_of_them() {
        let addresses = addresses(&["/statement", "/queued/{query}/{slug}/{token}", "/{a}/{b}", "/queued/{query}", "/x{y}"]);
        let segment = |from_end| LinkSource::Segment("/nextUri".to_owned(), from_end);
        let next = json!({"id": "q", "nextUri": "http://localhost:1/v1/queued/q/x7/1?wait=1s", "info": "/ui/query.html?q"});
        let found = addresses.in_answer(OperationIdx(0), &next);
        assert_eq!(found, [(OperationIdx(1), vec![(2, segment(0)), (1, segment(1)), (0, segment(2))])]);
        let own = json!({"nextUri": "/v1/queued/q/x7/2", "cancel": "/v1/queued/q"});
        let found: Vec<OperationIdx> = addresses.in_answer(OperationIdx(1), &own).into_iter().map(|(it, _)| it).collect();
        assert_eq!(found, [OperationIdx(3)]);
    }

    #[test]
    fn links_of_hypertext_are_known_wherever_they_stand() {
        let addresses = addresses(&["/items", "/items/{id}", "/items/{id}/owner"]);
        let answer = json!({"_embedded": {"items": [{"_links": {"self": {"href": "http://h/api/items/7"},
            "owner": {"href": "/api/items/7/owner"}, "find": {"href": "/api/items/{id}"}}}]}});
        let found = addresses.in_answer(OperationIdx(0), &answer);
        let source =
            |name: &str, from_end| vec![(0, LinkSource::Segment(format!("/_embedded/items/0/_links/{name}/href"), from_end))];
        let mut wanted = [(OperationIdx(2), source("owner", 1)), (OperationIdx(1), source("self", 0))];
        wanted.sort_by_key(|(operation_idx, _)| *operation_idx);
        let mut found = found;
        found.sort_by_key(|(operation_idx, _)| *operation_idx);
        assert_eq!(found, wanted);
        assert!(addresses.in_answer(OperationIdx(0), &json!(["/other/7", "items/7", 7])).is_empty());
    }
}
