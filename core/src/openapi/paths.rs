//! Paths and operations.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::complete::MARK;
use super::documents::Documents;
use super::parameter::Parameters;
use super::reader::{Place, Reader};
use super::response::{Answer, RawLink};
use super::schema::Lowering;
use super::source::Origin;
use super::{response, security, server};
use crate::api::{Api, Discovered, Operation, OperationIdx, Skipped, Verb};

/// The interface in the making.
pub(super) struct Builder<'r, 'a> {
    pub(super) reader: &'r Reader<'a>,
    pub(super) schemas: Lowering<'r, 'a>,
    pub(super) root: Place<'a>,
    /// Answers that were read already, by address; many operations share theirs.
    pub(super) answers: HashMap<usize, Answer>,
    operations: Vec<Operation>,
    links: Vec<RawLink>,
    skipped: Vec<Skipped>,
    discovered: Vec<Discovered>,
    ids: BTreeSet<String>,
}

/// The interface that `documents` describe.
pub(super) fn lower(documents: Documents, origin: &Origin) -> Api {
    let reader = Reader::new(&documents);
    let root = reader.root();
    let mut builder = Builder {
        reader: &reader,
        schemas: Lowering::new(&reader),
        root,
        answers: HashMap::new(),
        operations: Vec::new(),
        links: Vec::new(),
        skipped: Vec::new(),
        discovered: Vec::new(),
        ids: BTreeSet::new(),
    };
    builder.all_paths();
    let Builder { schemas, mut operations, links, skipped, discovered, .. } = builder;
    let (schemas, doubts) = schemas.finish();
    response::connect(&reader, &mut operations, links);
    let (servers, security) = (server::servers(&reader, root, origin), security::schemes(&reader, root));
    let title = root.value.pointer("/info/title").and_then(Value::as_str).unwrap_or_default().to_owned();
    let notes = reader.into_notes();
    let mut api = Api {
        title,
        servers,
        schemes: security,
        operations,
        schemas,
        json_schemas: documents.schemas,
        off_limits: Vec::new(),
        skipped,
        discovered,
        unsupported: notes.unsupported,
        repairs: notes.repairs,
        doubts,
    };
    api.drop_unusable();
    api
}

impl<'a> Builder<'_, 'a> {
    fn all_paths(&mut self) {
        for (url_path, item) in self.reader.fields(self.root, "paths") {
            if !url_path.starts_with("x-") {
                self.path_item(url_path, item);
            }
        }
        if self.root.value.get("webhooks").is_some() {
            self.reader.unsupported("webhooks");
        }
    }

    fn path_item(&mut self, url_path: &str, place: Place<'a>) {
        let item = match self.reader.follow(place) {
            Ok(item) if item.value.is_object() => item,
            Ok(item) => return self.skip(url_path, item, "the path item is no object".to_owned()),
            Err(reason) => return self.skip(url_path, place, reason),
        };
        if item.value.get("servers").is_some() {
            self.reader.unsupported("servers of single paths");
        }
        for verb in Verb::ALL {
            let name = verb.name().to_ascii_lowercase();
            // Verbs beside a reference belong to the path as well.
            if let Some(operation) = self.reader.child(place, &name).or_else(|| self.reader.child(item, &name)) {
                self.operation(verb, url_path, item, operation);
            }
        }
    }

    fn operation(&mut self, verb: Verb, url_path: &str, item: Place<'a>, place: Place<'a>) {
        let id = format!("{verb} {}", with_slash(url_path));
        let operation = match self.reader.follow(place) {
            Ok(operation) if operation.value.is_object() => operation,
            Ok(_) => return self.skip(&id, place, "the operation is no object".to_owned()),
            Err(reason) => return self.skip(&id, place, reason),
        };
        if !self.ids.insert(id.clone()) {
            return self.skip(&id, place, "another path is the same but for its first slash".to_owned());
        }
        self.count_unsupported(operation);
        let mut parameters = self.parameters(item, operation);
        let url_path = self.complete_path(&with_slash(url_path), operation, &mut parameters);
        let (bodies, body_required) = self.bodies(operation, &parameters);
        let (responses, links) = self.responses(operation, self.operations.len());
        self.links.extend(links);
        if let Some(handler) = operation.text(MARK) {
            self.discovered.push(Discovered { operation: id.clone(), handler: handler.to_owned() });
        }
        self.operations.push(Operation {
            id,
            operation_id: operation.text("operationId").map(str::to_owned),
            verb,
            url_path,
            tags: self.tags(operation),
            parameters: parameters.plain,
            bodies,
            body_required,
            responses,
            needs_auth: self.needs_auth(operation),
            pointer: self.reader.pointer(operation),
        });
    }

    fn skip(&mut self, operation: &str, place: Place<'a>, reason: String) {
        let pointer = self.reader.pointer(place);
        self.skipped.push(Skipped { operation: operation.to_owned(), pointer, reason });
    }

    fn count_unsupported(&self, operation: Place<'a>) {
        for (name, shown) in [("servers", "servers of single operations"), ("callbacks", "callbacks")] {
            if operation.value.get(name).is_some() {
                self.reader.unsupported(shown);
            }
        }
    }

    fn tags(&self, operation: Place<'a>) -> Vec<String> {
        self.reader.members(operation, "tags").into_iter().filter_map(|tag| tag.value.as_str()).map(str::to_owned).collect()
    }

    /// Whether no alternative of the operation's (or else the document's) security goes without credentials.
    fn needs_auth(&self, operation: Place<'a>) -> bool {
        let security = operation.value.get("security").or_else(|| self.root.value.get("security"));
        let alternatives = security.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let is_open = |alternative: &Value| alternative.as_object().is_none_or(serde_json::Map::is_empty);
        !alternatives.is_empty() && !alternatives.iter().any(is_open)
    }

    /// The path with plain placeholders; parameters are added for those that have none and dropped without one.
    fn complete_path(&mut self, url_path: &str, operation: Place<'a>, parameters: &mut Parameters<'a>) -> String {
        let mut completed = String::new();
        let mut names = BTreeSet::new();
        let mut rest = url_path;
        while let Some((before, (inside, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            completed.push_str(before);
            rest = after;
            let name = if parameters.has_path(inside) { inside } else { plain_name(inside) };
            if inside.starts_with(['?', '&']) && !parameters.has_path(name) {
                self.reader.repair(operation, format!("`{{{inside}}}` of the path left out"));
                continue;
            }
            completed.extend(["{", name, "}"]);
            if names.insert(name.to_owned()) && !parameters.has_path(name) {
                self.reader.repair(operation, format!("path parameter `{name}` is not declared, taken for text"));
                parameters.plain.push(self.path_parameter(name));
            }
        }
        completed.push_str(rest);
        let dropped = parameters.drop_path_parameters_except(&names);
        for name in dropped {
            self.reader.repair(operation, format!("path parameter `{name}` does not occur in the path, left out"));
        }
        completed
    }
}

/// The name in a placeholder as other template languages write it: `+name`, `name*`, `name=projects/*`, `name:[0-9]+`.
fn plain_name(inside: &str) -> &str {
    let name = inside.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']).trim();
    name.split(['=', ':', '*']).next().filter(|name| !name.is_empty()).unwrap_or(inside)
}

fn with_slash(url_path: &str) -> String {
    if url_path.starts_with('/') { url_path.to_owned() } else { format!("/{url_path}") }
}

/// Examples of a parameter or media type: `example`, `x-example` and the values of `examples`.
pub(super) fn examples<'a>(reader: &Reader<'a>, place: Place<'a>) -> Vec<Value> {
    let single = ["example", "x-example"].iter().filter_map(|name| place.value.get(*name)).cloned();
    let named = reader.fields(place, "examples").into_iter().filter_map(|(_, example)| {
        let example = reader.follow(example).ok()?;
        example.value.get("value").cloned()
    });
    single.chain(named).collect()
}

/// Operations by the name other parts of the document use.
pub(super) fn by_operation_id(operations: &[Operation]) -> BTreeMap<&str, OperationIdx> {
    let mut by_id = BTreeMap::new();
    for (idx, operation) in (0..).zip(operations) {
        if let Some(operation_id) = &operation.operation_id {
            by_id.entry(operation_id.as_str()).or_insert(OperationIdx(idx));
        }
    }
    by_id
}
