//! Objects: the names and the content of their members.

use super::Case;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    (
        "patternProperties",
        "{ type: object, patternProperties: { '^x': {}, '^y': {} }, additionalProperties: false }",
        "{ type: object, patternProperties: { '^x': {} }, additionalProperties: false }",
    ),
    (
        "patternProperties",
        "{ type: object }",
        "{ type: object, patternProperties: { '^x': { type: integer } } }",
    ),
    (
        "dependentSchemas",
        "{ type: object }",
        "{ type: object, dependentSchemas: { a: { minProperties: 2 } } }",
    ),
    (
        "dependentRequired",
        "{ type: object }",
        "{ type: object, dependentSchemas: { a: { required: [b] } } }",
    ),
    (
        "required",
        "{ type: object, properties: { a: { type: string } } }",
        "{ type: object, required: [a], properties: { a: { type: string } } }",
    ),
    (
        "required",
        "{ type: object, properties: { a: { type: string, default: x } } }",
        "{ type: object, required: [a], properties: { a: { type: string, default: x } } }",
    ),
    (
        "properties",
        "{ type: object, properties: { a: { type: string }, b: { type: string } }, additionalProperties: false }",
        "{ type: object, properties: { a: { type: string } }, additionalProperties: false }",
    ),
    (
        "type",
        "{ type: object, additionalProperties: { type: [string, integer] } }",
        "{ type: object, additionalProperties: { type: string } }",
    ),
    (
        "type",
        "{ type: object }",
        "{ type: object, additionalProperties: { type: string } }",
    ),
    (
        "type",
        "{ type: object, patternProperties: { '^x-': {} } }",
        "{ type: object, patternProperties: { '^x-': { type: string } } }",
    ),
    (
        "minProperties",
        "{ type: object }",
        "{ type: object, minProperties: 1 }",
    ),
    (
        "maxProperties",
        "{ type: object, maxProperties: 4 }",
        "{ type: object, maxProperties: 2 }",
    ),
    (
        "propertyNames",
        "{ type: object }",
        "{ type: object, propertyNames: { pattern: '^[a-z]+$' } }",
    ),
    (
        "dependentRequired",
        "{ type: object, properties: { a: {}, b: {} } }",
        "{ type: object, properties: { a: {}, b: {} }, dependentRequired: { a: [b] } }",
    ),
    (
        "dependentRequired",
        "{ type: object, properties: { a: {}, b: {} } }",
        "{ type: object, properties: { a: {}, b: {} }, dependentSchemas: { a: { required: [b] } } }",
    ),
];
