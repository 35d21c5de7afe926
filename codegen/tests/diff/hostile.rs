//! Documents whose schemas refer to each other many times: what is referred to is looked into once.

use crate::contract::{compare, with};
use std::time::{Duration, Instant};

/// Far more than it takes; looked into once for each way there is to come to it, the last schema
/// would not be reached in years.
const ENOUGH: Duration = Duration::from_secs(10);

#[test]
fn schemas_that_refer_to_others_many_times_are_compared_in_time() {
    let levels = 24;
    for keywords in [["anyOf"; 2], ["oneOf", "anyOf"], ["anyOf", "allOf"]] {
        let document = |last: &str| {
            let schemas = (0..levels).map(|at| {
                let next = format!("{{ $ref: '#/components/schemas/S{}' }}", at + 1);
                let twelve = vec![next; 12].join(", ");
                let [outer, inner] = keywords;
                format!("S{at}: {{ {outer}: [{{ {inner}: [{twelve}] }}, {{ type: boolean }}] }}, ")
            });
            let schemas: String = schemas.collect();
            with(
                "/s: { post: { operationId: s, requestBody: { content: { application/json: {
                    schema: { $ref: '#/components/schemas/S0' } } } },
                    responses: { '204': { description: d } } } }",
                &format!("{{ schemas: {{ {schemas} S{levels}: {last} }} }}"),
            )
        };
        let begun = Instant::now();
        let report = compare(&document("{ type: string }"), &document("{ type: object }"));
        assert!(!report.changes.is_empty(), "{}", report.to_text());
        assert!(begun.elapsed() < ENOUGH, "{keywords:?}");
    }
}
