//! Which fields of a form are files, how many, and of which length.

use crate::document::is_json;
use crate::ir::{FieldContent, Octets};
use crate::lower::models::Models;
use crate::schema::{JsonType, Keywords, Schema};
use crate::source::Pointer;
use std::collections::BTreeSet;

/// Whether a field holds a file or files, whatever its `encoding` says.
pub(in crate::lower) fn is_file<'a>(models: &mut Models<'a>, schema: &Schema<'a>) -> bool {
    files(models, schema, None, &mut BTreeSet::new()).is_some()
}

/// A file or files, where a field holds such. One that may be a file or something else is a file
/// too: its bytes are what it is sent as, whatever they are.
pub(super) fn files<'a>(
    models: &mut Models<'a>,
    schema: &Schema<'a>,
    content_type: Option<&str>,
    seen: &mut BTreeSet<Pointer>,
) -> Option<FieldContent> {
    let k = models.resolved(schema)?;
    // What is said of nothing but in passing is no file: only all that is said may be nothing.
    if is_bytes(&k, content_type) || (seen.is_empty() && !k.constrains()) {
        return Some(FieldContent::File(octets(&k)));
    }
    if k.types == [JsonType::Array] {
        let item = models.resolved(k.items.as_ref()?)?;
        let listed = is_bytes(&item, content_type) || !item.constrains();
        return listed.then(|| FieldContent::Files {
            min: k.min_items.unwrap_or(0),
            max: k.max_items,
            octets: octets(&item),
        });
    }
    // One that leads back to itself, more than once each time, would be looked through for ever.
    if !seen.insert(k.at.clone()) {
        return None;
    }
    let parts = k.all_of.iter().chain(&k.one_of).chain(&k.any_of);
    let parts = parts.filter_map(|part| files(models, part, content_type, seen));
    parts.reduce(file_or_files)
}

/// How long a file is: a length is that of its bytes (OpenAPI 3.1.1, Working with Binary Data).
fn octets(k: &Keywords<'_>) -> Octets {
    Octets {
        min: k.min_length.unwrap_or(0),
        max: k.max_length,
    }
}

/// A field that is one or the other: a file is a list of it.
fn file_or_files(one: FieldContent, other: FieldContent) -> FieldContent {
    let parts = |content: &FieldContent| match content {
        FieldContent::Files { min, max, octets } => (*min, *max, *octets),
        FieldContent::File(octets) => (1, Some(1), *octets),
        _ => (1, Some(1), Octets { min: 0, max: None }),
    };
    let ((min, max, own), (least, most, length)) = (parts(&one), parts(&other));
    let octets = Octets {
        min: own.min.min(length.min),
        max: own.max.zip(length.max).map(|(own, other)| own.max(other)),
    };
    match (&one, &other) {
        (FieldContent::File(_), FieldContent::File(_)) => FieldContent::File(octets),
        _ => FieldContent::Files {
            min: min.min(least),
            max: max.zip(most).map(|(max, most)| max.max(most)),
            octets,
        },
    }
}

/// Whether a schema stands for bytes: `format: binary` in OpenAPI 3.0, a media type of its own in
/// 3.1.
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
