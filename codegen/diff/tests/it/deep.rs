//! Changes far from the top of a body, in documents whose schemas require much and refer to each other.

use crate::contract::{compare, only, with};
use diff::Severity;

/// A body of that schema, beside components.
fn body(schema: &str, schemas: &str) -> serde_json::Value {
    with(
        &format!(
            "/a: {{ get: {{ operationId: a, responses: {{ '200': {{ description: d, content: {{
                application/json: {{ schema: {schema} }} }} }} }} }} }}"
        ),
        &format!("{{ schemas: {{ {schemas} }} }}"),
    )
}

#[test]
fn what_is_deep_below_much_that_is_required_is_proven() {
    const LEVELS: usize = 30;
    let document = |most: u32| {
        let wide = (0..40).map(|at| format!("w{at}: {{ $ref: '#/components/schemas/W' }}"));
        let wide: Vec<String> = wide.collect();
        let names: Vec<String> = (0..40).map(|at| format!("w{at}")).collect();
        let (wide, names) = (wide.join(", "), names.join(", "));
        let levels = (0..LEVELS).map(|at| {
            let next = at + 1;
            format!(
                "S{at}: {{ type: object, required: [next, {names}], properties: {{
                    next: {{ $ref: '#/components/schemas/S{next}' }}, {wide} }} }}, "
            )
        });
        let levels: String = levels.collect();
        body(
            "{ $ref: '#/components/schemas/S0' }",
            &format!(
                "{levels} S{LEVELS}: {{ type: string, maxLength: {most} }},
                W: {{ type: object, required: [a, b], properties: {{ a: {{ type: string }}, b: {{ type: integer }} }} }}"
            ),
        )
    };
    let report = compare(&document(3), &document(9));
    let change = only(&report, Severity::Breaking);
    assert!(change.witness.is_some());
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
}

#[test]
fn the_shortest_way_to_a_change_is_told() {
    let document = |kind: &str| {
        body(
            "{ type: object, properties: {
                a: { $ref: '#/components/schemas/A' }, z: { $ref: '#/components/schemas/Z' } } }",
            &format!(
                "A: {{ type: object, properties: {{ b: {{ type: array, items: {{ $ref: '#/components/schemas/Z' }} }} }} }},
                Z: {{ type: object, properties: {{ k: {{ type: {kind} }} }} }}"
            ),
        )
    };
    let report = compare(&document("string"), &document("integer"));
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.place, "response 200 body /z/k");
}

#[test]
fn what_is_required_of_itself_ends_where_it_may() {
    let wide = (0..6).map(|at| format!("w{at}: {{ $ref: '#/components/schemas/End' }}"));
    let wide: Vec<String> = wide.collect();
    let wide = wide.join(", ");
    // Each asks for six of itself; one ends by its other type, one by another variant.
    for (type_, end) in [
        ("[object, 'null']", "{ $ref: '#/components/schemas/S' }"),
        (
            "object",
            "{ anyOf: [{ $ref: '#/components/schemas/S' }, { type: 'null' }] }",
        ),
    ] {
        let document = |most: u32| {
            body(
                "{ $ref: '#/components/schemas/S' }",
                &format!(
                    "S: {{ type: {type_}, required: [s, w0, w1, w2, w3, w4, w5], properties: {{
                        s: {{ type: string, maxLength: {most} }}, {wide} }} }}, End: {end}"
                ),
            )
        };
        let report = compare(&document(3), &document(9));
        let change = only(&report, Severity::Breaking);
        assert!(change.witness.is_some());
        assert_eq!(report.changes.len(), 1, "{}", report.to_text());
    }
}
