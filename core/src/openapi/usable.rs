//! Taking out inputs that no value fits, and operations that cannot be called without them.

use crate::api::{Operation, Repair, SchemaId, SchemaKind, Schemas, Skipped};

/// What is left of the operations.
pub(super) struct Usable {
    /// Operations that can be called.
    pub(super) operations: Vec<Operation>,
    /// New position of each old operation, none when it was taken out.
    pub(super) positions: Vec<Option<usize>>,
    /// Operations that were taken out.
    pub(super) skipped: Vec<Skipped>,
    /// Inputs that were taken out.
    pub(super) repairs: Vec<Repair>,
}

/// Sorts operations by whether some value fits everything they demand.
pub(super) fn usable(operations: Vec<Operation>, schemas: &Schemas) -> Usable {
    let mut usable = Usable { operations: Vec::new(), positions: Vec::new(), skipped: Vec::new(), repairs: Vec::new() };
    for mut operation in operations {
        match reduce(&mut operation, schemas) {
            Ok(removed) => {
                usable.repairs.extend(removed.into_iter().map(|input| Repair {
                    pointer: operation.pointer.clone(),
                    action: format!("{input} left out: no value fits its schema"),
                }));
                usable.positions.push(Some(usable.operations.len()));
                usable.operations.push(operation);
            }
            Err(input) => {
                usable.positions.push(None);
                usable.skipped.push(Skipped {
                    operation: operation.id,
                    pointer: operation.pointer,
                    reason: format!("no value fits the schema of its {input}"),
                });
            }
        }
    }
    usable
}

/// Takes out what may be left out and returns its names; the first thing that may not is the error.
fn reduce(operation: &mut Operation, schemas: &Schemas) -> Result<Vec<String>, String> {
    let is_empty = |id: SchemaId| matches!(schemas.at(id).kind, SchemaKind::Never);
    if let Some(parameter) = operation.parameters.iter().find(|parameter| parameter.required && is_empty(parameter.schema)) {
        return Err(format!("parameter `{}`", parameter.name));
    }
    let mut removed = Vec::new();
    operation.parameters.retain(|parameter| {
        let is_kept = !is_empty(parameter.schema);
        if !is_kept {
            removed.push(format!("parameter `{}`", parameter.name));
        }
        is_kept
    });
    let had_bodies = !operation.bodies.is_empty();
    operation.bodies.retain(|body| {
        let is_kept = !is_empty(body.schema);
        if !is_kept {
            removed.push(format!("body `{}`", body.media_type));
        }
        is_kept
    });
    if had_bodies && operation.bodies.is_empty() && operation.body_required {
        return Err("body".to_owned());
    }
    Ok(removed)
}
