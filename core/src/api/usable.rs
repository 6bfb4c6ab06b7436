//! Taking out what cannot be used: schemas and inputs that no value fits, and operations that cannot be called without them.

use super::prune::prune;
use super::{Api, Operation, OperationIdx, Repair, SchemaId, SchemaKind, Schemas, Skipped};

impl Api {
    /// Repairs that are kept; a document with more has told enough.
    pub const MOST_REPAIRS: usize = 1_000;

    /// Takes out what no value fits: parts of schemas, inputs and, where they are demanded, operations.
    ///
    /// What was taken out is in [`Self::skipped`], [`Self::repairs`] and [`Self::unsupported`] afterwards.
    ///
    /// # Panics
    /// With more than `u32::MAX` operations.
    pub fn drop_unusable(&mut self) {
        let n_pruned = prune(&mut self.schemas);
        if n_pruned > 0 {
            *self.unsupported.entry("schemas that no value fits".to_owned()).or_default() += n_pruned;
        }
        let mut reasons = Vec::with_capacity(self.operations.len());
        let mut repairs = Vec::new();
        for operation in &mut self.operations {
            let outcome = reduce(operation, &self.schemas);
            repairs.extend(outcome.iter().flatten().map(|input| Repair {
                pointer: operation.pointer.clone(),
                action: format!("{input} left out: no value fits its schema"),
            }));
            reasons.push(outcome.err().map(|input| format!("no value fits the schema of its {input}")));
        }
        let skipped = self.take_out(reasons);
        self.skipped.extend(skipped);
        for repair in repairs {
            self.note(repair);
        }
    }

    /// Keeps the note of a repair unless there are too many.
    pub fn note(&mut self, repair: Repair) {
        if self.repairs.len() < Self::MOST_REPAIRS {
            self.repairs.push(repair);
        }
    }

    /// Takes out the operations that have a reason (one entry per operation) and returns them.
    ///
    /// Links to operations that are taken out go with them; those between the rest are renumbered.
    ///
    /// # Panics
    /// With more than `u32::MAX` operations.
    pub fn take_out(&mut self, reasons: Vec<Option<String>>) -> Vec<Skipped> {
        let mut new_idx = Vec::with_capacity(reasons.len());
        let mut left_out = Vec::new();
        let mut kept = Vec::new();
        for (operation, reason) in std::mem::take(&mut self.operations).into_iter().zip(reasons) {
            if let Some(reason) = reason {
                new_idx.push(None);
                self.off_limits.push(operation.url_path);
                left_out.push(Skipped { operation: operation.id, pointer: operation.pointer, reason });
            } else {
                let idx = u32::try_from(kept.len()).expect("an interface has fewer than 2^32 operations");
                new_idx.push(Some(OperationIdx(idx)));
                kept.push(operation);
            }
        }
        for response in kept.iter_mut().flat_map(|operation| &mut operation.responses) {
            response.links.retain_mut(|link| match new_idx.get(link.operation_idx.0 as usize).copied().flatten() {
                Some(idx) => {
                    link.operation_idx = idx;
                    true
                }
                None => false,
            });
        }
        self.operations = kept;
        left_out
    }
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
