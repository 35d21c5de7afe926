//! A keyword about one type stands in a schema that accepts this type.
//!
//! `minLength` beside `type: integer` constrains nothing, although its author meant it to.

use super::Findings;
use super::subject::{Subject, types};
use json_schema::keyword::Keyword;
use json_schema::types::Types;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let named = types(spot.members);
        if named.is_empty() {
            continue;
        }
        let taken = named.iter().filter_map(|name| Types::named(name));
        let taken = taken.fold(Types::NONE, Types::union);
        for keyword in spot.members.keys() {
            let Some(known) = Keyword::named(keyword).filter(|known| !known.is_annotation()) else {
                continue;
            };
            if known.applies_to.intersection(taken) != Types::NONE {
                continue;
            }
            let (of, taken) = (known.applies_to.names().join(" or "), named.join(" or "));
            let message = format!("`{keyword}` speaks of type {of}, but this schema takes {taken}");
            findings.report(&spot.at.child(keyword), message);
        }
    }
}
