//! The Postman collection, format v2.1.0.

use crate::ir::Api;
use serde_json::{Value, json};

/// The collection.
pub(super) fn collection(api: &Api) -> Value {
    json!({ "info": { "name": api.title } })
}
