//! Hundreds of refactorings at random, none of which a client could notice.

use crate::contract::{compare, request, response};
use crate::rewrite::{Dice, refactor};
use diff::Severity;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// How many refactorings are done one after the other before the result is compared.
const STEPS: usize = 4;

#[test]
fn our_own_contract_survives_them() {
    survives(include_str!("../../../../spec/openapi.yaml"), 20);
}

#[test]
fn a_shop_survives_them() {
    survives(include_str!("documents/shop.yaml"), 40);
}

#[test]
fn a_tree_survives_them() {
    survives(include_str!("documents/tree.yaml"), 40);
}

#[test]
fn unions_survive_them() {
    survives(include_str!("documents/unions.yaml"), 40);
}

#[test]
fn a_document_of_3_0_survives_them() {
    survives(include_str!("documents/old.yaml"), 40);
}

/// Documents that were written for other tests: each says all that there is to say of something.
#[test]
fn every_document_is_what_it_is() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let golden = fs::read_dir(tests.join("golden")).unwrap();
    let golden = golden.map(|entry| entry.unwrap().path().join("spec.yaml"));
    let behaviour = fs::read_dir(tests.join("behaviour")).unwrap();
    let behaviour = behaviour.map(|entry| entry.unwrap().path());
    let documents = golden
        .chain(behaviour)
        .filter(|path| path.extension() == Some("yaml".as_ref()));
    let mut compared = 0;
    for path in documents {
        let document = serde_yaml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let report = compare(&document, &document);
        assert!(report.changes.is_empty(), "{path:?}\n{}", report.to_text());
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_is_said_in_other_words_is_the_same() {
    for (one, other) in [
        ("{ type: boolean }", "{ enum: [true, false] }"),
        ("{ type: integer }", "{ type: number, multipleOf: 1 }"),
        (
            "{ type: array, contains: { type: integer } }",
            "{ type: array, contains: { type: integer }, minContains: 1 }",
        ),
        (
            "{ type: number, exclusiveMinimum: 0 }",
            "{ type: number, exclusiveMinimum: 0, minimum: 0 }",
        ),
        (
            "{ type: number, maximum: 5 }",
            "{ type: number, maximum: 5, exclusiveMaximum: 6 }",
        ),
        ("{ type: array }", "{ type: array, maxContains: 3 }"),
        (
            "{ type: string, maxLength: 3 }",
            "{ anyOf: [{ type: string, maxLength: 3 }, { maxLength: 3, type: string }] }",
        ),
        (
            "{ anyOf: [{ anyOf: [{ maxLength: 3 }, { minimum: 3 }] }, { required: [a] }] }",
            "{ anyOf: [{ maxLength: 3 }, { minimum: 3 }, { required: [a] }] }",
        ),
        (
            "{ type: string, maxLength: 3 }",
            "{ not: { not: { type: string, maxLength: 3 } } }",
        ),
        (
            "{ type: object, dependentRequired: { a: [c, b] } }",
            "{ type: object, dependentSchemas: { a: { required: [b, c] } } }",
        ),
        (
            "{ type: object, dependentRequired: { a: [b, c] } }",
            "{ type: object, allOf: [{ dependentRequired: { a: [c] } },
                { dependentSchemas: { a: { type: object, description: d, required: [b] } } }] }",
        ),
        (
            "{ type: object, dependentRequired: { a: [] } }",
            "{ type: object }",
        ),
    ] {
        for (before, after) in [(one, other), (other, one)] {
            for body in [request, response] {
                let report = compare(&body(before), &body(after));
                assert!(report.changes.is_empty(), "{}", report.to_text());
            }
        }
    }
}

#[track_caller]
fn survives(text: &str, rounds: u64) {
    let before: Value = serde_yaml::from_str(text).unwrap();
    for seed in 0..rounds {
        let mut dice = Dice(seed);
        let mut after = before.clone();
        let mut done = Vec::new();
        while done.len() < STEPS {
            done.extend(refactor(&mut after, &mut dice));
        }
        // A refactoring undone is one as well.
        let report = if seed % 2 == 0 {
            compare(&before, &after)
        } else {
            compare(&after, &before)
        };
        let told = report.changes.len() - report.count(Severity::Docs);
        assert_eq!(told, 0, "seed {seed}: {done:?}\n{}", report.to_text());
    }
}
