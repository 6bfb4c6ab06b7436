//! Reading OpenAPI and Swagger documents into [`crate::api`]; the only code that sees their JSON.
