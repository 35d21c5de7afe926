//! Every keyword, narrowed: a break of requests one way and of responses the other way.
//!
//! Each witness is judged once more by another implementation of JSON Schema.

use crate::contract::{compare, only, request, response, yaml};
use codegen::diff::{Report, Severity};
use serde_json::Value;

/// The keyword, the schema that accepts more, and the one that accepts less.
type Case = (&'static str, &'static str, &'static str);

/// Pairs of schemas of which the second accepts less, by the keyword that a report names.
const NARROWED: &[Case] = &[
    (
        "maxLength",
        "{ type: string }",
        "{ type: string, maxLength: 100000 }",
    ),
    (
        "maxItems",
        "{ type: array }",
        "{ type: array, maxItems: 40000 }",
    ),
    (
        "maximum",
        "{ type: integer }",
        "{ type: integer, maximum: 9223372036854775807 }",
    ),
    (
        "maximum",
        "{ type: number }",
        "{ type: number, maximum: 1.0e+30 }",
    ),
    (
        "exclusiveMinimum",
        "{ type: number, minimum: 0 }",
        "{ type: number, exclusiveMinimum: 0 }",
    ),
    (
        "multipleOf",
        "{ type: number }",
        "{ type: number, multipleOf: 0.01 }",
    ),
    (
        "patternProperties",
        "{ type: object }",
        "{ type: object, patternProperties: { '^x': { type: integer } } }",
    ),
    (
        "dependentSchemas",
        "{ type: object }",
        "{ type: object, dependentSchemas: { a: { required: [b] } } }",
    ),
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
    (
        "minimum",
        "{ type: integer, minimum: 1 }",
        "{ type: integer, minimum: 5 }",
    ),
    (
        "minimum",
        "{ type: integer }",
        "{ type: integer, minimum: 1000000 }",
    ),
    (
        "maximum",
        "{ type: integer, maximum: 200 }",
        "{ type: integer, maximum: 100 }",
    ),
    (
        "maximum",
        "{ type: number, maximum: 0.5 }",
        "{ type: number, maximum: 0.25 }",
    ),
    (
        "exclusiveMinimum",
        "{ type: number }",
        "{ type: number, exclusiveMinimum: 0 }",
    ),
    (
        "exclusiveMaximum",
        "{ type: number, exclusiveMaximum: 9 }",
        "{ type: number, exclusiveMaximum: 3 }",
    ),
    (
        "multipleOf",
        "{ type: integer }",
        "{ type: integer, multipleOf: 5 }",
    ),
    (
        "multipleOf",
        "{ type: number, multipleOf: 0.5 }",
        "{ type: number, multipleOf: 1.5 }",
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
        "format",
        "{ type: integer, format: int64 }",
        "{ type: integer, format: int32 }",
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
        "additionalProperties",
        "{ type: object, properties: { a: {} } }",
        "{ type: object, properties: { a: {} }, additionalProperties: false }",
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
        "dependentSchemas",
        "{ type: object, properties: { a: {}, b: {} } }",
        "{ type: object, properties: { a: {}, b: {} }, dependentSchemas: { a: { required: [b] } } }",
    ),
    (
        "not",
        "{ type: string }",
        "{ type: string, not: { const: admin } }",
    ),
    (
        "if",
        "{ type: object, properties: { kind: { type: string }, a: {} } }",
        "{ type: object, properties: { kind: { type: string }, a: {} }, if: { properties: { kind: { const: x } }, required: [kind] }, then: { required: [a] } }",
    ),
    (
        "variant",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a } } }, { type: object, required: [k], properties: { k: { const: b } } }] }",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a } } }] }",
    ),
    (
        "variant",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }, { type: object, required: [c] }] }",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
    ),
    (
        "maxLength",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: a }, v: { type: string } } }, { type: object, required: [k], properties: { k: { const: b } } }] }",
        "{ oneOf: [{ type: object, required: [k], properties: { k: { const: b } } }, { type: object, required: [k], properties: { k: { const: a }, v: { type: string, maxLength: 3 } } }] }",
    ),
    (
        "oneOf",
        "{ anyOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
        "{ oneOf: [{ type: object, required: [a] }, { type: object, required: [b] }] }",
    ),
    (
        "maxLength",
        "{ type: object, required: [a, b], properties: { a: { type: string, format: uuid }, b: { type: array, minItems: 2, items: { type: object, required: [c], properties: { c: { type: string } } } } } }",
        "{ type: object, required: [a, b], properties: { a: { type: string, format: uuid }, b: { type: array, minItems: 2, items: { type: object, required: [c], properties: { c: { type: string, maxLength: 9 } } } } } }",
    ),
    (
        "minimum",
        "{ allOf: [{ type: object, required: [a], properties: { a: { type: integer } } }, { properties: { b: { type: string } } }] }",
        "{ allOf: [{ type: object, required: [a], properties: { a: { type: integer, minimum: 3 } } }, { properties: { b: { type: string } } }] }",
    ),
    (
        "maxLength",
        "{ type: object, properties: { next: { $ref: '#/components/schemas/Loop' }, name: { type: string } } }",
        "{ type: object, properties: { next: { $ref: '#/components/schemas/Loop' }, name: { type: string, maxLength: 4 } } }",
    ),
];

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
    let wrong = NARROWED
        .iter()
        .filter_map(|case| Some(format!("{case:#?}\n{}", judge(case).err()?)));
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

/// What an independent implementation says.
fn valid(schema: &str, value: &Value) -> bool {
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

/// A union whose variants only their names tell apart, and how it is mapped.
fn animals(mapping: &str, components: &[&str]) -> serde_json::Value {
    let mut document = request(&format!(
        "{{ oneOf: [{}], discriminator: {{ propertyName: kind, mapping: {mapping} }} }}",
        components
            .iter()
            .map(|name| format!("{{ $ref: '#/components/schemas/{name}' }}"))
            .collect::<Vec<_>>()
            .join(", ")
    ));
    for name in components {
        document["components"]["schemas"][name] =
            yaml("{ type: object, required: [kind], properties: { kind: { type: string } } }");
    }
    document
}

#[test]
fn a_variant_is_known_by_its_name() {
    let two = animals("{}", &["Cat", "Dog"]);
    assert!(
        compare(&two, &animals("{}", &["Dog", "Cat"]))
            .changes
            .is_empty()
    );
    // A name that was mapped stays when the component is renamed; one that was not goes with it.
    let mapped = "{ Cat: '#/components/schemas/Tom', Dog: '#/components/schemas/Dog' }";
    assert!(
        compare(&two, &animals(mapped, &["Tom", "Dog"]))
            .changes
            .is_empty()
    );
    let report = compare(&two, &animals("{}", &["Tom", "Dog"]));
    let change = report.of(Severity::Breaking).next().unwrap();
    assert_eq!(
        change.kind,
        "request-body-discriminator",
        "{}",
        report.to_text()
    );
    let witness = change.witness.as_ref().unwrap().value.as_ref().unwrap();
    assert_eq!(witness, &yaml("{ kind: Cat }"));
    let report = compare(&two, &animals("{}", &["Dog"]));
    assert!(report.is_breaking(), "{}", report.to_text());
}

#[test]
fn an_integer_that_has_a_width_takes_less() {
    for format in ["int64", "uint64"] {
        let narrow = format!("{{ type: integer, format: {format} }}");
        let report = compare(&request("{ type: integer }"), &request(&narrow));
        let change = only(&report, Severity::Breaking);
        assert_eq!(change.kind, "request-body-format");
    }
}

#[test]
fn a_value_too_long_to_be_written_down_is_told_by_how_it_is_made() {
    for (schema, made, instance) in [
        (
            "{ type: string, maxLength: 300000 }",
            "\"a\" × 300001",
            Value::String("a".repeat(300_001)),
        ),
        (
            "{ type: array, maxItems: 400000 }",
            "[\"a\"] × 400001",
            Value::Array(vec!["a".into(); 400_001]),
        ),
    ] {
        let wide = schema.replace("000 ", "002 ");
        for (before, after, body) in [
            (&*wide, schema, request as fn(&str) -> Value),
            (schema, &*wide, response),
        ] {
            let report = compare(&body(before), &body(after));
            let witness = only(&report, Severity::Breaking).witness.as_ref().unwrap();
            assert_eq!(witness.made.as_deref(), Some(made));
            assert_eq!(witness.value, None);
            assert!(report.to_json().len() < 2_000);
        }
        assert!(valid(&wide, &instance) && !valid(schema, &instance));
    }
}

#[test]
fn a_name_that_is_no_longer_taken() {
    let both = "{ kitty: '#/components/schemas/Cat', lion: '#/components/schemas/Cat' }";
    let one = "{ kitty: '#/components/schemas/Cat' }";
    let report = compare(
        &animals(both, &["Cat", "Dog"]),
        &animals(one, &["Cat", "Dog"]),
    );
    let change = only(&report, Severity::Breaking);
    assert_eq!(change.kind, "request-body-discriminator");
    let witness = change.witness.as_ref().unwrap().value.as_ref().unwrap();
    assert_eq!(witness, &yaml("{ kind: lion }"));
}

#[test]
fn a_discriminator_that_is_dropped_or_added() {
    let union = |members: [&str; 2], discriminator: bool, body: fn(&str) -> Value| {
        let variants =
            "oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }]";
        let mut document = match discriminator {
            true => body(&format!(
                "{{ {variants}, discriminator: {{ propertyName: kind }} }}"
            )),
            false => body(&format!("{{ {variants} }}")),
        };
        for (name, members) in ["A", "B"].into_iter().zip(members) {
            document["components"]["schemas"][name] = yaml(members);
        }
        document
    };
    let open = [
        "{ type: object, properties: { lives: { type: integer } } }",
        "{ type: object, required: [bark], properties: { bark: { type: string } } }",
    ];
    for body in [request as fn(&str) -> Value, response] {
        for (before, after) in [(true, false), (false, true)] {
            let report = compare(&union(open, before, body), &union(open, after, body));
            let change = only(&report, Severity::Breaking);
            assert!(
                change.kind.ends_with("discriminator"),
                "{}",
                report.to_text()
            );
        }
    }
    let told = [
        "{ type: object, required: [kind], properties: { kind: { const: A } } }",
        "{ type: object, required: [kind], properties: { kind: { const: B } } }",
    ];
    let report = compare(&union(told, true, request), &union(told, false, request));
    assert!(report.changes.is_empty(), "a hint: {}", report.to_text());
}

#[test]
fn an_optional_member_of_an_open_object_may_come_and_go() {
    let (without, with) = (
        "{ type: object, properties: { a: { type: string } } }",
        "{ type: object, properties: { a: { type: string }, b: { type: string } } }",
    );
    for (before, after) in [(without, with), (with, without)] {
        for report in [
            compare(&request(before), &request(after)),
            compare(&response(before), &response(after)),
        ] {
            assert!(!report.is_breaking(), "{}", report.to_text());
        }
    }
    let report = compare(&request(with), &request(without));
    assert_eq!(report.count(Severity::Possible), 1, "{}", report.to_text());
}

#[test]
fn a_required_member_that_a_response_loses_is_missed() {
    let report = compare(
        &response("{ type: object, required: [a], properties: { a: { type: string } } }"),
        &response("{ type: object }"),
    );
    let kinds: Vec<_> = report.of(Severity::Breaking).map(|c| &*c.kind).collect();
    assert_eq!(kinds, ["response-body-required"]);
}

#[test]
fn an_enum_that_says_it_may_grow_may_grow() {
    let report = compare(
        &response("{ enum: [a], x-extensible-enum: true }"),
        &response("{ enum: [a, b], x-extensible-enum: true }"),
    );
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn what_does_not_travel_that_way_does_not_break_it() {
    let member = |annotation: &str, kind: &str| {
        format!(
            "{{ type: object, required: [a], properties: {{ a: {{ {annotation}: true, type: {kind} }} }} }}"
        )
    };
    let (old, new) = (member("readOnly", "string"), member("readOnly", "integer"));
    assert!(!compare(&request(&old), &request(&new)).is_breaking());
    assert!(compare(&response(&old), &response(&new)).is_breaking());
    let (old, new) = (
        member("writeOnly", "string"),
        member("writeOnly", "integer"),
    );
    assert!(compare(&request(&old), &request(&new)).is_breaking());
    assert!(!compare(&response(&old), &response(&new)).is_breaking());
}

#[test]
fn a_member_that_does_not_travel_is_not_required_wherever_that_is_said() {
    let whole =
        "{ type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }";
    let split = "{ allOf: [{ properties: { id: { allOf: [{ type: integer, readOnly: true }] } } },
        { type: object, required: [id] }] }";
    for (before, after) in [(whole, split), (split, whole)] {
        let report = compare(&request(before), &request(after));
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn what_cannot_be_proven_is_called_possible() {
    // The interpreter takes content encodings for annotations.
    let report = compare(
        &request("{ type: string, contentEncoding: base64 }"),
        &request("{ type: string, contentEncoding: base32 }"),
    );
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert_eq!(report.count(Severity::Possible), 1, "{}", report.to_text());
}

#[test]
fn a_default_that_changes_is_told_and_breaks_nothing() {
    let before = request("{ type: object, properties: { a: { type: integer, default: 1 } } }");
    let after = request("{ type: object, properties: { a: { type: integer, default: 2 } } }");
    let report = compare(&before, &after);
    assert!(!report.is_breaking());
    assert_eq!(report.count(Severity::Possible), 1, "{}", report.to_text());
}
