//! What reads the pairs of a query: several parameters, or none.

use crate::contract::compare;
use crate::exploded::{MEMBERS, NUMBER, called, object, queried};
use crate::operations::{adds, breaks, suspects};
use codegen::diff::Severity;

#[test]
fn several_parameters_read_a_pair_that_all_of_them_declare() {
    let least = |least: i32| format!("type: integer, minimum: {least}");
    let page = |limit: i32| format!("schema: {{ {} }}", least(limit));
    let pageable = |limit: i32, rest: &str| {
        let page = least(limit);
        format!(
            "required: true, schema: {{ type: object, properties: {{ page: {{ {page} }} }}{rest} }}"
        )
    };
    let kind = "request-parameter-minimum";
    let [zero, one] = [0, 1].map(page);
    let [zeros, ones] = [0, 1].map(|limit| pageable(limit, ""));
    let before = queried(&[("pageable", &zeros), ("page", &zero)]);
    for after in [
        [("pageable", &zeros), ("page", &one)],
        [("page", &one), ("pageable", &zeros)],
        [("pageable", &ones), ("page", &zero)],
        [("page", &zero), ("pageable", &ones)],
    ] {
        let after = queried(&after.map(|(name, rest)| (name, &**rest)));
        breaks(&compare(&before, &after), kind, "GET /a?page=0");
    }
    let (two, tightened) = (
        queried(&[("f", &zeros), ("g", &zeros)]),
        queried(&[("f", &zeros), ("g", &ones)]),
    );
    breaks(&compare(&two, &tightened), kind, "GET /a?page=0");
    // What another of them refused was not sent, and one that takes any names reads those of no other.
    let refused = queried(&[("pageable", &zeros), ("page", &one)]);
    let both = queried(&[("pageable", &ones), ("page", &one)]);
    suspects(&compare(&refused, &both), kind);
    let open = |limit| pageable(limit, ", additionalProperties: { type: string }");
    let [zeros, ones] = [0, 1].map(open);
    let (loose, tight) = (
        queried(&[("pageable", &zeros), ("page", &zero)]),
        queried(&[("pageable", &ones), ("page", &zero)]),
    );
    suspects(&compare(&loose, &tight), kind);
    let report = compare(&called(&refused), &called(&before));
    let kinds = report
        .changes
        .iter()
        .filter(|change| change.severity == Severity::Breaking);
    let kinds: Vec<&str> = kinds.map(|change| &*change.kind).collect();
    assert_eq!(
        kinds,
        ["webhook-parameter-minimum", "callback-parameter-minimum"]
    );
}

#[test]
fn a_member_that_leaves_an_object_is_no_parameter() {
    let kind = "request-parameter-properties";
    let fewer = |name| {
        queried(&[(
            name,
            "schema: { type: object, properties: { bb: { type: integer } } }",
        )])
    };
    for after in [fewer("f"), fewer("g"), queried(&[("bb", NUMBER)])] {
        let report = compare(&object(""), &after);
        breaks(&report, kind, "GET /a?aa=a");
        let text = report.to_text();
        assert!(
            text.contains("aa is not a parameter of this operation"),
            "{text}"
        );
        assert_eq!(report.changes.len(), 1, "{text}");
        adds(&compare(&after, &object("")), kind);
    }
    let report = compare(&called(&fewer("f")), &called(&object("")));
    assert_eq!(report.count(Severity::Breaking), 2, "{}", report.to_text());
    // An object that takes any names reads it, and in brackets any name is a member's.
    let open = "schema: { type: object, additionalProperties: { type: string } }";
    let bb = "schema: { type: object, properties: { bb: { type: integer } } }";
    suspects(
        &compare(&object(""), &queried(&[("f", bb), ("g", open)])),
        kind,
    );
    let deep = |members: &str| queried(&[("f", &format!("style: deepObject, {members}"))]);
    let whole = format!("schema: {{ {MEMBERS} }}");
    suspects(&compare(&deep(&whole), &deep(bb)), kind);
}

#[test]
fn an_added_parameter_reads_what_others_were_sent_in() {
    let kind = "request-parameter-added";
    let closed = format!("schema: {{ {MEMBERS}, additionalProperties: false }}");
    let open = "schema: { type: object, additionalProperties: { type: string } }";
    let text = "schema: { type: string }";
    let list = "schema: { type: array, items: { type: integer } }";
    let adding =
        |old: (&str, &str), new: (&str, &str)| compare(&queried(&[old]), &queried(&[old, new]));
    let own = ("f", &*closed);
    breaks(&adding(own, ("aa", NUMBER)), kind, "GET /a?aa=a");
    breaks(&adding(own, ("aa", list)), kind, "GET /a?aa=a");
    suspects(&adding(own, ("aa", text)), kind);
    breaks(&adding(("f", open), ("g", NUMBER)), kind, "GET /a?g=a");
    suspects(&adding(("f", open), ("g", text)), kind);
    let object = "schema: { type: object, properties: { aa: { type: integer } } }";
    breaks(&adding(("aa", text), ("g", object)), kind, "GET /a?aa=a");
    // As JSON, any text may be one that is taken.
    let json = "content: { application/json: { schema: { type: integer } } }";
    suspects(&adding(own, ("aa", json)), kind);
    // What is no member of the object has been nobody's, and a map leaves it what is declared.
    adds(&adding(own, ("cc", NUMBER)), kind);
    adds(&adding(("aa", text), ("g", open)), kind);
}
