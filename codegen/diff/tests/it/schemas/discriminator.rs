//! Discriminators, which name the variants of a union.

use crate::contract::{compare, only, request, response, yaml};
use diff::Severity;
use serde_json::Value;

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
            // A value without the tag shows it, or one of both variants, which proves nothing.
            let mut told = report.changes.iter();
            let change = told
                .find(|one| one.kind.ends_with("discriminator"))
                .unwrap();
            assert!(
                change.severity >= Severity::Possible,
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
fn a_variant_is_known_by_its_constant_however_that_is_written() {
    let animals = |schema: &str| {
        let mut document = request(
            "{ oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
                discriminator: { propertyName: kind } }",
        );
        let dog = "{ type: object, required: [kind], properties: { kind: { enum: [dog] } } }";
        document["components"]["schemas"]["Cat"] = yaml(schema);
        document["components"]["schemas"]["Dog"] = yaml(dog);
        document
    };
    let cat = "{ type: object, required: [kind], properties: { kind: { enum: [cat] } } }";
    let plain = animals(cat);
    for wrapped in [
        format!("{{ allOf: [{cat}] }}"),
        format!("{{ allOf: [{{ allOf: [{{ type: object }}, {cat}] }}, {{ minProperties: 1 }}] }}"),
    ] {
        let report = compare(&plain, &animals(&wrapped));
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}
