//! Documents whose schemas refer to each other many times: each schema is compared once.

use crate::contract::{compare, only, request, with};
use crate::work::growth;
use diff::Severity;

#[test]
fn schemas_that_refer_to_others_many_times_are_compared_to_the_last() {
    let levels = 12;
    for [outer, inner] in [["anyOf", "anyOf"], ["oneOf", "anyOf"], ["anyOf", "allOf"]] {
        let document = |last: &str| {
            let schemas = (0..levels).map(|at| {
                let next = format!("{{ $ref: '#/components/schemas/S{}' }}", at + 1);
                let twelve = vec![next; 12].join(", ");
                format!("S{at}: {{ {outer}: [{{ {inner}: [{twelve}] }}, {{ type: boolean }}] }}, ")
            });
            let schemas: String = schemas.collect();
            with(
                "/s: { post: { operationId: s, requestBody: { content: { application/json: {
                    schema: { $ref: '#/components/schemas/S0' } } } },
                    responses: { '204': { description: d } } } }",
                &format!("{{ schemas: {{ {schemas} S{levels}: {{ type: {last} }} }} }}"),
            )
        };
        let report = compare(&document("string"), &document("object"));
        let first = report.of(Severity::Breaking).next().unwrap();
        // Were a schema looked into for each way to it, there would be no end, or a guess in its place.
        let told = "type was boolean or string and is now boolean or object";
        assert_eq!(first.message, told, "{}", report.to_text());
    }
}

#[test]
fn the_fields_of_a_form_that_refer_to_others_many_times_are_known_in_time() {
    let schemas = (0..9).map(|at| {
        let next = format!("{{ $ref: '#/components/schemas/S{}' }}", at + 1);
        let six = vec![next; 6].join(", ");
        format!("S{at}: {{ anyOf: [{{ oneOf: [{six}] }}, {{ allOf: [{six}] }}] }}, ")
    });
    let schemas: String = schemas.collect();
    let form = with(
        "/s: { post: { operationId: s, requestBody: { content: { multipart/form-data: { schema: {
            type: object, properties: { f: { $ref: '#/components/schemas/S0' } } } } } },
            responses: { '204': { description: d } } } }",
        &format!("{{ schemas: {{ {schemas} S9: {{ type: object }} }} }}"),
    );
    assert!(compare(&form, &form).changes.is_empty());
}

#[test]
fn forms_of_unions_that_share_their_variants_are_compared_in_time() {
    let document = |last: u32| {
        let schemas = (0..12).map(|at| {
            let next = format!("{{ $ref: '#/components/schemas/S{}' }}", at + 1);
            let object = format!("{{ type: object, required: [x], properties: {{ x: {next} }} }}");
            format!("S{at}: {{ anyOf: [{}] }}, ", vec![object; 6].join(", "))
        });
        let schemas: String = schemas.collect();
        with(
            "/s: { post: { operationId: s,
                parameters: [{ name: q, in: query, schema: { $ref: '#/components/schemas/S0' } }],
                requestBody: { content: { application/x-www-form-urlencoded: { schema: {
                type: object, properties: { f: { $ref: '#/components/schemas/S0' } } } } } },
                responses: { '204': { description: d } } } }",
            &format!("{{ schemas: {{ {schemas} S12: {{ type: string, maxLength: {last} }} }} }}"),
        )
    };
    // For each difference every value was read again, and each reading tries the ways to a variant.
    let report = compare(&document(9), &document(8));
    assert!(!report.changes.is_empty());
}

#[test]
fn a_change_of_what_thousands_of_operations_share_is_told_once_and_in_time() {
    let document = |operations: usize, kind: &str| {
        let paths = (0..operations).map(|at| {
            format!(
                "/p{at}: {{ get: {{ operationId: p{at}, responses: {{ '200': {{ description: d,
                    content: {{ application/json: {{ schema: {{
                    $ref: '#/components/schemas/S' }} }} }} }} }} }} }}, "
            )
        });
        let schemas = format!(
            "{{ schemas: {{ S: {{ type: object, required: [a], properties: {{
                a: {{ type: {kind} }} }} }} }} }}"
        );
        with(&format!("{{ {} }}", paths.collect::<String>()), &schemas)
    };
    let both = |operations| {
        [
            document(operations, "string"),
            document(operations, "integer"),
        ]
    };
    let growth = growth(375, both, |[before, after]| {
        let report = compare(before, after);
        let change = only(&report, Severity::Breaking);
        let operations = before["paths"].as_object().unwrap();
        assert_eq!(change.other_operations.len(), operations.len() - 1);
    });
    assert!(growth < 10.0, "{growth}");
}

/// `1` and `1.0` are the same value, so that numbers are not compared as they are written.
#[test]
fn long_lists_of_numbers_are_compared_in_time() {
    let both = |count: usize| {
        let listed = |from: usize| {
            let numbers: Vec<String> = (from..from + count).map(|at| at.to_string()).collect();
            request(&format!("{{ enum: [{}] }}", numbers.join(", ")))
        };
        [listed(0), listed(1)]
    };
    let growth = growth(500, both, |[before, after]| {
        let report = compare(before, after);
        let change = only(&report, Severity::Breaking);
        assert!(change.message.starts_with("enum lost 0 and gained "));
    });
    assert!(growth < 9.0, "{growth}");
}

#[test]
fn what_all_variants_of_a_union_refer_to_changes_once() {
    let document = |kind: &str| {
        let variant = |name: &str| {
            format!(
                "{{ type: object, required: [{name}], properties: {{ {name}: {{}},
                    s: {{ $ref: '#/components/schemas/S' }} }} }}"
            )
        };
        with(
            &format!(
                "/s: {{ post: {{ operationId: s, requestBody: {{ content: {{ application/json: {{
                    schema: {{ anyOf: [{}, {}] }} }} }} }},
                    responses: {{ '204': {{ description: d }} }} }} }}",
                variant("a"),
                variant("b")
            ),
            &format!(
                "{{ schemas: {{ S: {{ type: object, properties: {{ k: {{ type: {kind} }} }} }} }} }}"
            ),
        )
    };
    let report = compare(&document("string"), &document("integer"));
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.message, "type was string and is now integer");
    assert_eq!(report.changes.len(), 1, "{}", report.to_text());
}
