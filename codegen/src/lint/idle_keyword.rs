//! A keyword about one type stands in a schema that accepts this type.
//!
//! `minLength` beside `type: integer` constrains nothing, although its author meant it to.

use super::Findings;
use super::subject::{Subject, types};
use json_schema::keyword::Keyword;
use json_schema::types::Types;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for schema in &subject.spots {
        let named = types(schema.members);
        if named.is_empty() {
            continue;
        }
        let accepted_types = named.iter().filter_map(|name| Types::named(name));
        let accepted_types = accepted_types.fold(Types::NONE, Types::union);
        for keyword in schema.members.keys() {
            let Some(known) = Keyword::named(keyword).filter(|known| !known.is_annotation()) else {
                continue;
            };
            if known.applies_to.intersection(accepted_types) != Types::NONE {
                continue;
            }
            let (applies_to, accepted) = (known.applies_to.names(), named.join(" or "));
            let applies_to = applies_to.join(" or ");
            let message = format!(
                "`{keyword}` applies to type {applies_to}, but this schema accepts {accepted}"
            );
            findings.report(&schema.at.child(keyword), message);
        }
    }
}
