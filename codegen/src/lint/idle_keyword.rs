//! A keyword that only speaks of one type stands in a schema that takes this type.
//!
//! `minLength` beside `type: integer` constrains nothing, although its writer meant it to.

use super::Findings;
use super::subject::{Subject, types};

/// Types and the keywords that only speak of them.
const SPEAK_OF: &[(&[&str], &[&str])] = &[
    (&["string"], &["minLength", "maxLength", "pattern"]),
    (
        &["number", "integer"],
        &[
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
        ],
    ),
    (
        &["array"],
        &[
            "items",
            "prefixItems",
            "contains",
            "minContains",
            "maxContains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ],
    ),
    (
        &["object"],
        &[
            "properties",
            "patternProperties",
            "additionalProperties",
            "propertyNames",
            "required",
            "minProperties",
            "maxProperties",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ],
    ),
];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in &subject.spots {
        let taken = types(spot.members);
        if taken.is_empty() {
            continue;
        }
        for (types, keywords) in SPEAK_OF {
            if types.iter().any(|name| taken.contains(name)) {
                continue;
            }
            let idle = keywords
                .iter()
                .filter(|name| spot.members.contains_key(**name));
            for keyword in idle {
                let (of, taken) = (types.join(" or "), taken.join(" or "));
                let message =
                    format!("`{keyword}` speaks of type {of}, but this schema takes {taken}");
                findings.say(&spot.at.child(keyword), message);
            }
        }
    }
}
