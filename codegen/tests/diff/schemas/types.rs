//! What kind of value there may be, and which ones.

use super::Case;

/// Pairs of schemas of which the second accepts less.
pub(super) const NARROWED: &[Case] = &[
    ("enum", "{ type: boolean }", "{ enum: [true, true] }"),
    ("enum", "{ const: false }", "{ type: 'null', const: false }"),
    ("type", "{ type: [string, integer] }", "{ type: string }"),
    ("type", "{ type: number }", "{ type: integer }"),
    ("type", "{ type: [string, 'null'] }", "{ type: string }"),
    ("type", "{}", "{ type: object }"),
    ("type", "true", "{ type: string }"),
    ("type", "{ type: string }", "false"),
    ("enum", "{ enum: [a, b, c] }", "{ enum: [c, a] }"),
    ("enum", "{ type: string }", "{ type: string, enum: [a, b] }"),
    (
        "enum",
        "{ type: integer }",
        "{ type: integer, enum: [1, 2] }",
    ),
    ("enum", "{ enum: [a, b] }", "{ const: a }"),
    ("enum", "{ type: string }", "{ const: a }"),
];
