//! A format belongs to the type beside it.

use super::Findings;
use super::subject::{Subject, types};
use json_schema::format::Format;
use json_schema::types::Types;
use serde_json::Value;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let Some(format) = spot.members.get("format").and_then(Value::as_str) else {
            continue;
        };
        let types = types(spot.members);
        let fits = |known: &Format| {
            let mut named = types.iter().filter_map(|name| Types::named(name));
            types.is_empty() || named.any(|ty| ty.intersection(known.types) != Types::NONE)
        };
        if Format::named(format).is_some_and(|known| !fits(known)) {
            let types = types.join(" or ");
            findings.report(
                &spot.at.child("format"),
                format!("`{format}` is no format of type {types}"),
            );
        }
    }
}
