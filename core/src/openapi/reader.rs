//! Walking through the documents: places, references, and what is noted on the way.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::documents::Documents;
use crate::api::json_schema::{escape, keyword};
use crate::api::{Api, Dialect, JsonSchemas, Repair};

/// Longest chain of references that is followed.
const LONGEST_CHAIN: usize = 100;

/// A part of a document and the way to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    /// The part.
    pub(super) value: &'a Value,
    /// Dialect of the document.
    pub(super) dialect: Dialect,
    trail: u32,
}

impl<'a> Place<'a> {
    /// The part as an object.
    pub(super) fn object(self) -> Option<&'a Map<String, Value>> {
        self.value.as_object()
    }

    /// The text of a field.
    pub(super) fn text(self, name: &str) -> Option<&'a str> {
        self.value.get(name)?.as_str()
    }

    /// A field that is true or false, also as text.
    pub(super) fn flag(self, name: &str) -> Option<bool> {
        match self.value.get(name)? {
            Value::Bool(flag) => Some(*flag),
            Value::String(text) => match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some(true),
                "false" | "no" | "off" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether two places are the same part of the same document.
    pub(super) fn address(self) -> usize {
        std::ptr::from_ref(self.value).addr()
    }
}

/// One step of the way to a part.
#[derive(Debug, Clone, Copy)]
enum Segment<'a> {
    Start(&'a str),
    Key(&'a str),
    Position(usize),
}

/// Everything that is noted while reading.
#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) repairs: Vec<Repair>,
    pub(super) unsupported: BTreeMap<String, usize>,
}

/// The documents with what is noted about them.
pub(super) struct Reader<'a> {
    documents: &'a Documents,
    trails: RefCell<Vec<(u32, Segment<'a>)>>,
    notes: RefCell<Notes>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(documents: &'a Documents) -> Self {
        let notes = Notes { repairs: documents.repairs.clone(), ..Notes::default() };
        Self { documents, trails: RefCell::default(), notes: RefCell::new(notes) }
    }

    /// The document that everything starts from.
    pub(super) fn root(&self) -> Place<'a> {
        let (value, dialect) = self.schemas().resolve("#").expect("the first document has the empty name");
        Place { value, dialect, trail: self.step(0, Segment::Start("#")) }
    }

    /// The documents' schemas.
    pub(super) fn schemas(&self) -> &'a JsonSchemas {
        &self.documents.schemas
    }

    fn step(&self, from: u32, segment: Segment<'a>) -> u32 {
        let mut trails = self.trails.borrow_mut();
        trails.push((from, segment));
        u32::try_from(trails.len() - 1).expect("documents are limited to less than 2^32 parts")
    }

    /// A field of an object.
    pub(super) fn child(&self, place: Place<'a>, name: &str) -> Option<Place<'a>> {
        let (key, value) = place.value.as_object()?.get_key_value(name)?;
        Some(Place { value, dialect: place.dialect, trail: self.step(place.trail, Segment::Key(key)) })
    }

    /// All fields of the object in a field, in document order; none when it is no object.
    pub(super) fn fields(&self, place: Place<'a>, name: &str) -> Vec<(&'a str, Place<'a>)> {
        let Some(parent) = self.child(place, name) else { return Vec::new() };
        let map = parent.object().into_iter().flatten();
        map.map(|(key, value)| {
            (key.as_str(), Place { value, dialect: place.dialect, trail: self.step(parent.trail, Segment::Key(key)) })
        })
        .collect()
    }

    /// All members of the list in a field; none when it is no list.
    pub(super) fn members(&self, place: Place<'a>, name: &str) -> Vec<Place<'a>> {
        let Some(parent) = self.child(place, name) else { return Vec::new() };
        let items = parent.value.as_array().map(Vec::as_slice).unwrap_or_default();
        (items.iter().enumerate())
            .map(|(idx, value)| {
                let trail = self.step(parent.trail, Segment::Position(idx));
                Place { value, dialect: place.dialect, trail }
            })
            .collect()
    }

    /// What the place refers to in the end, the place itself when it does not; otherwise why it leads nowhere.
    pub(super) fn follow(&self, place: Place<'a>) -> Result<Place<'a>, String> {
        let mut place = place;
        for _ in 0..LONGEST_CHAIN {
            let Some(reference) = place.text("$ref") else { return Ok(place) };
            place = self.target(reference)?;
        }
        Err("its reference leads back to itself".to_owned())
    }

    /// What a reference points to, or why to nothing.
    pub(super) fn target(&self, reference: &'a str) -> Result<Place<'a>, String> {
        let Some((value, dialect)) = self.schemas().resolve(reference) else {
            let document = reference.split('#').next().unwrap_or_default();
            return Err(match self.documents.missing.get(document) {
                Some(reason) => format!("`{reference}` cannot be read: {reason}"),
                // What can be read was read: only other hosts, and places without a neighbourhood, are left.
                None if !document.is_empty() && self.schemas().resolve(&format!("{document}#")).is_none() => {
                    format!("`{reference}` lies where nothing is fetched from")
                }
                None => format!("`{reference}` does not exist"),
            });
        };
        Ok(Place { value, dialect, trail: self.step(0, Segment::Start(reference)) })
    }

    /// The place as a reference.
    pub(super) fn reference(&self, place: Place<'a>) -> String {
        let trails = self.trails.borrow();
        let mut segments = Vec::new();
        let mut trail = place.trail;
        let start = loop {
            match trails[trail as usize] {
                (_, Segment::Start(start)) => break start,
                (from, segment) => {
                    segments.push(segment);
                    trail = from;
                }
            }
        };
        let mut text = start.to_owned();
        for segment in segments.into_iter().rev() {
            // Writing to a string cannot fail.
            let _ = match segment {
                Segment::Start(start) => write!(text, "{start}"),
                Segment::Key(key) => write!(text, "/{}", escape(key)),
                Segment::Position(idx) => write!(text, "/{idx}"),
            };
        }
        text
    }

    /// The place as a JSON pointer, with the document's name in front when it is not the first one.
    pub(super) fn pointer(&self, place: Place<'a>) -> String {
        let reference = self.reference(place);
        reference.strip_prefix('#').map(str::to_owned).unwrap_or(reference)
    }

    /// The schema at the place for [`JsonSchemas::closure`].
    pub(super) fn fragment(&self, place: Place<'a>) -> Value {
        match place.value {
            Value::Object(node) if keyword::is_reference_only(node, place.dialect) => {
                json!({ "$ref": keyword::reference(node) })
            }
            Value::Bool(allows) => Value::Bool(*allows),
            _ => json!({ "$ref": self.reference(place) }),
        }
    }

    /// Notes that something was mended or left out.
    pub(super) fn repair(&self, place: Place<'a>, action: impl Into<String>) {
        if self.notes.borrow().repairs.len() < Api::MOST_REPAIRS {
            let repair = Repair { pointer: self.pointer(place), action: action.into() };
            self.notes.borrow_mut().repairs.push(repair);
        }
    }

    /// Counts a keyword that is not honoured.
    pub(super) fn unsupported(&self, name: &str) {
        let mut notes = self.notes.borrow_mut();
        match notes.unsupported.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(notes.unsupported.insert(name.to_owned(), 1)),
        }
    }

    /// What was noted.
    pub(super) fn into_notes(self) -> Notes {
        self.notes.into_inner()
    }
}
