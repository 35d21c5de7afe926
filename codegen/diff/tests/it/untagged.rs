//! Untagged unions of open objects. A value that fits two variants, or that sets members which its own schema
//! does not declare, is valid and proves nothing that a client does.

use crate::contract::{compare, only, request, response, yaml};
use diff::Severity;
use serde_json::Value;

/// A body whose schema refers to components.
fn with_components(body: fn(&str) -> Value, schema: &str) -> Value {
    let mut document = body(schema);
    for (name, member) in [("Cat", "lives"), ("Dog", "bark"), ("Fish", "fins")] {
        document["components"]["schemas"][name] = yaml(&format!(
            "{{ type: object, required: [{member}], properties: {{ {member}: {{ type: integer }} }} }}"
        ));
    }
    document
}

fn variants(word: &str, names: &[&str]) -> String {
    let each = names
        .iter()
        .map(|name| format!("{{ $ref: '#/components/schemas/{name}' }}"));
    format!("{{ {word}: [{}] }}", each.collect::<Vec<_>>().join(", "))
}

#[test]
fn a_variant_that_is_added_to_a_request_is_never_breaking() {
    for word in ["oneOf", "anyOf"] {
        let [fewer, more] = [&["Cat", "Dog"][..], &["Cat", "Dog", "Fish"]]
            .map(|names| with_components(request, &variants(word, names)));
        let report = compare(&fewer, &more);
        assert!(!report.is_breaking(), "{}", report.to_text());
        // Of `oneOf`, a value of the new variant may fit another one as well.
        let severity = match word {
            "oneOf" => Severity::Possible,
            _ => Severity::Compatible,
        };
        let change = only(&report, severity);
        assert_eq!(change.message, "the variant `Fish` was added");
    }
    let [one, two] = [&["Cat"][..], &["Cat", "Dog"]]
        .map(|names| with_components(request, &variants("oneOf", names)));
    let report = compare(&one, &two);
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn a_variant_that_is_removed_from_a_request_is_never_compatible() {
    for word in ["oneOf", "anyOf"] {
        let [fewer, more] = [&["Cat", "Dog"][..], &["Cat", "Dog", "Fish"]]
            .map(|names| with_components(request, &variants(word, names)));
        let report = compare(&more, &fewer);
        assert_eq!(
            report.count(Severity::Compatible),
            0,
            "{}",
            report.to_text()
        );
        let change = only(&report, Severity::Breaking);
        assert_eq!(change.message, "the variant `Fish` was removed");
        let value = change.witness.as_ref().unwrap().value.as_ref().unwrap();
        assert!(
            value.get("fins").is_some() && value.get("lives").is_none(),
            "{value}"
        );
    }
    // One that another variant accepts as a whole.
    let more = "{ anyOf: [{ type: object, properties: { a: { type: string } } },
        { type: object, required: [a], properties: { a: { type: string } } }] }";
    let fewer = "{ anyOf: [{ type: object, properties: { a: { type: string } } }] }";
    let report = compare(&request(more), &request(fewer));
    assert_eq!(
        report.count(Severity::Compatible),
        0,
        "{}",
        report.to_text()
    );
}

#[test]
fn a_variant_that_is_added_to_a_response_is_never_compatible() {
    for word in ["oneOf", "anyOf"] {
        let [fewer, more] = [&["Cat", "Dog"][..], &["Cat", "Dog", "Fish"]]
            .map(|names| with_components(response, &variants(word, names)));
        let report = compare(&fewer, &more);
        assert_eq!(
            report.count(Severity::Compatible),
            0,
            "{}",
            report.to_text()
        );
        assert!(report.is_breaking(), "{}", report.to_text());
        let report = compare(&more, &fewer);
        assert!(!report.is_breaking(), "{}", report.to_text());
    }
}

#[test]
fn a_required_member_that_became_one_of_two_breaks_no_request() {
    let members = "properties: { a: { type: string }, b: { type: string } }";
    let one = format!("{{ type: object, required: [a], {members} }}");
    let either =
        format!("{{ type: object, {members}, anyOf: [{{ required: [a] }}, {{ required: [b] }}] }}");
    let report = compare(&request(&one), &request(&either));
    assert!(!report.is_breaking(), "{}", report.to_text());
    assert!(compare(&response(&one), &response(&either)).is_breaking());
}

#[test]
fn members_that_nothing_declares_prove_nothing() {
    let open = "{ type: object, properties: { a: { type: string } } }";
    let closed =
        "{ type: object, properties: { a: { type: string } }, additionalProperties: false }";
    let typed = "{ type: object, properties: { a: { type: string }, b: { type: integer } } }";
    for (before, after) in [(open, closed), (open, typed)] {
        let report = compare(&request(before), &request(after));
        assert!(!report.is_breaking(), "{}", report.to_text());
    }
    only(
        &compare(&request(open), &request(closed)),
        Severity::Possible,
    );
    // A map has any members, and so has an object that says so.
    for open in [
        "{ type: object }",
        "{ type: object, properties: { a: { type: string } }, additionalProperties: true }",
    ] {
        assert!(
            compare(&request(open), &request(closed)).is_breaking(),
            "{open}"
        );
    }
}

#[test]
fn a_value_of_two_variants_proves_nothing() {
    let any = variants("anyOf", &["Cat", "Dog"]);
    let one = variants("oneOf", &["Cat", "Dog"]);
    let [any, one] = [any, one].map(|schema| with_components(request, &schema));
    let report = compare(&any, &one);
    only(&report, Severity::Possible);
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn each_witness_is_refused_by_what_its_line_tells() {
    let before = "{ type: object, required: [n, s], properties: { n: { type: integer, maximum: 9 },
        s: { type: string, maxLength: 9, minLength: 1 } } }";
    let after = before
        .replace("maximum: 9", "maximum: 3")
        .replace("maxLength: 9, minLength: 1", "maxLength: 4, minLength: 2");
    let report = compare(&request(before), &request(&after));
    assert_eq!(report.count(Severity::Breaking), 3, "{}", report.to_text());
    for change in report.of(Severity::Breaking) {
        let keyword = change.kind.strip_prefix("request-body-").unwrap();
        let refusal = &change.witness.as_ref().unwrap().refusal;
        assert!(
            refusal.ends_with(&format!("({keyword})")),
            "{}",
            report.to_text()
        );
    }
}
