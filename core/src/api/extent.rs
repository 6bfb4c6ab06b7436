//! How small a value of each schema can be: what decides where cyclic schemas are cut.
//!
//! Least fixed point over the whole document, found as shortest derivations of a grammar (Knuth 1977, "A
//! generalization of Dijkstra's algorithm"): schemas are settled in the order of their size, so that each is
//! settled once and the time is that of the number of references, whatever cycles they form.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Additional, Schema, SchemaId, SchemaKind};

/// Size of the smallest value of a schema, `null` of a nullable one not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// Number of values in it, itself included; at least 1, saturating.
    pub size: u32,
    /// Levels of nesting, 1 for a plain value.
    pub height: u32,
}

impl Extent {
    /// A value without parts.
    pub const PLAIN: Self = Self { size: 1, height: 1 };

    fn around(parts: impl Iterator<Item = Self>) -> Self {
        parts.fold(Self::PLAIN, |whole, part| Self {
            size: whole.size.saturating_add(part.size),
            height: whole.height.max(part.height.saturating_add(1)),
        })
    }
}

/// The extent of every schema, in their order; none where no finite value exists.
pub(super) fn extents(schemas: &[Schema]) -> Vec<Option<Extent>> {
    let users = Users::of(schemas);
    let mut settled: Vec<Option<Extent>> = vec![None; schemas.len()];
    let mut heap = BinaryHeap::new();
    // What does not depend on any other schema comes first; the rest follows as its parts are settled.
    for idx in 0..schemas.len() {
        if let Some(extent) = extent_of(schemas, idx, &settled) {
            heap.push(Reverse((extent, idx)));
        }
    }
    while let Some(Reverse((extent, idx))) = heap.pop() {
        if settled[idx].is_some() {
            continue;
        }
        settled[idx] = Some(extent);
        for user in users.of_schema(idx) {
            let user = *user as usize;
            if settled[user].is_none()
                && let Some(extent) = extent_of(schemas, user, &settled)
            {
                heap.push(Reverse((extent, user)));
            }
        }
    }
    settled
}

/// The extent of one schema as far as its parts are settled.
fn extent_of(schemas: &[Schema], idx: usize, settled: &[Option<Extent>]) -> Option<Extent> {
    let part = |id: SchemaId| {
        if schemas[id.0 as usize].nullable { Some(Extent::PLAIN) } else { settled[id.0 as usize] }
    };
    match &schemas[idx].kind {
        SchemaKind::Never => None,
        SchemaKind::Any | SchemaKind::Null | SchemaKind::Boolean => Some(Extent::PLAIN),
        SchemaKind::Enum(values) => (!values.is_empty()).then_some(Extent::PLAIN),
        SchemaKind::Integer(integer) => {
            let step = integer.multiple_of.unwrap_or(1).max(1);
            let largest = integer.max.div_euclid(step).checked_mul(step)?;
            (integer.min <= integer.max && largest >= integer.min).then_some(Extent::PLAIN)
        }
        SchemaKind::Number(number) => {
            let (min, max) = (number.min.unwrap_or(f64::NEG_INFINITY), number.max.unwrap_or(f64::INFINITY));
            (min < max || (min <= max && !number.exclusive_min && !number.exclusive_max)).then_some(Extent::PLAIN)
        }
        SchemaKind::String(string) => string.max_length.is_none_or(|max| string.min_length <= max).then_some(Extent::PLAIN),
        SchemaKind::Array(array) => {
            if array.max_items.is_some_and(|max| array.min_items > max) {
                return None;
            }
            if array.min_items == 0 {
                return Some(Extent::PLAIN);
            }
            let item = part(array.items)?;
            let count = u32::try_from(array.min_items).unwrap_or(u32::MAX);
            Some(Extent { size: item.size.saturating_mul(count).saturating_add(1), height: item.height.saturating_add(1) })
        }
        SchemaKind::Object(object) => object_extent(object, part),
        SchemaKind::Choice(choice) => {
            let option = choice.options.iter().filter_map(|id| part(*id)).min()?;
            Some(Extent::around(std::iter::once(option)))
        }
    }
}

/// Required properties, and the smallest others up to `min_properties`, listed ones or not.
fn object_extent(object: &super::ObjectSchema, part: impl Fn(SchemaId) -> Option<Extent>) -> Option<Extent> {
    let mut parts = Vec::with_capacity(object.min_properties.min(object.properties.len()));
    for property in object.properties.iter().filter(|property| property.required) {
        parts.push(part(property.schema)?);
    }
    if object.max_properties.is_some_and(|max| parts.len() > max || object.min_properties > max) {
        return None;
    }
    let missing = object.min_properties.saturating_sub(parts.len());
    if missing > 0 {
        let optional = object.properties.iter().filter(|property| !property.required);
        let mut others: Vec<Extent> = optional.filter_map(|property| part(property.schema)).collect();
        let extra = match object.additional {
            Additional::Forbidden => None,
            Additional::Unspecified => Some(Extent::PLAIN),
            Additional::Typed(id) => part(id),
        };
        others.retain(|other| extra.is_none_or(|extra| *other <= extra));
        others.sort_unstable();
        others.truncate(missing);
        let extras = u32::try_from(missing - others.len()).unwrap_or(u32::MAX);
        parts.append(&mut others);
        if extras > 0 {
            let extra = extra?;
            parts.push(Extent { size: extra.size.saturating_mul(extras), height: extra.height });
        }
    }
    Some(Extent::around(parts.into_iter()))
}

/// Which schemas refer to a schema, as one flat list.
struct Users {
    starts: Vec<usize>,
    users: Vec<u32>,
}

impl Users {
    fn of(schemas: &[Schema]) -> Self {
        let mut starts = vec![0; schemas.len() + 1];
        for schema in schemas {
            for_each_part(schema, &mut |id| starts[id.0 as usize + 1] += 1);
        }
        for idx in 1..starts.len() {
            starts[idx] += starts[idx - 1];
        }
        let mut next = starts.clone();
        let mut users = vec![0; starts[schemas.len()]];
        for (user, schema) in (0_u32..).zip(schemas) {
            for_each_part(schema, &mut |id| {
                users[next[id.0 as usize]] = user;
                next[id.0 as usize] += 1;
            });
        }
        Self { starts, users }
    }

    fn of_schema(&self, idx: usize) -> &[u32] {
        &self.users[self.starts[idx]..self.starts[idx + 1]]
    }
}

fn for_each_part(schema: &Schema, visit: &mut dyn FnMut(SchemaId)) {
    match &schema.kind {
        SchemaKind::Array(array) => visit(array.items),
        SchemaKind::Object(object) => {
            object.properties.iter().for_each(|property| visit(property.schema));
            if let Additional::Typed(id) = object.additional {
                visit(id);
            }
        }
        SchemaKind::Choice(choice) => choice.options.iter().for_each(|id| visit(*id)),
        SchemaKind::Any
        | SchemaKind::Never
        | SchemaKind::Null
        | SchemaKind::Boolean
        | SchemaKind::Integer(_)
        | SchemaKind::Number(_)
        | SchemaKind::String(_)
        | SchemaKind::Enum(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Additional, ArraySchema, ChoiceSchema, ObjectSchema, Property, Schema, SchemaId, SchemaKind, Schemas};
    use super::Extent;

    fn object(properties: &[(SchemaId, bool)]) -> Schema {
        let properties = properties
            .iter()
            .enumerate()
            .map(|(idx, (schema, required))| Property { name: format!("p{idx}"), schema: *schema, required: *required })
            .collect();
        Schema::new(SchemaKind::Object(ObjectSchema {
            properties,
            additional: Additional::Forbidden,
            names: None,
            min_properties: 0,
            max_properties: None,
            is_tuple: false,
        }))
    }

    fn choice(options: &[SchemaId]) -> Schema {
        Schema::new(SchemaKind::Choice(ChoiceSchema { options: options.to_vec(), exclusive: false, discriminator: None }))
    }

    #[test]
    fn a_cycle_that_ends_in_a_choice_has_the_extent_of_its_short_way_out() {
        let mut schemas = Schemas::default();
        let tree = schemas.push(Schema::new(SchemaKind::Never));
        let leaf = schemas.push(Schema::new(SchemaKind::Boolean));
        let branch = schemas.push(object(&[(tree, true), (tree, true)]));
        schemas.replace(tree, choice(&[branch, leaf]));
        assert_eq!(schemas.extent(tree), Some(Extent { size: 2, height: 2 }));
        assert_eq!(schemas.extent(branch), Some(Extent { size: 5, height: 3 }));
    }

    #[test]
    fn a_cycle_without_a_way_out_has_no_extent_unless_it_may_be_null() {
        let mut schemas = Schemas::default();
        let first = schemas.push(Schema::new(SchemaKind::Never));
        let second = schemas.push(object(&[(first, true)]));
        schemas.replace(first, object(&[(second, true)]));
        assert_eq!((schemas.extent(first), schemas.extent(second)), (None, None));
        let mut nullable = object(&[(second, true)]);
        nullable.nullable = true;
        schemas.replace(first, nullable);
        assert_eq!(schemas.extent(second), Some(Extent { size: 2, height: 2 }));
    }

    #[test]
    fn ten_thousand_schemas_that_all_refer_to_their_neighbours_are_settled() {
        let mut schemas = Schemas::default();
        let ids: Vec<SchemaId> = (0..10_000).map(|_| schemas.push(Schema::new(SchemaKind::Never))).collect();
        for (idx, id) in ids.iter().enumerate() {
            let parts = [(ids[(idx + 1) % ids.len()], true), (ids[(idx + 9_999) % ids.len()], true)];
            schemas.replace(*id, object(&parts));
        }
        let list = ArraySchema { items: ids[17], min_items: 0, max_items: None, unique: false };
        schemas.replace(ids[4_000], Schema::new(SchemaKind::Array(list)));
        assert_eq!(schemas.extent(ids[4_000]), Some(Extent::PLAIN));
        // Both neighbours are required, so only the array itself has an end.
        assert_eq!(schemas.extent(ids[3_999]), None);
    }

    #[test]
    fn doubling_at_every_level_saturates() {
        let mut schemas = Schemas::default();
        let mut id = schemas.push(Schema::new(SchemaKind::Boolean));
        for _ in 0..100 {
            id = schemas.push(object(&[(id, true), (id, true)]));
        }
        assert_eq!(schemas.extent(id), Some(Extent { size: u32::MAX, height: 101 }));
    }
}
