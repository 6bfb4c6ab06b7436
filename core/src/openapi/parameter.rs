//! Parameters outside the body, of all versions, through the shape of OpenAPI 3.0.

use std::collections::BTreeSet;

use openapiv3::{CookieStyle, HeaderStyle, PathStyle, QueryStyle};
use serde_json::{Value, json};

use super::paths::{Builder, examples};
use super::reader::Place;
use crate::api::{Location, MediaKind, Parameter, Schema, SchemaId, SchemaKind, StringSchema, Style};

/// The parameters of one operation.
#[derive(Default)]
pub(super) struct Parameters<'a> {
    /// Path, query, header and cookie.
    pub(super) plain: Vec<Parameter>,
    /// `in: body` of Swagger 2.0.
    pub(super) body: Option<Place<'a>>,
    /// `in: formData` of Swagger 2.0, with their names.
    pub(super) form: Vec<(&'a str, Place<'a>)>,
}

impl Parameters<'_> {
    /// Whether there is a path parameter of that name.
    pub(super) fn has_path(&self, name: &str) -> bool {
        self.plain.iter().any(|parameter| parameter.location == Location::Path && parameter.name == name)
    }

    /// Takes out path parameters that are not among `names` and returns theirs.
    pub(super) fn drop_path_parameters_except(&mut self, names: &BTreeSet<String>) -> Vec<String> {
        let is_dropped = |parameter: &Parameter| parameter.location == Location::Path && !names.contains(&parameter.name);
        let dropped = self.plain.iter().filter(|parameter| is_dropped(parameter)).map(|parameter| parameter.name.clone());
        let dropped = dropped.collect();
        self.plain.retain(|parameter| !is_dropped(parameter));
        dropped
    }
}

/// Where the schema of a parameter, body or header stands.
pub(super) struct Described {
    pub(super) schema: SchemaId,
    pub(super) json_schema: Value,
    /// Media type when `content` describes the value.
    pub(super) media_type: Option<String>,
    pub(super) examples: Vec<Value>,
}

impl<'a> Builder<'_, 'a> {
    /// The parameters of an operation; its own ones override those of its path item.
    pub(super) fn parameters(&mut self, item: Place<'a>, operation: Place<'a>) -> Parameters<'a> {
        let mut found = Parameters::default();
        for owner in [item, operation] {
            let mut names = BTreeSet::new();
            for place in self.reader.members(owner, "parameters") {
                match self.reader.follow(place) {
                    Ok(place) => {
                        if let Some(name) = place.text("name").filter(|name| !names.insert((*name, place.text("in")))) {
                            self.reader.repair(place, format!("parameter `{name}` stands twice: the last one is taken"));
                        }
                        self.add_parameter(place, &mut found);
                    }
                    Err(reason) => self.reader.repair(place, format!("{reason}, parameter left out")),
                }
            }
        }
        found
    }

    fn add_parameter(&mut self, place: Place<'a>, found: &mut Parameters<'a>) {
        let Some(name) = place.text("name").filter(|name| !name.is_empty()) else {
            if place.text("in") == Some("body") {
                found.body = Some(place);
            } else {
                self.reader.repair(place, "parameter without a name left out");
            }
            return;
        };
        match place.text("in").map(str::to_ascii_lowercase).as_deref() {
            Some("body") => found.body = Some(place),
            Some("formdata" | "form") => {
                found.form.retain(|(other, _)| *other != name);
                found.form.push((name, place));
            }
            Some(location @ ("path" | "query" | "header" | "cookie")) => match self.parameter(place, name, location) {
                Ok(parameter) => {
                    let is_same = |other: &Parameter| other.name == parameter.name && other.location == parameter.location;
                    match found.plain.iter_mut().find(|other| is_same(other)) {
                        Some(other) => *other = parameter,
                        None => found.plain.push(parameter),
                    }
                }
                Err(reason) => self.reader.repair(place, format!("parameter `{name}` left out: {reason}")),
            },
            _ => self.reader.repair(place, format!("parameter `{name}` left out: `in` names no place")),
        }
    }

    fn parameter(&mut self, place: Place<'a>, name: &str, location: &str) -> Result<Parameter, String> {
        let is_reserved =
            ["accept", "content-type", "authorization"].iter().any(|reserved| name.eq_ignore_ascii_case(reserved));
        if location == "header" && is_reserved {
            return Err("such headers are set by other means".to_owned());
        }
        let (style, is_tabbed) = self.style(place, location);
        let explode = place.flag("explode").unwrap_or(match place.text("collectionFormat") {
            Some(format) => format == "multi",
            None if is_of_swagger(place) => false,
            None => style.is_none_or(|style| matches!(style, "form" | "deepObject")) && matches!(location, "query" | "cookie"),
        });
        let mut shaped = json!({
            "in": location,
            "name": name,
            "required": location == "path" || place.flag("required") == Some(true),
            "explode": explode,
            "allowReserved": place.flag("allowReserved") == Some(true),
            "schema": {},
        });
        if let Some(style) = style {
            shaped["style"] = Value::from(style);
        }
        let typed: openapiv3::Parameter = serde_json::from_value(shaped).map_err(|error| error.to_string())?;
        let described = self.described(place);
        let mut parameter = lowered(typed, described);
        // Of parameters in paths since OpenAPI 3.2.
        parameter.allow_reserved |= location == "path" && place.flag("allowReserved") == Some(true);
        if is_tabbed {
            parameter.style = Style::TabDelimited;
        }
        Ok(parameter)
    }

    /// The `style` that the place names and its location allows, and whether it is Swagger's `tsv`.
    fn style(&self, place: Place<'a>, location: &str) -> (Option<&'static str>, bool) {
        let allowed: &[&'static str] = match location {
            "path" => &["matrix", "label", "simple"],
            "query" => &["form", "spaceDelimited", "pipeDelimited", "deepObject"],
            "header" => &["simple"],
            _ => &["form"],
        };
        if let Some(named) = place.text("style") {
            let style = allowed.iter().find(|style| **style == named).copied();
            if style.is_none() {
                self.reader.repair(place, format!("`style` `{named}` is not possible in `{location}`, left out"));
            }
            return (style, false);
        }
        match (location, place.text("collectionFormat")) {
            ("query", Some("ssv")) => (Some("spaceDelimited"), false),
            ("query", Some("pipes")) => (Some("pipeDelimited"), false),
            ("query", Some("tsv")) => (None, true),
            (_, Some(format @ ("ssv" | "pipes" | "tsv"))) => {
                self.reader.repair(place, format!("`collectionFormat` `{format}` is not possible in `{location}`, left out"));
                (None, false)
            }
            _ => (None, false),
        }
    }

    /// The schema of a parameter or header: `schema`, the first of `content`, or (Swagger 2.0) the object itself.
    pub(super) fn described(&mut self, place: Place<'a>) -> Described {
        let mut media_type = None;
        let mut shown = examples(self.reader, place);
        let mut schema = self.reader.child(place, "schema");
        if schema.is_none()
            && let Some((name, media)) = self.reader.fields(place, "content").into_iter().next()
        {
            media_type = (MediaKind::of(name) != MediaKind::Text).then(|| name.to_owned());
            shown.extend(examples(self.reader, media));
            schema = self.reader.child(media, "schema");
        }
        if schema.is_none() && is_of_swagger(place) {
            schema = Some(place);
        }
        let (schema, json_schema) = match schema {
            Some(schema) => (self.schemas.id_of(schema), self.reader.fragment(schema)),
            None => (self.text(0), json!({ "type": "string" })),
        };
        Described { schema, json_schema, media_type, examples: shown }
    }

    /// A parameter for a placeholder that has none.
    pub(super) fn path_parameter(&mut self, name: &str) -> Parameter {
        Parameter {
            name: name.to_owned(),
            location: Location::Path,
            required: true,
            style: Style::Simple,
            explode: false,
            allow_reserved: false,
            content: None,
            schema: self.text(1),
            json_schema: json!({ "type": "string", "minLength": 1 }),
            examples: Vec::new(),
        }
    }

    /// A schema of any text of at least `min_length` characters.
    pub(super) fn text(&mut self, min_length: usize) -> SchemaId {
        let text = StringSchema { min_length, ..StringSchema::default() };
        self.schemas.push(Schema::new(SchemaKind::String(text)))
    }
}

/// Whether the value is described by the object itself, as in Swagger 2.0.
fn is_of_swagger(place: Place<'_>) -> bool {
    let has = |name: &str| place.value.get(name).is_some();
    !has("schema") && !has("content") && (has("type") || has("enum") || has("items") || has("format"))
}

fn lowered(typed: openapiv3::Parameter, described: Described) -> Parameter {
    let (location, style, allow_reserved) = match &typed {
        openapiv3::Parameter::Query { style, allow_reserved, .. } => (Location::Query, query_style(style), *allow_reserved),
        openapiv3::Parameter::Path { style, .. } => {
            let style = match style {
                PathStyle::Matrix => Style::Matrix,
                PathStyle::Label => Style::Label,
                PathStyle::Simple => Style::Simple,
            };
            (Location::Path, style, false)
        }
        openapiv3::Parameter::Header { style: HeaderStyle::Simple, .. } => (Location::Header, Style::Simple, false),
        openapiv3::Parameter::Cookie { style: CookieStyle::Form, .. } => (Location::Cookie, Style::Form, false),
    };
    let data = typed.parameter_data();
    Parameter {
        name: data.name,
        location,
        required: data.required,
        style,
        explode: data.explode.unwrap_or(matches!(style, Style::Form)),
        allow_reserved,
        content: described.media_type,
        schema: described.schema,
        json_schema: described.json_schema,
        examples: described.examples,
    }
}

/// The style of a query parameter or form field.
pub(super) fn query_style(style: &QueryStyle) -> Style {
    match style {
        QueryStyle::Form => Style::Form,
        QueryStyle::SpaceDelimited => Style::SpaceDelimited,
        QueryStyle::PipeDelimited => Style::PipeDelimited,
        QueryStyle::DeepObject => Style::DeepObject,
    }
}
