//! Fields of a form that hold files: which they are, and how many files each holds.

use super::lengths;
use crate::ir::{Bounds, FieldContent};
use crate::lower::form_fields::referring;
use crate::lower::models::Models;
use crate::openapi::is_json;
use crate::schema::{JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeSet;

/// How many files a field holds.
#[derive(Clone, Copy)]
enum Count {
    One,
    Many(Bounds),
}

/// Whether a field holds files, by its schema alone.
pub(in crate::lower) fn is_file<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> bool {
    holds(models, schema, None)
}

/// Whether a field holds files.
pub(in crate::lower) fn holds<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
) -> bool {
    count(models, schema, content_type, &mut BTreeSet::new()).is_some()
}

/// The content of a field that holds files. A field that may be a file or something else counts as
/// a file: it is sent as bytes in both cases.
pub(super) fn files<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
) -> Option<FieldContent> {
    let count = count(models, schema, content_type, &mut BTreeSet::new())?;
    let octets = lengths::octets(models, schema, content_type);
    Some(match count {
        Count::One => FieldContent::File(octets),
        Count::Many(count) => FieldContent::Files { count, octets },
    })
}

/// How many files a field holds, if any.
fn count<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
    seen: &mut BTreeSet<Pointer>,
) -> Option<Count> {
    let k = models.resolved(schema)?;
    // A schema without any keyword is a file only if it is the field's whole schema.
    if is_bytes(&k, content_type) || (seen.is_empty() && is_anything(&k)) {
        return Some(Count::One);
    }
    // Each recursive schema is visited once.
    if !seen.insert(k.at.clone()) {
        return None;
    }
    if k.types == [JsonType::Array] {
        let item = k.items.as_ref()?;
        let listed = models.resolved(item).is_some_and(|item| is_anything(&item))
            || matches!(count(models, item, content_type, seen), Some(Count::One));
        return listed.then(|| {
            Count::Many(Bounds {
                min: k.min_items.unwrap_or(0),
                max: k.max_items,
            })
        });
    }
    let referred = k.reference.as_ref().map(|key| referring(key, &k.at));
    let parts = k.all_of.iter().chain(&k.one_of).chain(&k.any_of);
    let parts = parts.chain(&referred);
    let parts = parts.filter_map(|part| count(models, part, content_type, seen));
    parts.reduce(either)
}

/// Whether a schema accepts every value.
pub(super) fn is_anything(k: &Keywords<'_>) -> bool {
    let says_nothing = |part: &Schema<'_>| match part {
        Schema::Always => true,
        Schema::Never => false,
        Schema::Keywords(k) => is_anything(k),
    };
    !k.constrains() && k.reference.is_none() && k.all_of.iter().all(says_nothing)
}

/// The count that covers both; a single file counts as a list of one.
fn either(one: Count, other: Count) -> Count {
    let bounds = |count| match count {
        Count::One => Bounds::ONE,
        Count::Many(bounds) => bounds,
    };
    match (one, other) {
        (Count::One, Count::One) => Count::One,
        _ => Count::Many(bounds(one).or(bounds(other))),
    }
}

/// Whether a schema describes bytes: by `format: binary` in OpenAPI 3.0, by a media type of its own
/// in 3.1.
fn is_bytes(k: &Keywords<'_>, content_type: Option<&str>) -> bool {
    let says = |keyword: &str| k.raw.get(keyword).is_some();
    let text = |content_type: &str| {
        is_json(content_type)
            || content_type.starts_with("text/")
            || content_type == "application/x-www-form-urlencoded"
    };
    let may_be_string = k.types.is_empty() || k.types.contains(&JsonType::String);
    let binary = k.format.as_deref() == Some("binary")
        || (says("contentMediaType") && !says("contentEncoding"))
        || content_type.is_some_and(|content_type| !text(content_type));
    may_be_string && binary
}
