//! Lists: the number and the content of their items.

use super::Case;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    (
        "maxItems",
        "{ type: array }",
        "{ type: array, maxItems: 40000 }",
    ),
    (
        "minItems",
        "{ type: array, items: { type: string } }",
        "{ type: array, items: { type: string }, minItems: 1 }",
    ),
    (
        "maxItems",
        "{ type: array, maxItems: 5 }",
        "{ type: array, maxItems: 3 }",
    ),
    (
        "maxItems",
        "{ type: array, items: { type: object, required: [a], properties: { a: { type: integer } } } }",
        "{ type: array, maxItems: 50, items: { type: object, required: [a], properties: { a: { type: integer } } } }",
    ),
    (
        "uniqueItems",
        "{ type: array, items: { type: integer } }",
        "{ type: array, items: { type: integer }, uniqueItems: true }",
    ),
    (
        "type",
        "{ type: array, items: { type: [string, integer] } }",
        "{ type: array, items: { type: string } }",
    ),
    (
        "type",
        "{ type: array }",
        "{ type: array, items: { type: string } }",
    ),
    (
        "items",
        "{ type: array, prefixItems: [{ type: string }] }",
        "{ type: array, prefixItems: [{ type: string }], items: false }",
    ),
    (
        "type",
        "{ type: array, prefixItems: [{}, {}] }",
        "{ type: array, prefixItems: [{}, { type: string }] }",
    ),
    (
        "contains",
        "{ type: array, items: { type: integer } }",
        "{ type: array, items: { type: integer }, contains: { const: 3 } }",
    ),
    (
        "maxContains",
        "{ type: array, contains: { const: a } }",
        "{ type: array, contains: { const: a }, maxContains: 1 }",
    ),
];
