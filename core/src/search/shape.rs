//! What is known of a JSON body by the keys that the service looks up in it: each leads to a schema of more and more.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::probe;

/// Keys and members of arrays on the way, at most.
const DEEPEST: usize = 12;

/// The keyword by which drivers say why no more is known of an object.
pub(super) const UNKNOWN: &str = "x-restive-unknown";

/// Adds what a schema says that is not known of its objects.
pub(super) fn reasons(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(keywords) => {
            found.extend(keywords.get(UNKNOWN).and_then(Value::as_str).map(str::to_owned));
            keywords.values().for_each(|value| reasons(value, found));
        }
        Value::Array(members) => members.iter().for_each(|member| reasons(member, found)),
        _ => {}
    }
}

/// All keys of an object, as a step on a way.
pub(super) const ALL_KEYS: &str = "/~3";

/// All keys of all values of an object, as two steps on a way.
pub(super) const KEYS_OF_ALL_VALUES: &str = "/~3/~3";

/// The members of an array, as a step on a way.
const MEMBER: &str = "/-";

/// Whether a way leads to all keys of an object, and so names none.
pub(super) fn is_of_all(way: &str) -> bool {
    way.ends_with(ALL_KEYS)
}

/// The way to a key of what another way leads to.
pub(super) fn step(way: &str, name: &str) -> String {
    let name = if name == "-" { "~2".to_owned() } else { name.replace('~', "~0").replace('/', "~1") };
    format!("{way}/{name}")
}

/// The way that leads to where a JSON pointer (RFC 6901) does in `value`, also where that is but the last key of it; with all
/// keys in the place of each that `is_any` says so of, by the pointer and by the way to it.
pub(super) fn way_along(value: &Value, pointer: &str, is_any: impl Fn(&str, &str) -> bool) -> String {
    let mut at = Some(value);
    let mut way = String::new();
    let mut end = 0;
    for token in pointer.split('/').skip(1) {
        let key = token.replace("~1", "/").replace("~0", "~");
        let is_member = matches!(at, Some(Value::Array(_)));
        let named = step(&way, &key);
        end += 1 + token.len();
        way = match &pointer[..end] {
            _ if is_member => way + MEMBER,
            pointer if is_any(pointer, &named) => way + ALL_KEYS,
            _ => named,
        };
        at = at.and_then(|value| match value {
            Value::Array(members) => members.get(key.parse::<usize>().ok()?),
            _ => value.get(&key),
        });
    }
    way
}

/// A step from a JSON value into it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    AnyKey,
    Member,
}

/// The way to a key from the body's object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way(Vec<Step>);

impl Way {
    /// To a key of the outermost object.
    pub fn to(name: &str) -> Self {
        Self(vec![Step::Key(name.to_owned())])
    }

    /// Reads it as drivers tell it; none where it leads nowhere, or too deep.
    pub fn read(told: &str) -> Option<Self> {
        if let Some(way) = told.strip_suffix(ALL_KEYS) {
            return Self::read(&step(way, &probe::below(way)));
        }
        let step = |text: &str| match text {
            "-" => Step::Member,
            "~2" => Step::Key("-".to_owned()),
            "~3" => Step::AnyKey,
            _ => Step::Key(text.replace("~1", "/").replace("~0", "~")),
        };
        let steps: Vec<Step> = told.strip_prefix('/')?.split('/').map(step).collect();
        let is_of_object = matches!(steps.first(), Some(Step::Key(_)));
        (is_of_object && steps.len() <= DEEPEST).then_some(Self(steps))
    }

    /// The last key on it.
    pub fn key(&self) -> &str {
        let keys = self.0.iter().rev().filter_map(|step| match step {
            Step::Key(name) => Some(name.as_str()),
            Step::AnyKey | Step::Member => None,
        });
        keys.into_iter().next().unwrap_or_default()
    }

    /// Has the schema of the body say that there may be something, and no more than that.
    pub fn describe(&self, schema: &mut Value) {
        let mut at = schema;
        for step in &self.0 {
            at = match step {
                Step::Key(name) => below(below(at, "properties"), name),
                Step::AnyKey => below(at, "additionalProperties"),
                Step::Member => below(at, "items"),
            };
        }
    }

    /// Whether these properties of the body's object have it.
    pub fn is_in(&self, properties: &Map<String, Value>) -> bool {
        let Some((Step::Key(name), rest)) = self.0.split_first() else { return false };
        let mut at = properties.get(name);
        for step in rest {
            at = at.and_then(|schema| match step {
                Step::Key(name) => schema.get("properties")?.get(name),
                Step::AnyKey => schema.get("additionalProperties"),
                Step::Member => schema.get("items"),
            });
        }
        at.is_some()
    }

    /// Adds what was told of the value there to the properties of the body's object; whether that was news.
    pub fn grow(&self, properties: &mut Map<String, Value>, told: &Value) -> bool {
        let Some((Step::Key(name), rest)) = self.0.split_first() else { return false };
        let before = properties.get(name).cloned();
        let at = properties.entry(name.clone()).or_insert_with(|| json!({}));
        grow(at, rest, told);
        before.as_ref() != Some(&*at)
    }
}

/// What a schema has by this name, a keyword or a property; anything where it has nothing yet.
fn below<'v>(schema: &'v mut Value, keyword: &str) -> &'v mut Value {
    if schema.get(keyword).is_none() {
        schema[keyword] = json!({});
    }
    &mut schema[keyword]
}

fn grow(at: &mut Value, way: &[Step], told: &Value) {
    match way.split_first() {
        None => {
            // What was found below says more than that it is an object.
            let is_known = at.get("type").is_some();
            if !is_known && told.is_object() {
                *at = told.clone();
            }
        }
        Some((Step::Member, rest)) => {
            if at["type"] != "array" {
                *at = json!({"type": "array"});
            }
            if at.get("items").is_none() {
                at["items"] = json!({});
                at["minItems"] = json!(1);
            }
            grow(&mut at["items"], rest, told);
        }
        Some((Step::AnyKey, rest)) => {
            if at["type"] != "object" {
                *at = json!({"type": "object"});
            }
            grow(below(at, "additionalProperties"), rest, told);
        }
        Some((Step::Key(name), rest)) => {
            if at["type"] != "object" {
                *at = json!({"type": "object"});
            }
            // What is looked for so deep is there in every object that is sent at all.
            let required = at.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
            if !required.iter().any(|known| known == name) && !probe::is_in(name) {
                at["required"] = required.into_iter().chain([Value::from(name.as_str())]).collect();
            }
            grow(below(below(at, "properties"), name), rest, told);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::Way;

    fn grown(told: &[(&str, Value)]) -> Value {
        let mut properties = Map::new();
        for (way, schema) in told {
            Way::read(way).expect("a way").grow(&mut properties, schema);
        }
        Value::Object(properties)
    }

    #[test]
    fn keys_of_keys_become_objects_in_objects() {
        let told = [
            ("/crate", json!({})),
            ("/crate/marks", json!({"type": "object"})),
            ("/crate/marks/owner", json!({})),
            ("/crate/marks/owner", json!({"type": "string"})),
            ("/crate", json!({})),
        ];
        let marks = json!({"type": "object", "required": ["owner"], "properties": {"owner": {"type": "string"}}});
        let whole = json!({"crate": {"type": "object", "required": ["marks"], "properties": {"marks": marks}}});
        assert_eq!(grown(&told), whole);
    }

    #[test]
    fn members_make_arrays_and_what_is_deeper_wins() {
        let told = [("/a", json!({"type": "string"})), ("/a/-/b", json!({"type": "integer"}))];
        let items = json!({"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}});
        assert_eq!(grown(&told), json!({"a": {"type": "array", "minItems": 1, "items": items}}));
    }

    #[test]
    fn nothing_new_is_told_apart_from_news() {
        let mut properties = Map::new();
        let way = Way::to("a");
        assert!(way.grow(&mut properties, &json!({})));
        assert!(!way.grow(&mut properties, &json!({})));
        assert!(way.grow(&mut properties, &json!({"type": "boolean"})));
        assert!(!way.grow(&mut properties, &json!({"type": "string"})), "what was told first stays");
    }

    #[test]
    fn all_keys_of_an_object_are_one_that_tells_the_way_and_need_not_be_there() {
        let told = [("/a/-/~3", json!({})), (&*super::step("/a/-", "b/-"), json!({"type": "string"}))];
        let items = json!({
            "type": "object",
            "required": ["b/-"],
            "properties": {"restive-key:/a/-": {}, "b/-": {"type": "string"}},
        });
        assert_eq!(grown(&told), json!({"a": {"type": "array", "minItems": 1, "items": items}}));
        assert!(super::is_of_all("/a/~3") && !super::is_of_all("/a/b"));
    }

    #[test]
    fn what_a_way_leads_to_is_described_and_not_demanded() {
        let mut schema = json!({});
        for way in ["/a/-/b", "/a/-/c", "/a/-"] {
            Way::read(way).expect("a way").describe(&mut schema);
        }
        let items = json!({"properties": {"b": {}, "c": {}}});
        assert_eq!(schema, json!({"properties": {"a": {"items": items}}}));
    }

    #[test]
    fn a_pointer_into_a_value_becomes_a_way() {
        let value = json!({"a/b": [{"-": {"0": 1}}]});
        let way = |pointer: &str| super::way_along(&value, pointer, |_, _| false);
        assert_eq!(way("/a~1b/0/-/0"), "/a~1b/-/~2/0");
        assert_eq!(way("/a~1b/0/new"), "/a~1b/-/new");
        assert_eq!(way(""), "");
    }

    #[test]
    fn what_stands_below_any_key_of_an_object_has_one_way() {
        let value = json!({"paths": {"abc": {"get": [{"x": 1}]}, "~": {}}});
        let is_made_up = |pointer: &str, way: &str| {
            assert_eq!(pointer, way.replace("/-", "/0"), "no key is called so");
            pointer == "/paths/abc" || pointer == "/paths/~0"
        };
        assert_eq!(super::way_along(&value, "/paths/~0", is_made_up), "/paths/~3");
        let is_made_up = |pointer: &str, _: &str| pointer == "/paths/abc";
        assert_eq!(super::way_along(&value, "/paths/abc/get/0/x", is_made_up), "/paths/~3/get/-/x");
        let mut schema = json!({});
        Way::read("/paths/~3/get").expect("a way").describe(&mut schema);
        let paths = json!({"additionalProperties": {"properties": {"get": {}}}});
        assert_eq!(schema, json!({"properties": {"paths": paths}}));
    }

    #[test]
    fn names_with_slashes_are_keys_and_odd_ways_lead_nowhere() {
        assert_eq!(Way::read("/a~1b/~2").map(|way| way.key().to_owned()).as_deref(), Some("-"));
        assert_eq!(Way::read("/a~1b"), Some(Way::to("a/b")));
        let deep = "/a".repeat(13);
        for odd in ["a", "", "/-/a", deep.as_str()] {
            assert_eq!(Way::read(odd), None, "{odd}");
        }
    }
}
