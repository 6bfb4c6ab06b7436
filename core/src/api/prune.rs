//! Taking out what no value fits: contradictions, and objects that contain themselves without end.

use super::{Additional, Schema, SchemaId, SchemaKind, Schemas};

/// Rounds after which a document is left as it is; references forward need one more round each.
const MOST_ROUNDS: usize = 200;

/// Replaces schemas without values by [`SchemaKind::Never`] and takes them out of choices and optional properties.
///
/// Returns how many there were besides those that already said so.
pub(super) fn prune(schemas: &mut Schemas) -> usize {
    let Some(inhabited) = inhabited(schemas) else { return 0 };
    let mut n_without = 0;
    for (idx, has_values) in inhabited.iter().enumerate() {
        let id = SchemaId(u32::try_from(idx).expect("ids are 32 bits wide"));
        let schema = schemas.at(id);
        if !has_values && !matches!(schema.kind, SchemaKind::Never) {
            n_without += 1;
            schemas.replace(id, Schema::new(SchemaKind::Never));
        } else if schema.nullable && !is_inhabited(&schema.kind, &inhabited) {
            schemas.replace(id, Schema::new(SchemaKind::Null));
        } else if let Some(kind) = without(&schema.kind, &inhabited) {
            let schema = Schema { kind, ..schema.clone() };
            schemas.replace(id, schema);
        }
    }
    n_without
}

/// Which schemas some finite value fits: the least set that grows from the plain ones.
fn inhabited(schemas: &Schemas) -> Option<Vec<bool>> {
    let mut inhabited = vec![false; schemas.len()];
    for _ in 0..MOST_ROUNDS {
        let mut has_changed = false;
        // Parts mostly come after what they are parts of.
        for idx in (0..inhabited.len()).rev() {
            if !inhabited[idx] {
                let schema = schemas.at(SchemaId(u32::try_from(idx).expect("ids are 32 bits wide")));
                inhabited[idx] = schema.nullable || is_inhabited(&schema.kind, &inhabited);
                has_changed |= inhabited[idx];
            }
        }
        if !has_changed {
            return Some(inhabited);
        }
    }
    None
}

fn is_inhabited(kind: &SchemaKind, inhabited: &[bool]) -> bool {
    let has_values = |id: SchemaId| inhabited[id.0 as usize];
    match kind {
        SchemaKind::Never => false,
        SchemaKind::Array(array) => array.min_items == 0 || has_values(array.items),
        SchemaKind::Choice(choice) => choice.options.iter().any(|option| has_values(*option)),
        SchemaKind::Object(object) => {
            object.properties.iter().all(|property| !property.required || has_values(property.schema))
        }
        _ => true,
    }
}

/// `kind` without parts that no value fits, none when it has no such part.
fn without(kind: &SchemaKind, inhabited: &[bool]) -> Option<SchemaKind> {
    let is_empty = |id: SchemaId| !inhabited[id.0 as usize];
    match kind {
        SchemaKind::Choice(choice) if choice.options.iter().any(|option| is_empty(*option)) => {
            let mut choice = choice.clone();
            let mut keep = choice.options.iter().map(|option| !is_empty(*option)).collect::<Vec<_>>().into_iter();
            if let Some((_, names)) = &mut choice.discriminator {
                let mut keep = keep.clone();
                names.retain(|_| keep.next().unwrap_or(true));
            }
            choice.options.retain(|_| keep.next().unwrap_or(true));
            Some(SchemaKind::Choice(choice))
        }
        SchemaKind::Object(object) => {
            let is_plain = object.properties.iter().all(|property| !is_empty(property.schema));
            let is_typed_empty = matches!(object.additional, Additional::Typed(id) if is_empty(id));
            if is_plain && !is_typed_empty {
                return None;
            }
            let mut object = object.clone();
            if is_typed_empty {
                object.additional = Additional::Forbidden;
            }
            // Elsewhere the name stays, so that no further property is given it.
            if object.additional == Additional::Forbidden {
                object.properties.retain(|property| !is_empty(property.schema));
            }
            Some(SchemaKind::Object(object))
        }
        SchemaKind::Array(array) if is_empty(array.items) => {
            let mut array = array.clone();
            array.max_items = Some(0);
            Some(SchemaKind::Array(array))
        }
        _ => None,
    }
}
