//! Texts: lengths, patterns and formats.

use super::Case;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    (
        "maxLength",
        "{ type: string }",
        "{ type: string, maxLength: 100000 }",
    ),
    (
        "minLength",
        "{ type: string }",
        "{ type: string, minLength: 1 }",
    ),
    (
        "minLength",
        "{ type: string, minLength: 3, maxLength: 9 }",
        "{ type: string, minLength: 4, maxLength: 9 }",
    ),
    (
        "maxLength",
        "{ type: string }",
        "{ type: string, maxLength: 5000 }",
    ),
    (
        "maxLength",
        "{ type: string, maxLength: 100, pattern: '^[a-z]+$' }",
        "{ type: string, maxLength: 50, pattern: '^[a-z]+$' }",
    ),
    (
        "maxLength",
        "{ type: string, maxLength: 40, pattern: '^x-[0-9a-f]+$' }",
        "{ type: string, maxLength: 39, pattern: '^x-[0-9a-f]+$' }",
    ),
    (
        "pattern",
        "{ type: string }",
        "{ type: string, pattern: '^[a-z]+$' }",
    ),
    (
        "pattern",
        "{ type: string, pattern: '^[a-z0-9]+$' }",
        "{ type: string, pattern: '^[a-z]+$' }",
    ),
    (
        "pattern",
        "{ type: string, pattern: '^(EVM|SVM|UTXO)$' }",
        "{ type: string, pattern: '^(EVM|SVM)$' }",
    ),
    (
        "format",
        "{ type: string }",
        "{ type: string, format: uuid }",
    ),
    (
        "format",
        "{ type: string }",
        "{ type: string, format: date-time }",
    ),
    (
        "maxLength",
        "{ type: object, required: [a, b], properties: { a: { type: string, format: uuid }, b: { type: array, minItems: 2, items: { type: object, required: [c], properties: { c: { type: string } } } } } }",
        "{ type: object, required: [a, b], properties: { a: { type: string, format: uuid }, b: { type: array, minItems: 2, items: { type: object, required: [c], properties: { c: { type: string, maxLength: 9 } } } } } }",
    ),
    (
        "maxLength",
        "{ type: object, properties: { next: { $ref: '#/components/schemas/Loop' }, name: { type: string } } }",
        "{ type: object, properties: { next: { $ref: '#/components/schemas/Loop' }, name: { type: string, maxLength: 4 } } }",
    ),
];
