//! `additionalProperties` with a schema that every value fits: the same as `true`.
//!
//! Both say that further properties are meant, and are kept; without `additionalProperties`, they are
//! accepted and dropped. Seen: `true` (FastAPI, drf-spectacular, schemars), `{}` (springdoc, Swashbuckle),
//! `{ nullable: true }` and described schemas (NSwag).

use super::{Idiom, Known, Members, has_only};
use serde_json::Value;

pub(super) const IDIOM: Idiom = Idiom {
    rewrite,
    leaves_items: false,
    values_alone: false,
    report: None,
};

fn rewrite(members: &mut Members, _: &Known<'_>) -> bool {
    // The content of a form's further fields is described by annotations.
    let is_open = |schema: &Members| {
        let mut keywords = schema.keys();
        has_only(schema, &[]) && !keywords.any(|keyword| keyword.starts_with("content"))
    };
    if let Some(slot) = members.get_mut("additionalProperties")
        && slot.as_object().is_some_and(is_open)
    {
        *slot = Value::Bool(true);
    }
    false
}
