//! Every keyword, narrowed: a break of requests one way and of responses the other way.
//!
//! Each witness is judged once more by another implementation of JSON Schema.

mod annotations;
mod combinations;
mod discriminator;
mod explained;
mod lists;
mod long;
mod members;
mod numbers;
mod objects;
mod overlaps;
mod texts;
mod types;
mod widened;

use crate::contract::{compare, request, response, yaml};
use diff::{Report, Severity};
use serde_json::Value;

/// The keyword, the schema that accepts more, and the one that accepts less.
type Case = (&'static str, &'static str, &'static str);

/// Pairs of schemas of which the second accepts less, by the keyword that a report names.
const NARROWED: &[&[Case]] = &[
    types::NARROWED,
    numbers::NARROWED,
    texts::NARROWED,
    lists::NARROWED,
    objects::NARROWED,
    combinations::NARROWED,
    overlaps::NARROWED,
];

/// Pairs of schemas of which the second accepts less, but only values that set undeclared members or fit two
/// variants of an untagged union show it.
const UNPROVEN: &[Case] = &[
    // Both name the same members, and one takes fewer values of one of them.
    (
        "required",
        "{ anyOf: [{ type: object, properties: { s: { type: string, maxLength: 2 }, n: {} } }, { type: object, properties: { s: { type: string }, n: {} } }] }",
        "{ anyOf: [{ type: object, properties: { s: { type: string, maxLength: 2 }, n: {} } }, { type: object, required: [n], properties: { s: { type: string }, n: {} } }] }",
    ),
    (
        "maxLength",
        "{ anyOf: [{ type: object, required: [a], properties: { a: { type: number }, h: { type: number } } }, { type: object, required: [a, t], properties: { a: { type: number }, t: { type: string } } }] }",
        "{ anyOf: [{ type: object, required: [a], properties: { a: { type: number }, h: { type: number } } }, { type: object, required: [a, t], properties: { a: { type: number }, t: { type: string, maxLength: 3 } } }] }",
    ),
    (
        "variant",
        "{ anyOf: [{ type: object, properties: { m: { type: string } } }, { type: object, properties: { c: { type: integer } } }, { type: object, properties: { d: { type: integer } } }] }",
        "{ anyOf: [{ type: object, properties: { m: { type: string } } }, { type: object, properties: { c: { type: integer } } }] }",
    ),
    (
        "variant",
        "{ anyOf: [{ type: object, properties: { m: { type: string } } }, { type: object, properties: { c: { type: integer } } }] }",
        "{ anyOf: [{ type: object, properties: { m: { type: string } } }] }",
    ),
    (
        "maxLength",
        "{ anyOf: [{ type: object, required: [p], properties: { p: { type: object, required: [s], properties: { s: { type: string } } } } }, { type: object, required: [p], properties: { p: { type: object, required: [s], properties: { s: { type: string }, n: { type: integer } } } } }] }",
        "{ anyOf: [{ type: object, required: [p], properties: { p: { type: object, required: [s], properties: { s: { type: string, maxLength: 2 } } } } }, { type: object, required: [p], properties: { p: { type: object, required: [s], properties: { s: { type: string }, n: { type: integer } } } } }] }",
    ),
    (
        "additionalProperties",
        "{ type: object, properties: { a: {} } }",
        "{ type: object, properties: { a: {} }, additionalProperties: false }",
    ),
    (
        "oneOf",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
        "{ oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
    ),
];

#[test]
fn what_only_unlikely_values_show_is_possible() {
    for (keyword, wide, narrow) in UNPROVEN {
        for (report, part) in [
            (compare(&request(wide), &request(narrow)), "request"),
            (compare(&response(narrow), &response(wide)), "response"),
        ] {
            assert!(!report.is_breaking(), "{}", report.to_text());
            let kind = format!("{part}-body-{keyword}");
            let mut possible = report.of(Severity::Possible);
            assert!(
                possible.any(|change| change.kind == kind),
                "{}",
                report.to_text()
            );
        }
    }
}

#[test]
fn what_a_request_may_no_longer_say_is_a_break_and_the_reverse_is_none() {
    let judge = |case: &Case| {
        let (keyword, wide, narrow) = case;
        let report = compare(&looped(request(wide)), &looped(request(narrow)));
        proven(&report, &format!("request-body-{keyword}"), wide, narrow)?;
        harmless(
            &compare(&looped(request(narrow)), &looped(request(wide))),
            case,
        )
    };
    all(judge);
}

#[test]
fn what_a_response_may_newly_say_is_a_break_and_the_reverse_is_none() {
    let judge = |case: &Case| {
        let (keyword, wide, narrow) = case;
        let report = compare(&looped(response(narrow)), &looped(response(wide)));
        proven(&report, &format!("response-body-{keyword}"), wide, narrow)?;
        harmless(
            &compare(&looped(response(wide)), &looped(response(narrow))),
            case,
        )
    };
    all(judge);
}

/// Judges every case, and shows all that went wrong.
#[track_caller]
fn all(judge: impl Fn(&Case) -> Result<(), String>) {
    let cases = NARROWED.iter().flat_map(|family| family.iter());
    let wrong = cases.filter_map(|case| Some(format!("{case:#?}\n{}", judge(case).err()?)));
    let wrong: Vec<_> = wrong.collect();
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Adds a recursive component, for the schemas that refer to it.
fn looped(mut document: Value) -> Value {
    document["components"]["schemas"]["Loop"] =
        yaml("{ type: object, properties: { next: { $ref: '#/components/schemas/Loop' } } }");
    document
}

/// Whether a break of that kind was found, and another validator agrees with its witness: valid by
/// the wide schema, invalid by the narrow one.
fn proven(report: &Report, kind: &str, wide: &str, narrow: &str) -> Result<(), String> {
    let mut found = report.of(Severity::Breaking);
    let change = found.find(|change| change.kind == kind);
    let change = change.ok_or_else(|| format!("no {kind}\n{}", report.to_text()))?;
    let witness = change.witness.as_ref().unwrap();
    let value = witness.value.as_ref().unwrap();
    if !valid(wide, value) || valid(narrow, value) {
        return Err(format!("no witness\n{}", report.to_text()));
    }
    if report.count(Severity::Possible) > 0 {
        return Err(format!("unsure\n{}", report.to_text()));
    }
    Ok(())
}

/// Whether nothing is suspected. Of two patterns, nobody knows which admits more.
fn harmless(report: &Report, case: &Case) -> Result<(), String> {
    let unsure = report.count(Severity::Possible) > 0 && case.0 != "pattern";
    if report.is_breaking() || unsure || report.changes.is_empty() {
        return Err(format!("not harmless\n{}", report.to_text()));
    }
    Ok(())
}

/// The verdict of an independent implementation.
pub(crate) fn valid(schema: &str, value: &Value) -> bool {
    let mut schema = yaml(schema);
    if let Value::Object(keywords) = &mut schema {
        let components = looped(request("{}"))["components"].clone();
        keywords.insert("components".into(), components);
    }
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .with_format("int32", |_: &str| true)
        .build(&schema)
        .unwrap();
    // int32 is OpenAPI's, not JSON Schema's, and speaks of numbers.
    let narrow = schema["format"] == "int32";
    let fits = |number: i64| i32::try_from(number).is_ok();
    validator.is_valid(value) && (!narrow || value.as_i64().is_none_or(fits))
}

#[test]
fn what_is_neither_more_nor_less_breaks_both_ways() {
    for (one, other) in [
        (
            "{ type: string, format: date-time }",
            "{ type: string, format: date }",
        ),
        ("{ type: string }", "{ type: integer }"),
        ("{ enum: [a, b] }", "{ enum: [b, c] }"),
        (
            "{ type: string, pattern: '^a' }",
            "{ type: string, pattern: '^b' }",
        ),
        (
            "{ type: integer, multipleOf: 2 }",
            "{ type: integer, multipleOf: 3 }",
        ),
        (
            "{ type: object, required: [a] }",
            "{ type: object, required: [b] }",
        ),
    ] {
        for (before, after) in [(one, other), (other, one)] {
            for report in [
                compare(&request(before), &request(after)),
                compare(&response(before), &response(after)),
            ] {
                assert!(
                    report.is_breaking(),
                    "{before} {after}\n{}",
                    report.to_text()
                );
            }
        }
    }
}
