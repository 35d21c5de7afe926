//! Parameters: their presence, their values, and their styles.

use crate::contract::{compare, document, only, parameter};
use crate::operations::{adds, breaks, suspects};
use diff::Severity;

#[test]
fn a_parameter_that_is_gone_or_new() {
    let with = |parameter: &str| {
        document(&format!(
            "/a: {{ get: {{ operationId: a, parameters: [{parameter}], responses: {{ '204': {{ description: d }} }} }} }}"
        ))
    };
    let none = with("");
    for (place, name) in [("query", "p"), ("header", "X-P"), ("cookie", "p")] {
        let optional = with(&format!(
            "{{ name: {name}, in: {place}, schema: {{ type: string }} }}"
        ));
        let required = with(&format!(
            "{{ name: {name}, in: {place}, required: true, schema: {{ type: string }} }}"
        ));
        adds(&compare(&none, &optional), "request-parameter-added");
        breaks(
            &compare(&none, &required),
            "request-parameter-added",
            "GET /a",
        );
        breaks(
            &compare(&optional, &required),
            "request-parameter-required",
            "GET /a",
        );
        adds(&compare(&required, &optional), "request-parameter-optional");
        let removed = compare(&optional, &none);
        if place == "query" {
            breaks(&removed, "request-parameter-removed", "GET /a?p=a");
        } else {
            suspects(&removed, "request-parameter-removed");
        }
    }
}

#[test]
fn a_parameter_that_takes_less() {
    let report = compare(
        &parameter("schema: { type: integer, maximum: 200 }"),
        &parameter("schema: { type: integer, maximum: 100 }"),
    );
    breaks(&report, "request-parameter-maximum", "GET /a?p=200");
    let report = compare(
        &parameter("schema: { type: string }"),
        &parameter("schema: { type: string, enum: [x, y] }"),
    );
    breaks(&report, "request-parameter-enum", "GET /a?p=a");
    let report = compare(
        &parameter("schema: { type: array, items: { type: string }, maxItems: 5 }"),
        &parameter("schema: { type: array, items: { type: string }, maxItems: 2 }"),
    );
    assert_eq!(
        only(&report, Severity::Breaking).kind,
        "request-parameter-maxItems"
    );
}

#[test]
fn a_parameter_is_a_text_so_any_number_is_a_string() {
    let (number, text) = (
        parameter("schema: { type: integer }"),
        parameter("schema: { type: string }"),
    );
    adds(&compare(&number, &text), "request-parameter-type");
    assert!(compare(&text, &number).is_breaking());
    let list = parameter("schema: { type: array, items: { type: string } }");
    let report = compare(&text, &list);
    assert_eq!(report.count(Severity::Possible), 0, "{}", report.to_text());
    assert!(!report.is_breaking(), "{}", report.to_text());
    let json = |kind: &str| {
        parameter(&format!(
            "content: {{ application/json: {{ schema: {{ type: {kind} }} }} }}"
        ))
    };
    let report = compare(&json("integer"), &json("string"));
    breaks(&report, "request-parameter-type", "GET /a?p=0");
}

#[test]
fn a_parameter_that_is_written_another_way() {
    let list = "schema: { type: array, items: { type: string } }";
    let report = compare(
        &parameter(&format!("explode: true, {list}")),
        &parameter(&format!("explode: false, {list}")),
    );
    breaks(&report, "request-parameter-style", "GET /a?p=a&p=b");
    let report = compare(
        &parameter("explode: true, schema: { type: string }"),
        &parameter("explode: false, schema: { type: string }"),
    );
    // A lone text is written the same either way, and so is a list in a header.
    assert!(report.changes.is_empty(), "{}", report.to_text());
    let header = |explode: bool| {
        document(&format!(
            "/a: {{ get: {{ responses: {{ '204': {{ description: d }} }},
                parameters: [{{ name: X-P, in: header, explode: {explode}, {list} }}] }} }}"
        ))
    };
    let report = compare(&header(true), &header(false));
    assert!(report.changes.is_empty(), "{}", report.to_text());
}

#[test]
fn a_name_that_is_written_in_the_path() {
    let at = |path: &str, says: &str| {
        let names = path
            .split('{')
            .skip(1)
            .filter_map(|part| part.split('}').next());
        let parameters =
            names.map(|name| format!("{{ name: {name}, in: path, required: true, {says} }}"));
        let parameters: Vec<String> = parameters.collect();
        document(&format!(
            "{path}: {{ get: {{ responses: {{ '204': {{ description: d }} }},
                parameters: [{}] }} }}",
            parameters.join(", ")
        ))
    };
    let renamed = |says: &str| compare(&at("/a/{x}", says), &at("/a/{y}", says));
    let kind = "request-parameter-style";
    let number = "style: matrix, schema: { type: integer }";
    breaks(&renamed(number), kind, "GET /a/;x=0");
    let list = "schema: { type: array, items: { type: string } }";
    for (says, sent) in [
        ("explode: false", "GET /a/;x=a"),
        ("explode: true", "GET /a/;x=a"),
    ] {
        let says = format!("style: matrix, {says}, {list}");
        breaks(&renamed(&says), kind, sent);
    }
    let exchanged = compare(&at("/a/{x}/{y}", number), &at("/a/{y}/{x}", number));
    assert_eq!(
        exchanged.of(Severity::Breaking).count(),
        2,
        "{}",
        exchanged.to_text()
    );
    // The members of an exploded object are written instead, and other styles write no name.
    let object = "schema: { type: object, properties: { a: { type: integer } }, required: [a] }";
    for says in [
        &format!("style: matrix, explode: true, {object}"),
        "style: label, schema: { type: integer }",
        "schema: { type: integer }",
    ] {
        let report = renamed(says);
        assert!(report.changes.is_empty(), "{}", report.to_text());
    }
}

#[test]
fn an_object_that_is_written_another_way() {
    let object = "{ type: object, properties: { a: { type: integer } } }";
    let json = parameter(&format!(
        "required: true, content: {{ application/json: {{ schema: {object} }} }}"
    ));
    let form = parameter(&format!("required: true, schema: {object}"));
    let deep = parameter(&format!(
        "required: true, style: deepObject, schema: {object}"
    ));
    let kind = "request-parameter-style";
    breaks(&compare(&form, &deep), kind, "GET /a?a=0");
    breaks(&compare(&deep, &form), kind, "GET /a?p[a]=0");
    let sent = "GET /a?p=%7B%22a%22%3A0%7D";
    breaks(&compare(&json, &form), kind, sent);
}

#[test]
fn a_parameter_s_default_means_something_else() {
    let report = compare(
        &parameter("schema: { type: integer, default: 50 }"),
        &parameter("schema: { type: integer, default: 20 }"),
    );
    suspects(&report, "request-parameter-default");
}

#[test]
fn a_path_parameter_may_change_its_name() {
    let path = |name: &str| {
        document(&format!(
        "/a/{{{name}}}: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }},
            parameters: [{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}] }} }}"
    ))
    };
    assert!(compare(&path("id"), &path("petId")).changes.is_empty());
}

#[test]
fn a_header_is_the_same_in_any_case() {
    let of = |own: &str| {
        let header = |name: &str, schema: &str| {
            format!("parameters: [{{ name: {name}, in: header, schema: {schema} }}]")
        };
        document(&format!(
            "/a: {{ {}, get: {{ responses: {{ '204': {{ description: d }} }}, {} }} }}",
            header("X-Sum", "{ type: string, pattern: '[0-9]' }"),
            header(own, "{ type: string }")
        ))
    };
    let (same, other) = (of("X-Sum"), of("x-sum"));
    let report = compare(&same, &other);
    assert!(report.changes.is_empty(), "{}", report.to_text());
    assert!(compare(&other, &other).changes.is_empty());
}

#[test]
fn styles_have_their_names_in_the_document() {
    let of = |style: &str| {
        parameter(&format!(
            "style: {style}, schema: {{ type: array, minItems: 2, items: {{ type: integer }} }}"
        ))
    };
    let report = compare(&of("form"), &of("pipeDelimited, explode: false"));
    let text = report.to_text();
    for style in [
        "`form`, `explode: true`",
        "`pipeDelimited`, `explode: false`",
    ] {
        assert!(text.contains(style), "{text}");
    }
}

#[test]
fn a_list_in_one_text_is_a_text() {
    let list = "{ type: array, items: { type: string } }";
    let kind = "request-parameter-type";
    let of =
        |explode: bool, schema: &str| parameter(&format!("explode: {explode}, schema: {schema}"));
    let [commas, pairs] = [false, true].map(|explode| of(explode, list));
    let [text, exploded] = [false, true].map(|explode| of(explode, "{ type: string }"));
    adds(&compare(&commas, &text), kind);
    adds(&compare(&text, &commas), kind);
    breaks(&compare(&pairs, &exploded), kind, "GET /a?p=a&p=a");
    adds(&compare(&exploded, &pairs), kind);
    // A text is written alike, exploded or not.
    assert!(!compare(&commas, &exploded).is_breaking());
    breaks(&compare(&pairs, &text), kind, "GET /a?p=a&p=a");
    let digits = of(false, "{ type: string, pattern: '^[0-9]*$' }");
    assert!(compare(&commas, &digits).is_breaking());
    let member = |rest: &str| {
        parameter(&format!(
            "schema: {{ type: object, properties: {{ a: {{ type: string }} }} {rest} }}"
        ))
    };
    // Without members, nothing is sent.
    let report = compare(&member(""), &member(", minProperties: 1"));
    assert!(!report.is_breaking(), "{}", report.to_text());
}

#[test]
fn a_format_of_integers_that_bounds_say_is_no_change() {
    let of = |rest: &str| parameter(&format!("schema: {{ type: integer {rest} }}"));
    let bounds = ", minimum: 1, maximum: 100";
    let formats = ["", ", format: int32", ", format: int64"];
    for before in formats {
        for after in formats {
            let [before, after] = [before, after].map(|format| of(&format!("{bounds}{format}")));
            let report = compare(&before, &after);
            assert!(report.changes.is_empty(), "{}", report.to_text());
        }
    }
    let byte = of(&format!("{bounds}0, format: int8"));
    let report = compare(&of(&format!("{bounds}0")), &byte);
    assert!(report.is_breaking(), "{}", report.to_text());
    assert!(compare(&of(""), &of(formats[1])).is_breaking());
}

#[test]
fn a_query_string_is_known_by_its_place_alone() {
    let with = |parameter: &str| {
        let mut document = document(&format!(
            "/a: {{ get: {{ operationId: a, parameters: [{parameter}], responses: {{ '204': {{ description: d }} }} }} }}"
        ));
        document["openapi"] = "3.2.0".into();
        document
    };
    let whole = |name: &str, media: &str, schema: &str| {
        with(&format!(
            "{{ name: {name}, in: querystring, required: true, content: {{ {media}: {{ schema: {schema} }} }} }}"
        ))
    };
    let form = "application/x-www-form-urlencoded";
    let open = "{ type: object, required: [a], properties: { a: { type: integer } } }";
    let strict =
        "{ type: object, required: [a], properties: { a: { type: integer, maximum: 3 } } }";
    let before = whole("q", form, open);
    // Its name is not sent.
    assert!(!compare(&before, &whole("search", form, open)).is_breaking());
    assert!(compare(&before, &whole("q", form, strict)).is_breaking());
    assert!(compare(&before, &whole("q", "application/json", open)).is_breaking());
    breaks(
        &compare(&with(""), &whole("q", "application/json", open)),
        "request-parameter-added",
        "GET /a",
    );
}

#[test]
fn cookies_of_their_own_style_are_compared_as_they_are_sent() {
    let with = |explode: bool| {
        let mut document = document(&format!(
            "/a: {{ get: {{ operationId: a, responses: {{ '204': {{ description: d }} }}, parameters: [
                {{ name: c, in: cookie, required: true, style: cookie, explode: {explode}, schema: {{ type: array, minItems: 2, items: {{ type: string, minLength: 1 }} }} }}] }} }}"
        ));
        document["openapi"] = "3.2.0".into();
        document
    };
    assert!(compare(&with(true), &with(true)).changes.is_empty());
    let report = compare(&with(true), &with(false));
    let witness = only(&report, Severity::Breaking).witness.as_ref();
    assert_eq!(
        witness.map(|it| it.exchange.as_str()),
        Some("GET /a (Cookie: c=a; c=a)")
    );
}
